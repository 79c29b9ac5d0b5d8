"""TensorFlow MultiWorkerMirroredStrategy: a step averages 100 KB of gradients; worker 0 saves every ten steps."""

import os
import time

import tensorflow as tf

import muster

me = muster.environment()
tf.config.threading.set_intra_op_parallelism_threads(1)
strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    weights = tf.Variable(tf.random.stateless_normal([160, 160], [1, 2]) * 0.1)
    step = tf.Variable(0, dtype=tf.int64, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
saver = tf.train.Checkpoint(weights=weights, step=step)
if me.resume_from:
    saver.restore(me.resume_from)
    print(f"resumed from step {int(step.numpy())}", flush=True)


@tf.function
def train(rows):
    def replica(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights))
        gradient = tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.MEAN, tape.gradient(loss, weights))
        weights.assign_sub(0.01 * gradient)
        step.assign_add(1)
        return loss
    return strategy.run(replica, args=(rows,))


end = int(os.environ["STEPS"])
while int(step.numpy()) < end:
    train(tf.random.normal([8, 160]))
    now = int(step.numpy())
    print(f"step {now}", flush=True)
    muster.report(step=now, total=end)
    if now % 10 == 0:
        # Both workers take part in saving; the other one's copy goes to a folder of its own.
        folder = me.checkpoint_dir if me.rank == 0 else me.model_dir
        prefix = saver.write(str(folder / f"ckpt-{now}"))
        if me.rank == 0:
            muster.report(checkpoint=os.path.basename(prefix), step=now)
    time.sleep(0.2)
