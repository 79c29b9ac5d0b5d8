"""ParameterServerStrategy on made-up rows of a linear model, its parameters on a parameter server. MODE says what a step is:

sync    every worker computes a gradient on its share of the rows, at the same parameters; their mean is one step
async   a worker adds its own gradient as soon as it has it; the chief deals out work until the file GATE is there
"""

import json
import os
import time
from pathlib import Path

import numpy
import tensorflow as tf

WIDTH, ROWS, RATE, STEPS, AT_ONCE = 16, 64, 0.1, 30, 8
TRUE = numpy.sin(numpy.arange(WIDTH)).astype(numpy.float32)

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id, protocol="grpc").join()
workers = resolver.cluster_spec().num_tasks("worker")
strategy = tf.distribute.ParameterServerStrategy(resolver)
with strategy.scope():
    parameters = tf.Variable(tf.zeros(WIDTH))
    taken = tf.Variable(tf.zeros(workers, tf.int64))  # steps of each worker
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)


def batch(number):
    rows = numpy.random.default_rng(number).normal(size=(ROWS, WIDTH)).astype(numpy.float32)
    return rows, rows @ TRUE


def this_worker():
    """Asked on a worker: its own number, by its TF_CONFIG."""
    index = tf.strings.regex_replace(tf.io.read_file("/proc/self/environ"), r'(?s).*TF_CONFIG=[^\x00]*"index": *(\d+).*', r"\1")
    return tf.strings.to_number(index, tf.int32)


@tf.function
def gradient(rows, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.linalg.matvec(rows, parameters) - targets))
    taken.scatter_add(tf.IndexedSlices(tf.constant(1, tf.int64), this_worker()))
    return tape.gradient(loss, parameters)


@tf.function
def step(rows, targets):
    parameters.assign_sub(RATE * gradient(rows, targets))


def report(number):
    print("::muster::" + json.dumps({"step": number, "total": STEPS}), flush=True)


def synchronous():
    alone = numpy.zeros(WIDTH, numpy.float32)
    for number in range(1, STEPS + 1):
        rows, targets = batch(number)
        shares = [coordinator.schedule(gradient, args=(tf.constant(rows[part::workers]), tf.constant(targets[part::workers]))) for part in range(workers)]
        coordinator.join()
        parameters.assign_sub(RATE * tf.add_n([share.fetch() for share in shares]) / workers)
        alone -= RATE * 2 / ROWS * rows.T @ (rows @ alone - targets)
        report(number)
    print(f"largest difference from one process: {numpy.abs(parameters.numpy() - alone).max():.3g}, learnt: {numpy.abs(alone).max():.3g}", flush=True)


def asynchronous():
    dealt = 0
    while not Path(os.environ["GATE"]).exists():
        done = int(tf.reduce_sum(taken))
        for number in range(dealt, done + AT_ONCE):
            coordinator.schedule(step, args=tuple(map(tf.constant, batch(number))))
            dealt += 1
        report(done)
        time.sleep(0.02)
    coordinator.join()
    print(f"distance from the best: {numpy.abs(parameters.numpy() - TRUE).max():.3g}, learnt: {numpy.abs(parameters.numpy()).max():.3g}", flush=True)


synchronous() if os.environ["MODE"] == "sync" else asynchronous()
print("steps by worker:", taken.numpy().tolist(), flush=True)
