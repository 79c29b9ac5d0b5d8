"""What docs/parallelism.md says of PyTorch, measured: two ranks over Gloo. Prints one line of JSON."""

import json
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

MICRO_STEPS = 4


def reduces(wait):
    """All-reduces of one step of four micro-steps."""
    model, count = DistributedDataParallel(nn.Linear(8, 8)), 0

    def hook(state, bucket):
        nonlocal count
        count += 1
        return allreduce_hook(state, bucket)

    model.register_comm_hook(None, hook)
    for micro_step in range(MICRO_STEPS):
        if wait and micro_step < MICRO_STEPS - 1:
            with model.no_sync():
                model(torch.randn(4, 8)).sum().backward()
        else:
            model(torch.randn(4, 8)).sum().backward()
    return count


def batch_normalisation():
    """How far the mean that a micro-batch is normalised by is from the batch's, at most."""
    rows = torch.randn(64, 8)
    means = torch.stack([part.mean(0) for part in rows.split(16)])
    layer = nn.BatchNorm1d(8, affine=False)
    apart = (torch.cat([layer(part) for part in rows.split(16)]) - layer(rows)).abs().max().item()
    assert (means - rows.mean(0)).abs().max().item() > 0
    return apart


def broadcast_numbers():
    """Numbers that a step of ZeRO broadcasts, beside those of the model."""
    model = nn.Sequential(nn.Linear(64, 64), nn.Linear(64, 64))
    parallel = DistributedDataParallel(model)
    optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.01)
    parallel(torch.randn(4, 64)).sum().backward()
    optimizer.step()
    sent, plain = 0, dist.broadcast

    def broadcast(tensor, *more, **words):
        nonlocal sent
        sent += tensor.numel()
        return plain(tensor, *more, **words)

    dist.broadcast = broadcast
    try:
        parallel(torch.randn(4, 64)).sum().backward()
        optimizer.step()
    finally:
        dist.broadcast = plain
    return sent, sum(p.numel() for p in model.parameters())


class Kept:
    """A tensor in a file on this folder's disk, written through."""

    made = 0

    @classmethod
    def pack(cls, tensor):
        cls.made += 1
        name = f"kept-{os.getpid()}-{cls.made}"
        with open(name, "wb") as file:
            file.write(memoryview(tensor.detach().contiguous().numpy()).cast("B"))
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return name, tensor.shape

    @staticmethod
    def unpack(kept):
        name, shape = kept
        with open(name, "rb") as file:
            values = torch.frombuffer(bytearray(file.read()), dtype=torch.float32).reshape(shape)
        os.unlink(name)
        return values


def seconds(forward):
    times = []
    for _ in range(3):
        begun = time.process_time(), time.monotonic()
        forward().sum().backward()
        times.append((time.process_time() - begun[0], time.monotonic() - begun[1]))
    return sorted(times)[1]


def swapping():
    """Seconds of a step: plain, activations in files, layers computed again. Cheap layers on wide activations."""
    layers = nn.ModuleList(nn.Sequential(nn.Linear(16, 16), nn.Tanh()) for _ in range(6))
    rows = torch.randn(131_072, 16, requires_grad=True)

    def run(step):
        values = rows
        for layer in layers:
            values = step(layer, values)
        return values

    def swapped():
        with torch.autograd.graph.saved_tensors_hooks(Kept.pack, Kept.unpack):
            return run(lambda layer, values: layer(values))

    return {
        "plain": seconds(lambda: run(lambda layer, values: layer(values))),
        "swapped": seconds(swapped),
        "again": seconds(lambda: run(lambda layer, values: checkpoint(layer, values))),
    }


dist.init_process_group("gloo")
torch.manual_seed(1)
torch.set_num_threads(1)
sent, numbers = broadcast_numbers()
told = {"reduces": reduces(False), "reduces_no_sync": reduces(True), "batch_norm": batch_normalisation(), "broadcast": sent, "numbers": numbers}
dist.barrier()
if dist.get_rank() == 0:
    told["seconds"] = swapping()
    print("RULES " + json.dumps(told), flush=True)
dist.barrier()
dist.destroy_process_group()
