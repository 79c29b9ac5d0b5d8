"""Held ready to become a process of this job: MODULE, the framework that it imports beforehand.

It waits at a pipe beside this file. Who starts a process of the job writes two lines of JSON there: first {"claim": [FILE, TEXT]}, a file
that only one may make and that says whose the start is; then {"files": [[FILE, TEXT]...], "log", "folder", "env", "argv"}, with which it
becomes that process: the script runs in this interpreter, which has its imports behind it. Who closes the pipe in between takes the
order back.
"""

import importlib
import json
import os
import sys

import _muster_script

PIPE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "standby.pipe")


def wait():
    """The order to become a process."""
    while True:
        with open(PIPE, encoding="utf-8") as pipe:
            line = pipe.readline()
            if not line.endswith("\n"):
                continue
            file, text = json.loads(line)["claim"]
            try:
                with open(file, "x") as claim:
                    claim.write(text)
            except FileExistsError:
                continue  # somebody else has started it
            order = pipe.readline()
            if order.endswith("\n"):
                return json.loads(order)
            os.unlink(file)


def go_over(order):
    """What it says and makes from here on is the other process's."""
    log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.close(log)
    os.chdir(order["folder"])
    for file, text in order["files"]:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w") as made:
            made.write(text)


if __name__ == "__main__":
    importlib.import_module(sys.argv[1])
    os.mkfifo(PIPE, 0o600)
    print(f"{sys.argv[1]} is imported", flush=True)
    order = wait()
    go_over(order)
    _muster_script.become(order["env"], order["argv"])
