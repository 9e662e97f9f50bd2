"""What the environments for learning share."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from . import _fogtree
from ._fogtree import Game, InfoSet, InputError, Table

RENDER_MODES = ["ansi", "svg"]
_MOST_EMPTY = 1000
"""Games that are over before anybody moves are dealt anew; after so many in a row something is wrong."""


def missing(module: str, why: ImportError) -> NoReturn:
    """Says how to install what an environment stands on."""
    raise ImportError(f"fogtree.{module} needs {why.name}: pip install 'fogtree[learning]'") from why


def games_with_tensors(*, presets: bool = False) -> list[str]:
    """The names of the games that have observation tensors as they are; perhaps of their presets too."""
    found = []
    for name in _fogtree.games():
        more = [preset["name"] for preset in _fogtree.about(name)["presets"]] if presets else []
        for spec in (name, *more):
            try:
                if _fogtree.game(spec).tensor_shape is not None:
                    found.append(spec)
            except InputError:
                continue  # it needs a parameter, such as a file
    return found


def game_of(game: Game | str) -> Game:
    """A game that can be learned: one with observation tensors."""
    if isinstance(game, str):
        game = _fogtree.game(game)
    if game.tensor_shape is None or game.num_moves is None:
        found = ", ".join(games_with_tensors())
        raise InputError(f"{game.spec} has no observation tensors; these games have: {found}")
    return game


def mode_of(render_mode: str | None) -> str | None:
    """A way to render that there is."""
    if render_mode not in (None, *RENDER_MODES):
        raise InputError(f"render_mode={render_mode!r}: expected None or one of {', '.join(RENDER_MODES)}")
    return render_mode


def render(table: Table | None, render_mode: str | None, player: int | None = None) -> str | None:
    """The position as text or SVG: as a player sees it, or the whole of it."""
    if table is None:
        raise InputError("call reset before render")
    if render_mode is None:
        return None
    return table.view(player) if render_mode == "ansi" else table.scene(player).svg()


def deal(game: Game, random: np.random.Generator) -> Table:
    """A table at which somebody is to move."""
    for _ in range(_MOST_EMPTY):
        table = game.table(seed=int(random.integers(2**63)))
        if not table.is_over:
            return table
    raise _fogtree.RunError(f"{_MOST_EMPTY} games in a row were over before anybody moved")


def number_of(move: Any) -> int:
    """A move as learners give it: a whole number, or an array of just one."""
    given = np.asarray(move)
    if given.size != 1 or given.dtype.kind not in "iu":
        raise InputError(f"{move!r} is not a move: expected a whole number")
    return int(given.reshape(()))


def mask_of(info: InfoSet, moves: int) -> npt.NDArray[np.int8]:
    """A 1 for each legal move of an information set."""
    mask = np.zeros(moves, dtype=np.int8)
    mask[info.legal_numbers] = 1
    return mask
