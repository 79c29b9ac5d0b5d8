"""What a cluster may have besides its own parts: Kubeflow's training operator, Kueue, and nodes that kwok plays."""

import base64
import contextlib
import json
import subprocess
import time
import urllib.error

import build
from supervise import NotReady

OPERATOR = ("github.com/kubeflow/training-operator", "v1.8.1", "cmd/training-operator.v1")
KWOK = ("sigs.k8s.io/kwok", "v0.8.0", "cmd/kwok")
KUEUE = ("sigs.k8s.io/kueue", "v0.17.0", "cmd/kueue")
CERTIFICATE = "training-operator-webhook-cert"
# Where the operator reads it: one half of it always there, the other below TMPDIR.
CERTIFICATES = build.Path("/tmp/k8s-webhook-server/serving-certs")
# As the operator's own, but for an nslookup that is not content while one of the domains it searches does not know the name.
AWAIT_MASTER = """- name: init-pytorch
  image: {{.InitContainerImage}}
  command: ['sh', '-c', 'for i in $(seq {{.MaxTries}}); do nslookup {{.MasterAddr}} 2>&1 | grep -q ^Name: && exit 0; sleep 1; done; exit 1']
"""
# Put before the launcher of an MPIJob to bring it a kubectl, which Muster's launcher does without.
NO_KUBECTL = "muster.dev/no-kubectl:testbed"
SERVED = {"tfjob", "pytorchjob", "mpijob"}


def kubeflow(cluster, image, threads=None):
    """The training operator outside the cluster, as release 1.8.1 is; with its own number of threads, or that many."""
    program = build.installed(*OPERATOR)
    crds = build.module(*OPERATOR[:2]) / "manifests/base/crds"
    for file in sorted(crds.glob("kubeflow.org_*jobs.yaml")):
        name = file.stem.split("_")[1] + ".kubeflow.org"
        _apply(cluster, f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}", file.read_text())
    _await_kinds(cluster, "kubeflow.org/v1", [f"{kind}s" for kind in SERVED])
    _make(cluster, "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kubeflow"}})
    _make(cluster, "/api/v1/namespaces/kubeflow/secrets", {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": CERTIFICATE}})
    # It wants one to be there, and waits for certificates before it begins; nothing asks its webhooks here.
    _make(cluster, "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "validator.training-operator.kubeflow.org"}, "webhooks": []})
    ports = cluster.ports("operator-health", "operator-webhook")
    await_master = cluster.run / "await-master.yaml"
    await_master.write_text(AWAIT_MASTER)
    cluster.have_busybox(NO_KUBECTL, "true")
    part = cluster.parts["training-operator"]
    part.start([
        program, "--metrics-bind-address=0", f"--health-probe-bind-address=127.0.0.1:{ports['operator-health']}",
        f"--webhook-server-port={ports['operator-webhook']}", f"--pytorch-init-container-image={image}",
        f"--pytorch-init-container-template-file={await_master}",
        f"--mpi-kubectl-delivery-image={NO_KUBECTL}",
        *(f"--enable-scheme={kind}" for kind in sorted(SERVED)), *([f"--controller-threads={threads}"] if threads else []),
    ], {"KUBECONFIG": str(cluster.kubeconfig), "TMPDIR": "/tmp"})
    part.await_ready(lambda: _certificate(cluster))
    part.await_ready(lambda: cluster.answers(ports["operator-health"], "/readyz"))


def _certificate(cluster):
    """Puts what the operator made where a kubelet would have mounted it."""
    data = cluster.send("GET", f"/api/v1/namespaces/kubeflow/secrets/{CERTIFICATE}", None).get("data") or {}
    if "tls.crt" not in data:
        return False
    CERTIFICATES.mkdir(parents=True, exist_ok=True)
    # The certificate last: the operator begins when it is there, and needs the key.
    for name in sorted(data, key=lambda name: name == "tls.crt"):
        half = CERTIFICATES / f"{name}.half"
        half.touch(0o600)
        half.write_bytes(base64.b64decode(data[name]))
        half.rename(CERTIFICATES / name)
    return True


# Kueue wants certificates for its metrics in /etc, which it gets in a view of /etc that is its own.
OWN_ETC = """
mount -t tmpfs none /mnt
mkdir /mnt/upper /mnt/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc
mkdir -p /etc/kueue/metrics/certs
cp "$1"/tls.* /etc/kueue/metrics/certs
shift
exec "$@"
"""
# Of its webhooks, those about pods and its own objects.
WEBHOOKS = ("pod", "workload", "clusterqueue", "cohort", "localqueue", "resourceflavor")


def kueue(cluster):
    """Kueue 0.17 outside the cluster, for plain pods."""
    program = build.installed(*KUEUE)
    sources = build.module(*KUEUE[:2]) / "config/components"
    for file in sorted(sources.glob("crd/bases/*.yaml")):
        group, _, plural = file.stem.partition("_")
        _apply(cluster, f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{plural}.{group}", file.read_text())
    _await_kinds(cluster, "kueue.x-k8s.io/v1beta2", ("workloads", "clusterqueues", "localqueues", "resourceflavors"))
    _make(cluster, "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kueue-system"}})
    ports = cluster.ports("kueue-health", "kueue-webhook")
    folder = cluster.run / "kueue"
    certificates = folder / "certificates"
    certificates.mkdir(parents=True, exist_ok=True)
    if not (certificates / "tls.crt").exists():
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", certificates / "tls.key", "-out", certificates / "tls.crt",
                        "-days", "30", "-subj", "/CN=kueue", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    settings = folder / "settings.yaml"
    settings.write_text(json.dumps({
        "apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", "namespace": "kueue-system",
        "health": {"healthProbeBindAddress": f"127.0.0.1:{ports['kueue-health']}"}, "metrics": {"bindAddress": "0"},
        "webhook": {"host": "127.0.0.1", "port": ports["kueue-webhook"], "certDir": str(certificates)}, "leaderElection": {"leaderElect": False},
        "internalCertManagement": {"enable": False}, "integrations": {"frameworks": ["pod"]},
        # A server of its own, which wants certificates in the root of the file system, and of which nothing is asked here.
        "featureGates": {"VisibilityOnDemand": False}}))
    part = cluster.parts["kueue"]
    part.start(["unshare", "--mount", "sh", "-ec", OWN_ETC, "sh", certificates, program, f"--config={settings}"], {"KUBECONFIG": str(cluster.kubeconfig)})
    part.await_ready(lambda: cluster.answers(ports["kueue-health"], "/readyz"))
    _webhooks(cluster, sources, ports["kueue-webhook"], base64.b64encode((certificates / "tls.crt").read_bytes()).decode())


def _webhooks(cluster, sources, port, certificate):
    """Has the API server ask Kueue, where it runs, about each pod."""
    said = cluster.kubectl("create", "--dry-run=client", "-o", "json", "-f", sources / "webhook/manifests.yaml", capture_output=True, text=True, check=True)
    decoder, text = json.JSONDecoder(), said.stdout.strip()
    while text:
        thing, end = decoder.raw_decode(text)
        text = text[end:].strip()
        kept = [hook for hook in thing["webhooks"] if hook["name"].split(".")[0][1:] in WEBHOOKS]
        for hook in kept:
            path = hook["clientConfig"].pop("service")["path"]
            hook["clientConfig"] = {"url": f"https://127.0.0.1:{port}{path}", "caBundle": certificate}
        made = {key: thing[key] for key in ("apiVersion", "kind")} | {"metadata": {"name": f"kueue-{thing['metadata']['name']}"}, "webhooks": kept}
        plural = thing["kind"].lower() + "s"
        _apply(cluster, f"/apis/admissionregistration.k8s.io/v1/{plural}/{made['metadata']['name']}", json.dumps(made))


def without_kueue(cluster):
    """Nobody answers for Kueue any more, so nobody is asked."""
    for kind in ("mutating", "validating"):
        with contextlib.suppress(urllib.error.HTTPError):
            cluster.send("DELETE", f"/apis/admissionregistration.k8s.io/v1/{kind}webhookconfigurations/kueue-{kind}-webhook-configuration", None)


def kwok(cluster, count):
    """So many nodes on which pods run for nobody: label type=kwok, and a taint that pods have to tolerate."""
    program = build.installed(*KWOK)
    port = cluster.ports("kwok")["kwok"]
    # What becomes of its nodes and pods: ready at once, running at once, gone at once.
    stages = build.module(*KWOK[:2]) / "kustomize/stage"
    files = [file for kind in ("node/fast", "node/heartbeat-with-lease", "pod/fast") for file in sorted((stages / kind).glob("*.yaml"))
             if file.name != "kustomization.yaml"]
    cluster.parts["kwok"].start([
        program, f"--kubeconfig={cluster.kubeconfig}", "--manage-all-nodes=false",
        "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake",
        # Without leases a node that says nothing for the grace period is lost.
        "--node-lease-duration-seconds=12", f"--server-address=127.0.0.1:{port}", *(f"--config={file}" for file in files),
    ])
    room = {"cpu": "64", "memory": "256Gi", "pods": "1000"}
    for index in range(count):
        _make(cluster, "/api/v1/nodes", {
            "apiVersion": "v1", "kind": "Node",
            "metadata": {"name": f"kwok-{index}", "labels": {"type": "kwok", "kubernetes.io/hostname": f"kwok-{index}"},
                         "annotations": {"kwok.x-k8s.io/node": "fake", "node.alpha.kubernetes.io/ttl": "0"}},
            "spec": {"taints": [{"key": "kwok.x-k8s.io/node", "value": "fake", "effect": "NoSchedule"}]},
            "status": {"allocatable": room, "capacity": room}})
    cluster.parts["kwok"].await_ready(lambda: _ready(cluster) >= count)


def _ready(cluster):
    nodes = cluster.send("GET", "/api/v1/nodes?labelSelector=type=kwok", None)["items"]
    return sum(any(each["type"] == "Ready" and each["status"] == "True" for each in node["status"].get("conditions", [])) for node in nodes)


def _await_kinds(cluster, version, plurals):
    """Whoever starts before the API server tells of its kinds ends at once."""
    deadline = time.monotonic() + 120
    while True:
        with contextlib.suppress(urllib.error.HTTPError):
            if set(plurals) <= {each["name"] for each in cluster.send("GET", f"/apis/{version}", None)["resources"]}:
                return
        if time.monotonic() > deadline:
            raise NotReady(f"the API server does not tell of {sorted(plurals)} in {version}")
        time.sleep(0.1)


def _make(cluster, path, thing):
    try:
        cluster.send("POST", path, json.dumps(thing).encode())
    except urllib.error.HTTPError as answer:
        if answer.code != 409:
            raise NotReady(f"POST {path}: {answer.code} {answer.read().decode()[:500]}") from None


def _apply(cluster, path, text):
    try:
        cluster.send("PATCH", f"{path}?fieldManager=testbed&force=true", text.encode(), "application/apply-patch+yaml")
    except urllib.error.HTTPError as answer:
        raise NotReady(f"apply {path}: {answer.code} {answer.read().decode()[:500]}") from None
