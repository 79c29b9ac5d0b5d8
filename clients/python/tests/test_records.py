import io
import os
import unittest
from contextlib import redirect_stderr
from unittest.mock import patch

from muster import BadRecordsError, Tally, in_step, skip_bad


class Source:
    """Numbers, of which some cannot be read."""

    def __init__(self, count, bad=()):
        self.count, self.bad, self.next = count, set(bad), 0

    def __iter__(self):
        return Source(self.count, self.bad)

    def __next__(self):
        if self.next == self.count:
            raise StopIteration
        self.next += 1
        if self.next - 1 in self.bad:
            raise OSError(f"cannot read {self.next - 1}")
        return self.next - 1


class BadRecords(unittest.TestCase):
    def setUp(self):
        self.reported = []
        patch("muster.records.report", lambda bad_records: self.reported.append(bad_records)).start()
        self.log = io.StringIO()
        quiet = redirect_stderr(self.log)
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)
        self.addCleanup(patch.stopall)

    def test_a35_what_cannot_be_parsed_is_skipped_counted_reported_and_named(self):
        tally = Tally(at_most=2, at_most_fraction=None)
        self.assertEqual(list(skip_bad(["1", "x", "3", ""], int, tally)), [1, 3])
        self.assertEqual((tally.bad, tally.read, self.reported), (2, 4, [1, 2]))
        self.assertIn("muster: record 1 is bad and skipped: ValueError: invalid literal", self.log.getvalue())

    def test_a35_what_the_source_cannot_read_is_skipped(self):
        tally = Tally(at_most_fraction=None)
        self.assertEqual(list(skip_bad(Source(5, [0, 3]), tally=tally)), [1, 2, 4])
        self.assertEqual(tally.bad, 2)

    def test_a_record_that_is_met_again_counts_once(self):
        tally = Tally(at_most=1, at_most_fraction=None)
        for _ in range(3):
            self.assertEqual(list(skip_bad(["1", "x"], int, tally)), [1])
        self.assertEqual((tally.bad, tally.read, self.reported), (1, 6, [1]))

    def test_a35_over_the_absolute_bound_it_fails_and_says_why(self):
        with self.assertRaisesRegex(BadRecordsError, r"2 bad records of 3 read: at most 1 are allowed \(at_most\); the first here was record 0 \(ValueError"):
            list(skip_bad(["x", "2", "y", "4"], int, Tally(at_most=1, at_most_fraction=None)))

    def test_a35_over_the_fraction_it_fails_once_enough_were_read(self):
        read = []
        with self.assertRaisesRegex(BadRecordsError, r"11 bad records of 110 read: at most 0.05 of them"):
            # One in ten is bad; below a hundred that is no ground yet.
            for value in skip_bad(range(1000), lambda n: 1 // (n % 10 != 9), Tally(at_most_fraction=0.05, enough=101)):
                read.append(value)
        self.assertEqual(len(read), 99)

    def test_a_short_source_is_judged_at_its_end(self):
        with self.assertRaisesRegex(BadRecordsError, "1 bad records of 3 read"):
            list(skip_bad(["1", "x", "3"], int, Tally()))

    def test_none_is_bad_when_none_may_be(self):
        with self.assertRaises(BadRecordsError):
            list(skip_bad(["1", "x"], int, Tally(at_most=0, at_most_fraction=None)))

    def test_a_generator_below_map_that_raised_has_lost_the_rest_and_that_is_said(self):
        def torn():
            yield "1"
            raise OSError("torn")

        for source in (map(int, torn()), zip(range(5), torn()), enumerate(torn())):
            with self.assertRaisesRegex(BadRecordsError, "record 1 ended its generator .OSError: torn.*parse="):
                list(skip_bad(source, tally=Tally(at_most_fraction=None)))

    def test_a_last_record_that_is_bad_ends_nothing(self):
        def average(text):
            return sum(float(word) for word in text.split())

        self.assertEqual(list(skip_bad(map(average, ["1 2", "x"]), tally=Tally(at_most_fraction=None))), [3.0])

    def test_a_problem_that_cannot_say_what_it_is_is_one_bad_record(self):
        class Mute(Exception):
            def __str__(self):
                raise RuntimeError("no text")

        def parse(record):
            if record == 1:
                raise Mute
            return record

        self.assertEqual(list(skip_bad(range(3), parse, Tally(at_most_fraction=None))), [0, 2])

    def test_a_bound_that_is_no_number_is_named(self):
        with self.assertRaisesRegex(ValueError, "at_most_fraction is '1%': give a fraction from 0 to 1"):
            Tally(at_most_fraction="1%")
        with self.assertRaisesRegex(ValueError, "at_most is '3': give a number"):
            Tally(at_most="3")

    def test_a_generator_that_raised_is_at_its_end_and_that_is_said(self):
        def broken():
            yield 1
            raise OSError("torn")
        with self.assertRaisesRegex(BadRecordsError, "record 1 ended its generator .OSError: torn.*parse="):
            list(skip_bad(broken(), tally=Tally(at_most_fraction=None)))

    def test_a_source_that_does_not_move_on_is_left(self):
        class Stuck:
            def __iter__(self):
                return self
            def __next__(self):
                raise OSError("gone")
        with self.assertRaisesRegex(BadRecordsError, "1000 times in a row"):
            list(skip_bad(Stuck(), tally=Tally(at_most_fraction=None)))

    def test_out_of_memory_is_no_bad_record(self):
        def parse(_):
            raise MemoryError
        with self.assertRaises(MemoryError):
            list(skip_bad([1], parse, Tally()))

    def test_bounds_that_are_none_are_refused(self):
        for wrong in ({"at_most": -1}, {"at_most_fraction": 1.5}):
            with self.assertRaises(ValueError):
                Tally(**wrong)

    def test_only_the_first_are_named(self):
        list(skip_bad(["x"] * 50 + ["1"], int, Tally(at_most_fraction=None)))
        self.assertEqual(self.log.getvalue().count("is bad and skipped"), 10)


class RanksInStep(unittest.TestCase):
    def setUp(self):
        patch("muster.records.report").start()
        patch("muster.records.Tally._tell").start()
        self.addCleanup(patch.stopall)

    def test_every_rank_takes_the_planned_number_of_steps(self):
        self.assertEqual(list(in_step([1, 2, 3], 7)), [1, 2, 3, 1, 2, 3, 1])
        self.assertEqual(list(in_step([1, 2, 3], 2)), [1, 2])

    def test_a_generator_that_runs_out_is_told(self):
        with self.assertRaisesRegex(BadRecordsError, "step 2 of 3"):
            list(in_step((n for n in (1, 2)), 3))

    def test_a35_bounds_over_all_ranks_are_judged_by_all_at_the_same_step(self):
        """Two ranks, of which one has all the bad records; the sum is what both see."""
        mine, other = Tally(at_most=3, at_most_fraction=None), Tally(at_most=3, at_most_fraction=None)
        together = lambda values: [float(mine.bad + other.bad), 0.0, 100.0]  # noqa: E731
        ends = []
        for tally in (mine, other):
            tally._sum = together
        for number in range(4):
            other.skipped("x", number)
        for tally in (mine, other):
            steps = []
            with self.assertRaisesRegex(BadRecordsError, "4 bad records of 100 read over all ranks"):
                for step in in_step(range(100), 20, tally, check_every=5):
                    steps.append(step)
            ends.append(len(steps))
        self.assertEqual(ends, [5, 5])

    def test_where_ranks_share_a_report_file_the_first_reports_for_all(self):
        told = []
        shared = {"TORCHELASTIC_RUN_ID": "r", "WORLD_SIZE": "2"}
        with patch("muster.records.report", lambda bad_records: told.append(bad_records)):
            for rank in ("0", "1"):
                with patch.dict(os.environ, {**shared, "RANK": rank}):
                    tally = Tally(at_most_fraction=None, sum_over_group=lambda _: [5.0, 5.0, 100.0])
                tally.skipped("x", 1)
                tally.check()
        self.assertEqual(told, [5])
