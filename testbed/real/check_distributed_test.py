#!/usr/bin/env python3
"""Holds check_distributed.py to what real runs printed: `python3 testbed/real/check_distributed_test.py`.

captured/NAME.txt are the PROOF lines of one run of each example, captured/single-NAME-SEED.txt those of runs that knew
nothing of each other.
"""

import filecmp
import io
import json
import subprocess
import sys
import unittest
from pathlib import Path

from check_distributed import find_problems, read_proofs

HERE = Path(__file__).resolve().parent
CAPTURED = HERE / "captured"
TOGETHER = ("tensorflow-mirrored", "tensorflow-parameter-server", "pytorch-direct", "pytorch-torchrun", "jax")
APART = ("tensorflow-mirrored", "pytorch", "jax")


def captured(name):
    return read_proofs(io.StringIO((CAPTURED / f"{name}.txt").read_text()))


def apart(name, seeds):
    """Two single runs, each put under the name of another worker."""
    return [(f"worker-{rank} | ", captured(f"single-{name}-{seed}")[-1][1]) for rank, seed in enumerate(seeds)]


def claiming_to_be_one_group(proofs, first_rank=0, world=2):
    return [(process, {**proof, "rank": rank, "world": world})
            for rank, (process, proof) in enumerate(proofs, start=first_rank)]


class RealRuns(unittest.TestCase):
    def test_ranks_that_trained_together_pass(self):
        for name in TOGETHER:
            with self.subTest(name):
                self.assertEqual([], find_problems(captured(name)))

    def test_a_group_smaller_than_asked_for_fails(self):
        self.assertIn("world size is [2], expected 3", find_problems(captured("jax"), world=3))

    def test_two_single_runs_fail(self):
        for name in APART:
            for seeds in ((1, 2), (1, 1)):
                with self.subTest(name, seeds=seeds):
                    self.assertIn("a world of one is not distributed", find_problems(apart(name, seeds)))

    def test_two_single_runs_fail_even_when_they_claim_to_be_one_group(self):
        for name in APART:
            with self.subTest(name):
                problems = find_problems(claiming_to_be_one_group(apart(name, (1, 2))))
                self.assertIn("epoch 1: 110000 rows used, there are 55000", problems)
                self.assertTrue(any(problem.startswith("final weights differ") for problem in problems), problems)

    def test_one_run_shown_twice_fails_though_its_weights_are_equal(self):
        for name in APART:
            with self.subTest(name):
                problems = find_problems(claiming_to_be_one_group(apart(name, (1, 1))))
                self.assertIn("epoch 1: the rows used are not all rows, each once", problems)

    def test_two_parameter_server_jobs_fail(self):
        name = "tensorflow-parameter-server"
        chief = captured(f"single-{name}-1")[:1]
        problems = find_problems(claiming_to_be_one_group(chief + apart(name, (1, 2)), world=3))
        self.assertIn("the coordinator counts [1720] steps, the others made 3440", problems)
        self.assertIn("epoch 1: 110000 rows used, there are 55000", problems)


class PlantedFaults(unittest.TestCase):
    def setUp(self):
        self.proofs = captured("pytorch-direct")

    def problems_after(self, **changes):
        self.proofs[0][1].update(changes)
        return find_problems(self.proofs)

    def test_a_missing_rank(self):
        self.assertEqual(f"ranks are [{self.proofs[0][1]['rank']}], expected [0, 1]", find_problems(self.proofs[:1])[0])

    def test_no_proof_at_all(self):
        self.assertEqual(["no PROOF line in the log"], find_problems([]))

    def test_a_rank_told_twice(self):
        self.assertTrue(any("more than one proof" in problem for problem in find_problems(self.proofs + self.proofs[:1])))

    def test_other_weights(self):
        self.assertTrue(self.problems_after(weights="0" * 64)[0].startswith("final weights differ"))

    def test_an_untrained_model(self):
        self.proofs[1][1]["weights"] = self.proofs[1][1]["untrained"]
        problems = self.problems_after(weights=self.proofs[1][1]["untrained"])
        self.assertEqual(["final weights are those of the untrained model"], problems)

    def test_other_step_counts(self):
        self.assertEqual(["step counts differ: [429, 430]"], self.problems_after(steps=429))

    def test_overlapping_rows_of_the_right_number(self):
        epochs = json.loads(json.dumps(self.proofs[1][1]["epochs"]))
        self.assertEqual(["epoch 1: the rows used are not all rows, each once"], self.problems_after(epochs=epochs))

    def test_rows_left_out(self):
        epochs = [{**self.proofs[0][1]["epochs"][0], "count": 27_000}]
        self.assertEqual(["epoch 1: 54500 rows used, there are 55000"], self.problems_after(epochs=epochs))


class Program(unittest.TestCase):
    def run_on(self, text, *options):
        return subprocess.run([sys.executable, HERE / "check_distributed.py", *options], input=text, text=True,
                              capture_output=True, check=False)

    def test_it_says_met_and_exits_0(self):
        done = self.run_on("worker-0 | noise\n" + (CAPTURED / "jax.txt").read_text(), "--world", "2")
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertTrue(done.stdout.endswith(" met\n"), done.stdout)

    def test_it_says_short_and_exits_1(self):
        done = self.run_on("".join((CAPTURED / f"single-jax-{seed}.txt").read_text() for seed in (1, 2)))
        self.assertEqual(1, done.returncode)
        self.assertTrue(done.stdout.endswith(" short\n"), done.stdout)

    def test_it_sees_proofs_behind_the_prefix_of_torchrun(self):
        text = (CAPTURED / "pytorch-torchrun.txt").read_text().replace("| PROOF", "| [default0]:PROOF")
        self.assertEqual(0, self.run_on(text).returncode)


class Examples(unittest.TestCase):
    def test_all_read_their_data_by_the_same_code(self):
        copies = sorted((HERE.parent.parent / "examples").glob("*/fashion_mnist.py"))
        self.assertGreaterEqual(len(copies), 4)
        for copy in copies:
            self.assertTrue(filecmp.cmp(copies[0], copy, shallow=False), f"{copy} differs from {copies[0]}")


if __name__ == "__main__":
    unittest.main()
