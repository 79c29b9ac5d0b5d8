"""Elastic Horovod, on each backend that takes it: workers come and go, and are lost at the worst moments."""

import os
import re
import shutil
import signal
import subprocess

from elastic_cases import good_end, pids, same_processes, trains, trains_again, worlds
from harness import ROOT, expect, until


def made_environment():
    """Horovod in an environment of this machine."""
    environment = ROOT / ".muster-build/testbed/horovod-torch"
    made = subprocess.run([ROOT / "examples/horovod/make-environment", "torch", environment], capture_output=True, text=True)
    expect(made.returncode == 0, made.stderr[-2000:])
    return "--set", f"environment.python.interpreter={environment}/bin/python"


def submit_horovod(muster, on, *more, script="train_torch_elastic.py"):
    """Two workers of the example, whose end is held up by a gate; on backend local unless options say where."""
    return muster.submit(ROOT / "examples/horovod/job.yaml", "--set", "processesPerWorker=1", "--set", "elastic={min: 2, max: 3}", "--set", "grace=5s",
                         "--set", f"command=[python,{script},--steps,300,--pause,0.02,--gate,$MUSTER_CONTROL_DIR/gate]",
                         *more, *(on or made_environment()))


def horovod_code(muster, script, text):
    """The example's code with a script more."""
    folder = muster.home.parent / f"{muster.home.name}-horovod"
    shutil.copytree(ROOT / "examples/horovod", folder)
    (folder / script).write_text(text)
    return "--set", f"code={folder}"


def elastic_horovod(muster, *on):
    """A45, B33: Horovod's elastic driver beside the job; a killed worker comes back, then 2 to 3 to 2; the survivor is the same process."""
    job = submit_horovod(muster, on)
    trains(muster, job, 2)
    before = pids(muster, job)
    os.kill(before["worker-1"], signal.SIGKILL)
    trains_again(muster, job, "worker-1", 2, 2)
    muster("scale", job, "worker=3")
    trains(muster, job, 3)
    muster("scale", job, "worker=2")
    trains(muster, job, 2)
    same_processes(muster, job, before, "worker-0", "rendezvous-0")
    last, accuracy = good_end(muster, job)
    expect(last["restarts"] == 1 and last["attempt"] == 1, f"restarts {last['restarts']}, attempt {last['attempt']}")
    numbers = [int(n) for n in re.findall(r"^step (\d+) of", muster.logs(job, "--process", "worker-0"), re.M)]
    expect(max(a - b for a, b in zip(numbers, numbers[1:])) < 10, "at most the steps since the last commit are done again")
    return f"sizes {worlds(muster, job)}, accuracy {accuracy}"


# A worker that comes back is lost twice more, as soon as its script begins.
DIES_EARLY = """
import os, signal

if os.environ["MUSTER_ATTEMPT"] in ("2", "3"):
    os.kill(os.getpid(), signal.SIGKILL)

import train_torch_elastic

train_torch_elastic.main()
"""


def elastic_horovod_lost_before_it_came(muster, *on):
    """A45: a worker that is lost before its script comes to hvd.init() costs the other nothing, which trains on alone."""
    job = submit_horovod(muster, on, *horovod_code(muster, "early.py", DIES_EARLY), "--set", "elastic={min: 1, max: 3}",
                         "--set", "restart={max: 5, backoff: {first: 0s}}", script="early.py")
    trains(muster, job, 2)
    before = pids(muster, job)
    os.kill(before["worker-1"], signal.SIGKILL)
    trains_again(muster, job, "worker-1", 4, 2)
    same_processes(muster, job, before, "worker-0", "rendezvous-0")
    last, accuracy = good_end(muster, job)
    expect(last["restarts"] == 3, f"restarts {last['restarts']}")
    return f"sizes {worlds(muster, job)}, accuracy {accuracy}"


def elastic_horovod_first_worker_killed(muster, *on):
    """A45: the worker whose model is published comes back and is rank 0 again; then both are killed at once, and the group begins anew."""
    job = submit_horovod(muster, on, "--set", "restart={max: 5, backoff: {first: 0s}}")
    trains(muster, job, 2)
    trains_again(muster, job, "worker-0", 1, 2, " rank 0", 30)
    before = pids(muster, job)
    os.kill(before["worker-0"], signal.SIGKILL)
    trains_again(muster, job, "worker-0", 2, 2, " rank 0")
    same_processes(muster, job, before, "worker-1", "rendezvous-0")
    now = pids(muster, job)
    for name in ("worker-0", "worker-1"):
        os.kill(now[name], signal.SIGKILL)
    trains_again(muster, job, "worker-0", 3, 2, " rank 0")
    same_processes(muster, job, before, "rendezvous-0")
    last, accuracy = good_end(muster, job)
    expect(last["restarts"] <= 3, f"restarts {last['restarts']}")
    return f"restarts {last['restarts']}, accuracy {accuracy}"


# Where the model is published from, the process is lost after its last step, when the other has ended.
DIES_LATE = """
import os, signal, time
import torch
import train_torch_elastic

save = torch.save

def dies(what, where):
    if os.environ["MUSTER_INDEX"] == "0" and os.environ["MUSTER_ATTEMPT"] == "1" and str(where).startswith(os.environ["MUSTER_MODEL_DIR"]):
        time.sleep(5)
        os.kill(os.getpid(), signal.SIGKILL)
    save(what, where)

torch.save = dies
train_torch_elastic.main()
"""


def elastic_horovod_lost_with_the_model(muster, *on):
    """A45: the training is not over before the model is there: who was to bring it comes back, and need not wait for those who have ended."""
    job = submit_horovod(muster, on, *horovod_code(muster, "late.py", DIES_LATE), script="late.py")
    trains(muster, job, 2)
    last, accuracy = good_end(muster, job)
    attempts = {p["name"]: p["attempt"] for p in last["processes"]}
    expect(attempts == {"worker-0": 2, "worker-1": 1, "rendezvous-0": 1}, f"attempts are {attempts}")
    return f"accuracy {accuracy}"


CASES = []
# Compile Horovod where it is not yet.
LONG_CASES = [elastic_horovod, elastic_horovod_lost_before_it_came, elastic_horovod_first_worker_killed, elastic_horovod_lost_with_the_model]
