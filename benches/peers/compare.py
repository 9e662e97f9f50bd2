#!/usr/bin/env python3
"""Our speed beside OpenSpiel's, in one run, on one thread, per second of CPU time.

Every row is measured in rounds, OpenSpiel and our program taking turns, so that a busy machine slows both.
A round gives one ratio (ours / OpenSpiel); the row's ratio is their median. Exit code: 0 when every target
is met, 1 when one is missed or our program fails, 2 on bad usage.

A new row is one line in ROWS; a new way to measure is one function under @kind.
"""

import argparse
import importlib.metadata
import json
import random
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ours

try:
    import pyspiel
except ImportError:
    sys.exit("open_spiel is not installed for this Python: start this script with `benches/peers/run`")

Work = Callable[[int], object]                  # one call, from a seed; `batch` units of work
KINDS: dict[str, Callable[[pyspiel.Game, pyspiel.State, int], Work]] = {}


def kind(name: str) -> Callable:
    """Registers a function that prepares the work of one kind: (game, root, units per call) -> call."""
    return lambda prepare: KINDS.setdefault(name, prepare)


@kind("playouts")
def playouts(game: pyspiel.Game, root: pyspiel.State, batch: int) -> Work:
    """Uniform random playouts. The evaluator cannot be called from Python, but a search of one simulation
    evaluates the root by `batch` playouts: one call into C++ and nothing else."""
    return lambda seed: search(game, rollouts=batch, simulations=1, seed=seed).step(root)


@kind("moves")
def moves(game: pyspiel.Game, root: pyspiel.State, batch: int) -> Work:
    """The same, counted in moves: `batch` is the number of moves, the playouts are as many as make them on the
    average of a thousand random games."""
    deal, length = random.Random(7), 0
    for _ in range(1000):
        state = root.clone()
        while not state.is_terminal():
            state.apply_action(deal.choice(state.legal_actions()))
            length += 1
    playouts = max(1, round(batch * 1000 / length))
    batch_of = lambda seed: search(game, rollouts=playouts, simulations=1, seed=seed).step(root)
    return batch_of


@kind("mcts")
def mcts(game: pyspiel.Game, root: pyspiel.State, batch: int) -> Work:
    """UCT from an empty tree, one playout per simulation."""
    return lambda seed: search(game, rollouts=1, simulations=batch, seed=seed).step(root)


@kind("ismcts")
def ismcts(game: pyspiel.Game, root: pyspiel.State, batch: int) -> Work:
    """Information-set MCTS from an empty tree, a new determinization and one playout per simulation."""
    def call(seed: int) -> object:
        return pyspiel.ISMCTSBot(
            seed, pyspiel.RandomRolloutEvaluator(1, seed), 1.4, batch, -1,
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False,
        ).step(root)
    return call


@kind("cfr")
def cfr(game: pyspiel.Game, root: pyspiel.State, batch: int) -> Work:
    """Iterations of vanilla CFR, each updating every player; the solver is kept from call to call."""
    solver = pyspiel.CFRSolver(game)
    return lambda seed: [solver.evaluate_and_update_policy() for _ in range(batch)]


@kind("cfr+")
def cfr_plus(game: pyspiel.Game, root: pyspiel.State, batch: int) -> Work:
    """Iterations of CFR+."""
    solver = pyspiel.CFRPlusSolver(game)
    return lambda seed: [solver.evaluate_and_update_policy() for _ in range(batch)]


@kind("es-mccfr")
def es_mccfr(game: pyspiel.Game, root: pyspiel.State, batch: int) -> Work:
    """Iterations of external sampling, each one traversal per player."""
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 1, pyspiel.MCCFRAverageType.SIMPLE)
    return lambda seed: [solver.run_iteration() for _ in range(batch)]


def search(game: pyspiel.Game, rollouts: int, simulations: int, seed: int) -> pyspiel.MCTSBot:
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    return pyspiel.MCTSBot(game, evaluator, uct_c=1.4, max_simulations=simulations, max_memory_mb=2000,
                           solve=False, seed=seed, verbose=False)


@dataclass(frozen=True)
class Row:
    kind: str       # how the peer is measured: a key of KINDS
    game: str       # the peer's specification of the game
    batch: int      # units of work per call; for searches the simulations from an empty tree
    ours: str       # the name of our measurement: `fogtree bench OURS --json`
    target: float   # the least ratio ours / peer
    recorded: float | None = None   # the peer's figure, where its Python package cannot make it, see YARDSTICK

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.game}"


# OpenSpiel's ISMCTSBot resamples only games that know how; its C++ takes a resampler from the caller, its Python
# does not. Rows with a recorded figure were measured in C++ with a plain clone as the resampler, where the
# yardstick row made this many per second; they are scaled by what it makes now.
YARDSTICK = Row("ismcts", "leduc_poker", 10_000, "so-ismcts/leduc-poker", 8), 511_000
GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(imp_info=true,num_cards=5,points_order=descending))"

ROWS = [
    Row("playouts", "connect_four", 20_000, "playouts/connect-four", 10),
    Row("playouts", "othello", 1_000, "playouts/othello", 50),
    Row("mcts", "connect_four", 10_000, "uct/connect-four", 10),
    Row("mcts", "othello", 10_000, "uct/othello", 50),
    Row("ismcts", "leduc_poker", 10_000, "so-ismcts/leduc-poker", 8),
    Row("ismcts", "leduc_poker", 10_000, "mo-ismcts/leduc-poker", 8),
    Row("ismcts", "phantom_ttt", 10_000, "so-ismcts/phantom-mnk", 7, recorded=197_000),
    Row("ismcts", "phantom_ttt", 10_000, "mo-ismcts/phantom-mnk", 7, recorded=197_000),
    Row("ismcts", "goofspiel", 10_000, "so-ismcts/goofspiel-hidden", 10, recorded=51_000),
    Row("ismcts", "goofspiel", 10_000, "mo-ismcts/goofspiel-hidden", 10, recorded=51_000),
    Row("ismcts", "hearts(pass_cards=false)", 2_000, "so-ismcts/hearts-round", 10),
    Row("ismcts", "hearts(pass_cards=false)", 2_000, "mo-ismcts/hearts-round", 10),
    Row("ismcts", "oh_hell(players=3,num_tricks_fixed=5)", 2_000, "so-ismcts/oh-hell", 10),
    Row("ismcts", "oh_hell(players=3,num_tricks_fixed=5)", 2_000, "mo-ismcts/oh-hell", 10),
    Row("playouts", "checkers", 1_000, "playouts/checkers", 20),
    Row("playouts", "backgammon", 200, "playouts/backgammon", 20),
    Row("playouts", "hearts(pass_cards=false)", 5_000, "playouts/hearts-round", 5),
    Row("playouts", "spades", 5_000, "playouts/spades-round", 5),
    Row("moves", "dou_dizhu", 5_000, "moves/dou-di-zhu", 3),
    Row("cfr", "leduc_poker", 5, "cfr/leduc-poker", 50),
    Row("cfr+", "leduc_poker", 5, "cfr+/leduc-poker", 50),
    Row("cfr", "liars_dice", 1, "cfr/liars-dice", 50),
    Row("cfr+", "liars_dice", 1, "cfr+/liars-dice", 50),
    Row("cfr", GOOFSPIEL, 2, "cfr/goofspiel-5", 50),
    Row("cfr+", GOOFSPIEL, 2, "cfr+/goofspiel-5", 50),
    Row("es-mccfr", "leduc_poker", 1_000, "es-mccfr/leduc-poker", 10),
    Row("es-mccfr", "liars_dice", 300, "es-mccfr/liars-dice", 10),
]


def first_decision(game: pyspiel.Game) -> pyspiel.State:
    """The first state with a choice to make: the initial one, or after one fixed deal and forced moves."""
    state, deal = game.new_initial_state(), random.Random(1)
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        state.apply_action(deal.choice(state.legal_actions()))
    return state


def measure_peer(row: Row, seconds: float, seed: int) -> float:
    """Units per CPU second of this process, over at least `seconds`."""
    if row.recorded is not None:
        yardstick, then = YARDSTICK
        return row.recorded * measure_peer(yardstick, seconds, seed) / then
    game = pyspiel.load_game(row.game)
    work = KINDS[row.kind](game, first_decision(game), row.batch)
    calls, start = 0, time.process_time()
    while (used := time.process_time() - start) < seconds:
        work(1_000_000 * seed + calls)
        calls += 1
    return calls * row.batch / used


def measure_ours(row: Row, program: Path) -> float:
    """Our figure per CPU second. The reported one is per second of wall time on one thread; the share of the
    wall time for which the process had the CPU turns one into the other."""
    wall, cpu = time.perf_counter(), children_seconds()
    lines = ours.call(program, "bench", row.ours, "--json").splitlines()
    wall, cpu = time.perf_counter() - wall, children_seconds() - cpu
    if cpu > 1.1 * wall:
        raise ours.Failure(f"`fogtree bench {row.ours}` used {cpu / wall:.1f} threads; it must use one")
    try:
        values = [float(record["value"]) for record in map(json.loads, lines) if record["what"] == row.ours]
    except (ValueError, TypeError, KeyError) as error:
        raise ours.Failure(f"`fogtree bench {row.ours} --json` printed something else than"
                           f" objects with `what` and `value`: {error}") from error
    if len(values) != 1 or not values[0] > 0:
        raise ours.Failure(f"`fogtree bench {row.ours} --json` gave {values} instead of one positive value")
    return values[0] * max(1.0, wall / cpu)


def children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compare(row: Row, rounds: int, seconds: float, program: Path) -> dict:
    pairs = [(measure_peer(row, seconds, seed), measure_ours(row, program)) for seed in range(rounds)]
    ratios = [mine / theirs for theirs, mine in pairs]
    ratio = statistics.median(ratios)
    return {
        "what": row.name, "ours_what": row.ours,
        "peer": statistics.median(theirs for theirs, _ in pairs),
        "ours": statistics.median(mine for _, mine in pairs), "unit": "1/s of CPU time",
        "ratio": ratio, "low": min(ratios), "high": max(ratios), "rounds": rounds,
        "target": row.target, "met": ratio >= row.target,
    }


def table_line(*cells: str) -> str:
    return "{:<24} {:>10} {:>10}  {:<26} {:>7}  {}".format(*cells).rstrip()


def short(value: float) -> str:
    """1234567 -> '1.23 M'."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}"
    return f"{value:.3g}"


def times(ratio: float) -> str:
    return f"{ratio:.0f}x" if ratio >= 100 else f"{ratio:.3g}x"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="measurements of each side (5)")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="CPU time of OpenSpiel's (1)")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose name matches, ours or theirs")
    parser.add_argument("--json", action="store_true", help="one JSON object per row")
    parser.add_argument("--program", type=Path, default=ours.default_program(), help="our program")
    args = parser.parse_args()
    if args.rounds < 1 or not args.seconds > 0:
        parser.error("--rounds and --seconds must be positive")
    try:
        args.rows = [row for row in ROWS if re.search(args.only, row.name) or re.search(args.only, row.ours)]
    except re.error as error:
        parser.error(f"--only is not a regular expression: {error}")
    if not args.rows:
        parser.error(f"--only {args.only} matches none of: " + ", ".join(row.name for row in ROWS))
    return args


def main() -> int:
    args = arguments()
    version = importlib.metadata.version("open_spiel")
    try:
        ours.call(args.program, "--version")    # is it there? and nothing of it is read from disk while timed
        if not args.json:
            print(f"OpenSpiel {version} and fogtree, one thread, per CPU second; rounds: {args.rounds}")
            print(table_line("measurement", "OpenSpiel", "fogtree", "median ratio (range)", "target", "met"))
        missed = 0
        for row in args.rows:
            result = compare(row, args.rounds, args.seconds, args.program)
            missed += not result["met"]
            if args.json:
                print(json.dumps({**result, "peer_version": version}), flush=True)
            else:
                spread = f"{times(result['ratio'])} ({times(result['low'])} to {times(result['high'])})"
                print(table_line(row.name, short(result["peer"]), short(result["ours"]), spread,
                                 times(row.target), "yes" if result["met"] else "NO"), flush=True)
    except ours.Failure as failure:
        print(f"compare: {failure}", file=sys.stderr)
        return 1
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
