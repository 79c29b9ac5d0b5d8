"""The mathematics of examples/strategies: each trains twice through ./muster, split up and in one piece, and the weights are compared."""

import json
import re
import shutil
import subprocess

from harness import ROOT, expect

STRATEGIES = ROOT / "examples/strategies"
LARGEST = """
import sys, torch
one, other = (torch.load(path) for path in sys.argv[1:])
values = lambda weights: list(weights.values()) if isinstance(weights, dict) else weights
pairs = list(zip(values(one), values(other)))
assert len(values(one)) == len(values(other)) and all(a.shape == b.shape for a, b in pairs)
print(max((a - b).abs().max().item() for a, b in pairs))
"""


def trained(muster, strategy, *sets, timeout=300):
    """The job's document, its log, and the file of its weights."""
    options = [word for text in sets for word in ("--set", text)]
    done = json.loads(muster("run", STRATEGIES / strategy / "job.yaml", *options, "-o", "json", timeout=timeout).splitlines()[-1])
    log = muster.logs(done["id"])
    expect(done["state"] == "Succeeded", f"{done['state']}: {done['reason']}\n{log[-2000:]}")
    folder = muster.home / f"weights-{done['id']}"
    muster("model", "get", f"{done['model']['name']}@{done['model']['version']}", folder)
    return done, log, next(folder.rglob("weights.pt"), None)


def difference(one, other):
    told = subprocess.run(["/usr/bin/python3", "-c", LARGEST, one, other], capture_output=True, text=True)
    expect(told.returncode == 0, told.stderr[-1000:])
    return float(told.stdout)


def gradient_accumulation(muster):
    """A41: 2 ranks x 4 micro-steps of 16 rows = one process with a batch of 128."""
    _, _, split = trained(muster, "gradient-accumulation")
    _, _, whole = trained(muster, "gradient-accumulation", "workers=1", "command=[python3, train.py, --accumulate, '1', --batch, '128']")
    apart = difference(split, whole)
    expect(apart < 1e-6, f"weights differ by {apart}")
    return f"weights differ by at most {apart:.2g}"


def model_parallel(muster):
    """Two halves of a network in two processes = the network in one; neither process holds all of it."""
    _, log, split = trained(muster, "model-parallel")
    held = dict(re.findall(r"worker-(\d) \| parameters held: (\d+)", log))
    _, log, whole = trained(muster, "model-parallel", "workers=1")
    total = int(re.search(r"parameters held: (\d+)", log)[1])
    expect(len(held) == 2 and sum(map(int, held.values())) == total, f"{held} of {total}")
    apart = difference(split, whole)
    expect(apart < 1e-6, f"weights differ by {apart}")
    return f"{held['0']} and {held['1']} of {total} parameters, weights differ by at most {apart:.2g}"


def pipeline(muster):
    """A41: p stages and m micro-batches = the unpipelined result; the bubble is that of the formula, and smaller with more micro-batches."""
    _, _, whole = trained(muster, "pipeline", "workers=1", "command=[python3, train.py, --micro-batches, '1', --turn, '0']")
    said, bubbles = [], []
    for stages, micro_batches in ((2, 1), (4, 4), (2, 8)):
        done, _, split = trained(muster, "pipeline", f"workers={stages}",
                                 f"command=[python3, train.py, --micro-batches, '{micro_batches}', --turn, '0.1']")
        apart = difference(split, whole)
        expect(apart < 1e-6, f"weights differ by {apart}")
        bubble, formula = (done["progress"]["metrics"][name] for name in ("bubble", "bubble_by_formula"))
        expect(abs(formula - (stages - 1) / (micro_batches + stages - 1)) < 1e-9, f"formula {formula}")
        expect(abs(bubble - formula) < 0.1, f"bubble {bubble:.3f}, by the formula {formula:.3f}")
        bubbles.append(bubble)
        said.append(f"p={stages} m={micro_batches}: bubble {bubble:.3f} (formula {formula:.3f}), weights differ by at most {apart:.2g}")
    expect(bubbles[-1] < bubbles[0] - 0.2, f"more micro-batches make it smaller: {bubbles}")
    return "; ".join(said)


def memory_swapping(muster):
    """A41: under a limit that the plain run exceeds (OutOfMemory), swapping succeeds with the plain run's bits."""
    _, _, plain = trained(muster, "memory-swapping", "command=[python3, train.py]", "resources.memory=2GiB")
    job = ("run", STRATEGIES / "memory-swapping/job.yaml", "--set", "command=[python3, train.py]", "-o", "json")
    killed = json.loads(muster(*job, code=1).splitlines()[-1])
    expect(killed["cause"] == "OutOfMemory", f"plain under the limit: {killed['state']} {killed['reason']}")
    _, log, swapped = trained(muster, "memory-swapping")
    apart = difference(plain, swapped)
    expect(apart == 0, f"weights differ by {apart}")
    return "plain is OutOfMemory at 320 MiB, swapping is not, same bits"


def sharded_parameter_server(muster):
    """A table cut over two servers trains as it does in one process."""
    done = json.loads(muster("run", STRATEGIES / "sharded-parameter-server/job.yaml", "-o", "json", timeout=900).splitlines()[-1])
    log = muster.logs(done["id"])
    expect(done["state"] == "Succeeded", f"{done['reason']}\n{log[-2000:]}")
    rows = dict(re.findall(r"'(ps-\d)': (\d+)", re.search(r"rows by server: (.*)", log)[1]))
    expect(len(rows) == 2 and set(rows.values()) == {"2000"}, f"rows: {rows}")
    return f"{rows}, {equal_to_one_process(log)}"


def equal_to_one_process(log):
    apart, learnt = map(float, re.search(r"one process: (\S+), learnt: (\S+)", log).groups())
    expect(apart < 1e-4 and learnt > 0.3, f"differs by {apart}, learnt {learnt}")
    return f"differs from one process by at most {apart:.2g}"


def large_parameter_server(muster):
    """A table of 732 MiB under a limit of 896 MiB a server: one is OutOfMemory, two hold half of it each and train."""
    job = [STRATEGIES / "sharded-parameter-server/job.yaml", "--set", "roles.ps.resources.memory=896MiB",
           "--set", 'command=[python, train.py, --rows, "6000000", --steps, "10"]', "-o", "json"]
    killed = json.loads(muster("run", *job, "--set", "roles.ps.count=1", code=1, timeout=900).splitlines()[-1])
    expect(killed["cause"] == "OutOfMemory" and "ps-0" in killed["reason"], f"one server: {killed['state']} {killed['reason']}")
    done = json.loads(muster("run", *job, timeout=900).splitlines()[-1])
    log = muster.logs(done["id"])
    expect(done["state"] == "Succeeded", f"two servers: {done['reason']}\n{log[-2000:]}")
    rows = re.findall(r"'ps-\d': (\d+)", re.search(r"rows by server: (.*)", log)[1])
    expect(rows == ["3000000", "3000000"], f"rows: {rows}")
    return f"one server is OutOfMemory, two are not, {equal_to_one_process(log)}"


def sharded_optimizer(muster):
    """ZeRO, stage 1: the steps of one process, and each rank keeps its share of the optimizer's numbers."""
    return sharded(muster, "sharded-optimizer", r"numbers of the optimizer held: (\d+)")


def fully_sharded(muster):
    """FSDP: the steps of one process, and each rank keeps its share of weights and optimizer. PyTorch of PyPI, over 5 GB."""
    return sharded(muster, "fully-sharded", r"weights held: (\d+)", timeout=1800)


def sharded(muster, strategy, held, timeout=300):
    _, log, split = trained(muster, strategy, timeout=timeout)
    shares = [int(count) for _, count in sorted(re.findall(rf"worker-(\d) \| .*?{held}", log))]
    _, log, whole = trained(muster, strategy, "workers=1", timeout=timeout)
    total = int(re.search(held, log)[1])
    expect(len(shares) == 2 and sum(shares) == total and max(shares) < 0.6 * total, f"{shares} of {total}")
    apart = difference(split, whole)
    expect(apart < 1e-4, f"weights differ by {apart}")
    return f"{shares[0]} and {shares[1]} of {total}, weights differ by at most {apart:.2g}"


def rules_of_parallelism(muster):
    """What docs/parallelism.md says of PyTorch and no example shows: all-reduces, batch normalisation, ZeRO's broadcast, the price of swapping."""
    folder = muster.home.parent / f"{muster.home.name}-rules"
    folder.mkdir()
    shutil.copy(ROOT / "testbed/real/small/rules.py", folder)
    (folder / "job.yaml").write_text('name: rules\nframework: pytorch\nworkers: 2\ncommand: [/usr/bin/python3, rules.py]\ncode: .\nenv: {OMP_NUM_THREADS: "1"}\n')
    job = muster.submit(folder / "job.yaml")
    muster.wait(job, "Succeeded", 120)
    told = json.loads(re.search(r"RULES (.*)", muster.logs(job))[1])
    expect((told["reduces"], told["reduces_no_sync"]) == (4, 1), f"all-reduces: {told}")
    expect(told["batch_norm"] > 0.1, f"batch normalisation: {told}")
    expect(told["broadcast"] == told["numbers"], f"ZeRO broadcasts each number once a step: {told}")
    plain, swapped, again = (told["seconds"][name] for name in ("plain", "swapped", "again"))
    expect(again[0] > plain[0], f"computing again costs processor time: {told}")
    return (f"all-reduces of 4 micro-steps {told['reduces']}, with no_sync {told['reduces_no_sync']}; a micro-batch of 16 normalises up to {told['batch_norm']:.2f} apart; "
            f"ZeRO broadcasts {told['broadcast']} of {told['numbers']} numbers; a step {plain[1]:.2f} s, swapped {swapped[1]:.2f} s, computed again {again[1]:.2f} s")


CASES = [gradient_accumulation, model_parallel, pipeline, memory_swapping, sharded_parameter_server, large_parameter_server,
         sharded_optimizer, rules_of_parallelism]
# PyTorch of PyPI has to be installed.
LONG_CASES = [fully_sharded]
