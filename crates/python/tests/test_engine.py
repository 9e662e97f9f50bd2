"""Agents written in Python as engines of the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import fogtree as ft
from test_agents import FIGURES, figures, modules  # noqa: F401  (a fixture)

def program() -> str:
    """The program, built, or where FOGTREE_PROGRAM says that it is."""
    root = Path(__file__).parents[3] / "target"
    named = os.environ.get("FOGTREE_PROGRAM")
    for path in [Path(named)] if named else [root / "debug/fogtree", root / "release/fogtree"]:
        if path.is_file():
            return str(path)
    pytest.skip("the program is not built: cargo build -p fogtree, or set FOGTREE_PROGRAM to its path")


def engine(name: str) -> str:
    return f"{sys.executable} -m fogtree.engine my_agents:{name}"


def environment(modules: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(modules), os.environ.get("PYTHONPATH", "")])}


@pytest.mark.parametrize("name", ["Random", "Uniform"])
def test_engines_speak_the_protocol(modules: Path, name: str) -> None:
    check = subprocess.run(
        [program(), "engine", "check", "--json", "--timeout", "60", "--grace", "5", *engine(name).split()],
        env=environment(modules), capture_output=True, text=True, timeout=570,
    )
    found = {row["check"]: row for row in map(json.loads, check.stdout.splitlines())}
    assert check.returncode == 0, check.stdout + check.stderr
    assert len(found) > 12 and found["reproducible"]["detail"]


def test_the_program_plays_matches_with_them(modules: Path) -> None:
    command = [program(), "match", "kuhn-poker", f"exec(command={engine('Timid')})", "random", "--games", "4", "--seed", "5"]
    played = subprocess.run([*command, "--json"], env=environment(modules), capture_output=True, text=True, timeout=300)
    assert played.returncode == 0, played.stderr
    ours = ft.match(ft.game("kuhn-poker"), ["first-legal", "random"], games=4, seed=5)
    assert [[a[f] for f in FIGURES] for a in json.loads(played.stdout.splitlines()[-1])["agents"]] == figures(ours)


def test_the_program_says_what_an_engine_did_wrong(modules: Path) -> None:
    for name, says in [("Rude", "chose 'no-such-move', which is not legal"), ("Broken", "KeyError")]:
        command = [program(), "match", "kuhn-poker", f"exec(command={engine(name)})", "random", "--games", "2"]
        played = subprocess.run(command, env=environment(modules), capture_output=True, text=True, timeout=300)
        assert played.returncode == 1 and says in played.stderr and "Traceback" not in played.stderr


class Dialogue:
    """A table that talks to an engine."""

    def __init__(self, modules: Path, name: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fogtree.engine", f"my_agents:{name}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(modules),
        )

    def send(self, line: str | bytes | dict[str, Any]) -> None:
        assert self.process.stdin is not None
        text = json.dumps(line) if isinstance(line, dict) else line
        self.process.stdin.write((text.encode() if isinstance(text, str) else text) + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr and self.process.stderr.read().decode()
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, line: str | bytes | dict[str, Any]) -> dict[str, Any]:
        self.send(line)
        return self.receive()

    def begin(self, game: str = "kuhn-poker") -> dict[str, Any]:
        """Begins a game; returns the request for the first move."""
        table = ft.game(game).table(seed=1)
        assert self.ask({"type": "newgame", "game": game, "seat": 0, "seed": 2**64 - 1}) == {"type": "ready"}
        written = json.loads(table.infoset(0).to_json())
        self.send({"type": "observe", "events": written["events"]})
        return {"type": "go", "infoset": written}

    def close(self) -> tuple[int, str]:
        assert self.process.stdin is not None and self.process.stderr is not None
        self.process.stdin.close()
        code = self.process.wait(10)
        return code, self.process.stderr.read().decode()


def test_a_dialogue(modules: Path) -> None:
    engine = Dialogue(modules, "Historian")
    assert engine.ask({"type": "hello", "protocol": 1}) == {"type": "ready", "name": "Historian", "protocol": 1}
    go = engine.begin()
    for limits in [{}, {"iterations": 5}, {"milliseconds": 5}, {"iterations": 5, "milliseconds": 5, "explain": True}]:
        assert engine.ask({**go, **limits}) == {"type": "bestmove", "move": "check"}
    engine.send({"type": "end", "rewards": [-1.0, 1.0]})
    assert engine.ask(go)["message"] == "there is no game"
    assert engine.ask(engine.begin())["move"] == "check"
    assert engine.close() == (0, "")


def test_a_search_is_stopped_and_prints_elsewhere(modules: Path) -> None:
    engine = Dialogue(modules, "Thinker")
    go = engine.begin()
    for _ in range(2):
        engine.send({"type": "stop"})
        engine.send(go)
        time.sleep(0.3)
        engine.send({"type": "stop"})
        assert engine.receive() == {"type": "bestmove", "move": "bet"}
    engine.send(go)
    engine.send({"type": "quit"})
    assert engine.process.wait(5) == 0
    assert engine.process.stderr is not None and b"must not disturb" in engine.process.stderr.read()


def test_bad_requests_are_answered_by_errors(modules: Path) -> None:
    engine = Dialogue(modules, "Timid")
    go = engine.begin()
    known = go["infoset"]
    bad: list[str | bytes | dict[str, Any]] = [
        "", "{", "null", "[]", b"\xff\xfe", '{"type":"hello","protocol":1,"protocol":2}', "x" * (17 << 20),
        {"type": "hello", "protocol": 2}, {"type": "hello", "protocol": True}, {"type": "hello"},
        {"type": "newgame", "game": "kuhn-poker", "seat": 0, "seed": -1},
        {"type": "observe", "events": [{"own": "x"}]}, {"type": "observe", "events": {}},
        {"type": "go"}, {**go, "iterations": 0}, {**go, "milliseconds": 1.5}, {**go, "explain": 1},
        {**go, "infoset": {**known, "seat": 1}}, {**go, "infoset": {**known, "seat": 200}},
        {**go, "infoset": {**known, "legal": []}}, {**go, "infoset": {**known, "legal": ["raise-the-roof"]}},
        {**go, "infoset": {**known, "known": 7}}, {**go, "infoset": {**known, "key": "x"}},
        {"type": "end"}, {"type": "end", "rewards": ["x"]},
    ]  # fmt: skip
    for number, line in enumerate(bad, 3):
        answer = engine.ask(line)
        assert (answer["type"], answer["line"]) == ("error", number), line
        assert answer["message"] and "\n" not in answer["message"]
    assert engine.ask(go) == {"type": "bestmove", "move": "check"}, "the game is as it was"
    for game in [
        {"type": "newgame", "game": "no-such-game", "seat": 0, "seed": 1},
        {"type": "newgame", "game": "kuhn-poker", "seat": 2, "seed": 1},
    ]:
        assert engine.ask(game)["type"] == "error"
        assert engine.ask(go)["message"] == "there is no game"
    assert engine.close()[0] == 0


def test_errors_of_agents_are_answered(modules: Path) -> None:
    engine = Dialogue(modules, "Broken")
    go = engine.begin()
    assert "KeyError" in engine.ask(go)["message"]
    assert engine.ask(go)["message"] == "there is no game"
    assert "KeyError" in engine.ask(engine.begin())["message"]
    code, said = engine.close()
    assert code == 0 and "Traceback" in said
    engine = Dialogue(modules, "Rude")
    assert "legal moves are check, bet" in engine.ask(engine.begin())["message"]
    assert engine.close()[0] == 0


def test_what_is_no_agent_is_no_engine(modules: Path) -> None:
    for name in ["my_agents", "my_agents:Nobody", "my_agents:number", "my_agents:ready", "no_such_module:Timid", "json:dumps.x"]:
        ended = subprocess.run(
            [sys.executable, "-m", "fogtree.engine", name],
            env=environment(modules), input="", capture_output=True, text=True, timeout=60,
        )
        assert ended.returncode == 2 and ended.stderr.startswith("error: ") and "Traceback" not in ended.stderr
