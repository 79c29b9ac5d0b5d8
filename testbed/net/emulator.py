"""Hosts of one machine, and the network between them: a namespace each with a TUN device whose packets this process carries, late, slowly or
not at all. No qdisc and no firewall is needed, so it works on any kernel that has TUN. Standard library only."""

import contextlib
import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import threading
import time
from dataclasses import dataclass

CLONE_NEWNET = 0x40000000
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
MTU = 1400
QUEUE_SECONDS = 1.0  # of a slow link: what would wait longer is dropped, as a router does


def enter(namespace):
    """Puts this thread into the network namespace of that name."""
    descriptor = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).setns(descriptor, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"no way into network namespace {namespace}")
    finally:
        os.close(descriptor)


def made_inside(namespace, make):
    """What `make` gives, made by a thread inside the namespace; descriptors stay in the namespace they were made in."""
    answer = []

    def run():
        try:
            enter(namespace)
            answer.append(make())
        except OSError as wrong:
            answer.append(wrong)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(answer[0], OSError):
        raise answer[0]
    return answer[0]


def tun(name):
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return descriptor


@dataclass
class Way:
    """One direction between two hosts."""

    cut: bool = False
    delay: float = 0.0  # seconds
    rate: float = 0.0  # bytes a second; 0 is unbounded
    loss: float = 0.0  # part of all packets
    free_at: float = 0.0
    carried: int = 0
    dropped: int = 0


class Network:
    """So many hosts, 10.77.0.10 and on, in namespaces that go with it."""

    DEVICE = "muster0"

    def __init__(self, hosts, prefix=None):
        self.prefix = prefix or f"muster{os.getpid()}"
        self.names = [f"{self.prefix}-{index}" for index in range(hosts)]
        self.addresses = [f"10.77.0.{10 + index}" for index in range(hosts)]
        self.ways = {(a, b): Way() for a in range(hosts) for b in range(hosts) if a != b}
        self.tuns = []
        self.made = []
        self.ended = False
        self.random = random.Random(7)
        try:
            for name, address in zip(self.names, self.addresses):
                self._ip("netns", "add", name)
                self.made.append(name)
                self.tuns.append(made_inside(name, lambda: tun(self.DEVICE)))
                self._ip("-n", name, "address", "add", f"{address}/24", "dev", self.DEVICE)
                self._ip("-n", name, "link", "set", self.DEVICE, "mtu", str(MTU), "up")
                self._ip("-n", name, "link", "set", "lo", "up")
        except Exception:
            self.close()
            raise
        self.carrier = threading.Thread(target=self._carry, daemon=True)
        self.carrier.start()

    @staticmethod
    def _ip(*words):
        done = subprocess.run(["ip", *words], capture_output=True, text=True)
        if done.returncode:
            raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")

    def set(self, ways=None, **how):
        """Changes these ways, or all: cut, delay, rate, loss."""
        for key in ways or self.ways:
            for name, value in how.items():
                setattr(self.ways[key], name, value)

    def heal(self):
        self.set(cut=False, delay=0.0, rate=0.0, loss=0.0)

    def _carry(self):
        waiting, number = [], 0
        index = {descriptor: host for host, descriptor in enumerate(self.tuns)}
        while not self.ended:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, target, packet = heapq.heappop(waiting)
                with contextlib.suppress(OSError):
                    os.write(target, packet)
            pause = min(0.2, max(0.0, waiting[0][0] - now)) if waiting else 0.2
            for descriptor in select.select(self.tuns, [], [], pause)[0]:
                for _ in range(64):
                    try:
                        packet = os.read(descriptor, 65536)
                    except OSError:
                        break
                    to = self._target(packet)
                    if to is None or to == index[descriptor]:
                        continue
                    at = self._due(self.ways[index[descriptor], to], len(packet))
                    if at is not None:
                        number += 1
                        heapq.heappush(waiting, (at, number, self.tuns[to], packet))

    def _target(self, packet):
        if len(packet) < 20 or packet[0] >> 4 != 4 or packet[16:19] != b"\x0a\x4d\x00":
            return None
        host = packet[19] - 10
        return host if 0 <= host < len(self.tuns) else None

    def _due(self, way, size):
        """When a packet arrives; None when it does not."""
        now = time.monotonic()
        if way.cut or way.loss and self.random.random() < way.loss:
            way.dropped += 1
            return None
        at = now
        if way.rate:
            at = max(now, way.free_at) + size / way.rate
            if at - now > QUEUE_SECONDS:
                way.dropped += 1
                return None
            way.free_at = at
        way.carried += size
        return at + way.delay

    def close(self):
        """Takes away all it made. Processes that are still inside keep their namespace until they end."""
        self.ended = True
        if hasattr(self, "carrier"):
            self.carrier.join()
        for descriptor in self.tuns:
            os.close(descriptor)
        for name in self.made:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)
        self.made = []
