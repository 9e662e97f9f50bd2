"""How fast games written in Python are: python benches/python_games.py, with the package installed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import fogtree as ft

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "crates" / "python" / "tests"), str(ROOT / "examples" / "python")]


def seconds(call: Callable[[], object], times: int) -> float:
    """The least time of five runs, for one call."""
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, (time.perf_counter() - began) / times)
    return best


def iteration(game: ft.Game, iterations: int) -> float:
    agent, info = ft.agent(f"mo-ismcts(iterations={iterations})", game, seed=1), game.table(seed=1).infoset(0)
    return seconds(lambda: agent.act(info), 1) / iterations


def main() -> None:
    from knockout_whist import KnockoutWhist
    from test_games import Kuhn

    whist = ft.game(KnockoutWhist)
    world = whist.table(seed=1).infoset(0).sample(1, seed=1)[0]
    kuhn, own, ours = Kuhn(), ft.game(Kuhn), ft.game("kuhn-poker")
    state = ("J", "Q", "check")

    def step() -> None:
        kuhn.turn(state), kuhn.actions(state, 1), kuhn.observe(state, "bet", 0), kuhn.observe(state, "bet", 1)
        kuhn.apply(state, "bet")

    table = own.table(moves="J Q", chance="manual")
    forked, played = seconds(table.fork, 2000), seconds(lambda: table.fork().play("check"), 2000)
    rows = [
        ("Knockout Whist, random playouts", 1 / seconds(lambda: world.playout(1), 20), "a second"),
        ("Knockout Whist, mo-ismcts", 1 / iteration(whist, 100), "iterations a second"),
        ("Kuhn poker, mo-ismcts", 1e6 * iteration(own, 2000), "us an iteration"),
        ("the same game in Rust", 1e6 * iteration(ours, 2000), "us an iteration"),
        ("Kuhn poker, the five methods of one step", 1e6 * seconds(step, 2000), "us in Python alone"),
        ("Kuhn poker, one step of a table", 1e6 * (played - forked), "us"),
    ]
    for what, number, unit in rows:
        print(f"{what:42} {number:10.1f} {unit}")


if __name__ == "__main__":
    main()
