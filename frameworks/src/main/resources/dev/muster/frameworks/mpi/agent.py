"""Runs on each worker of an MPI job what its launcher asks for, in place of an ssh server: HOST PORT.

One connection is one command, as `ssh HOST COMMAND` would run it. The launcher shows that it is of the same job by the secret in
MUSTER_GROUP_SECRET. The first line is {"secret": ..., "command": ...}; what comes back are frames of one byte (1 standard output,
2 standard error, 3 exit code), a length of four bytes and the content. A launcher that goes away takes its command with it.
"""

import hmac
import ipaddress
import json
import os
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import threading
from pathlib import Path

SECRET = os.environ.pop("MUSTER_GROUP_SECRET").encode()
running = set()
lock = threading.Lock()
stopping = threading.Event()


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
        child = subprocess.Popen(
            ["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
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
        with lock:
            running.discard(child.pid)
        for copy in copies:
            copy.join(5)
        self.send(3, str(code if code >= 0 else 128 - code).encode())

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


def share_the_machine():
    """Workers on one machine are hosts of their own to Open MPI, which names shared memory by host and local rank, and counts cores."""
    folder = Path(__file__).resolve().with_name("shared-memory")
    folder.mkdir(exist_ok=True)
    os.environ["OMPI_MCA_btl_vader_backing_directory"] = str(folder)
    os.environ["OMPI_MCA_mpi_yield_when_idle"] = "1"


def main():
    family, _, _, _, address = socket.getaddrinfo(sys.argv[1], int(sys.argv[2]), type=socket.SOCK_STREAM)[0]
    if ipaddress.ip_address(address[0]).is_loopback:
        share_the_machine()
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
