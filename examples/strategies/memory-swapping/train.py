"""Memory swapping: what the forward pass keeps for the backward pass waits in files, so it may exceed the memory.

`saved_tensors_hooks` is PyTorch's own place for this (1.10 and later): a tensor that autograd would keep goes through
`pack`, and comes back through `unpack` when the backward pass needs it. The bits are the same, so is the result; the price
is that each is written and read once. Memory then holds the weights and the layer at hand.
"""

import argparse
import contextlib
import json
import os
import resource
import tempfile
import weakref
from pathlib import Path

import numpy
import torch
from torch import nn

WIDTH, LAYERS, ROWS = 16, 12, 262144  # 16 MiB of activations a layer
SMALLEST = 1 << 20  # bytes; smaller ones stay


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--swap", action="store_true", help="keep activations in files")
    parser.add_argument("--steps", type=int, default=2)
    options = parser.parse_args()
    torch.manual_seed(1)
    model = nn.Sequential(*(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh()) for _ in range(LAYERS)))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step in range(1, options.steps + 1):
        inputs = torch.randn(ROWS, WIDTH, generator=torch.Generator().manual_seed(step))
        optimizer.zero_grad()
        swap = Swap(model) if options.swap else None
        with swap.hooks() if swap else contextlib.nullcontext():
            loss = (model(inputs) - inputs).square().mean()
        if swap:
            swap.forget()
        loss.backward()
        optimizer.step()
        print("::muster::" + json.dumps({"step": step, "total": options.steps, "metrics": {"loss": loss.item()}}), flush=True)
    print(f"loss {loss.item():.6f}, most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")
    folder = Path(os.environ.get("MUSTER_MODEL_DIR", "model"))
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(list(model.parameters()), folder / "weights.pt")


class Swap:
    """Files for saved tensors, in the working folder (a memory file system would gain nothing)."""

    def __init__(self, model):
        self.folder = tempfile.TemporaryDirectory(prefix="activations-", dir=".")
        self.weights = {weight.data_ptr() for weight in model.parameters()}
        self.files = 0
        self.last, self.stored = None, None  # a tensor is often kept by the layer that made it and the one that takes it

    def hooks(self):
        return torch.autograd.graph.saved_tensors_hooks(self.pack, self.unpack)

    def pack(self, tensor):
        if tensor.data_ptr() in self.weights or tensor.numel() * tensor.element_size() < SMALLEST:
            return tensor
        if self.last is None or not same(tensor, self.last):
            self.files += 1
            self.last, self.stored = tensor, Stored(tensor, Path(self.folder.name) / str(self.files), self)
        return self.stored

    def forget(self):
        """After the forward pass: nothing here holds a tensor or a file any more."""
        self.last, self.stored = None, None

    @staticmethod
    def unpack(kept):
        return kept.read() if isinstance(kept, Stored) else kept


def same(one, other):
    return one.data_ptr() == other.data_ptr() and one.shape == other.shape and one._version == other._version


class Stored:
    """A tensor in a file, which goes when nobody needs it any more."""

    def __init__(self, tensor, path, swap):
        self.path, self.shape, self.swap = path, tensor.shape, swap  # holding swap keeps its folder
        values = tensor.detach().contiguous().numpy()
        self.kind = values.dtype
        with open(path, "wb") as file:
            file.write(memoryview(values).cast("B"))
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # its copy in the page cache counts as memory too
        weakref.finalize(self, path.unlink, missing_ok=True)

    def read(self):
        return torch.from_numpy(numpy.fromfile(self.path, self.kind)).reshape(self.shape)


if __name__ == "__main__":
    main()
