"""Backend docker by the command line: real trainings in containers, and what is done to containers and to dockerd from outside."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import disk_cases
import elastic_cases
import elastic_horovod_cases
import elastic_tensorflow_cases
import stall_cases
import standby_cases
from frameworks_cases import fashion_mnist, train
from harness import ROOT, expect, marked, steps, until
from process_cases import memory_limit_of_an_mpi_rank

BASE = "muster-test/base:1"
PLAIN = """
name: {name}
framework: plain
backend: docker
environment: {{image: "{image}"}}
workers: {workers}
command: [python3, work.py]
code: .
{more}
grace: 3s
"""


def on(image):
    return ["--set", "backend=docker", "--set", f"environment.image=muster-test/{image}:1"]


def docker(*words):
    return subprocess.run(["docker", *words], check=True, capture_output=True, text=True).stdout.strip()


def plain(muster, name, script, workers=1, image=BASE, more="", **env):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir(exist_ok=True)
    (folder / "work.py").write_text(script)
    (folder / "job.yaml").write_text(PLAIN.format(name=name, workers=workers, image=image, more=more))
    return json.loads(muster("submit", folder / "job.yaml", "-o", "json", **env))["id"]


def says(muster, job, text, seconds=60):
    until(lambda: text in muster.logs(job), seconds, f"the log says {text}", every=0.25)


def pytorch_ddp(muster):
    """A27: the example as it is, but for the image."""
    return train(muster, "pytorch-ddp/job.yaml", 2, 0.78, *on("torch"))


def fashion_mnist_on_docker(muster):
    """A27: the flagship example, text unchanged but for backend and image, ends as it does on backend local."""
    return fashion_mnist(muster, *on("tensorflow"))


def fashion_mnist_with_a_killed_container(muster):
    """A27, A44, B25: the example as it is, but for the image; a worker's container is killed in mid-epoch, and the group resumes."""
    job = muster.submit(ROOT / "examples/fashion-mnist/job.yaml", *on("tensorflow"), "--set", "checkpoints.every=3s")
    until(lambda: any(c["whole"] for c in muster.json("checkpoints", job)["items"]), 400, "a whole checkpoint")
    before = max(steps(muster.logs(job), "worker-1"))
    docker("kill", f"{job}-worker-1-a1")
    last = muster.wait(job, "Succeeded", 500)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    log = muster.logs(job, "--attempt", "2", "--process", "worker-1")
    resumed = re.search(r"resumed from \S*ckpt-(\d+): the next step is (\d+)", log)
    expect(resumed, "the restarted group says what it resumed from")
    accuracy = last["progress"]["metrics"]["test_accuracy"]
    expect(accuracy > 0.7, f"accuracy {accuracy}")
    files = muster.home.parent / "fashion-model"
    muster("model", "get", "fashion-cnn", files)
    expect((files / "saved_model.pb").exists() or any(files.rglob("saved_model.pb")), "a SavedModel")
    return f"killed at about step {before}, resumed from {resumed[1]}, accuracy {accuracy:.3f}"


def stall_of_a_stopped_rank_on_docker(muster):
    return stall_cases.stall_of_a_stopped_rank(muster, *on("torch"))


def stall_of_a_rank_in_a_collective_of_its_own_on_docker(muster):
    return stall_cases.stall_of_a_rank_in_a_collective_of_its_own(muster, *on("torch"))


def stall_of_a_rank_in_a_dead_loop_on_docker(muster):
    return stall_cases.stall_of_a_rank_in_a_dead_loop(muster, *on("torch"))


def stall_of_a_rank_that_sleeps_on_docker(muster):
    return stall_cases.stall_of_a_rank_that_sleeps(muster, *on("torch"), beside=False)


def standby_on_docker(muster):
    """ADR 41 in containers."""
    return standby_cases.sooner_than_a_usual_restart(muster, *on("torch"))


def unused_standby_on_docker(muster):
    """ADR 41 in containers: nothing stays behind."""
    said = standby_cases.unused_ones(muster, *on("torch"))
    job = muster.json("list")["items"][0]["id"]
    until(lambda: not docker("ps", "-aq", "--filter", f"label=dev.muster.job={job}"), 30, "its containers are gone")
    until(lambda: not docker("network", "ls", "-q", "--filter", f"label=dev.muster.job={job}"), 30, "its network is gone")
    return said


def elastic_killed_worker_on_docker(muster):
    """A45, B32: the container of a worker is killed; those of the others live on, and it comes back under its name."""
    return elastic_cases.elastic_killed_worker(muster, *on("torch"))


def elastic_scaled_on_docker(muster):
    """A45, B33: 2 to 3 and back to 2 in mid-training."""
    return elastic_cases.elastic_scaled(muster, *on("torch"))


def elastic_horovod_on_docker(muster):
    """A45, B33: with the elastic driver of the image's Horovod."""
    return elastic_horovod_cases.elastic_horovod(muster, *on("horovod"))


def elastic_horovod_lost_before_it_came_on_docker(muster):
    """A45: a container that is lost before its script comes to hvd.init() costs the others nothing."""
    return elastic_horovod_cases.elastic_horovod_lost_before_it_came(muster, *on("horovod"))


def elastic_horovod_first_worker_killed_on_docker(muster):
    """A45: rank 0 comes back in a new container and is rank 0 again; then all of them."""
    return elastic_horovod_cases.elastic_horovod_first_worker_killed(muster, *on("horovod"))


def elastic_horovod_lost_with_the_model_on_docker(muster):
    """A45: who was to bring the model comes back though the others have ended."""
    return elastic_horovod_cases.elastic_horovod_lost_with_the_model(muster, *on("horovod"))


def elastic_horovod_removed_on_docker(muster):
    """A45: a worker's container is removed by somebody else; the other trains on, and it comes back."""
    job = elastic_horovod_cases.submit_horovod(muster, on("horovod"), "--set", "restart={max: 5, backoff: {first: 0s}}")
    elastic_cases.trains(muster, job, 2)
    before = elastic_cases.pids(muster, job)
    docker("rm", "--force", f"{job}-worker-1-a1")
    elastic_cases.trains_again(muster, job, "worker-1", 2, 2)
    elastic_cases.same_processes(muster, job, before, "worker-0", "rendezvous-0")
    last, accuracy = elastic_cases.good_end(muster, job)
    expect(last["restarts"] == 1, f"restarts {last['restarts']}")
    return f"accuracy {accuracy}"


def elastic_tensorflow_ps_on_docker(muster):
    """A45, B33: workers of a sparse cluster come to the parameter server by its name."""
    return elastic_tensorflow_cases.elastic_tensorflow_ps(muster, *on("tensorflow"))


def memory_limit_of_an_mpi_rank_on_docker(muster):
    return memory_limit_of_an_mpi_rank(muster, *on("mpi"))


def container_removed_by_force(muster):
    """B25, B79: Killed, or Lost where it was gone before its end could be seen; retried, and the second attempt succeeds."""
    script = "import os, time; print('attempt', os.environ['MUSTER_ATTEMPT'], flush=True)\nif os.environ['MUSTER_ATTEMPT'] == '1': time.sleep(600)"
    job = plain(muster, "removed", script, more="restart: {max: 1, backoff: {first: 0s}}")
    says(muster, job, "attempt 1")
    docker("rm", "-f", f"{job}-worker-0-a1")
    document = muster.wait(job, "Succeeded", 60)
    expect(document["restarts"] == 1, f"restarts is {document['restarts']}")
    expect("attempt 1" in muster.logs(job, "--attempt", "1"), "the log of the removed container is there")
    reasons = [e["reason"] for e in muster.json("events", job)["items"] if e["reason"]]
    told = ("ended by SIGKILL, not by Muster", "removed by somebody else")
    expect(any(words in reason for reason in reasons for words in told), f"reasons: {reasons}")


def cancel(muster):
    """B47, B48: a shell without a trap passes the request on; what ignores it is killed; nothing is left."""
    folder = muster.home.parent / "cancel-shell"
    folder.mkdir(exist_ok=True)
    command = json.dumps("sh -c \"trap 'sleep 0.3; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done\" & "
                         "(setsid sh -c \"trap '' TERM; sleep 600\" &); wait")
    (folder / "job.yaml").write_text(f"name: shell\nframework: plain\nbackend: docker\nenvironment: {{image: '{BASE}'}}\n"
                                     f"command: {command}\ngrace: 5s\n")
    job = muster.submit(folder / "job.yaml")
    says(muster, job, "ready")
    begun = time.monotonic()
    muster("cancel", job, "--wait")
    muster.wait(job, "Cancelled", 30)
    took = time.monotonic() - begun
    expect("saved" in muster.logs(job), "the training could save")
    expect(not marked(job), "nothing is left")
    until(lambda: not docker("ps", "-aq", "--filter", f"label=dev.muster.job={job}"), 30, "its container is gone")
    until(lambda: not docker("network", "ls", "-q", "--filter", f"label=dev.muster.job={job}"), 30, "its network is gone")
    return f"cancelled in {took:.1f} s"


def same_name_twenty_times(muster):
    """B52: submitted, deleted, submitted again at once, the service killed now and then: each starts soon and has nothing of the one before."""
    slowest, jobs = 0, []
    for turn in range(20):
        begun = time.monotonic()
        job = plain(muster, "again", f"import time\nprint('turn {turn}', flush=True)\ntime.sleep(600)")
        jobs.append(job)
        says(muster, job, f"turn {turn}", 30)
        slowest = max(slowest, time.monotonic() - begun)
        expect(muster.logs(job, "--process", "worker-0") == f"turn {turn}\n", "its log is its own")
        expect(muster.get(job)["restarts"] == 0, "it was not restarted")
        if turn == 0:
            muster("submit", muster.home.parent / f"{muster.home.name}-again/job.yaml", code=6)
        if turn % 5 == 4:
            muster.kill_service()
        muster("delete", job, "--cancel")
    until(lambda: not any(docker("ps", "-aq", "--filter", f"label=dev.muster.job={job}") for job in jobs), 60, "no container is left")
    return f"slowest start {slowest:.1f} s"


def missing_image(muster):
    """B19: named, after a bounded number of tries."""
    job = plain(muster, "noimage", "", image="127.0.0.1:1/nosuch/image:1")
    document = until(lambda: (d := muster.get(job))["state"] == "Failed" and d, 90, "it fails")
    expect(document["cause"] == "ImageMissing" and "nosuch/image:1" in document["reason"], f"{document['reason']}")
    return document["reason"][:160]


def missing_program(muster):
    """B19: an image without the given command."""
    folder = muster.home.parent / "noprogram"
    folder.mkdir(exist_ok=True)
    (folder / "job.yaml").write_text(f"name: noprogram\nframework: plain\nbackend: docker\nenvironment: {{image: '{BASE}'}}\n"
                                     "command: [no-such-program, --epochs, '2']\n")
    job = muster.submit(folder / "job.yaml")
    document = until(lambda: (d := muster.get(job))["state"] == "Failed" and d, 60, "it fails")
    expect(document["cause"] == "LaunchFailed" and "no-such-program" in document["reason"], f"{document['reason']}")
    reason = failed_shell(muster, "noprograminit", "echo begun; no-such-tool --epochs 2", "LaunchFailed")
    expect("its log ends: " in reason and "no-such-tool" in reason, reason)
    return reason


def failed_shell(muster, name, script, cause):
    folder = muster.home.parent / name
    folder.mkdir(exist_ok=True)
    (folder / "job.yaml").write_text(f"name: {name}\nframework: plain\nbackend: docker\nenvironment: {{image: '{BASE}'}}\n"
                                     f"command: [sh, -c, {json.dumps(script)}]\n")
    job = muster.submit(folder / "job.yaml")
    document = until(lambda: (d := muster.get(job))["state"] == "Failed" and d, 60, "it fails")
    expect(document["cause"] == cause, f"{document['reason']}")
    return document["reason"]


def shared_memory_used_up(muster):
    """The reason names the field that gives more of it, not what the program said after its error."""
    reason = failed_shell(muster, "shm", "dd if=/dev/zero of=/dev/shm/x bs=1M count=100; exit 1", "DiskFull")
    expect("'/dev/shm/x': No space left on device (shared memory is used up: docker.shmSize" in reason, reason)
    return reason


def no_dockerd(muster):
    """Refused at submission, saying what to do; nothing is stored."""
    folder = muster.home.parent / "nodockerd"
    folder.mkdir(exist_ok=True)
    (folder / "job.yaml").write_text(f"name: none\nframework: plain\nbackend: docker\nenvironment: {{image: '{BASE}'}}\ncommand: ['true']\n")
    muster.env["DOCKER_HOST"] = "unix:///nowhere/docker.sock"
    done = subprocess.run([ROOT / "muster", "submit", folder / "job.yaml"], env=muster.env, capture_output=True, text=True)
    expect(done.returncode == 2 and "start dockerd" in done.stderr, f"{done.returncode}: {done.stderr}")
    expect(muster.json("list")["items"] == [], "nothing is stored")


def service_killed(muster):
    """A12: containers go on, the next service takes them up, each is started once."""
    script = ("import os, time\nprint('started', flush=True)\nend = time.monotonic() + 12\n"
              "while time.monotonic() < end: time.sleep(0.1)\nprint('done', flush=True)")
    job = plain(muster, "adopted", script, workers=2)
    muster.wait(job, "Running", 60)
    muster.kill_service()
    time.sleep(2)
    document = muster.wait(job, "Succeeded", 60)
    expect(document["restarts"] == 0, f"restarts is {document['restarts']}")
    log = muster.logs(job)
    expect(log.count("started") == 2 and log.count("done") == 2, f"log: {log}")


def files_are_copied(muster):
    """A dockerd that does not see the service's files: code, model, report and stop go through its API."""
    muster.env["MUSTER_DOCKER_FILES"] = "copied"
    last = json.loads(muster("run", ROOT / "examples/plain/hello/job.yaml", *on("base"), "-o", "json").splitlines()[-1])
    expect(last["state"] == "Succeeded" and last["model"]["name"] == "hello", f"{last['state']} {last['reason']}")
    files = muster.home.parent / "hello-model"
    muster("model", "get", "hello", files)
    expect(any(files.rglob("model.json")), "the model was fetched")


def home_too_small_on_docker(muster):
    """A14: what a container holds is left there until the service's disk takes it."""
    muster.env["MUSTER_DOCKER_FILES"] = "copied"
    script = "import subprocess\nsubprocess.run(['sh', '-c', {!r}], check=True)"
    return disk_cases.home_too_small_for_the_model(muster, lambda there, name, command, more: plain(there, name, script.format(command), more=more))


def dockerd_silent_for_90_s(muster):
    """B80: the job is untouched, the flag is shown and goes, no restart is counted."""
    script = ("import os, time\nprint('started', flush=True)\nend = time.monotonic() + 110\n"
              "while time.monotonic() < end: time.sleep(0.1)\nprint('done', flush=True)")
    job = plain(muster, "silent", script)
    muster.wait(job, "Running", 60)
    pid = int((Path(os.environ["DOCKER_HOST"].removeprefix("unix://")).parent / "dockerd.pid").read_text())
    os.kill(pid, signal.SIGSTOP)
    try:
        until(lambda: muster.get(job)["noContact"], 60, "no contact is shown", every=1)
        end = time.monotonic() + 90
        while time.monotonic() < end:
            expect(muster.state(job) == "Running", "the job runs on")
            time.sleep(5)
    finally:
        os.kill(pid, signal.SIGCONT)
    until(lambda: not muster.get(job)["noContact"], 60, "there is contact again", every=1)
    document = muster.wait(job, "Succeeded", 60)
    expect(document["restarts"] == 0, f"restarts is {document['restarts']}")
    expect(muster.logs(job, "--process", "worker-0") == "started\ndone\n", "the log is whole")


STALLS = [stall_of_a_stopped_rank_on_docker, stall_of_a_rank_in_a_collective_of_its_own_on_docker, stall_of_a_rank_in_a_dead_loop_on_docker,
          stall_of_a_rank_that_sleeps_on_docker]
READY = [standby_on_docker, unused_standby_on_docker]
ELASTIC = [elastic_killed_worker_on_docker, elastic_scaled_on_docker]
HOROVOD = [elastic_horovod_on_docker, elastic_horovod_lost_before_it_came_on_docker, elastic_horovod_first_worker_killed_on_docker,
           elastic_horovod_lost_with_the_model_on_docker, elastic_horovod_removed_on_docker]
CASES = [*READY, *ELASTIC, no_dockerd, missing_image, missing_program, shared_memory_used_up, cancel, memory_limit_of_an_mpi_rank_on_docker, container_removed_by_force, same_name_twenty_times, service_killed, files_are_copied, home_too_small_on_docker,
         dockerd_silent_for_90_s, stall_of_a_rank_in_a_collective_of_its_own_on_docker, pytorch_ddp, fashion_mnist_on_docker, fashion_mnist_with_a_killed_container]
# What the build sees of them in one case, and in DockerProcessTest.
LONG_CASES = [*HOROVOD, stall_of_a_rank_that_sleeps_on_docker, elastic_tensorflow_ps_on_docker, stall_of_a_stopped_rank_on_docker,
              stall_of_a_rank_in_a_dead_loop_on_docker]
# What a case needs that base does not have.
IMAGES = {**dict.fromkeys((case.__name__ for case in (*STALLS, *ELASTIC, *READY)), ["torch"]), **dict.fromkeys((case.__name__ for case in HOROVOD), ["horovod"]), "elastic_tensorflow_ps_on_docker": ["tensorflow"], "fashion_mnist_on_docker": ["tensorflow"], "pytorch_ddp": ["torch"], "fashion_mnist_with_a_killed_container": ["tensorflow"],
          "memory_limit_of_an_mpi_rank_on_docker": ["mpi"]}
