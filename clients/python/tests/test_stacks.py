import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = """
import os, signal, sys, threading, time
import muster
{before}
muster.report(step=1)
def waits_here():
    print("ready", flush=True)
    sys.stdin.readline()
waits_here()
print("alive", flush=True)
"""


class Stacks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def start(self, before=""):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT.format(before=before)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "MUSTER_REPORT_FILE": str(Path(self.folder.name) / "reports.jsonl")})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process, Path(self.folder.name) / f"stacks-{process.pid}"

    def test_the_first_report_makes_the_process_answer_and_it_goes_on(self):
        process, file = self.start()
        word, pid, start, number = file.read_text().split()
        self.assertEqual((word, int(pid)), ("muster-stacks", process.pid))
        self.assertEqual(start, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
        self.assertGreaterEqual(int(number), signal.SIGRTMIN)
        os.kill(process.pid, int(number))
        while "waits_here" not in file.read_text():
            self.assertIsNone(process.poll())
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "alive\n")
        self.assertEqual(process.wait(10), 0)

    def test_a_signal_that_the_training_uses_is_left_to_it(self):
        process, file = self.start("signal.signal(signal.SIGRTMIN + 7, lambda *_: None)")
        self.assertEqual(int(file.read_text().split()[3]), signal.SIGRTMIN + 8)
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.wait(10), 0)

    def test_outside_muster_nothing_is_changed(self):
        said = subprocess.run(
            [sys.executable, "-c", "import muster; print(muster.stacks_on_signal())"], capture_output=True, text=True,
            env={name: value for name, value in os.environ.items() if name != "MUSTER_REPORT_FILE"})
        self.assertEqual(said.stdout, "False\n", said.stderr)
