import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

import muster


class Half:
    def __float__(self):
        return 0.5


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name) / "reports"
        patch.dict(os.environ, {"MUSTER_REPORT_FILE": str(self.file)}).start()
        self.addCleanup(patch.stopall)

    def lines(self):
        return self.file.read_text().splitlines()

    def test_a_report_is_a_line_of_the_report_file(self):
        muster.report(step=120, total=938, epoch=1, metrics={"loss": Half()})
        muster.report(checkpoint="ckpt-120", step=120)
        muster.report(bad_records=3)
        self.assertEqual([json.loads(line) for line in self.lines()], [
            {"step": 120, "total": 938, "epoch": 1.0, "metrics": {"loss": 0.5}},
            {"step": 120, "checkpoint": "ckpt-120"},
            {"badRecords": 3},
        ])

    def test_without_a_file_it_is_a_marked_line_of_standard_output(self):
        del os.environ["MUSTER_REPORT_FILE"]
        said = io.StringIO()
        with redirect_stdout(said):
            muster.report(step=1)
        self.assertEqual(said.getvalue(), '::muster::{"step":1}\n')

    def test_nothing_to_say_is_not_said(self):
        muster.report()
        self.assertFalse(self.file.exists())

    def test_b69_nan_and_infinity_are_told_by_name_so_that_no_older_value_stands(self):
        muster.report(metrics={"loss": float("nan"), "norm": float("-inf")})
        self.assertEqual(self.lines(), ['{"metrics":{"loss":NaN,"norm":-Infinity}}'])

    def test_what_is_no_number_is_warned_of_and_the_rest_is_told(self):
        with self.assertWarnsRegex(RuntimeWarning, "'name' is no number"):
            muster.report(metrics={"name": "cnn", "loss": 1})
        self.assertEqual(self.lines(), ['{"metrics":{"loss":1.0}}'])

    def test_a_line_stays_within_64_kib_and_the_last_metrics_are_left_out(self):
        with self.assertWarnsRegex(RuntimeWarning, "left out"):
            muster.report(step=7, metrics={f"metric-{n:05}": n / 3 for n in range(5000)})
        (line,) = self.lines()
        self.assertLessEqual(len(line) + 1, 64 * 1024)
        self.assertGreater(len(line), 63 * 1024)
        told = json.loads(line)
        self.assertEqual((told["step"], told["metrics"]["metric-00000"]), (7, 0.0))

    def ended(self, script):
        subprocess.run([sys.executable, "-c", "import os, muster\n" + script], check=False, stderr=subprocess.DEVNULL,
                       env={**os.environ, "PYTHONPATH": str(Path(muster.__file__).parents[1])})
        return [json.loads(line)["step"] for line in self.lines()]

    def test_of_every_tenth_step_the_last_one_is_told_when_the_process_ends(self):
        told = self.ended("for step in range(57): muster.report(step=step, total=60, every=10)")
        self.assertEqual(told, [0, 10, 20, 30, 40, 50, 56])

    def test_also_when_it_fails(self):
        told = self.ended("for step in range(1, 14): muster.report(step=step, every=10)\nraise SystemExit(3)")
        self.assertEqual(told, [10, 13])

    def test_what_reaches_the_total_is_told_at_once_and_nothing_again(self):
        told = self.ended("for step in range(1, 26): muster.report(step=step, total=25, every=10)")
        self.assertEqual(told, [10, 20, 25])

    def test_a_checkpoint_is_never_held_back(self):
        told = self.ended("muster.report(step=1, every=10)\nmuster.report(step=3, checkpoint='step-3', every=10)")
        self.assertEqual(told, [3])

    def test_a_forked_process_does_not_tell_its_parents_last_step(self):
        told = self.ended("muster.report(step=7, every=10)\nif os.fork() == 0: raise SystemExit(0)\nos.wait()")
        self.assertEqual(told, [7])

    def test_a_report_that_cannot_be_written_fails_nothing(self):
        os.environ["MUSTER_REPORT_FILE"] = self.folder.name
        with self.assertWarnsRegex(RuntimeWarning, "could not be written"):
            muster.report(step=1)
        os.environ["MUSTER_REPORT_FILE"] = "/dev/full"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            muster.report(step=1)
