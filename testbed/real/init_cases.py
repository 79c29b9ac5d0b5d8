"""Job folders made by `muster init`: every one is planned, some are run, as somebody would who begins."""

import json
import re
import shutil
import subprocess

from harness import ROOT, expect


def pairs(muster):
    """What there is to begin with, as the command itself tells."""
    told = re.search(r"Strategies with their frameworks: (.*)\.", muster("help", "init"))[1]
    for strategy, frameworks in re.findall(r"([a-z-]+) \(([a-z, ]+)\)", told):
        for framework in frameworks.split(", "):
            yield strategy, framework


def init_every_pair(muster):
    """Every folder is a job as it was written; those that take seconds and Debian's packages alone are run."""
    folder = muster.home.parent / "begun"
    folder.mkdir(exist_ok=True)
    begun, ran = 0, []
    for strategy, framework in pairs(muster):
        name = f"{strategy}-{framework}"
        made = muster.json("init", folder / name, "--strategy", strategy, "--framework", framework)
        expect("job.yaml" in made["files"] and "README.md" in made["files"], f"{name}: {made['files']}")
        plan = muster.json("plan", folder / name / "job.yaml")
        expect(plan["processes"], f"{name}: {plan}")
        begun += 1
        if (strategy, framework) in (("data-parallel", "plain"), ("gradient-accumulation", "pytorch"), ("sharded-optimizer", "pytorch")):
            done = json.loads(muster("run", folder / name / "job.yaml", "-o", "json", timeout=300).splitlines()[-1])
            expect(done["state"] == "Succeeded" and done["model"], f"{name}: {done['state']} {done['reason']}")
            expect(done["name"] == name, f"called as its folder: {done['name']}")
            ran.append(name)
    expect(begun >= 15 and len(ran) == 3, f"{begun} begun, {ran} ran")
    return f"{begun} folders planned, {len(ran)} run"


def moved_clone(muster):
    """A clone that was moved or copied, its build with it, and whose old place is gone, builds itself anew."""
    clone = muster.home.parent / "clone"
    shutil.copytree(ROOT, clone, symlinks=True, ignore=shutil.ignore_patterns(".git", "surefire-reports", "*.aot"))
    for file in [*clone.glob(".muster-build/*/*.args"), clone / ".muster-build/current"]:
        file.write_text(file.read_text().replace(str(ROOT), "/gone"))
    done = subprocess.run([clone / "muster", "--version"], capture_output=True, text=True, timeout=580)
    expect(done.returncode == 0 and done.stdout.startswith("muster "), f"{done.returncode}: {done.stdout}{done.stderr[-1000:]}")
    return f"{done.stderr.strip()}, {done.stdout.strip()}"


CASES = [init_every_pair]
LONG_CASES = [moved_clone]
