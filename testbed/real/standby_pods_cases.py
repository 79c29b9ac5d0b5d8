"""Pods held ready under trouble: no room for them, a service killed at any moment of a hand-over, an API server that is away in the midst of one."""

import os
import random
import re
import signal
import subprocess
import time

import cluster
import harness
import standby_cases
from harness import ROOT, expect, until

CLUSTER = ROOT / "testbed" / "kubernetes"
RBAC = ROOT / "deploy" / "kubernetes" / "rbac.yaml"
CAPACITY = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/muster-capacity"

# `torch` is an empty module of the job's own: what is shown here is who becomes whom, and that takes seconds without its imports.
JOB = """
name: {name}
framework: pytorch
backend: kubernetes
workers: 2
command: [python3, train.py]
code: .
environment: {{image: "muster-test/base:1"}}
env: {{PYTHONPATH: /muster/code}}
restart: {{max: 5, backoff: {{first: 0s}}}}
standby: 1
grace: 5s
startDeadline: {deadline}
{more}
"""

# Ranks that lose their peer fail, as a collective's do. The second attempt ends by itself.
TRAIN = """
import os, socket, sys, time
warm = "torch" in sys.modules
import torch
attempt, rank = int(os.environ["MUSTER_ATTEMPT"]), int(os.environ["RANK"])
print("attempt", attempt, "rank", rank, "of", os.environ["WORLD_SIZE"], "warm" if warm else "cold", flush=True)
address = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
begun = time.time()
if rank == 0:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("", address[1]))
    listening.listen()
    peer = listening.accept()[0]
else:
    peer = None
    while peer is None:
        try:
            peer = socket.create_connection(address, timeout=5)
            peer.settimeout(None)
        except OSError:
            time.sleep(0.1)
while True:
    word = b"."
    if rank == 0:
        word = b"d" if attempt > 1 and time.time() - begun > 3 else b"."
        peer.sendall(word)
    answer = peer.recv(1)
    if not answer:
        sys.exit("Connection closed by peer")
    if rank != 0:
        word = answer
        peer.sendall(word)
    if word == b"d":
        break
    time.sleep(0.1)
"""


def submit(muster, name, deadline="10m", more=""):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir()
    (folder / "train.py").write_text(TRAIN)
    (folder / "torch.py").write_text("")
    (folder / "job.yaml").write_text(JOB.format(name=name, deadline=deadline, more=more))
    job = muster.submit(folder / "job.yaml")
    muster.wait(job, "Running", 200)
    return job


def lose(job):
    os.kill(standby_cases.program(job, "worker", 1), signal.SIGKILL)


def ended_once(muster, job, seconds):
    """The job's document, restarted once; how its second attempt began. No process of it is left."""
    last = muster.wait(job, "Succeeded", seconds)
    log = muster.logs(job, "--attempt", "all")
    said = re.findall(r"attempt (\d+) rank (\d+) of \d+ (\w+)", log)
    expect(last["restarts"] == 1 and last["attempt"] == 2, f"restarts {last['restarts']}, attempt {last['attempt']}: {muster('events', job)}")
    expect(sorted(each[:2] for each in said) == [("1", "0"), ("1", "1"), ("2", "0"), ("2", "1")], f"each rank began once in each attempt: {said}")
    until(lambda: not harness.marked(job), 60, "nobody is left")
    return last, {int(rank): how for attempt, rank, how in said if attempt == "2"}


def standby_gives_its_room(muster):
    """The node has room for the group alone, which its service may not know: whoever is held ready does not take what the group's pods leave."""
    muster.admin.send("DELETE", CAPACITY, None)
    try:
        job = submit(muster, "room", deadline="40s", more="resources: {cpus: 0.7}")
        warning = until(lambda: muster.get(job)["warning"], 60, "what one held ready lacks is told")
        expect("cannot be held ready yet: Unschedulable: 0/1 nodes are available" in warning, warning)
        lose(job)
        ended_once(muster, job, 100)
    finally:
        muster.admin.account(RBAC, "muster")
    return warning[:120]


def service_killed_in_a_hand_over(muster):
    """A12: killed up to 3 s after a worker was, some three times over: one restart, each rank begun once, nothing left."""
    dice, after = random.Random(7), []
    for turn in range(4):
        job = submit(muster, f"killed{turn}")
        standby_cases.held(muster, job)
        after.append(dice.random() * 3 if turn else 0.3)
        lose(job)
        time.sleep(after[-1])
        muster.kill_service()
        if turn % 2:
            muster.get(job)
            time.sleep(dice.random())
            muster.kill_service()
        ended_once(muster, job, 150)
    return f"killed after {', '.join(f'{each:.2f}' for each in after)} s"


def api_server_away_in_a_hand_over(muster):
    """B80: it stands still from the order on: nothing is judged, no node counts as lost for want of it, and nothing runs twice."""
    job = submit(muster, "away")
    standby_cases.held(muster, job)
    lose(job)
    time.sleep(0.4)
    subprocess.run([CLUSTER, "pause", "kube-apiserver"], check=True)
    try:
        time.sleep(45)
    finally:
        subprocess.run([CLUSTER, "continue", "kube-apiserver"], check=True)
    _, how = ended_once(muster, job, 200)
    events = muster.json("events", job)["items"]
    expect(not any(event["cause"] == "NodeLost" for event in events), "no node was lost")
    cluster.brought_up(quiet=True)
    return f"went on {how}"


LONG_CASES = [standby_gives_its_room, service_killed_in_a_hand_over, api_server_away_in_a_hand_over]
