"""A small network for Fashion-MNIST whose group of processes may change while it trains (PyTorch 1.13 and later, torchrun).

When a worker goes or comes, torchrun starts this script anew on all that are there, with another WORLD_SIZE: so it goes on from the newest
checkpoint by itself, and cuts the rows for as many as there are now.
"""

import argparse
import json
import os
import time
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

import fashion_mnist

CHECKPOINTS = Path(os.environ.get("MUSTER_CHECKPOINT_DIR", "checkpoints"))


def main():
    options = parse_arguments()
    dist.init_process_group("gloo")
    torch.manual_seed(1)
    train, _, test = fashion_mnist.load()
    images, labels = torch.tensor(train.images), torch.tensor(train.labels)
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    begin = resume(model, optimizer)
    parallel = DistributedDataParallel(model)
    rank, world = dist.get_rank(), dist.get_world_size()
    for step in range(begin, options.steps + 1):
        rows = torch.randint(len(labels), (options.batch,), generator=torch.Generator().manual_seed(step))
        mine = rows[rank::world]  # the same rows in all, however many share them
        optimizer.zero_grad()
        loss = cross_entropy(parallel(images[mine].float() / 255), labels[mine])
        loss.backward()
        optimizer.step()
        print(f"step {step} of {world} worker {os.environ['MUSTER_INDEX']} at {time.time():.3f} loss {loss:.3f}", flush=True)
        if rank == 0:
            print("::muster::" + json.dumps({"step": step, "total": options.steps, "metrics": {"loss": loss.item()}}), flush=True)
            if step % options.save_every == 0:
                save(model, optimizer, step)
        time.sleep(options.pause)
    if rank == 0:
        with torch.no_grad():
            right = (model(torch.tensor(test.images).float() / 255).argmax(1) == torch.tensor(test.labels)).sum().item()
        print(f"accuracy {right / len(test.labels):.3f}")
        torch.save(model.state_dict(), Path(os.environ.get("MUSTER_MODEL_DIR", ".")) / "model.pt")
    dist.barrier()
    dist.destroy_process_group()


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=256, help="rows of a step, all processes together")
    parser.add_argument("--save-every", type=int, default=10, help="steps")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds after each step")
    return parser.parse_args()


def save(model, optimizer, step):
    """Written beside its place and renamed: there is never half a checkpoint under its name."""
    partial = CHECKPOINTS / "saving.tmp"
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, partial)
    partial.rename(CHECKPOINTS / f"ckpt-{step}.pt")


def resume(model, optimizer):
    """
    The next step. Not by MUSTER_RESUME_FROM: that is of the time when a torchrun was started, and others may have saved since.

    One process reads the newest checkpoint that any of them has, for all: rank 0 may save once more meanwhile, and where no disk is shared a
    checkpoint reaches the others some seconds after it was saved.
    """
    CHECKPOINTS.mkdir(parents=True, exist_ok=True)
    found = {int(path.stem.split("-")[1]): path for path in CHECKPOINTS.glob("ckpt-*.pt")}
    newest = [None] * dist.get_world_size()
    dist.all_gather_object(newest, max(found, default=0))
    step = max(newest)
    if step == 0:
        return 1
    reader = newest.index(step)
    saved = [torch.load(found[step]) if dist.get_rank() == reader else None]
    dist.broadcast_object_list(saved, reader)
    model.load_state_dict(saved[0]["model"])
    optimizer.load_state_dict(saved[0]["optimizer"])
    print(f"resumed from step {step}", flush=True)
    return step + 1


if __name__ == "__main__":
    main()
