"""Held ready to become a process of this job: MODULE, the framework that it imports beforehand.

It waits at a pipe beside this file. Who starts a process of the job writes two lines of JSON there: first {"claim": [FILE, TEXT]}, a file
that only one may make and that says whose the start is; then {"files": [[FILE, TEXT]...], "log", "folder", "env", "argv"}, with which it
becomes that process: the script runs in this interpreter, which has its imports behind it. Who closes the pipe in between takes the
order back.
"""

import builtins
import importlib
import json
import os
import runpy
import sys
import types

PIPE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "standby.pipe")


def wait():
    """The order to become a process."""
    os.mkfifo(PIPE, 0o600)
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


def become(order):
    log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.close(log)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["env"])
    for file, text in order["files"]:
        with open(file, "w") as made:
            made.write(text)
    try:
        run(order["argv"])
    except Exception as error:
        trace = error.__traceback__
        while trace.tb_next and trace.tb_frame.f_code.co_filename in (__file__, runpy.__file__):
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        sys.exit(1)


def run(argv):
    """As `python ARGV...` would."""
    if argv[0] == "-m":
        sys.argv, sys.path[0] = argv[1:], os.getcwd()
        runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
        return
    sys.argv, sys.path[0] = argv, os.path.dirname(os.path.realpath(argv[0]))
    file = os.path.abspath(argv[0])
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=file, __builtins__=builtins, __annotations__={}, __cached__=None)
    with open(file, "rb") as script:
        code = compile(script.read(), file, "exec", dont_inherit=True)
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


if __name__ == "__main__":
    importlib.import_module(sys.argv[1])
    print(f"{sys.argv[1]} is imported", flush=True)
    become(wait())
