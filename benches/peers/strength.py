#!/usr/bin/env python3
"""An agent of ours against a search of OpenSpiel, at equal CPU time a move, on a game that both have.

Every deal is played once for each seat: our agent sits there, OpenSpiel's in all others. Both sides get as
many iterations as take `--ms` of CPU time a move. Figures are over deals, so that luck of the deal cancels;
intervals are 95 %, by the normal approximation.
"""

import argparse
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

try:
    import pyspiel

    import fogtree as ft
except ImportError as error:
    sys.exit(f"{error}; `crates/python/check prepare` makes crates/python/.venv/bin/python, which has all")


@dataclass
class Pace:
    """How many iterations a move gets, so that moves take a given CPU time in the mean."""

    seconds: float
    moves: list[tuple[int, float]] = field(default_factory=list)

    def spend(self, search: Callable[[int], int]) -> int:
        """A move by a search of so many iterations."""
        recent = self.moves[-50:]
        count, used = sum(n for n, _ in recent), sum(t for _, t in recent)
        owed = (len(recent) + 1) * self.seconds - used      # evens out what recent moves took too much
        allowed = min(max(owed, self.seconds / 4), 4 * self.seconds)
        iterations = round(count / used * allowed) if used > 0 else 100
        began = time.process_time()
        move = search(max(1, iterations))
        self.moves.append((max(1, iterations), time.process_time() - began))
        return move

    def summary(self) -> dict[str, float]:
        """Means over all moves but the first, in which the pace was not known."""
        moves = self.moves[20:] or self.moves
        iterations, seconds = map(statistics.fmean, zip(*moves))
        return {"iterations": iterations, "ms": 1000 * seconds}


Search = Callable[[pyspiel.State, int, int], int]       # of a state, the iterations and a seed


def ismcts(game: pyspiel.Game, c: float) -> Search:
    """OpenSpiel's ISMCTSBot: one playout a simulation, the most visited action is played."""
    most_visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return lambda state, count, seed: pyspiel.ISMCTSBot(
        seed, pyspiel.RandomRolloutEvaluator(1, seed), c, count, -1, most_visits, False, False
    ).step(state)


def mcts(game: pyspiel.Game, c: float) -> Search:
    """OpenSpiel's MCTSBot: UCT, one playout a simulation, without the solver."""
    return lambda state, count, seed: pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, seed), uct_c=c, max_simulations=count, max_memory_mb=2000,
        solve=False, seed=seed, verbose=False,
    ).step(state)


PEERS = {"ismcts": ismcts, "mcts": mcts}


def play(game: pyspiel.Game, deal: int, choose: Callable[[pyspiel.State], int]) -> list[float]:
    """One game; what chance draws follows from the deal's number."""
    state, chance = game.new_initial_state(), random.Random(deal)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = [(a, p) for a, p in state.chance_outcomes() if a in state.legal_actions()]
            state.apply_action(chance.choices(*zip(*outcomes))[0])
        else:
            state.apply_action(choose(state))
    return list(state.returns())


def match(args: argparse.Namespace) -> dict:
    game = pyspiel.load_game(args.game)
    if game.get_type().dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ft.InputError(f"{args.game}: OpenSpiel's searches know no simultaneous moves")
    players = game.num_players()
    c = 0.7 * (game.max_utility() - game.min_utility()) if args.c is None else args.c
    peer, ours, theirs = PEERS[args.peer](game, c), Pace(args.ms / 1000), Pace(args.ms / 1000)
    seeds = random.Random(args.seed)
    bots = [ft.openspiel.bot(args.agent, game, seat, seed=args.seed + seat) for seat in range(players)]

    def choose(state: pyspiel.State, seat: int) -> int:
        legal, bot = state.legal_actions(), bots[seat]
        if len(legal) == 1:
            return legal[0]
        if state.current_player() != seat:
            return theirs.spend(lambda count: peer(state, count, seeds.getrandbits(31)))

        def search(count: int) -> int:
            bot.iterations = count
            return bot.step(state)

        return ours.spend(search)

    mine, gains, points = [], [], []        # by deal: our reward, how much above others', wins
    for deal in range(math.ceil(args.games / players)):
        results = []
        for seat in range(players):
            bots[seat].restart()
            returns = play(game, args.seed * 1_000_003 + deal, lambda state: choose(state, seat))
            results.append((returns.pop(seat), returns))
        mine.append(statistics.fmean(own for own, _ in results))
        gains.append(statistics.fmean(own - statistics.fmean(rest) for own, rest in results))
        points.append(statistics.fmean((own > max(rest)) + (own == max(rest)) / 2 for own, rest in results))
    return {
        "game": args.game, "agent": args.agent, "peer": args.peer, "c": c, "games": players * len(mine),
        "reward": interval(mine), "gain": interval(gains), "points": interval(points),
        "agent_cost": ours.summary(), "peer_cost": theirs.summary(), "seed": args.seed,
    }


def interval(values: list[float]) -> dict[str, float]:
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return {"mean": statistics.fmean(values), "margin": 1.96 * error}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="leduc_poker", help="a game that both have (leduc_poker)")
    parser.add_argument("--agent", default="mo-ismcts", help="our agent (mo-ismcts)")
    parser.add_argument("--peer", choices=PEERS, default="ismcts", help="OpenSpiel's search (ismcts)")
    parser.add_argument("--c", type=float, help="its exploration constant (0.7 of the range of rewards)")
    parser.add_argument("--ms", type=float, default=10, help="CPU time of a move (10)")
    parser.add_argument("--games", type=int, default=1000, help="games, whole rotations of the seats (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of deals and searches (1)")
    parser.add_argument("--json", action="store_true", help="print one object")
    args = parser.parse_args()
    if args.games < 1 or not 0 < args.ms < math.inf:
        parser.error("--games and --ms must be positive")
    return args


def main() -> int:
    args = arguments()
    try:
        found = match(args)
    except (ft.InputError, pyspiel.SpielError) as error:
        print(f"strength: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(found))
        return 0
    side = lambda cost: f"{cost['ms']:.2f} ms and {cost['iterations']:.0f} iterations a move"
    print(f"{found['game']}: {found['games']} games")
    print(f"  {found['agent']}, {side(found['agent_cost'])}")
    print(f"  OpenSpiel's {found['peer']} with c = {found['c']:g}, {side(found['peer_cost'])}")
    for what, percent in (("reward", 1), ("gain", 1), ("points", 100)):
        print(f"  {what:<6} {percent * found[what]['mean']:8.3f} ± {percent * found[what]['margin']:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
