"""Fashion-MNIST whose workers may come and go while it trains: asynchronous steps on weights that a parameter server holds.

ParameterServerStrategy deals out work to a list of workers that is fixed when its coordinator starts. Here nobody deals out anything: a worker asks
the parameter server for the weights, takes rows of its own choice, and sends the gradient back. All it has to know is where the parameter
server is, and that is what TF_CONFIG of a sparse cluster says: {"cluster": {"worker": {"2": ADDRESS}, "ps": [ADDRESS]}, "task": ...}.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy
import tensorflow as tf

import fashion_mnist

HIDDEN, MOST_WORKERS = 128, 64
SAVE_EVERY = float(os.environ.get("MUSTER_CHECKPOINT_EVERY_SECONDS", 60))
PATIENCE = 60  # seconds in which a lost parameter server may come back
remote = tf.distribute.experimental.rpc


def main():
    options = parse_arguments()
    if "TF_CONFIG" not in os.environ:
        sys.exit("TF_CONFIG is not set: this example needs workers and a parameter server (see README.md).")
    config = json.loads(os.environ["TF_CONFIG"])
    task, address = config["task"], config["cluster"]["ps"][0]
    if task["type"] == "ps":
        ParameterServer(options).serve(address)
    else:
        Worker(address, task["index"], options).train()


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2000, help="of all workers together")
    parser.add_argument("--batch", type=int, default=64, help="rows in a step")
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds after each step of a worker")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Network(tf.Module):
    """Takes pixels as the files have them (0..255)."""

    def __init__(self, seed):
        super().__init__()
        first, second = (tf.random.stateless_normal(shape, (seed, seed)) * (2 / shape[0]) ** 0.5
                         for shape in ((784, HIDDEN), (HIDDEN, 10)))
        self.hidden, self.hidden_bias = tf.Variable(first), tf.Variable(tf.zeros(HIDDEN))
        self.out, self.out_bias = tf.Variable(second), tf.Variable(tf.zeros(10))

    def weights(self):
        return [self.hidden, self.hidden_bias, self.out, self.out_bias]

    def __call__(self, images):
        pixels = tf.reshape(tf.cast(images, tf.float32), (-1, 784)) / 255
        return tf.nn.relu(pixels @ self.hidden + self.hidden_bias) @ self.out + self.out_bias


class ParameterServer:
    """Holds the weights, takes every gradient as it comes, whoever sends it, and saves."""

    def __init__(self, options):
        self.options = options
        self.network = Network(options.seed)
        self.step = tf.Variable(0, dtype=tf.int64)
        self.steps_of = tf.Variable(tf.zeros(MOST_WORKERS, tf.int64))  # of each worker, all its attempts together
        self.checkpoint = tf.train.Checkpoint(network=self.network, step=self.step, steps_of=self.steps_of)
        self.pull = tf.function(self.state, input_signature=[])
        shapes = [tf.TensorSpec(weight.shape) for weight in self.network.weights()]
        self.push = tf.function(self.take, input_signature=[tf.TensorSpec([], tf.int32), *shapes])

    def state(self):
        return self.step.read_value(), [weight.read_value() for weight in self.network.weights()]

    def take(self, worker, *gradients):
        for weight, gradient in zip(self.network.weights(), gradients):
            weight.assign_sub(self.options.learning_rate * gradient)
        self.steps_of.scatter_add(tf.IndexedSlices(tf.constant(1, tf.int64), worker))
        return self.step.assign_add(1)

    def serve(self, address):
        resume_from = os.environ.get("MUSTER_RESUME_FROM")
        if resume_from:
            self.checkpoint.read(resume_from).assert_consumed()
            print(f"resumed from {resume_from}: step {int(self.step)}", flush=True)
        server = remote.Server.create("grpc", address)
        server.register("pull", self.pull)
        server.register("push", self.push)
        server.start()
        while True:
            time.sleep(SAVE_EVERY)
            self.save()

    def save(self):
        step = int(self.step)
        name = f"ckpt-{step}"
        self.checkpoint.write(str(folder("MUSTER_CHECKPOINT_DIR", "checkpoints") / name))
        report(checkpoint=name, step=step)
        counts = self.steps_of.numpy()
        print("steps by worker:", {f"worker-{worker}": int(counts[worker]) for worker in counts.nonzero()[0]}, flush=True)


class Worker:
    def __init__(self, address, number, options):
        self.address, self.number, self.options = address, number, options
        self.network = Network(options.seed)
        self.server = None
        self.rows = numpy.random.default_rng((options.seed, number, time.time_ns()))
        self.train_rows, _, self.test_rows = fashion_mnist.load()

    def train(self):
        step = self.fetch()
        while not self.is_done(step):
            taken = self.rows.integers(len(self.train_rows.labels), size=self.options.batch)
            loss, gradients = self.gradients(self.train_rows.images[taken], self.train_rows.labels[taken])
            step = int(self.ask("push", tf.constant(self.number), *gradients))
            print(f"step {step} loss {float(loss):.4f}", flush=True)
            report(step=step, total=self.options.steps, metrics={"loss": float(loss)})
            time.sleep(self.options.pause)
            step = self.fetch()
        if self.number == 0:
            self.finish()

    def is_done(self, step):
        return step >= self.options.steps

    def fetch(self):
        """The newest weights; how many steps they have seen."""
        step, weights = self.ask("pull")
        for mine, theirs in zip(self.network.weights(), weights):
            mine.assign(theirs)
        return int(step)

    @tf.function
    def gradients(self, images, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, self.network(images)))
        return loss, tape.gradient(loss, self.network.weights())

    def ask(self, what, *words):
        """Asks the parameter server, and waits while it is away: started again, it goes on from its checkpoint."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.server = self.server or remote.Client.create("grpc", self.address, timeout_in_ms=10_000)
                return getattr(self.server, what + "_blocking")(*words)
            except (tf.errors.UnavailableError, tf.errors.DeadlineExceededError) as away:
                if time.monotonic() > end:
                    sys.exit(f"the parameter server {self.address} has been away for {PATIENCE} s: {away}")
                self.server = None
                time.sleep(0.2)

    def finish(self):
        accuracy = float((self.network(self.test_rows.images).numpy().argmax(1) == self.test_rows.labels).mean())
        print(f"accuracy {accuracy:.4f}", flush=True)
        report(step=self.options.steps, total=self.options.steps, metrics={"test_accuracy": accuracy})

        @tf.function(input_signature=[tf.TensorSpec((None, 28, 28), tf.float32, "image")])
        def classify(image):
            return {"probabilities": tf.nn.softmax(self.network(image))}

        tf.saved_model.save(self.network, str(folder("MUSTER_MODEL_DIR", "model")), signatures=classify)


def report(**said):
    print("::muster::" + json.dumps(said), flush=True)


def folder(variable, default):
    path = Path(os.environ.get(variable, default))
    path.mkdir(parents=True, exist_ok=True)
    return path


if __name__ == "__main__":
    main()
