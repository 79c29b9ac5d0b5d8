"""What schemathesis cannot know: which jobs there are, and how a job text is written. Half of what it makes stays as it is."""

import itertools
import json
import os

import schemathesis

JOBS = os.environ["MUSTER_JOBS"].split(",") + ["done", "failed"]
EXPORTED = {"tfjob": "tensorflow", "pytorchjob": "pytorch", "mpijob": "mpi"}
calls = itertools.count()


def often():
    """Every other time."""
    return next(calls) % 2 == 0


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is not None and not case.meta.generation.mode.is_positive:
        return
    removes = case.method.upper() == "DELETE"
    if case.path_parameters and not removes and often():
        for name, values in (("job", JOBS), ("name", ["model"]), ("version", ["1", "latest"])):
            if name in case.path_parameters:
                case.path_parameters[name] = values[next(calls) // 2 % len(values)]
    if case.path in ("/jobs", "/plans", "/exports") and isinstance(case.body, dict) and often():
        framework = EXPORTED.get((case.query or {}).get("as"), "plain") if case.path == "/exports" else "plain"
        image = {"environment": {"image": "busybox:1"}} if case.path == "/exports" else {}
        case.body = {
            "text": json.dumps({"name": f"made-{next(calls)}", "framework": framework, "command": ["true"], **image}),
            "folder": "/tmp",
            "path": "/usr/bin:/bin",
        }


@schemathesis.serializer("application/x-tar")
def tar(context, value):
    """Every other text becomes an empty archive; all else is none."""
    if isinstance(value, str) and often():
        return b"\0" * 1024
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.deserializer("application/x-ndjson")
def lines(context, response):
    """The last document of a stream of lines stands for all."""
    documents = [line for line in response.content.splitlines() if line.strip()]
    return json.loads(documents[-1])
