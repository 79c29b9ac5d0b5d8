"""Runs a command on a worker of this MPI job, in place of ssh: HOST COMMAND... Ends with the command's exit code."""

import json
import os
import socket
import struct
import sys
from pathlib import Path

OUTPUT, EXIT = (1, 2), 3


def agent(host):
    for line in Path(__file__).with_name("agents").read_text().splitlines():
        name, address = line.split()
        if name == host:
            place, _, port = address.rpartition(":")
            return place.strip("[]"), int(port)
    sys.exit(f"this job has no host {host}: see {Path(__file__).with_name('agents')}")


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
    with socket.create_connection(agent(words[0]), timeout=30) as connection:
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
