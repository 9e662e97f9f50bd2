"""Both ways between Fogtree and OpenSpiel: our agents as bots there, its games under our searches.

>>> import fogtree as ft
>>> import pyspiel
>>> peer = pyspiel.load_game("leduc_poker")
>>> bots = [ft.openspiel.bot("mo-ismcts(iterations=100)", peer, player, seed=1) for player in range(2)]
>>> returns = pyspiel.evaluate_bots(peer.new_initial_state(), bots, 1)
>>> sum(returns)
0.0
"""

from __future__ import annotations

from typing import Any

import fogtree

from ._fogtree import Decision, Game, InputError
from ._openspiel_game import python_game
from ._openspiel_twins import Follower, Twin, as_pyspiel, same_number, twin

import pyspiel  # isort: skip  (the line above says what to install where it is missing)

__all__ = ["Bot", "Twin", "bot", "game", "python_game", "twin"]


def game(game: Any, *, worlds: str | None = None) -> Game:
    """A game of OpenSpiel under our searches, solvers and matches: its moves are OpenSpiel's action numbers.

    `game` is a pyspiel.Game or the name of one. Worlds that agree with what a player knows are drawn by
    OpenSpiel (`worlds="resample"`) where it can, else from all histories (`"exact"`) or some (`"particles"`).

    >>> import fogtree as ft
    >>> kuhn = ft.openspiel.game("kuhn_poker(players=3)")
    >>> kuhn.players, kuhn.table(seed=1).legal()
    (3, ['0', '1'])
    >>> ft.openspiel.game("mfg_garnet")
    Traceback (most recent call last):
    ...
    fogtree.InputError: mfg_garnet() cannot be searched here: it is a mean-field game, ...
    """
    return fogtree.game(python_game(game, worlds))


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """An agent of ours as a bot of OpenSpiel. It is told what its player knows of a state, and no more.

    A policy is the share of the visits of each action, or the action chosen where the agent counts none.
    `time` and `iterations` are the budget of the next decisions, in place of the agent's own.
    """

    def __init__(self, twin: Twin, agent: Any, player: int, seed: int | None) -> None:
        pyspiel.Bot.__init__(self)
        self._twin, self._player, self._given, self._seed = twin, player, agent, seed
        self.time: float | None = None
        self.iterations: int | None = None
        self._games = 0
        self.restart()

    def decide(self, state: Any) -> Decision:
        """Our decision in a state, with everything that led to it; its moves have our names."""
        if state.is_terminal() or state.is_chance_node() or not state.legal_actions(self._player):
            raise InputError(f"player {self._player} is not to move in this state")
        info = self._follower.follow(state).infoset(self._twin.seat(state, self._player))
        decision: Decision = self._agent.act(info, time=self.time, iterations=self.iterations)
        return decision

    def step(self, state: Any) -> int:
        """The action chosen."""
        return self._twin.to_openspiel(state, self.decide(state).move, self._player)

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The policy and the action chosen."""
        decision = self.decide(state)
        return self._policy(state, decision), self._twin.to_openspiel(state, decision.move, self._player)

    def provides_policy(self) -> bool:
        """Yes."""
        return True

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """The policy."""
        return self._policy(state, self.decide(state))

    def _policy(self, state: Any, decision: Decision) -> list[tuple[int, float]]:
        visits, all_visits = decision.visits, decision.visits.sum()
        share = {decision.move: 1.0} if all_visits == 0 else dict(zip(decision.moves, visits / all_visits))
        names = {a: self._twin.to_fogtree(state, a, self._player) for a in state.legal_actions(self._player)}
        return [(action, float(share.get(name, 0.0))) for action, name in names.items()]

    def restart(self) -> None:
        """Begins a game. An agent given by its specification is made anew and remembers nothing."""
        self._follower = Follower(self._twin)
        if isinstance(self._given, fogtree.NativeAgent):
            self._agent = self._given
            return
        seed = None if self._seed is None else (self._seed + 0x9E3779B97F4A7C15 * self._games) % 2**64
        self._agent = fogtree.agent(self._given, self._twin.game, seed=seed)
        self._games += 1

    def restart_at(self, state: Any) -> None:
        """Begins in a state."""
        self.restart()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Does nothing: the state a bot is asked about tells what has happened."""

    def inform_actions(self, state: Any, actions: list[int]) -> None:
        """Does nothing likewise."""


def bot(
    agent: Any,
    game: Any,
    player: int,
    *,
    seed: int | None = None,
    time: float | None = None,
    iterations: int | None = None,
    through: Game | None = None,
) -> Bot:
    """An agent as a `pyspiel.Bot`, on a game that both have (see `twin`).

    `agent` is a specification, or an agent made for `twin(game).game`; `time` and `iterations` are as in
    `Agent.act`. A game that only OpenSpiel has is played `through` what `openspiel.game` makes of it.

    >>> import fogtree as ft
    >>> import pyspiel
    >>> peer = pyspiel.load_game("tic_tac_toe")
    >>> player = ft.openspiel.bot("uct(iterations=2000)", peer, 0, seed=1)
    >>> state = peer.new_initial_state()
    >>> for action in (4, 1, 0, 2): state.apply_action(action)
    >>> state.action_to_string(player.step(state))
    'x(2,2)'
    """
    same = twin(game) if through is None else Twin(through, as_pyspiel(game), same_number)
    if not 0 <= player < same.game.players:
        raise InputError(f"player={player}: the game has players 0 to {same.game.players - 1}")
    made = Bot(same, agent, player, seed)
    made.time, made.iterations = time, iterations
    return made
