"""A CNN for Fashion-MNIST with Horovod and PyTorch. Ordinary Horovod: `horovodrun -np 2 python train_torch.py` trains too."""

import argparse
import hashlib
import json
import os
import time
from pathlib import Path

import horovod.torch as hvd
import torch
from torch import nn
from torch.nn.functional import cross_entropy

import fashion_mnist

SAVE_EVERY = float(os.environ.get("MUSTER_CHECKPOINT_EVERY_SECONDS", 60))
REPORT_EVERY = 10  # steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32, help="rows a rank takes in a step")
    options = parser.parse_args()
    hvd.init()
    torch.manual_seed(1)
    train, _, test = map(as_tensors, fashion_mnist.load())
    rows, share = len(train.labels), options.batch * hvd.size()
    steps_an_epoch = -(-rows // share)
    model = network()
    untrained = digest(model)
    optimizer = torch.optim.Adam(model.parameters(), 0.001)
    step = resume(model, optimizer)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    step = int(hvd.broadcast(torch.tensor(step), root_rank=0))
    parallel = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

    total, saved_at, used = options.epochs * steps_an_epoch, time.monotonic(), {}
    while step < total:
        epoch, place = divmod(step, steps_an_epoch)
        order = torch.randperm(rows, generator=torch.Generator().manual_seed(epoch))  # the same on all ranks
        mine = order[place * share:(place + 1) * share][hvd.rank()::hvd.size()]
        parallel.zero_grad()
        loss = cross_entropy(model(train.images[mine]), train.labels[mine])
        loss.backward()
        parallel.step()
        step += 1
        used.setdefault(epoch, []).extend(mine.tolist())
        if step % REPORT_EVERY == 0:
            report(step=step, total=total, epoch=epoch + 1, metrics={"loss": round(loss.item(), 4)})
        if hvd.rank() == 0 and time.monotonic() - saved_at >= SAVE_EVERY:
            save(model, optimizer, step)
            saved_at = time.monotonic()

    epochs = [{"count": len(ids), "sum": id_sum(ids), "of": rows} for ids in used.values()]
    print("PROOF " + json.dumps({"rank": hvd.rank(), "world": hvd.size(), "steps": step, "weights": digest(model),
                                 "untrained": untrained, "epochs": epochs}), flush=True)
    if hvd.rank() == 0:
        report(step=step, total=total, metrics={"test_accuracy": accuracy(model, test)})
        torch.jit.script(model).save(str(folder("MUSTER_MODEL_DIR", "model") / "model.pt"))
    hvd.shutdown()


def network():
    return nn.Sequential(
        nn.Unflatten(1, (1, 28)), nn.Conv2d(1, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64 * 5 * 5, 128), nn.ReLU(), nn.Linear(128, 10))


def as_tensors(rows):
    return fashion_mnist.Rows(torch.tensor(rows.images).float() / 255, torch.tensor(rows.labels))


def accuracy(model, rows):
    with torch.no_grad():
        return (model(rows.images).argmax(1) == rows.labels).float().mean().item()


def folder(variable, otherwise):
    path = Path(os.environ.get(variable, otherwise))
    path.mkdir(parents=True, exist_ok=True)
    return path


def save(model, optimizer, step):
    """Written beside its place and renamed: there is never half a checkpoint under its name."""
    target = folder("MUSTER_CHECKPOINT_DIR", "checkpoints") / f"ckpt-{step}.pt"
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, target.with_suffix(".tmp"))
    target.with_suffix(".tmp").rename(target)
    report(checkpoint=target.name, step=step)


def resume(model, optimizer):
    path = os.environ.get("MUSTER_RESUME_FROM")
    if not path:
        return 0
    saved = torch.load(path)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    print(f"resumed from {path}: the next step is {saved['step'] + 1}", flush=True)
    return saved["step"]


def report(**words):
    if hvd.rank() == 0:
        print("::muster::" + json.dumps(words), flush=True)


def digest(model):
    return hashlib.sha256(b"".join(value.numpy().tobytes() for value in model.state_dict().values())).hexdigest()


def id_sum(ids):
    """What testbed/real/check_distributed.py needs to see that each row was used once by one rank."""
    return "%064x" % (sum(int.from_bytes(hashlib.sha256(b"%d" % i).digest(), "big") for i in ids) % 2**256)


if __name__ == "__main__":
    main()
