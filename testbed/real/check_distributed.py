#!/usr/bin/env python3
"""Did these processes train one model together? Reads a job's merged log on stdin, looks at its PROOF lines.

    ./muster logs JOB | testbed/real/check_distributed.py [--world N]

A rank prints, once, at its end:

    worker-0 | PROOF {"rank":0, "world":2, "steps":430, "weights":SHA, "untrained":SHA,
                      "epochs":[{"count":27500, "sum":HEX, "of":55000}]}

`weights` and `untrained` are digests of its model after and before training. An epoch's `count` is how many rows the
rank was given, `of` how many rows there are (ids 0..of-1), `sum` the sum of SHA-256(id in decimal) modulo 2**256.
The ranks' sums add up to the sum of all ids only if each row was used exactly once by exactly one rank.
With parameter servers the proofs say "synchronous": false, so ranks may have made different numbers of steps, but each
some; one says "coordinator": true: it deals out the rows and uses none, and its steps are those of all others together.
"""

import argparse
import hashlib
import json
import re
import sys

LINE = re.compile(r"^(?P<process>\S+ \| (\[\w+\]:)?)PROOF (?P<proof>\{.*\})\s*$")  # torchrun may add [default0]:
GOAL = "one model, each row used once by one rank"


def main():
    parser = argparse.ArgumentParser(description="Check that the ranks of a job trained one model together.")
    parser.add_argument("--world", type=int, help="how many ranks there must be")
    options = parser.parse_args()
    proofs = read_proofs(sys.stdin)
    problems = find_problems(proofs, options.world)
    for problem in problems:
        print(problem)
    print(f"distributed: {summary(proofs)} (goal {GOAL}) {'short' if problems else 'met'}")
    sys.exit(1 if problems else 0)


def read_proofs(lines):
    """Pairs of process name and what it printed, in the order of the log."""
    matches = filter(None, map(LINE.match, lines))
    return [(match["process"], json.loads(match["proof"])) for match in matches]


def find_problems(proofs, world=None):
    if not proofs:
        return ["no PROOF line in the log"]
    return [*membership(proofs, world), *weights(proofs), *steps(proofs), *rows(proofs)]


def membership(proofs, world):
    worlds = {proof["world"] for _, proof in proofs}
    if len(worlds) > 1:
        yield f"ranks disagree about the world size: {sorted(worlds)}"
    size = world or max(worlds)
    if size not in worlds:
        yield f"world size is {sorted(worlds)}, expected {size}"
    if size < 2:
        yield "a world of one is not distributed"
    ranks = sorted(proof["rank"] for _, proof in proofs)
    if ranks != list(range(size)):
        yield f"ranks are {ranks}, expected {list(range(size))}"
    processes = [process for process, _ in proofs if not process.startswith("launcher-")]  # mpirun prints for all ranks
    if len(set(processes)) < len(processes):
        yield f"a process printed more than one proof: {processes}"


def weights(proofs):
    final = {proof["weights"] for _, proof in proofs}
    if len(final) > 1:
        yield f"final weights differ: {sorted(digest[:12] for digest in final)}"
    if final & {proof["untrained"] for _, proof in proofs}:
        yield "final weights are those of the untrained model"


def steps(proofs):
    trainers = [proof["steps"] for _, proof in proofs if not proof.get("coordinator")]
    dealt = [proof["steps"] for _, proof in proofs if proof.get("coordinator")]
    if min(trainers, default=0) < 1:
        yield "a rank made no step"
    if all(proof.get("synchronous", True) for _, proof in proofs):
        if len({*trainers, *dealt}) > 1:
            yield f"step counts differ: {sorted({*trainers, *dealt})}"
    elif dealt != [sum(trainers)]:
        yield f"the coordinator counts {dealt} steps, the others made {sum(trainers)}"


def rows(proofs):
    epochs = {len(proof["epochs"]) for _, proof in proofs}
    if len(epochs) > 1 or 0 in epochs:
        yield f"numbers of epochs: {sorted(epochs)}, expected the same for all and at least one"
        return
    trainers = [proof["epochs"] for _, proof in proofs if not proof.get("coordinator")]
    for number, shares in enumerate(zip(*trainers), start=1):
        yield from (f"epoch {number}: {problem}" for problem in rows_of_epoch(shares))


def rows_of_epoch(shares):
    sizes = {share["of"] for share in shares}
    if len(sizes) > 1:
        yield f"ranks disagree about the number of rows: {sorted(sizes)}"
        return
    if min(share["count"] for share in shares) < 1:
        yield "a rank used no row"
    size = sizes.pop()
    used = sum(share["count"] for share in shares)
    if used != size:
        yield f"{used} rows used, there are {size}"
    if sum(int(share["sum"], 16) for share in shares) % 2**256 != sum_of_all(size):
        yield "the rows used are not all rows, each once"


def sum_of_all(size):
    return sum(int.from_bytes(hashlib.sha256(b"%d" % row).digest(), "big") for row in range(size)) % 2**256


def summary(proofs):
    if not proofs:
        return "0 ranks"
    digests = sorted({proof["weights"][:12] for _, proof in proofs})
    used = sum(epoch["count"] for _, proof in proofs for epoch in proof["epochs"])
    return (f"{len(proofs)} ranks, {'/'.join(sorted({str(proof['steps']) for _, proof in proofs}))} steps,"
            f" {used} rows, weights {'/'.join(digests)}")


if __name__ == "__main__":
    main()
