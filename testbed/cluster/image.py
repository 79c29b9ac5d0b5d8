"""An image from files of this machine, as the tar file that `docker load` and `ctr images import` take; no registry, no daemon."""

import hashlib
import io
import json
import tarfile


def layer(files):
    """A layer of (path, bytes, mode) entries, the same bytes each time."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, content, mode in files:
            entry = tarfile.TarInfo(path)
            entry.mode = mode
            if content is None:
                entry.type = tarfile.DIRTYPE
                tar.addfile(entry)
            else:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def save(target, tag, content, entrypoint):
    """Writes the image of one layer."""
    config = json.dumps({
        "architecture": "amd64",
        "os": "linux",
        "config": {"Entrypoint": entrypoint, "Env": ["PATH=/usr/local/bin:/usr/bin:/bin"]},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(content).hexdigest()]},
    }).encode()
    manifest = json.dumps([{"Config": "config.json", "RepoTags": [tag], "Layers": ["layer.tar"]}]).encode()
    with tarfile.open(target, "w") as tar:
        for name, data in (("config.json", config), ("layer.tar", content), ("manifest.json", manifest)):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))


def busybox(target, tag, program, does=("sleep", "2147483647")):
    """BusyBox and nothing else, with the few names a script has to find: the sidecar of Muster's pods, and what holds a pod's namespaces.

    Where no command is given, it `does` that."""
    folders = [(name, None, mode) for name, mode in
               (("bin", 0o755), ("dev", 0o755), ("etc", 0o755), ("proc", 0o755), ("root", 0o755), ("sys", 0o755), ("tmp", 0o1777))]
    program_bytes = program.read_bytes()
    save(target, tag, layer(folders + [("bin/busybox", program_bytes, 0o755), ("bin/sh", program_bytes, 0o755)]),
         ["/bin/busybox", *does])
