"""A two-layer network for Fashion-MNIST in JAX, its batches spread over all processes.

Ordinary JAX: JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES and JAX_PROCESS_ID say who the others are, the MUSTER_
variables say where things lie. All have defaults, so `python train.py` by itself trains too, in one process.
"""

import argparse
import hashlib
import json
import os
import signal
import sys
import time
import traceback
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding, PartitionSpec

import fashion_mnist

REPORT_EVERY = 10  # steps
SAVE_EVERY = float(os.environ.get("MUSTER_CHECKPOINT_EVERY_SECONDS", 60))
STOPPED = 143  # exit code of a run that was asked to leave before its end
HIDDEN = 256


def main():
    options = parse_arguments()
    join_group()
    stop = StopRequest()  # after joining, which takes SIGTERM for itself
    train, validation, test = fashion_mnist.load()

    trainer = Trainer(options, len(train.labels))
    untrained = digest(trainer.weights())
    trainer.resume(os.environ.get("MUSTER_RESUME_FROM"))
    going_on = True
    while going_on and trainer.epoch <= options.epochs:
        going_on = trainer.run_epoch(train, validation, stop)
    if going_on:
        trainer.report(test_accuracy=accuracy(trainer.weights(), test))
        trainer.print_proof(untrained)
        if jax.process_index() == 0:
            export(trainer.weights(), folder("MUSTER_MODEL_DIR", "model"))
    multihost_utils.sync_global_devices("done")  # nobody leaves while another one is still writing
    sys.exit(0 if going_on else STOPPED)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64, help="rows a process takes in a step")
    parser.add_argument("--learning-rate", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def join_group():
    if "JAX_COORDINATOR_ADDRESS" in os.environ:  # JAX reads this one by itself, the other two it wants to be told
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(
            num_processes=int(os.environ["JAX_NUM_PROCESSES"]), process_id=int(os.environ["JAX_PROCESS_ID"]))


def initial_weights(seed):
    first, second = jax.random.split(jax.random.key(seed))
    return {
        "hidden": jax.random.normal(first, (784, HIDDEN)) * (2 / 784) ** 0.5, "hidden_bias": jnp.zeros(HIDDEN),
        "out": jax.random.normal(second, (HIDDEN, 10)) * (2 / HIDDEN) ** 0.5, "out_bias": jnp.zeros(10),
    }


def logits(weights, images):
    """Takes pixels as the files have them (0..255): training and serving cannot scale them differently."""
    pixels = images.reshape(-1, 784).astype(jnp.float32) / 255
    hidden = jax.nn.relu(pixels @ weights["hidden"] + weights["hidden_bias"])
    return hidden @ weights["out"] + weights["out_bias"]


def mean_loss(weights, images, labels):
    log_likelihood = jax.nn.log_softmax(logits(weights, images))
    return -jnp.take_along_axis(log_likelihood, labels[:, None], axis=1).mean()


@partial(jax.jit, donate_argnums=0)
def train_step(state, images, labels, wishes, learning_rate):
    """The arrays are spread over all processes, so mean and sum are over all of them. So is the sum of wishes
    (to save, to leave): what one process wishes, all know, and all do the same next."""
    loss, gradients = jax.value_and_grad(mean_loss)(state["weights"], images, labels)
    momentum = jax.tree.map(lambda old, new: 0.9 * old + new, state["momentum"], gradients)
    weights = jax.tree.map(lambda old, change: old - learning_rate * change, state["weights"], momentum)
    return {"weights": weights, "momentum": momentum}, loss, wishes.sum(axis=0)


class Trainer:
    """The state of training, and all that a checkpoint holds so that a restarted run goes on as if nothing had happened."""

    def __init__(self, options, rows):
        self.options, self.rows = options, rows
        self.global_batch = options.batch * jax.process_count()
        self.total_steps = options.epochs * -(-rows // self.global_batch)
        mesh = jax.make_mesh((jax.device_count(),), ("rows",))
        self.spread, self.everywhere = (NamedSharding(mesh, PartitionSpec(*axes)) for axes in (("rows",), ()))
        weights = initial_weights(options.seed)
        self.place({"weights": weights, "momentum": jax.tree.map(jnp.zeros_like, weights)})
        self.step, self.epoch, self.position = 0, 1, 0  # steps done, epoch under way, rows of it that are done
        self.saved_at = time.monotonic()
        self.used = {}  # epoch -> ids of the rows that this process was given

    def place(self, state):
        self.state = jax.device_put(jax.tree.map(numpy.asarray, state), self.everywhere)

    def run_epoch(self, rows, validation, stop):
        """False when somebody asked to stop. Either way, what was reached is saved."""
        first_step = self.step + 1
        used = self.used.setdefault(self.epoch, [])
        for ids in self.batches():
            wishes = numpy.array([[self.save_is_due(), stop.wanted(self.step + 1)]], numpy.int32)
            share = (jax.make_array_from_process_local_data(self.spread, part)
                     for part in (rows.images[ids], rows.labels[ids], wishes))
            self.state, loss, wishes = train_step(self.state, *share, self.options.learning_rate)
            save, leave = numpy.asarray(wishes)
            self.step, self.position = self.step + 1, min(self.position + self.global_batch, self.rows)
            used.extend(ids)
            if self.step % REPORT_EVERY == 0 or self.step == first_step:
                self.report(loss=float(loss))
            if leave:
                break
            if save and self.position < self.rows:
                self.save()
        if self.position == self.rows:
            self.report(validation_accuracy=accuracy(self.weights(), validation))
            self.epoch, self.position = self.epoch + 1, 0
        self.save()
        return not leave

    def batches(self):
        """Ids of this process's batches for the rest of the epoch. The order depends on seed and epoch only."""
        order = numpy.random.default_rng((self.options.seed, self.epoch)).permutation(self.rows)[self.position:]
        whole = len(order) // jax.process_count() * jax.process_count()  # shares are equal, so a few rows may be left
        share = order[:whole][jax.process_index()::jax.process_count()]
        return numpy.split(share, range(self.options.batch, len(share), self.options.batch))

    def weights(self):
        return {name: numpy.asarray(values) for name, values in self.state["weights"].items()}

    def save_is_due(self):
        return jax.process_index() == 0 and time.monotonic() - self.saved_at >= SAVE_EVERY

    def save(self):
        """Written beside its place and renamed: there is never half a checkpoint under its name."""
        if jax.process_index() == 0:
            target = folder("MUSTER_CHECKPOINT_DIR", "checkpoints") / f"ckpt-{self.step}.npz"
            partial_file = target.with_suffix(".tmp")
            with partial_file.open("wb") as file:
                numpy.savez(file, *jax.tree.leaves(self.state), place=(self.step, self.epoch, self.position))
            partial_file.rename(target)
            print("::muster::" + json.dumps({"checkpoint": target.name, "step": self.step}))
        self.saved_at = time.monotonic()

    def resume(self, path):
        if path:
            saved = dict(numpy.load(path))
            self.step, self.epoch, self.position = (int(value) for value in saved.pop("place"))
            leaves = [saved[f"arr_{index}"] for index in range(len(saved))]
            self.place(jax.tree.unflatten(jax.tree.structure(self.state), leaves))
            print(f"resumed from {path}: the next step is {self.step + 1}")

    def report(self, **metrics):
        print(f"step {self.step} " + " ".join(f"{name} {value:.4f}" for name, value in metrics.items()))
        if jax.process_index() == 0:
            epoch = min(self.epoch, self.options.epochs)
            print("::muster::" + json.dumps(
                {"step": self.step, "total": self.total_steps, "epoch": epoch, "metrics": metrics}))

    def print_proof(self, untrained):
        """What testbed/real/check_distributed.py needs to see that the processes trained one model together."""
        epochs = [{"count": len(ids), "sum": id_sum(ids), "of": self.rows} for ids in self.used.values()]
        print("PROOF " + json.dumps({"rank": jax.process_index(), "world": jax.process_count(), "steps": self.step,
                                     "epochs": epochs, "weights": digest(self.weights()), "untrained": untrained}))


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


def accuracy(weights, rows):
    """Each process judges its share of the rows."""
    share = slice(jax.process_index(), None, jax.process_count())
    right = (numpy.asarray(logits(weights, rows.images[share])).argmax(1) == rows.labels[share]).sum()
    return float(multihost_utils.process_allgather(right).sum() / len(rows.labels))


def export(weights, target):
    """Plain arrays: whoever has NumPy can use the model."""
    numpy.savez(target / "model.npz", classes=numpy.array(fashion_mnist.CLASSES), **weights)


def folder(variable, default):
    path = Path(os.environ.get(variable, default))
    path.mkdir(parents=True, exist_ok=True)
    return path


def digest(weights):
    return hashlib.sha256(b"".join(weights[name].tobytes() for name in sorted(weights))).hexdigest()


def id_sum(ids):
    """Sums of several processes add up to that of all ids only if each id was used exactly once."""
    return "%064x" % (sum(int.from_bytes(hashlib.sha256(b"%d" % i).digest(), "big") for i in ids) % 2**256)


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        os._exit(1)  # at once: JAX's farewell waits minutes for a peer that is gone
