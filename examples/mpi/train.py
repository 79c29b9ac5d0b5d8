"""Softmax regression on Fashion-MNIST, the gradient summed over all ranks by MPI. `mpirun -np 4 python3 train.py` works by hand too."""

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

import numpy as np
from mpi4py import MPI

import fashion_mnist

world = MPI.COMM_WORLD
BATCH = 64


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=0.1)
    options = parser.parse_args()
    train, _, test = fashion_mnist.load()
    inputs, rows = pixels(train.images), len(train.labels)
    rank, size = world.Get_rank(), world.Get_size()
    weights = np.zeros((inputs.shape[1], 10))
    untrained = digest(weights)
    steps_an_epoch = -(-rows // (size * BATCH))
    total, step, epochs = options.epochs * steps_an_epoch, 0, []
    for epoch in range(options.epochs):
        order = np.random.default_rng(epoch).permutation(rows)  # the same on all ranks
        for batch in np.array_split(order, steps_an_epoch):
            mine = batch[rank::size]
            own, loss = gradient(weights, inputs[mine], train.labels[mine])
            summed = np.empty_like(own)
            world.Allreduce(own, summed, op=MPI.SUM)
            weights -= options.rate / len(batch) * summed
            step += 1
            if rank == 0 and (step % 50 == 0 or step == total):
                report(step=step, total=total, epoch=epoch + 1, metrics={"loss": round(float(loss), 4)})
        used = np.concatenate([batch[rank::size] for batch in np.array_split(order, steps_an_epoch)])
        epochs.append({"count": len(used), "sum": id_sum(used), "of": rows})
    say("PROOF " + json.dumps({"rank": rank, "world": size, "steps": step, "weights": digest(weights),
                               "untrained": untrained, "epochs": epochs}))
    if rank == 0:
        accuracy = float(((pixels(test.images) @ weights).argmax(axis=1) == test.labels).mean())
        report(step=step, total=total, metrics={"test_accuracy": accuracy})
        np.savez(Path(os.environ.get("MUSTER_MODEL_DIR", ".")) / "model.npz", weights=weights)


def pixels(images):
    """Each image as a row of 784 numbers from 0 to 1, and a 1 for the bias."""
    flat = images.reshape(len(images), -1) / 255.0
    return np.hstack([flat, np.ones((len(flat), 1))])


def gradient(weights, inputs, labels):
    """Sum over these rows of the cross-entropy's gradient, and its mean."""
    scores = inputs @ weights
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    each = np.arange(len(labels))
    loss = -np.log(odds[each, labels] + 1e-12).mean()
    odds[each, labels] -= 1
    return inputs.T @ odds, loss


def say(line):
    """In one piece: mpirun mixes what ranks write, and print writes the end of a line apart."""
    sys.stdout.write(line + "\n")


def report(**words):
    say("::muster::" + json.dumps(words))


def digest(weights):
    return hashlib.sha256(weights.tobytes()).hexdigest()


def id_sum(ids):
    """What testbed/real/check_distributed.py needs to see that each row was used once by one rank."""
    return f"{sum(int.from_bytes(hashlib.sha256(str(int(i)).encode()).digest(), 'big') for i in ids) % 2**256:064x}"


main()
