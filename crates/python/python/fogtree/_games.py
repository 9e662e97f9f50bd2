"""Games written in Python."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union

from . import _fogtree

CHANCE = -1
"""What `turn` returns where chance draws."""

TERMINAL = -4
"""What `turn` returns at the end of the game."""


class CheckError(AssertionError):
    """A game breaks the laws of games: the text says which, and after which moves."""


class PythonGame:
    """The rules of a game in plain Python: subclass it, and give the class to `fogtree.game`.

    States are plain values that `apply` never changes: numbers, texts, tuples, dataclasses, also lists and dictionaries.
    They are compared by their contents. Objects with an `__eq__` and `__hash__` of their own are compared by these.

    Every game has `start`, `turn`, `actions`, `apply` and `rewards`; games of chance have `chance` or `sample_chance`.
    Without `observe` everybody sees everything. Where several players choose at the same time, `turn` returns all of
    them, the class says `simultaneous = True`, and a move is a dictionary of what each player chose.

    >>> import fogtree as ft
    >>> class Pennies(ft.PythonGame):
    ...     players, utility, utility_bounds, max_length, simultaneous = 2, "zero-sum", (-1, 1), 1, True
    ...     def start(self): return None
    ...     def turn(self, state): return (0, 1) if state is None else ft.TERMINAL
    ...     def actions(self, state, player): return ["heads", "tails"]
    ...     def apply(self, state, moves): return (moves[0], moves[1])
    ...     def rewards(self, state): return [1, -1] if state[0] == state[1] else [-1, 1]
    >>> ft.check(Pennies)
    'Pennies: random games and every history'
    >>> abs(ft.solve(ft.game(Pennies), iterations=100).value) < 0.01
    True
    """

    players: Optional[int] = None
    """How many players."""
    utility: str = "general"
    """How rewards relate: `zero-sum`, `constant-sum` or `general`."""
    utility_bounds: Optional[tuple[float, float]] = None
    """The least and the greatest reward."""
    max_length: Optional[int] = None
    """No game takes more steps; those of chance count, moves at the same time are one."""
    simultaneous: bool = False
    """Whether several players ever choose at the same time."""
    hidden: Optional[bool] = None
    """Whether somebody knows less than the whole state; by default, if there is `observe` or `information`."""
    hidden_moves: Optional[bool] = None
    """Whether somebody ever cannot tell what another player chose; by default, if something is hidden."""
    moves: Optional[Sequence[Any]] = None
    """All moves that there are, if they are few; then they are numbered and listed in this order."""
    worlds: str = "exact"
    """Where worlds come from that agree with what a player did and saw: `exact` follows all of them, `particles` some."""

    def start(self) -> Any:
        """The state in which every game starts."""
        raise NotImplementedError

    def turn(self, state: Any) -> Union[int, Iterable[int]]:
        """Whose turn it is: a player, several, `CHANCE`, or `TERMINAL`."""
        raise NotImplementedError

    def actions(self, state: Any, player: int) -> Iterable[Any]:
        """The legal moves of a player whose turn it is: hashable plain values, in any order."""
        raise NotImplementedError

    def apply(self, state: Any, move: Any) -> Any:
        """The state after a move, or after what chance drew; the state that is given stays as it is."""
        raise NotImplementedError

    def rewards(self, state: Any) -> Sequence[float]:
        """The reward of every player. Asked only at the end."""
        raise NotImplementedError

    def chance(self, state: Any) -> Iterable[tuple[Any, float]]:
        """What chance may draw, with probabilities."""
        raise NotImplementedError

    def sample_chance(self, state: Any, rng: random.Random) -> Any:
        """What chance draws, in games in which that is too much to list. It depends on `rng` and the state alone."""
        raise NotImplementedError

    def observe(self, state: Any, move: Any, player: int) -> Any:
        """What a player sees of a move about to be made in a state, or of what chance draws: any plain value, None if
        nothing. Its own move it always knows."""
        raise NotImplementedError

    def information(self, state: Any, player: int) -> Any:
        """All that a player knows in a state: equal exactly if it cannot tell two states apart."""
        raise NotImplementedError

    def sample(self, information: Any, player: int, rng: random.Random) -> Any:
        """A state that agrees with what a player knows, as likely as chance made it."""
        raise NotImplementedError

    def name(self, move: Any) -> str:
        """What a move or an outcome of chance is called: one word, another for each."""
        raise NotImplementedError

    def show(self, state: Any, player: Optional[int]) -> str:
        """The state as text for a player, who must see in it no more than it knows; all of it if that is None."""
        raise NotImplementedError


def check(
    game: Union[PythonGame, type[PythonGame]],
    *,
    tiny: Union[PythonGame, type[PythonGame], None] = None,
    games: int = 100,
    seed: int = 1,
) -> str:
    """Checks a game against the laws of games, by random play and by walking all histories of a small one.

    A game that is too large for that gives a `tiny` instance of the same class. Returns what was checked; raises
    `CheckError` with the laws that are broken, and the moves after which. What the game itself raises is raised.
    """
    checked, broken = _fogtree._check(game, tiny, games, seed)
    if broken:
        laws = "law" if len(broken) == 1 else f"{len(broken)} laws"
        raise CheckError(f"{checked.split(':')[0]} breaks {laws} of games:\n" + "\n".join(f"  {law}" for law in broken))
    return checked
