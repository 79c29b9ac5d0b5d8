"""A disk without room, on a small file system of its own. Mounting one takes root."""

import contextlib
import os
import subprocess
import time

from harness import Failed, Muster, expect, until

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


CASES = [full_disk]
