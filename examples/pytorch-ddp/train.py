"""A CNN for Fashion-MNIST with PyTorch's DistributedDataParallel over Gloo.

Ordinary PyTorch (1.13 and later): RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT say who the others are, the MUSTER_
variables say where things lie. All have defaults, so `python train.py` by itself trains too, in one process.
"""

import argparse
import hashlib
import json
import os
import signal
import sys
import time
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DistributedSampler

import fashion_mnist

REPORT_EVERY = 10  # steps
SAVE_EVERY = float(os.environ.get("MUSTER_CHECKPOINT_EVERY_SECONDS", 60))
STOPPED = 143  # exit code of a run that was asked to leave before its end


def main():
    options = parse_arguments()
    stop = StopRequest()
    join_group()
    torch.manual_seed(options.seed)
    train, validation, test = map(as_tensors, fashion_mnist.load())

    trainer = Trainer(options, len(train.labels))
    untrained = digest(trainer.model)
    trainer.resume(os.environ.get("MUSTER_RESUME_FROM"))
    going_on = True
    while going_on and trainer.epoch <= options.epochs:
        going_on = trainer.run_epoch(train, validation, stop)
    if going_on:
        trainer.report(test_accuracy=accuracy(trainer.model, test))
        trainer.print_proof(untrained)
        if dist.get_rank() == 0:
            export(trainer.model, folder("MUSTER_MODEL_DIR", "model"))
    dist.barrier()  # nobody leaves while another one is still writing
    dist.destroy_process_group()
    sys.exit(0 if going_on else STOPPED)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=64, help="rows a process takes in a step")
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def join_group():
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    else:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def as_tensors(rows):
    """The whole set is 47 MB: it stays in memory, as bytes."""
    return fashion_mnist.Rows(torch.tensor(rows.images), torch.tensor(rows.labels))


class Cnn(nn.Module):
    """Takes pixels as the files have them (0..255): training and serving cannot scale them differently."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 32, 3), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(64 * 5 * 5, 128), nn.ReLU(),
            nn.Linear(128, 10),
        )

    def forward(self, pixels):
        return self.layers(pixels.float().unsqueeze(1) / 255)


class Trainer:
    """A model, and all that a checkpoint of it holds so that a restarted run goes on as if nothing had happened."""

    def __init__(self, options, rows):
        self.options, self.rows = options, rows
        self.global_batch = options.batch * dist.get_world_size()
        self.total_steps = options.epochs * -(-rows // self.global_batch)
        self.model = Cnn()
        self.parallel = DistributedDataParallel(self.model)
        self.optimizer = torch.optim.Adam(self.model.parameters(), options.learning_rate)
        self.step, self.epoch, self.position = 0, 1, 0  # steps done, epoch under way, rows of it that are done
        self.saved_at = time.monotonic()
        self.used = {}  # epoch -> ids of the rows that this process was given

    def run_epoch(self, rows, validation, stop):
        """False when somebody asked to stop. Either way, what was reached is saved."""
        first_step = self.step + 1
        used = self.used.setdefault(self.epoch, [])
        for ids in self.batches():
            loss = self.train_step(rows.images[ids], rows.labels[ids])
            self.step, self.position = self.step + 1, min(self.position + self.global_batch, self.rows)
            used.extend(ids.tolist())
            # A wish of one (to save, to leave) reaches all of them with the loss, so all do the same next.
            loss, save, leave = sum_over_group([loss, self.save_is_due(), stop.wanted(self.step)])
            if self.step % REPORT_EVERY == 0 or self.step == first_step:
                self.report(loss=loss / dist.get_world_size())
            if leave:
                break
            if save and self.position < self.rows:
                self.save()
        if self.position == self.rows:
            self.report(validation_accuracy=accuracy(self.model, validation))
            self.epoch, self.position = self.epoch + 1, 0
        self.save()
        return not leave

    def batches(self):
        """Ids of this process's batches for the rest of the epoch. The order depends on seed and epoch only."""
        sampler = DistributedSampler(range(self.rows), seed=self.options.seed)
        sampler.set_epoch(self.epoch)
        ids = torch.tensor(list(sampler))
        return ids[self.position // dist.get_world_size():].split(self.options.batch)

    def train_step(self, images, labels):
        self.optimizer.zero_grad()
        loss = cross_entropy(self.parallel(images), labels)
        loss.backward()  # averages the gradients over all processes
        self.optimizer.step()
        return loss.item()

    def save_is_due(self):
        return dist.get_rank() == 0 and time.monotonic() - self.saved_at >= SAVE_EVERY

    def save(self):
        """Written beside its place and renamed: there is never half a checkpoint under its name."""
        if dist.get_rank() == 0:
            target = folder("MUSTER_CHECKPOINT_DIR", "checkpoints") / f"ckpt-{self.step}.pt"
            partial = target.with_suffix(".tmp")
            torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
                        "step": self.step, "epoch": self.epoch, "position": self.position}, partial)
            partial.rename(target)
            print("::muster::" + json.dumps({"checkpoint": target.name, "step": self.step}))
        self.saved_at = time.monotonic()

    def resume(self, path):
        if path:
            saved = torch.load(path)
            self.model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.step, self.epoch, self.position = saved["step"], saved["epoch"], saved["position"]
            print(f"resumed from {path}: the next step is {self.step + 1}")

    def report(self, **metrics):
        print(f"step {self.step} " + " ".join(f"{name} {value:.4f}" for name, value in metrics.items()))
        if dist.get_rank() == 0:
            epoch = min(self.epoch, self.options.epochs)
            print("::muster::" + json.dumps(
                {"step": self.step, "total": self.total_steps, "epoch": epoch, "metrics": metrics}))

    def print_proof(self, untrained):
        """What testbed/real/check_distributed.py needs to see that the processes trained one model together."""
        epochs = [{"count": len(ids), "sum": id_sum(ids), "of": self.rows} for ids in self.used.values()]
        print("PROOF " + json.dumps({"rank": dist.get_rank(), "world": dist.get_world_size(), "steps": self.step,
                                     "epochs": epochs, "weights": digest(self.model), "untrained": untrained}))


class StopRequest:
    """Asked to leave: at once by SIGTERM, or after the step that the file MUSTER_CONTROL_DIR/stop holds."""

    def __init__(self):
        self.terminated = False
        self.file = Path(os.environ.get("MUSTER_CONTROL_DIR", ".")) / "stop"
        signal.signal(signal.SIGTERM, self.terminate)

    def terminate(self, *_):
        self.terminated = True

    def wanted(self, step):
        return self.terminated or (self.file.exists() and step >= int(self.file.read_text()))


def sum_over_group(values):
    total = torch.tensor(values, dtype=torch.float64)
    dist.all_reduce(total)
    return total.tolist()


@torch.no_grad()
def accuracy(model, rows):
    """Each process judges its share of the rows."""
    share = slice(dist.get_rank(), None, dist.get_world_size())
    answers = torch.cat([model(images).argmax(1) for images in rows.images[share].split(500)])
    right, = sum_over_group([(answers == rows.labels[share]).sum().item()])
    return right / len(rows.labels)


def export(model, target):
    """TorchScript from pixels to probabilities: loads in Python, C++ and Java without this file."""
    example = torch.zeros(1, 28, 28, dtype=torch.uint8)
    torch.jit.trace(nn.Sequential(model, nn.Softmax(1)).eval(), example).save(str(target / "model.pt"))
    (target / "classes.txt").write_text("\n".join(fashion_mnist.CLASSES) + "\n")


def folder(variable, default):
    path = Path(os.environ.get(variable, default))
    path.mkdir(parents=True, exist_ok=True)
    return path


def digest(model):
    weights = (tensor.detach().numpy().tobytes() for tensor in model.state_dict().values())
    return hashlib.sha256(b"".join(weights)).hexdigest()


def id_sum(ids):
    """Sums of several processes add up to that of all ids only if each id was used exactly once."""
    return "%064x" % (sum(int.from_bytes(hashlib.sha256(b"%d" % i).digest(), "big") for i in ids) % 2**256)


if __name__ == "__main__":
    main()
