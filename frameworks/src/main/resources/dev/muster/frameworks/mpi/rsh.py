"""Runs a command on a worker of this MPI job, in place of ssh: HOST COMMAND... Ends with the command's exit code."""

import json
import os
import socket
import struct
import sys
import time
from pathlib import Path

OUTPUT, EXIT = (1, 2), 3
PATIENCE = 600


def agent(host):
    for line in Path(__file__).with_name("agents").read_text().splitlines():
        name, address = line.split()
        if name == host:
            place, _, port = address.rpartition(":")
            return place.strip("[]"), int(port)
    sys.exit(f"this job has no host {host}: see {Path(__file__).with_name('agents')}")


def connected(host):
    """Where an operator starts all members at once, the worker's agent, and even its name, may come later than this."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(agent(host), timeout=30)
        except (ConnectionRefusedError, socket.gaierror) as early:
            if time.monotonic() > end:
                sys.exit(f"the agent of {host} does not answer: {early}")
            time.sleep(0.2)


def exactly(stream, length):
    content = stream.read(length)
    if len(content) < length:
        sys.exit("the worker's agent has gone")
    return content


def main():
    words = sys.argv[1:]
    while words and words[0].startswith("-"):
        words.pop(0)  # options of ssh that some launchers give
    if len(words) < 2:
        sys.exit("usage: rsh.py HOST COMMAND...")
    with connected(words[0]) as connection:
        connection.settimeout(None)
        request = {"secret": os.environ["MUSTER_GROUP_SECRET"], "command": " ".join(words[1:])}
        connection.sendall(json.dumps(request).encode() + b"\n")
        stream = connection.makefile("rb")
        while True:
            kind, length = struct.unpack("!BI", exactly(stream, 5))
            content = exactly(stream, length)
            if kind == EXIT:
                sys.exit(int(content))
            if kind in OUTPUT:
                os.write(kind, content)


main()
