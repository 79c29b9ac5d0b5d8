"""Shows what a process is told, reports a little progress, and leaves a model: the mean of this worker's numbers."""

import json
import os
import time
from pathlib import Path

told = {name: value for name, value in sorted(os.environ.items()) if name.startswith("MUSTER_")}
rank, world = int(told.get("MUSTER_RANK", 0)), int(told.get("MUSTER_WORLD_SIZE", 1))
print(f"{os.environ.get('GREETING', 'Hello')} from rank {rank} of {world}")
for name, value in told.items():
    print(f"{name}={value}")

numbers = range(rank, 100, world)  # each rank has its own share
mean = 0.0
for step, number in enumerate(numbers, start=1):
    mean += (number - mean) / step
    if step % 10 == 0 or step == len(numbers):
        print("::muster::" + json.dumps({"step": step, "total": len(numbers), "metrics": {"mean": mean}}))
        time.sleep(0.1)  # so that there is something to watch

model = Path(told.get("MUSTER_MODEL_DIR", ".")) / "model.json"
model.write_text(json.dumps({"mean": mean, "numbers": len(numbers)}) + "\n")
print(f"wrote {model}")
