"""Runs what Python is to run in an interpreter that runs already, with its imports behind it."""

import builtins
import os
import runpy
import sys
import types
import zipfile


def run(argv):
    """As `python ARGV...` would, for a script, a folder or archive with a __main__.py, or -m and a module. Ends the process when the script fails."""
    try:
        execute(argv)
    except Exception as error:
        trace = error.__traceback__
        while trace.tb_next and trace.tb_frame.f_code.co_filename in (__file__, runpy.__file__):
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        sys.exit(1)


def execute(argv):
    if argv[0] == "-m":
        sys.argv, sys.path[0] = argv[1:], os.getcwd()
        runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
        return
    if os.path.isdir(argv[0]) or zipfile.is_zipfile(argv[0]):
        sys.argv, sys.path[0] = argv, argv[0]
        runpy.run_path(argv[0], run_name="__main__")
        return
    sys.argv, sys.path[0] = argv, os.path.dirname(os.path.realpath(argv[0]))
    file = os.path.abspath(argv[0])
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=file, __builtins__=builtins, __annotations__={}, __cached__=None)
    with open(file, "rb") as script:
        code = compile(script.read(), file, "exec", dont_inherit=True)
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def become(env, argv):
    """As above, with these variables and no others."""
    os.environ.clear()
    os.environ.update(env)
    run(argv)
