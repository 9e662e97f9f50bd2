"""Agents written in Python."""

from __future__ import annotations

import importlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _fogtree
from ._fogtree import Budget, Decision, Game, InfoSet, InputError, NativeAgent, RunError

Answer = Union[str, int, Decision, Mapping[str, float], Sequence[float], "npt.NDArray[Any]"]
"""A move by its name or its number, or how likely each legal move is: by name, or in the order of `info.legal`."""


class Agent(ABC):
    """An agent of your own: subclass it and write `act`.

    A class (or a function without arguments that makes an agent) is asked for a new agent in every game and for every
    seat, so that games can be played at the same time. An agent that draws at random should draw from the `seed` of
    `start`: then the same match has the same result again, with any number of threads.

    >>> import fogtree as ft
    >>> class Timid(ft.Agent):
    ...     def act(self, info):
    ...         return info.legal[0]
    >>> ft.agent(Timid, ft.game("kuhn-poker")).act(ft.game("kuhn-poker").table(seed=1)).move
    'check'
    """

    budget: Budget = Budget()
    """How long it may think about the move it is asked for. An agent that takes no limits need not look."""

    @abstractmethod
    def act(self, info: InfoSet) -> Answer:
        """Chooses one of the legal moves, given all that the player knows.

        Returns a move by name or by number (one of `info.legal_numbers`), or probabilities: a dictionary by name, or
        one number for each of `info.legal`. Then the move is drawn.
        """

    def start(self, game: Game, player: int, seed: int) -> None:
        """A game begins. All that is random in the agent should follow from the seed."""

    def observe(self, event: tuple[str, str]) -> None:
        """The player did or saw something: `("did", move)` or `("saw", what, in words)`, as in `info.events`."""

    def end(self, rewards: npt.NDArray[np.float64]) -> None:
        """The game is over, with these rewards of all players."""


AgentLike = Union[str, Agent, type[Agent], Callable[[], Agent]]
"""A specification, or an agent in Python: a class, a function without arguments that makes one, or an agent itself."""


def agent(who: AgentLike, game: Game, *, seed: int | None = None) -> NativeAgent:
    """The agent that a specification or an agent in Python stands for, for one game.

    >>> import fogtree as ft
    >>> ft.agent("uct", ft.game("kuhn-poker"))
    Traceback (most recent call last):
    ...
    fogtree.InputError: uct cannot play this game: it has hidden information; use ...
    """
    spec, python = named(who)
    return _fogtree._agent(spec, python, game, seed)


def named(who: AgentLike) -> tuple[str, Any]:
    """The specification of an agent, and the object that plays if it is one in Python."""
    if isinstance(who, str):
        return who, None
    if isinstance(who, NativeAgent):
        raise InputError(f"{who!r} plays one game at a time: give its specification, '{who.spec}'")
    check(who)
    made = type(who) if isinstance(who, Agent) else who
    return f"python(agent={getattr(made, '__module__', '?')}:{_title(made)})", who


def _title(made: Any) -> str:
    return str(getattr(made, "__qualname__", type(made).__name__))


def check(who: Any) -> None:
    """Refuses what can never play."""
    if isinstance(who, type):
        if not issubclass(who, Agent):
            raise InputError(f"{who.__qualname__} is no agent: make it a subclass of fogtree.Agent")
        missing = ", ".join(sorted(who.__abstractmethods__))
        if missing:
            raise InputError(f"the agent {who.__qualname__} has no method {missing}")
    elif not isinstance(who, Agent) and not callable(who):
        raise InputError(
            f"expected an agent: a specification, a fogtree.Agent or a class of them, not {type(who).__name__}"
        )


def resolve(name: str) -> type[Agent] | Callable[[], Agent]:
    """The class or function that `module:name` stands for."""
    module, _, path = name.partition(":")
    if not module or not path:
        raise InputError(f"module:Class, as in my_agents:Timid, not '{name}'")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise InputError(f"a module on Python's path: there is no '{error.name}'") from None
    for part in path.split("."):
        if not hasattr(found, part):
            raise InputError(f"an agent in the module {module}, which has no '{path}'")
        found = getattr(found, part)
    if isinstance(found, Agent):
        raise InputError(f"a class, or a function that makes an agent; {name} is an agent, for one game at a time")
    check(found)
    return found  # type: ignore[no-any-return]


class Player:
    """An agent in a seat: made when a game begins, asked for moves, its answers read."""

    def __init__(self, who: Agent | type[Agent] | Callable[[], Agent]) -> None:
        self.who = who
        self.title = _title(type(who) if isinstance(who, Agent) else who).rpartition("<locals>.")[2]
        self.seed = 0
        self._random: random.Random | None = None
        self._agent: Agent | None = None

    @property
    def agent(self) -> Agent:
        if self._agent is None:
            raise RunError(f"agent {self.title} was asked before a game began")
        return self._agent

    def start(self, game: Game, player: int, seed: int) -> bool:
        """A game begins. Returns whether the agent wants to hear of events."""
        made = self.who if isinstance(self.who, Agent) else self.who()
        if not isinstance(made, Agent):
            raise RunError(f"{self.title} made something of type {type(made).__name__}, which is no fogtree.Agent")
        self._agent, self.seed, self._random = made, seed, None
        made.start(game, player, seed)
        return type(made).observe is not Agent.observe

    def observe(self, event: tuple[str, str]) -> None:
        self.agent.observe(event)

    def end(self, rewards: npt.NDArray[np.float64]) -> None:
        if self._agent is not None:
            self._agent.end(rewards)

    def act(self, info: InfoSet, budget: Budget) -> int:
        """The place of the move chosen among the legal ones."""
        chosen = self.choice(info, budget)
        if isinstance(chosen, int):
            return chosen
        if self._random is None:
            self._random = random.Random(self.seed)
        return self._random.choices(range(len(chosen)), chosen)[0]

    def choice(self, info: InfoSet, budget: Budget) -> int | list[float]:
        """The place of the move chosen, or how likely each legal move is."""
        agent = self.agent
        agent.budget = budget
        answer: Any = agent.act(info)
        if isinstance(answer, Decision):
            answer = answer.move
        if isinstance(answer, str):
            legal = info.legal
            if answer in legal:
                return legal.index(answer)
            raise self._illegal(repr(answer), legal)
        if isinstance(answer, (int, np.integer)) and not isinstance(answer, bool):
            numbers: list[int] = info.legal_numbers.tolist()
            if int(answer) in numbers:
                return numbers.index(int(answer))
            raise self._illegal(f"the move number {int(answer)}", info.legal)
        return self._probabilities(answer, info.legal)

    def _illegal(self, what: str, legal: list[str]) -> RunError:
        shown = ", ".join(legal[:20]) + (f" and {len(legal) - 20} more" if len(legal) > 20 else "")
        return RunError(f"agent {self.title} chose {what}, which is not legal here: legal moves are {shown}")

    def _probabilities(self, answer: Any, legal: list[str]) -> list[float]:
        if isinstance(answer, Mapping):
            for name in answer:
                if name not in legal:
                    raise self._illegal(repr(name), legal)
            answer = [answer.get(name, 0.0) for name in legal]
        elif not isinstance(answer, (Sequence, np.ndarray)) or isinstance(answer, (bytes, bytearray)):
            raise RunError(
                f"agent {self.title} returned {_cut(repr(answer))} of type {type(answer).__name__}: expected the name "
                "or the number of a legal move, or probabilities"
            )
        try:
            given = [float(p) for p in answer]
        except (TypeError, ValueError):
            given = []
        total = sum(given)
        if len(given) != len(legal) or not all(p >= 0 for p in given) or not abs(total - 1) <= 1e-4:
            raise RunError(
                f"agent {self.title} returned {_cut(repr(answer))}: expected the name or the number of a legal move, or "
                f"{len(legal)} probabilities that add up to 1, one for each legal move"
            )
        return [p / total for p in given]


def _cut(text: str, most: int = 200) -> str:
    return text if len(text) <= most else text[:most] + "..."


def policy(who: Agent | type[Agent], game: Game, samples: int, seed: int) -> Callable[[InfoSet], list[float]]:
    """How likely an agent makes each move: as it says, or as often as it does in so many games."""
    if samples < 1:
        raise InputError(f"samples={samples}: expected at least 1")
    check(who)

    def asked(info: InfoSet) -> list[float]:
        player, counts = Player(who), [0.0] * len(info.legal)
        for sample in range(samples):
            digest = blake2b(f"{seed} {info.key} {sample}".encode(), digest_size=8).digest()
            if player.start(game, info.player, int.from_bytes(digest, "little")):
                for event in info.events:
                    player.observe(event)
            chosen = player.choice(info, Budget())
            if not isinstance(chosen, int):
                return chosen
            counts[chosen] += 1 / samples
        return counts

    return asked


def entrants(who: Sequence[AgentLike], threads: int | None) -> tuple[list[tuple[str, Any]], int | None]:
    """The agents of a match, and on how many threads it can be played."""
    instances = [one for one in who if isinstance(one, Agent)]
    if len({id(one) for one in instances}) < len(instances):
        raise InputError("one agent cannot sit in several seats: give its class")
    if instances and threads not in (None, 1):
        title = type(instances[0]).__qualname__
        raise InputError(f"an agent plays one game at a time: give the class {title}, or threads=1")
    return [named(one) for one in who], 1 if instances else threads
