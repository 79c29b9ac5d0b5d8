"""Runs on each worker of an MPI job what its launcher asks for, in place of an ssh server: HOST PORT.

One connection is one command, as `ssh HOST COMMAND` would run it. The launcher shows that it is of the same job by the secret in
MUSTER_GROUP_SECRET. The first line is {"secret": ..., "command": ...}; what comes back are frames of one byte (1 standard output,
2 standard error, 3 exit code), a length of four bytes and the content. A launcher that goes away takes its command with it.
"""

import contextlib
import fcntl
import hmac
import ipaddress
import json
import os
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SECRET = os.environ.pop("MUSTER_GROUP_SECRET").encode()
running = set()
lock = threading.Lock()
stopping = threading.Event()
SESSION = "muster-mpi-"


class Command(socketserver.StreamRequestHandler):
    timeout = 10

    def handle(self):
        try:
            asked = json.loads(self.rfile.readline(1 << 20))
            if not hmac.compare_digest(str(asked["secret"]).encode(), SECRET):
                return
            command = str(asked["command"])
        except (OSError, ValueError, KeyError, TypeError):
            return
        self.connection.settimeout(None)
        self.sending = threading.Lock()
        session = tempfile.mkdtemp(prefix=SESSION)
        held = locked(session)
        child = subprocess.Popen(
            ["sh", "-c", f"trap : TERM; {command}"],  # the shell stays for as long as what it runs, and tells its exit code
            env=environment(command, session),
            pass_fds=[held],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        with lock:
            running.add(child.pid)
        copies = [
            threading.Thread(target=self.copy, args=(1, child.stdout), daemon=True),
            threading.Thread(target=self.copy, args=(2, child.stderr), daemon=True),
        ]
        for copy in copies:
            copy.start()
        threading.Thread(target=self.watch, args=(child,), daemon=True).start()
        code = child.wait()
        for copy in copies:
            copy.join(5)
        shutil.rmtree(session, ignore_errors=True)
        os.close(held)
        self.send(3, str(code if code >= 0 else 128 - code).encode())
        with lock:
            running.discard(child.pid)

    def copy(self, kind, stream):
        while content := os.read(stream.fileno(), 1 << 16):
            self.send(kind, content)

    def send(self, kind, content):
        try:
            with self.sending:
                self.connection.sendall(struct.pack("!BI", kind, len(content)) + content)
        except OSError:
            pass  # the launcher is gone, see watch

    def watch(self, child):
        try:
            while self.connection.recv(1 << 10):
                pass
        except OSError:
            pass
        if child.poll() is None:
            end(child.pid, signal.SIGTERM)
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                end(child.pid, signal.SIGKILL)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128


def end(group, how):
    try:
        os.killpg(group, how)
    except ProcessLookupError:
        pass


def asked_to_stop(*_):
    """What runs may save; the agent leaves when nothing runs any more."""
    stopping.set()
    with lock:
        groups = list(running)
    for group in groups:
        end(group, signal.SIGTERM)


def environment(command, session):
    """
    Open MPI 4 names its session folder by machine, user and mpirun, and its daemon empties the folder as it starts: of two workers on one
    machine one would take the other's. A base that the job gives stays; beside it Open MPI takes no other.
    """
    if any("tmpdir_base" in text for text in (command, *os.environ)):
        return None
    return {**os.environ, "OMPI_MCA_orte_tmpdir_base": session, "PRTE_MCA_prte_tmpdir_base": session}


def locked(folder):
    """A descriptor by which the folder is locked for as long as this process or one that got it lives."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def clear_up():
    """Removes what workers have left on this machine that were killed. One that is a minute old and not locked has nobody any more."""
    for left in Path(tempfile.gettempdir()).glob(SESSION + "*"):
        with contextlib.suppress(OSError):
            if left.stat().st_mtime < time.time() - 60:
                descriptor = locked(left)
                shutil.rmtree(left, ignore_errors=True)
                os.close(descriptor)


def share_the_machine():
    """
    Workers on one machine are hosts of their own to Open MPI, which names shared memory by host and local rank, and counts cores. Of Open MPI 5
    the ranks do not agree on who is on their host then, so collectives that go by hosts (han) hang or add up wrongly: it does without them.
    """
    folder = Path(__file__).resolve().with_name("shared-memory")
    folder.mkdir(exist_ok=True)
    os.environ["OMPI_MCA_btl_vader_backing_directory"] = str(folder)
    os.environ["OMPI_MCA_btl_sm_backing_directory"] = str(folder)
    os.environ["OMPI_MCA_coll_han_priority"] = "0"
    os.environ["OMPI_MCA_mpi_yield_when_idle"] = "1"


def main():
    family, _, _, _, address = socket.getaddrinfo(sys.argv[1], int(sys.argv[2]), type=socket.SOCK_STREAM)[0]
    if ipaddress.ip_address(address[0]).is_loopback:
        share_the_machine()
    clear_up()
    Server.address_family = family
    signal.signal(signal.SIGTERM, asked_to_stop)
    with Server(address[:2], Command) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"waits for the launcher at {sys.argv[1]}:{sys.argv[2]}", flush=True)
        stopping.wait()
        while running:
            stopping.clear()
            stopping.wait(0.05)
    sys.exit(128 + signal.SIGTERM)


main()
