"""A CNN for Fashion-MNIST, trained by all workers at once with MultiWorkerMirroredStrategy.

Ordinary TensorFlow: TF_CONFIG says who the workers are, the MUSTER_ variables say where things lie.
Each of them has a default, so `python train.py` by itself trains too, on one machine.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy
import tensorflow as tf

import fashion_mnist

keras = tf.keras
SUM = tf.distribute.ReduceOp.SUM
REPORT_EVERY = 10  # steps
SAVE_EVERY = float(os.environ.get("MUSTER_CHECKPOINT_EVERY_SECONDS", 60))
STOPPED = 143  # exit code of a run that was asked to leave before its end


def main():
    options = parse_arguments()
    keras.utils.set_random_seed(options.seed)
    tf.config.experimental.enable_op_determinism()  # the same seed gives the same weights, bit for bit
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    stop = StopRequest()  # after the strategy, which takes SIGTERM for itself
    train, validation, test = fashion_mnist.load()

    trainer = Trainer(strategy, options, len(train.labels))
    untrained = digest(trainer.model)
    trainer.resume(os.environ.get("MUSTER_RESUME_FROM"))
    going_on = True
    while going_on and trainer.epoch <= options.epochs:
        going_on = trainer.run_epoch(train, validation, stop)
    if going_on:
        trainer.report(test_accuracy=trainer.accuracy(test))
        trainer.print_proof(untrained)
        if trainer.is_chief:
            export(trainer.model, folder("MUSTER_MODEL_DIR", "model"))
    trainer.sum_over_workers([0.0])  # nobody leaves while another one is still writing
    sys.exit(0 if going_on else STOPPED)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=64, help="rows a worker takes in a step")
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def build_model():
    """Takes pixels as the files have them (0..255): training and serving cannot scale them differently."""
    return keras.Sequential([
        keras.Input((28, 28)),
        keras.layers.Reshape((28, 28, 1)),
        keras.layers.Rescaling(1 / 255),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Flatten(),
        keras.layers.Dense(128, activation="relu"),
        keras.layers.Dense(len(fashion_mnist.CLASSES)),
    ])


class Trainer:
    """A model, and all that a checkpoint of it holds so that a restarted run goes on as if nothing had happened."""

    def __init__(self, strategy, options, rows):
        self.strategy, self.options, self.rows = strategy, options, rows
        self.rank, self.world = rank_and_world(strategy.cluster_resolver)
        self.is_chief = self.rank == 0
        self.global_batch = options.batch * self.world
        self.total_steps = options.epochs * -(-rows // self.global_batch)
        with strategy.scope():
            self.model = build_model()
            self.optimizer = keras.optimizers.Adam(options.learning_rate)
            self.optimizer.build(self.model.trainable_variables)
        self.step, self.epoch, self.position = 0, 1, 0  # steps done, epoch under way, rows of it that are done
        self.saved = {name: tf.Variable(0, dtype=tf.int64) for name in ("step", "epoch", "position")}
        self.checkpoint = tf.train.Checkpoint(model=self.model, optimizer=self.optimizer, **self.saved)
        self.saved_at = time.monotonic()
        self.used = {}  # epoch -> ids of the rows that this worker was given

    def run_epoch(self, rows, validation, stop):
        """False when somebody asked to stop. Either way, what was reached is saved."""
        first_step = self.step + 1
        used = self.used.setdefault(self.epoch, [])
        for batch in self.batches(rows):
            size = min(self.global_batch, self.rows - self.position)
            wishes = [self.save_is_due(), stop.wanted(self.step + 1)]
            (loss, save, leave), ids = self.train_step(batch, float(size), tf.cast(wishes, tf.float32))
            self.step, self.position = self.step + 1, self.position + size
            used.extend(ids.numpy())
            if self.step % REPORT_EVERY == 0 or self.step == first_step:
                self.report(loss=float(loss))
            if leave:
                break
            if save and self.position < self.rows:
                self.save()
        if self.position == self.rows:
            self.report(validation_accuracy=self.accuracy(validation))
            self.epoch, self.position = self.epoch + 1, 0
        self.save()
        return not leave

    def batches(self, rows):
        """This worker's share of what is left of the epoch. The order depends on seed and epoch only."""
        order = numpy.random.default_rng((self.options.seed, self.epoch)).permutation(self.rows)[self.position:]
        images, labels = tf.constant(rows.images), tf.constant(rows.labels)

        def share(context):
            ids = order[context.input_pipeline_id::context.num_input_pipelines]
            batches = tf.data.Dataset.from_tensor_slices(ids).batch(self.options.batch)
            return batches.map(lambda ids: (tf.gather(images, ids), tf.gather(labels, ids), ids)).prefetch(2)

        return self.strategy.distribute_datasets_from_function(share)

    @tf.function(reduce_retracing=True)
    def train_step(self, batch, size, wishes):
        """One step of all workers. A wish of one (to save, to leave) reaches all of them, so all do the same next."""
        def on_replica(images, labels, ids):
            with tf.GradientTape() as tape:
                logits = self.model(images, training=True)
                losses = keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
                loss = tf.reduce_sum(losses) / size  # gradients are summed over workers, so size is the global batch
            gradients = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
            total = tf.distribute.get_replica_context().all_reduce(SUM, tf.concat([[loss], wishes], 0))
            return tf.unstack(total), ids

        return self.strategy.run(on_replica, args=batch)

    def accuracy(self, rows):
        """Each worker judges its share of the rows."""
        share = slice(self.rank, None, self.world)
        right = predict(self.model, rows.images[share]).argmax(1) == rows.labels[share]
        return float(self.sum_over_workers([float(right.sum())])[0]) / len(rows.labels)

    @tf.function
    def sum_over_workers(self, values):
        return self.strategy.run(lambda: tf.distribute.get_replica_context().all_reduce(SUM, tf.stack(values)))

    def save_is_due(self):
        return self.is_chief and time.monotonic() - self.saved_at >= SAVE_EVERY

    def save(self):
        """All workers take part, as TensorFlow asks of them; only the chief's files stay."""
        for name, variable in self.saved.items():
            variable.assign(getattr(self, name))
        name = f"ckpt-{self.step}"
        if self.is_chief:
            self.checkpoint.write(str(folder("MUSTER_CHECKPOINT_DIR", "checkpoints") / name))
            print("::muster::" + json.dumps({"checkpoint": name, "step": self.step}))
        else:
            scratch = tempfile.mkdtemp()
            self.checkpoint.write(f"{scratch}/{name}")
            shutil.rmtree(scratch)
        self.saved_at = time.monotonic()

    def resume(self, prefix):
        if prefix:
            self.checkpoint.read(prefix).assert_consumed()
            self.step, self.epoch, self.position = (int(variable) for variable in self.saved.values())
            print(f"resumed from {prefix}: the next step is {self.step + 1}")

    def report(self, **metrics):
        print(f"step {self.step} " + " ".join(f"{name} {value:.4f}" for name, value in metrics.items()))
        if self.is_chief:
            epoch = min(self.epoch, self.options.epochs)
            print("::muster::" + json.dumps(
                {"step": self.step, "total": self.total_steps, "epoch": epoch, "metrics": metrics}))

    def print_proof(self, untrained):
        """What testbed/real/check_distributed.py needs to see that the workers trained one model together."""
        epochs = [{"count": len(ids), "sum": id_sum(ids), "of": self.rows} for ids in self.used.values()]
        print("PROOF " + json.dumps({"rank": self.rank, "world": self.world, "steps": self.step, "epochs": epochs,
                                     "weights": digest(self.model), "untrained": untrained}))


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


def rank_and_world(resolver):
    """The place among all training processes, chief first; alone it is 0 of 1."""
    cluster = resolver.cluster_spec().as_dict()
    tasks = [(kind, index) for kind in ("chief", "worker") for index in range(len(cluster.get(kind, [])))]
    return (tasks.index((resolver.task_type, resolver.task_id)), len(tasks)) if tasks else (0, 1)


def predict(model, images, batch=500):
    infer = tf.function(lambda images: model(images, training=False))
    return numpy.concatenate([infer(images[start:start + batch]) for start in range(0, len(images), batch)])


def export(model, target):
    """A SavedModel from pixels to probabilities, made from a copy that knows of no other workers."""
    copy = build_model()
    copy.set_weights(model.get_weights())

    @tf.function(input_signature=[tf.TensorSpec((None, 28, 28), tf.float32, "image")])
    def classify(image):
        return {"probabilities": tf.nn.softmax(copy(image))}

    tf.saved_model.save(copy, str(target), signatures=classify)
    (target / "classes.txt").write_text("\n".join(fashion_mnist.CLASSES) + "\n")


def folder(variable, default):
    path = Path(os.environ.get(variable, default))
    path.mkdir(parents=True, exist_ok=True)
    return path


def digest(model):
    return hashlib.sha256(b"".join(weights.tobytes() for weights in model.get_weights())).hexdigest()


def id_sum(ids):
    """Sums of several workers add up to that of all ids only if each id was used exactly once."""
    return "%064x" % (sum(int.from_bytes(hashlib.sha256(b"%d" % i).digest(), "big") for i in ids) % 2**256)


if __name__ == "__main__":
    main()
