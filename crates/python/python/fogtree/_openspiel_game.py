"""Games of OpenSpiel as games of ours."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
from collections.abc import Iterator, Mapping
from typing import Any

from ._games import CHANCE, TERMINAL, PythonGame
from ._fogtree import InputError, RunError
from ._openspiel_twins import as_pyspiel, first_line

import pyspiel  # isort: skip

Kind = pyspiel.GameType
UTILITIES = {
    Kind.Utility.ZERO_SUM: "zero-sum",
    Kind.Utility.CONSTANT_SUM: "constant-sum",
    Kind.Utility.GENERAL_SUM: "general",
    Kind.Utility.IDENTICAL: "general",
}
WORLDS = ("resample", "exact", "particles")


class State:
    """A state of OpenSpiel that is never changed, with what players see in it once somebody has asked."""

    __slots__ = ("spiel", "last", "views")

    def __init__(self, spiel: Any) -> None:
        self.spiel = spiel
        self.last: tuple[Any, State] | None = None
        self.views: dict[int, str] = {}

    def after(self, move: Any) -> State:
        """The state after a step; the last one asked for is kept, since it is seen before it is entered."""
        last = self.last
        if last is None or last[0] != move:
            if isinstance(move, Mapping):
                spiel = self.spiel.clone()
                spiel.apply_actions([move.get(player, 0) for player in range(spiel.num_players())])
            else:
                spiel = self.spiel.child(move)
            self.last = last = (move, State(spiel))
        return last[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and bool(self.spiel.history() == other.spiel.history())

    def __hash__(self) -> int:
        return hash(tuple(self.spiel.history()))

    def __repr__(self) -> str:
        return f"<{self.spiel.get_game()} after {self.spiel.history()}>"

    def __str__(self) -> str:
        return str(self.spiel)


class Known:
    """A digest of what a player did and saw, and a state in which it knows that, to draw others by."""

    __slots__ = ("trail", "state")

    def __init__(self, trail: bytes, state: State) -> None:
        self.trail, self.state = trail, state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.trail == other.trail

    def __hash__(self) -> int:
        return hash(self.trail)


def movers(spiel: Any) -> list[int]:
    """The players who choose in a state."""
    if spiel.is_simultaneous_node():
        return [player for player in range(spiel.num_players()) if spiel.legal_actions(player)]
    return [spiel.current_player()] if spiel.is_player_node() else []


class OpenSpielGame(PythonGame):
    """A game of OpenSpiel as a game in Python: moves and outcomes of chance are its action numbers."""

    _peer: Any
    _asked: str | None
    _by_information_state: bool

    def __reduce__(self) -> tuple[Any, ...]:
        return wrapped, (str(self._peer), self._asked)

    def start(self) -> State:
        return State(self._peer.new_initial_state())

    def turn(self, state: State) -> Any:
        spiel = state.spiel
        if spiel.is_terminal():
            return TERMINAL
        if spiel.is_chance_node():
            return CHANCE
        return movers(spiel) if spiel.is_simultaneous_node() else spiel.current_player()

    def actions(self, state: State, player: int) -> list[int]:
        actions: list[int] = state.spiel.legal_actions(player)
        return actions

    def apply(self, state: State, move: Any) -> State:
        return state.after(move)

    def rewards(self, state: State) -> list[float]:
        returns: list[float] = state.spiel.returns()
        return returns

    def show(self, state: State, player: int | None) -> str:
        """What OpenSpiel prints: as much as the player may see, and what the numbers of its moves mean."""
        spiel = state.spiel
        if player is None:
            return str(spiel).strip() or "nothing yet"
        legal = spiel.legal_actions(player) if player in movers(spiel) else []
        names = [f"{action} = {spiel.action_to_string(player, action)}" for action in legal]
        return "\n".join([self._view(state, player), ", ".join(names)]).strip() or "nothing yet"

    def _view(self, state: State, player: int) -> str:
        return str(state.spiel)


class WithChance(OpenSpielGame):
    """Chance draws."""

    def chance(self, state: State) -> list[tuple[int, float]]:
        outcomes: list[tuple[int, float]] = state.spiel.chance_outcomes()
        return outcomes


class Hidden(OpenSpielGame):
    """Players do not see everything.

    When they come to move they see their information state; where there is none, each change of observation.
    """

    def observe(self, state: State, move: Any, player: int) -> Any:
        after = state.after(move)
        if self._by_information_state:
            return self._view(after, player) if player in movers(after.spiel) else None
        seen = self._view(after, player)
        return None if seen == self._view(state, player) else seen

    def _view(self, state: State, player: int) -> str:
        view = state.views.get(player)
        if view is None:
            view = state.views[player] = self._text(state.spiel, player)
        return view

    def _text(self, spiel: Any, player: int) -> str:
        text = spiel.information_state_string if self._by_information_state else spiel.observation_string
        return str(text(player))


class Resampled(Hidden):
    """OpenSpiel draws states that agree with what a player knows, again where they do not agree after all."""

    def information(self, state: State, player: int) -> Known:
        trail = self._trail(state.spiel, player)
        assert trail is not None, "a state that was reached has a legal history"
        return Known(trail, state)

    def sample(self, information: Known, player: int, rng: random.Random) -> State:
        for _ in range(MOST_TRIES):
            try:
                world = information.state.spiel.resample_from_infostate(player, rng.random)
            except (pyspiel.SpielError, IndexError):    # before the deal is over
                world = self._peer.new_initial_state()
            if self._trail(world, player) == information.trail:
                return State(world)
        raise RunError(f"{self._peer} drew no state that player {player} holds possible: use worlds='exact'")

    def _trail(self, spiel: Any, player: int) -> bytes | None:
        """A digest of what the player did and saw; None after illegal moves, which resampling may invent."""
        at, players = self._peer.new_initial_state(), self.players
        digest, steps = hashlib.blake2b(digest_size=16), iter(spiel.full_history())
        seen = None if self._by_information_state else self._text(at, player)
        for step in steps:
            if at.is_simultaneous_node():
                joint = [step.action, *(next(steps).action for _ in range(players - 1))]
                acting = movers(at)
                if any(joint[who] not in at.legal_actions(who) for who in acting):
                    return None
                own = joint[player] if player in acting else None
                at.apply_actions(joint)
            else:
                if step.action not in at.legal_actions():
                    return None
                own = step.action if step.player == player else None
                at.apply_action(step.action)
            if own is not None:
                digest.update(b"did %d\0" % own)
            if self._by_information_state:
                if player in movers(at):
                    digest.update(b"saw %s\0" % self._text(at, player).encode())
            else:
                before, seen = seen, self._text(at, player)
                if seen != before:
                    digest.update(b"saw %s\0" % seen.encode())
        return digest.digest()


MOST_TRIES = 1000


def refuse(peer: Any) -> None:
    """An InputError if a game cannot be a game of ours."""
    kind = peer.get_type()
    why = None
    if kind.dynamics == Kind.Dynamics.MEAN_FIELD:
        why = "it is a mean-field game, and we have finitely many players"
    elif kind.chance_mode == Kind.ChanceMode.SAMPLED_STOCHASTIC:
        why = "its chance is drawn within its states, unseen: we need outcomes that can be listed"
    elif peer.num_players() > 16:
        why = f"it has {peer.num_players()} players, and we know at most 16"
    elif kind.information == Kind.Information.IMPERFECT_INFORMATION and not (
        kind.provides_information_state_string or kind.provides_observation_string
    ):
        why = "it says in no string what players know"
    else:
        why = broken(peer)
    if why is not None:
        raise InputError(f"{peer} cannot be searched here: {why}")


def broken(peer: Any) -> str | None:
    """What a game does not do at its first decision, if anything."""
    try:
        with quiet():
            state = first_decision(peer)
            for player in movers(state):
                state.legal_actions(player)
    except pyspiel.SpielError as error:
        return first_line(error)
    return None


def first_decision(peer: Any) -> Any:
    """A state in which somebody is to move."""
    state, rng = peer.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(outcomes, weights)[0])
    return state


def can_resample(peer: Any) -> bool:
    """Whether a game draws states that agree with what a player knows, tried at its first decision."""
    state = first_decision(peer)
    try:
        with quiet():
            state.resample_from_infostate(movers(state)[0], random.Random(1).random)
    except (pyspiel.SpielError, NotImplementedError):
        return False
    return True


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keeps OpenSpiel from printing the errors that it raises."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def wrapped(game: Any, worlds: str | None = None) -> OpenSpielGame:
    """The instance of a class made for this game: it has just the methods that the game needs."""
    if worlds not in (None, *WORLDS):
        raise InputError(f"worlds={worlds!r}: expected one of {', '.join(WORLDS)}")
    peer = as_pyspiel(game)
    refuse(peer)
    kind, bases = peer.get_type(), []
    if kind.chance_mode != Kind.ChanceMode.DETERMINISTIC:
        bases.append(WithChance)
    hidden = kind.information == Kind.Information.IMPERFECT_INFORMATION
    if hidden:
        resampled = worlds in (None, "resample") and can_resample(peer)
        if worlds == "resample" and not resampled:
            raise InputError(f"{peer} cannot resample: use worlds='exact' or worlds='particles'")
        bases.append(Resampled if resampled else Hidden)
    draws = peer.max_chance_nodes_in_history() if WithChance in bases else 0
    given = {
        "_peer": peer,
        "_asked": worlds,
        "_by_information_state": kind.provides_information_state_string,
        "hidden": hidden,
        "worlds": "particles" if worlds == "particles" else "exact",
        "simultaneous": kind.dynamics == Kind.Dynamics.SIMULTANEOUS,
        "players": peer.num_players(),
        "utility": UTILITIES[kind.utility],
        "utility_bounds": (float(peer.min_utility()), float(peer.max_utility())),
        "max_length": peer.max_game_length() + draws,
        "moves": list(range(peer.num_distinct_actions())),
    }
    made: OpenSpielGame = type(str(peer).removesuffix("()"), tuple(bases or [OpenSpielGame]), given)()
    return made
