"""Data parallel and parameter servers by the real frameworks, proved from numbers that the ranks print."""

import os
import re
import shutil
import signal

from harness import ROOT, alive, expect, until
from matrix_cases import REQUIREMENTS, SYSTEM, horovod_environment
from strategy_cases import difference

SMALL = ROOT / "testbed/real/small"
DATA_PARALLEL = """
name: data-parallel
framework: {framework}
workers: {workers}
command: [python3, data_parallel.py]
code: .
env: {{WAY: {way}, OMP_NUM_THREADS: "1"}}
model: {{name: data-parallel}}
"""
PARAMETER_SERVER = """
name: parameter-server
framework: tensorflow
roles: {{chief: {{count: 1}}, worker: {{count: 2}}, ps: {{count: 1}}}}
command: [python3, parameter_server.py]
code: .
env: {{MODE: {mode}, GATE: "{gate}", TF_CPP_MIN_LOG_LEVEL: "2", OMP_NUM_THREADS: "1"}}
"""


def folder_of(muster, name, script, text):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir()
    shutil.copy(SMALL / script, folder)
    (folder / "job.yaml").write_text(text)
    return folder


def data_parallel(muster, framework, way, *options):
    """Digests of each rank after each step, and the file of the weights: for three ranks with 16 rows each, and for one with 48."""
    told = []
    for workers in (3, 1):
        text = DATA_PARALLEL.format(framework=framework, way=way, workers=workers) + SYSTEM
        job = muster.submit(folder_of(muster, f"by-{workers}", "data_parallel.py", text) / "job.yaml", *options)
        done = muster.wait(job, "Succeeded", 120)
        digests = re.findall(rf"^worker-(\d+) \| step (\d+) of {workers} weights (\w+)", muster.logs(job), re.M)
        target = muster.home / f"weights-{workers}"
        muster("model", "get", f"data-parallel@{done['model']['version']}", target)
        told.append((digests, next(target.rglob("weights.pt"))))
    (together, split), (_, whole) = told
    expect(len(together) == 3 * 20 and {rank for rank, _, _ in together} == {"0", "1", "2"}, f"{len(together)} digests of {together[:3]}")
    by_step = {}
    for _, step, digest in together:
        by_step.setdefault(step, set()).add(digest)
    apart = {step: digests for step, digests in by_step.items() if len(digests) > 1}
    expect(not apart, f"replicas differ after steps {sorted(apart, key=int)}")
    expect(len(set.union(*by_step.values())) == 20, "every step changes them")
    off = difference(split, whole)
    expect(off < 1e-6, f"the weights of one process are {off} away")
    return f"3 ranks bit-equal after each of 20 steps; one rank with all rows differs by at most {off:.2g}"


def n_ranks_equal_one_pytorch(muster):
    """A37: DDP over Gloo."""
    return data_parallel(muster, "pytorch", "ddp")


def n_ranks_equal_one_horovod(muster):
    """A37: Horovod over Gloo."""
    return data_parallel(muster, "horovod", "horovod", *horovod_environment())


def parameter_server(muster, mode):
    gate = muster.home.parent / f"{muster.home.name}.gate"
    folder = folder_of(muster, mode, "parameter_server.py", PARAMETER_SERVER.format(mode=mode, gate=gate) + REQUIREMENTS)
    shutil.copy(ROOT / "examples/tensorflow-parameter-server/requirements.txt", folder)
    return muster.submit(folder / "job.yaml"), gate


def steps_by_worker(log):
    return [int(count) for count in re.search(r"steps by worker: \[(\d+), (\d+)\]", log).groups()]


def parameter_server_synchronous(muster):
    """A39: the mean of the workers' gradients is the step of one process with all rows."""
    job, _ = parameter_server(muster, "sync")
    muster.wait(job, "Succeeded", 240)
    log = muster.logs(job, "--process", "chief-0")
    apart, learnt = map(float, re.search(r"one process: (\S+), learnt: (\S+)", log).groups())
    counts = steps_by_worker(log)
    expect(sum(counts) == 60 and min(counts) > 0, f"steps by worker: {counts}")
    expect(apart < 1e-5 and learnt > 0.5, f"differs by {apart}, learnt {learnt}")
    return f"differs from one process by at most {apart:.2g}, gradients by worker {counts}"


def parameter_server_asynchronous(muster):
    """A39: it converges, and goes on while one of its workers stands still."""
    job, gate = parameter_server(muster, "async")
    at = lambda: muster.get(job)["progress"]["step"] or 0
    until(lambda: at() > 50, 240, "it trains", every=0.5)
    slow = next(p["pid"] for p in muster.get(job)["processes"] if p["name"] == "worker-1")
    os.kill(slow, signal.SIGSTOP)
    before = at()
    try:
        until(lambda: at() > before + 100, 60, "the other worker goes on", every=0.5)
    finally:
        os.kill(slow, signal.SIGCONT)
    after = at()
    gate.touch()
    last = muster.wait(job, "Succeeded", 120)
    expect(last["restarts"] == 0, f"restarts is {last['restarts']}")
    log = muster.logs(job, "--process", "chief-0")
    off, learnt = map(float, re.search(r"from the best: (\S+), learnt: (\S+)", log).groups())
    counts = steps_by_worker(log)
    expect(off < 1e-3 and learnt > 0.5, f"the best is {off} away, learnt {learnt}")
    expect(min(counts) > 0, f"steps by worker: {counts}")
    return f"{after - before} steps while worker-1 stood still; the best is {off:.2g} away; steps by worker {counts}"


def parameter_server_restored(muster):
    """A40, B25: ps-0 is killed; the new one holds the very weights of the newest checkpoint, and training goes on from there."""
    job = muster.submit(ROOT / "examples/tensorflow-parameter-server/job.yaml", "--set", "checkpoints.every=2s",
                        "--set", "checkpoints.keep=all", "--set", 'command=[python, train.py, --epochs, "1"]')
    until(lambda: any(c["whole"] for c in muster.json("checkpoints", job)["items"]), 300, "a whole checkpoint", every=0.5)
    before = {p["name"]: p["pid"] for p in muster.get(job)["processes"]}
    os.kill(before["ps-0"], signal.SIGKILL)
    until(lambda: re.search("resumed from", muster("logs", job, "--process", "chief-0", "--attempt", "2", code=None)), 120, "it is restored", every=0.5)
    for name in ("worker-0", "worker-1"):
        expect(alive(before[name]), f"{name} is the process it was")
    last = muster.wait(job, "Succeeded", 300)
    attempts = {p["name"]: p["attempt"] for p in last["processes"]}
    expect(attempts == {"chief-0": 2, "worker-0": 1, "worker-1": 1, "ps-0": 2, "evaluator-0": 1}, f"attempts are {attempts}")
    first, second = (muster.logs(job, "--process", "chief-0", "--attempt", str(number)) for number in (1, 2))
    saved = dict(re.findall(r"saved ckpt-(\d+): weights (-?\d+)", first))
    number, following, weights = re.search(r"resumed from \S*ckpt-(\d+): the next step is (\d+), weights (-?\d+)", second).groups()
    expect(int(number) == max(map(int, saved)) and int(following) == int(number) + 1, f"resumed from {number}, saved were {sorted(saved)}")
    expect(saved[number] == weights, f"the parameter server holds {weights}, saved were {saved[number]}")
    accuracy = last["progress"]["metrics"]["test_accuracy"]
    expect(accuracy > 0.7, f"accuracy {accuracy}")
    return f"restored at step {number} with the weights that were saved, accuracy {accuracy:.3f}"


CASES = [n_ranks_equal_one_pytorch, n_ranks_equal_one_horovod, parameter_server_synchronous, parameter_server_asynchronous, parameter_server_restored]
