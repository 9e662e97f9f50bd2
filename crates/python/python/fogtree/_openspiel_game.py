"""Games of OpenSpiel as games of ours."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.spiel,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and bool(self.spiel.history() == other.spiel.history())

    def __hash__(self) -> int:
        return hash(tuple(self.spiel.history()))

    def __repr__(self) -> str:
        return f"<{self.spiel.get_game()} after {self.spiel.history()}>"

    def __str__(self) -> str:
        return str(self.spiel)


class Known:
    """A digest of what a player did and saw, and a state drawn by it in which that is what it did and saw."""

    __slots__ = ("digest", "state")

    def __init__(self, digest: bytes, state: Any) -> None:
        self.digest, self.state = digest, state

    def __reduce__(self) -> tuple[Any, ...]:
        return Known, (self.digest, self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


@dataclass
class Trail:
    """What a player did and saw."""

    digest: bytes
    view: str = ""
    """What it saw last."""
    since: Any = None
    """The state of OpenSpiel in which it saw that; None if it has seen nothing."""
    before: bytes = b""
    """The digest then."""
    own: int | None = None
    """What it did since."""


def movers(spiel: Any) -> list[int]:
    """The players who choose in a state."""
    if spiel.is_simultaneous_node():
        return [player for player in range(spiel.num_players()) if spiel.legal_actions(player)]
    return [spiel.current_player()] if spiel.is_player_node() else []


class OpenSpielGame(PythonGame):
    """A game of OpenSpiel as a game in Python: moves and outcomes of chance are its action numbers."""

    players: int
    _peer: Any
    _asked: str | None
    _by_information_state: bool

    def __reduce__(self) -> tuple[Any, ...]:
        return python_game, (str(self._peer), self._asked)

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
        """What OpenSpiel prints: as much as the player has seen, and what the numbers of its moves mean."""
        spiel = state.spiel
        if player is None:
            return str(spiel).strip() or "nothing yet"
        legal = spiel.legal_actions(player) if player in movers(spiel) else []
        names = [f"{action} = {spiel.action_to_string(player, action)}" for action in legal]
        return "\n".join([self._seen(state, player), ", ".join(names)]).strip() or "nothing yet"

    def _seen(self, state: State, player: int) -> str:
        return str(state.spiel)


class WithChance(OpenSpielGame):
    """Chance draws."""

    def chance(self, state: State) -> list[tuple[int, float]]:
        outcomes: list[tuple[int, float]] = state.spiel.chance_outcomes()
        return outcomes


class Hidden(OpenSpielGame):
    """Players do not see everything.

    When they come to move they see their information state. Where there is none, they see each change of
    their observation, once chance has drawn.
    """

    def observe(self, state: State, move: Any, player: int) -> Any:
        after = state.after(move)
        if not self._sees(after.spiel, player):
            return None
        seen = self._view(after, player)
        if self._by_information_state or state.spiel.is_chance_node():
            return seen
        return None if seen == self._view(state, player) else seen

    def _sees(self, spiel: Any, player: int) -> bool:
        if self._by_information_state:
            return player in movers(spiel)
        return not spiel.is_chance_node() and not spiel.is_terminal()

    def _view(self, state: State, player: int) -> str:
        view = state.views.get(player)
        if view is None:
            view = state.views[player] = self._text(state.spiel, player)
        return view

    def _text(self, spiel: Any, player: int) -> str:
        text = spiel.information_state_string if self._by_information_state else spiel.observation_string
        return str(text(player))

    def _seen(self, state: State, player: int) -> str:
        trail = self._trail(state.spiel, player)
        return trail.view if trail is not None else ""

    def _trail(self, spiel: Any, player: int) -> Trail | None:
        """What the player did and saw; None after illegal moves, which resampling may invent."""
        at, steps = self._peer.new_initial_state(), iter(spiel.full_history())
        digest, trail, waited = hashlib.blake2b(digest_size=16), Trail(b""), True
        while True:
            if self._sees(at, player):
                text = self._text(at, player)
                if self._by_information_state or waited or text != trail.view:
                    digest.update(b"saw %s\0" % text.encode())
                trail = Trail(b"", text, at.clone(), digest.digest())
            waited = at.is_chance_node()
            step = next(steps, None)
            if step is None:
                trail.digest = digest.digest()
                return trail
            joint = [step.action]
            if at.is_simultaneous_node():
                joint += [next(steps).action for _ in range(self.players - 1)]
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
                trail.own = own
                digest.update(b"did %d\0" % own)


class Resampled(Hidden):
    """OpenSpiel draws states that agree with what a player knows, again where they do not agree after all.

    A player between two of its decisions is taken to be where it was after the first of them.
    """

    def information(self, state: State, player: int) -> Known:
        trail = self._trail(state.spiel, player)
        assert trail is not None, "a state that was reached has a legal history"
        return Known(trail.digest, self._draw(trail, player, random.Random(trail.before)))

    def sample(self, information: Known, player: int, rng: random.Random) -> State:
        trail = self._trail(information.state, player)
        assert trail is not None, "drawn states have legal histories"
        return State(self._draw(trail, player, rng))

    def _draw(self, known: Trail, player: int, rng: random.Random) -> Any:
        if known.since is None:
            return self._peer.new_initial_state()
        for _ in range(MOST_TRIES):
            world = known.since.resample_from_infostate(player, rng.random)
            trail = self._trail(world, player)
            if trail is not None and trail.digest == known.before:
                return world if known.own is None else world.child(known.own)
        raise RunError(f"{self._peer} drew no state that player {player} holds possible: use worlds='exact'")


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


def python_game(game: Any, worlds: str | None = None) -> OpenSpielGame:
    """A game of OpenSpiel as an instance of a class made for it, with just the methods that it needs."""
    if worlds not in (None, *WORLDS):
        raise InputError(f"worlds={worlds!r}: expected one of {', '.join(WORLDS)}")
    peer = as_pyspiel(game)
    refuse(peer)
    kind = peer.get_type()
    bases: list[type[OpenSpielGame]] = []
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
