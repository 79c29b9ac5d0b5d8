"""Elastic TensorFlow: workers come to a parameter server and leave it in mid-training, and nobody else is touched."""

import json
import os
import re
import shutil
import signal

from elastic_cases import open_gate, pids
from harness import ROOT, alive, expect, until

# The example's own training, but that it goes on until a file is there: no machine is too slow for the case.
GATED = """
import os
import train

train.Worker.is_done = lambda worker, step: os.path.exists(os.environ["MUSTER_CONTROL_DIR"] + "/gate")
train.main()
"""


def submit(muster, *more):
    folder = muster.home.parent / f"{muster.home.name}-elastic"
    shutil.copytree(ROOT / "examples/tensorflow-elastic", folder)
    (folder / "gated.py").write_text(GATED)
    return muster.submit(folder / "job.yaml", "--set", "command=[python,gated.py,--pause,0.02]", "--set", "checkpoints.every=1s", *more)


def used_steps(muster, job):
    """How many steps of each worker are in the weights, as the parameter server counted when it saved last."""
    told = re.findall(r"steps by worker: (\{.*\})", muster("logs", job, "--process", "ps-0", code=None))
    return json.loads(told[-1].replace("'", '"')) if told else {}


def trains_on(muster, job, worker, seconds=240):
    had = used_steps(muster, job).get(worker, 0)
    until(lambda: used_steps(muster, job).get(worker, 0) > had + 10, seconds, f"steps of {worker} are used", every=0.5)


def elastic_tensorflow_ps(muster, *more):
    """A45, B33: a killed worker comes back alone, then 2 to 3 to 2; the others are the same processes, and each worker's steps are in the weights."""
    job = submit(muster, *more)
    for worker in ("worker-0", "worker-1"):
        trains_on(muster, job, worker)
    before = pids(muster, job)
    os.kill(before["worker-1"], signal.SIGKILL)
    trains_on(muster, job, "worker-0")
    until(lambda: pids(muster, job).get("worker-1") not in (None, before["worker-1"]), 240, "worker-1 is back")
    trains_on(muster, job, "worker-1")
    muster("scale", job, "worker=3")
    trains_on(muster, job, "worker-2")
    muster("scale", job, "worker=2")
    until(lambda: len(muster.get(job)["processes"]) == 3, 180, "worker-2 is gone")
    trains_on(muster, job, "worker-0")
    left = used_steps(muster, job)["worker-2"]
    trains_on(muster, job, "worker-1")
    counts = used_steps(muster, job)
    expect(counts["worker-2"] == left, f"worker-2 trains on: {left} steps, then {counts['worker-2']}")
    for name in ("worker-0", "ps-0"):
        expect(pids(muster, job)[name] == before[name] and alive(before[name]), f"{name} is the process it was")
    open_gate(muster, job)
    last = muster.wait(job, "Succeeded", 180)
    expect(last["restarts"] == 1 and last["attempt"] == 1, f"restarts {last['restarts']}, attempt {last['attempt']}")
    accuracy = float(re.search(r"^accuracy ([\d.]+)", muster.logs(job, "--process", "worker-0"), re.M)[1])
    expect(accuracy >= 0.70 and last["model"], f"accuracy is {accuracy}, model {last['model']}")
    return f"steps by worker {counts}, accuracy {accuracy}"


def elastic_tensorflow_server_lost(muster):
    """A40, A45: the parameter server is killed; the workers wait as the same processes and go on from its checkpoint."""
    job = submit(muster)
    trains_on(muster, job, "worker-1")
    before = pids(muster, job)
    os.kill(before["ps-0"], signal.SIGKILL)
    resumed = until(lambda: re.search(r"^resumed from \S*ckpt-(\d+): step \1$", muster("logs", job, "--process", "ps-0", "--attempt", "2", code=None), re.M),
                    120, "the parameter server is back with its checkpoint", every=0.5)
    for worker in ("worker-0", "worker-1"):
        trains_on(muster, job, worker)
        expect(pids(muster, job)[worker] == before[worker], f"{worker} is the process it was")
    open_gate(muster, job)
    last = muster.wait(job, "Succeeded", 180)
    expect(last["restarts"] == 1, f"restarts {last['restarts']}")
    return f"resumed from step {resumed[1]}, steps by worker {used_steps(muster, job)}"


CASES = [elastic_tensorflow_ps]
# The build sees a lost parameter server in parameter_server_restored.
LONG_CASES = [elastic_tensorflow_server_lost]
