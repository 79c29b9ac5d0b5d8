"""A table of weights too large for one parameter server: each of two servers holds half of its rows.

Ordinary TensorFlow: `variable_partitioner` cuts what is large, a lookup asks the server that has the row. The chief
hands out one batch at a time, so the steps are those of one process (the chief repeats them and compares);
asynchronous training, checkpoints and lost servers are in ../../tensorflow-parameter-server. The table is made where it
stays, shard by shard, and never whole anywhere: with `--rows 6000000` it has 732 MiB.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import numpy
import tensorflow as tf

WIDTH, BATCH = 32, 512
RATE = BATCH * WIDTH / 5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=4_000, help="of the table")
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
        table = tf.Variable(lambda shape=(options.rows, WIDTH), dtype=tf.float32, **part: tf.zeros(part.get("partition_shape", shape), dtype),
                            shape=(options.rows, WIDTH), dtype=tf.float32)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)

    @tf.function
    def step(ids, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.nn.embedding_lookup(table, ids) - targets))
        for shard, gradient in zip(table.variables, tape.gradient(loss, table.variables)):
            shard.scatter_sub(tf.IndexedSlices(RATE * gradient.values, gradient.indices))
        return loss

    @tf.function
    def look_up(ids):
        return tf.nn.embedding_lookup(table, ids)

    for number in range(1, options.steps + 1):
        ids, targets = data(number, options.rows)
        result = coordinator.schedule(step, args=(tf.constant(ids), tf.constant(targets)))
        coordinator.join()
        print("::muster::" + json.dumps({"step": number, "total": options.steps, "metrics": {"loss": float(result.fetch())}}))
    places = [shard.device.split("/task:")[1].split("/")[0] for shard in table.variables]
    print("rows by server:", {f"ps-{place}": shard.shape[0] for place, shard in zip(places, table.variables)})
    used, expected = in_one_process(options.steps, options.rows)
    trained = coordinator.schedule(look_up, args=(tf.constant(used),)).fetch()
    print(f"largest difference from one process: {numpy.abs(trained - expected).max():.3g}, learnt: {numpy.abs(trained).max():.3g}",
          flush=True)
    folder = Path(os.environ.get("MUSTER_MODEL_DIR", "model"))
    folder.mkdir(parents=True, exist_ok=True)
    numpy.savez(folder / "rows.npz", ids=used, values=trained)


def data(number, rows):
    """Rows that are looked up in this step, and what they should be."""
    random = numpy.random.default_rng((2, number))
    ids = random.integers(rows, size=BATCH)
    return ids, numpy.sin(ids[:, None] + numpy.arange(WIDTH)).astype(numpy.float32)


def in_one_process(steps, rows):
    """The rows that were ever looked up, and their values after the same steps by plain arithmetic."""
    batches = [data(number, rows) for number in range(1, steps + 1)]
    used = numpy.unique(numpy.concatenate([ids for ids, _ in batches]))
    values = numpy.zeros((len(used), WIDTH), numpy.float32)
    for ids, targets in batches:
        places = numpy.searchsorted(used, ids)
        numpy.subtract.at(values, places, RATE * 2 * (values[places] - targets) / targets.size)
    return used, values


if __name__ == "__main__":
    main()
