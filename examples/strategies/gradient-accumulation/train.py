"""Gradient accumulation under DistributedDataParallel: k micro-steps of b rows are one step of k * b rows.

The loss of a micro-step is divided by k, so that gradients add up to the mean over all rows; `no_sync` leaves the
all-reduce to the last micro-step. N ranks, k micro-steps, b rows: one process with a batch of N * k * b takes the same steps.
Ordinary PyTorch (1.13 and later); `python train.py` by itself runs as one process.
"""

import argparse
import contextlib
import json
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=16, help="rows of a micro-step on a rank")
    parser.add_argument("--accumulate", type=int, default=4, help="micro-steps in a step")
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    join_group()
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
    parallel = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    rows = options.batch * options.accumulate * world  # of a step, over all
    for step in range(1, options.steps + 1):
        inputs, targets = data(step, rows)
        mine = torch.arange(rank, rows, world).split(options.batch)
        optimizer.zero_grad()
        for place, ids in enumerate(mine):
            last = place == len(mine) - 1
            with contextlib.nullcontext() if last else parallel.no_sync():
                loss = nn.functional.mse_loss(parallel(inputs[ids]), targets[ids]) / len(mine)
                loss.backward()
        optimizer.step()
        if rank == 0:
            print("::muster::" + json.dumps({"step": step, "total": options.steps, "metrics": {"loss": loss.item() * len(mine)}}))
    if rank == 0:
        save(model)
    dist.barrier()
    dist.destroy_process_group()


def join_group():
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    else:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def data(step, rows):
    """Made anew for each step, equal on all ranks: rows of a function to learn."""
    inputs = torch.randn(rows, 32, generator=torch.Generator().manual_seed(step))
    return inputs, torch.sin(inputs.sum(1, keepdim=True))


def save(model):
    folder = Path(os.environ.get("MUSTER_MODEL_DIR", "model"))
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), folder / "weights.pt")


if __name__ == "__main__":
    main()
