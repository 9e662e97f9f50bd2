#!/usr/bin/env python3
"""Our regret minimisers against OpenSpiel's, iteration by iteration.

CFR and CFR+ draw nothing, so after the same number of iterations the average strategies must have the same
NashConv and earn the first player the same, up to rounding. OpenSpiel's C++ `CFRSolver` and `CFRPlusSolver`
run in this process; our program prints its curve (`fogtree solve GAME --with SOLVER --json`).

An iteration is one update of every player, in turn, each against the newest strategies of the others; regrets
count when the whole tree has been walked. `cfr` averages plainly, `cfr+` keeps regrets from falling below 0
and counts iteration t of the average t times.

Games with simultaneous moves are turned into games with turns by OpenSpiel's own wrapper.

Exit code: 0 when all agree, 1 at a difference or when our program fails, 2 on bad usage.
"""

import argparse
import json
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import ours

try:
    import pyspiel
except ImportError:
    sys.exit("open_spiel is not installed for this Python; `benches/peers/prepare` makes .venv/bin/python")

HIDDEN_BIDS = "goofspiel(imp_info=true,num_cards=4,points_order=descending)"
SOLVERS = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}
CHECKPOINTS = (1, 2, 3, 6, 10)      # the last is where our program stops; the others are on its curve
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Pair:
    ours: str
    peer: str


PAIRS = [
    Pair("kuhn-poker", "kuhn_poker"),
    Pair("leduc-poker", "leduc_poker"),
    Pair("liars-dice(faces=4)", "liars_dice(dice_sides=4)"),
    Pair("goofspiel(cards=4,bids=hidden,lowest=1,last=automatic)",
         f"turn_based_simultaneous_game(game={HIDDEN_BIDS})"),
]


def curve(pair: Pair, solver: str, program: Path) -> dict[int, tuple[float, float]]:
    """NashConv and value of our average strategies by iterations."""
    printed = ours.call(program, "solve", pair.ours, "--with", solver,
                        "--iterations", str(CHECKPOINTS[-1]), "--json")
    try:
        lines = [json.loads(line) for line in printed.splitlines()]
        return {line["iterations"]: (line["nash_conv"], line["value"]) for line in lines}
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ours.Failure(f"`fogtree solve` answered in another form ({error!r})") from error


def differences(pair: Pair, solver: str, program: Path) -> list[str]:
    """What is not alike, one line each."""
    mine = curve(pair, solver, program)
    game = pyspiel.load_game(pair.peer)
    theirs = SOLVERS[solver](game)
    found = []
    for iteration in range(1, CHECKPOINTS[-1] + 1):
        theirs.evaluate_and_update_policy()
        if iteration not in CHECKPOINTS:
            continue
        policy = theirs.average_policy()
        value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)[0]
        expected = (pyspiel.nash_conv(game, policy), value)
        for what, a, b in zip(("NashConv", "value"), expected, mine.get(iteration, (math.nan, math.nan))):
            if not math.isclose(a, b, rel_tol=0, abs_tol=TOLERANCE):
                found.append(f"{what} after {iteration} iterations: OpenSpiel {a!r}, fogtree {b!r}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="REGEX", help="games whose name matches, ours or theirs")
    parser.add_argument("--program", type=Path, default=ours.default_program(), help="our program")
    args = parser.parse_args()
    try:
        pairs = [pair for pair in PAIRS if re.search(args.only, pair.ours) or re.search(args.only, pair.peer)]
    except re.error as error:
        parser.error(f"--only is not a regular expression: {error}")
    if not pairs:
        parser.error(f"--only {args.only} matches none of: " + ", ".join(pair.ours for pair in PAIRS))

    failed = False
    for pair in pairs:
        for solver in SOLVERS:
            try:
                found = differences(pair, solver, args.program)
            except ours.Failure as failure:
                print(f"solvers: {failure}", file=sys.stderr)
                return 1
            print(f"{pair.ours} with {solver}: " + ("; ".join(["DIFFERENT", *found]) if found else "ok"), flush=True)
            failed |= bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
