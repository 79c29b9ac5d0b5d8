"""A CNN for Fashion-MNIST with Horovod and TensorFlow 2.15. Ordinary Horovod: `horovodrun -np 2 python train_tensorflow.py` trains too."""

import argparse
import hashlib
import json
import os
import time
from pathlib import Path

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

import fashion_mnist

SAVE_EVERY = float(os.environ.get("MUSTER_CHECKPOINT_EVERY_SECONDS", 60))
REPORT_EVERY = 10  # steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32, help="rows a rank takes in a step")
    options = parser.parse_args()
    hvd.init()
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.keras.utils.set_random_seed(1)
    train, _, test = fashion_mnist.load()
    rows, share = len(train.labels), options.batch * hvd.size()
    steps_an_epoch = -(-rows // share)
    model = network()
    untrained = digest(model)
    optimizer = tf.keras.optimizers.Adam(0.001)
    optimizer.build(model.trainable_variables)
    done = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, step=done)
    if os.environ.get("MUSTER_RESUME_FROM") and hvd.rank() == 0:
        checkpoint.restore(os.environ["MUSTER_RESUME_FROM"])
        print(f"resumed from {os.environ['MUSTER_RESUME_FROM']}: the next step is {int(done) + 1}", flush=True)
    hvd.broadcast_variables(model.variables + optimizer.variables + [done], root_rank=0)
    cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(images, labels):
        with hvd.DistributedGradientTape(tf.GradientTape()) as tape:
            loss = cross_entropy(labels, model(images, training=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    step, total, saved_at, used = int(done), options.epochs * steps_an_epoch, time.monotonic(), {}
    while step < total:
        epoch, place = divmod(step, steps_an_epoch)
        order = np.random.default_rng(epoch).permutation(rows)  # the same on all ranks
        mine = order[place * share:(place + 1) * share][hvd.rank()::hvd.size()]
        loss = train_step(pixels(train.images[mine]), tf.constant(train.labels[mine]))
        step += 1
        used.setdefault(epoch, []).extend(mine.tolist())
        if step % REPORT_EVERY == 0:
            report(step=step, total=total, epoch=epoch + 1, metrics={"loss": round(float(loss), 4)})
        if hvd.rank() == 0 and time.monotonic() - saved_at >= SAVE_EVERY:
            done.assign(step)
            path = checkpoint.write(str(folder("MUSTER_CHECKPOINT_DIR", "checkpoints") / f"ckpt-{step}"))
            report(checkpoint=Path(path).name, step=step)
            saved_at = time.monotonic()

    epochs = [{"count": len(ids), "sum": id_sum(ids), "of": rows} for ids in used.values()]
    print("PROOF " + json.dumps({"rank": hvd.rank(), "world": hvd.size(), "steps": step, "weights": digest(model),
                                 "untrained": untrained, "epochs": epochs}), flush=True)
    if hvd.rank() == 0:
        right = [np.argmax(model(pixels(images)), axis=1) for images in np.array_split(test.images, 20)]
        report(step=step, total=total, metrics={"test_accuracy": float((np.concatenate(right) == test.labels).mean())})
        tf.saved_model.save(model, str(folder("MUSTER_MODEL_DIR", "model")))
    hvd.shutdown()


def network():
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(), layers.Conv2D(64, 3, activation="relu"),
        layers.MaxPooling2D(), layers.Flatten(), layers.Dense(128, activation="relu"), layers.Dense(10)])
    model.build((None, 28, 28, 1))
    return model


def pixels(images):
    return tf.constant(images[..., None].astype(np.float32) / 255)


def folder(variable, otherwise):
    path = Path(os.environ.get(variable, otherwise))
    path.mkdir(parents=True, exist_ok=True)
    return path


def report(**words):
    if hvd.rank() == 0:
        print("::muster::" + json.dumps(words), flush=True)


def digest(model):
    return hashlib.sha256(b"".join(variable.numpy().tobytes() for variable in model.variables)).hexdigest()


def id_sum(ids):
    """What testbed/real/check_distributed.py needs to see that each row was used once by one rank."""
    return "%064x" % (sum(int.from_bytes(hashlib.sha256(b"%d" % i).digest(), "big") for i in ids) % 2**256)


if __name__ == "__main__":
    main()
