"""Starts programs that outlive this script and ends just those again: a pid counts only together with its start time."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

# Long enough for a machine that has much else to do, and never taken when all is well.
READY_SECONDS = 180


class NotReady(Exception):
    """A part did not become ready; the message ends with what it said last."""


def start_time(pid):
    """Field 22 of /proc/PID/stat, or None when there is no such process or only its remains."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


class Program:
    """One program: its record is FOLDER/NAME.json, what it says FOLDER/NAME.log."""

    def __init__(self, folder, name):
        self.name = name
        self.record = folder / f"{name}.json"
        self.log = folder / f"{name}.log"

    def pid(self):
        """Its pid while it runs, else None."""
        try:
            record = json.loads(self.record.read_text())
        except (OSError, ValueError):
            return None
        return record["pid"] if start_time(record["pid"]) == record["started"] else None

    def start(self, command, env=None):
        """Starts it unless it runs."""
        if self.pid():
            return
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, **(env or {})},
            )
        self.record.write_text(json.dumps({"pid": process.pid, "started": start_time(process.pid)}))

    def stop(self, seconds=10):
        """SIGTERM, and SIGKILL where that does not help."""
        for sent in (signal.SIGTERM, signal.SIGKILL):
            pid = self.pid()
            if pid is None:
                break
            os.kill(pid, sent)
            until = time.monotonic() + seconds
            while self.pid() and time.monotonic() < until:
                time.sleep(0.05)
        self.record.unlink(missing_ok=True)

    def signal(self, sent):
        pid = self.pid()
        if pid is None:
            raise NotReady(f"{self.name} does not run")
        os.kill(pid, sent)

    def last_words(self):
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])
        except OSError:
            return ""

    def await_ready(self, ready, seconds=READY_SECONDS, again=None):
        """Returns once ready() is true; the program has to live until then, or is started again by `again` where one is given."""
        until = time.monotonic() + seconds
        while not ready():
            if self.pid() is None:
                if again is None or time.monotonic() > until:
                    raise NotReady(f"{self.name} ended at once. It said:\n{self.last_words()}")
                time.sleep(0.5)
                again()
            if time.monotonic() > until:
                raise NotReady(f"{self.name} is not ready after {seconds} s. It said last:\n{self.last_words()}")
            time.sleep(0.1)
