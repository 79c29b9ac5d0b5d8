"""Where the ranks of a Horovod job find each other: ADDRESS PORT SIZE LOCAL_SIZE CROSS_SIZE.

The key/value store of Horovod's Gloo controller over HTTP: GET, PUT and DELETE of /scope/key; 404 means "not yet". A rank that shuts
down deletes its key of a scope; once all of that scope have, the scope is empty, so that a script may initialise Horovod again.
"""

import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ADDRESS, PORT = sys.argv[1], int(sys.argv[2])
MEMBERS = {"global": int(sys.argv[3]), "local": int(sys.argv[4]), "cross": int(sys.argv[5])}

lock = threading.Lock()
values = {}  # by scope, then by key
left = {}  # keys deleted, by scope


class Store(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10

    def do_GET(self):
        scope, key = self.place()
        with lock:
            value = values.get(scope, {}).get(key)
        self.answer(404 if value is None else 200, value or b"")

    def do_PUT(self):
        scope, key = self.place()
        value = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with lock:
            values.setdefault(scope, {})[key] = value
        self.answer(200)

    def do_DELETE(self):
        scope, key = self.place()
        members = MEMBERS.get(scope.split("_")[0])
        with lock:
            if members is None:
                values.get(scope, {}).pop(key, None)
            else:
                gone = left.setdefault(scope, set())
                gone.add(key)
                if len(gone) >= members:
                    values.pop(scope, None)
                    left.pop(scope)
        self.answer(200)

    def place(self):
        scope, _, key = self.path.lstrip("/").partition("/")
        return scope, key

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 1024
    family, _, _, _, bound = socket.getaddrinfo(ADDRESS, PORT, type=socket.SOCK_STREAM)[0]
    address_family = family


Server(Server.bound[:2], Store).serve_forever()
