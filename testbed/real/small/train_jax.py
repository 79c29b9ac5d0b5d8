"""JAX on several processes: each step sums a number over all of them; process 0 saves every five steps."""

import json
import os
import time

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils

import muster

me = muster.environment()
jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(num_processes=int(os.environ["JAX_NUM_PROCESSES"]), process_id=int(os.environ["JAX_PROCESS_ID"]))
step = 0
if me.resume_from:
    with open(os.path.join(me.resume_from, "state.json")) as file:
        step = json.load(file)["step"]
    print(f"resumed from step {step}", flush=True)
end = int(os.environ["STEPS"])
while step < end:
    total = multihost_utils.process_allgather(jnp.ones(100)).sum()
    assert total == 100 * jax.process_count(), total
    step += 1
    print(f"step {step}", flush=True)
    muster.report(step=step, total=end)
    if step % 5 == 0 and me.rank == 0:
        folder = me.checkpoint_dir / f"step-{step}"
        folder.mkdir()
        (folder / "state.json").write_text(json.dumps({"step": step}))
        (folder / "_COMPLETE").touch()
        muster.report(checkpoint=folder.name, step=step)
    time.sleep(0.2)
