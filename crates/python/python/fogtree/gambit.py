"""Small games to and from Gambit.

>>> import fogtree as ft
>>> import pygambit
>>> kuhn = ft.gambit.to_gambit(ft.game("kuhn-poker"))
>>> equilibrium = pygambit.nash.lcp_solve(kuhn).equilibria[0]
>>> equilibrium.payoff(kuhn.players["first"])
Rational(-1, 18)
>>> round(ft.solve(ft.gambit.from_gambit(kuhn), "sequence-lp").value, 6)
-0.055556
"""

from __future__ import annotations

import functools
import hashlib
import io
import itertools
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import _fogtree
from ._fogtree import Game, InputError, Solution, Strategy

try:
    import pygambit
except ImportError as error:
    raise ImportError("fogtree.gambit needs Gambit: pip install pygambit") from error

MOST_NODES = 1_000_000


def to_gambit(game: Game, *, nodes: int = MOST_NODES) -> Any:
    """The `pygambit.Game` of a game of at most so many nodes; information sets are labelled by what is known.

    >>> import fogtree as ft
    >>> [player.label for player in ft.gambit.to_gambit(ft.game("matching-pennies")).players]
    ['row', 'column']
    """
    return pygambit.read_efg(io.StringIO(game.to_efg(nodes=nodes)))


def from_gambit(game: Any) -> Game:
    """The game of a `pygambit.Game` with perfect recall: a `tree` whose information sets keep their labels.

    Blanks in names of moves and players become `_`. In a game in strategic form the players choose one after
    the other, none knowing what was chosen before. The game's file lasts as long as this process.

    >>> import fogtree as ft
    >>> import pygambit
    >>> dilemma = pygambit.Game.from_arrays([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    >>> solution = ft.solve(ft.gambit.from_gambit(dilemma), "cfr+", iterations=1000)
    >>> [round(value, 2) for value in solution.values.tolist()]
    [1.0, 1.0]
    """
    if not isinstance(game, pygambit.Game):
        raise InputError(f"expected a pygambit.Game, not {type(game).__name__}")
    text = game.to_efg() if game.is_tree else _strategic(game)
    file = Path(_directory().name) / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.efg"
    file.write_text(text, encoding="utf-8")
    return _fogtree.game(f"tree(file={file})")


def _strategic(game: Any) -> str:
    """A game in strategic form as a tree: the players in order, each with one information set."""
    strategies = [_listed(strategy.label for strategy in player.strategies) for player in game.players]
    lines = [f"EFG 2 R {_quoted(game.title)} {_listed(player.label for player in game.players)}", '""']
    before: tuple[int, ...] = ()
    for number, profile in enumerate(itertools.product(*(range(len(p.strategies)) for p in game.players)), 1):
        shared = next((i for i, (a, b) in enumerate(zip(before, profile)) if a != b), -1)
        for at in range(shared + 1, len(strategies)):
            lines.append(f'p "" {at + 1} 1 "" {strategies[at]} 0')
        payoffs = " ".join(str(game[profile][player]) for player in game.players)
        lines.append(f't "" {number} "" {{ {payoffs} }}')
        before = profile
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _listed(labels: Iterable[str]) -> str:
    return "{ " + " ".join(map(_quoted, labels)) + " }"


def profile(game: Any, strategy: Strategy | Solution) -> Any:
    """What was found for `from_gambit(game)` as a profile of the `pygambit.Game`.

    Information sets that the strategy says nothing of keep uniform play.

    >>> import fogtree as ft
    >>> kuhn = ft.gambit.to_gambit(ft.game("kuhn-poker"))
    >>> found = ft.gambit.profile(kuhn, ft.solve(ft.gambit.from_gambit(kuhn), "sequence-lp"))
    >>> round(found.payoff("first"), 6)
    -0.055556
    """
    if not isinstance(game, pygambit.Game) or not game.is_tree:
        raise InputError("expected a pygambit.Game that is a tree")
    ours, found = from_gambit(game), game.mixed_behavior_profile()
    known = strategy.strategy if isinstance(strategy, Solution) else strategy
    for infoset in game.infosets:
        table, node, moves = ours.table(chance="manual"), next(iter(infoset.members)), []
        while node.parent is not None:
            moves.append(_names(node.parent.infoset)[node.prior_action])
            node = node.parent
        info = table.play(*reversed(moves)).infoset()
        probabilities = known.probabilities(info)
        if probabilities is not None:
            by_name = dict(zip(info.legal, probabilities.tolist()))
            for action, name in _names(infoset).items():
                found[action] = by_name[name]
    return found


def _names(infoset: Any) -> dict[Any, str]:
    """What the actions of an information set are called in a `tree`: different words."""
    names: dict[Any, str] = {}
    for place, action in enumerate(infoset.actions, 1):
        word = re.sub(r"\s", "_", action.label.strip()) or str(place)
        numbered = (f"{word}_{number}" for number in itertools.count(2))
        names[action] = next(name for name in itertools.chain([word], numbered) if name not in names.values())
    return names


@functools.cache
def _directory() -> tempfile.TemporaryDirectory[str]:
    """Where games come from that were made in this process; removed with everything in it at its end."""
    return tempfile.TemporaryDirectory(prefix="fogtree-")
