"""A disk without room, on a small file system of its own. Mounting one takes root."""

import contextlib
import os
import subprocess
import time

from harness import Failed, Muster, expect, marked, until

TEXT = "name: {name}\nframework: plain\ncommand: [sh, -c, \"echo hello from {name}; while [ ! -e {gate} ]; do sleep 0.05; done\"]\n"
FULL = 6


@contextlib.contextmanager
def small_disk(folder, size="32m"):
    if os.geteuid() != 0:
        raise Failed("a small file system is mounted for this case, which takes root: sudo testbed/real-local full_disk")
    folder.mkdir(mode=0o700)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def home_too_small_for_the_model(muster, submit):
    """A model that is done and does not fit: the job waits with the reason, and goes on once there is room."""
    with small_disk(muster.home.parent / "too-small", "48m") as disk:
        there = Muster(disk / "home")
        there.env.update(muster.env, MUSTER_HOME=there.env["MUSTER_HOME"])
        try:
            job = submit(there, "too-small", "head -c 67108864 /dev/zero >$MUSTER_MODEL_DIR/weights", "model: {name: large}")
            told = until(lambda: (d := there.get(job))["state"] == "Publishing" and d["reason"] and d, 300, "a reason why it waits")
            expect(told["cause"] == "DiskFull" and "home (MUSTER_HOME)" in told["reason"] and "make room" in told["reason"], told["reason"])
            time.sleep(12)
            expect(there.get(job)["reason"] == told["reason"], f"it still says so: {there.get(job)['reason']}")
            subprocess.run(["mount", "-o", "remount,size=256m", disk], check=True)
            last = there.wait(job, "Succeeded", 120)
            expect(last["reason"] is None and last["model"]["name"] == "large", f"{last['reason']}, {last['model']}")
            return told["reason"]
        finally:
            there.end()


def fill(folder):
    """To the last byte, also that of blocks which others have given back since."""
    with open(folder / "filler", "ab", buffering=0) as filler:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(size))


def full_disk(muster):
    """On a full disk a dead service is started again and shows jobs; nothing new is taken; with room all goes on by itself."""
    with small_disk(muster.home.parent / "small-disk") as disk:
        there = Muster(disk / "home")
        try:
            return on_full_disk(there, disk)
        finally:
            there.end()


def on_full_disk(muster, disk):
    gate = muster.home.parent.parent / "full-disk-gate"
    file = gate.with_suffix(".yaml")

    def text(name):
        file.write_text(TEXT.format(name=name, gate=gate))
        return file

    gate.touch()
    done = muster.submit(text("done"))
    muster.wait(done, "Succeeded", 30)
    gate.unlink()
    live = muster.submit(text("live"))
    muster.wait(live, "Running", 30)

    muster("local", "stop")
    fill(disk)
    shows_all(muster, done, live, text("refused"), "stopped well before the disk was full")
    for time_of_death in ("killed on the full disk", "killed there again"):
        muster.kill_service()
        fill(disk)
        shows_all(muster, done, live, text("refused"), time_of_death)
    muster("local", "stop")
    fill(disk)
    shows_all(muster, done, live, text("refused"), "stopped well on the full disk")

    gate.touch()
    time.sleep(1)  # the job ends while its end cannot be written
    service = muster.service_pid()
    (disk / "filler").unlink()
    muster.wait(live, "Succeeded", 30)
    muster.wait(muster.submit(text("refused")), "Succeeded", 30)
    expect(muster.service_pid() == service, "all that without a restart")
    names = sorted(job["name"] for job in muster.json("list")["items"])
    expect(names == ["done", "live", "refused"], f"what was refused is not stored: {names}")


def shows_all(muster, done, live, new, when):
    states = {job["id"]: job["state"] for job in muster.json("list")["items"]}
    expect(states == {done: "Succeeded", live: "Running"}, f"{when}: {states}")
    until(lambda: muster.logs(live) == "worker-0 | hello from live\n", 5, f"{when}: the log")
    expect(muster.logs(done) == "worker-0 | hello from done\n", f"{when}: log of the ended job")
    expect(muster.json("events", done)["items"][-1]["to"] == "Succeeded", f"{when}: events")
    muster("submit", new, code=FULL)


SHELL_TRAINING = """\
name: {name}
framework: plain
workers: {workers}
grace: 4s
command: |
  sh -c 'trap "echo saved; sleep 0.2; exit 0" TERM; echo ready; while :; do sleep 0.1; done'
  exit $?
"""


def full_disk_ends(muster):
    """On a full disk what runs can be cancelled and suspended, what waits can be cancelled, and an ended job deleted: there is room kept for that."""
    with small_disk(muster.home.parent / "small-disk-ends", "48m") as disk:
        there = Muster(disk / "home", capacity="cpus=4,processes=4")
        try:
            return ends_on_full_disk(there, disk)
        finally:
            there.end()


def ends_on_full_disk(muster, disk):
    file = muster.home.parent.parent / "full-disk-ends.yaml"

    def submit(name, workers=1):
        file.write_text(SHELL_TRAINING.format(name=name, workers=workers))
        return muster.submit(file)

    running, paused, dying, waiting = submit("running", 2), submit("paused"), submit("dying"), submit("waiting", 2)
    for job in (running, paused, dying):
        muster.wait(job, "Running", 30)
        until(lambda: "ready" in muster.logs(job), 30, f"{job} is ready")
    reserve = muster.home / "store" / "reserve.ends"
    expect(reserve.stat().st_size == 4 << 20, f"room is kept: {reserve.stat().st_size}")
    log = muster.home / "logs" / "service.log"

    fill(disk)
    muster("submit", file, code=FULL)
    muster("cancel", waiting)
    expect(muster.state(waiting) == "Cancelled", "what waited is cancelled")
    muster("cancel", running)
    muster.wait(running, "Cancelled", 15)
    muster("suspend", paused)
    muster.wait(paused, "Suspended", 15)
    fill(disk)
    muster.kill_service()  # and a service that is started there takes them up
    fill(disk)
    muster("cancel", dying)
    muster.wait(dying, "Cancelled", 15)
    muster("cancel", paused)
    expect(muster.state(paused) == "Cancelled", "what was suspended is cancelled")
    muster("delete", waiting)
    for job in (running, dying):
        expect(not marked(job), f"nothing is left of {job}")
    told = [line for line in log.read_text().splitlines() if " WARNING " in line or line.startswith("\tat ")]
    expect(len(told) < 20, f"the log tells it once: {len(told)} lines, such as {told[-3:]}")

    (disk / "filler").unlink()
    muster.wait(submit("after"), "Running", 30)
    expect(reserve.stat().st_size == 4 << 20, f"room is kept again: {reserve.stat().st_size}")


CASES = [full_disk, full_disk_ends]
