"""PyTorch DDP over Gloo that does not go on: who is named, what is kept, and that it goes on from its checkpoint. On backend local; docker_cases runs the
same in containers."""

import os
import re
import shutil
import signal
import time

from harness import ROOT, expect, until

TRAIN = '''
import json, os, time
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import muster

FAULT, FAULT_AT = os.environ.get("FAULT"), 20
if FAULT == "sleep":  # and no process answers a signal with its stacks
    def report(**fields):
        print("::muster::" + json.dumps(fields), flush=True)
    muster.report = report
STEPS = 600 if FAULT == "slow" else 60

def spin():
    while True:
        pass

def lonely_collective(group):
    dist.all_reduce(torch.ones(1), group=group)

me = muster.environment()
torch.manual_seed(0)
torch.set_num_threads(1)
dist.init_process_group("gloo")
everyone = dist.new_group()
model = DistributedDataParallel(torch.nn.Linear(64, 64))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
step = 0
if me.resume_from:
    saved = torch.load(me.resume_from)
    model.load_state_dict(saved["model"])
    step = saved["step"]
    print(f"resumed from step {step}", flush=True)
while step < STEPS:
    optimizer.zero_grad()
    model(torch.randn(8, 64)).pow(2).mean().backward()
    optimizer.step()
    step += 1
    print(f"step {step}", flush=True)
    muster.report(step=step, total=STEPS)
    if step % 5 == 0 and me.rank == 0:
        name = f"step-{step}.pt"
        torch.save({"model": model.state_dict(), "step": step}, me.checkpoint_dir / "tmp.pt")
        os.rename(me.checkpoint_dir / "tmp.pt", me.checkpoint_dir / name)
        muster.report(checkpoint=name, step=step)
    time.sleep(0.1)
    if FAULT == "slow" and me.rank == 1:
        busy_until = time.monotonic() + 0.6
        while time.monotonic() < busy_until:
            pass
    if me.attempt == 1 and me.rank == 1 and step == FAULT_AT:
        if FAULT == "spin":
            spin()
        if FAULT == "collective":
            lonely_collective(everyone)
        if FAULT == "sleep":
            time.sleep(3600)
dist.destroy_process_group()
'''

JOB = """
name: {name}
framework: pytorch
workers: 3
command: [/usr/bin/python3, train.py]
code: .
env: {{OMP_NUM_THREADS: "1", FAULT: {fault}}}
restart: {{max: 1, backoff: {{first: 0s}}}}
stallTimeout: 8s
grace: 1s
"""


def submit(muster, fault, *options):
    folder = muster.home.parent / f"{muster.home.name}-{fault}"
    folder.mkdir()
    (folder / "train.py").write_text(TRAIN)
    shutil.copytree(ROOT / "clients/python/muster", folder / "muster", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "job.yaml").write_text(JOB.format(name=fault, fault=fault))
    return muster.submit(folder / "job.yaml", *options)


def stalled(muster, job, why):
    """The job was stalled once for a reason like this, and goes on from its newest checkpoint to the end."""
    event = until(lambda: next((e for e in muster.json("events", job)["items"] if e["cause"] == "Stalled"), None), 120,
                  "an event with cause Stalled", every=0.5)
    expect(re.fullmatch(f"Stalled: no progress for stallTimeout \\(8s\\); {why}", event["reason"]),
           event["reason"] + "\n" + muster("evidence", job))
    last = muster.wait(job, "Succeeded", 180)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    newest = max(int(n) for n in re.findall(r"^worker-0 \| step (\d+)", muster.logs(job, "--attempt", "1"), re.M))
    resumed = re.findall(r"resumed from step (\d+)", muster.logs(job, "--attempt", "2"))
    expect(len(resumed) == 3 and len(set(resumed)) == 1, f"all ranks resume from one step: {resumed}")
    expect(newest - int(resumed[0]) < 5, f"resumed from {resumed[0]}, at most one checkpoint of 5 steps before {newest}")
    return event["reason"], resumed[0]


def evidence(muster, job, process):
    folder = muster.home / "jobs" / job / "logs" / process / "a1.evidence"
    expect((folder / "summary.txt").is_file(), f"{folder} has a summary")
    files = {file.name: file.read_text() for file in folder.iterdir()}
    return files["summary.txt"], files


def stall_of_a_stopped_rank(muster, *options):
    """A46, A49: SIGSTOP from outside."""
    job = submit(muster, "none", *options)
    until(lambda: (muster.get(job)["progress"]["step"] or 0) >= 12, 120, "step 12")
    victim = next(p for p in muster.get(job)["processes"] if p["name"] == "worker-2")
    os.kill(trainer(victim["pid"]), signal.SIGSTOP)
    reason, resumed = stalled(muster, job, r"worker-2 is stopped by a signal \(state T\)")
    for process in ("worker-0", "worker-1", "worker-2"):
        summary, _ = evidence(muster, job, process)
        expect(("state T" in summary) == (process == "worker-2"), f"{process}: {summary}")
    return f"{reason}; resumed from {resumed}"


def trainer(pid):
    """The training itself: in a container what is told is the pid of its first process."""
    while not os.path.basename(os.readlink(f"/proc/{pid}/exe")).startswith("python"):
        pid = int(open(f"/proc/{pid}/task/{pid}/children").read().split()[0])
    return pid


def stall_of_a_rank_in_a_collective_of_its_own(muster, *options):
    """A25: rank 1 waits in a collective that the others do not enter, and they in one that it does not enter."""
    job = submit(muster, "collective", *options)
    reason, resumed = stalled(muster, job, r"worker-1 waits in .*lonely_collective \(train.py:\d+\), the others wait in .*")
    summary, files = evidence(muster, job, "worker-1")
    expect("lonely_collective" in summary and any(name.endswith("-stacks.txt") for name in files), f"stacks: {files.keys()}")
    expect("connection" in summary, f"its connections: {summary}")
    return f"{reason}; resumed from {resumed}"


def stall_of_a_rank_in_a_dead_loop(muster, *options):
    """A49: the only one that wants a core; on a machine so busy that all wait for one, the only one that is elsewhere in the code."""
    job = submit(muster, "spin", *options)
    reason, resumed = stalled(
        muster, job, r"worker-1 (uses \d\.\d cores while the others wait for it; it is|waits) in spin \(train.py:\d+\)(, the others wait in .*)?")
    summary, _ = evidence(muster, job, "worker-0")
    expect("state S" in summary, f"worker-0 waits: {summary}")
    return f"{reason}; resumed from {resumed}"


def stall_of_a_rank_that_sleeps(muster, *options, beside=True):
    """A49: nothing tells where in its code a rank is, and all are idle and connected: the kernel tells who waits for no peer. `beside`: the service may
    look by the py-spy of this machine; into a container it brings none."""
    job = submit(muster, "sleep", *options)
    spied = beside and shutil.which("py-spy")
    reason, resumed = stalled(muster, job, r"worker-1 waits in <module> .*, the others wait in .*" if spied
                              else r"worker-1 sleeps by itself \(in \w*nanosleep\w*\), while the others wait for a lock or a socket .*")
    summary, _ = evidence(muster, job, "worker-1")
    expect(spied or "py-spy is missing" in summary, f"what was not seen is told, with how to see it: {summary}")
    expect(beside or "image" in summary, f"it is told where py-spy belongs: {summary}")
    return f"{reason}; resumed from {resumed}"


def no_stall_of_a_slow_step(muster):
    """A rank that is stopped for less than the time-out costs no restart."""
    job = submit(muster, "none")
    until(lambda: (muster.get(job)["progress"]["step"] or 0) >= 12, 120, "step 12")
    pid = muster.get(job)["processes"][1]["pid"]
    os.kill(pid, signal.SIGSTOP)
    time.sleep(3)
    os.kill(pid, signal.SIGCONT)
    last = muster.wait(job, "Succeeded", 180)
    expect(last["restarts"] == 0, f"restarts is {last['restarts']}")


def a_straggler_is_named_in_get(muster):
    """A49: rank 1 computes more in each step than the others, who wait for it."""
    job = submit(muster, "slow")
    straggler = until(lambda: muster.get(job)["straggler"], 90, "a straggler", every=1)
    expect(straggler["process"] == "worker-1", straggler)
    document = muster.get(job)
    steps = [p["step"] for p in document["processes"]]
    expect(all(steps) and max(steps) - min(steps) <= 10, f"steps of processes: {steps}")
    expect(all(p["stepSeconds"] > 0.3 for p in document["processes"]), f"{document['processes']}")
    muster("cancel", job, "--wait")
    return straggler["reason"]


CASES = [a_straggler_is_named_in_get, stall_of_a_stopped_rank, stall_of_a_rank_in_a_collective_of_its_own, stall_of_a_rank_in_a_dead_loop,
         stall_of_a_rank_that_sleeps, no_stall_of_a_slow_step]
