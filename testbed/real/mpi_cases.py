"""What mpirun starts on the workers beside the ranks: a daemon each, below Muster's agent."""

import contextlib
import fcntl
import os
import re
import signal
import tempfile
from pathlib import Path

from harness import expect, marked, until

JOB = """
name: mpi-daemons
framework: mpi
workers: 2
command: [mpirun, --launch-agent, sh daemon, sh, rank]
code: .
restart: {max: 1, backoff: {first: 0s}, rules: [{exitCodes: [213], action: restart}]}
grace: 5s
"""
DAEMON = """
# What Open MPI needs of its session folder goes wrong after the daemon has detached from whoever started it, if it does.
[ "$MUSTER_INDEX of $MUSTER_ATTEMPT" != "1 of 1" ] || export OMPI_MCA_orte_tmpdir_base=/proc/none
exec orted "$@"
"""
RANK = """
sleep ${1:-1}  # until both are there
echo "session of $OMPI_COMM_WORLD_RANK: $OMPI_MCA_orte_jobfam_session_dir $(ls -d "$OMPI_MCA_orte_jobfam_session_dir")"
"""


def old_folder():
    made = Path(tempfile.mkdtemp(prefix="muster-mpi-"))
    os.utime(made, (0, 0))
    return made


def mpi_daemon_that_dies(muster):
    """
    A daemon that ends before it has reported to mpirun ends the launcher, with what it said, and the group is started anew.
    Each daemon has a session folder of its own, which goes with it; one that a killed worker has left is removed by the next, one in use is not.
    """
    left, used = old_folder(), old_folder()
    lock = os.open(used, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    folder = muster.home.parent / f"{muster.home.name}-daemons"
    folder.mkdir()
    for name, text in (("job.yaml", JOB), ("daemon", DAEMON), ("rank", RANK)):
        (folder / name).write_text(text)
    job = muster.submit(folder / "job.yaml")
    first = until(lambda: next((e for e in muster.json("events", job)["items"] if e["cause"]), None), 30, "the first attempt fails")
    expect("/proc/none" in muster.logs(job, "--attempt", "1"), "the daemon's own words are in the launcher's log")
    last = muster.wait(job, "Succeeded", 60)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    told = re.findall(r"session of (\d): (\S+) (\S+)", muster.logs(job))
    expect(sorted(rank for rank, _, _ in told) == ["0", "1"] and all(named == there for _, named, there in told), f"sessions: {told}")
    tops = {Path(named).parents[1] for _, named, _ in told}
    expect(len(tops) == 2, f"a folder each: {told}")
    until(lambda: not marked(job) and not any(top.exists() for top in tops), 30, f"the folders are gone: {tops}")
    expect(used.exists() and not left.exists(), f"{used} stays, {left} goes")
    os.close(lock)
    used.rmdir()
    expect("worker-1: Open MPI's daemon ended with exit code 213" in first["reason"], first["reason"])
    return first["reason"]


KILLED = """
name: mpi-daemons
framework: mpi
workers: 2
command: 'mpirun sh rank $((MUSTER_ATTEMPT == 1 ? 60 : 1))'
code: .
restart: {max: 1, backoff: {first: 0s}}
grace: 5s
"""


def daemon_of(job, index):
    """The process id of the daemon that mpirun has on a worker."""
    for pid in marked(job):
        with contextlib.suppress(OSError):
            process = Path(f"/proc/{pid}")
            if (process / "comm").read_text() == "orted\n" and f"MUSTER_INDEX={index}".encode() in (process / "environ").read_bytes().split(b"\0"):
                return pid
    return None


def mpi_daemon_killed(muster):
    """SIGKILL to the daemon of worker-1 below its ranks: Killed, so the group is started anew, and the reason says whose it was."""
    folder = muster.home.parent / f"{muster.home.name}-killed"
    folder.mkdir()
    (folder / "job.yaml").write_text(KILLED)
    (folder / "rank").write_text(RANK)
    job = muster.submit(folder / "job.yaml")
    until(lambda: any(Path(f"/proc/{pid}/comm").read_text() == "sleep\n" for pid in marked(job)), 30, "the ranks run")
    os.kill(daemon_of(job, 1), signal.SIGKILL)
    first = until(lambda: next((e for e in muster.json("events", job)["items"] if e["cause"]), None), 30, "the first attempt fails")
    expect(first["cause"] == "Killed" and "worker-1: Open MPI's daemon ended with exit code 137" in first["reason"], f"{first['cause']}: {first['reason']}")
    last = muster.wait(job, "Succeeded", 60)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    return first["reason"]


CASES = [mpi_daemon_that_dies, mpi_daemon_killed]
