"""Runs a command in the network namespace of this worker, with addresses of that network in place of loopback.

    python3 in_network.py PREFIX DEVICE COMMAND...

What a framework is told of its peers (MASTER_ADDR, TF_CONFIG) names their hosts. A companion that stays on the machine itself (Horovod's
rendezvous) is reached at the same loopback port: a child of this process carries its bytes.
"""

import ctypes
import json
import os
import signal
import socket
import sys
import threading

CLONE_NEWNET, CLONE_NEWUTS, PR_SET_PDEATHSIG = 0x40000000, 0x04000000, 1
LIBC = ctypes.CDLL(None, use_errno=True)


def enter(path):
    descriptor = os.open(path, os.O_RDONLY)
    if LIBC.setns(descriptor, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), f"no way into {path}")
    os.close(descriptor)


def pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def forward(inside, port):
    """Carries connections to this port from inside to the machine itself; both ends live in one process of two threads' namespaces."""
    machine = "/proc/self/ns/net"
    home = os.open(machine, os.O_RDONLY)
    parent = os.getpid()
    if os.fork():
        return
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    enter(inside)
    listener = socket.create_server(("127.0.0.1", port))
    LIBC.setns(home, CLONE_NEWNET)
    while True:
        near, _ = listener.accept()
        far = socket.create_connection(("127.0.0.1", port))
        for ends in ((near, far), (far, near)):
            threading.Thread(target=pump, args=ends, daemon=True).start()


def address(index):
    return f"10.77.0.{10 + index}"


def call_host(name):
    """Names the host of this process alone: for its process sets Horovod 0.28 forgets the interface and takes the address of gethostname()."""
    if LIBC.unshare(CLONE_NEWUTS):
        raise OSError(ctypes.get_errno(), "no host name of its own")
    socket.sethostname(name)


def main(prefix, device, *command):
    index = int(os.environ["MUSTER_INDEX"])
    inside = f"/run/netns/{prefix}-{index}"
    env = os.environ
    if "MASTER_ADDR" in env:
        env["MASTER_ADDR"] = address(0)
        env["GLOO_SOCKET_IFNAME"] = device
    if "TF_CONFIG" in env:
        config = json.loads(env["TF_CONFIG"])
        workers = config["cluster"]["worker"]
        config["cluster"]["worker"] = [f"{address(i)}:{host.rpartition(':')[2]}" for i, host in enumerate(workers)]
        env["TF_CONFIG"] = json.dumps(config)
    if "HOROVOD_GLOO_RENDEZVOUS_PORT" in env:
        forward(inside, int(env["HOROVOD_GLOO_RENDEZVOUS_PORT"]))
        env["HOROVOD_GLOO_IFACE"] = device
        env["HOROVOD_HOSTNAME"] = address(index)
        call_host(address(index))
    enter(inside)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
