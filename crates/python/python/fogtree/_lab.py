"""Matches and experiments."""

from __future__ import annotations

import html
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from . import _fogtree
from ._agents import AgentLike, entrants
from ._fogtree import Game, InputError


class MatchResult:
    """The result of a match: how each entrant did, with 95 % intervals.

    >>> import fogtree as ft
    >>> result = ft.match(ft.game("kuhn-poker"), ["mo-ismcts(iterations=50)", "random"], games=20, seed=1)
    >>> result.games, [agent["agent"] for agent in result.agents]
    (20, ['mo-ismcts(iterations=50)', 'random'])
    """

    def __init__(self, native: _fogtree.MatchResult) -> None:
        self._native = native

    @property
    def game(self) -> str:
        """The specification of the game."""
        return self._native.game

    @property
    def games(self) -> int:
        """Games played."""
        return self._native.games

    @property
    def agents(self) -> list[dict[str, Any]]:
        """How each entrant did: wins, draws, losses, win rate with its 95 % interval, mean reward, time per move."""
        return self._native.agents

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, as `fogtree match --json` prints it."""
        return self._native.to_dict()

    def frame(self) -> Any:
        """The entrants as a pandas DataFrame, one row each."""
        return _frame(self.agents)

    def _rows(self) -> tuple[list[str], list[list[str]]]:
        header = ["agent", "wins", "draws", "losses", "win rate", "95 % interval", "mean reward", "time per move"]
        rows = [
            [
                a["agent"] + (" (cheating)" if a["cheating"] else ""),
                str(a["wins"]),
                str(a["draws"]),
                str(a["losses"]),
                f"{100 * a['win_rate']:.1f} %",
                f"{100 * a['low']:.1f} % to {100 * a['high']:.1f} %",
                f"{a['mean_reward']:.3f} ± {1.96 * a['reward_error']:.3f}",
                f"{1000 * a['seconds_per_move']:.2f} ms",
            ]
            for a in self.agents
        ]
        if any("role" in a for a in self.agents):
            header.insert(0, "role")
            rows = [[a.get("role", ""), *row] for a, row in zip(self.agents, rows)]
        return header, rows

    def __repr__(self) -> str:
        header, rows = self._rows()
        widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in [header, *rows]]
        return f"{self.game}: {self.games} games\n" + "\n".join(lines)

    def _repr_html_(self) -> str:
        header, rows = self._rows()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        caption = html.escape(f"{self.game}: {self.games} games")
        return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _frame(rows: Sequence[dict[str, Any]]) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("frames need pandas: pip install pandas") from None
    return pandas.DataFrame(rows)


def match(
    game: Game,
    agents: Sequence[AgentLike] | None = None,
    *,
    games: int = 100,
    seed: int | None = 1,
    roles: dict[str, AgentLike] | None = None,
    threads: int | None = None,
    record: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[int], object] = False,
) -> MatchResult:
    """Plays games between agents, one for each seat; seats rotate, and each deal is played once in every rotation.

    An agent is a specification, a `fogtree.Agent` class, of which every game and seat gets an instance of its own, or an
    instance, which plays one game after the other on one thread. `roles` gives agents by the part they play instead.
    `record` is a file for the records of all games.

    >>> import fogtree as ft
    >>> result = ft.match(ft.game("kuhn-poker"), ["random", "random"], games=10)
    >>> result.frame().shape[0]
    2
    """
    if (agents is None) == (roles is None):
        raise InputError("give either agents, one for each seat, or roles")
    playing, threads = entrants(list(agents or []) if roles is None else list(roles.values()), threads)
    asked = {
        "agents": playing,
        "roles": None if roles is None else list(zip(roles, playing)),
        "games": games,
        "seed": seed,
        "threads": threads,
        "record": None if record is None else os.fspath(record),
    }
    show = _bar(games) if progress is True else (progress or None)
    return MatchResult(_fogtree._match(game, asked, show))


def _bar(games: int) -> Callable[[int], object]:
    def show(done: int, of: int = games) -> None:
        end = "\n" if done == of else ""
        sys.stderr.write(f"\r{done}/{of} games{end}")
        sys.stderr.flush()

    return show


class Experiment:
    """An experiment: many matches from one TOML file, stored as they go. Stopped, it loses nothing and goes on."""

    def __init__(
        self,
        file: str | os.PathLike[str],
        *,
        out: str | os.PathLike[str] | None = None,
        scale: str | None = None,
    ) -> None:
        self._native = _fogtree.Experiment(os.fspath(file), out=None if out is None else os.fspath(out), scale=scale)

    @property
    def directory(self) -> str:
        """The folder of its results."""
        return os.fspath(self._native.directory)

    def run(
        self, *, threads: int | None = None, progress: bool | Callable[[int, int], object] = False
    ) -> Experiment:
        """Plays what has not been played yet. `progress` may be a function of the games done and those there are."""
        show = _bar(0) if progress is True else (progress or None)
        self._native._run(threads, show)
        return self

    def summary(self) -> list[dict[str, Any]]:
        """How each cell stands: its entrants with win rates, intervals, mean rewards."""
        return self._native.summary()

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each seat of each game that was played."""
        return self._native.rows()

    def frame(self) -> Any:
        """What `rows` says, as a pandas DataFrame."""
        return _frame(self.rows())

    def report(self) -> str:
        """The report as an HTML page."""
        return self._native.report()

    def __repr__(self) -> str:
        return repr(self._native)


def experiment(
    file: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    scale: str | None = None,
) -> Experiment:
    """The experiment of a TOML file; its results go to the folder `out`, `runs/NAME` if none is given."""
    return Experiment(file, out=out, scale=scale)
