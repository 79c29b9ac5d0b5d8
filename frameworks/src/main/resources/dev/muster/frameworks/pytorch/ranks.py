"""Starts the ranks of torchrun without their imports: from a process that has imported PyTorch and done nothing else.

torchrun starts a rank by Popen, and Python, PyTorch and all begin anew each time the group changes. Here a process that was forked when the
imports were done and nothing ran yet, no thread and no device, forks each rank, which then runs its script.
"""

import importlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
import traceback

import _muster_script


class Rank:
    """What torchrun asks of a Popen."""

    def __init__(self, status):
        self.status = status
        self.pid = struct.unpack("i", exactly(status, 4))[0]
        self.returncode = None
        os.set_blocking(status, False)

    def poll(self):
        if self.returncode is None:
            try:
                told = os.read(self.status, 4)
            except BlockingIOError:
                return None
            # Without a word the one who forks is gone, and whatever it had forked is as good as killed.
            self.returncode = struct.unpack("i", told)[0] if told else -signal.SIGKILL
            os.close(self.status)
        return self.returncode

    def wait(self, timeout=None):
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.01)
        return self.returncode

    def send_signal(self, how):
        if self.poll() is None:
            os.kill(self.pid, how)


class Forks:
    """The side of torchrun."""

    def __init__(self, leads_session):
        """@param leads_session: whether a rank has a session of its own"""
        self.asks, asked = socket.socketpair()
        if os.fork() == 0:
            self.asks.close()
            try:
                serve(asked, leads_session)
            except Exception:
                traceback.print_exc()
                os._exit(1)  # and does not go on as torchrun
        asked.close()

    def start(self, argv, env, stdout, stderr):
        told, tell = os.pipe()
        order = json.dumps({"argv": argv, "env": env}).encode()
        out, err = (1 if stdout is None else stdout.fileno()), (2 if stderr is None else stderr.fileno())
        socket.send_fds(self.asks, [struct.pack("Q", len(order))], [out, err, tell])
        self.asks.sendall(order)
        os.close(tell)
        return Rank(told)


def serve(asked, leads_session):
    """Forks until torchrun is gone. In a rank it ends as the script does."""
    running = {}

    def reap(*_):
        while running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            tell = running.pop(pid)
            try:
                os.write(tell, struct.pack("i", os.waitstatus_to_exitcode(status)))
            except BrokenPipeError:
                pass
            os.close(tell)

    signal.signal(signal.SIGCHLD, reap)
    while True:
        head, handles, _, _ = socket.recv_fds(asked, 8, 3)
        if len(head) < 8:
            os._exit(0)
        order = json.loads(exactly(asked.fileno(), struct.unpack("Q", head)[0]))
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            for tell in running.values():
                os.close(tell)
            be(order, handles, leads_session)
            sys.exit()
        out, err, tell = handles
        os.close(out)
        os.close(err)
        os.write(tell, struct.pack("i", pid))
        running[pid] = tell
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def be(order, handles, leads_session):
    """A rank."""
    if leads_session:
        os.setsid()
    out, err, tell = handles
    os.dup2(out, 1)
    os.dup2(err, 2)
    for handle in handles:
        os.close(handle)
    sys.stdout.reconfigure(write_through=True)  # python -u
    await_store()
    threads = order["env"].get("OMP_NUM_THREADS")
    if threads and threads != os.environ.get("OMP_NUM_THREADS"):
        import torch

        torch.set_num_threads(int(threads))  # read once, when it was imported
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()  # else all ranks would draw the same
    _muster_script.become(order["env"], order["argv"])


def await_store():
    """Has a rank that is early look for the store of rank 0 often; PyTorch by itself looks once a second."""
    rendezvous = importlib.import_module("torch.distributed.rendezvous")  # torch.distributed has a function of that name
    make = rendezvous.TCPStore

    def made(*words, **named):
        told = {**dict(zip(("host_name", "port", "world_size", "is_master", "timeout"), words)), **named}
        timeout = told.get("timeout")
        end = time.monotonic() + (timeout.total_seconds() if timeout else 0)
        while not told.get("is_master") and time.monotonic() < end:
            try:
                socket.create_connection((told["host_name"], told["port"]), 1).close()
                break
            except OSError:
                time.sleep(0.01)
        return make(*words, **named)

    rendezvous.TCPStore = made


def exactly(handle, length):
    content = b""
    while len(content) < length:
        part = os.read(handle, length - len(content))
        if not part:
            raise EOFError("the process that forks ranks is gone")
        content += part
    return content
