"""Runs Muster's own command line against a home of its own and tells which cases held. Standard library only."""

import contextlib
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MUSTER = ROOT / "muster"
RESULTS = ROOT / ".muster-build/testbed/cases.jsonl"


class Failed(Exception):
    """What was expected did not hold."""


def expect(holds, what):
    if not holds:
        raise Failed(what)


def until(condition, seconds, what, every=0.1):
    """The first true value of the condition; fails when there is none in time."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"not within {seconds} s: {what}")
        time.sleep(every)


class Muster:
    """One MUSTER_HOME with its embedded service."""

    def __init__(self, home, capacity="cpus=64,processes=64", envs=None):
        self.home = Path(home)
        self.env = {**os.environ, "MUSTER_HOME": str(self.home), "MUSTER_CAPACITY": capacity}
        if envs:  # Python environments are built once for all cases
            self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                (self.home / "envs").symlink_to(envs)

    def __call__(self, *words, code=0, timeout=600, **env):
        done = subprocess.run([MUSTER, *map(str, words)], env={**self.env, **env}, capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL)
        if code is not None and done.returncode != code:
            raise Failed(f"muster {' '.join(map(str, words))} ended with {done.returncode}, not {code}:\n"
                         f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def json(self, *words, **more):
        return json.loads(self(*words, "-o", "json", **more))

    def submit(self, job, *more):
        return self.json("submit", job, *more)["id"]

    def get(self, job):
        return self.json("get", job)

    def state(self, job):
        return self.get(job)["state"]

    def wait(self, job, state, seconds):
        """The job's document once it is in the state; fails at once when it ended in another."""
        def there():
            document = self.get(job)
            final = document["state"] in ("Succeeded", "Failed", "Cancelled")
            if final and document["state"] != state:
                raise Failed(f"job ended {document['state']}, not {state}: {document['reason']}\n"
                             + self("logs", job, code=None)[-3000:])
            return document if document["state"] == state else None
        return until(there, seconds, f"{job} is {state}", every=0.25)

    def logs(self, job, *more):
        return self("logs", job, *more)

    def service_pid(self):
        return self.json("local", "status")["pid"]

    def kill_service(self):
        """SIGKILL, as a machine's out-of-memory killer would."""
        pid = self.service_pid()
        os.kill(pid, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{pid}/stat").exists() or stat(pid)[0] == "Z", 10, "the service is gone", 0.01)

    def end(self):
        self("local", "stop", "--cancel", code=None, timeout=120)


def stat(pid):
    """State and start time of a process, from /proc/PID/stat."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return fields[0], int(fields[19])


def alive(pid):
    try:
        return stat(pid)[0] not in "ZX"
    except OSError:
        return False


def marked(job):
    """Processes of this machine whose environment carries the job's id."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if f"MUSTER_JOB_ID={job}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


class Opened:
    """Which files below a folder are opened for reading, by inotify."""

    IN_OPEN, IN_NONBLOCK = 0x20, 0o4000

    def __init__(self, folder):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self.libc.inotify_init1(self.IN_NONBLOCK)
        expect(self.libc.inotify_add_watch(self.fd, str(folder).encode(), self.IN_OPEN) >= 0, f"no watch on {folder}")

    def names(self):
        with contextlib.suppress(BlockingIOError):
            data = os.read(self.fd, 1 << 20)
            names = set()
            while data:
                length = int.from_bytes(data[12:16], "little")
                names.add(data[16:16 + length].rstrip(b"\0").decode())
                data = data[16 + length:]
            return names
        return set()


def steps(log, process):
    """Numbers of the 'step N' lines of a process, in the order of the log."""
    return [int(n) for n in re.findall(rf"^{re.escape(process)} \| step (\d+)\b", log, re.M)]


def proof(log, world):
    """Whether the ranks trained one model together, by check_distributed.py."""
    done = subprocess.run([sys.executable, ROOT / "testbed/real/check_distributed.py", "--world", str(world)],
                          input=log, capture_output=True, text=True)
    expect(done.returncode == 0, f"not distributed: {done.stdout}\n{log[-2000:]}")
    return done.stdout.strip().splitlines()[-1]


def run(cases, options):
    """
    Runs the cases one after another, prints a line a case, and the exit code.

    With MUSTER_TESTBED_AGAIN=N in the environment a case that failed is run a second time, for at most N of them. One that holds then is
    told as UNSTEADY, with what was wrong the first time: a defect to look for, of the case or of Muster, that does not hold up others' work.
    """
    chosen = [case for case in cases if not options or any(word in case.__name__ for word in options)]
    if not chosen:
        print(f"no case is called {options}; there are: {', '.join(case.__name__ for case in cases)}")
        return 2
    work = Path(tempfile.mkdtemp(prefix="muster-real-"))
    (work / "envs").mkdir(mode=0o700)
    failed, unsteady = 0, []
    second_runs = int(os.environ.get("MUSTER_TESTBED_AGAIN", "0"))
    for case in chosen:
        holds, said = one(case, work / "first" / case.__name__, work / "envs")
        if not holds and len(unsteady) < second_runs:
            unsteady.append(f"{case.__name__}: {said}")
            holds, said = one(case, work / "second" / case.__name__, work / "envs")
        failed += not holds
    shutil.rmtree(work, ignore_errors=True)
    for first in unsteady:
        print(f"UNSTEADY {first}")
    print(f"{len(chosen) - failed} passed, {len(unsteady)} of the cases not at once, {failed} failed")
    return 1 if failed else 0


def one(case, home, envs):
    """Whether the case holds, and what it says."""
    begun = time.monotonic()
    home.parent.mkdir(exist_ok=True)
    muster = Muster(home, envs=envs)
    holds, said = False, None
    try:
        said = case(muster)
        holds = True
    except Exception as wrong:
        said = wrong if isinstance(wrong, Failed) else traceback.format_exc()
    finally:
        muster.end()
    print(f"{'ok' if holds else 'FAILED':6} {case.__name__} {time.monotonic() - begun:.1f} s  {said or ''}", flush=True)
    note(case.__name__, holds, time.monotonic() - begun)
    return holds, said


def note(case, holds, seconds):
    """Adds a line to what testbed/frameworks makes its table from."""
    commit = subprocess.run(["git", "rev-parse", "--short=9", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("a") as file:
        suite = Path(sys.argv[0]).name
        file.write(json.dumps({"suite": suite, "case": case, "holds": holds, "seconds": round(seconds), "date": time.strftime("%Y-%m-%d"),
                               "commit": commit}) + "\n")
