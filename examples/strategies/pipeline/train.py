"""A pipeline of p stages, one a process: a batch goes through in m micro-batches, so that stages work at the same time.

The schedule is GPipe's: all forward, then all backward, then one step of the optimizer. With equal stages a batch
takes m + p - 1 turns each way, of which a stage works in m: it is idle for (p - 1) / (m + p - 1) of the time, the bubble.
Gradients of micro-batches add up to those of the batch, so the result is that of one process.

--turn stretches what a stage does for one micro-batch to that many seconds, as a device would take: on a few shared cores
the measured bubble would be that of the machine's other work. Ordinary PyTorch (1.13 and later); `python train.py` by
itself is a pipeline of one stage.
"""

import argparse
import contextlib
import json
import os
import statistics
import time
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn

WIDTH, LAYERS, BATCH = 64, 4, 64


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--micro-batches", type=int, default=8)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--turn", type=float, default=0.05)
    options = parser.parse_args()
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    else:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    world = dist.get_world_size()
    if LAYERS % world or BATCH % options.micro_batches:
        raise SystemExit(f"{LAYERS} layers need 1, 2 or 4 workers, {BATCH} rows a divisor of micro-batches")
    stage = Stage(options, dist.get_rank(), world)
    bubbles = [stage.train_step(step) for step in range(1, options.steps + 1)]
    bubble = statistics.median(bubbles[1:])  # the first step warms up
    if stage.rank == 0:
        expected = (world - 1) / (options.micro_batches + world - 1)
        print(f"bubble {bubble:.3f}, by the formula {expected:.3f}")
        print("::muster::" + json.dumps({"step": options.steps, "total": options.steps,
                                         "metrics": {"bubble": bubble, "bubble_by_formula": expected}}))
    stage.save()
    dist.barrier()
    dist.destroy_process_group()


class Stage:
    def __init__(self, options, rank, world):
        self.options, self.rank, self.world = options, rank, world
        self.first, self.last = rank == 0, rank == world - 1
        torch.manual_seed(1)
        layers = [nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh()) for _ in range(LAYERS)]
        own = LAYERS // world
        self.layers = nn.Sequential(*layers[rank * own:(rank + 1) * own])
        self.optimizer = torch.optim.SGD(self.layers.parameters(), 0.1, momentum=0.9)
        self.busy, self.sending = 0.0, []

    def train_step(self, step):
        """One batch; the share of the time in which stages were idle, over all of them."""
        inputs, targets = data(step)
        inputs, targets = inputs.chunk(self.options.micro_batches), targets.chunk(self.options.micro_batches)
        self.optimizer.zero_grad()
        self.busy = 0.0
        dist.barrier()
        begun = time.monotonic()
        passed = [self.forward(rows, goal) for rows, goal in zip(inputs, targets)]
        for taken, given in reversed(passed):
            self.backward(taken, given)
        for sent in self.sending:
            sent.wait()
        self.sending = []
        dist.barrier()
        spent = time.monotonic() - begun
        self.optimizer.step()
        times = torch.tensor([self.busy, spent], dtype=torch.float64)
        dist.all_reduce(times)
        return 1 - (times[0] / times[1]).item()

    def forward(self, rows, goal):
        taken = rows if self.first else self.receive(self.rank - 1, rows).requires_grad_()
        with self.turn():
            given = self.layers(taken)
            if self.last:
                given = nn.functional.mse_loss(given, goal) / self.options.micro_batches
        if not self.last:
            self.send(given.detach(), self.rank + 1)
        return taken, given

    def backward(self, taken, given):
        gradient = None if self.last else self.receive(self.rank + 1, given)
        with self.turn():
            given.backward(gradient)
        if not self.first:
            self.send(taken.grad, self.rank - 1)

    def send(self, tensor, to):
        """Without waiting: the next micro-batch is begun meanwhile, which is what makes the pipeline."""
        self.sending.append(dist.isend(tensor.contiguous(), to))

    def receive(self, source, like):
        tensor = torch.empty(like.shape)
        dist.recv(tensor, source)
        return tensor

    @contextlib.contextmanager
    def turn(self):
        begun = time.monotonic()
        yield
        time.sleep(max(0.0, self.options.turn - (time.monotonic() - begun)))
        self.busy += time.monotonic() - begun

    def save(self):
        """Only the chief's folder becomes the model, so all stages' weights travel to it."""
        parts = [None] * self.world if self.first else None
        dist.gather_object([weight.detach() for weight in self.layers.parameters()], parts, dst=0)
        if self.first:
            folder = Path(os.environ.get("MUSTER_MODEL_DIR", "model"))
            folder.mkdir(parents=True, exist_ok=True)
            torch.save([weight for part in parts for weight in part], folder / "weights.pt")


def data(step):
    inputs = torch.randn(BATCH, WIDTH, generator=torch.Generator().manual_seed(step))
    return inputs, torch.sin(inputs.cumsum(1) / 8)


if __name__ == "__main__":
    main()
