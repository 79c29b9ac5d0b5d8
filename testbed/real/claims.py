"""Folders of the node as PersistentVolumeClaims."""

import contextlib
import json
import shutil


@contextlib.contextmanager
def claim(muster, name):
    """A new, empty folder of the node as a claim, for as long as it is used; gives that folder."""
    place = muster.admin.folder / "claims" / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    size = {"storage": "1Gi"}
    modes = {"accessModes": ["ReadWriteMany"], "storageClassName": ""}
    volumes, claims = "/api/v1/persistentvolumes", "/api/v1/namespaces/default/persistentvolumeclaims"

    def make(path, thing):
        muster.admin.send("POST", path, json.dumps({"apiVersion": "v1", "metadata": {"name": name}, **thing}).encode())

    make(volumes, {"kind": "PersistentVolume", "spec": {
        **modes, "capacity": size, "hostPath": {"path": str(place)}, "persistentVolumeReclaimPolicy": "Retain",
        "claimRef": {"namespace": "default", "name": name}}})
    make(claims, {"kind": "PersistentVolumeClaim", "spec": {**modes, "resources": {"requests": size}, "volumeName": name}})
    try:
        yield place
    finally:
        for path in (f"{claims}/{name}", f"{volumes}/{name}"):
            muster.admin.send("DELETE", path, None)
