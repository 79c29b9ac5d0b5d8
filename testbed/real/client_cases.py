"""The Python client inside real trainings: bad records are skipped and counted, ranks stay in step, too many fail the job."""

import json
import re
import shutil

from harness import ROOT, expect

TORCH = """
import sys, torch, torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Dataset, DistributedSampler
import muster
from muster.torch import DataLoader, sum_over_group

class Files(Dataset):
    # Row n is the text "n"; rank 0, which has the even rows, finds a whole batch and a few more of its rows torn.
    def __init__(self, torn): self.texts = ["torn" if n in torn else str(n) for n in range(400)]
    def __len__(self): return len(self.texts)
    def __getitem__(self, n): return torch.tensor([float(self.texts[n])])

dist.init_process_group("gloo")
rows = Files({0, 2, 4, 6, 8, 10, 12, 14, 50, 90})
tally = muster.Tally(at_most=int(sys.argv[1]), at_most_fraction=None, sum_over_group=sum_over_group)
loader = DataLoader(rows, batch_size=8, sampler=DistributedSampler(rows, shuffle=False), num_workers=1, tally=tally, check_every=5)
model = DistributedDataParallel(nn.Linear(1, 1))
optimizer = torch.optim.SGD(model.parameters(), 1e-7)
steps = 0
for epoch in range(2):
    for batch in loader:
        optimizer.zero_grad()
        ((model(batch) - 2 * batch) ** 2).mean().backward()
        optimizer.step()
        steps += 1
        muster.report(step=steps, metrics={"loss": float("nan")})
# In one piece: below torchrun both ranks write to one place.
sys.stdout.write(f"rank {dist.get_rank()} steps {steps} bad {tally.bad} weight {model.module.weight.item()}\\n")
dist.barrier()
dist.destroy_process_group()
"""

TENSORFLOW = """
import json, os
import tensorflow as tf
import muster
from muster.tensorflow import in_step, skip_bad

strategy = tf.distribute.MultiWorkerMirroredStrategy()
rank, world = muster.environment().rank, muster.environment().world_size
ROWS, BATCH = 200, 10
torn = {1, 3, 5, 101}  # all of them rank 1's
tally = muster.Tally(at_most_fraction=0.1)
texts = tf.data.Dataset.from_tensor_slices(["torn" if n in torn else str(n) for n in range(ROWS)]).shard(world, rank)
rows = skip_bad(texts, lambda text: tf.strings.to_number(text), tally)
batches = in_step(rows, BATCH, 2 * ROWS // (world * BATCH))
with strategy.scope():
    weight = tf.Variable(0.0)

@tf.function
def step(batch):
    def one(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((weight * batch - 2 * batch) ** 2)
        change = tf.distribute.get_replica_context().all_reduce("mean", tape.gradient(loss, weight))
        weight.assign_sub(1e-6 * change)
        return loss
    return strategy.run(one, args=(batch,))

steps = 0
for batch in strategy.distribute_datasets_from_function(lambda _: batches):
    step(batch)
    steps += 1
print("rank", rank, "steps", steps, "bad", tally.bad, "weight", float(weight.read_value()), flush=True)
"""


def job(muster, name, script, text):
    """A job folder: the script, and the package beside it as a user without a package index would put it."""
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir(exist_ok=True)
    shutil.copytree(ROOT / "clients/python/muster", folder / "muster", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "train.py").write_text(script)
    (folder / "job.yaml").write_text(f"name: {name}\nworkers: 2\ncode: .\ngrace: 5s\n" + text)
    return folder / "job.yaml"


def torch_job(muster, name, at_most):
    return job(muster, name, TORCH, f"""framework: pytorch
command: [python3, train.py, "{at_most}"]
environment: {{python: {{interpreter: /usr/bin/python3, systemPackages: true}}}}
env: {{OMP_NUM_THREADS: "1"}}
""")


def said_by_ranks(log):
    return sorted(re.findall(r"rank (\d) steps (\d+) bad (\d+) weight (\S+)", log))


def bad_records_pytorch(muster):
    """A35: rank 0's torn rows are replaced; both ranks take 50 steps, hold equal weights, and the job counts the rows once."""
    done = json.loads(muster("run", torch_job(muster, "torn", 10), "-o", "json").splitlines()[-1])
    expect(done["state"] == "Succeeded", f"{done['state']}: {done['reason']}")
    expect(done["badRecords"] == 10, f"badRecords is {done['badRecords']}, planted were 10")
    log = muster.logs(done["id"])
    ranks = said_by_ranks(log)
    expect([rank[:3] for rank in ranks] == [("0", "50", "10"), ("1", "50", "0")], f"ranks: {ranks}")
    expect(ranks[0][3] == ranks[1][3], f"replicas are equal: {ranks}")
    expect("record 50 is bad and skipped: ValueError" in log, "bad rows are named in the log")
    expect(done["progress"]["step"] == 50, f"progress {done['progress']}")
    return "10 of 400 rows skipped, 50 steps each, equal weights"


def bad_records_torchrun(muster):
    """A35: two ranks below one torchrun share a report file; rank 0 reports for both, so nothing is counted twice or lost."""
    done = json.loads(muster("run", torch_job(muster, "torn-torchrun", 10), "--set", "workers=1", "--set", "processesPerWorker=2",
                             "--set", "pytorch={launcher: torchrun}", "--set", "env.PET_REDIRECTS=2", "--set", "env.PET_TEE=2",
                             "-o", "json").splitlines()[-1])
    expect(done["state"] == "Succeeded" and done["badRecords"] == 10, f"{done['state']} {done['badRecords']}: {done['reason']}")
    ranks = said_by_ranks(muster.logs(done["id"]))
    expect([rank[:3] for rank in ranks] == [("0", "50", "10"), ("1", "50", "0")], f"ranks: {ranks}")


def bad_records_over_the_bound(muster):
    """A35: over the bound the job fails, and its reason says why. All ranks stop at the same step, so none is a victim."""
    done = json.loads(muster("run", torch_job(muster, "too-many", 9), "-o", "json", code=1).splitlines()[-1])
    expect(done["state"] == "Failed" and done["cause"] == "UserError", f"{done['state']}: {done['reason']}")
    expect("10 bad records of" in done["reason"] and "at most 9 are allowed" in done["reason"], f"reason: {done['reason']}")
    expect(done["badRecords"] == 10, f"badRecords is {done['badRecords']}")
    return done["reason"][:160]


def bad_records_tensorflow(muster):
    """A35: tf.data under MultiWorkerMirroredStrategy; then the package's own tests of tf.data in the same environment."""
    environment = "framework: {}\nenvironment: {{python: {{requirements: requirements.txt}}}}\nenv: {{TF_CPP_MIN_LOG_LEVEL: '2'}}\n"
    file = job(muster, "torn-tf", TENSORFLOW, environment.format("tensorflow") + "command: [python, train.py]\n")
    shutil.copy(ROOT / "examples/fashion-mnist/requirements.txt", file.parent)
    done = json.loads(muster("run", file, "-o", "json", timeout=900).splitlines()[-1])
    expect(done["state"] == "Succeeded", f"{done['state']}: {done['reason']}\n{muster.logs(done['id'])[-3000:]}")
    expect(done["badRecords"] == 4, f"badRecords is {done['badRecords']}, planted were 4")
    ranks = said_by_ranks(muster.logs(done["id"]))
    expect([rank[:3] for rank in ranks] == [("0", "20", "0"), ("1", "20", "4")], f"ranks: {ranks}")
    expect(ranks[0][3] == ranks[1][3], f"replicas are equal: {ranks}")

    tests = (ROOT / "clients/python/tests/tensorflow_test.py").read_text()
    file = job(muster, "tf-tests", tests, environment.format("plain") + "command: [python, train.py]\n")
    shutil.copy(ROOT / "examples/fashion-mnist/requirements.txt", file.parent)
    tested = json.loads(muster("run", file, "--set", "workers=1", "-o", "json", timeout=600).splitlines()[-1])
    log = muster.logs(tested["id"])
    expect(tested["state"] == "Succeeded" and re.search(r"Ran \d+ tests", log), f"{tested['reason']}\n{log[-3000:]}")
    return f"4 of 200 rows skipped, 20 steps each, equal weights; {re.search(r'Ran [0-9]+ tests', log)[0]}"


CASES = [bad_records_pytorch, bad_records_torchrun, bad_records_over_the_bound, bad_records_tensorflow]
