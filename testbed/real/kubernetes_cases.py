"""Trainings on a real cluster by ./muster: two ranks over pod names, a deleted pod, a stopped API server, a killed service, what a cluster refuses."""

import contextlib
import functools
import http.server
import json
import os
import re
import subprocess
import threading
import time
import zipfile

import cluster
import disk_cases
import elastic_cases
import elastic_horovod_cases
import elastic_tensorflow_cases
import harness
import matrix_cases
import stall_cases
import standby_cases
import standby_pods_cases
from claims import claim
from deployment_cases import manifests_are_taken, service_as_pods
from frameworks_cases import fashion_mnist
from harness import ROOT, expect, proof, steps, until

TORCH = "muster-test/torch:1"
BASE = "muster-test/base:1"
SIDECAR = "muster.dev/busybox:testbed"
CLUSTER = ROOT / "testbed" / "kubernetes"
ELASTIC = ("--set", "backend=kubernetes", "--set", f"environment.image={TORCH}")
DDP = ROOT / "examples/pytorch-ddp/job.yaml"
PLAIN = """
name: {name}
framework: plain
backend: kubernetes
workers: {workers}
command: [sh, -c, {script}]
environment: {{image: "{image}"}}
restart: {{max: {restarts}, backoff: {{first: {backoff}}}}}
startDeadline: {deadline}
{more}
"""


def plain(muster, name, script, image=BASE, workers=1, restarts=0, deadline="10m", more="", backoff="0s"):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir()
    (folder / "job.yaml").write_text(PLAIN.format(name=name, script=json.dumps(script), image=image, workers=workers, restarts=restarts, backoff=backoff,
                                                  deadline=deadline, more=more))
    return muster.submit(folder / "job.yaml")


def kubectl(muster, method, path, body=None):
    """One request as admin: what somebody else does to the cluster."""
    return muster.admin.send(method, path, None if body is None else json.dumps(body).encode())


def ddp(muster, *more):
    return muster.submit(DDP, "--set", "backend=kubernetes", "--set", f"environment.image={TORCH}", *more)


def pytorch_ddp_on_kubernetes(muster):
    """A27: the example's text with another backend and an image; the ranks prove that they trained together."""
    job = ddp(muster)
    document = muster.wait(job, "Succeeded", 1200)
    expect(document["model"] and document["model"]["name"] == "fashion-ddp", f"model is {document['model']}")
    kept = muster.home.parent / f"{muster.home.name}-model"
    muster("model", "get", "fashion-ddp", kept)
    expect(any(each.stat().st_size > 1000 for each in kept.rglob("*") if each.is_file()), "the model has weights in it")
    return proof(muster.logs(job), 2)


def fashion_mnist_on_kubernetes(muster):
    """A27: the flagship example, text unchanged but for backend and image, ends as it does on backend local."""
    return fashion_mnist(muster, "--set", "backend=kubernetes", "--set", "environment.image=muster-test/tensorflow:1")


def deleted_pod_in_mid_training(muster):
    """B79: a pod deleted by somebody else; the job resumes from its checkpoint."""
    job = ddp(muster, "--set", "checkpoints.every=3s", "--set", "checkpoints.keep=all")
    until(lambda: next((c for c in muster.json("checkpoints", job)["items"] if c["whole"]), None), 900, "a whole checkpoint")
    before = max(steps(muster.logs(job), "worker-1"))
    kubectl(muster, "DELETE", f"/api/v1/namespaces/default/pods/{job}-worker-1-a1")
    last = muster.wait(job, "Succeeded", 1200)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    log = muster.logs(job, "--attempt", "2", "--process", "worker-1")
    resumed = re.search(r"resumed .*?(\d+)", log)
    expect(resumed, f"the restarted process says what it resumed from:\n{log[:500]}")
    return f"deleted at about step {before}, resumed: {resumed.group()}"


def standby_on_kubernetes(muster):
    """ADR 41, 46: a rank that is killed goes on from its checkpoint in a pod that was held ready; model, states and logs are as ever."""
    return f"kill -9 to next step: {standby_cases.recovered(muster, 1, *ELASTIC):.2f} s"


def unused_standby_on_kubernetes(muster):
    """ADR 41, 46: one that is killed harms nobody, another service takes them, and nothing stays behind."""
    said = standby_cases.unused_ones(muster, *ELASTIC)
    nothing_is_left(muster, muster.json("list")["items"][0]["id"])
    return said


def nothing_is_left(muster, job):
    for kind in ("pods", "secrets", "services"):
        until(lambda: not [each for each in kubectl(muster, "GET", f"/api/v1/namespaces/default/{kind}")["items"]
                           if each["metadata"].get("labels", {}).get("muster.dev/job") == job], 240, f"no {kind} are left")


def standby_for_a_deleted_pod(muster):
    """ADR 46: a pod is deleted and its place taken, sooner than by a new pod; then the service is killed and the pod of one that took a place deleted."""
    job, gate = standby_cases.submit(muster, "pytorch", standby_cases.TRAIN, '[python3, train.py, --epochs, "a b"]', 2, *ELASTIC)
    standby_cases.told(muster, job, 1)
    standby_cases.held(muster, job)

    def pods():
        listed = kubectl(muster, "GET", f"/api/v1/namespaces/default/pods?labelSelector=muster.dev/job={job}")["items"]
        return {(each["metadata"]["annotations"]["muster.dev/process"], int(each["metadata"]["annotations"]["muster.dev/attempt"])):
                each["metadata"]["name"] for each in listed}

    def deleted(job):
        """What the ranks of the next attempt say, and how long that took."""
        begun = time.monotonic()
        kubectl(muster, "DELETE", f"/api/v1/namespaces/default/pods/{job}-worker-1-a1")
        return standby_cases.told(muster, job, 2), time.monotonic() - begun

    said, ready = deleted(job)
    expect(said == {0: "warm", 1: "warm"}, f"both are warm: {said}")
    second = [pods()["worker-0", 2], pods()["worker-1", 2]]
    expect(sorted(second) == [f"{job}-standby-0-a1", f"{job}-standby-1-a1"], f"{second} were held ready")
    standby_cases.held(muster, job)
    muster.kill_service()
    kubectl(muster, "DELETE", f"/api/v1/namespaces/default/pods/{second[0]}")
    expect(standby_cases.told(muster, job, 3) == {0: "warm", 1: "warm"}, "both are warm again")
    third = [pods()["worker-0", 3], pods()["worker-1", 3]]
    expect(muster.get(job)["restarts"] == 2, f"restarts {muster.get(job)['restarts']}")
    log = muster.logs(job, "--process", "worker-1", "--attempt", "3")
    expect(log.startswith("attempt 3 rank 1") and "is imported" not in log, f"its log is its own: {log}")
    muster("delete", job, "--cancel")
    nothing_is_left(muster, job)
    job = muster.submit(gate.with_suffix("") / "job.yaml", "--set", "standby=0", *ELASTIC)
    standby_cases.told(muster, job, 1)
    said, usual = deleted(job)
    expect(said == {0: "cold", 1: "cold"}, f"both are cold: {said}")
    expect(ready < usual, f"{ready:.1f} s with one held ready, {usual:.1f} s without")
    return f"{second}, then {third}; until the group is there again {ready:.1f} s, without {usual:.1f} s"


def elastic_killed_worker_on_kubernetes(muster):
    """A45, B32: a worker is killed; the pods of the others live on, and it comes back in a new one under its name."""
    return elastic_cases.elastic_killed_worker(muster, *ELASTIC)


def elastic_scaled_on_kubernetes(muster):
    """A45, B33: 2 to 3 and back to 2 in mid-training."""
    return elastic_cases.elastic_scaled(muster, *ELASTIC)


def elastic_horovod_on_kubernetes(muster):
    """A45, B33: with the elastic driver of the image's Horovod, in pods that find each other by name."""
    return elastic_horovod_cases.elastic_horovod(muster, *matrix_cases.on("kubernetes", "horovod"))


def elastic_horovod_lost_before_it_came_on_kubernetes(muster):
    """A45: a pod that is lost before its script comes to hvd.init() costs the others nothing."""
    return elastic_horovod_cases.elastic_horovod_lost_before_it_came(muster, *matrix_cases.on("kubernetes", "horovod"))


def elastic_horovod_first_worker_killed_on_kubernetes(muster):
    """A45: rank 0 comes back in a new pod and is rank 0 again; then all of them."""
    return elastic_horovod_cases.elastic_horovod_first_worker_killed(muster, *matrix_cases.on("kubernetes", "horovod"))


def elastic_horovod_lost_with_the_model_on_kubernetes(muster):
    """A45: who was to bring the model comes back though the others have ended."""
    return elastic_horovod_cases.elastic_horovod_lost_with_the_model(muster, *matrix_cases.on("kubernetes", "horovod"))


def stall_of_a_rank_that_sleeps_on_kubernetes(muster):
    """A49: the kernel's word for where a rank waits, from inside its pod."""
    return stall_cases.stall_of_a_rank_that_sleeps(muster, *ELASTIC, beside=False)


def elastic_tensorflow_ps_on_kubernetes(muster):
    """A45, B33: workers come to a parameter server by its name and leave it."""
    return elastic_tensorflow_cases.elastic_tensorflow_ps(muster, *matrix_cases.on("kubernetes", "tensorflow"))


def api_server_away(muster):
    """B80: the API server does not answer for 90 s; the training does not notice, the service judges nothing."""
    job = plain(muster, "away", "i=0; while [ $i -lt 120 ]; do echo tick $i; i=$((i+1)); sleep 1; done; exit 0")
    muster.wait(job, "Running", 400)
    until(lambda: "tick 2" in muster.logs(job), 240, "its log")
    subprocess.run([CLUSTER, "pause", "kube-apiserver"], check=True)
    try:
        begun = time.monotonic()
        noticed = until(lambda: muster.get(job)["noContact"], 240, "no contact is told")
        while time.monotonic() - begun < 90:
            document = muster.get(job)
            expect(document["state"] == "Running" and document["restarts"] == 0, f"touched: {document['state']}")
            time.sleep(1)
    finally:
        subprocess.run([CLUSTER, "continue", "kube-apiserver"], check=True)
    last = muster.wait(job, "Succeeded", 600)
    ticks = [int(n) for n in re.findall(r"tick (\d+)", muster.logs(job, "--process", "worker-0"))]
    expect(ticks == list(range(120)), f"each line once, in order: {len(ticks)}")
    expect(last["restarts"] == 0, "no restart")
    return f"no contact told as {noticed}"


def kill_service_meanwhile(muster):
    """A12, A14: the service is killed; the job ends while none lives; the next one tells its end and has its log and model."""
    job = plain(muster, "orphan", "echo one; sleep 15; echo two; echo weights >$MUSTER_MODEL_DIR/w; exit 0", more="model: {name: orphan}")
    muster.wait(job, "Running", 400)
    muster.kill_service()
    until(lambda: not harness.marked(job), 240, "the program is over")
    document = muster.wait(job, "Succeeded", 400)
    expect(document["model"], "its model is there")
    lines = muster.logs(job, "--process", "worker-0").splitlines()
    expect(lines == ["one", "two"], f"log: {lines}")


def image_that_is_not_there(muster):
    """B19: the reason names the image, within seconds, and the job ends at its start deadline."""
    job = plain(muster, "noimage", "exit 0", image="muster-test/nosuch:1", deadline="45s")
    reason = until(lambda: (lambda r: r if r and "muster-test/nosuch:1" in r else None)(muster.get(job)["reason"]), 240, "a reason that names the image")
    document = muster.wait(job, "Failed", 300)
    expect(document["cause"] == "ImageMissing", f"cause is {document['cause']}: {document['reason']}")
    return reason[:100]


def quota_used_up(muster):
    """B18: the namespace's quota does not let a pod through; its words are the reason; it starts once there is room."""
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "none"}, "spec": {"hard": {"pods": "0"}}}
    kubectl(muster, "POST", "/api/v1/namespaces/default/resourcequotas", quota)
    try:
        job = plain(muster, "quota", "echo ran")
        reason = until(lambda: (lambda r: r if r and "exceeded quota" in r else None)(muster.get(job)["reason"]), 180, "the quota's words")
    finally:
        kubectl(muster, "DELETE", "/api/v1/namespaces/default/resourcequotas/none")
    muster.wait(job, "Succeeded", 300)
    return reason[:100]


def no_node_has_it(muster):
    """Unschedulable, in the scheduler's words; cancelled, and nothing is left."""
    job = plain(muster, "nowhere", "exit 0", more="kubernetes: {nodeSelector: {disk: none}}")
    reason = until(lambda: (lambda r: r if r and "node" in r else None)(muster.get(job)["reason"]), 240, "the scheduler's words")
    muster("cancel", job, "--wait")
    until(lambda: not kubectl(muster, "GET", f"/api/v1/namespaces/default/pods?labelSelector=muster.dev/job={job}")["items"], 240, "its pods are gone")
    expect(muster.state(job) == "Cancelled", muster.state(job))
    return reason[:120]


def memory_limit_of_a_rank_below_its_launcher(muster):
    """What mpirun says of a rank that was killed on another worker is explained by that worker's own record, also where only a child of it was killed."""
    says = "mpirun noticed that process rank 3 with PID 123 on node worker-1 exited on signal 9 (Killed)."
    script = (f"if [ $MUSTER_INDEX -eq 0 ]; then sleep 8; echo '{says}'; exit 137; fi; "
              "python3 -c 'x = [bytearray(8 << 20) for _ in range(100)]'; trap 'exit 143' TERM; while true; do sleep 0.1; done")
    job = plain(muster, "hog", script, workers=2, restarts=1, more="resources: {memory: 128MiB}\ngrace: 5s")
    document = muster.wait(job, "Failed", 400)
    expect(document["cause"] == "OutOfMemory" and document["restarts"] == 0, f"{document['cause']}: {document['reason']}")
    expect("worker-1" in document["reason"] and "rank 3" in document["reason"], document["reason"])
    return document["reason"][:120]


WHEEL = "greeting-1.0-py3-none-any.whl"


@contextlib.contextmanager
def index(folder):
    """A web server with one wheel in it, at an address that pods reach; gives the line of a requirements file that asks for it."""
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        wheel.writestr("greeting.py", "def main():\n    print('greeted')\n")
        about = "greeting-1.0.dist-info/"
        wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
        wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\nGenerator: testbed\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(about + "entry_points.txt", "[console_scripts]\ngreet = greeting:main\n")
        wheel.writestr(about + "RECORD", "")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer((harness.Muster.admin.address, 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"greeting @ http://{server.server_address[0]}:{server.server_address[1]}/{WHEEL}"
        finally:
            server.shutdown()


def patched_container(muster):
    """Where an admin allows it a job says more of its container, here that its image is not written to, and Muster's part of the pod stays as it is."""
    muster.env["MUSTER_KUBERNETES_PATCHABLE"] = "spec.containers"
    script = "touch /usr/written || echo the image is read only; id -u; echo weights > $MUSTER_MODEL_DIR/model; echo weights > $MUSTER_CHECKPOINT_DIR/ckpt-1"
    patch = {"spec": {"containers": [{"name": "main", "securityContext": {"readOnlyRootFilesystem": True, "runAsUser": 1234}}]}}
    job = plain(muster, "patched", script, more=f"model: {{name: patched}}\nkubernetes: {{podPatch: {json.dumps(patch)}}}")
    document = muster.wait(job, "Succeeded", 120)
    log = muster.logs(job, "--process", "worker-0")
    expect("the image is read only" in log and "1234" in log, log)
    expect(document["model"]["version"] == 1, f"a model is registered: {document['model']}")
    expect([(c["name"], c["whole"]) for c in muster.json("checkpoints", job)["items"]] == [("ckpt-1", True)], "its checkpoint is fetched")
    return log.strip().replace("\n", "; ")


def needing(muster, name, requirements, script, workers=1):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir()
    (folder / "requirements.txt").write_text(requirements)
    (folder / "job.yaml").write_text(
        PLAIN.format(name=name, script=json.dumps(script), image=BASE, workers=workers, restarts=0, backoff="0s", deadline="10m", more="")
        .replace(f'{{image: "{BASE}"}}', f'{{image: "{BASE}", python: {{requirements: requirements.txt}}}}'))
    return muster.submit(folder / "job.yaml")


def requirements_are_installed(muster):
    """What the image lacks is installed before the program starts, what pip says is in the log; what cannot be had is named, and nothing is started."""
    with index(muster.home.parent) as line:
        job = needing(muster, "needs", f"{line}\n", "greet && python3 -c 'import greeting, sys; print(sys.prefix)'")
        muster.wait(job, "Succeeded", 400)
        log = muster.logs(job)
        expect("Successfully installed greeting-1.0" in log and "greeted" in log and "| /muster/python/" in log, log)
    job = needing(muster, "lacks", "--no-index\nno-such-package==1.0  # nowhere\n", "echo begun", workers=2)
    document = muster.wait(job, "Failed", 400)
    expect(document["cause"] == "LaunchFailed" and "No matching distribution found for no-such-package==1.0" in document["reason"], document["reason"])
    # The one that is not done with it when its peer gives up is ended by Muster.
    expect("not by Muster" not in json.dumps(muster.json("get", job)), document)
    expect("begun" not in muster.logs(job), "the program was not started")
    return document["reason"]


def requirements_are_installed_once(muster):
    """On the claim that an admin names for it: by the first pod, found by those that come later."""
    muster.env["MUSTER_KUBERNETES_PYTHON_CLAIM"] = "python"
    with claim(muster, "python"), index(muster.home.parent) as line:
        script = "greet && python3 -c 'import sys; print(sys.prefix)'"
        first = needing(muster, "first", f"{line}\n", script, workers=2)
        muster.wait(first, "Succeeded", 400)
        then = needing(muster, "then", f"{line}\n", script)
        muster.wait(then, "Succeeded", 400)
    before, after = muster.logs(first), muster.logs(then)
    expect("Successfully installed" in before and before.count("greeted") == 2, before)
    expect("greeted" in after and "installing" not in after, after)


def lost_node(muster):
    """The node falls silent: NodeLost, told within a minute and not counted; the job goes on once there is a node, and nothing of the old attempt does."""
    job = plain(muster, "node", "echo attempt $MUSTER_ATTEMPT; [ $MUSTER_ATTEMPT -gt 1 ] || sleep 600", deadline="15m", backoff="2s")
    muster.wait(job, "Running", 400)
    before = set(harness.marked(job))
    subprocess.run([CLUSTER, "kill", "kubelet"], check=True)
    try:
        begun = time.monotonic()
        until(lambda: any(event["cause"] == "NodeLost" for event in muster.json("events", job)["items"]), 400, "NodeLost is told")
        told = time.monotonic() - begun
    finally:
        cluster.brought_up(quiet=True)
    last = muster.wait(job, "Succeeded", 600)
    expect(last["restarts"] == 0, f"counted restarts: {last['restarts']}")
    until(lambda: not before & set(harness.marked(job)), 240, "what ran on the lost node is ended")
    return f"told after {told:.0f} s"


@contextlib.contextmanager
def commands_cut_off():
    """What the API server sends to the kubelet is lost, what the kubelet sends it is not: pods are known, and no command reaches them."""
    listening = subprocess.run(["ss", "-Hltn", "src", cluster.ADDRESS], capture_output=True, text=True, check=True).stdout
    ports = [line.split()[3].rpartition(":")[2] for line in listening.splitlines()]
    rules = [["INPUT", "-d", cluster.ADDRESS, "-p", "tcp", "--dport", port, "-j", "DROP"] for port in ports if port != "53"]
    expect(rules, f"something listens on {cluster.ADDRESS}")
    try:
        for rule in rules:
            subprocess.run(["iptables", "-I", *rule], check=True)
        yield
    finally:
        for rule in rules:
            subprocess.run(["iptables", "-D", *rule], check=True)


def model_of_a_pod_that_is_not_reached(muster):
    """The program has ended well, and what it left cannot be fetched: the job says why, and has its model when the pod is reached again."""
    script = "echo kept >$MUSTER_MODEL_DIR/model.txt; echo ends soon; sleep 10"
    job = plain(muster, "unreached", script, more="model: {name: unreached}")
    until(lambda: "ends soon" in muster.logs(job), 300, "it runs", every=0.25)
    with commands_cut_off():
        waiting = until(lambda: next((text for text in (muster.get(job)["warning"] or "",) if "not fetched yet" in text), None), 240, "it says why it waits")
        time.sleep(20)
        expect(muster.get(job)["state"] == "Running", "it waits")
    last = muster.wait(job, "Succeeded", 180)
    expect(last["model"], "a model is registered")
    return waiting


def claim_for_checkpoints(muster):
    """Checkpoints on a claim: seen by both pods at once, chosen from for the second attempt, also when the program has removed them meanwhile."""
    script = ('c=$MUSTER_CHECKPOINT_DIR; [ $MUSTER_ATTEMPT -eq 1 ] || { echo resumed $MUSTER_RESUME_FROM; cat $MUSTER_RESUME_FROM/part; exit $?; }; '
              'if [ $MUSTER_INDEX -eq 0 ]; then mkdir $c/step-7; echo state >$c/step-7/part; touch $c/step-7/_COMPLETE; '
              'while [ ! -e $c/seen ]; do sleep 0.1; done; sleep 12; rm -r $c/step-7; kill -KILL $$; '
              'else while [ ! -e $c/step-7/_COMPLETE ]; do sleep 0.1; done; touch $c/seen; sleep 600; fi')
    with claim(muster, "shared"):
        job = plain(muster, "claim", script, workers=2, restarts=1, more="kubernetes: {checkpointClaim: shared}")
        muster.wait(job, "Succeeded", 900)
        log = muster.logs(job, "--attempt", "2", "--process", "worker-1")
        expect("resumed /muster/checkpoints/step-7\nstate" in log, log)


def same_name_again_on_kubernetes(muster):
    """B52: submitted, deleted, submitted again at once, the service killed now and then: each has nothing of the one before, and no object of it is left."""
    script = "echo $MUSTER_JOB_ID; [ ! -e $MUSTER_CHECKPOINT_DIR/mark ] || echo left; touch $MUSTER_CHECKPOINT_DIR/mark; sleep 600"
    jobs, slowest = [plain(muster, "again", script)], 0
    for turn in range(5):
        begun = time.monotonic()
        job = jobs[-1]
        until(lambda: muster.logs(job), 300, "it runs", every=0.25)
        slowest = max(slowest, time.monotonic() - begun)
        log = muster.logs(job, "--process", "worker-0")
        expect(log == f"{job}\n" and muster.get(job)["restarts"] == 0, f"its log is its own: {log}")
        if turn % 2:
            muster.kill_service()
        muster("delete", job, "--cancel")
        if turn < 4:
            jobs.append(muster.submit(muster.home.parent / f"{muster.home.name}-again/job.yaml"))
    for job in jobs:
        nothing_is_left(muster, job)
    return f"slowest start {slowest:.1f} s"


def longest_names_on_kubernetes(muster):
    """B50: the longest names that are taken, of a job and of a role: the cluster takes every name that is made of them, also of a second attempt."""
    name, role = "n" * 40, "m" * 13
    folder = muster.home.parent / f"{muster.home.name}-names"
    folder.mkdir()
    script = "[ $MUSTER_ATTEMPT -gt 1 ] || exit 42; sleep 2; getent hosts $(hostname -f) && echo ended $MUSTER_ROLE"
    (folder / "job.yaml").write_text(
        f"name: {name}\nframework: plain\nbackend: kubernetes\nroles: {{worker: {{count: 2}}, {role}: {{sidecar: true}}}}\n"
        f"command: [sh, -c, {json.dumps(script)}]\nenvironment: {{image: \"{BASE}\"}}\n"
        "restart: {max: 1, backoff: {first: 0s}, rules: [{exitCodes: [42], action: restart}]}\nstartDeadline: 10m\n")
    job = muster.submit(folder / "job.yaml")
    last = muster.wait(job, "Succeeded", 600)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    log = muster.logs(job)
    expect(log.count("ended worker") == 2, log)


def home_too_small_on_kubernetes(muster):
    """A14: what a pod holds is left there until the service's disk takes it."""
    return disk_cases.home_too_small_for_the_model(muster, lambda there, name, script, more: plain(there, name, script, more=more))


CASES = [home_too_small_on_kubernetes, patched_container, claim_for_checkpoints, lost_node, requirements_are_installed, requirements_are_installed_once, image_that_is_not_there, quota_used_up, no_node_has_it,
         kill_service_meanwhile, memory_limit_of_a_rank_below_its_launcher, pytorch_ddp_on_kubernetes, elastic_killed_worker_on_kubernetes,
         standby_on_kubernetes, unused_standby_on_kubernetes, standby_for_a_deleted_pod,
         deleted_pod_in_mid_training, same_name_again_on_kubernetes, longest_names_on_kubernetes, manifests_are_taken, *matrix_cases.ON_KUBERNETES.cases]
HOROVOD = [elastic_horovod_on_kubernetes, elastic_horovod_lost_before_it_came_on_kubernetes, elastic_horovod_first_worker_killed_on_kubernetes,
           elastic_horovod_lost_with_the_model_on_kubernetes]
# Images of their own, an outage to wait for, or only there to fill docs/frameworks.md.
LONG_CASES = [fashion_mnist_on_kubernetes, elastic_scaled_on_kubernetes, *HOROVOD, elastic_tensorflow_ps_on_kubernetes, api_server_away,
              service_as_pods, stall_of_a_rank_that_sleeps_on_kubernetes, *standby_pods_cases.LONG_CASES, model_of_a_pod_that_is_not_reached, *matrix_cases.ON_KUBERNETES.long_cases]


# Beside base, which all need.
IMAGES = {**matrix_cases.ON_KUBERNETES.images, "fashion_mnist_on_kubernetes": ["tensorflow"], "service_as_pods": ["torch", "service"],
          **dict.fromkeys((case.__name__ for case in HOROVOD), ["horovod"]), "elastic_tensorflow_ps_on_kubernetes": ["tensorflow"],
          **dict.fromkeys(("standby_on_kubernetes", "unused_standby_on_kubernetes", "standby_for_a_deleted_pod", "pytorch_ddp_on_kubernetes",
                           "deleted_pod_in_mid_training", "elastic_killed_worker_on_kubernetes", "elastic_scaled_on_kubernetes",
                           "stall_of_a_rank_that_sleeps_on_kubernetes"), ["torch"])}


def chosen(words):
    if not words:
        return CASES
    if words == ["--long"]:
        return LONG_CASES
    return [case for case in CASES + LONG_CASES if any(word in case.__name__ for word in words)]


def images(cases):
    return sorted({"base", *(image for case in cases for image in IMAGES.get(case.__name__, []))})


def run(kubeconfig, admin, cases):
    os.environ.update(KUBECONFIG=str(kubeconfig), MUSTER_KUBERNETES_SIDECAR=SIDECAR, MUSTER_KUBERNETES_NAMESPACE="default")
    harness.Muster.admin = admin
    return harness.run(cases, [])
