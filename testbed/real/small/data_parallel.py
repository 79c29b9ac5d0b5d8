"""Synchronous data parallelism, to be compared number by number: k steps of a small network on rows that each rank takes its share of.

WAY=ddp or horovod. Every rank prints what its parameters are after each step, as a digest; rank 0 leaves them at the end.
"""

import hashlib
import os
from pathlib import Path

import torch
from torch import nn

ROWS, STEPS = 48, 20  # rows of a step, all ranks together


def joined():
    """This rank, how many there are, and how a network and its optimizer are made the group's."""
    if os.environ["WAY"] == "horovod":
        import horovod.torch as hvd

        hvd.init()

        def shared(model, optimizer):
            hvd.broadcast_parameters(model.state_dict(), root_rank=0)
            return model, hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

        return hvd.rank(), hvd.size(), shared
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    dist.init_process_group("gloo")
    return dist.get_rank(), dist.get_world_size(), lambda model, optimizer: (DistributedDataParallel(model), optimizer)


def digest(model):
    return hashlib.sha256(b"".join(weight.detach().numpy().tobytes() for weight in model.parameters())).hexdigest()


rank, world, shared = joined()
torch.set_num_threads(1)
torch.manual_seed(rank)  # each begins elsewhere: that they agree is the framework's doing
model = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 5))
parallel, optimizer = shared(model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9))
for step in range(1, STEPS + 1):
    random = torch.Generator().manual_seed(step)
    rows, labels = torch.randn(ROWS, 20, generator=random), torch.randint(5, (ROWS,), generator=random)
    optimizer.zero_grad()
    nn.functional.cross_entropy(parallel(rows[rank::world]), labels[rank::world]).backward()
    optimizer.step()
    print(f"step {step} of {world} weights {digest(model)}", flush=True)
if rank == 0:
    torch.save(model.state_dict(), Path(os.environ["MUSTER_MODEL_DIR"]) / "weights.pt")
