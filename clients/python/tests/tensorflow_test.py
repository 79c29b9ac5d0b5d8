"""With TensorFlow; a case of testbed/real-local runs it in the Python environment of the TensorFlow examples."""

import unittest
from unittest.mock import patch

import tensorflow as tf

from muster import Tally
from muster.tensorflow import in_step, skip_bad


def parse(text):
    return tf.strings.to_number(text, tf.int32)


def texts(*values):
    return tf.data.Dataset.from_tensor_slices(list(values))


class Reading(unittest.TestCase):
    def setUp(self):
        patch("muster.records.report").start()
        patch("muster.records.Tally._tell").start()
        self.addCleanup(patch.stopall)

    def values(self, dataset):
        return [value.tolist() for value in dataset.as_numpy_iterator()]

    def test_a35_records_that_cannot_be_parsed_are_skipped_and_counted_wherever_they_stand(self):
        for bad in ([0], [4], [2], [0, 1], [3, 4], [0, 2, 4], []):
            for parallel in (None, 4):
                tally = Tally(at_most_fraction=None)
                rows = ["x" if n in bad else str(n) for n in range(5)]
                self.assertEqual(self.values(skip_bad(texts(*rows), parse, tally, parallel)), [n for n in range(5) if n not in bad])
                self.assertEqual((tally.bad, tally.read), (len(bad), 5), bad)

    def test_a_record_that_is_met_again_counts_once(self):
        tally = Tally(at_most_fraction=None)
        dataset = skip_bad(texts("1", "x", "3"), parse, tally)
        for _ in range(2):
            self.assertEqual(self.values(dataset), [1, 3])
        self.assertEqual((tally.bad, tally.read), (1, 6))

    def test_structures_pass(self):
        dataset = skip_bad(tf.data.Dataset.from_tensor_slices((["1", "x"], [5, 6])), lambda t, n: {"t": parse(t), "n": n},
                           Tally(at_most_fraction=None))
        self.assertEqual([(e["t"], e["n"]) for e in dataset.as_numpy_iterator()], [(1, 5)])

    def test_a35_over_a_bound_the_pipeline_fails_and_says_why(self):
        dataset = skip_bad(texts("x", "y", "3"), parse, Tally(at_most=1, at_most_fraction=None))
        with self.assertRaisesRegex(tf.errors.OpError, "2 bad records of 2 read: at most 1"):
            self.values(dataset)

    def test_a_source_that_fails_is_no_bad_record(self):
        def broken():
            yield "1"
            raise OSError("torn")
        source = tf.data.Dataset.from_generator(broken, output_signature=tf.TensorSpec([], tf.string))
        with self.assertRaisesRegex(tf.errors.OpError, "torn"):
            self.values(skip_bad(source, parse, Tally(at_most_fraction=None)))

    def test_a35_every_worker_takes_the_planned_number_of_full_batches(self):
        dataset = in_step(skip_bad(texts("1", "x", "3", "x", "5"), parse, Tally(at_most_fraction=None)), 2, 4)
        self.assertEqual(self.values(dataset), [[1, 3], [5, 1], [3, 5], [1, 3]])


if __name__ == "__main__":
    unittest.main()
