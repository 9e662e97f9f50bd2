"""One seat of a game against agents, as an environment of Gymnasium.

>>> import fogtree.gymnasium
>>> import gymnasium
>>> env = gymnasium.make("fogtree/leduc-poker-v0", opponents="random")
>>> seen, info = env.reset(seed=1)
>>> info["action_mask"]
array([...], dtype=int8)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._agents import AgentLike, agent
from ._fogtree import Game, InfoSet, InputError, NativeAgent, RunError, Table
from ._learning import RENDER_MODES, deal, game_of, games_with_tensors, mask_of, missing, mode_of, number_of
from ._learning import render as rendered

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as why:
    missing("gymnasium", why)

__all__ = ["Env", "env"]

Tensor = npt.NDArray[np.float32]
_MOST_GAMES = 10_000
"""Games in which the seat never chooses are left out; after so many in a row something is wrong."""


def env(
    game: Game | str,
    opponents: Any = "random",
    *,
    player: int | str = 0,
    illegal_reward: float | None = None,
    render_mode: str | None = None,
) -> Env:
    """One seat of a game against agents.

    `opponents` is anything that `fogtree.agent` makes an agent of, for all other seats, or a list of such in the
    order of the seats. Agents named by a specification begin anew in every game and follow its seed; one that thinks
    for a time instead of a number of iterations cannot be repeated exactly. `player` is the seat, or "random" for
    another one in every game; `info["player"]` tells which.

    An observation is the tensor of what the player knows when it is to move, or when the game is over. Legal moves
    are the 1s of `info["action_mask"]`, which `action_masks()` returns as booleans. An illegal move ends the game
    with `illegal_reward`, the least that the game pays if nothing is said. Games that end before the player has
    chosen anything are left out.

    >>> import fogtree.gymnasium
    >>> env = fogtree.gymnasium.env("leduc-poker", opponents=["mo-ismcts(iterations=100)"])
    >>> seen, info = env.reset(seed=1)
    >>> seen.shape == env.observation_space.shape
    True
    """
    return Env(game, opponents, player=player, illegal_reward=illegal_reward, render_mode=render_mode)


class Env(gymnasium.Env[Tensor, np.int64]):
    """One seat of a game against agents, as `env` makes it."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        game: Game | str,
        opponents: Any = "random",
        *,
        player: int | str = 0,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = game_of(game)
        self.render_mode = mode_of(render_mode)
        others = self.game.players - 1
        several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        self._opponents = list(opponents) if several else [opponents] * others
        if len(self._opponents) != others:
            given = len(self._opponents)
            raise InputError(f"opponents: expected {others}, one for each other seat, not {given}")
        if player != "random" and player not in range(self.game.players):
            raise InputError(f"player={player!r}: expected 0 to {self.game.players - 1}, or 'random'")
        self._seat = player
        self._moves = self.game.num_moves or 0
        self.observation_space = spaces.Box(-1.0, 1.0, self.game.tensor_shape or (), np.float32)
        self.action_space = spaces.Discrete(self._moves)
        least = self.game.facts["utility_bounds"][0] if illegal_reward is None else illegal_reward
        self._illegal_reward = float(least)
        self._table: Table | None = None
        self._over = True
        # What is wrong with an opponent is said now, not in the first game.
        self._agents = self._seat_agents(0, 0)

    def _seat_agents(self, player: int, seed: int) -> dict[int, NativeAgent]:
        seats = [seat for seat in range(self.game.players) if seat != player]
        return {
            seat: who if isinstance(who, NativeAgent) else agent(who, self.game, seed=seed + seat)
            for seat, who in zip(seats, self._opponents)
        }

    @property
    def table(self) -> Table:
        """The table; it holds the true state."""
        if self._table is None:
            raise InputError("call reset first")
        return self._table

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Tensor, dict[str, Any]]:
        """Begins a game: the one that follows from the seed, or the next one if there is none."""
        super().reset(seed=seed)
        for _ in range(_MOST_GAMES):
            drawn = self._seat == "random"
            self.player = int(self.np_random.integers(self.game.players)) if drawn else int(self._seat)
            self._table = deal(self.game, self.np_random)
            self._agents = self._seat_agents(self.player, int(self.np_random.integers(2**62)))
            self._let_others_move()
            if not self._table.is_over:
                self._over = False
                return self._observe()
        raise RunError(f"{_MOST_GAMES} games in a row were over before player {self.player} chose anything")

    def _choices(self) -> dict[int, int]:
        """What the agents choose among those who are to move."""
        table = self.table
        others = [seat for seat in table.to_move if seat != self.player]
        return {seat: self._agents[seat].act(table, player=seat).move_number for seat in others}

    def _let_others_move(self) -> None:
        while not self.table.is_over and self.player not in self.table.to_move:
            self.table.play(self._choices())

    def _info(self) -> InfoSet:
        return self.table.infoset(self.player)

    def _observe(self) -> tuple[Tensor, dict[str, Any]]:
        info = self._info()
        mask = np.zeros(self._moves, np.int8) if self._over else mask_of(info, self._moves)
        return info.tensor(), {"action_mask": mask, "player": self.player}

    def step(self, action: Any) -> tuple[Tensor, float, bool, bool, dict[str, Any]]:
        """Makes a move, and those of the agents until the player is to move again."""
        if self._over:
            raise InputError("no game is going on: call reset")
        move = number_of(action)
        if move not in self._info().legal_numbers:
            self._over = True
            seen, info = self._observe()
            return seen, self._illegal_reward, True, False, {**info, "illegal_move": True}
        self.table.play({self.player: move, **self._choices()})
        self._let_others_move()
        rewards = self.table.rewards
        self._over = rewards is not None
        seen, info = self._observe()
        return seen, 0.0 if rewards is None else float(rewards[self.player]), self._over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which moves are legal, as learners that mask moves ask for it."""
        mask: npt.NDArray[np.bool_] = self._observe()[1]["action_mask"].astype(bool)
        return mask

    def render(self) -> Any:
        """The position as the player sees it, as text or as SVG."""
        return rendered(self._table, self.render_mode, self.player if self._table is not None else None)


def _register() -> None:
    for name in games_with_tensors(presets=True):
        gymnasium.register(f"fogtree/{name}-v0", entry_point="fogtree.gymnasium:env", kwargs={"game": name})


_register()
