"""A table of weights too large for one parameter server: each of two servers holds half of its rows.

Ordinary TensorFlow: `variable_partitioner` cuts what is large, a lookup asks the server that has the row. The chief
hands out one batch at a time, so the steps are those of one process (the chief repeats them and compares);
asynchronous training, checkpoints and lost servers are in ../../tensorflow-parameter-server.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import numpy
import tensorflow as tf

ROWS, WIDTH, BATCH = 4_000, 16, 512
RATE = BATCH * WIDTH / 5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=40)
    options = parser.parse_args()
    if "TF_CONFIG" not in os.environ:
        sys.exit("TF_CONFIG is not set: this example needs a chief, a worker and two parameter servers (see job.yaml).")
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if resolver.task_type in ("worker", "ps"):
        tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id,
                             protocol="grpc").join()
    servers = resolver.cluster_spec().num_tasks("ps")
    partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(min_shard_bytes=64 << 10, max_shards=servers)
    strategy = tf.distribute.ParameterServerStrategy(resolver, variable_partitioner=partitioner)
    with strategy.scope():
        table = tf.Variable(first_table())
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)

    @tf.function
    def step(ids, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.nn.embedding_lookup(table, ids) - targets))
        for shard, gradient in zip(table.variables, tape.gradient(loss, table.variables)):
            shard.scatter_sub(tf.IndexedSlices(RATE * gradient.values, gradient.indices))
        return loss

    for number in range(1, options.steps + 1):
        ids, targets = data(number)
        result = coordinator.schedule(step, args=(tf.constant(ids), tf.constant(targets)))
        coordinator.join()
        print("::muster::" + json.dumps({"step": number, "total": options.steps, "metrics": {"loss": float(result.fetch())}}))
    places = [shard.device.split("/task:")[1].split("/")[0] for shard in table.variables]
    print("rows by server:", {f"ps-{place}": shard.shape[0] for place, shard in zip(places, table.variables)})
    trained = numpy.concatenate([shard.numpy() for shard in table.variables])
    print(f"largest difference from one process: {numpy.abs(trained - in_one_process(options.steps)).max():.3g},"
          f" from the untrained table: {numpy.abs(trained - first_table()).max():.3g}", flush=True)
    folder = Path(os.environ.get("MUSTER_MODEL_DIR", "model"))
    folder.mkdir(parents=True, exist_ok=True)
    numpy.save(folder / "table.npy", trained)


def first_table():
    return numpy.random.default_rng(1).normal(size=(ROWS, WIDTH)).astype(numpy.float32)


def data(number):
    """Rows that are looked up in this step, and what they should be."""
    random = numpy.random.default_rng((2, number))
    ids = random.integers(ROWS, size=BATCH)
    return ids, numpy.sin(ids[:, None] + numpy.arange(WIDTH)).astype(numpy.float32)


def in_one_process(steps):
    """The same steps by plain arithmetic."""
    table = first_table()
    for number in range(1, steps + 1):
        ids, targets = data(number)
        gradient = 2 * (table[ids] - targets) / targets.size
        numpy.subtract.at(table, ids, RATE * gradient)
    return table


if __name__ == "__main__":
    main()
