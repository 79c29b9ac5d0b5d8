"""A Muster service of one's own, to be killed and started again, and its API."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MUSTER = ROOT / "muster"


class Gone(Exception):
    """The service did not answer, or ended while it did."""


def build():
    """Builds what ./muster runs and returns how to start the service: (folder, java, build)."""
    done = subprocess.run([MUSTER, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    current = ROOT / ".muster-build" / "current"
    if not current.exists():
        sys.exit(f"the service cannot be built:\n{done.stderr}")
    return current.read_text().splitlines()[:3]


class Service:
    """One home and the service on it."""

    def __init__(self, home, program, environment=None, options=(), store=None):
        """With a `store`, as its configuration names one, it is one for several people; else the embedded one."""
        self.home = Path(home)
        self.home.mkdir(mode=0o700, exist_ok=True)
        self.main = ["dev.muster.server.Main", "--home", self.home]
        if store:
            configuration = self.home / "server.json"
            configuration.write_text(json.dumps({
                "home": str(self.home), "listen": "127.0.0.1:0", "host": "here",
                "capacity": {"processes": 8, "cpus": 8}, "store": store}))
            self.main = ["dev.muster.server.ServerMain", "--config", configuration]
        self.program, self.options = program, options
        self.environment = {**os.environ, **(environment or {})}
        self.environment.pop("MUSTER_FAILPOINT", None)
        self.process = None
        self.said = 0
        self.connection = None

    def start(self, failpoint=None, patience=30):
        """Returns when it answers, or raises Gone when it ended before; gives the seconds from exec to its first answer."""
        folder, java, build = self.program
        (self.home / "service.json").unlink(missing_ok=True)
        environment = dict(self.environment)
        if failpoint:
            environment["MUSTER_FAILPOINT"] = failpoint
        begun = time.perf_counter()
        self.said = len((self.home / "out").read_text(errors="replace")) if (self.home / "out").exists() else 0
        self.process = subprocess.Popen(
            [java, f"@{folder}/server.args", *self.options, f"-Dmuster.lib={folder}", f"-Dmuster.java={java}",
             f"-Dmuster.build={build}", *self.main],
            env=environment, stdin=subprocess.DEVNULL, stdout=open(self.home / "out", "ab"), stderr=subprocess.STDOUT)
        while True:
            try:
                self.connect()
                self.request("GET", "/v1/health")
                return time.perf_counter() - begun
            except (Gone, OSError, ValueError, KeyError):
                if self.process.poll() is not None:
                    raise Gone(f"it ended with {self.process.returncode}")
                if time.perf_counter() - begun > patience:
                    raise TimeoutError(f"the service of {self.home} does not start; see {self.home}/out")
                time.sleep(0.005)

    def announced(self):
        """Where it answers: the embedded one writes that down, the other one says so in its log."""
        if (self.home / "server.json").exists():
            said = re.findall(r"answers at (\S+), process", (self.home / "out").read_text(errors="replace")[self.said:])
            if not said:
                raise ValueError("it has not said where it answers")
            return {"address": said[-1]}
        return json.loads((self.home / "service.json").read_text())

    def connect(self):
        announced = self.announced()
        host, _, port = announced["address"].removeprefix("http://").rpartition(":")
        self.close()
        self.connection = http.client.HTTPConnection(host, int(port), timeout=60)
        self.token = (self.home / "token").read_text().strip()
        return announced

    def request(self, method, path, body=None, key=None):
        """Status and JSON of the answer. Raises Gone when there is none."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as lost:
            self.close()
            raise Gone(f"{method} {path}: {lost!r}") from lost
        return answer.status, json.loads(text) if text else None

    def close(self):
        if self.connection:
            self.connection.close()

    def kill(self):
        """kill -9, and waits until it is gone."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        if self.process:
            self.process.wait()
        self.close()

    def cpu(self):
        """Processor seconds it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss(self):
        """Resident memory in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024


def left_behind(marker):
    """Processes, other than this one, in whose environment the marker stands."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if marker.encode() in (folder / "environ").read_bytes():
                    found.append((int(folder.name), (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()))
            except OSError:
                pass
    return found
