"""Solvers, strategies and exploitability."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np

from . import _fogtree
from ._agents import Agent, policy
from ._fogtree import Exploitability, Game, InfoSet, Solution, Strategy

Policy = Callable[[InfoSet], "Sequence[float] | np.ndarray[Any, Any]"]
"""Says how likely each legal move of an information set is."""


def solve(
    game: Game,
    solver: str = "cfr+",
    *,
    iterations: int | None = None,
    time: float | None = None,
    target: float | None = None,
    nodes: int | None = None,
    seed: int = 1,
    progress: Callable[[dict[str, Any]], object] | None = None,
) -> Solution:
    """Solves a whole game, until so many iterations, seconds, or an exploitability of at most `target`.

    >>> import fogtree as ft
    >>> solution = ft.solve(ft.game("kuhn-poker"), "cfr+", iterations=1000)
    >>> round(solution.value, 3)  # Kuhn (1950): -1/18
    -0.056
    """
    if iterations is None and time is None and target is None:
        iterations = 1000
    return _fogtree._solve(game, solver, iterations, time, target, nodes, seed, progress)


def infosets(game: Game, *, nodes: int = 1_000_000) -> list[InfoSet]:
    """Every information set of a game in which somebody decides, if its tree has at most so many nodes.

    >>> import fogtree as ft
    >>> len(ft.infosets(ft.game("kuhn-poker")))
    12
    """
    return _fogtree._infosets(game, nodes)


def strategy(
    game: Game, source: str | os.PathLike[str] | Policy, *, nodes: int = 1_000_000
) -> Strategy:
    """Strategies of all players: from a file, or from a function that says how likely each legal move is.

    >>> import fogtree as ft
    >>> uniform = ft.strategy(ft.game("kuhn-poker"), lambda info: [1 / len(info.legal)] * len(info.legal))
    >>> len(uniform)
    12
    """
    if callable(source):
        rows = [(info, [float(p) for p in source(info)]) for info in infosets(game, nodes=nodes)]
        return _fogtree._strategy(game, rows)
    return _fogtree._strategy(game, os.fspath(source))


def exploit(
    game: Game,
    who: Union[str, Strategy, Solution, Policy, Agent, type[Agent]],
    *,
    samples: int = 10,
    count: bool = False,
    seed: int = 1,
    nodes: int = 1_000_000,
) -> Exploitability:
    """What best responses gain against an agent, strategies, or a function of information sets.

    An agent is asked in every information set. Where it says from which probabilities it draws its move, these count,
    the mean over `samples` searches; otherwise, or with `count`, how often it makes each move in `samples` answers stands
    for how likely it is, which overstates how exploitable an agent is that mixes. `strategy` of the result says which.
    One in Python that returns probabilities is asked once and taken at its word.

    >>> import fogtree as ft
    >>> game = ft.game("kuhn-poker")
    >>> ft.exploit(game, ft.solve(game, iterations=1000)).exploitability < 0.001
    True
    >>> ft.exploit(ft.game("rock-paper-scissors"), "random").exploitability
    0.0
    >>> round(ft.exploit(game, lambda info: [0.5, 0.5]).exploitability, 4)
    0.4583
    """
    if isinstance(who, Solution):
        who = who.strategy
    elif isinstance(who, Agent) or isinstance(who, type):
        who = strategy(game, policy(who, game, samples, seed), nodes=nodes)
    elif callable(who):
        who = strategy(game, who, nodes=nodes)
    return _fogtree._exploit(game, who, samples, count, seed, nodes)
