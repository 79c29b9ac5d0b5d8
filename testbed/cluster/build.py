"""Builds the programs of this folder once for each content of it, outside the tree."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
PROGRAMS = ("kubernetes", "coredns", "kubectl")
VERSIONED = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")


def cache():
    """Where everything of the testbed lies."""
    return Path(os.environ.get("MUSTER_TESTBED") or "/var/tmp/muster-testbed")


def key():
    digest = hashlib.sha256()
    for path in sorted([*SOURCES.glob("go.*"), *SOURCES.glob("*/*.go")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def go():
    """The newest Go that is found: on PATH, or where the archive of go.dev is unpacked to."""
    found = [each for each in (shutil.which("go"), "/usr/local/go/bin/go", "/usr/lib/go-1.24/bin/go") if each and os.access(each, os.X_OK)]
    return max(found, key=go_version, default=None)


def go_version(program):
    said = subprocess.run([program, "env", "GOVERSION"], capture_output=True, text=True, cwd="/").stdout
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


@contextlib.contextmanager
def alone():
    """One builds at a time on this machine: who asks for the same meanwhile waits, and finds it."""
    (cache() / "bin").mkdir(parents=True, exist_ok=True)
    with open(cache() / "bin" / "build.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def in_time_that_others_leave():
    """This process and what it starts, of which others want all the time they can get: a session of its own, as the kernel may share time by session."""
    with contextlib.suppress(PermissionError):  # it leads one already
        os.setsid()
    os.nice(19)
    with contextlib.suppress(OSError):  # a kernel that does not
        Path("/proc/self/autogroup").write_text("19")


def installed(name, version, package):
    """A program of somebody's published module, built once for each version."""
    folder = cache() / "bin" / f"{name.replace('/', '_')}-{version}"
    program = folder / package.rpartition("/")[2]
    with alone():
        if not program.exists():
            print(f"building {name}/{package} {version}: this takes minutes, once", flush=True)
            half = _half(folder)
            subprocess.run(["nice", go(), "install", f"{name}/{package}@{version}"], check=True, cwd="/", env={**os.environ, "GOBIN": str(half)})
            half.rename(folder)
    return program


def _half(folder):
    """A new, empty folder for what is to stand in the other once it is whole."""
    half = folder.with_name(folder.name + ".half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir()
    return half


def module(name, version):
    """The folder of a published module's sources."""
    said = subprocess.run([go(), "mod", "download", "-json", f"{name}@{version}"], check=True, capture_output=True, text=True, cwd="/")
    return Path(json.loads(said.stdout)["Dir"])


def kubernetes_version():
    return re.search(r"k8s\.io/kubernetes (v\S+)", (SOURCES / "go.mod").read_text()).group(1)


def built():
    """The folder of the built programs, or None."""
    folder = cache() / "bin" / key()
    return folder if all((folder / program).exists() for program in PROGRAMS) else None


def binaries():
    """The folder of the built programs; builds them when they are not there (minutes, once)."""
    if built():
        return built()
    with alone():
        return built() or _build(cache() / "bin" / key())


def _build(folder):
    version = kubernetes_version()
    major, minor = version.lstrip("v").split(".")[:2]
    flags = ["-s", "-w"]
    for package in VERSIONED:
        flags += ["-X", f"{package}.gitVersion={version}", "-X", f"{package}.gitMajor={major}", "-X", f"{package}.gitMinor={minor}"]
    half = _half(folder)
    print(f"building Kubernetes {version}, kubectl and CoreDNS into {folder}: this takes minutes, once", flush=True)
    subprocess.run(
        ["nice", go(), "build", "-buildvcs=false", "-trimpath", "-ldflags", " ".join(flags), "-o", f"{half}/", *(f"./{program}" for program in PROGRAMS)],
        cwd=SOURCES,
        check=True,
    )
    half.rename(folder)
    return folder
