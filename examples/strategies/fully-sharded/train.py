"""Fully sharded data parallel (FSDP): each rank keeps its share of the weights, of their gradients and of the optimizer's state.

`fully_shard` splits each layer's weights over the ranks. A layer is gathered whole only while it computes, then let go; gradients are
summed and split in one collective (reduce-scatter). The steps are those of one process with the whole batch.
Ordinary PyTorch, 2.6 or later; `python train.py` by itself runs as one process.
"""

import argparse
import json
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

ROWS = 64  # of a step, over all ranks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    for name, alone in (("RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "0")):
        os.environ.setdefault(name, alone)
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(32, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1))
    mesh = init_device_mesh("cpu", (world,))
    for layer in model:
        if isinstance(layer, nn.Linear):
            fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for step in range(1, options.steps + 1):
        inputs, targets = data(step)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs[rank::world]), targets[rank::world])
        loss.backward()
        optimizer.step()
        if rank == 0:
            print("::muster::" + json.dumps({"step": step, "total": options.steps, "metrics": {"loss": loss.item()}}))
    weights = sum(weight.to_local().numel() for weight in model.parameters())
    moments = sum(value.to_local().numel() for state in optimizer.state.values() for value in state.values()
                  if hasattr(value, "to_local"))
    print(f"weights held: {weights}, numbers of the optimizer held: {moments}", flush=True)
    whole = {name: weight.full_tensor() for name, weight in model.state_dict().items()}  # on all ranks, together
    if rank == 0:
        folder = Path(os.environ.get("MUSTER_MODEL_DIR", "model"))
        folder.mkdir(parents=True, exist_ok=True)
        torch.save(whole, folder / "weights.pt")
    dist.barrier()
    dist.destroy_process_group()


def data(step):
    """Made anew for each step, equal on all ranks: rows of a function to learn."""
    inputs = torch.randn(ROWS, 32, generator=torch.Generator().manual_seed(step))
    return inputs, torch.sin(inputs.sum(1, keepdim=True))


if __name__ == "__main__":
    main()
