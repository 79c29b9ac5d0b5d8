"""Reports: one line of JSON in MUSTER_REPORT_FILE, or after `::muster::` on standard output where there is no such file."""

import atexit
import json
import os
import sys
import warnings
from typing import Any, Dict, Mapping, Optional, Tuple

from .stacks import stacks_on_signal

MOST_BYTES = 64 * 1024  # of a line, its end included
PREFIX = "::muster::"
_held: Optional[Tuple[int, Dict[str, Any]]] = None  # the newest report that was not its turn, and whose process it is of


def report(
    step: Optional[int] = None,
    total: Optional[int] = None,
    epoch: Optional[float] = None,
    metrics: Optional[Mapping[str, Any]] = None,
    checkpoint: Optional[str] = None,
    bad_records: Optional[int] = None,
    every: int = 1,
) -> None:
    """Tells how far the training is. Metrics are anything that float() takes; NaN and infinities arrive as "no value now".

    `checkpoint` names an entry of MUSTER_CHECKPOINT_DIR and says that it is whole. `bad_records` counts from the start of
    this process. With `every=10` it may be called after each step: every tenth is told, the one that reaches `total`, and at the
    end of the process the last one that was done; a process that is killed leaves that out. Never fails the training: what cannot be told is warned of.
    """
    stacks_on_signal()
    numbers = {"step": step, "total": total, "badRecords": bad_records}
    fields: Dict[str, Any] = {name: int(value) for name, value in numbers.items() if value is not None}
    if epoch is not None:
        fields["epoch"] = float(epoch)
    if checkpoint is not None:
        fields["checkpoint"] = str(checkpoint)
    if metrics:
        fields["metrics"] = _numbers(metrics)
    if fields and not _is_held(fields, every):
        _write(_line(fields))


def _is_held(fields: Dict[str, Any], every: int) -> bool:
    """Keeps a report whose turn it is not; one that is told makes what was kept before it old."""
    global _held
    step = fields.get("step")
    held = every > 1 and step is not None and step % every != 0 and step != fields.get("total") and not fields.keys() & {"checkpoint", "badRecords"}
    if held:
        if _held is None:
            atexit.unregister(_tell_last)  # once, however often
            atexit.register(_tell_last)
        _held = (os.getpid(), fields)
    elif step is not None:
        _held = None
    return held


def _tell_last() -> None:
    """The last step that was done, at the end of the process that did it: a forked one has a copy."""
    global _held
    held, _held = _held, None
    if held is not None and held[0] == os.getpid():
        _write(_line(held[1]))


def _numbers(metrics: Mapping[str, Any]) -> Dict[str, float]:
    numbers = {}
    for name, value in metrics.items():
        try:
            numbers[str(name)] = float(value)
        except (TypeError, ValueError, OverflowError, RuntimeError) as problem:
            _warn(f"metric {name!r} is no number and is not reported: {problem}")
    return numbers


def _line(fields: Dict[str, Any]) -> bytes:
    """The line without its end. Metrics that make it too long are left out, the last first."""
    metrics = fields.get("metrics")
    line = _encode(fields)
    if len(line) > _ROOM and metrics:
        kept = _what_fits(metrics, _ROOM - len(_encode({**fields, "metrics": {}})))
        _warn(f"a report holds at most {MOST_BYTES} bytes: {len(metrics) - len(kept)} of {len(metrics)} metrics are left out")
        line = _encode({**fields, "metrics": kept})
    return line


_ROOM = MOST_BYTES - len(PREFIX) - 1


def _what_fits(metrics: Dict[str, float], room: int) -> Dict[str, float]:
    kept = {}
    for name, value in metrics.items():
        room -= len(_encode({name: value})) - 1  # without braces, with a comma
        if room < 0:
            break
        kept[name] = value
    return kept


def _encode(fields: Mapping[str, Any]) -> bytes:
    # NaN and Infinity are written by their names: leaving them out would leave an older value standing.
    return json.dumps(fields, separators=(",", ":")).encode()


def _write(line: bytes) -> None:
    if len(line) > _ROOM:
        _warn(f"a report of {len(line)} bytes is not sent: at most {MOST_BYTES} bytes hold")
        return
    file = os.environ.get("MUSTER_REPORT_FILE")
    try:
        if file:
            _append(file, line + b"\n")
        else:
            sys.stdout.write(PREFIX + line.decode() + "\n")
            sys.stdout.flush()
    except (OSError, ValueError) as problem:  # a full disk, a closed standard output
        _warn(f"a report could not be written: {problem}")


def _append(file: str, line: bytes) -> None:
    """In one write, so that lines of several threads and processes stay whole."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        if os.write(descriptor, line) < len(line):
            raise OSError("only a part of the line was written")
    finally:
        os.close(descriptor)


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=4)
