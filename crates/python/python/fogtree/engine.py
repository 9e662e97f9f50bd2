"""An agent written in Python as an engine: `python -m fogtree.engine my_agents:Timid`.

It speaks the engine protocol (docs/engine-protocol.md) over standard input and output, so that the program and the studio
can seat the agent. What the agent prints goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

import numpy as np

import fogtree
from fogtree import _fogtree
from fogtree._agents import Player, resolve

PROTOCOL = 1
LONGEST_REQUEST = 16 << 20
"""The longest line that is read, in bytes."""
LONGEST_MESSAGE = 1000
PATIENCE = 0.5
"""Seconds until a running search is left to itself after the last request."""


class Refused(Exception):
    """A request that cannot be fulfilled; the game stays as it is."""


class Engine:
    """Answers requests in their order; `stop` and `quit` are noticed at once, on a thread of their own."""

    def __init__(self, who: Any, requests: BinaryIO, answers: BinaryIO) -> None:
        self.who, self.requests, self.answers = who, requests, answers
        self.waiting: queue.SimpleQueue[tuple[int, dict[str, Any] | str] | None] = queue.SimpleQueue()
        self.budgets: list[_fogtree.Budget] = []
        self.game: fogtree.Game | None = None
        self.player = Player(who)
        self.seat, self.observes = 0, False

    def run(self) -> None:
        """Answers until the last request."""
        threading.Thread(target=self._read, daemon=True).start()
        while (waiting := self.waiting.get()) is not None:
            line, request = waiting
            try:
                if isinstance(request, str):
                    raise Refused(request)
                answer = self._answer(request)
            except (Refused, fogtree.InputError) as why:
                answer = self._error(str(why), line)
            except (Exception, SystemExit) as error:
                traceback.print_exc()
                self.game = None
                answer = self._error(f"{type(error).__name__}: {error}", line)
            if answer is not None:
                self.answers.write(json.dumps(answer).encode() + b"\n")
                self.answers.flush()

    def _error(self, message: str, line: int) -> dict[str, Any]:
        return {"type": "error", "message": " ".join(message.split())[:LONGEST_MESSAGE], "line": line}

    def _read(self) -> None:
        number = 0
        while line := self.requests.readline(LONGEST_REQUEST + 1):
            number += 1
            if len(line) > LONGEST_REQUEST:
                while line and not line.endswith(b"\n"):
                    line = self.requests.readline(LONGEST_REQUEST)
                self.waiting.put((number, f"a line is longer than {LONGEST_REQUEST} bytes"))
                continue
            try:
                request = _fogtree._request(line)
            except fogtree.InputError as why:
                self.waiting.put((number, str(why)))
                continue
            if request["type"] == "quit":
                break
            if request["type"] == "stop":
                self._stop()
                continue
            if request["type"] == "go":
                milliseconds = request.get("milliseconds")
                time = None if milliseconds is None else milliseconds / 1000
                request["budget"] = fogtree.Budget(time=time, iterations=request.get("iterations"))
                self.budgets.append(request["budget"])
            self.waiting.put((number, request))
        self._stop()
        self.waiting.put(None)
        threading.Event().wait(PATIENCE)
        os._exit(0)

    def _stop(self) -> None:
        for budget in list(self.budgets):
            budget.stop()

    def _answer(self, request: dict[str, Any]) -> dict[str, Any] | None:
        answer: Callable[[dict[str, Any]], dict[str, Any] | None] = getattr(self, "_" + request["type"])
        return answer(request)

    def _hello(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["protocol"] != PROTOCOL:
            raise Refused(f"this engine speaks version {PROTOCOL} of the protocol, not {request['protocol']}")
        return {"type": "ready", "name": self.player.title, "protocol": PROTOCOL}

    def _newgame(self, request: dict[str, Any]) -> dict[str, Any]:
        self.game = None
        game = fogtree.game(request["game"])
        self.seat = request["seat"]
        if self.seat >= game.players:
            raise Refused(f"there is no player {self.seat}: the game has the players 0 to {game.players - 1}")
        self.player = Player(self.who)
        self.observes = self.player.start(game, self.seat, request["seed"])
        self.game = game
        return {"type": "ready"}

    def _observe(self, request: dict[str, Any]) -> None:
        game = self._playing()
        if self.observes:
            for event in _fogtree._heard(game, self.seat, request["events"]):
                self._of_agent(partial(self.player.observe, event))

    def _go(self, request: dict[str, Any]) -> dict[str, Any]:
        budget = request["budget"]
        try:
            info = _fogtree._asked(self._playing(), request["infoset"])
            if info.player != self.seat:
                raise Refused(f"the information set is of player {info.player}, this engine is player {self.seat}")
            place = self._of_agent(lambda: self.player.act(info, budget))
            return {"type": "bestmove", "move": info.legal[place]}
        finally:
            self.budgets.remove(budget)

    def _end(self, request: dict[str, Any]) -> None:
        if self.game is not None:
            self.game = None
            self._of_agent(lambda: self.player.end(np.array(request["rewards"], dtype=float)))

    def _playing(self) -> fogtree.Game:
        if self.game is None:
            raise Refused("there is no game")
        return self.game

    def _of_agent(self, call: Callable[[], Any]) -> Any:
        """Calls the agent, whose errors are not those of a request."""
        try:
            return call()
        except fogtree.InputError as error:
            raise RuntimeError(str(error)) from error


def main(arguments: list[str] | None = None) -> int:
    """Runs the engine until its input ends."""
    parser = argparse.ArgumentParser(prog="python -m fogtree.engine", description=__doc__.split("\n")[0])
    parser.add_argument("agent", help="module:Class, or module:function that makes the agent")
    name = parser.parse_args(arguments).agent
    # Whatever the agent reads or prints must not disturb the protocol.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        who = resolve(name)
    except fogtree.InputError as why:
        print(f"error: {name}: expected {why}", file=sys.stderr)
        return 2
    try:
        Engine(who, requests, answers).run()
    except (KeyboardInterrupt, BrokenPipeError):
        sys.stderr.flush()
        os._exit(130)
    return 0


if __name__ == "__main__":
    sys.exit(main())
