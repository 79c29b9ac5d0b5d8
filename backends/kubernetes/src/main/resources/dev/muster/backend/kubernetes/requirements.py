"""Tells which lines of a requirements file the Python of this image does not meet; installs nothing. Exit code 1 when there is one."""

import re
import sys
from importlib import metadata

try:
    from packaging.requirements import Requirement
except ImportError:
    try:
        from pip._vendor.packaging.requirements import Requirement
    except ImportError:
        Requirement = None


def unmet(line):
    """What is wrong with one requirement; None when it is met or cannot be told."""
    name = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", line)
    if not name:
        return None  # an option, a URL or a path
    if Requirement:
        try:
            wanted = Requirement(line)
        except ValueError:
            return None
        if wanted.marker and not wanted.marker.evaluate():
            return None
    try:
        there = metadata.version(name.group())
    except metadata.PackageNotFoundError:
        return f"{line} (not there)"
    if Requirement:
        return None if wanted.specifier.contains(there, prereleases=True) else f"{line} (there is {there})"
    pinned = re.search(r"==\s*([^\s;,]+)", line)
    return f"{line} (there is {there})" if pinned and pinned.group(1) != there else None


lines = [re.sub(r"(^|\s)#.*$", "", line).strip() for line in open(sys.argv[1], encoding="utf-8")]
missing = [said for said in map(unmet, filter(None, lines)) if said]
if missing:
    print("the image does not meet the requirements: " + ", ".join(missing) + "; put them into the image")
sys.exit(1 if missing else 0)
