"""A real PostgreSQL of one's own, from Debian's package, run as the user postgres."""

import os
import pwd
import subprocess
import sys
import time
from pathlib import Path


def programs():
    """The folder of its programs; ends when there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if not found:
        sys.exit("this needs PostgreSQL: apt-get install postgresql")
    return found[-1].parent


class Database:
    """One server on the addresses given, its data below `folder`; the role and database are called muster."""

    def __init__(self, folder, addresses, port=5432):
        self.bin, self.port, self.addresses = programs(), port, addresses
        self.folder = Path(folder)
        self.user = pwd.getpwnam("postgres")
        self.folder.mkdir(mode=0o700)
        os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.data = self.folder / "data"
        self.run(self.bin / "initdb", "-D", self.data, "-U", "muster", "-A", "trust", "-E", "UTF8", "--locale=C")
        with open(self.data / "pg_hba.conf", "a") as access:
            access.write("host all muster 10.0.0.0/8 trust\n")  # the addresses are on this machine alone
        self.process = subprocess.Popen(
            [self.bin / "postgres", "-D", self.data, "-p", str(port), "-c", f"listen_addresses={','.join(addresses)}",
             "-c", f"unix_socket_directories={self.folder}"],
            user=self.user.pw_uid, group=self.user.pw_gid, extra_groups=[], cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=open("/dev/null", "wb"), stderr=subprocess.STDOUT)
        for _ in range(300):
            if self.psql("select 1", database="postgres", check=False).returncode == 0:
                break
            time.sleep(0.1)
        self.psql("create database muster", database="postgres")

    def store(self, name):
        """A new database of that name on the first address, as the configuration of a service names its store."""
        self.psql(f"create database {name}", database="postgres")
        return {"postgresql": {"url": f"postgresql://{self.addresses[0]}:{self.port}/{name}", "user": "muster"}}

    def run(self, *command):
        subprocess.run(command, user=self.user.pw_uid, group=self.user.pw_gid, extra_groups=[], cwd=self.folder,
                       check=True, stdout=subprocess.DEVNULL)

    def psql(self, query, database="muster", check=True):
        return subprocess.run(
            ["psql", "-h", self.folder, "-p", str(self.port), "-U", "muster", "-d", database, "-AtXqc", query],
            check=check, capture_output=True, text=True)

    def rows(self, query):
        return [line.split("|") for line in self.psql(query).stdout.splitlines()]

    def close(self):
        self.process.terminate()
        self.process.send_signal(2)  # do not wait for clients
        self.process.wait(30)
