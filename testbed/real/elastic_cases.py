"""Elastic PyTorch, on each backend that takes it: the others go on without a killed worker, and the group grows and shrinks in mid-training."""

import contextlib
import glob
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from harness import ROOT, alive, expect, marked, stat, until

EXAMPLE = ROOT / "examples/pytorch-elastic"

# The example's own training, but that it goes on beyond its steps until a file is there: no machine is too slow for the case.
GATED = """
import itertools, os
import torch, torch.distributed as dist
import train

def steps(begin, end):
    for step in itertools.count(begin):
        go_on = torch.tensor([float(step < end or not os.path.exists(os.environ["MUSTER_CONTROL_DIR"] + "/gate"))])
        dist.all_reduce(go_on, op=dist.ReduceOp.MAX)
        if not go_on.item():
            return
        yield step

train.range = steps
print("told to resume from", os.environ.get("MUSTER_RESUME_FROM"), flush=True)
print("rank with pid", os.getpid(), flush=True)
train.main()
"""


# PyTorch of PyPI, over 5 GB. Much of torchrun is another there than in Debian's.
NEWEST = ("--set", "environment.python={requirements: newest.txt}")


def submit_script(muster, script, text, *more):
    """The job of the example by another script."""
    folder = muster.home.parent / f"{muster.home.name}-elastic"
    shutil.copytree(EXAMPLE, folder)
    shutil.copy(ROOT / "examples/strategies/fully-sharded/requirements.txt", folder / "newest.txt")
    (folder / script).write_text(text)
    return muster.submit(folder / "job.yaml", "--set", f"command=[python,{script},--steps,200,--pause,0.02]", *more)


def submit(muster, *more):
    """The job of the example, whose end is held up by a gate."""
    return submit_script(muster, "gated.py", GATED, *more)


def open_gate(muster, job):
    """By a file in the control folder, which reaches processes on every backend."""
    control = muster.home / "jobs" / job / "control"
    control.mkdir(exist_ok=True)
    (control / "gate").touch()


def pids(muster, job):
    """The first process of each that runs, as this machine knows it: also of containers and pods, which run here."""
    first = first_marked(job)
    return {p["name"]: p["pid"] or first.get((p["name"], p["attempt"])) for p in muster.get(job)["processes"] if p["state"] == "Running"}


def same_processes(muster, job, before, *names):
    """Those are alive that were before."""
    now = pids(muster, job)
    for name in names:
        expect(now[name] == before[name] and alive(before[name]), f"{name} is the process it was")


def first_marked(job):
    """The oldest process of each attempt by what its environment says, by name and attempt. Not that of the lowest number: numbers begin anew."""
    first = {}
    for pid in marked(job):
        with contextlib.suppress(OSError):
            entries = Path(f"/proc/{pid}/environ").read_text(errors="replace").split("\0")
            env = dict(entry.split("=", 1) for entry in entries if "=" in entry)
            name = (f"{env['MUSTER_ROLE']}-{env['MUSTER_INDEX']}", int(env["MUSTER_ATTEMPT"]))
            first[name] = min(first.get(name, (1 << 63, 0)), (stat(pid)[1], pid))
    return {name: pid for name, (_, pid) in first.items()}


def worlds(muster, job, process="worker-0"):
    """The sizes of the group that a worker trained in, in their order."""
    sizes = re.findall(r"^(?:a\d+ \| )?step \d+ of (\d+)", muster.logs(job, "--process", process, "--attempt", "all"), re.M)
    return [size for i, size in enumerate(sizes) if i == 0 or sizes[i - 1] != size]


def trains(muster, job, world, seconds=180):
    return until(lambda: worlds(muster, job)[-1:] == [str(world)], seconds, f"it trains with {world}", every=0.5)


def trains_again(muster, job, process, attempt, world=3, rank="", seconds=180):
    """An attempt of a process trains with the others."""
    step = re.compile(rf"^step \d+ of {world}{rank}", re.M)
    until(lambda: step.search(muster("logs", job, "--process", process, "--attempt", attempt, code=None)), seconds,
          f"attempt {attempt} of {process} trains with the others{rank}", every=0.5)


def told(muster, job):
    """What the ranks of the last round were told to resume from; they are told one thing."""
    names = (p["name"] for p in muster.get(job)["processes"] if p["name"].startswith("worker-"))
    last = {name: re.findall(r"told to resume from (\S+)", muster.logs(job, "--process", name, "--attempt", "all"))[-1] for name in names}
    expect(len(set(last.values())) == 1, f"they were told {last}")
    return last["worker-0"]


def good_end(muster, job, seconds=180):
    open_gate(muster, job)
    last = muster.wait(job, "Succeeded", seconds)
    accuracy = float(re.search(r"^accuracy ([\d.]+)", muster.logs(job, "--process", "worker-0"), re.M)[1])
    expect(accuracy >= 0.70, f"accuracy is {accuracy}")
    expect(last["model"], "a model is registered")
    return last, accuracy


def elastic_killed_worker(muster, *more):
    """A45, B32: the launchers of the others stay the same processes; the lost one comes back."""
    job = submit(muster, *more)
    trains(muster, job, 3)
    until(lambda: any(c["whole"] for c in muster.json("checkpoints", job)["items"]), 120, "a whole checkpoint is known", every=0.5)
    before = pids(muster, job)
    os.kill(before["worker-1"], signal.SIGKILL)
    until(lambda: muster.get(job)["restarts"] == 1, 30, "the loss is seen")
    until(lambda: pids(muster, job).get("worker-1") not in (None, before["worker-1"]), 60, "worker-1 is back")
    trains_again(muster, job, "worker-1", 2)
    same_processes(muster, job, before, "worker-0", "worker-2", "rendezvous-0")
    told_last = told(muster, job)
    # An event names it where the service keeps it, ranks are told where they find it.
    expect(told_last != "None", "there was a checkpoint")
    name = re.escape(Path(told_last).name)
    expect(any(re.search(rf"resumes from \S*/{name}(?!\w)", why) for _, why in reasons(muster, job)), f"an event tells of {told_last}")
    last, accuracy = good_end(muster, job)
    attempts = {p["name"]: p["attempt"] for p in last["processes"]}
    expect(attempts == {"worker-0": 1, "worker-1": 2, "worker-2": 1, "rendezvous-0": 1}, f"attempts are {attempts}")
    expect(last["restarts"] == 1 and last["attempt"] == 1, f"restarts {last['restarts']}, attempt {last['attempt']}")
    expect(worlds(muster, job)[-1] == "3", f"sizes were {worlds(muster, job)}")
    return f"sizes {worlds(muster, job)}, accuracy {accuracy}"


def ranks(muster, job, process):
    """The processes that trained below a launcher, in their order."""
    return [int(pid) for pid in re.findall(r"^(?:a\d+ \| )?rank with pid (\d+)", muster.logs(job, "--process", process, "--attempt", "all"), re.M)]


def reasons(muster, job):
    """What the events tell, of which process."""
    return [(event["process"], event["reason"]) for event in muster.json("events", job)["items"] if event["reason"]]


def elastic_first_worker_killed(muster, *more):
    """A45: rank 0, whose store the others found each other by, is lost and comes back as rank 0; the others are the processes they were."""
    job = submit(muster, *more)
    trains(muster, job, 3)
    before = pids(muster, job)
    os.kill(before["worker-0"], signal.SIGKILL)
    trains_again(muster, job, "worker-0", 2)
    same_processes(muster, job, before, "worker-1", "worker-2", "rendezvous-0")
    told(muster, job)
    last, accuracy = good_end(muster, job)
    expect(last["restarts"] == 1 and last["attempt"] == 1, f"restarts {last['restarts']}, attempt {last['attempt']}")
    return f"sizes {worlds(muster, job)}, accuracy {accuracy}"


def elastic_killed_rank(muster, *more):
    """A45: a rank that is killed below its launcher is an event and no restart of Muster's; what was said of it is no reason of a later end."""
    job = submit(muster, *more)
    trains(muster, job, 3)
    before, first = pids(muster, job), ranks(muster, job, "worker-1")
    os.kill(first[-1], signal.SIGKILL)
    lost = until(lambda: next((why for who, why in reasons(muster, job) if who == "worker-1" and "was killed by signal 9" in why), None), 30,
                 "an event tells of it")
    expect(f"(pid {first[-1]})" in lost and "starts the ranks anew" in lost, lost)
    until(lambda: len(ranks(muster, job, "worker-1")) > len(first), 60, "its rank is started anew")
    until(lambda: re.search(r"^step \d+ of 3", muster.logs(job, "--process", "worker-1").rpartition("rank with pid")[2], re.M), 180,
          "it trains with the others", every=0.5)
    expect(pids(muster, job) == before, f"processes are {pids(muster, job)}, were {before}")
    expect(muster.get(job)["restarts"] == 0, "torchrun's restarts are none of Muster's")
    os.kill(before["worker-1"], signal.SIGKILL)
    until(lambda: muster.get(job)["restarts"] == 1, 30, "the loss of the launcher is seen")
    stale = [why for _, why in reasons(muster, job) if "exitcode" in why]
    expect(not stale, f"a line of before is a reason: {stale}")
    last, accuracy = good_end(muster, job)
    expect(last["restarts"] == 1 and last["attempt"] == 1, f"restarts {last['restarts']}, attempt {last['attempt']}")
    return lost


# The ranks meet, then the script of one is wrong.
WRONG = """
import torch, torch.distributed as dist

dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1))
if dist.get_rank() == 2:
    raise ValueError("no such column: price")
dist.all_reduce(torch.ones(1))
"""


def elastic_error_of_a_script(muster, *more):
    """A45: who is named is the worker whose script is wrong, and not those who fail for want of it."""
    before = set(glob.glob("/tmp/torchelastic_*"))
    job = submit_script(muster, "wrong.py", WRONG, *more)
    document = muster.wait(job, "Failed", 180)
    expect(re.fullmatch(r"UserError: worker-2 ended with exit code 1: (\[rank2\]: )?ValueError: no such column: price", document["reason"]), document["reason"])
    log = muster.logs(job)
    expect("RendezvousClosedError" not in log, log[-2000:])
    expect(set(glob.glob("/tmp/torchelastic_*")) == before, "torchrun leaves nothing in /tmp")
    return document["reason"]


# Rank 0 ends well, the others never do.
APART = """
import time, torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank():
    time.sleep(3600)
"""


def elastic_ends_apart(muster):
    """A45: a worker whose ranks have ended well while those of others go on says so; it waits five minutes for them."""
    job = submit_script(muster, "apart.py", APART)
    said = until(lambda: next((why for who, why in reasons(muster, job) if who == "worker-0" and "it waits for them" in why), None), 120,
                 "an event tells who waits", every=0.5)
    expect("its ranks (0) ended" in said, said)
    expect(muster.state(job) == "Running", "it goes on")
    muster("cancel", job, "--wait")
    return said


def elastic_launcher_as_promised(muster):
    """A45: what is changed in torchrun, piece by piece."""
    done = subprocess.run(["/usr/bin/python3", ROOT / "testbed/real/torchrun_test.py"], capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr[-2000:])
    return done.stderr.strip().splitlines()[-1]


def elastic_scaled(muster, *more):
    """A45, B33: 2 to 3 and back to 2 in mid-training; those who stay are the same processes; what is out of bounds is refused."""
    job = submit(muster, "--set", "workers=2", *more)
    trains(muster, job, 2)
    before = pids(muster, job)
    for wrong in (1, 5):
        muster("scale", job, f"worker={wrong}", code=6)
    muster("scale", job, "worker=3")
    trains(muster, job, 3)
    muster("scale", job, "worker=2")
    trains(muster, job, 2)
    until(lambda: len(muster.get(job)["processes"]) == 3, 60, "worker-2 is gone")
    expect(pids(muster, job) == before, f"processes are {pids(muster, job)}, were {before}")
    last, accuracy = good_end(muster, job)
    expect(last["restarts"] == 0 and last["attempt"] == 1, f"restarts {last['restarts']}, attempt {last['attempt']}")
    return f"sizes {worlds(muster, job)}, accuracy {accuracy}"


# Of torchrun's launchers that of worker-2 dies the second time it has met the others, before it tells them what they wait for.
DIES_IN_BETWEEN = """
import os, signal, sys

if any(word.endswith("/torchrun.py") for word in sys.orig_argv) and os.environ.get("MUSTER_INDEX") == "2" and os.environ.get("MUSTER_ATTEMPT") == "1":
    from torch.distributed.elastic.agent.server.api import SimpleElasticAgent as Agent

    assign, rounds = Agent._assign_worker_ranks, []

    def dies(self, *words, **named):
        rounds.append(words)
        if len(rounds) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return assign(self, *words, **named)

    Agent._assign_worker_ranks = dies
"""


def elastic_killed_while_meeting(muster, *more):
    """A45, B32: one that dies between two words of a meeting is not waited for: the others meet anew, and all train on."""
    hook = muster.home.parent / f"{muster.home.name}-hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(DIES_IN_BETWEEN)
    job = submit(muster, "--set", f"env.PYTHONPATH={hook}", *more)
    trains(muster, job, 3)
    before = pids(muster, job)
    os.kill(before["worker-1"], signal.SIGKILL)
    until(lambda: muster.get(job)["restarts"] == 2, 120, "both losses are seen")
    trains_again(muster, job, "worker-2", 2)
    expect(pids(muster, job)["worker-0"] == before["worker-0"], "worker-0 is the process it was")
    last, accuracy = good_end(muster, job)
    expect(last["restarts"] == 2 and last["attempt"] == 1, f"restarts {last['restarts']}, attempt {last['attempt']}")
    return f"sizes {worlds(muster, job)}, accuracy {accuracy}"


def elastic_below_minimum(muster):
    """B32: fewer than elastic.min wait, and fail at startDeadline."""
    job = submit(muster, "--set", "workers=2", "--set", "startDeadline=40s", "--set", "restart={max: 1, backoff: {first: 0s}}",
                    "--set", "name=below")
    trains(muster, job, 2)
    first = pids(muster, job)["worker-1"]
    os.kill(first, signal.SIGKILL)
    second = until(lambda: next((p["pid"] for p in muster.get(job)["processes"]
                                 if p["name"] == "worker-1" and p["pid"] not in (None, first)), None), 20, "worker-1 is started anew", 0.05)
    os.kill(second, signal.SIGSTOP)  # it is there and does not join
    waiting = until(lambda: (d := muster.get(job))["state"] == "Starting" and d["reason"] and "elastic.min" in d["reason"] and d,
                    30, "it waits below its minimum", 0.1)
    document = until(lambda: (d := muster.get(job))["state"] == "Failed" and d, 120, "it fails")
    expect(document["cause"] == "StartTimeout" and "worker-1" in document["reason"], document["reason"])
    return f"{waiting['reason']} -> {document['reason']}"


def by_newest_pytorch(case):
    """The same by the newest PyTorch."""
    def newest(muster):
        return case(muster, *NEWEST)

    newest.__name__ = f"{case.__name__}_by_newest_pytorch"
    newest.__doc__ = case.__doc__
    return newest


BY_NEWEST = [by_newest_pytorch(case) for case in (elastic_killed_worker, elastic_scaled, elastic_first_worker_killed, elastic_killed_rank, elastic_error_of_a_script, elastic_killed_while_meeting)]

CASES = [elastic_launcher_as_promised, elastic_killed_worker, elastic_killed_rank, elastic_error_of_a_script, elastic_ends_apart, elastic_scaled]
# Wait for a time-out, are lost while the others meet, or install 5 GB.
LONG_CASES = [elastic_first_worker_killed, *BY_NEWEST, elastic_killed_while_meeting, elastic_below_minimum]
