"""What waits for what: whole gangs for room, peers for the one that opens its port late."""

import json
import time

from harness import Muster, alive, expect, marked, until
from process_cases import job

LATE = """
import os, socket, time
master = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
if os.environ["RANK"] == "0":
    time.sleep(20)
    server = socket.create_server(master)
    peers = [server.accept()[0] for _ in range(2)]
    time.sleep(2)
else:
    while True:
        try:
            peer = socket.create_connection(master)
            break
        except OSError:
            time.sleep(0.2)
    peer.recv(1)
"""


def late_port(muster):
    """B11: rank 0 opens its port after 20 s; its peers wait, and nothing is counted."""
    text = f"name: late\nframework: pytorch\nworkers: 3\ncommand: [python3, -c, {json.dumps(LATE)}]\nrestart: {{max: 1}}\n"
    ident = muster.submit(job(muster, "late", text))
    muster.wait(ident, "Starting", 30)
    time.sleep(8)
    expect(muster.state(ident) == "Starting", "peers alone are no running group")
    muster.wait(ident, "Running", 40)
    document = muster.wait(ident, "Succeeded", 40)
    expect(document["restarts"] == 0 and document["attempt"] == 1, f"restarts {document['restarts']}, attempt {document['attempt']}")


def gangs(muster):
    """B13: of two jobs of three on four places one runs and the other holds nothing; one of exactly four starts too."""
    small = Muster(muster.home.parent / "four-places", capacity="cpus=64,processes=4")
    try:
        text = "name: {}\nframework: plain\nworkers: {}\ncommand: {}\n"
        gate = muster.home.parent / "gangs-gate"
        first = small.submit(job(muster, "first", text.format("first", 3, f"while [ ! -e {gate} ]; do sleep 0.1; done")))
        second = small.submit(job(muster, "second", text.format("second", 3, "sleep 1")))
        small.wait(first, "Running", 30)
        document = small.get(second)
        expect(document["state"] == "Queued" and document["queuePosition"] == 1, document["state"])
        expect("waits for 3 processes, 1 is free" in (document["reason"] or ""), f"why it waits: {document['reason']}")
        expect(not [pid for pid in marked(second) if alive(pid)] and not document["processes"], "who waits holds nothing")
        gate.touch()
        small.wait(second, "Succeeded", 60)
        expect(small.state(first) == "Succeeded", "the first ended before the second began")
        began, ended = small.get(second)["startedAt"], small.get(first)["finishedAt"]
        expect(began >= ended, f"the second began at {began}, the first ended at {ended}")
        exact = small.submit(job(muster, "exact", text.format("exact", 4, "sleep 1")))
        small.wait(exact, "Succeeded", 60)
        until(lambda: not [pid for pid in marked(exact) if alive(pid)], 10, "nothing is left")
    finally:
        small.end()


CASES = [gangs, late_port]
