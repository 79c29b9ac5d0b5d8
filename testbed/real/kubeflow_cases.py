"""Trainings by Kubeflow's training operator on a real cluster, by ./muster: TFJob and PyTorchJob, failures, restarts, what is written by export."""

import json
import os
import re
import subprocess
import time

import harness
import matrix_cases
from claims import claim
from frameworks_cases import same_states
from harness import ROOT, expect, proof, steps, until

BASE = "muster-test/base:1"
TORCH = "muster-test/torch:1"
TENSORFLOW = "muster-test/tensorflow:1"
MPI = "muster-test/mpi:1"
SIDECAR = "muster.dev/busybox:testbed"
OBJECTS = "/apis/kubeflow.org/v1/namespaces/default"
CORE = "/api/v1/namespaces/default"
SHOW = 'echo "config $TF_CONFIG"; echo "rank $MUSTER_RANK of $MUSTER_WORLD_SIZE in $(ls)"'
# As TensorFlow's server does, which is how a member has joined.
LISTENS = "python3 -c 'import socket, time; s = socket.create_server((str(), 2222)); time.sleep(5)'"
JOB = """
name: {name}
framework: {framework}
backend: kubeflow
workers: {workers}
command: [sh, -c, {script}]
environment: {{image: "{image}"}}
restart: {{max: {restarts}, backoff: {{first: 0s}}}}
startDeadline: 10m
grace: 3s
keep: {{processes: {keep}}}
{more}
"""


def job(muster, name, script, framework="tensorflow", image=BASE, workers=2, restarts=0, more="", keep="5m"):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir()
    (folder / "brought").write_text("by Muster\n")
    (folder / "job.yaml").write_text(JOB.format(name=name, framework=framework, script=json.dumps(script), image=image, workers=workers,
                                                restarts=restarts, more=more, keep=keep))
    return muster.submit(folder / "job.yaml")


def kubectl(muster, method, path, body=None, kind="application/json"):
    """One request as admin: what somebody else does to the cluster."""
    return muster.admin.send(method, path, None if body is None else json.dumps(body).encode(), kind)


def objects(muster, plural, job):
    return kubectl(muster, "GET", f"{OBJECTS}/{plural}?labelSelector=muster.dev/job={job}")["items"]


def condition(thing, kind):
    return next((each for each in thing.get("status", {}).get("conditions") or [] if each["type"] == kind and each["status"] == "True"), None)


def says(muster, job, text, seconds=400):
    until(lambda: text in muster.logs(job), seconds, f"the log says {text}", every=0.25)


def tfjob_of_two_workers(muster):
    """The operator's own TF_CONFIG reaches programs whose code Muster brought; the object ends Succeeded too."""
    made = job(muster, "two", SHOW + f"; [ -e brought ]; {LISTENS}; echo model >$MUSTER_MODEL_DIR/m", more="code: .\nmodel: {name: two}")
    last = muster.wait(made, "Succeeded", 720)
    expect(last["model"], "its model is registered")
    configs = [json.loads(text) for text in re.findall(r"config (\{.*\})", muster.logs(made))]
    expect(len(configs) == 2, f"TF_CONFIG of each: {configs}")
    hosts = {tuple(config["cluster"]["worker"]) for config in configs}
    expect(hosts == {(f"{made}-a1-worker-0.default.svc:2222", f"{made}-a1-worker-1.default.svc:2222")}, f"hosts are {hosts}")
    expect({config["task"]["index"] for config in configs} == {0, 1}, f"tasks are {configs}")
    [thing] = objects(muster, "tfjobs", made)
    until(lambda: condition(objects(muster, "tfjobs", made)[0], "Succeeded"), 180, "the TFJob is Succeeded")
    same_states(muster, made)
    return f"TFJob {thing['metadata']['name']} uid {thing['metadata']['uid']}"


def pytorchjob_of_three_workers(muster):
    """Worker 0 is the operator's master; ranks and world size are the operator's and agree with Muster's."""
    script = 'echo "torch $RANK of $WORLD_SIZE at $MASTER_ADDR:$MASTER_PORT, muster $MUSTER_RANK"'
    made = job(muster, "ranks", script, framework="pytorch", workers=3)
    muster.wait(made, "Succeeded", 720)
    said = set(re.findall(r"torch (\d) of (\d) at (\S+):(\d+), muster (\d)", muster.logs(made)))
    expect(said == {(str(n), "3", f"{made}-a1-master-0", "23456", str(n)) for n in range(3)}, f"said {said}")
    [thing] = objects(muster, "pytorchjobs", made)
    expect(sorted(thing["spec"]["pytorchReplicaSpecs"]) == ["Master", "Worker"], "its replicas")


def failing_worker(muster):
    """B17: one worker fails for good; the job is over within seconds, its peer stopped, the first failure told with its code."""
    made = job(muster, "fails", "[ $MUSTER_INDEX -eq 0 ] && { trap '' TERM; sleep 600; }; echo no luck; sleep 2; exit 3")
    begun = time.monotonic()
    document = muster.wait(made, "Failed", 600)
    codes = {each["name"]: each["exitCode"] for each in document["processes"]}
    expect(document["cause"] == "UserError" and codes["worker-1"] == 3, f"{document['cause']}: {document['reason']} {codes}")
    until(lambda: not harness.marked(made), 180, "its peer is stopped")
    [thing] = objects(muster, "tfjobs", made)
    until(lambda: condition(objects(muster, "tfjobs", made)[0], "Failed"), 180, "the TFJob is Failed")
    expect(len(objects(muster, "tfjobs", made)) == 1, f"no second object of {thing['metadata']['name']}")
    return f"over {time.monotonic() - begun:.0f} s after it was handed in"


def cancelled(muster):
    """A8: cancel ends the pods within the grace time; nothing of it is left in the cluster."""
    made = job(muster, "cancel", "echo running; sleep 600", keep="0s")
    says(muster, made, "running")
    muster("cancel", made, "--wait")
    expect(muster.state(made) == "Cancelled", muster.state(made))
    expect(not harness.marked(made), "its processes are gone")
    until(lambda: not objects(muster, "tfjobs", made), 240, "the TFJob is gone")
    for kind in ("pods", "secrets"):
        until(lambda k=kind: not kubectl(muster, "GET", f"{CORE}/{k}?labelSelector=muster.dev/job={made}")["items"], 240, f"its {kind} are gone")
    until(lambda: not [each for each in kubectl(muster, "GET", f"{CORE}/services")["items"] if each["metadata"]["name"].startswith(made)], 240,
          "the operator's services are gone")


def suspended_and_resumed(muster):
    """A suspended job holds nothing in the cluster; resumed it is a new object, and its checkpoint is there."""
    script = ('c=$MUSTER_CHECKPOINT_DIR; echo attempt $MUSTER_ATTEMPT from $MUSTER_RESUME_FROM; [ $MUSTER_ATTEMPT -eq 1 ] || exit 0; '
              '[ $MUSTER_INDEX -ne 0 ] || { mkdir $c/step-5; echo s >$c/step-5/part; touch $c/step-5/_COMPLETE; }; '
              'while [ ! -e $MUSTER_CONTROL_DIR/stop ]; do sleep 0.2; done; exit 0')
    made = job(muster, "suspends", script)
    until(lambda: any(each["whole"] for each in muster.json("checkpoints", made)["items"]), 200, "a whole checkpoint")
    muster("suspend", made)
    muster.wait(made, "Suspended", 600)
    muster("resume", made)
    muster.wait(made, "Succeeded", 720)
    log = muster.logs(made, "--attempt", "2", "--process", "worker-1")
    expect("from /muster/checkpoints/step-5" in log, log)
    names = sorted(each["metadata"]["name"] for each in objects(muster, "tfjobs", made))
    expect(names == [f"{made}-a1", f"{made}-a2"], f"objects are {names}")


def killed_pod_is_restarted_by_muster(muster):
    """B25: somebody deletes a pod; the operator does nothing about it, Muster starts the group anew as another object."""
    made = job(muster, "killed", "echo attempt $MUSTER_ATTEMPT; [ $MUSTER_ATTEMPT -gt 1 ] || sleep 600", restarts=1)
    says(muster, made, "worker-1 | attempt 1")
    kubectl(muster, "DELETE", f"{CORE}/pods/{made}-a1-worker-1")
    last = muster.wait(made, "Succeeded", 900)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    first = kubectl(muster, "GET", f"{OBJECTS}/tfjobs/{made}-a1")
    expect(condition(first, "Restarting") is None, "the operator restarted nothing")
    causes = {event["cause"] for event in muster.json("events", made)["items"]}
    expect("Killed" in causes, f"causes are {causes}")


def suspended_by_somebody_else(muster):
    """An admin suspends the object: Preempted, not counted, and the job comes back by itself."""
    made = job(muster, "pushed", "echo attempt $MUSTER_ATTEMPT; [ $MUSTER_ATTEMPT -gt 1 ] || sleep 600")
    says(muster, made, "worker-1 | attempt 1")
    kubectl(muster, "PATCH", f"{OBJECTS}/tfjobs/{made}-a1", {"spec": {"runPolicy": {"suspend": True}}}, "application/merge-patch+json")
    last = muster.wait(made, "Succeeded", 900)
    expect(last["restarts"] == 0, f"counted restarts: {last['restarts']}")
    causes = {event["cause"] for event in muster.json("events", made)["items"]}
    expect("Preempted" in causes, f"causes are {causes}")


def ended_through_its_object(muster):
    """Somebody deletes the object, or gives it a limit by which the operator deletes its pods: that is told, not that pods were deleted."""
    said = []
    for name, reason, method, body in (
            ("gone", "somebody deleted TFJob", "DELETE", None),
            ("late", "somebody gave it activeDeadlineSeconds: 1", "PATCH", {"spec": {"runPolicy": {"activeDeadlineSeconds": 1}}})):
        made = job(muster, name, "echo attempt $MUSTER_ATTEMPT; [ $MUSTER_ATTEMPT -gt 1 ] || sleep 600", restarts=1)
        says(muster, made, "worker-1 | attempt 1")
        kubectl(muster, method, f"{OBJECTS}/tfjobs/{made}-a1", body, "application/merge-patch+json")
        last = muster.wait(made, "Succeeded", 900)
        expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
        reasons = [event["reason"] for event in muster.json("events", made)["items"] if event["cause"] == "Killed"]
        expect(any(reason in each for each in reasons), f"reasons are {reasons}")
        said.append(reasons[0])
    return "; ".join(said)


def service_killed_meanwhile(muster):
    """A12, A14: the service is killed while the group runs, which ends meanwhile; the next service tells the end, with log and model."""
    made = job(muster, "orphan", "echo one; sleep 8; echo two; echo w >$MUSTER_MODEL_DIR/w", more="model: {name: orphan}")
    says(muster, made, "worker-1 | one")
    muster.kill_service()
    until(lambda: not harness.marked(made), 240, "the programs are over")
    document = muster.wait(made, "Succeeded", 600)
    expect(document["model"], "its model is there")
    lines = muster.logs(made, "--process", "worker-0").splitlines()
    expect(lines == ["one", "two"], f"log: {lines}")


def no_operator(muster):
    """The operator is away: that is told within seconds; the job cancelled meanwhile never starts, also when it comes back."""
    operator = muster.admin.parts["training-operator"]
    operator.signal(19)
    try:
        made = job(muster, "alone", "echo never")
        reason = until(lambda: (lambda r: r if r and "training operator" in r else None)(muster.get(made)["reason"]), 240, "the operator is missed")
        muster("cancel", made, "--wait")
    finally:
        operator.signal(18)
    # The operator may take the object as it was before it learns that it is gone; what it makes then nobody gives a program, and the cluster removes it.
    time.sleep(3)
    until(lambda: not kubectl(muster, "GET", f"{CORE}/pods?labelSelector=muster.dev/job={made}")["items"], 60, "no pod is left")
    expect("never" not in muster.logs(made, "--attempt", "all"), "the program never ran")
    expect(muster.get(made)["state"] == "Cancelled", "it is Cancelled")
    return reason[:120]


def quota_used_up(muster):
    """B18: the quota does not let the operator's pods through; its words are the reason, and the job starts once there is room."""
    kubectl(muster, "POST", f"{CORE}/resourcequotas", {
        "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "none"}, "spec": {"hard": {"pods": "0"}}})
    try:
        made = job(muster, "quota", "echo ran")
        reason = until(lambda: (lambda r: r if r and "exceeded quota" in r else None)(muster.get(made)["reason"]), 240, "the quota's words")
    finally:
        kubectl(muster, "DELETE", f"{CORE}/resourcequotas/none")
    muster.wait(made, "Succeeded", 720)
    return reason[:100]


def refused_at_submission(muster):
    """What the operator cannot do is refused in plain words, and nothing is made."""
    folder = muster.home.parent / f"{muster.home.name}-refused"
    folder.mkdir()
    for text, field in (("framework: jax\nworkers: 2", "framework"),
                        ("framework: tensorflow\nroles: {worker: {count: 1}, evaluator: {count: 1}}", "tensorflow.evaluatorInCluster"),
                        ("framework: tensorflow\nworkers: 2\nnetwork: {hostNetwork: true}", "network.hostNetwork")):
        (folder / "job.yaml").write_text(f"name: refused\nbackend: kubeflow\ncommand: [a]\nenvironment: {{image: {BASE}}}\n{text}\n")
        done = subprocess.run([harness.MUSTER, "submit", folder / "job.yaml", "-o", "json"], env=muster.env, capture_output=True, text=True)
        expect(done.returncode == 2, f"{field}: ended with {done.returncode}: {done.stderr}")
        fields = [problem["field"] for problem in json.loads(done.stderr)["problems"]]
        expect(fields == [field], f"{field}: {fields}")


def exported_tfjob_runs(muster):
    """What export writes is taken by the API server as it is, and the operator runs it to Succeeded without Muster."""
    folder = muster.home.parent / f"{muster.home.name}-export"
    folder.mkdir()
    (folder / "job.yaml").write_text(
        f"name: exported\nframework: tensorflow\nworkers: 2\ncommand: [python3, -c, \"import os; print(os.environ['TF_CONFIG'])\"]\n"
        f"environment: {{image: \"{BASE}\"}}\n")
    text = muster("export", folder / "job.yaml", "--as", "tfjob")
    muster.admin.send("POST", f"{OBJECTS}/tfjobs", text.encode(), "application/yaml")
    try:
        until(lambda: condition(kubectl(muster, "GET", f"{OBJECTS}/tfjobs/exported"), "Succeeded"), 400, "it is Succeeded")
    finally:
        kubectl(muster, "DELETE", f"{OBJECTS}/tfjobs/exported")
    # One that fails keeps its pods, and with them their logs.
    muster.admin.send("POST", f"{OBJECTS}/tfjobs", text.replace("exported", "failing").replace("python3", "/bin/false").encode(), "application/yaml")
    try:
        until(lambda: condition(kubectl(muster, "GET", f"{OBJECTS}/tfjobs/failing"), "Failed"), 400, "it is Failed")
        time.sleep(3)
        pods = kubectl(muster, "GET", f"{CORE}/pods?labelSelector=training.kubeflow.org/job-name=failing")["items"]
        expect(len(pods) == 2 and not any("deletionTimestamp" in pod["metadata"] for pod in pods), "its pods are kept")
    finally:
        kubectl(muster, "DELETE", f"{OBJECTS}/tfjobs/failing")
    for kind, framework, path in (("pytorchjob", "pytorch", f"{OBJECTS}/pytorchjobs"), ("mpijob", "mpi", f"{OBJECTS}/mpijobs")):
        (folder / "job.yaml").write_text(
            f"name: exported\nframework: {framework}\nworkers: 2\ncommand: [mpirun, a]\nenvironment: {{image: \"{BASE}\"}}\n"
            "kubernetes: {nodeSelector: {disk: none}}\n")
        text = muster("export", folder / "job.yaml", "--as", kind)
        answer = muster.admin.send("POST", f"{path}?dryRun=All&fieldValidation=Strict", text.encode(), "application/yaml")
        expect(answer["metadata"]["name"] == "exported", answer)


def fashion_mnist_as_tfjob(muster):
    """A27, issue 5: the example, text unchanged but for backend, image and claims, as a two-worker TFJob: checkpoints and saved model on claims."""
    with claim(muster, "checkpoints") as checkpoints, claim(muster, "models") as models:
        command = 'python3 train.py --epochs 1 && { [ "$MUSTER_IS_CHIEF" = false ] || cp -r "$MUSTER_MODEL_DIR" /models/fashion; }'
        made = muster.submit(
            ROOT / "examples/fashion-mnist/job.yaml", "--set", "backend=kubeflow", "--set", f"environment.image={TENSORFLOW}",
            "--set", "checkpoints.every=5s", "--set", f"command={json.dumps(['sh', '-c', command])}", "--set", "kubernetes.checkpointClaim=checkpoints",
            "--set", "kubernetes.volumes=[{name: models, mountPath: /models, persistentVolumeClaim: {claimName: models}}]")
        # Looked at while it is there: an object of a job that is over goes soon.
        [thing] = until(lambda: objects(muster, "tfjobs", made), 600, "its TFJob is there")
        last = muster.wait(made, "Succeeded", 1740)
        expect(last["model"], "the model is registered")
        expect((models / "fashion").is_dir() and any((models / "fashion").rglob("saved_model.pb")), "the saved model is on its claim")
        expect(any((checkpoints / made).iterdir()), "checkpoints are on their claim")
        log = muster.logs(made)
        said = proof(log, 2)
        same_states(muster, made)
        return f"{said}; {len(steps(log, 'worker-0'))} steps told; TFJob uid {thing['metadata']['uid']}"


def pytorch_ddp_as_pytorchjob(muster):
    """A27: the example as a PyTorchJob; the ranks prove that they trained together."""
    made = muster.submit(ROOT / "examples/pytorch-ddp/job.yaml", "--set", "backend=kubeflow", "--set", f"environment.image={TORCH}")
    last = muster.wait(made, "Succeeded", 1740)
    expect(last["model"], "the model is registered")
    return proof(muster.logs(made), 2)


def mpi_as_mpijob(muster):
    """A27: the example as an MPIJob: its ranks are started through Muster's agents, by names that the operator does not make; nothing of them is left."""
    made = muster.submit(ROOT / "examples/mpi/job.yaml", "--set", "backend=kubeflow", "--set", f"environment.image={MPI}", "--set", "keep.processes=30s")
    last = muster.wait(made, "Succeeded", 1740)
    expect(last["model"], "the model is registered")
    said = proof(muster.logs(made), 4)
    [thing] = objects(muster, "mpijobs", made)
    until(lambda: condition(kubectl(muster, "GET", f"{OBJECTS}/mpijobs/{thing['metadata']['name']}"), "Succeeded"), 180, "the MPIJob is Succeeded")
    until(lambda: not [each for each in kubectl(muster, "GET", f"{CORE}/services")["items"] if each["metadata"]["name"].startswith(made)], 240,
          "the services of its members are gone")
    return f"{said}; MPIJob uid {thing['metadata']['uid']}"


def killed_worker_of_an_mpijob(muster):
    """B25: a worker's pod is deleted while mpirun waits for its rank; Muster starts the group anew as another object."""
    rank = ("from mpi4py import MPI; import os, time; c = MPI.COMM_WORLD; n = c.allreduce(1); "
            "print('attempt', os.environ['MUSTER_ATTEMPT'], 'rank', c.rank, 'of', n, flush=True); "
            "time.sleep(600 if os.environ['MUSTER_ATTEMPT'] == '1' else 0)")
    made = job(muster, "mpi", f'mpirun python3 -c "{rank}"', framework="mpi", image=MPI, restarts=1)
    says(muster, made, "attempt 1 rank 1 of 2")
    kubectl(muster, "DELETE", f"{CORE}/pods/{made}-a1-worker-1")
    last = muster.wait(made, "Succeeded", 900)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    expect("attempt 2 rank 1 of 2" in muster.logs(made), muster.logs(made))
    causes = {event["cause"] for event in muster.json("events", made)["items"]}
    expect("Killed" in causes, f"causes are {causes}")


CASES = [tfjob_of_two_workers, pytorchjob_of_three_workers, failing_worker, cancelled, killed_pod_is_restarted_by_muster, suspended_and_resumed,
         suspended_by_somebody_else, ended_through_its_object, service_killed_meanwhile, no_operator, quota_used_up, refused_at_submission, exported_tfjob_runs,
         fashion_mnist_as_tfjob, pytorch_ddp_as_pytorchjob, mpi_as_mpijob, killed_worker_of_an_mpijob]
LONG_CASES = matrix_cases.ON_KUBEFLOW.long_cases
IMAGES = {**{case: image for case, [image] in matrix_cases.ON_KUBEFLOW.images.items()}, "mpi_as_mpijob": "mpi", "killed_worker_of_an_mpijob": "mpi", "fashion_mnist_as_tfjob": "tensorflow", "pytorch_ddp_as_pytorchjob": "torch"}


def chosen(words):
    if words == ["--long"]:
        return LONG_CASES
    return [case for case in CASES + (LONG_CASES if words else []) if not words or any(word in case.__name__ for word in words)]


def images(cases):
    return sorted({"base", *(IMAGES.get(case.__name__, "base") for case in cases)})


def run(kubeconfig, admin, cases):
    os.environ.update(KUBECONFIG=str(kubeconfig), MUSTER_KUBERNETES_SIDECAR=SIDECAR, MUSTER_KUBERNETES_NAMESPACE="default")
    harness.Muster.admin = admin
    return harness.run(cases, [])
