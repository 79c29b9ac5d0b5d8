"""What a process is given, its limits, and how it is ended: by the command line, on backend local."""

import json
import os
import time
from pathlib import Path

from harness import alive, expect, marked, until

TWO = """
name: {name}
framework: pytorch
workers: 2
command: [python3, -c, {script}]
env: {{A: "l1\\nl2", B: "x=y=", C: '64(x2) $HOME "q"', D: ""}}
grace: 2s
"""


def job(muster, name, text):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir(exist_ok=True)
    (folder / "job.yaml").write_text(text)
    return folder / "job.yaml"


def plan_is_what_is_launched(muster):
    """B56, and the contract's plan: byte for byte what /proc/PID/environ and cmdline hold, addresses apart."""
    file = job(muster, "plan", TWO.format(name="plan", script=json.dumps("import time; time.sleep(60)")))
    plan = muster.json("plan", file)
    expect(plan["addresses"] == "sample", plan["addresses"])
    ident = muster.submit(file)
    document = until(lambda: (d := muster.get(ident)) and all(p["pid"] for p in d["processes"]) and d["processes"] and d, 30,
                     "both processes run")
    until(lambda: all(b"sleep" in Path(f"/proc/{p['pid']}/cmdline").read_bytes() for p in document["processes"]), 10, "exec")
    planned = {p["name"]: p for p in plan["processes"]}
    for process in document["processes"]:
        env = dict(e.split("=", 1) for e in Path(f"/proc/{process['pid']}/environ").read_bytes().decode().split("\0")[:-1])
        argv = Path(f"/proc/{process['pid']}/cmdline").read_bytes().decode().split("\0")[:-1]
        want = dict(planned[process["name"]]["env"])
        for address in ("MASTER_ADDR", "MASTER_PORT"):
            expect(env.pop(address) and want.pop(address), address)
        expect(env == want, f"{process['name']}: differs in {sorted(k for k in env.keys() | want.keys() if env.get(k) != want.get(k))}")
        expect(argv == planned[process["name"]]["argv"], f"argv {argv}")
    muster("cancel", ident, "--wait")


def memory_limit(muster):
    """Over its limit is OutOfMemory within 5 s, and the neighbour is unharmed."""
    hog = "import time\\nprint('grow', flush=True)\\nb = []\\nwhile True: b.append(bytearray(8 << 20)); time.sleep(0.005)"
    text = 'name: {}\nframework: plain\ncommand: [python3, -c, "{}"]\nresources: {{memory: {}}}\ngrace: 2s\n'
    calm = muster.submit(job(muster, "calm", text.format("calm", "import time; time.sleep(120)", "64MiB")))
    muster.wait(calm, "Running", 30)
    ident = muster.submit(job(muster, "hog", text.format("hog", hog, "96MiB")))
    begun = time.monotonic()
    document = until(lambda: (d := muster.get(ident))["state"] == "Failed" and d, 30, "it fails")
    took = time.monotonic() - begun
    expect(document["cause"] == "OutOfMemory", f"{document['cause']}: {document['reason']}")
    expect(muster.state(calm) == "Running", "the neighbour is unharmed")
    muster("cancel", calm)
    return f"OutOfMemory {took:.1f} s after submission"


MPI_HOG = """
import time
from mpi4py import MPI
world = MPI.COMM_WORLD
world.Barrier()
kept = []
while world.Get_rank() == 3:
    kept.append(bytearray(8 << 20))
    time.sleep(0.005)
world.Barrier()
"""
MPI = """
name: mpi-hog
framework: mpi
workers: 2
processesPerWorker: 2
command: [mpirun, /usr/bin/python3, hog.py]
code: .
resources: {memory: 320MiB}
restart: {max: 1}
grace: 2s
"""


def memory_limit_of_an_mpi_rank(muster, *options):
    """A rank over its worker's limit: what mpirun says of it is explained by the worker's own record, so it is not tried again."""
    file = job(muster, "mpi-hog", MPI)
    (file.parent / "hog.py").write_text(MPI_HOG)
    ident = muster.submit(file, *options)
    document = until(lambda: (d := muster.get(ident))["state"] == "Failed" and d, 60, "it fails")
    expect(document["cause"] == "OutOfMemory" and document["restarts"] == 0, f"{document['cause']}: {document['reason']}")
    expect("worker-1" in document["reason"] and "rank 3" in document["reason"], document["reason"])
    return document["reason"]


def half_a_core(muster):
    """cpus: 0.5 gets 45 to 55 % of a core."""
    text = 'name: half\nframework: plain\ncommand: [python3, -c, "while True: pass"]\nresources: {cpus: 0.5}\ngrace: 1s\n'
    ident = muster.submit(job(muster, "half", text))
    pid = muster.wait(ident, "Running", 30)["processes"][0]["pid"]
    used = lambda: sum(int(n) for n in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])
    time.sleep(0.5)
    shares = []
    for _ in range(4):
        begun, before = time.monotonic(), used()
        time.sleep(6)
        shares.append((used() - before) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - begun))
        if shares[-1] >= 0.45:
            break  # with less the machine may have had no more to give
    muster("cancel", ident, "--wait")
    expect(max(shares) <= 0.55 and shares[-1] >= 0.45, f"got of a core, over 6 s each: {shares}")
    return f"{shares[-1]:.3f} of a core"


def grandchildren_die(muster):
    """B47: children that ignore TERM, live in a session of their own, or have no environment end with their job; a neighbour does not."""
    mark = muster.home.parent / f"{muster.home.name}-pids"
    script = ("sh -c 'trap \"\" TERM; echo $$ >> {m}; sleep 600 & wait; sleep 600' & "
              "env -i setsid sh -c 'echo $$ >> {m}; sleep 600; true' & setsid sleep 600 & sleep 600").format(m=mark)
    neighbour = muster.submit(job(muster, "near", "name: near\nframework: plain\ncommand: sleep 60\ngrace: 1s\n"))
    ident = muster.submit(job(muster, "tree", f"name: tree\nframework: plain\ncommand: {json.dumps(script)}\ngrace: 2s\n"))
    until(lambda: mark.exists() and len(mark.read_text().split()) == 2, 20, "the tree has grown")
    near = muster.wait(neighbour, "Running", 20)["processes"][0]["pid"]
    begun = time.monotonic()
    muster("cancel", ident, "--wait")
    took = time.monotonic() - begun
    muster.wait(ident, "Cancelled", 10)
    left = [pid for pid in map(int, mark.read_text().split()) if alive(pid)] + marked(ident)
    expect(not left, f"left behind: {left}")
    expect(alive(near), "the neighbour lives")
    muster("cancel", neighbour, "--wait")
    return f"cancelled in {took:.1f} s"


def secret_is_nowhere(muster):
    """B58, A11: found only in the worker's environment."""
    text = ("name: secret\nframework: plain\ncommand: [python3, -c, \"import os, time; print(len(os.environ['TOKEN'])); time.sleep(60)\"]\n"
            "secrets: {TOKEN: {env: HF_TOKEN}}\ngrace: 1s\n")
    file = job(muster, "secret", text)
    muster("submit", file, code=2)
    ident = json.loads(muster("submit", file, "-o", "json", HF_TOKEN="s3cr3tXYZ"))["id"]
    pid = muster.wait(ident, "Running", 30)["processes"][0]["pid"]
    expect(b"TOKEN=s3cr3tXYZ" in Path(f"/proc/{pid}/environ").read_bytes(), "the worker has it")
    shown = "".join(muster(*words) for words in (("get", ident, "-o", "json"), ("get", ident), ("events", ident), ("logs", ident)))
    shown += muster("plan", file, HF_TOKEN="s3cr3tXYZ")
    expect("s3cr3tXYZ" not in shown, "no answer shows it")
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        if entry.parent.name != str(os.getpid()):
            try:
                expect(b"s3cr3tXYZ" not in entry.read_bytes(), f"process list shows it: {entry}")
            except OSError:
                pass
    for path in muster.home.rglob("*"):
        if path.is_file() and not path.is_relative_to(muster.home / "envs"):
            expect(b"s3cr3tXYZ" not in path.read_bytes(), f"{path} holds it")
    muster("cancel", ident, "--wait")


def start_lock(muster):
    """Many first commands at once start one service."""
    import subprocess
    from harness import MUSTER
    calls = [subprocess.Popen([MUSTER, "local", "status", "-o", "json"], env=muster.env, stdout=subprocess.PIPE) for _ in range(4)]
    lists = [subprocess.Popen([MUSTER, "list", "-o", "json"], env=muster.env, stdout=subprocess.PIPE) for _ in range(8)]
    for call in calls + lists:
        out, _ = call.communicate(timeout=60)
        expect(call.returncode == 0, f"ended with {call.returncode}: {out}")
    running = [p for p in Path("/proc").glob("[0-9]*/cmdline")
               if b"dev.muster.server.Main" in (c := read(p)) and str(muster.home).encode() in c]
    expect(len(running) == 1, f"{len(running)} services run")


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


CASES = [start_lock, plan_is_what_is_launched, memory_limit, memory_limit_of_an_mpi_rank, half_a_core, grandchildren_die, secret_is_nowhere]
