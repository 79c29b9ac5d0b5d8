"""A sharded optimizer (ZeRO, stage 1): each rank keeps the optimizer's state of its share of the weights, and no other.

Adam keeps two numbers for each weight; under DistributedDataParallel every rank would keep all of them. `ZeroRedundancyOptimizer`
shares them out: a rank steps its own share, and its weights are then sent to all. Weights and gradients stay whole on each rank; where
these are too large as well, see ../fully-sharded. Ordinary PyTorch (1.13 and later); `python train.py` by itself runs as one process.
"""

import argparse
import json
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel

ROWS = 64  # of a step, over all ranks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    join_group()
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(32, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1))
    parallel = DistributedDataParallel(model)
    optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=0.01)
    for step in range(1, options.steps + 1):
        inputs, targets = data(step)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(parallel(inputs[rank::world]), targets[rank::world])
        loss.backward()
        optimizer.step()
        if rank == 0:
            print("::muster::" + json.dumps({"step": step, "total": options.steps, "metrics": {"loss": loss.item()}}))
    print(f"numbers of the optimizer held: {held(optimizer)}", flush=True)
    if rank == 0:
        save(model)
    dist.barrier()
    dist.destroy_process_group()


def held(optimizer):
    """How many numbers this rank's part of the optimizer keeps for its weights."""
    return sum(value.numel() for state in optimizer.optim.state.values() for value in state.values()
               if torch.is_tensor(value) and value.dim() > 0)


def join_group():
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    else:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def data(step):
    """Made anew for each step, equal on all ranks: rows of a function to learn."""
    inputs = torch.randn(ROWS, 32, generator=torch.Generator().manual_seed(step))
    return inputs, torch.sin(inputs.sum(1, keepdim=True))


def save(model):
    folder = Path(os.environ.get("MUSTER_MODEL_DIR", "model"))
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), folder / "weights.pt")


if __name__ == "__main__":
    main()
