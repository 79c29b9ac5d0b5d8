"""mpi4py: each step sums a number over all ranks. Saves nothing, so a restarted run begins anew."""

import json
import os
import sys
import time

from mpi4py import MPI

world = MPI.COMM_WORLD
end = int(os.environ["STEPS"])
for step in range(1, end + 1):
    total = world.allreduce(1)
    assert total == world.Get_size(), total
    if world.Get_rank() == 0:
        sys.stdout.write(f"step {step}\n::muster::" + json.dumps({"step": step, "total": end}) + "\n")
        sys.stdout.flush()
    time.sleep(0.2)
