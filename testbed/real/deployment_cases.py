"""The service itself as pods of the cluster: the manifests of deploy/ are taken by the API server, and two replicas made of them train a job."""

import contextlib
import fcntl
import os
import re
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from harness import ROOT, Muster, expect, proof, until

sys.path.insert(0, str(ROOT / "testbed/service"))
from database import Database  # noqa: E402

MANIFESTS = ROOT / "deploy/kubernetes"
DATA = "/usr/share/datasets/fashion-mnist"
# The first address of the range of Services: where every pod looks for the API server.
API = "10.96.0.1"

OVERLAY = """
resources: [{base}, volume.yaml]
images: [{{name: muster, newName: muster-test/service, newTag: "1"}}]
configMapGenerator: [{{name: muster-config, behavior: replace, files: [muster.yaml]}}]
secretGenerator:
  - {{name: muster-tls, files: [tls.crt, tls.key]}}
  - {{name: muster-database, literals: [password=none]}}
patches:
  - target: {{kind: PersistentVolumeClaim, name: muster}}
    patch: |
      - {{op: add, path: /spec/storageClassName, value: ""}}
      - {{op: add, path: /spec/volumeName, value: muster}}
  - target: {{kind: Deployment, name: muster}}
    patch: |
      - {{op: add, path: /spec/template/spec/volumes/-, value: {{name: data, hostPath: {{path: {data}}}}}}}
      - {{op: add, path: /spec/template/spec/containers/0/volumeMounts/-, value: {{name: data, mountPath: {data}, readOnly: true}}}}
"""
VOLUME = """
apiVersion: v1
kind: PersistentVolume
metadata: {{name: muster}}
spec:
  capacity: {{storage: 100Gi}}
  accessModes: [ReadWriteMany]
  storageClassName: ""
  hostPath: {{path: {place}}}
  claimRef: {{namespace: default, name: muster}}
"""


def kubectl(*words):
    done = Muster.admin.kubectl(*words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    expect(done.returncode == 0, f"kubectl {' '.join(map(str, words))}: {done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


def manifests_are_taken(muster):
    """What deploy/kubernetes holds, as kustomize makes it, by the API server itself; nothing is made."""
    said = kubectl("apply", "-k", MANIFESTS, "--dry-run=server").splitlines()
    for kind in ("serviceaccount", "role.rbac", "persistentvolumeclaim", "service/", "deployment", "configmap", "networkpolicy", "poddisruptionbudget"):
        expect(any(line.startswith(kind) for line in said), f"{kind} is among what is made: {said}")
    return f"{len(said)} objects; {documented_overlay_is_taken(muster.home.parent / 'documented')}"


def documented_overlay_is_taken(folder):
    """The overlay as docs/kubernetes.md writes it, over this clone: every right is one of the namespace that it names."""
    text = re.search(r"```yaml\n(# kustomization.yaml\n.*?)```", (ROOT / "docs/kubernetes.md").read_text(), re.S).group(1)
    folder.mkdir()
    for name in ("tls.crt", "tls.key", "password"):
        (folder / name).write_text("none")
    for each in (MANIFESTS / "muster.yaml", MANIFESTS / "kubeflow-rbac.yaml", MANIFESTS / "kueue-rbac.yaml"):
        shutil.copy(each, folder)
    text, times = re.subn(r"resources: \[.*?\]", f"resources: [{os.path.relpath(MANIFESTS, folder)}, kubeflow-rbac.yaml, kueue-rbac.yaml]", text)
    expect(times == 1, "it has resources")
    (folder / "kustomization.yaml").write_text(text)
    made = kubectl("kustomize", folder)
    expect(made.count("namespace: default") == 0, "nothing of it stays in namespace default")
    kubectl("create", "namespace", "training")
    try:
        said = kubectl("apply", "-k", folder, "--dry-run=server").splitlines()
    finally:
        kubectl("delete", "namespace", "training", "--wait=false")
    return f"{len(said)} of the documented overlay"


class Forwarding(socketserver.BaseRequestHandler):
    """Carries a connection on to the API server, as kube-proxy would."""

    def handle(self):
        with socket.create_connection(("127.0.0.1", Muster.admin.settings["ports"]["api"])) as there:
            back = threading.Thread(target=self.carry, args=(there, self.request), daemon=True)
            back.start()
            self.carry(self.request, there)
            back.join()

    @staticmethod
    def carry(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def api_server_for_pods():
    # One address of this machine, whichever instance of the testbed asks.
    lock = open(Muster.admin.folder.parent / "api-address.lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    subprocess.run(["ip", "address", "add", f"{API}/32", "dev", "lo"], check=True)
    try:
        socketserver.ThreadingTCPServer.allow_reuse_address = True
        with socketserver.ThreadingTCPServer((API, 443), Forwarding) as server:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield
            server.shutdown()
    finally:
        subprocess.run(["ip", "address", "del", f"{API}/32", "dev", "lo"])
        lock.close()


def overlay(folder, url, database):
    """What an engineer adds: image, address, certificate, database, a volume; here also the data set, which jobs name as a path of the service."""
    folder.mkdir()
    place = Muster.admin.folder / "claims" / "muster"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    os.chown(place, 1000, 1000)
    text = (MANIFESTS / "muster.yaml").read_text()
    for line, instead in (("url: https://.*", f"url: {url}"), ("url: \"postgresql.*", f"url: \"{database}\""),
                          ("instance: muster", "instance: muster, sidecar: \"muster.dev/busybox:testbed\"")):
        text, times = re.subn(line, instead, text)
        expect(times == 1, f"muster.yaml has one {line}")
    (folder / "muster.yaml").write_text(text)
    (folder / "kustomization.yaml").write_text(OVERLAY.format(base=os.path.relpath(MANIFESTS, folder), data=DATA))
    (folder / "volume.yaml").write_text(VOLUME.format(place=place))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "tls.key", "-out", folder / "tls.crt", "-days", "2",
                    "-subj", "/CN=muster", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as held:
        return held.getsockname()[1]


@contextlib.contextmanager
def deployed(folder, port, database):
    """Two replicas, ready, and a way to their Service at a port of this machine."""
    overlay(folder, f"https://127.0.0.1:{port}", database)
    try:
        kubectl("apply", "-k", folder)
        kubectl("rollout", "status", "deployment/muster", "--timeout=600s")
        command = Muster.admin.kubectl_command("port-forward", "service/muster", f"{port}:8470")
        forward = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            forward.terminate()
            forward.wait()
    finally:
        # The account stays: other cases act by it.
        kubectl("delete", "--ignore-not-found", "deployment/muster", "service/muster", "poddisruptionbudget/muster", "networkpolicy/muster",
                "networkpolicy/muster-jobs", "persistentvolumeclaim/muster", "persistentvolume/muster")


def service_as_pods(muster):
    """Two replicas over PostgreSQL in the cluster; the DDP example, handed in over their Service, trains on the cluster."""
    port, database_port = free_port(), free_port()
    folder = muster.home.parent / f"{muster.home.name}-overlay"
    reached_by_postgres = Path(tempfile.mkdtemp(prefix="muster-database-"))
    reached_by_postgres.chmod(0o755)
    database = Database(reached_by_postgres / "database", [Muster.admin.address], database_port)
    try:
        with api_server_for_pods(), deployed(folder, port, f"postgresql://{Muster.admin.address}:{database_port}/muster"):
            token = kubectl("exec", "deployment/muster", "-c", "muster", "--", "cat", "/shared/first-token").split()[-1]
            muster.env.update(MUSTER_SERVER=f"https://127.0.0.1:{port}", MUSTER_TOKEN=token, SSL_CERT_FILE=str(folder / "tls.crt"))
            until(lambda: "items" in muster("list", "-o", "json", code=None), 180, "the service answers")
            job = muster.submit(ROOT / "examples/pytorch-ddp/job.yaml", "--set", "backend=kubernetes",
                                "--set", "environment.image=muster-test/torch:1")
            document = muster.wait(job, "Succeeded", 1200)
            expect(document["model"] and document["model"]["name"] == "fashion-ddp", f"model is {document['model']}")
            kept = muster.home.parent / f"{muster.home.name}-model"
            muster("model", "get", "fashion-ddp", kept)
            expect(any(each.stat().st_size > 1000 for each in kept.rglob("*") if each.is_file()), "the model has weights in it")
            shown = proof(muster.logs(job), 2)
            for name in ("MUSTER_SERVER", "MUSTER_TOKEN", "SSL_CERT_FILE"):
                del muster.env[name]
            return shown
    finally:
        database.close()
        shutil.rmtree(reached_by_postgres, ignore_errors=True)
