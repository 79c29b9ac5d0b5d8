"""A Kubernetes of one node on this machine: each part is a program of its own, and all it writes lies below one folder."""

import contextlib
import json
import os
import re
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from datetime import datetime, timezone
from pathlib import Path

import build
import image
from supervise import NotReady, Program

NODE = "testbed"
# Several may run side by side: each has a folder, addresses, a bridge and control groups of its own; the built programs are shared.
INSTANCE = os.environ.get("MUSTER_TESTBED_INSTANCE") or "0"
if INSTANCE not in "0123456789" or len(INSTANCE) != 1:
    sys.exit(f"MUSTER_TESTBED_INSTANCE={INSTANCE}: it is one digit, 0 where it is not set")
FOLDER = "kubernetes" if INSTANCE == "0" else f"kubernetes-{INSTANCE}"
# An address of this machine alone, on its loopback interface: the node, which may not live at 127.0.0.1, and the names of pods.
ADDRESS = f"10.96.0.1{INSTANCE}"
PODS = f"10.244.{INSTANCE}.0/24"
BRIDGE = "muster-testbed" if INSTANCE == "0" else f"muster-testbed{INSTANCE}"
CGROUP = "" if INSTANCE == "0" else f"muster-testbed{INSTANCE}"
SIDECAR = "muster.dev/busybox:testbed"
PLUGINS = Path("/usr/lib/cni")
BUSYBOX = Path("/bin/busybox")
TESTBED = Path(__file__).resolve().parents[1] / "kubernetes"
CONTROLLERS = ("cpu", "cpuset", "memory", "pids")
# What `testbed/kubernetes up` ends with when the cluster is there, but late.
SLOW = 10


def brought_up(*more, quiet=False):
    """Runs `testbed/kubernetes up`; ends this program, in whose name it says so, when there is no cluster then. Being slow is no failure here."""
    code = subprocess.run([TESTBED, "up", *map(str, more)], stdout=subprocess.DEVNULL if quiet else None).returncode
    if code not in (0, SLOW):
        sys.exit(f"{Path(sys.argv[0]).name}: there is no cluster: testbed/kubernetes up ended with {code}")
    return Cluster()


RBAC = {
    "ServiceAccount": "/api/v1/namespaces/default/serviceaccounts",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
}


class Cluster:
    def __init__(self):
        self.folder = build.cache() / FOLDER
        self.run = self.folder / "run"
        self.kubeconfig = self.folder / "kubeconfig"
        self.address = ADDRESS
        self.socket = self.run / "containerd.sock"
        parts = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "containerd", "kubelet", "coredns", "training-operator", "kueue", "kwok")
        self.settings = self._settings()
        self.parts = {name: Program(self.run, name) for name in parts}

    # ------------------------------------------------------------------ up

    def up(self):
        """Starts what does not run; returns once the node is ready and names are answered."""
        self.binaries = build.binaries()
        self.run.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        self._control_plane()
        self._node()
        self._names()

    def _settings(self):
        """Ports and tokens, chosen once and kept, so that a kubeconfig stays true over down and up."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "settings.json"
        if not file.exists():
            names = ("etcd", "peer", "api", "kubelet", "kubelet-health", "controllers", "scheduler", "dns-ready")
            held = [socket.create_server(("127.0.0.1", 0)) for _ in names]
            ports = {name: held[i].getsockname()[1] for i, name in enumerate(names)}
            for each in held:
                each.close()
            file.touch(0o600)
            file.write_text(json.dumps({"ports": ports, "tokens": {name: secrets.token_hex(16) for name in ("admin", "node")}}))
        return json.loads(file.read_text())

    def ports(self, *names):
        """Ports of these names, chosen once."""
        known = self.settings["ports"]
        held = {name: socket.create_server(("127.0.0.1", 0)) for name in names if name not in known}
        known.update({name: each.getsockname()[1] for name, each in held.items()})
        for each in held.values():
            each.close()
        if held:
            (self.folder / "settings.json").write_text(json.dumps(self.settings))
        return {name: known[name] for name in names}

    def _kubernetes(self, part, *flags):
        return [self.binaries / "kubernetes", part, *flags]

    def _control_plane(self):
        ports, tokens = self.settings["ports"], self.settings["tokens"]
        etcd = f"http://127.0.0.1:{ports['etcd']}"
        peer = f"http://127.0.0.1:{ports['peer']}"
        # Nothing here has to outlive a fall of the machine, so nothing is synced.
        self.parts["etcd"].start([
            "etcd", "--data-dir", self.folder / "etcd", "--unsafe-no-fsync", "--listen-client-urls", etcd, "--advertise-client-urls", etcd,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}", "--log-level", "warn",
        ])
        self._accounts_key()
        csv = self.run / "tokens.csv"
        csv.touch(0o600)
        csv.write_text(f'{tokens["admin"]},admin,admin,"system:masters"\n'
                       f'{tokens["node"]},system:node:{NODE},node,"system:nodes"\n')
        key = self.run / "accounts.key"
        self.parts["kube-apiserver"].start(self._kubernetes(
            "kube-apiserver", f"--etcd-servers={etcd}", f"--secure-port={ports['api']}", "--bind-address=127.0.0.1",
            f"--cert-dir={self.run}/certificates", "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={key}", f"--service-account-signing-key-file={key}", f"--token-auth-file={csv}",
            "--authorization-mode=Node,RBAC", "--service-cluster-ip-range=10.96.0.0/16", "--allow-privileged=true",
            "--kubelet-preferred-address-types=InternalIP,Hostname", "--endpoint-reconciler-type=none",
            # Debian's etcd 3.4 lacks what lists by a watch need: they would be offered, begun and broken off.
            "--feature-gates=WatchList=false",
        ))
        self.parts["kube-apiserver"].await_ready(lambda: self._get("/readyz"))
        certificate = self.run / "certificates" / "apiserver.crt"
        _write_kubeconfig(self.kubeconfig, ports["api"], certificate, tokens["admin"])
        _write_kubeconfig(self.run / "node.kubeconfig", ports["api"], certificate, tokens["node"])
        self.parts["kube-controller-manager"].start(self._kubernetes(
            "kube-controller-manager", f"--kubeconfig={self.kubeconfig}", f"--service-account-private-key-file={key}",
            f"--root-ca-file={certificate}", "--use-service-account-credentials=true", "--leader-elect=false",
            f"--secure-port={ports['controllers']}", "--bind-address=127.0.0.1", "--node-monitor-grace-period=20s",
        ))
        self.parts["kube-scheduler"].start(self._kubernetes(
            "kube-scheduler", f"--kubeconfig={self.kubeconfig}", "--leader-elect=false",
            f"--secure-port={ports['scheduler']}", "--bind-address=127.0.0.1",
        ))

    def _accounts_key(self):
        key = self.run / "accounts.key"
        if not key.exists():
            subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)

    def _node(self):
        subprocess.run(["ip", "addr", "add", f"{ADDRESS}/32", "dev", "lo"], capture_output=True)
        _forwarding(True)
        (self.run / "containerd.toml").write_text(_containerd(self.folder, self.run, self.socket))
        networks = self.run / "net.d"
        networks.mkdir(exist_ok=True)
        (networks / "10-testbed.conflist").write_text(_network(self.run))
        _make_cgroups()
        self.parts["containerd"].start(["containerd", "--config", self.run / "containerd.toml"])
        self.parts["containerd"].await_ready(lambda: self.ctr("version").returncode == 0)
        self.have_busybox(SIDECAR)
        configuration = self.run / "kubelet-configuration.json"
        configuration.write_text(json.dumps(_kubelet(self.settings["ports"], self.socket)))
        self._kubelet()

    def _kubelet(self):
        """Started again where it ended, as a system's supervisor would: containerd answers before it answers a kubelet."""
        kubelet = self.parts["kubelet"]
        begun = None if kubelet.pid() else datetime.now(timezone.utc).replace(microsecond=0)
        command = self._kubernetes(
            "kubelet", f"--config={self.run}/kubelet-configuration.json", f"--kubeconfig={self.run}/node.kubeconfig", f"--hostname-override={NODE}",
            f"--node-ip={ADDRESS}", f"--root-dir={self.folder}/kubelet", f"--cert-dir={self.run}/kubelet-certificates")
        kubelet.start(command)
        kubelet.await_ready(lambda: self._node_ready(begun), again=lambda: kubelet.start(command))

    def have_busybox(self, tag, *does):
        """BusyBox under that tag, which does something else than to sleep where so told."""
        if tag not in self.ctr("images", "ls", "-q").stdout:
            archive = self.run / f"{tag.replace('/', '_')}.tar"
            image.busybox(archive, tag, BUSYBOX, *([does] if does else []))
            self.load(archive)

    def load(self, archive):
        """Makes the images of a tar file known to the node."""
        loaded = self.ctr("images", "import", archive)
        if loaded.returncode:
            raise NotReady(f"{archive} could not be imported: {loaded.stderr.strip()}")

    def have(self, tag, archive):
        """The image of a tag is that of the tar file: known to the node already, or loaded now."""
        mark = self.folder / "images" / tag.replace("/", "_")
        if mark.exists() and mark.read_text() == str(archive) and tag in self.ctr("images", "ls", "-q").stdout:
            return
        self.load(archive)
        mark.parent.mkdir(exist_ok=True)
        mark.write_text(str(archive))

    def _names(self):
        corefile = self.run / "Corefile"
        corefile.write_text(
            f".:53 {{\n    bind {ADDRESS}\n    ready 127.0.0.1:{self.settings['ports']['dns-ready']}\n    errors\n"
            f"    kubernetes cluster.local {{\n        kubeconfig {self.kubeconfig}\n        ttl 1\n    }}\n}}\n")
        self.parts["coredns"].start([self.binaries / "coredns", "-conf", corefile])
        self.parts["coredns"].await_ready(self._names_ready)

    def _names_ready(self):
        return self.answers(self.settings["ports"]["dns-ready"], "/ready")

    def answers(self, port, path):
        """Whether a part says on its own port that it is ready."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    # ------------------------------------------------------------------ questions

    def _get(self, path):
        try:
            request = urllib.request.Request(
                f"https://127.0.0.1:{self.settings['ports']['api']}{path}",
                headers={"Authorization": f"Bearer {self.settings['tokens']['admin']}"})
            context = ssl.create_default_context(cafile=self.run / "certificates" / "apiserver.crt")
            with urllib.request.urlopen(request, timeout=5, context=context) as answer:
                return answer.read()
        except OSError:
            return None

    def send(self, method, path, body, kind="application/json"):
        """A request as admin; the answer, whatever its status is below 500."""
        request = urllib.request.Request(
            f"https://127.0.0.1:{self.settings['ports']['api']}{path}", data=body, method=method,
            headers={"Authorization": f"Bearer {self.settings['tokens']['admin']}", "Content-Type": kind})
        context = ssl.create_default_context(cafile=self.run / "certificates" / "apiserver.crt")
        with urllib.request.urlopen(request, timeout=30, context=context) as answer:
            return json.loads(answer.read())

    def kubectl_command(self, *words):
        return [str(word) for word in (build.binaries() / "kubectl", "--kubeconfig", self.kubeconfig, *words)]

    def kubectl(self, *words, **more):
        """kubectl as admin."""
        return subprocess.run(self.kubectl_command(*words), **more)

    def tidy(self):
        """Removes what a run that was broken off left behind, whoever holds it."""
        self._remove("/apis/apps/v1/namespaces/default/deployments", set())
        for kind in ("resourcequotas", "pods", "services", "secrets", "persistentvolumeclaims"):
            self._remove(f"/api/v1/namespaces/default/{kind}", {"kubernetes"})
        self._remove("/api/v1/persistentvolumes", set())

    def _remove(self, path, kept):
        for each in self.send("GET", path, None)["items"]:
            name = each["metadata"]["name"]
            if name in kept:
                continue
            with contextlib.suppress(urllib.error.HTTPError):  # gone meanwhile
                if each["metadata"].get("finalizers"):
                    free = json.dumps({"metadata": {"finalizers": None}}).encode()
                    self.send("PATCH", f"{path}/{name}", free, "application/merge-patch+json")
                self.send("DELETE", f"{path}/{name}?gracePeriodSeconds=0", None)

    def account(self, manifest, name):
        """Applies a manifest of RBAC and gives the kubeconfig of the account in it: that account's rights and no more."""
        for text in manifest.read_text().split("\n---\n"):
            kind = re.search(r"^kind: (\w+)", text, re.M).group(1)
            path = RBAC[kind] + "/" + re.search(r"^  name: (\S+)", text, re.M).group(1)
            self.send("PATCH", f"{path}?fieldManager=testbed&force=true", text.encode(), "application/apply-patch+yaml")
        asked = json.dumps({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 24 * 3600}})
        token = self.send("POST", f"{RBAC['ServiceAccount']}/{name}/token", asked.encode())["status"]["token"]
        file = self.folder / f"{name}.kubeconfig"
        _write_kubeconfig(file, self.settings["ports"]["api"], self.run / "certificates" / "apiserver.crt", token)
        return file

    def _node_ready(self, begun):
        """Whether the kubelet says so; what one said that ran before `begun` does not count."""
        node = self._get(f"/api/v1/nodes/{NODE}")
        conditions = json.loads(node)["status"].get("conditions", []) if node else []
        ready = any(each["type"] == "Ready" and each["status"] == "True" and
                    (begun is None or datetime.fromisoformat(each["lastHeartbeatTime"].replace("Z", "+00:00")) >= begun) for each in conditions)
        # Waited for too: until the default account is there no pod can be made.
        return ready and bool(self._get("/api/v1/namespaces/default/serviceaccounts/default"))

    def ctr(self, *words):
        command = ["ctr", "-a", self.socket, "-n", "k8s.io", *words]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True)

    # ------------------------------------------------------------------ down

    def down(self):
        """Ends what up started, the pods included, and leaves their images and the cluster's objects for the next up."""
        for name in ("kwok", "kueue", "training-operator", "coredns"):
            self.parts[name].stop()
        self.parts["kubelet"].stop()
        if self.parts["containerd"].pid():
            self._end_pods()
        for name in ("containerd", "kube-scheduler", "kube-controller-manager", "kube-apiserver", "etcd"):
            self.parts[name].stop()
        subprocess.run(["ip", "addr", "del", f"{ADDRESS}/32", "dev", "lo"], capture_output=True)
        _forwarding(False)
        subprocess.run(["ip", "link", "delete", BRIDGE], capture_output=True)
        self._unmount()
        _remove_cgroups()

    def _end_pods(self):
        for task in self.ctr("tasks", "ls", "-q").stdout.split():
            self.ctr("tasks", "kill", "-s", "SIGKILL", task)
            self.ctr("tasks", "rm", "-f", task)
        for container in self.ctr("containers", "ls", "-q").stdout.split():
            self.ctr("containers", "rm", container)

    def _unmount(self):
        mounts = [line.split()[1].replace("\\040", " ") for line in Path("/proc/mounts").read_text().splitlines()]
        for mount in sorted((each for each in mounts if Path(each).is_relative_to(self.folder)), reverse=True):
            subprocess.run(["umount", "-l", mount], capture_output=True)

    def forget(self):
        """Removes all but the built programs."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _forwarding(wanted):
    """Pods reach each other also where a dockerd of this machine forbids forwarding by default."""
    rule = ["-i", BRIDGE, "-o", BRIDGE, "-j", "ACCEPT"]
    if shutil.which("iptables"):
        there = subprocess.run(["iptables", "-C", "FORWARD", *rule], capture_output=True).returncode == 0
        if there != wanted:
            subprocess.run(["iptables", "-I" if wanted else "-D", "FORWARD", *rule], capture_output=True)


def _cgroup_roots():
    """Where control groups lie: the one tree of version 2, or a tree for each controller."""
    top = Path("/sys/fs/cgroup")
    return [top] if (top / "cgroup.procs").exists() else list(top.glob("*/"))


def cgroups_lacking():
    """What the kubelet would miss of control groups; in words, with what helps."""
    top = Path("/sys/fs/cgroup")
    if (top / "cgroup.procs").exists():
        there = {name: top for name in (top / "cgroup.controllers").read_text().split()}
    else:
        there = {name: top / name for name in CONTROLLERS if (top / name / "cgroup.procs").exists()}
    missing = [name for name in CONTROLLERS if name not in there]
    if missing:
        yield (f"control groups for {', '.join(missing)}: neither version 2 nor version 1 of them is mounted below {top} with these controllers "
               "(in a container: start it with --privileged)")
    fixed = sorted({str(folder) for folder in there.values() if not os.access(folder, os.W_OK)})
    if fixed:
        yield f"leave to write to {', '.join(fixed)}: the kubelet makes a control group for each pod (in a container: start it with --privileged)"


def _make_cgroups():
    """The kubelet wants the group it is given to be there, with the processors and controllers of its parent."""
    if not CGROUP:
        return
    for root in _cgroup_roots():
        mine = root / CGROUP
        mine.mkdir(exist_ok=True)
        for name in ("cpuset.cpus", "cpuset.mems"):
            if (root / "cgroup.clone_children").exists() and (root / name).exists():
                (mine / name).write_text((root / name).read_text())
        if root.name == "cgroup":
            controllers = (root / "cgroup.subtree_control").read_text().split()
            (mine / "cgroup.subtree_control").write_text(" ".join("+" + each for each in controllers))


def _remove_cgroups():
    for root in _cgroup_roots():
        for folder, _, _ in os.walk(root / (CGROUP or "kubepods"), topdown=False):
            try:
                os.rmdir(folder)
            except OSError:
                pass


def _write_kubeconfig(file, port, certificate, token):
    content = {
        "apiVersion": "v1", "kind": "Config", "current-context": "testbed",
        "clusters": [{"name": "testbed", "cluster": {"server": f"https://127.0.0.1:{port}", "certificate-authority": str(certificate)}}],
        "users": [{"name": "testbed", "user": {"token": token}}],
        "contexts": [{"name": "testbed", "context": {"cluster": "testbed", "user": "testbed", "namespace": "default"}}],
    }
    file.touch(0o600)
    file.write_text(json.dumps(content, indent=1))


def _kubelet(ports, containerd):
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "cgroupDriver": "cgroupfs", "cgroupRoot": f"/{CGROUP}", "failSwapOn": False,
        "failCgroupV1": False, "enforceNodeAllocatable": [], "containerRuntimeEndpoint": f"unix://{containerd}",
        "address": ADDRESS, "port": ports["kubelet"], "healthzPort": ports["kubelet-health"],
        # Who could reach it is root on this machine already.
        "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}}, "authorization": {"mode": "AlwaysAllow"},
        "clusterDNS": [ADDRESS], "clusterDomain": "cluster.local", "resolvConf": "", "maxPods": 200, "serializeImagePulls": False,
        # A kubelet removes what it does not know there, which may be another's beside it.
        "podLogsDir": f"/var/log/pods{CGROUP and '-' + CGROUP}",
        "nodeStatusUpdateFrequency": "4s", "containerLogMaxSize": "1Mi", "containerLogMaxFiles": 2, "containerLogMonitorInterval": "3s",
        "evictionHard": {"nodefs.available": "1%", "imagefs.available": "1%", "memory.available": "50Mi"}, "imageGCHighThresholdPercent": 100,
    }


def _containerd(folder, run, listening):
    return f"""version = 2
root = "{folder}/containerd"
state = "{run}/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs"]
[grpc]
  address = "{listening}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "{SIDECAR}"
  # Without CAP_SYS_RESOURCE a pod that asks for a better score than ours could not start.
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "{PLUGINS}"
    conf_dir = "{run}/net.d"
"""


def _network(run):
    return json.dumps({
        "cniVersion": "0.4.0", "name": "testbed",
        "plugins": [{
            "type": "bridge", "bridge": BRIDGE, "isGateway": True, "ipMasq": False, "hairpinMode": True,
            "ipam": {"type": "host-local", "dataDir": f"{run}/addresses", "ranges": [[{"subnet": PODS}]], "routes": [{"dst": "0.0.0.0/0"}]},
        }],
    })
