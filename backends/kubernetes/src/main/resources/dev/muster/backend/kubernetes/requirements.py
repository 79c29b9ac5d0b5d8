"""Sees to it that the Python of an image meets a requirements file.

    python3 requirements.py FILE FOLDER STATE

Where the image meets it, nothing is done. Else a virtual environment above the image's own packages is made in FOLDER, once for each content of
the file and of the image, and its path written to STATE/python. pip's words go to standard output; what went wrong, in one sentence, to STATE/message, and
the exit code is 127.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from importlib import metadata
from pathlib import Path

try:
    from packaging.requirements import Requirement
except ImportError:
    try:
        from pip._vendor.packaging.requirements import Requirement
    except ImportError:
        Requirement = None

FORGOTTEN = 24 * 3600
LONGEST = 600
PIP = ["-m", "pip", "--no-input", "--disable-pip-version-check"]


class Unmet(Exception):
    """The requirements cannot be met; the message says why."""


def is_met(line):
    """Whether the image has what a line asks for; False also where that cannot be told."""
    if re.match(r"-(?!e\b|-editable\b|r\b|-requirement\b)", line):
        return True  # an option of pip asks for nothing
    line = re.sub(r"\s--\S+", "", line)
    if not Requirement:
        return is_there(line)
    try:
        wanted = Requirement(line)
    except ValueError:
        return False
    if wanted.marker and not wanted.marker.evaluate():
        return True
    there = version(wanted.name)
    return there is not None and not wanted.extras and not wanted.url and wanted.specifier.contains(there, prereleases=True)


def is_there(line):
    """The same where the image has nothing that understands versions: only a name, and what is said to be equal to one, are looked at."""
    name = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*(?![A-Za-z0-9._/:-])", line)
    there = name and version(name.group())
    equal = re.search(r"==\s*([^\s;,*]+)", line)
    return bool(there) and (not equal or equal.group(1) == there)


def version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def key(text):
    """Changes with the requirements, the Python and every package of the image."""
    packages = sorted({f"{each.metadata['Name']}=={each.version}" for each in metadata.distributions()})
    said = "\n".join([sys.version, sysconfig.get_platform(), sys.prefix, text, *packages])
    return hashlib.sha256(said.encode()).hexdigest()[:24]


def environment(file, folder):
    """The environment, made first where there is none. It is made beside its place and moved there whole: others may make the same one."""
    place = folder / key(file.read_text(encoding="utf-8"))
    if not place.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for half in folder.glob(".*"):
            if time.time() - half.stat().st_mtime > FORGOTTEN:
                shutil.rmtree(half, ignore_errors=True)
        half = folder / f".{place.name}-{os.uname().nodename}-{os.getpid()}"
        try:
            build(half, place, file)
        finally:
            shutil.rmtree(half, ignore_errors=True)
    return place


def build(half, place, file):
    print(f"muster: installing requirements into {place}", flush=True)
    venv.EnvBuilder(system_site_packages=True, symlinks=True).create(half)
    python = half / "bin" / "python3"
    if subprocess.run([python, *PIP, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        if subprocess.run([python, "-m", "ensurepip"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            raise Unmet("the image has neither pip nor ensurepip to install them with: put python3-pip into the image, or the requirements themselves")
    pip(python, file)
    for script in (half / "bin").iterdir():
        if script.is_file() and not script.is_symlink():
            script.write_bytes(script.read_bytes().replace(os.fsencode(half), os.fsencode(place)))
    try:
        half.rename(place)
    except OSError:
        if not place.exists():
            raise


def pip(python, file):
    errors = []
    env = {name: value for name, value in os.environ.items() if name not in ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER")}
    with subprocess.Popen([python, *PIP, "install", "-r", file], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        for line in running.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            if line.startswith(b"ERROR:"):
                errors.append(line.decode(errors="replace").removeprefix("ERROR:").strip())
    if running.returncode:
        said = errors[-1] if errors else f"pip ended with {running.returncode}"
        raise Unmet(f"{said[:LONGEST]} (all that pip said is in the log)")


def main(file, folder, state):
    text = file.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [re.sub(r"(^|\s)#.*$", "", line).strip() for line in text.splitlines()]
    unmet = [line for line in filter(None, lines) if not is_met(line)]
    if not unmet:
        return 0
    try:
        place = environment(file, folder)
    except (Unmet, OSError) as problem:
        (state / "message").write_text(f"the requirements the image does not meet ({', '.join(unmet)[:LONGEST]}) could not be installed: {problem}")
        return 127
    (state / "python").write_text(f"{place}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
