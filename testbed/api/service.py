"""A service of this clone with a home of its own, some jobs that have ended, and a token that may do all."""

import json
import os
import re
import subprocess
import time
import urllib.request
from pathlib import Path

MUSTER = Path(__file__).resolve().parents[2] / "muster"
# By what N is divided for each operation: some have fewer cases than their share.
OPERATIONS = 27
JOBS = {
    "done": {"command": ["sh", "-c", "echo '::muster::{\"step\":1,\"metrics\":{\"loss\":0.5}}'; echo x > $MUSTER_MODEL_DIR/model"],
             "model": {"name": "model"}},
    "failed": {"command": ["sh", "-c", "echo no; exit 3"]},
}


class Service:
    def __init__(self, place):
        self.place = place
        self.config = place / "muster.json"
        self.jobs = []

    def __enter__(self):
        self.config.write_text(json.dumps({
            "home": str(self.place / "home"), "listen": "127.0.0.1:0", "tokens": str(self.place / "tokens.json"),
            "log": str(self.place / "service.log")}))
        subprocess.run([MUSTER, "--version"], check=True, stdout=subprocess.DEVNULL)
        self.token = subprocess.run(
            [MUSTER, "server", "token", "create", "--config", self.config, "--name", "test", "--scope", "read", "--scope", "submit", "--scope", "admin"],
            check=True, capture_output=True, text=True).stdout.strip()
        self.process = subprocess.Popen([MUSTER, "server", "--config", self.config])
        self.address = self.wait(self.told)
        for name, more in JOBS.items():
            text = json.dumps({"name": name, "framework": "plain", **more})
            self.jobs.append(self.ask("POST", "/v1/jobs", {"text": text, "folder": str(self.place), "path": os.environ["PATH"]})["id"])
        for job in self.jobs:
            self.wait(lambda: self.ask("GET", f"/v1/jobs/{job}")["state"] in ("Succeeded", "Failed"))
        return self

    def __exit__(self, *failure):
        self.process.terminate()
        self.process.wait(30)

    def told(self):
        log = self.place / "service.log"
        if self.process.poll() is not None:
            raise SystemExit("the service did not start")
        found = re.search(r"answers at (\S+),", log.read_text()) if log.exists() else None
        return found and found.group(1)

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.address + path, method=method, data=json.dumps(body).encode() if body else None,
            headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def faults(self):
        """What the service itself calls a fault, from its log."""
        return [line for line in (self.place / "service.log").read_text().splitlines() if " ERROR " in line]

    @staticmethod
    def wait(condition):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            time.sleep(0.05)
        raise SystemExit("it did not come about within 60 s")
