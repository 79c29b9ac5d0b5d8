"""A small network for Fashion-MNIST whose workers may come and go (Horovod's elastic API). `horovodrun --min-np 2 ...` trains it too.

What is lost with a worker are the steps since the last commit, which every process keeps in memory; a group that begins anew goes on from
the newest checkpoint.
"""

import argparse
import os
import time
from pathlib import Path

import horovod.torch as hvd
import torch
from torch import nn
from torch.nn.functional import cross_entropy

import fashion_mnist

CHECKPOINTS = Path(os.environ.get("MUSTER_CHECKPOINT_DIR", "checkpoints"))


def main():
    options = parse_arguments()
    hvd.init()
    torch.manual_seed(1)
    train, _, test = fashion_mnist.load()
    images, labels = torch.tensor(train.images), torch.tensor(train.labels)
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), 0.1), named_parameters=model.named_parameters())

    @hvd.elastic.run
    def training(state):
        while state.step < options.steps or not allowed_to_end(options.gate):
            rows = torch.randint(len(labels), (options.batch,), generator=torch.Generator().manual_seed(state.step))
            mine = rows[hvd.rank()::hvd.size()]  # the same rows in all, however many share them
            optimizer.zero_grad()
            cross_entropy(model(images[mine].float() / 255), labels[mine]).backward()
            optimizer.step()
            state.step += 1
            print(f"step {state.step} of {hvd.size()} rank {hvd.rank()}", flush=True)
            if state.step % options.commit_every == 0:
                if hvd.rank() == 0:
                    save(model, state.step)
                state.commit()  # here it also learns of workers that come
            time.sleep(options.pause)

    training(hvd.elastic.TorchState(model=model, optimizer=optimizer, step=resume(model)))
    if hvd.rank() == 0:
        with torch.no_grad():
            right = (model(torch.tensor(test.images).float() / 255).argmax(1) == torch.tensor(test.labels)).sum().item()
        print(f"accuracy {right / len(test.labels):.3f}")
        torch.save(model.state_dict(), Path(os.environ.get("MUSTER_MODEL_DIR", ".")) / "model.pt")
    hvd.shutdown()


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=256, help="rows of a step, all processes together")
    parser.add_argument("--commit-every", type=int, default=10, help="steps")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds after each step")
    parser.add_argument("--gate", type=os.path.expandvars, help="a file without which it does not end")
    return parser.parse_args()


def allowed_to_end(gate):
    """All decide the same."""
    return not gate or hvd.allreduce(torch.tensor(float(os.path.exists(gate)))).item() > 0


def save(model, step):
    """Written beside its place and renamed: there is never half a checkpoint under its name."""
    CHECKPOINTS.mkdir(parents=True, exist_ok=True)
    partial = CHECKPOINTS / "saving.tmp"
    torch.save({"model": model.state_dict(), "step": step}, partial)
    partial.rename(CHECKPOINTS / f"ckpt-{step}.pt")


def resume(model):
    """The steps that are done. Not by MUSTER_RESUME_FROM: others may have trained on since this worker was started."""
    found = sorted(CHECKPOINTS.glob("ckpt-*.pt"), key=lambda path: int(path.stem.split("-")[1]))
    if not found:
        return 0
    saved = torch.load(found[-1])
    model.load_state_dict(saved["model"])
    return saved["step"]


if __name__ == "__main__":
    main()
