"""Where the workers of an elastic Horovod job meet: ADDRESS PORT MEMBERS MIN MAX SECONDS. It outlives each of them.

Horovod's own elastic driver, of the job's own Horovod, that starts nothing: processes are started by Muster, and each says at the port
MEMBERS who it is (member.py) and keeps the connection for as long as it lives. A host of Horovod's is one attempt of a worker, so that a
worker that comes back is another host than the one that failed. Who is there is what the driver discovers; a connection that is closed is a
process that has ended. SECONDS is how long fewer than MIN processes are waited for.

Rank 0 is on the worker of the lowest number, whose model is published. One that comes back there first takes the state of the others, so for
one round an older one has that rank. The training is over when that worker has ended well; until then it may come back, and go on
from its checkpoint without those who have ended.
"""

import json
import socket
import socketserver
import sys
import threading
import time
from collections import defaultdict

from horovod.runner.elastic import driver as drivers
from horovod.runner.elastic import discovery
from horovod.runner.elastic import registration
from horovod.runner.elastic.rendezvous import create_rendezvous_handler
from horovod.runner.elastic.worker import HostUpdateResult
from horovod.runner.gloo_run import create_slot_env_vars
from horovod.runner.http.http_server import RendezvousHTTPServer

PORT, MEMBERS, MIN, MAX, SECONDS = map(int, sys.argv[2:7])
FAMILY, _, _, _, (ADDRESS, *_) = socket.getaddrinfo(sys.argv[1], PORT, type=socket.SOCK_STREAM)[0]
LAST_CALL = 2  # seconds that those who are enough wait for the rest, at the start
REORDER = 1  # seconds in which whoever comes has taken the state of the others, or it is asked again

drivers.DISCOVER_HOSTS_FREQUENCY_SECS = 0.2
changed = threading.Condition()
members = {}  # by host and local rank
ended_well = set()  # workers
over = threading.Event()


def worker(host):
    """Role and number, which order workers as Muster does."""
    role, number, _ = host.rsplit("-", 2)
    return role, int(number)


class Member(socketserver.StreamRequestHandler):
    """One process: its first line is {"host", "local", "slots"}, another one {"code"} when it ends by itself."""

    def handle(self):
        try:
            told = json.loads(self.rfile.readline())
            key = told["host"], int(told["local"])
        except (OSError, ValueError, KeyError, TypeError):
            return
        if over.is_set():
            self.say({"over": True})
            return
        self.slots, self.code, self.ended = int(told["slots"]), 1, threading.Event()
        with changed:
            members[key] = self
            self.when = time.monotonic()
            changed.notify_all()
        print(f"{key[0]}[{key[1]}] is there", flush=True)
        try:
            for line in self.rfile:
                self.code = int(json.loads(line)["code"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        with changed:
            members.pop(key, None)
            if self.code == 0:
                ended_well.add(worker(key[0]))
            self.ended.set()
            changed.notify_all()
        print(f"{key[0]}[{key[1]}] has ended", flush=True)

    def say(self, message):
        try:
            self.wfile.write(json.dumps(message).encode() + b"\n")
        except OSError:
            pass  # it has ended


class Those(discovery.HostDiscovery):
    """The hosts all of whose processes are there."""

    def find_available_hosts_and_slots(self):
        with changed:
            there = defaultdict(list)
            for (host, _), member in members.items():
                there[host].append(member)
        return {host: len(of) for host, of in there.items() if len(of) == of[0].slots}


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 1024


class Driver(drivers.ElasticDriver):
    """Horovod's, with the ranks in the order of the workers."""

    def _get_host_assignments(self, current):
        order = sorted(current.host_assignment_order, key=lambda host: (host not in self.host_assignments, worker(host)))
        return super()._get_host_assignments(discovery.DiscoveredHosts(current.host_slots, order))

    def first(self):
        """The host whose model counts."""
        return min(self.host_assignments, key=worker)

    def register_worker_server(self, *words):
        super().register_worker_server(*words)
        self.reorder_soon()

    def reorder_soon(self):
        if not self.finished() and self.get_coordinator_info().hostname != self.first():
            timer = threading.Timer(REORDER, self.reorder)
            timer.daemon = True
            timer.start()

    def reorder(self):
        """Asks for a round in which no rank is new."""
        client = self.get_worker_client(self.get_coordinator_info())
        try:
            if client and self.get_coordinator_info().hostname != self.first():
                client.notify_hosts_updated(int(time.time()), HostUpdateResult.added)
        except Exception:  # it has ended, or has not begun: asked again
            pass
        self.reorder_soon()


class Rendezvous:
    """Horovod's, at the port that Muster reserved."""

    def start(self, handler):
        self.server = RendezvousHTTPServer((ADDRESS, PORT), handler, 0)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def init(self, plan):
        self.server.init(plan)

    def stop(self):
        threading.Thread(target=self.server.shutdown, daemon=True).start()


def run(slot, _):
    """In place of starting a process: lets the one that is there begin, and gives its exit code once it has ended."""
    with changed:
        member = members.get((slot.hostname, slot.local_rank))
    if member is None:
        return 1, time.time()
    member.say({"env": create_slot_env_vars(slot)})
    member.ended.wait()
    return member.code, time.time()


def await_first(least):
    """Until enough are there, and all, or no other has come for a moment."""
    with changed:
        while True:
            count = sum(Those().find_available_hosts_and_slots().values())
            quiet = time.monotonic() - max((member.when for member in members.values()), default=0)
            if count >= MAX or count >= least and quiet >= LAST_CALL:
                return count
            changed.wait(0.1)


def train():
    """One group, until its first worker has ended well or all of it has failed; true when it has ended well."""
    least = max(1, MIN - len(ended_well))
    rendezvous = Rendezvous()
    driver = Driver(rendezvous, Those(), least, MAX, timeout=SECONDS)
    rendezvous.start(create_rendezvous_handler(driver))
    driver.start(await_first(least), run)
    driver.get_results()
    rendezvous.server.shutdown()  # else its port is taken for as long as its thread waits at it
    rendezvous.server.server_close()
    return any(host == driver.first() for host, _ in driver._worker_registry.get(registration.SUCCESS))


def main():
    Server.address_family = RendezvousHTTPServer.address_family = FAMILY
    server = Server((ADDRESS, MEMBERS), Member)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while not train():
        print("who is to bring the model is lost; it may come again, and others with it", flush=True)
    over.set()
    print("the training is over", flush=True)
    threading.Event().wait()


main()
