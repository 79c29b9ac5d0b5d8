"""Fashion-MNIST with TensorFlow's ParameterServerStrategy: asynchronous steps on weights that live on a parameter server.

Ordinary TensorFlow: TF_CONFIG says what this process is. The chief deals out batches and saves, workers take them,
parameter servers hold the weights, the evaluator judges each checkpoint as it appears.
"""

import argparse
import hashlib
import json
import os
import signal
import sys
import time
from pathlib import Path

import numpy
import tensorflow as tf

import fashion_mnist
from network import Network, accuracy, copy_of, export, fingerprint

tf.get_logger().setLevel("ERROR")
ROUND = 20  # steps that are dealt out together; between rounds nothing moves, so a checkpoint is exact
SAVE_EVERY = float(os.environ.get("MUSTER_CHECKPOINT_EVERY_SECONDS", 60))
STOPPED = 143  # exit code of a run that was asked to leave before its end
SERVER_LOST = 75  # exit code of a chief whose parameter server is gone: started again, it goes on from the checkpoint


def main():
    options = parse_arguments()
    if "TF_CONFIG" not in os.environ:
        sys.exit("TF_CONFIG is not set: this example needs a chief, workers and a parameter server (see README.md).")
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if resolver.task_type in ("worker", "ps"):
        serve(resolver)
    elif resolver.task_type == "evaluator":
        evaluate_checkpoints(options)
    else:
        coordinate(resolver, options)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64, help="rows in a step")
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def serve(resolver):
    """What a worker or a parameter server is: it does what the chief asks, until it is stopped."""
    tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id,
                         protocol="grpc").join()


def coordinate(resolver, options):
    train, _, test = fashion_mnist.load()
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    stop = StopRequest()
    try:
        with strategy.scope():
            network = Network(options.seed)
        chief = Chief(strategy, network, options, len(train.labels))
        untrained = int(fingerprint(network))
        chief.resume(os.environ.get("MUSTER_RESUME_FROM"))
        while chief.epoch <= options.epochs:
            if not chief.run_epoch(stop):
                sys.exit(STOPPED)
        chief.report(test_accuracy=accuracy(copy_of(network), test))
        chief.print_proofs(untrained, resolver.cluster_spec().num_tasks("worker"))
        export(copy_of(network), folder("MUSTER_MODEL_DIR", "model"))
    except (tf.errors.UnavailableError, tf.errors.AbortedError):
        print("a parameter server is gone, and the weights with it", file=sys.stderr)
        sys.exit(SERVER_LOST)


class Chief:
    """Deals out the batches, and keeps what a checkpoint needs so that a restarted chief goes on where this one stood."""

    def __init__(self, strategy, network, options, rows):
        self.network, self.options, self.rows = network, options, rows
        self.total_steps = options.epochs * -(-rows // options.batch)
        self.coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
        self.data = iter(self.coordinator.create_per_worker_dataset(training_rows))
        self.step, self.epoch, self.position = 0, 1, 0  # steps done, epoch under way, rows of it that are done
        self.saved = {name: tf.Variable(0, dtype=tf.int64) for name in ("step", "epoch", "position")}
        self.checkpoint = tf.train.Checkpoint(network=network, **self.saved)
        self.saved_at = time.monotonic()
        self.used = {}  # (epoch, worker) -> ids of the rows that this worker was given

    def run_epoch(self, stop):
        """False when somebody asked to stop. Either way, what was reached is saved."""
        order = numpy.random.default_rng((self.options.seed, self.epoch)).permutation(self.rows)
        batches = numpy.split(order, range(self.options.batch, self.rows, self.options.batch))
        done = self.position // self.options.batch
        for start in range(done, len(batches), ROUND):
            losses = self.run_round(batches[start:start + ROUND])
            self.report(loss=float(numpy.mean(losses)))
            leave = stop.wanted(self.step)
            if leave:
                break
            if self.save_is_due() and self.position < self.rows:
                self.save()
        if self.position == self.rows:
            self.epoch, self.position = self.epoch + 1, 0
        self.save()
        return not leave

    def save_is_due(self):
        return time.monotonic() - self.saved_at >= SAVE_EVERY

    def run_round(self, batches):
        """Whichever worker is free takes the next batch."""
        results = [self.coordinator.schedule(self.train_step, args=(self.data, tf.constant(ids))) for ids in batches]
        self.coordinator.join()
        losses, workers = zip(*(result.fetch() for result in results))
        for worker, ids in zip(workers, batches):
            self.used.setdefault((self.epoch, int(worker)), []).append(ids)
        self.step, self.position = self.step + len(batches), self.position + sum(map(len, batches))
        return losses

    @tf.function(reduce_retracing=True)
    def train_step(self, data, ids):
        """Runs on a worker: reads the weights, computes, and sends its change to the parameter server at once."""
        images, labels = next(data)
        with tf.GradientTape() as tape:
            logits = self.network(tf.gather(images, ids))
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.gather(labels, ids), logits))
        weights = self.network.trainable_variables
        for variable, gradient in zip(weights, tape.gradient(loss, weights)):
            variable.assign_sub(self.options.learning_rate * gradient)
        return loss, this_worker()

    def save(self):
        for name, variable in self.saved.items():
            variable.assign(getattr(self, name))
        name = f"ckpt-{self.step}"
        self.checkpoint.write(str(folder("MUSTER_CHECKPOINT_DIR", "checkpoints") / name))
        print("::muster::" + json.dumps({"checkpoint": name, "step": self.step}))
        print(f"saved {name}: weights {fingerprint(self.network)}")
        self.saved_at = time.monotonic()

    def resume(self, prefix):
        if prefix:
            self.checkpoint.read(prefix).assert_consumed()
            self.step, self.epoch, self.position = (int(variable) for variable in self.saved.values())
            print(f"resumed from {prefix}: the next step is {self.step + 1}, weights {fingerprint(self.network)}")

    def report(self, **metrics):
        print(f"step {self.step} " + " ".join(f"{name} {value:.4f}" for name, value in metrics.items()))
        epoch = min(self.epoch, self.options.epochs)
        print("::muster::" + json.dumps(
            {"step": self.step, "total": self.total_steps, "epoch": epoch, "metrics": metrics}))

    def print_proofs(self, untrained, workers):
        """What testbed/real/check_distributed.py needs to see; each worker prints its own, with the weights it reads."""
        for rank in range(workers + 1):  # the chief is rank 0
            taken = [self.used.get((epoch, rank - 1), []) for epoch in range(1, self.options.epochs + 1)]
            ids = [[row for batch in batches for row in batch] for batches in taken]
            proof = json.dumps({
                "rank": rank, "world": workers + 1, "coordinator": rank == 0, "synchronous": False,
                "steps": self.step if rank == 0 else sum(map(len, taken)), "untrained": str(untrained),
                "epochs": [{"count": len(rows), "sum": id_sum(rows), "of": self.rows} for rows in ids]})
            place = "/job:chief/task:0" if rank == 0 else f"/job:worker/task:{rank - 1}"
            try:
                with tf.device(place):
                    print_there(proof[:-1], self.network)
            except tf.errors.OpError:  # the model is trained all the same
                print(f"no proof of {place}, which is lost")


@tf.function
def print_there(proof, network):
    weights = tf.strings.as_string(fingerprint(network))
    tf.print(tf.strings.join(["PROOF ", proof, ', "weights": "', weights, '"}']), output_stream=sys.stdout)


def this_worker():
    """Asked on a worker: which one is it? Its own TF_CONFIG says so (on Linux)."""
    environment = tf.io.read_file("/proc/self/environ")
    index = tf.strings.regex_replace(environment, r'(?s).*TF_CONFIG=[^\x00]*"index": *(\d+).*', r"\1")
    return tf.strings.to_number(index, tf.int32)


def training_rows():
    """Runs on each worker: it reads its own copy of the files, once, and gives all images and labels every time."""
    def numbers(name, header):
        path = str(fashion_mnist.place() / f"{name}.gz")
        return tf.io.decode_raw(tf.io.decode_compressed(tf.io.read_file(path), "GZIP"), tf.uint8)[header:]

    images = tf.reshape(numbers("train-images-idx3-ubyte", fashion_mnist.IMAGE_HEADER), (-1, 28, 28))
    labels = tf.cast(numbers("train-labels-idx1-ubyte", fashion_mnist.LABEL_HEADER), tf.int64)
    return tf.data.Dataset.from_tensors((images, labels)).repeat()


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


def evaluate_checkpoints(options):
    """What the evaluator is: it judges each new checkpoint, up to the last one."""
    train, validation, _ = fashion_mnist.load()
    network, step = Network(options.seed), tf.Variable(0, dtype=tf.int64)
    last_step = options.epochs * -(-len(train.labels) // options.batch)
    while step < last_step:
        prefix = newest_checkpoint(folder("MUSTER_CHECKPOINT_DIR", "checkpoints"))
        if prefix and step_of(prefix) > step:
            tf.train.Checkpoint(network=network, step=step).read(str(prefix)).expect_partial()
            print(f"step {int(step)} validation_accuracy {accuracy(network, validation):.4f} weights {fingerprint(network)}")
        else:
            time.sleep(0.5)


def newest_checkpoint(place):
    return max((index.with_suffix("") for index in place.glob("ckpt-*.index")), key=step_of, default=None)


def step_of(prefix):
    return int(prefix.name.rpartition("-")[2])


def folder(variable, default):
    path = Path(os.environ.get(variable, default))
    path.mkdir(parents=True, exist_ok=True)
    return path


def id_sum(ids):
    """Sums of several workers add up to that of all ids only if each id was used exactly once."""
    return "%064x" % (sum(int.from_bytes(hashlib.sha256(b"%d" % i).digest(), "big") for i in ids) % 2**256)


if __name__ == "__main__":
    main()
