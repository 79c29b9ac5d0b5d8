"""Runs a process of an elastic Horovod job: ADDRESS PORT COMMAND...

It keeps a connection to the driver (elastic.py) for as long as it lives. When its script comes to hvd.init() it says who it is and waits for its
rank: until then the others train on without it, and one that ends before costs them nothing. They cannot take back that they wait for it in
their own hvd.init(): Horovod aborts them when it does not come. A command that is no Python script of its own, and a Python that the script
starts, are to have their rank from the beginning.
"""

import json
import os
import socket
import subprocess
import sys
import threading

import _muster_script

host, port, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
me = {"host": os.environ["HOROVOD_HOSTNAME"], "local": os.environ["HOROVOD_LOCAL_RANK"], "slots": os.environ["HOROVOD_LOCAL_SIZE"]}
driver = socket.create_connection((host, port), timeout=60)
driver.settimeout(None)
beginning, begun = threading.RLock(), False


def begin():
    """Once it is taken in: with the variables that say its rank."""
    global begun
    with beginning:
        if begun:
            return
        begun = True
        driver.sendall(json.dumps(me).encode() + b"\n")
        told = json.loads(driver.makefile().readline() or '{"gone": true}')
        if "gone" in told:
            sys.exit("the driver of the job has gone")
        if "over" in told:
            print("muster: the training was over when this worker came")
            sys.exit()
        os.environ.update(told["env"])


def begin_by_init():
    from horovod.common.basics import HorovodBasics

    init = HorovodBasics.init

    def begin_and_init(self, *words, **named):
        begin()
        return init(self, *words, **named)

    HorovodBasics.init = begin_and_init
    sys.addaudithook(lambda event, words: event in STARTS and "python" in str(words[:2]) and begin())


def is_this_python(program):
    """Also by a name or a link: an image calls its Python `python`. Another one, of a virtual environment say, is to be run itself."""
    if program == sys.executable:
        return True
    if not os.path.basename(program).startswith("python"):
        return False
    try:
        asked = subprocess.run([program, "-c", ASK], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.stdout.splitlines()[-1:] == [json.dumps([os.path.realpath(sys.executable), sys.prefix])]


ASK = "import json, os, sys; print(json.dumps([os.path.realpath(sys.executable), sys.prefix]))"
STARTS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system")

if len(command) > 1 and command[1].endswith(".py") and is_this_python(command[0]):
    begin_by_init()
    try:
        _muster_script.run(command[1:])
        code = 0
    except SystemExit as end:
        code = 0 if end.code in (0, None) else 1
        raise
    finally:
        if begun and "code" in globals():
            driver.sendall(json.dumps({"code": code}).encode() + b"\n")
else:
    begin()
    driver.set_inheritable(True)  # the connection lasts as long as the command
    os.execvp(command[0], command)
