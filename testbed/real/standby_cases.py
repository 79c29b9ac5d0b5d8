"""Processes held ready, the framework imported, take the places of lost ones."""

import os
import re
import signal
import time
from pathlib import Path

from harness import ROOT, alive, expect, marked, until

JOB = """
name: ready
framework: {framework}
workers: {workers}
command: {command}
code: .
environment: {{python: {{interpreter: /usr/bin/python3, systemPackages: true}}}}
env: {{OMP_NUM_THREADS: "1", GATE: "{gate}"}}
restart: {{max: 9, backoff: {{first: 0s}}}}
standby: 1
grace: 5s
"""

# Tells whether the framework was imported before the script ran, and goes on until the gate is there.
TRAIN = """
import os, sys
warm = "torch" in sys.modules
import torch, torch.distributed as dist
assert __name__ == "__main__" and sys.modules["__main__"].__dict__ is globals() and "PATH" in os.environ
assert os.environ["MUSTER_CODE_DIR"] == os.getcwd() == sys.path[0], (os.getcwd(), sys.path[0])
assert sys.argv[1:] == ["--epochs", "a b"], sys.argv
import beside
dist.init_process_group("gloo")
print("attempt", os.environ["MUSTER_ATTEMPT"], "rank", dist.get_rank(), "of", dist.get_world_size(), "warm" if warm else "cold", flush=True)
go = torch.zeros(1)
while not go.item():
    go = torch.tensor([float(os.path.exists(os.environ["GATE"]))])
    dist.all_reduce(go, op=dist.ReduceOp.MIN)
print("done", flush=True)
dist.barrier()
dist.destroy_process_group()
"""


def submit(muster, framework="pytorch", script=TRAIN, command='[python, train.py, --epochs, "a b"]', workers=2, *more):
    folder = muster.home.parent / f"{muster.home.name}-ready"
    folder.mkdir()
    gate = folder.parent / f"{folder.name}.gate"
    (folder / "train.py").write_text(script)
    (folder / "beside.py").write_text("")
    (folder / "job.yaml").write_text(JOB.format(framework=framework, workers=workers, command=command, gate=gate))
    return muster.submit(folder / "job.yaml", *more), gate


def processes(muster, job):
    return {p["name"]: p for p in muster.get(job)["processes"]}


def ready(muster, job, count, seconds=120):
    """Waits until so many processes of the job are held ready; gives their pids."""
    def there():
        held = [p for name, p in processes(muster, job).items() if name.startswith("standby-") and p["state"] == "Running"]
        waiting = [p["pid"] for p in held if "is imported" in muster(
            "logs", job, "--process", p["name"], "--attempt", p["attempt"], code=None)]
        return len(waiting) == count and sorted(waiting)
    return until(there, seconds, f"{count} are held ready", every=0.3)


def told(muster, job, attempt):
    """What the ranks of an attempt said of themselves."""
    def lines():
        said = re.findall(r"attempt (\d+) rank (\d+) of \d+ (\w+)", muster.logs(job, "--attempt", "all"))
        said = {int(rank): how for number, rank, how in said if int(number) == attempt}
        return len(said) == 2 and said
    return until(lines, 120, f"both ranks of attempt {attempt} train", every=0.2)


def standby_takes_a_lost_ones_place(muster):
    """Every rank of a restarted group runs in a process that was held ready, with its own variables, folder and log; then others are ready."""
    job, gate = submit(muster)
    expect(told(muster, job, 1) == {0: "cold", 1: "cold"}, "the first ones are started in the usual way")
    held = ready(muster, job, 2)
    os.kill(processes(muster, job)["worker-1"]["pid"], signal.SIGKILL)
    expect(told(muster, job, 2) == {0: "warm", 1: "warm"}, f"said {told(muster, job, 2)}")
    now = processes(muster, job)
    expect(sorted(now[name]["pid"] for name in ("worker-0", "worker-1")) == held, f"{held} are the workers: {now}")
    expect(all(now[name]["attempt"] == 2 for name in ("worker-0", "worker-1")), f"attempts: {now}")
    again = ready(muster, job, 2)
    expect(not set(again) & set(held), "others are held ready")
    gate.touch()
    last = muster.wait(job, "Succeeded", 60)
    expect(last["restarts"] == 1, f"restarts {last['restarts']}")
    expect(not any(map(alive, held + again)), "nobody is left")
    log = muster.logs(job, "--process", "worker-1", "--attempt", "2")
    expect("done" in log and "is imported" not in log, f"its log is its own: {log}")
    return f"{held} took the places, then {again} were ready"


def standby_killed_or_stopped(muster):
    """One that is killed is followed by another and counts nothing; one that is stopped by a signal is passed over."""
    job, gate = submit(muster)
    told(muster, job, 1)
    held = ready(muster, job, 2)
    os.kill(held[0], signal.SIGKILL)
    following = until(lambda: (now := ready(muster, job, 2)) and held[0] not in now and now, 60, "another is ready")
    expect(muster.state(job) == "Running" and muster.get(job)["restarts"] == 0, "nothing is counted")
    os.kill(following[0], signal.SIGSTOP)
    os.kill(processes(muster, job)["worker-0"]["pid"], signal.SIGKILL)
    said = told(muster, job, 2)
    expect(sorted(said.values()) == ["cold", "warm"], f"said {said}")
    os.kill(following[0], signal.SIGCONT)
    gate.touch()
    muster.wait(job, "Succeeded", 60)
    return f"after SIGKILL {following} were ready; with one stopped {said}"


def standby_survives_the_service(muster):
    """kill -9 of the service: those held ready stay, the next service hands out places to them, and their exit codes arrive."""
    job, gate = submit(muster)
    told(muster, job, 1)
    held = ready(muster, job, 2)
    muster.kill_service()
    os.kill(next(p["pid"] for name, p in processes(muster, job).items() if name == "worker-1"), signal.SIGKILL)
    expect(told(muster, job, 2) == {0: "warm", 1: "warm"}, f"said {told(muster, job, 2)}")
    muster.kill_service()
    now = processes(muster, job)
    expect(sorted(now[name]["pid"] for name in ("worker-0", "worker-1")) == held, f"{held} are the workers: {now}")
    os.kill(now["worker-0"]["pid"], signal.SIGKILL)
    until(lambda: processes(muster, job)["worker-0"]["attempt"] == 3, 30, "the loss of a worker that was held ready is seen")
    expect("exit code 137" in muster("events", job), "its exit code arrived")
    told(muster, job, 3)
    gate.touch()
    muster.wait(job, "Succeeded", 60)
    return "taken by a new service, exit code told to another"


def standby_fails_and_cancels(muster):
    """The script's own error and exit code are a worker's as ever; suspended and cancelled, nobody stays."""
    job, gate = submit(muster)
    told(muster, job, 1)
    held = ready(muster, job, 2)
    muster("suspend", job)
    muster.wait(job, "Suspended", 30)
    expect(not any(map(alive, held)), "nobody is held while it is suspended")
    muster("resume", job)
    told(muster, job, 2)
    held = ready(muster, job, 2)
    muster("cancel", job, "--wait")
    muster.wait(job, "Cancelled", 30)
    expect(not any(map(alive, held)), "nobody is left")
    failing = TRAIN.replace('print("done"', 'raise ValueError("of the script") if warm else print("done"')
    (muster.home.parent / f"{muster.home.name}-ready/train.py").write_text(failing)
    gate.unlink(missing_ok=True)
    job = muster.submit(muster.home.parent / f"{muster.home.name}-ready/job.yaml", "--set", "name=fails")
    told(muster, job, 1)
    ready(muster, job, 2)
    os.kill(processes(muster, job)["worker-1"]["pid"], signal.SIGKILL)
    told(muster, job, 2)
    gate.touch()
    end = muster.wait(job, "Failed", 60)
    log = muster.logs(job, "--process", "worker-0", "--attempt", "2")
    expect(end["cause"] == "UserError" and "ValueError: of the script" in end["reason"], end["reason"])
    expect("standby.py" not in log and "train.py" in log, f"the traceback is the script's: {log}")
    return end["reason"]


def held(muster, job, count=2, seconds=300):
    """The same where processes have no pid of this machine: their attempts."""
    def there():
        now = [p for name, p in processes(muster, job).items() if name.startswith("standby-") and p["state"] == "Running"]
        waiting = [f"{p['name']} a{p['attempt']}" for p in now
                   if "is imported" in muster("logs", job, "--process", p["name"], "--attempt", p["attempt"], code=None)]
        return len(waiting) == count and sorted(waiting)
    return until(there, seconds, f"{count} are held ready", every=0.5)


def program(job, role, index):
    """The process on this machine that a container of the job runs for a member."""
    wanted = {f"MUSTER_ROLE={role}".encode(), f"MUSTER_INDEX={index}".encode()}
    def is_it(pid):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return b"python" in words[0] and wanted <= set(Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"))
    return min(pid for pid in marked(job) if is_it(pid))


def recovered(muster, standby, *more):
    """The example for DDP, one rank of it killed: seconds until rank 0 has done its next step, and what became of the job."""
    job = muster.submit(ROOT / "examples/pytorch-ddp/job.yaml", *more, "--set", f"standby={standby}", "--set", "checkpoints.every=3s",
                        "--set", "restart.backoff.first=0s", "--set", f"name=standby-{standby}")
    until(lambda: any(c["whole"] for c in muster.json("checkpoints", job)["items"]), 400, "a whole checkpoint")
    if standby:
        held(muster, job)
    log = muster.home / "jobs" / job / "logs/worker-0/a2.log"
    os.kill(program(job, "worker", 1), signal.SIGKILL)
    killed = time.monotonic()
    until(lambda: log.exists() and re.search(r"^step \d+", log.read_text(errors="replace"), re.M), 200, "the next step is done", every=0.01)
    took = time.monotonic() - killed
    last = muster.wait(job, "Succeeded", 600)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    said = muster.logs(job, "--attempt", "2")
    expect("resumed from" in said and "is imported" not in muster.logs(job, "--attempt", "2", "--process", "worker-1"), "the log is the rank's own")
    expect(last["progress"]["metrics"]["test_accuracy"] > 0.7 and last["model"], f"{last['progress']} {last['model']}")
    states = [event["to"] for event in muster.json("events", job)["items"] if event["kind"] == "job"]
    wanted = ["Queued", "Admitted", "Starting", "Running", "Restarting", "Admitted", "Starting", "Running"]
    expect(states[:8] == wanted and states[-2:] == ["Publishing", "Succeeded"], f"states {states}")
    if standby:
        over = processes(muster, job)
        expect(over["standby-0"]["attempt"] >= 2 or over["standby-1"]["attempt"] >= 2, f"others were held ready: {over}")
    until(lambda: not marked(job), 60, "nobody is left")
    return took


def sooner_than_a_usual_restart(muster, *more):
    """In containers: a rank that is killed goes on in one that was held ready, sooner than in a new one; model, states and logs are as ever."""
    usual = recovered(muster, 0, *more)
    ready = recovered(muster, 1, *more)
    expect(ready < usual, f"{ready:.2f} s with one held ready, {usual:.2f} s without")
    return f"kill -9 to next step: {ready:.2f} s with processes held ready, {usual:.2f} s without ({ready / usual:.2f} x)"


def unused_ones(muster, *more):
    """In containers: one that is killed harms nobody and is followed by another; after the service's death they are taken; cancelled, nobody stays."""
    job, _ = submit(muster, "pytorch", TRAIN, '[python, train.py, --epochs, "a b"]', 2, *more)
    told(muster, job, 1)
    held(muster, job)
    os.kill(program(job, "standby", 0), signal.SIGKILL)
    until(lambda: processes(muster, job)["standby-0"]["attempt"] == 2, 120, "another comes", every=0.5)
    following = held(muster, job)
    expect(muster.state(job) == "Running" and muster.get(job)["restarts"] == 0, "nothing is counted")
    muster.kill_service()
    os.kill(program(job, "worker", 0), signal.SIGKILL)
    expect(told(muster, job, 2) == {0: "warm", 1: "warm"}, f"said {told(muster, job, 2)}")
    muster.kill_service()
    again = held(muster, job)
    expect(muster.get(job)["restarts"] == 1, "one restart is counted")
    muster("cancel", job, "--wait")
    muster.wait(job, "Cancelled", 60)
    until(lambda: not marked(job), 60, "nobody is left")
    return f"{following} were taken by another service, then {again} were held"


CASES = [standby_takes_a_lost_ones_place, standby_killed_or_stopped, standby_survives_the_service, standby_fails_and_cancels]
