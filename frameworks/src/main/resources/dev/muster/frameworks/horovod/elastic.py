"""Where the workers of an elastic Horovod job meet: ADDRESS PORT MEMBERS MIN MAX SECONDS. It outlives each of them.

Horovod's own elastic driver, of the job's own Horovod, that starts nothing: processes are started by Muster, and each says at the port
MEMBERS who it is (member.py) and keeps the connection for as long as it lives. A host of Horovod's is one attempt of a worker, so that a
worker that comes back is another host than the one that failed. Who is there is what the driver discovers; a connection that is closed is a
process that has ended. SECONDS is how long fewer than MIN processes are waited for.
"""

import json
import socket
import socketserver
import sys
import threading
import time
from collections import defaultdict

from horovod.runner.elastic import driver as drivers
from horovod.runner.elastic import registration
from horovod.runner.elastic.discovery import HostDiscovery
from horovod.runner.elastic.rendezvous import create_rendezvous_handler
from horovod.runner.gloo_run import create_slot_env_vars
from horovod.runner.http.http_server import RendezvousHTTPServer

PORT, MEMBERS, MIN, MAX, SECONDS = map(int, sys.argv[2:7])
FAMILY, _, _, _, (ADDRESS, *_) = socket.getaddrinfo(sys.argv[1], PORT, type=socket.SOCK_STREAM)[0]
LAST_CALL = 2  # seconds that those who are enough wait for the rest, at the start

drivers.DISCOVER_HOSTS_FREQUENCY_SECS = 0.2
changed = threading.Condition()
members = {}  # by host and local rank
over = threading.Event()


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
            self.ended.set()
            changed.notify_all()
        print(f"{key[0]}[{key[1]}] has ended", flush=True)

    def say(self, message):
        try:
            self.wfile.write(json.dumps(message).encode() + b"\n")
        except OSError:
            pass  # it has ended


class Those(HostDiscovery):
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


def await_first():
    """Until enough are there, and all, or no other has come for a moment."""
    with changed:
        while True:
            count = sum(Those().find_available_hosts_and_slots().values())
            quiet = time.monotonic() - max((member.when for member in members.values()), default=0)
            if count >= MAX or count >= MIN and quiet >= LAST_CALL:
                return count
            changed.wait(0.1)


def train():
    """One group, until it has succeeded or all of it has failed; true when it has succeeded."""
    rendezvous = Rendezvous()
    driver = drivers.ElasticDriver(rendezvous, Those(), MIN, MAX, timeout=SECONDS)
    rendezvous.start(create_rendezvous_handler(driver))
    driver.start(await_first(), run)
    driver.get_results()
    rendezvous.server.server_close()
    return driver._worker_registry.count(registration.SUCCESS) > 0


def main():
    Server.address_family = RendezvousHTTPServer.address_family = FAMILY
    server = Server((ADDRESS, MEMBERS), Member)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while not train():
        print("the whole group is lost; another one may come", flush=True)
    over.set()
    print("the training is over", flush=True)
    threading.Event().wait()


main()
