#!/usr/bin/env python3
"""Instructions per iteration of Fogtree's searches and solvers.

    benches/instructions.py BINARY                     the counts of one build
    benches/instructions.py OLD_BINARY NEW_BINARY      two builds side by side
    benches/instructions.py BINARY --json FILE         the counts, kept in a file
    benches/instructions.py BINARY --baseline FILE     a build against counts that were kept
    benches/instructions.py BINARY --only SUBSTRING    some rows, as in `--only mo-ismcts/` or `--only leduc`

Times depend on the machine and on what else it does; how many instructions a search takes hardly does. Every row is run
with little and with much work, from the same position and seed: the difference of the two counts is that of the
additional iterations alone. Valgrind (cachegrind) counts. The rows are the searches and solvers of `fogtree bench`,
flat-mc for its playouts, and some searches that it leaves out.

The exit code is 1 if a row fails or takes over 10 % more instructions than before, or if all take over 3 % more in the
geometric mean. A star marks rows in which the two builds did not find the same, so that their counts say little.
Counts of one build agree within 0.2 % (0.4 % for gdl); builds by other compilers or with other profiles do not compare.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

WORST_ROW, WORST_MEAN = 1.10, 1.03
VALGRIND = "valgrind --fair-sched=try --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null".split()

# Kinds of `fogtree bench` that are neither searches nor solvers nor playouts.
OTHER_KINDS = {"moves", "clone", "sample", "bytes", "tree-bytes", "growth", "threads"}
# Games that `fogtree bench` gives a name of its own.
GAMES = {
    "goofspiel-open-5": "goofspiel(cards=5)",
    "goofspiel-hidden-6": "goofspiel(cards=6,bids=hidden)",
    "goofspiel-hidden": "goofspiel(cards=13,bids=hidden,prizes=random)",
    "goofspiel-5": "goofspiel(cards=5,bids=hidden,lowest=1,last=automatic)",
    "phantom-mnk-4": "phantom-mnk(m=4,n=4,k=4)",
}
# Games that begin with a move without an alternative: who moves third, after it and the first choice.
FORCED = {"hearts-round": "2"}
# Agents that are not simply named after their kind.
AGENTS = {
    **{f"sm-mcts-{how}": f"sm-mcts(select={how},iterations=N)" for how in ("rm", "drm", "exp3", "duct")},
    "sm-oos": "sm-oos(gamma=0.6,iterations=N)",
    "mo-ismcts-mast": "mo-ismcts(enhance=mast,iterations=N)",
    "mo-ismcts-epic": "mo-ismcts(enhance=epic,iterations=N)",
    "pimc": "pimc(determinizations=10,iterations=N)",
}
# Searches that `fogtree bench` leaves out.
MORE = [f"{kind}/{game}" for kinds, games in (
    ("mo-ismcts-mast mo-ismcts-epic mt-mo-ismcts", "leduc-poker resistance hearts-round"),
    ("so-ismcts-pom ris-mcts bs-mcts is-mcts smooth-uct pimc", "leduc-poker phantom-mnk-4 mini-dou-di-zhu"),
) for kind in kinds.split() for game in games.split()]

# Little and much work. Solvers look for best responses whenever they have come a quarter further, not in between these.
SEARCH = (1000, 6000)
SOLVERS = {"cfr": (888, 1108), "cfr+": (888, 1108), "es-mccfr": (49355, 61692), "os-mccfr": (49355, 61692)}
# Rows, or games in all their rows, for which a tenth is enough.
SLOW = {"arimaa", "stratego", "tubstap", "visibility-pursuit", "oos/mini-dou-di-zhu"}

# A file that asks for the first decision of a game and, unlike `fogtree analyse`, no explanation. Nannon's first roll
# leaves a choice with this seed.
EXPERIMENT = 'title = ""\nseed = 10\nagents.a = "{}"\n[[searches]]\ngame = "{}"\nagents = ["a"]\ntrials = 1\n'


class Failure(Exception):
    pass


def run(*command: str) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900)
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise Failure("not done within a quarter of an hour") from error


def rows(program: str) -> list[str]:
    """The names of all rows, `kind/game`."""
    listed = run(program, "bench", "--list")
    if listed.returncode != 0:
        raise Failure(f"`fogtree bench --list` failed: {listed.stderr.strip()}")
    known = [name for name in listed.stdout.split() if "/" in name and name.split("/")[0] not in OTHER_KINDS]
    return list(dict.fromkeys([re.sub("^playouts/", "flat-mc/", name) for name in known] + MORE))


def count(program: str, row: str, much: bool) -> list:
    """The instructions of a run, how many lines it wrote, the work it did, and some of what it found."""
    kind, name = row.split("/", 1)
    game, agent = GAMES.get(name, name), AGENTS.get(kind, f"{kind}(iterations=N)")
    n = SOLVERS.get(kind, SEARCH)[much] // (10 if {row, name} & SLOW else 1)
    agent = agent.replace("N", str(n))
    with tempfile.TemporaryDirectory() as folder:
        if kind in SOLVERS:
            command = ["solve", game, "--with", kind, "--iterations", str(n), "--seed", "1"]
            read = lambda told: [told["iterations"], told["exploitability"]]
        elif name in FORCED:  # seen by who moves third: the deal and two moves, of which the second was searched for
            command = ["play", game, "--seat", FORCED[name], "--against", agent, "--seed", "1"]
            read = lambda told: [n if len(told["events"]) == 3 else 0, told["events"]]
        else:
            Path(folder, "search.toml").write_text(EXPERIMENT.format(agent, game))
            command = ["tournament", f"{folder}/search.toml", "--out", f"{folder}/run", "--threads", "1"]
            read = lambda told: [told["entrants"][0]["search"][what] for what in ("iterations", "nodes", "mean_depth")]
        done = run(*VALGRIND, program, *command, "--json")
    counted = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode != 0 or not counted:
        said = [line for line in done.stderr.splitlines() if line and not re.match("==|--", line)]
        raise Failure(" ".join(said) or f"ended with code {done.returncode}")
    lines = done.stdout.splitlines()
    return [int(counted[1].replace(",", "")), len(lines), *read(json.loads(lines[-1]))]


def measure(program: str, row: str) -> dict:
    """The instructions of a row and a checksum of what it found, or why it failed."""
    try:
        little, much = count(program, row, False), count(program, row, True)
        if little[1] != much[1]:
            raise Failure("solvers look for best responses at other iterations by now")
        if not 0 < little[2] < much[2]:
            raise Failure("nothing was searched: has the first move no alternative?")
    except Failure as failure:
        return {"failed": str(failure)}
    except (LookupError, TypeError, ValueError) as error:
        return {"failed": f"an unexpected answer: {error!r}"}
    each = (much[0] - little[0]) / (much[2] - little[2])
    return {"instructions": round(each, 1), "found": zlib.crc32(repr(much[3:]).encode())}


def measure_all(program: str, only: str) -> dict[str, dict]:
    if not os.access(program, os.X_OK):
        raise Failure(f"there is no program {program}; `cargo build --release` makes target/release/fogtree")
    if not shutil.which("valgrind"):
        raise Failure("valgrind is not installed, and it does the counting")
    with tempfile.TemporaryDirectory() as folder:
        stripped = f"{folder}/fogtree"  # without debugging information valgrind starts twice as fast
        if not shutil.which("strip") or run("strip", "-o", stripped, program).returncode != 0:
            shutil.copy(program, stripped)
        counts = {}
        for row in [row for row in rows(stripped) if only in row]:
            print(f"{program}: {row}", file=sys.stderr)
            counts[row] = measure(stripped, row)
    if not counts:
        raise Failure(f"no row has {only!r} in its name")
    return counts


def compare(old: dict[str, dict] | None, new: dict[str, dict]) -> bool:
    """Prints the table and says whether all is well."""
    ratios, nothing = {}, {"failed": "no such row"}
    cell = lambda entry: f"{entry['instructions']:,.0f}" if "instructions" in entry else entry["failed"]
    print("| row | instructions |\n|---|---:|" if old is None else "| row | old | new | ratio |\n|---|---:|---:|---:|")
    for row in dict.fromkeys([*(old or {}), *new]):
        before, after, ratio = (old or {}).get(row, nothing), new.get(row, nothing), ""
        if "instructions" in before and "instructions" in after:
            ratios[row] = after["instructions"] / before["instructions"]
            ratio = f"{ratios[row]:.3f}" + ("" if before["found"] == after["found"] else " *")
        print(f"| {row} | {cell(after)} |" if old is None else f"| {row} | {cell(before)} | {cell(after)} | {ratio} |")
    well = not any("failed" in new.get(row, nothing) for row in [*(old or {}), *new])
    if ratios:
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        worst = sorted(ratios, key=ratios.get, reverse=True)[:5]
        told = ", ".join(f"{row} {ratios[row]:.3f}" for row in worst)
        print(f"\nmean ratio {mean:.4f} of {len(ratios)} rows; worst: {told}")
        well = well and mean <= WORST_MEAN and ratios[worst[0]] <= WORST_ROW
    return well


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", metavar="OLD_BINARY", help="the build to measure, or the older of two")
    parser.add_argument("new", metavar="NEW_BINARY", nargs="?", help="the newer build")
    parser.add_argument("--only", default="", metavar="SUBSTRING", help="only rows with this in their name")
    parser.add_argument("--json", metavar="FILE", help="save the counts of the (newer) build")
    parser.add_argument("--baseline", metavar="FILE", help="saved counts, in the place of an older build")
    options = parser.parse_args()
    if options.new and options.baseline:
        parser.error("--baseline takes the place of OLD_BINARY: give one binary")
    try:
        old = json.loads(Path(options.baseline).read_text()) if options.baseline else None
        new = measure_all(options.binary, options.only)
        if options.new:
            old, new = new, measure_all(options.new, options.only)
        if options.json:
            Path(options.json).write_text(json.dumps(new, indent=1) + "\n")
    except (Failure, OSError, ValueError) as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 2
    return 0 if compare(old and {row: old[row] for row in old if options.only in row}, new) else 1


if __name__ == "__main__":
    sys.exit(main())
