"""Each framework on each backend: a killed worker comes back and the training ends well; a cancelled training ends at once, with nothing left."""

import functools
import os
import shutil
import signal
import subprocess
import time

from claims import claim
from elastic_cases import pids
from frameworks_cases import EXAMPLES, train, xgboost_two_workers
from harness import MUSTER, ROOT, expect, marked, until
from stall_cases import trainer

JOB = """
name: {name}
framework: {framework}
workers: 2
command: {command}
code: .
env: {{OMP_NUM_THREADS: "1", TF_CPP_MIN_LOG_LEVEL: "2", STEPS: "{steps}", PET_REDIRECTS: "2", PET_TEE: "2"}}
restart: {{max: 1, backoff: {{first: 0s}}}}
grace: 5s
"""
SYSTEM = "environment: {python: {interpreter: /usr/bin/python3, systemPackages: true}}\n"
REQUIREMENTS = "environment: {python: {requirements: requirements.txt}}\n"


class Small:
    """A small training: its script, and what its job says beside."""

    def __init__(self, framework, script, more="", command="[python3, train.py]", requirements=None):
        self.framework, self.script, self.more, self.command = framework, ROOT / "testbed" / script, more, command
        self.requirements = requirements

    def submit(self, muster, name, steps, *options):
        folder = muster.home.parent / f"{muster.home.name}-code"
        folder.mkdir()
        shutil.copy(self.script, folder / "train.py")
        shutil.copytree(ROOT / "clients/python/muster", folder / "muster", ignore=shutil.ignore_patterns("__pycache__"))
        if self.requirements:
            shutil.copy(EXAMPLES / self.requirements / "requirements.txt", folder)
        text = JOB.format(name=name.replace("_", "-"), framework=self.framework, command=self.command, steps=steps)
        (folder / "job.yaml").write_text(text + self.more)
        return muster.submit(folder / "job.yaml", *options)


class OfExample:
    """An example, where a small training would be no smaller."""

    def __init__(self, job, *options):
        self.job, self.options = EXAMPLES / job, options

    def submit(self, muster, name, steps, *options):
        return muster.submit(self.job, "--set", "checkpoints.every=2s", "--set", "restart.max=1", *self.options, *options)


def horovod_environment():
    """What makes a job run in the environment that Horovod's example makes, once."""
    environment = ROOT / ".muster-build/testbed/horovod-torch"
    made = subprocess.run([EXAMPLES / "horovod/make-environment", "torch", environment], capture_output=True, text=True)
    expect(made.returncode == 0, made.stderr[-2000:])
    return "--set", f"environment.python={{interpreter: {environment}/bin/python, systemPackages: true}}"


class Horovod(Small):
    def submit(self, muster, name, steps, *options):
        return super().submit(muster, name, steps, *horovod_environment(), *options)


def in_training(muster, job, step=12):
    """The job's document at a step by which it has saved."""
    def there():
        document = muster.get(job)
        expect(document["state"] not in ("Failed", "Succeeded"), f"it trains: {document['state']} {document['reason']}")
        return (document["progress"]["step"] or 0) >= step and document

    return until(there, 300, f"step {step}", every=0.5)


def kill_a_worker(muster, small, name, *options):
    """A44: SIGKILL to worker-1 in mid-training."""
    job = small.submit(muster, name, 100, *options)
    document = in_training(muster, job)
    before = document["progress"]["step"]
    os.kill(trainer(pids(muster, job)["worker-1"]), signal.SIGKILL)
    last = muster.wait(job, "Succeeded", 600)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    cause = next(e["cause"] for e in muster.json("events", job)["items"] if e["cause"])
    expect(cause == "Killed", f"cause is {cause}")
    log = muster.logs(job, "--attempt", "all")
    resumed = "resumed from" in log
    return f"killed at about step {before}, {'goes on from its checkpoint' if resumed else 'worker back'}"


def cancel(muster, small, name, *options):
    """A9, B47: in mid-training; nothing of it is left."""
    job = small.submit(muster, name, 100_000, *options)
    in_training(muster, job)
    begun = time.monotonic()
    muster("cancel", job, "--wait")
    muster.wait(job, "Cancelled", 120)
    took = time.monotonic() - begun
    until(lambda: not marked(job), 60, "no process of the job is left")
    expect(muster.get(job)["restarts"] == 0, "it was not started again")
    return f"{took:.1f} s"


def case(what, small, name, *options):
    def run(muster):
        return what(muster, small, name, *options)

    run.__name__ = f"{what.__name__}_of_{name}"
    run.__doc__ = what.__doc__
    return run


PARAMETER_SERVER = "tensorflow-parameter-server/job.yaml"
ONE_EPOCH = ("--set", 'command=[python, train.py, --epochs, "1"]')
PYTORCH = Small("pytorch", "net/train_torch.py", SYSTEM)
TENSORFLOW = Small("tensorflow", "net/train_tensorflow.py", REQUIREMENTS, requirements="fashion-mnist")
LOCAL = {
    "pytorch": PYTORCH,
    "pytorch_torchrun": Small("pytorch", "net/train_torch.py", SYSTEM + "pytorch: {launcher: torchrun}\n"),
    "tensorflow": TENSORFLOW,
    "tensorflow_ps": OfExample(PARAMETER_SERVER, *ONE_EPOCH),
    "jax": Small("jax", "real/small/train_jax.py", REQUIREMENTS, requirements="jax-two-process"),
    "mpi": Small("mpi", "real/small/train_mpi.py", SYSTEM, "[mpirun, python3, train.py]"),
    "horovod": Horovod("horovod", "net/train_horovod.py"),
    "xgboost": Small("xgboost", "real/small/train_xgboost.py", REQUIREMENTS, requirements="xgboost"),
}
NOT_ELASTIC = ("tensorflow", "pytorch", "jax", "mpi", "xgboost")


def elastic_is_refused(muster, *options):
    """At submission, in plain words, where a framework has no way to let workers come and go (PyTorch: without torchrun)."""
    return refused(muster, NOT_ELASTIC, "elastic: {min: 1, max: 3}\n", "elastic", *options)


def refused(muster, frameworks, more, word, *options):
    folder = muster.home.parent / f"{muster.home.name}-refused"
    folder.mkdir(exist_ok=True)
    for framework in frameworks:
        (folder / "job.yaml").write_text(JOB.format(name="refused", framework=framework, command="[python3, x.py]", steps=1) + more)
        done = subprocess.run([MUSTER, "submit", folder / "job.yaml", *options], env=muster.env, capture_output=True, text=True)
        expect(done.returncode == 2 and word in done.stderr, f"{framework}: {done.returncode} {done.stderr}")
    expect(muster.json("list")["items"] == [], "nothing is stored")
    return ", ".join(frameworks)


CASES = [elastic_is_refused]
LONG_CASES = [case(what, small, name) for name, small in LOCAL.items() for what in (kill_a_worker, cancel)]


def on(backend, image):
    return "--set", f"backend={backend}", "--set", f"environment.image=muster-test/{image}:1"


def example(job, world, accuracy, *more):
    return lambda muster, *options: train(muster, job, world, accuracy, *more, *options)


def trains(muster, example, name, *options):
    """A27: the example as it is, but for the image."""
    return example(muster, *options)


# By name: the image, a small training whose software the image brings, and the example where the suites have no case of it.
IN_CONTAINERS = {
    "pytorch": ("torch", Small("pytorch", "net/train_torch.py"), None),
    "pytorch_torchrun": ("torch", Small("pytorch", "net/train_torch.py", "pytorch: {launcher: torchrun}\n"), example("pytorch-ddp/job-torchrun.yaml", 2, 0.78)),
    "tensorflow": ("tensorflow", Small("tensorflow", "net/train_tensorflow.py"), None),
    "tensorflow_ps": ("tensorflow", LOCAL["tensorflow_ps"], example(PARAMETER_SERVER, 3, 0.70)),
    "jax": ("jax", Small("jax", "real/small/train_jax.py"), example("jax-two-process/job.yaml", 2, 0.80)),
    "mpi": ("mpi", Small("mpi", "real/small/train_mpi.py", command="[mpirun, python3, train.py]"), example("mpi/job.yaml", 4, 0.78)),
    "horovod": ("horovod", Small("horovod", "net/train_horovod.py"), example("horovod/job.yaml", 4, 0.78)),
    "xgboost": ("xgboost", Small("xgboost", "real/small/train_xgboost.py"), xgboost_two_workers),
}


SHARED = ("--set", "kubernetes.checkpointClaim=shared")


def sharing_a_claim(case):
    @functools.wraps(case)
    def run(muster):
        with claim(muster, "shared"):
            return case(muster)

    return run


# What the build sees of them; all others fill docs/frameworks.md and are run by --long.
IN_BUILD = ("elastic_is_refused_on_docker", "trains_of_mpi_on_docker", "elastic_is_refused_on_kubernetes", "kill_a_worker_of_mpi_on_kubernetes")


class Matrix:
    """The same cases on a backend whose processes live in containers; the image that each needs. `sharing` are trainings that save one checkpoint together."""

    def __init__(self, backend, trainings=IN_CONTAINERS, sharing=()):
        self.cases, self.long_cases, self.images = [], [], {}
        for name, (image, small, whole) in trainings.items():
            for what, training in ((trains, whole), (kill_a_worker, small), (cancel, small)):
                if training:
                    one = case(what, training, f"{name}_on_{backend}", *on(backend, image), *(SHARED if name in sharing else ()))
                    self.add(image, sharing_a_claim(one) if name in sharing else one)

        def not_elastic(muster):
            return elastic_is_refused(muster, *on(backend, "base"))

        not_elastic.__name__, not_elastic.__doc__ = f"elastic_is_refused_on_{backend}", elastic_is_refused.__doc__
        self.add("base", not_elastic)

    def add(self, image, case):
        (self.cases if case.__name__ in IN_BUILD else self.long_cases).append(case)
        self.images[case.__name__] = [image]


# The operator starts a group anew as a whole, and would list an evaluator in everybody's TF_CONFIG, where ParameterServerStrategy does not expect it.
BY_OPERATOR = ("--set", "restart.rules=[]", "--set", "roles={chief: {count: 1}, worker: {count: 2}, ps: {count: 1}}")
BY_KUBEFLOW = {
    **{name: IN_CONTAINERS[name] for name in ("pytorch", "pytorch_torchrun", "tensorflow")},
    "tensorflow_ps": ("tensorflow", OfExample(PARAMETER_SERVER, *ONE_EPOCH, *BY_OPERATOR), example(PARAMETER_SERVER, 3, 0.70, *BY_OPERATOR)),
    "mpi": (*IN_CONTAINERS["mpi"][:2], None),
}


def framework_is_refused_on_kubeflow(muster):
    """At submission, in plain words: there is no object of the operator's that Muster makes for it."""
    return refused(muster, ("horovod", "jax", "xgboost"), "", "write backend: kubernetes", *on("kubeflow", "base"))


# A parameter server writes its own part of a checkpoint, and one of them puts the parts together.
SAVED_TOGETHER = ["tensorflow_ps"]
ON_KUBEFLOW = Matrix("kubeflow", BY_KUBEFLOW, SAVED_TOGETHER)
ON_KUBEFLOW.add("base", framework_is_refused_on_kubeflow)
ON_DOCKER = Matrix("docker")
# A pod runs one process: four ranks are four workers.
FOUR_PODS = ("--set", "workers=4", "--set", "processesPerWorker=1")
ON_KUBERNETES = Matrix("kubernetes", {**IN_CONTAINERS, "horovod": (*IN_CONTAINERS["horovod"][:2], example("horovod/job.yaml", 4, 0.78, *FOUR_PODS))}, SAVED_TOGETHER)
