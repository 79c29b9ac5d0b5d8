"""Model parallelism: a network too large for one process lies in two, the first layers here, the others there.

Rank 0 sends its activations on and gets their gradients back; each process updates its own layers only. One works
while the other waits (see ../pipeline for both at once). Ordinary PyTorch (1.13 and later); `python train.py` by
itself holds both halves in one process.
"""

import argparse
import json
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn

BATCH, WIDTH = 64, 128


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    if world > 2:
        raise SystemExit(f"the network has two halves, so there can be one or two processes, not {world}")
    torch.manual_seed(1)
    halves = [nn.Sequential(nn.Linear(32, WIDTH), nn.Tanh(), nn.Linear(WIDTH, WIDTH), nn.Tanh()),
              nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 1))]
    if world == 1:
        mine = nn.Sequential(*halves)
    else:
        dist.init_process_group("gloo")
        mine = halves[rank]
    del halves  # the other one's memory is free
    optimizer = torch.optim.Adam(mine.parameters(), 0.01)
    for step in range(1, options.steps + 1):
        inputs, targets = data(step)
        optimizer.zero_grad()
        if world == 1:
            nn.functional.mse_loss(mine(inputs), targets).backward()
        elif rank == 0:
            first_half(mine, inputs)
        else:
            second_half(mine, targets)
        optimizer.step()
        if rank == 0:
            print("::muster::" + json.dumps({"step": step, "total": options.steps}))
    print("parameters held:", sum(weight.numel() for weight in mine.parameters()))
    save(mine, rank, world)
    if world > 1:
        dist.barrier()  # nobody leaves while the other one still writes
        dist.destroy_process_group()


def first_half(layers, inputs):
    activations = layers(inputs)
    dist.send(activations.detach(), dst=1)
    gradient = torch.empty_like(activations)
    dist.recv(gradient, src=1)
    activations.backward(gradient)  # the chain rule goes on here


def second_half(layers, targets):
    activations = torch.empty(BATCH, WIDTH)
    dist.recv(activations, src=0)
    activations.requires_grad_()
    nn.functional.mse_loss(layers(activations), targets).backward()
    dist.send(activations.grad, dst=0)


def data(step):
    inputs = torch.randn(BATCH, 32, generator=torch.Generator().manual_seed(step))
    return inputs, torch.sin(inputs.sum(1, keepdim=True))


def save(mine, rank, world):
    """Only the chief's folder becomes the model, so the second half travels to it."""
    parts = [list(mine.parameters())] if world == 1 else gathered(mine, rank, world)
    if rank == 0:
        folder = Path(os.environ.get("MUSTER_MODEL_DIR", "model"))
        folder.mkdir(parents=True, exist_ok=True)
        torch.save([weight.detach() for part in parts for weight in part], folder / "weights.pt")


def gathered(mine, rank, world):
    parts = [None] * world if rank == 0 else None
    dist.gather_object([weight.detach() for weight in mine.parameters()], parts, dst=0)
    return parts


if __name__ == "__main__":
    main()
