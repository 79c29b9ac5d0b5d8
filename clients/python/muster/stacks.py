"""Where the threads of this process are, written to a file when Muster asks: what tells why a training does not go on."""

import faulthandler
import os
import signal
from pathlib import Path

# A real-time signal that no program has a use of its own for; ten others are tried should somebody catch it already.
_FIRST, _TRIED = 7, 10
_open = None


def stacks_on_signal() -> bool:
    """Lets Muster see the calls of all threads when the job has stalled. The first report does this by itself.

    A file beside MUSTER_REPORT_FILE says which process answers which signal; Muster sends none to a process that has no such
    file. True when it is so now; false outside Muster, or where no signal is free.
    """
    global _open
    report_file = os.environ.get("MUSTER_REPORT_FILE")
    if _open is not None and _open[0] == os.getpid():
        return True
    if not report_file or not hasattr(signal, "SIGRTMIN"):
        return False
    try:
        number = next(n for n in range(signal.SIGRTMIN + _FIRST, signal.SIGRTMIN + _FIRST + _TRIED) if _is_free(n))
        file = open(Path(report_file).with_name(f"stacks-{os.getpid()}"), "w")
        faulthandler.register(number, file=file, all_threads=True, chain=False)
        file.write(f"muster-stacks {os.getpid()} {_start()} {number}\n")
        file.flush()
    except (OSError, ValueError, RuntimeError, StopIteration):  # never fails the training
        return False
    _open = (os.getpid(), file)  # the file has to stay open
    return True


def _is_free(number: int) -> bool:
    return signal.getsignal(number) is signal.SIG_DFL


def _start() -> int:
    """When this process was started, by the kernel's ticks, so that another of the same pid is not taken for it."""
    return int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
