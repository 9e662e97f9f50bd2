"""Games as environments of PettingZoo.

An observation is a dictionary of `observation`, the tensor of what the player knows, and `action_mask`, a 1 for
each legal move; it is all 0 for players who are not to move. Rewards come at the end of a game. `render_mode` is
"ansi" or "svg"; what is rendered is the whole position, hidden parts included.

>>> from fogtree.pettingzoo import aec_env
>>> env = aec_env("leduc-poker")
>>> env.reset(seed=1)
>>> for player in env.agent_iter():
...     seen, reward, terminated, truncated, _ = env.last()
...     env.step(None if terminated or truncated else env.action_space(player).sample(seen["action_mask"]))
>>> env.agents
[]
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._fogtree import Game, InputError, Table
from ._learning import RENDER_MODES, deal, game_of, mask_of, missing, mode_of, number_of
from ._learning import render as rendered

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.env_logger import EnvLogger
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
    from pettingzoo.utils.wrappers import TerminateIllegalWrapper
except ImportError as why:
    missing("pettingzoo", why)

__all__ = ["AEC", "Parallel", "aec_env", "parallel_env"]

Observation = dict[str, npt.NDArray[Any]]


def aec_env(
    game: Game | str, *, illegal_reward: float | None = None, render_mode: str | None = None
) -> AECEnv[str, Optional[Observation], Optional[int]]:
    """A game as an environment in which one player chooses at a time.

    Players who move at the same time choose one after the other, and nobody sees what others have chosen. An
    illegal move ends the game: whoever made it gets `illegal_reward`, the least that the game pays if nothing is
    said, and all others 0. `AEC` is the environment without these wrappers, which raises an `InputError` instead.

    >>> from fogtree.pettingzoo import aec_env
    >>> env = aec_env("goofspiel(cards=4)")
    >>> env.reset(seed=1)
    >>> env.agent_selection, env.observe("player_0")["action_mask"]
    ('player_0', array([1, 1, 1, 1], dtype=int8))
    """
    env = AEC(game, render_mode=render_mode)
    wrapped = TerminateIllegalWrapper(env, illegal_reward=_least(env.game, illegal_reward))
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


def parallel_env(
    game: Game | str, *, illegal_reward: float | None = None, render_mode: str | None = None
) -> Parallel:
    """A game with simultaneous moves as an environment in which all players choose at once.

    Moves of players who are not to move are ignored and may be left out. Illegal moves end the game as in
    `aec_env`.

    >>> from fogtree.pettingzoo import parallel_env
    >>> env = parallel_env("rock-paper-scissors")
    >>> _ = env.reset(seed=1)
    >>> env.step({"player_0": 0, "player_1": 1})[1]
    {'player_0': -1.0, 'player_1': 1.0}
    """
    return Parallel(game, illegal_reward=illegal_reward, render_mode=render_mode)


def _least(game: Game, illegal_reward: float | None) -> float:
    return float(game.facts["utility_bounds"][0]) if illegal_reward is None else float(illegal_reward)


class _Players:
    """The players of a game, what they see and what they may do."""

    def __init__(self, game: Game | str, render_mode: str | None) -> None:
        self.game = game_of(game)
        self.render_mode = mode_of(render_mode)
        self.table: Table | None = None
        self.names = [f"player_{i}" for i in range(self.game.players)]
        self.moves = self.game.num_moves or 0
        shape = self.game.tensor_shape or ()
        self.observation_spaces = {
            name: spaces.Dict(
                {
                    "observation": spaces.Box(-1.0, 1.0, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (self.moves,), np.int8),
                }
            )
            for name in self.names
        }
        self.action_spaces = {name: spaces.Discrete(self.moves) for name in self.names}
        self._random: np.random.Generator | None = None

    def metadata(self) -> dict[str, Any]:
        name = f"fogtree/{self.game.spec}-v0"
        return {"name": name, "render_modes": RENDER_MODES, "is_parallelizable": False}

    def deal(self, seed: int | None) -> Table:
        if seed is not None or self._random is None:
            self._random = np.random.default_rng(seed)
        self.table = deal(self.game, self._random)
        return self.table

    def number(self, agent: str) -> int:
        if agent not in self.action_spaces:
            raise InputError(f"there is no {agent!r}: the players are {', '.join(self.names)}")
        return self.names.index(agent)

    def observe(self, player: int, chooses: bool = True) -> Observation:
        if self.table is None:
            raise InputError("call reset before observe")
        info = self.table.infoset(player)
        mask = mask_of(info, self.moves) if chooses else np.zeros(self.moves, dtype=np.int8)
        return {"observation": info.tensor(), "action_mask": mask}


class AEC(AECEnv[str, Optional[Observation], Optional[int]]):  # type: ignore[misc]
    """A game as an environment in which one player chooses at a time; `aec_env` wraps it as usual."""

    def __init__(self, game: Game | str, *, render_mode: str | None = None) -> None:
        super().__init__()
        self._players = _Players(game, render_mode)
        self.game, self.render_mode = self._players.game, self._players.render_mode
        self.metadata = self._players.metadata()
        self.possible_agents = list(self._players.names)
        self.observation_spaces = self._players.observation_spaces
        self.action_spaces = self._players.action_spaces
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game: the one that follows from the seed, or the next one if there is none."""
        self.table = self._players.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._begin_step()

    def _begin_step(self) -> None:
        """Those who are to move choose one after the other; their choices are kept until all have chosen."""
        self._choosing = self.table.to_move
        self._chosen: dict[int, int] = {}
        self.agent_selection = self.possible_agents[self._choosing[0]]

    def observe(self, agent: str) -> Observation:
        """What a player knows, and what it may do if it has yet to choose."""
        player = self._players.number(agent)
        return self._players.observe(player, player not in self._chosen)

    def step(self, action: int | None) -> None:
        """Makes a move of the selected player."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player, move = self._choosing[len(self._chosen)], number_of(action)
        if len(self._choosing) > 1:
            self._check(player, move)
            self._chosen[player] = move
            if len(self._chosen) < len(self._choosing):
                self._cumulative_rewards[agent] = 0.0
                self.agent_selection = self.possible_agents[self._choosing[len(self._chosen)]]
                return
            self.table.play(self._chosen)
        else:
            self.table.play(move)
        self._cumulative_rewards[agent] = 0.0
        rewards = self.table.rewards
        if rewards is None:
            self._begin_step()
            return
        self._chosen = {}
        self.rewards = dict(zip(self.agents, rewards.tolist()))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def _check(self, player: int, move: int) -> None:
        """Refuses an illegal move that waits for those of others."""
        info = self.table.infoset(player)
        if move not in info.legal_numbers:
            legal = ", ".join(f"{n} ({name})" for n, name in zip(info.legal_numbers, info.legal))
            raise InputError(f"player {player} may not make move {move}; legal are {legal}")

    def render(self) -> Any:
        """The whole position, as text or as SVG."""
        return rendered(self._players.table, self.render_mode)

    def close(self) -> None:
        """Nothing is to be closed."""


class Parallel(ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """A game as an environment in which all players choose at once."""

    def __init__(
        self, game: Game | str, *, illegal_reward: float | None = None, render_mode: str | None = None
    ) -> None:
        self._players = _Players(game, render_mode)
        self.game, self.render_mode = self._players.game, self._players.render_mode
        if not self.game.facts["simultaneous"]:
            raise InputError(f"in {self.game.spec} players move one after the other: use aec_env")
        self.metadata = {**self._players.metadata(), "is_parallelizable": True}
        self.possible_agents = list(self._players.names)
        self.observation_spaces = self._players.observation_spaces
        self.action_spaces = self._players.action_spaces
        self.agents: list[str] = []
        self._illegal_reward = _least(self.game, illegal_reward)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a game: the one that follows from the seed, or the next one if there is none."""
        self.table = self._players.deal(seed)
        self.agents = list(self.possible_agents)
        self._masks: dict[str, npt.NDArray[Any]] = {}
        return self._observe(), {agent: {} for agent in self.agents}

    def _observe(self) -> dict[str, Observation]:
        seen = {agent: self._players.observe(player) for player, agent in enumerate(self.agents)}
        self._masks = {agent: both["action_mask"].copy() for agent, both in seen.items()}
        return seen

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Makes the moves of all players who are to move."""
        if not self.agents:
            raise InputError("no game is going on: call reset")
        chosen, illegal = {}, []
        for player in self.table.to_move:
            agent = self.possible_agents[player]
            if agent not in actions:
                raise InputError(f"{agent} is to move: its action is missing")
            chosen[player] = number_of(actions[agent])
            if not 0 <= chosen[player] < self._players.moves or not self._masks[agent][chosen[player]]:
                illegal.append(agent)
        agents = self.agents
        if illegal:
            EnvLogger.warn_on_illegal_move()
            rewards = {agent: self._illegal_reward if agent in illegal else 0.0 for agent in agents}
        else:
            self.table.play(chosen)
            earned = self.table.rewards
            rewards = dict.fromkeys(agents, 0.0) if earned is None else dict(zip(agents, earned.tolist()))
        over = bool(illegal) or self.table.is_over
        seen = self._observe()
        if over:
            self.agents = []
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def render(self) -> Any:
        """The whole position, as text or as SVG."""
        return rendered(self._players.table, self.render_mode)

    def close(self) -> None:
        """Nothing is to be closed."""
