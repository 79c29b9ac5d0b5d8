"""Starts a process of an elastic Horovod job once its driver says which rank it has: ADDRESS PORT COMMAND...

It says who it is to the driver (elastic.py) and keeps the connection, so that the driver sees when it ends.
"""

import json
import os
import socket
import sys

import _muster_script

host, port, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
me = {"host": os.environ["HOROVOD_HOSTNAME"], "local": os.environ["HOROVOD_LOCAL_RANK"], "slots": os.environ["HOROVOD_LOCAL_SIZE"]}
driver = socket.create_connection((host, port), timeout=60)
driver.settimeout(None)
driver.sendall(json.dumps(me).encode() + b"\n")
told = json.loads(driver.makefile().readline() or '{"gone": true}')
if "gone" in told:
    sys.exit("the driver of the job has gone")
if "over" in told:
    print("muster: the training was over when this worker came")
    sys.exit()
os.environ.update(told["env"])
if command[0] == sys.executable and len(command) > 1 and command[1].endswith(".py"):
    try:
        _muster_script.run(command[1:])
        code = 0
    except SystemExit as end:
        code = 0 if end.code in (0, None) else 1
        raise
    finally:
        if "code" in globals():
            driver.sendall(json.dumps({"code": code}).encode() + b"\n")
else:
    driver.set_inheritable(True)  # the connection lasts as long as the command
    os.execvp(command[0], command)
