"""Killed workers, a killed chief, a killed service: the real TensorFlow example and small plain jobs."""

import os
import re
import signal
import time

from harness import ROOT, Opened, alive, expect, stat, steps, until

JOB = ROOT / "examples/fashion-mnist/job.yaml"
PLAIN = """
name: {name}
framework: plain
workers: {workers}
command: [python3, work.py]
code: .
restart: {{max: {restarts}, backoff: {{first: 0s}}}}
grace: 2s
"""


def plain(muster, name, script, workers=1, restarts=0):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir()
    (folder / "work.py").write_text(script)
    (folder / "job.yaml").write_text(PLAIN.format(name=name, workers=workers, restarts=restarts))
    return muster.submit(folder / "job.yaml")


def kill_in_mid_epoch(muster, victim):
    job = muster.submit(JOB, "--set", "checkpoints.every=3s", "--set", "checkpoints.keep=all")
    until(lambda: next((c for c in muster.json("checkpoints", job)["items"] if c["whole"]), None), 300,
          "a whole checkpoint")
    document = muster.get(job)
    expect(document["state"] == "Running", f"state is {document['state']}")
    pid = {p["name"]: p["pid"] for p in document["processes"]}[victim]
    opened = Opened(muster.home / "jobs" / job / "checkpoints")
    before = max(steps(muster.logs(job), victim))
    newest = max(c["step"] for c in muster.json("checkpoints", job)["items"] if c["whole"])
    opened.names()
    os.kill(pid, signal.SIGKILL)
    last = muster.wait(job, "Succeeded", 300)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    log = muster.logs(job, "--attempt", "2", "--process", victim)
    resumed = re.search(r"resumed from \S*ckpt-(\d+): the next step is (\d+)", log)
    expect(resumed, "the restarted process says what it resumed from")
    checkpoint, following = int(resumed[1]), int(resumed[2])
    expect(checkpoint >= newest, f"resumed from {checkpoint}, but {newest} was whole")
    expect(following == checkpoint + 1, f"first step {following} after checkpoint {checkpoint}")
    first_line = re.search(r"^step (\d+)", log, re.M)
    expect(int(first_line[1]) == following, f"first step told is {first_line[1]}")
    names = opened.names()
    expect(any(n.startswith(f"ckpt-{checkpoint}.data") for n in names), f"its data file was opened; opened: {names}")
    expect(last["model"], "a model is registered")
    return f"killed {victim} at about step {before}, resumed from {checkpoint}, first step {following}"


def kill_worker_in_mid_epoch(muster):
    """A44."""
    return kill_in_mid_epoch(muster, "worker-1")


def kill_chief_in_mid_epoch(muster):
    return kill_in_mid_epoch(muster, "worker-0")


def kill_service_in_mid_training(muster):
    """A12, A18: the workers do not notice; the next service adopts them."""
    job = muster.submit(JOB)
    document = muster.wait(job, "Running", 300)
    until(lambda: steps(muster.logs(job), "worker-0"), 120, "the first step")
    before = {p["pid"]: stat(p["pid"]) [1] for p in document["processes"]}
    muster.kill_service()
    time.sleep(2)
    for pid, start in before.items():
        expect(alive(pid) and stat(pid)[1] == start, f"worker {pid} goes on while the service is dead")
    after = muster.get(job)
    expect({p["pid"] for p in after["processes"]} == set(before), "the same processes are shown")
    for pid, start in before.items():
        expect(stat(pid)[1] == start, f"worker {pid} has its start time")
    last = muster.wait(job, "Succeeded", 300)
    expect(last["restarts"] == 0 and last["attempt"] == 1, f"restarts {last['restarts']}, attempt {last['attempt']}")


def weights(log):
    """Digests of the final weights that the ranks' PROOF lines tell."""
    return set(re.findall(r'PROOF .*"weights": ?"([0-9a-f]{64})"', log))


def restored_run_equals_an_uninterrupted_one(muster):
    """A43: PyTorch with a worker killed in mid-epoch ends with the very weights of a run that nobody disturbed."""
    job = ROOT / "examples/pytorch-ddp/job.yaml"
    undisturbed = muster.submit(job, "--set", "name=undisturbed")
    muster.wait(undisturbed, "Succeeded", 400)
    disturbed = muster.submit(job, "--set", "name=disturbed", "--set", "checkpoints.every=2s")
    until(lambda: any(c["whole"] for c in muster.json("checkpoints", disturbed)["items"]), 200, "a whole checkpoint")
    os.kill(muster.get(disturbed)["processes"][1]["pid"], signal.SIGKILL)
    last = muster.wait(disturbed, "Succeeded", 400)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    digests = [weights(muster.logs(j, "--attempt", "all")) for j in (undisturbed, disturbed)]
    expect(len(digests[0]) == 1 and digests[0] == digests[1], f"weights differ: {digests}")
    return f"weights {digests[0].pop()[:12]} both times"


ENDING = """
import os, signal, sys, time
print("ready", flush=True)
while not os.path.exists({gate!r}):
    time.sleep(0.02)
{end}
"""


def ends_while_the_service_is_dead(muster):
    """A14, B78: 0, 3, 139 and SIGKILL are judged rightly by the next service."""
    gate = muster.home.parent / f"{muster.home.name}-gate"
    ends = {"zero": "sys.exit(0)", "three": "sys.exit(3)", "segv": "os._exit(139)",
            "kill": "os.kill(os.getpid(), signal.SIGKILL)"}
    jobs = {name: plain(muster, name, ENDING.format(gate=str(gate), end=end)) for name, end in ends.items()}
    for job in jobs.values():
        until(lambda: "ready" in muster.logs(job), 30, "the worker is ready")
    muster.kill_service()
    gate.touch()
    time.sleep(2)
    want = {"zero": ("Succeeded", None, 0), "three": ("Failed", "UserError", 3),
            "segv": ("Failed", "UserError", 139), "kill": ("Failed", "Killed", 137)}
    for name, (state, cause, code) in want.items():
        document = until(lambda: (d := muster.get(jobs[name]))["state"] in ("Succeeded", "Failed") and d, 30, f"{name} ends")
        seen = document["state"], document["cause"], document["processes"][0]["exitCode"]
        expect(seen == (state, cause, code), f"{name}: {seen}, expected {(state, cause, code)}")
        expect(document["restarts"] == 0, f"{name} was started again")


COUNTING = """
import time
for n in range(1, 2001):
    print("line", n, flush=True)
    time.sleep(0.002)
"""


def every_line_once(muster):
    """Lines 1..N are all there once, though the service is killed twice while they are written."""
    job = plain(muster, "counting", COUNTING)
    muster.wait(job, "Running", 30)
    for _ in range(2):
        muster.kill_service()
        time.sleep(0.5)
        muster.get(job)
        time.sleep(0.3)
    muster.wait(job, "Succeeded", 60)
    lines = muster.logs(job, "--process", "worker-0").splitlines()
    expect(lines == [f"line {n}" for n in range(1, 2001)], f"{len(lines)} lines, first {lines[:2]}, last {lines[-2:]}")


def killed_again_and_again(muster):
    """B26: the limit holds over restarts of the service."""
    job = plain(muster, "limit", "import os, signal, time; time.sleep(1); os.kill(os.getpid(), signal.SIGKILL)", restarts=2)
    until(lambda: muster.get(job)["restarts"] >= 1, 30, "the first restart")
    muster.kill_service()
    document = until(lambda: (d := muster.get(job))["state"] == "Failed" and d, 60, "it fails")
    expect(document["restarts"] == 2 and document["processes"][0]["attempt"] == 3, f"{document['restarts']} restarts")
    expect("limit" in document["reason"], document["reason"])
    expect(document["cause"] == "Killed", document["cause"])


ROUNDS = """
name: rounds
framework: plain
command: [/usr/bin/python3, -m, torch.distributed.run, --standalone, --nproc_per_node, "2", --max_restarts, "1", --monitor_interval, "0.2", work.py]
code: .
env: {PET_REDIRECTS: "2", PET_TEE: "2"}
"""
TWO_ERRORS = """
import os, time
if os.environ["LOCAL_RANK"] == "1":
    raise KeyError("first") if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0" else ValueError("second")
time.sleep(60)
"""


def reason_of_the_last_round(muster):
    """A torchrun with rounds of its own: what its ranks failed of at last is the reason."""
    folder = muster.home.parent / f"{muster.home.name}-rounds"
    folder.mkdir()
    (folder / "work.py").write_text(TWO_ERRORS)
    (folder / "job.yaml").write_text(ROUNDS)
    job = muster.submit(folder / "job.yaml")
    document = until(lambda: (d := muster.get(job))["state"] == "Failed" and d, 90, "it fails", every=0.5)
    expect("KeyError: 'first'" in muster.logs(job), "it had two rounds")
    expect(document["reason"].endswith("ValueError: second"), document["reason"])
    return document["reason"]


CASES = [ends_while_the_service_is_dead, reason_of_the_last_round, every_line_once, killed_again_and_again, kill_service_in_mid_training,
         restored_run_equals_an_uninterrupted_one, kill_worker_in_mid_epoch]
# The build sees a killed worker of the same training.
LONG_CASES = [kill_chief_in_mid_epoch]
