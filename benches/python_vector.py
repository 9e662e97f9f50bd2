"""Steps per second of many games at once: `fogtree.vector` beside other ways to step games from Python.

    python benches/python_vector.py [--seconds 1] [--games leduc-poker hearts-round]

A step is one decision of one player: a random legal move is drawn and made, chance draws, and what the next player
observes and may do is written as arrays. All are measured in one run, in turns, on one thread; the best of three
turns counts. Needs open_spiel, and pettingzoo with rlcard for its Leduc poker; what is missing is left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np

import fogtree as ft

OPENSPIEL = {"leduc-poker": "leduc_poker", "hearts-round": "hearts"}
RANDOM = np.random.default_rng(1)


def vector(game: str, count: int, native: bool) -> Iterator[int]:
    """`fogtree.vector`, whose random moves are drawn by itself or from the mask by NumPy."""
    tables = ft.vector(ft.game(game), count, seed=1, serial=True)
    while True:
        if native:
            moves = tables.random_moves()
        else:
            moves = (RANDOM.random(tables.legal_mask.shape, np.float32) * tables.legal_mask).argmax(1)
        tables.step(moves)
        yield count


def table(game: str) -> Iterator[int]:
    """A loop over `fogtree.Table`."""
    made = ft.game(game)
    while True:
        at = made.table(seed=int(RANDOM.integers(2**63)))
        while not at.is_over:
            moves = []
            for player in at.to_move:
                info = at.infoset(player)
                mask = np.zeros(made.num_moves or 0, np.int8)
                mask[info.legal_numbers] = 1
                info.tensor()
                moves.append(int(RANDOM.choice(np.flatnonzero(mask))))
            at.play(*moves)
            yield len(moves)


def aec(env: object) -> Iterator[int]:
    """An environment of PettingZoo."""
    while True:
        env.reset(seed=int(RANDOM.integers(2**31)))  # type: ignore[attr-defined]
        for _ in env.agent_iter():  # type: ignore[attr-defined]
            seen, _, terminated, truncated, _ = env.last()  # type: ignore[attr-defined]
            over = terminated or truncated
            env.step(None if over else int(RANDOM.choice(np.flatnonzero(seen["action_mask"]))))  # type: ignore[attr-defined]
            yield int(not over)


def openspiel_states(game: str) -> Iterator[int]:
    """OpenSpiel's states."""
    import pyspiel

    made = pyspiel.load_game(OPENSPIEL[game])
    while True:
        state = made.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(int(RANDOM.choice(outcomes, p=chances)))
                continue
            mask = np.asarray(state.legal_actions_mask(), np.int8)
            np.asarray(state.information_state_tensor(), np.float32)
            state.apply_action(int(RANDOM.choice(np.flatnonzero(mask))))
            yield 1


def openspiel_environment(game: str) -> Iterator[int]:
    """OpenSpiel's environment for learning."""
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(OPENSPIEL[game])
    while True:
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([int(RANDOM.choice(step.observations["legal_actions"][player]))])
            yield 1


def openspiel_vector(game: str, count: int) -> Iterator[int]:
    """OpenSpiel's vector of environments."""
    from open_spiel.python import rl_environment
    from open_spiel.python.vector_env import SyncVectorEnv

    class Output:
        def __init__(self, action: int) -> None:
            self.action = action

    envs = SyncVectorEnv([rl_environment.Environment(OPENSPIEL[game]) for _ in range(count)])
    steps = envs.reset()
    while True:
        legal = [s.observations["legal_actions"][s.observations["current_player"]] for s in steps]
        steps, _, _, _ = envs.step([Output(int(RANDOM.choice(moves))) for moves in legal], reset_if_done=True)
        yield count


def ways(game: str) -> dict[str, Callable[[], Iterator[int]]]:
    """The ways to step a game, by name."""

    def theirs() -> Iterator[int]:
        from pettingzoo.classic import leduc_holdem_v4

        return aec(leduc_holdem_v4.env())

    found = {
        "OpenSpiel, states in a loop": lambda: openspiel_states(game),
        "OpenSpiel, rl_environment": lambda: openspiel_environment(game),
        "OpenSpiel, SyncVectorEnv, 64": lambda: openspiel_vector(game, 64),
        "fogtree.vector, 64 tables": lambda: vector(game, 64, native=True),
        "fogtree.vector, 1024 tables": lambda: vector(game, 1024, native=True),
        "the same, moves drawn by NumPy": lambda: vector(game, 1024, native=False),
        "fogtree.Table in a loop": lambda: table(game),
        "fogtree.pettingzoo.AEC": lambda: aec(ft.pettingzoo.AEC(game)),
        "fogtree.pettingzoo.aec_env": lambda: aec(ft.pettingzoo.aec_env(game)),
    }
    if game == "leduc-poker":
        found["PettingZoo's leduc_holdem_v4"] = theirs
    return found


def speed(steps: Iterator[int], seconds: float) -> float:
    """Steps per second."""
    for _ in range(3):
        next(steps)
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        done += next(steps)
    return done / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each turn")
    parser.add_argument("--games", nargs="+", default=list(OPENSPIEL), choices=list(OPENSPIEL))
    given = parser.parse_args()
    for game in given.games:
        running: dict[str, Iterator[int]] = {}
        for name, start in ways(game).items():
            try:
                running[name] = start()
                next(running[name])
            except Exception as why:  # of other packages, which may raise anything where something is missing
                running.pop(name, None)
                print(f"left out: {name}: {str(why).splitlines()[0]}")
        best = dict.fromkeys(running, 0.0)
        for _ in range(3):
            for name, steps in running.items():
                best[name] = max(best[name], speed(steps, given.seconds))
        base = best.get("OpenSpiel, states in a loop")
        print(f"\n{game:32} {'steps/s':>12}  times OpenSpiel's loop")
        for name, rate in best.items():
            print(f"{name:32} {rate:12,.0f}  {f'{rate / base:8.2f}' if base else ''}")


if __name__ == "__main__":
    main()
