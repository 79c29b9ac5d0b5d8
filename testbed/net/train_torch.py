"""PyTorch DDP over Gloo: a step exchanges 100 KB of gradients; rank 0 saves every ten steps."""

import os
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import muster

me = muster.environment()
torch.manual_seed(0)
torch.set_num_threads(1)
dist.init_process_group("gloo")
model = DistributedDataParallel(torch.nn.Linear(160, 160))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
step = 0
if me.resume_from:
    saved = torch.load(me.resume_from)
    model.load_state_dict(saved["model"])
    step = saved["step"]
    print(f"resumed from step {step}", flush=True)
end = int(os.environ["STEPS"])
while step < end:
    optimizer.zero_grad()
    model(torch.randn(8, 160)).pow(2).mean().backward()
    optimizer.step()
    step += 1
    print(f"step {step}", flush=True)
    muster.report(step=step, total=end)
    if step % 10 == 0 and me.rank == 0:
        name = f"step-{step}.pt"
        torch.save({"model": model.state_dict(), "step": step}, me.checkpoint_dir / "tmp.pt")
        os.rename(me.checkpoint_dir / "tmp.pt", me.checkpoint_dir / name)
        muster.report(checkpoint=name, step=step)
    time.sleep(0.2)
