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
KEPT = 1 << 12


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


def attached(words):
    """The command of a daemon that does not detach: Open MPI 5 has no variable for that."""
    stay = "--leave-session-attached"
    return [stay if word == "--daemonize" else word for word in words] if "--prtemca" in words else words


def frames(connection):
    """What the agent sends, as (kind, content), to the end of the command."""
    stream = connection.makefile("rb")
    while len(head := stream.read(5)) == 5:
        kind, length = struct.unpack("!BI", head)
        content = stream.read(length)
        if len(content) < length:
            return
        yield kind, content


def last_line(text):
    said = [line.strip() for line in text.decode(errors="replace").splitlines() if any(map(str.isalnum, line))]
    return said[-1] if said else "it said nothing"


def main():
    words = sys.argv[1:]
    while words and words[0].startswith("-"):
        words.pop(0)  # options of ssh that some launchers give
    if len(words) < 2:
        sys.exit("usage: rsh.py HOST COMMAND...")
    host = words[0]
    with connected(host) as connection:
        connection.settimeout(None)
        request = {"secret": os.environ["MUSTER_GROUP_SECRET"], "command": " ".join(attached(words[1:]))}
        connection.sendall(json.dumps(request).encode() + b"\n")
        said = b""
        for kind, content in frames(connection):
            if kind == EXIT and int(content):
                print(f"{host}: Open MPI's daemon ended with exit code {int(content)}: {last_line(said)}", file=sys.stderr)
            if kind == EXIT:
                sys.exit(int(content))
            if kind in OUTPUT:
                os.write(kind, content)
                said = (said + content)[-KEPT:]
    sys.exit(f"{host}: the connection to its agent has ended")


main()
