"""Games with hidden information and uncertainty: play, search, solve and study them.

>>> import fogtree as ft
>>> game = ft.game("leduc-poker")
>>> table = game.table(seed=1)                                  # the table holds the truth
>>> info = table.infoset(0)                                     # what player 0 knows, and no more
>>> decision = ft.agent("mo-ismcts(iterations=1000)", game).act(info)
>>> table.play(decision.move).to_move
(1,)
"""

from __future__ import annotations

import atexit as _atexit
import importlib as _importlib
from typing import Any as _Any

from . import _fogtree
from ._fogtree import (
    Agent as NativeAgent,
    Decision,
    Exploitability,
    Game,
    InfoSet,
    InputError,
    RunError,
    Scene,
    SearchTree,
    Solution,
    Strategy,
    Table,
    Vector,
    World,
    __version__,
    about,
    agent,
    agents,
    game,
    games,
    solvers,
    vector,
)
from ._games import CHANCE, TERMINAL, CheckError, PythonGame, check
from ._lab import Experiment, MatchResult, experiment, match
from ._play import play
from ._solve import exploit, infosets, solve, strategy

__all__ = [
    "CHANCE",
    "CheckError",
    "Decision",
    "Experiment",
    "Exploitability",
    "Game",
    "InfoSet",
    "InputError",
    "MatchResult",
    "NativeAgent",
    "PythonGame",
    "RunError",
    "Scene",
    "SearchTree",
    "Solution",
    "Strategy",
    "TERMINAL",
    "Table",
    "Vector",
    "World",
    "__version__",
    "about",
    "agent",
    "agents",
    "check",
    "experiment",
    "exploit",
    "game",
    "games",
    "infosets",
    "match",
    "play",
    "solve",
    "solvers",
    "strategy",
    "vector",
]

_atexit.register(_fogtree._shut_down)


def __getattr__(name: str) -> _Any:
    """Modules for other packages, imported when they are first asked for."""
    if name in ("gambit", "gymnasium", "openspiel", "pettingzoo"):
        return _importlib.import_module(f"fogtree.{name}")
    raise AttributeError(f"module 'fogtree' has no attribute '{name}'")
