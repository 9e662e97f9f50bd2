"""Agents written in Python: in matches, at tables, in experiments."""

from __future__ import annotations

import pickle
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fogtree as ft
from test_package import run

MY_AGENTS = '''
import random
import time
import fogtree as ft

class Timid(ft.Agent):
    def act(self, info):
        return info.legal[0]

class Random(ft.Agent):
    def start(self, game, player, seed):
        self.random = random.Random(seed)
    def act(self, info):
        return self.random.choice(info.legal)

class Uniform(ft.Agent):
    def act(self, info):
        return [1 / len(info.legal)] * len(info.legal)

class Rude(ft.Agent):
    def act(self, info):
        return "no-such-move"

class Broken(ft.Agent):
    def act(self, info):
        return {}["no such key"]

class Late(ft.Agent):
    """Breaks down when it sees the other's bet."""
    def act(self, info):
        if len(info.events) > 2:
            raise OverflowError("too much")
        return info.legal[0]

class Thinker(ft.Agent):
    def act(self, info):
        print("this must not disturb the protocol")
        while not self.budget.is_stopped:
            time.sleep(0.001)
        return info.legal[-1]

class Historian(ft.Agent):
    """Checks that what it hears is what it is shown."""
    def start(self, game, player, seed):
        self.heard = []
    def observe(self, event):
        self.heard.append(event)
    def act(self, info):
        assert self.heard == info.events, (self.heard, info.events)
        return info.legal[0]
    def end(self, rewards):
        assert len(rewards) == 2 and self.heard

def make():
    return Timid()

ready = Timid()
number = 7
'''


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on Python's path with the module my_agents."""
    (tmp_path / "my_agents.py").write_text(MY_AGENTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("my_agents", None)
    return tmp_path


class Timid(ft.Agent):
    def act(self, info: ft.InfoSet) -> str:
        return info.legal[0]


class Shuffler(ft.Agent):
    """Draws from its seed."""

    def start(self, game: ft.Game, player: int, seed: int) -> None:
        self.random = random.Random(seed)

    def act(self, info: ft.InfoSet) -> str:
        return self.random.choice(info.legal)


def agent_that(act: Callable[[ft.InfoSet], Any]) -> type[ft.Agent]:
    """An agent that does this."""

    class Doing(ft.Agent):
        def act(self, info: ft.InfoSet) -> Any:
            return act(info)

    return Doing


FIGURES = ["wins", "draws", "losses", "mean_reward"]


def figures(result: ft.MatchResult) -> list[list[float]]:
    return [[agent[f] for f in FIGURES] for agent in result.agents]


@pytest.mark.parametrize("game", ["kuhn-poker", "goofspiel(cards=4)", "connect-four"])
def test_the_first_legal_move_is_what_our_own_agent_makes(game: str) -> None:
    """The agent `first-legal` in Rust is the same player: same results, same records."""
    made = ft.game(game)
    ours = ft.match(made, ["first-legal", "random"], games=30, seed=5)
    theirs = ft.match(made, [Timid, "random"], games=30, seed=5)
    assert figures(ours) == figures(theirs)
    assert theirs.agents[0]["agent"].startswith("python(agent=") and "Timid" in repr(theirs)


def test_matches_give_the_same_result_on_any_number_of_threads() -> None:
    game = ft.game("leduc-poker")
    entrants: list[ft.AgentLike] = [Shuffler, lambda: Shuffler()]
    results = [figures(ft.match(game, entrants, games=60, seed=3, threads=n)) for n in (1, 2, 5)]
    assert results[0] == results[1] == results[2]
    assert results[0] != figures(ft.match(game, entrants, games=60, seed=4))


def test_an_instance_plays_one_game_after_the_other() -> None:
    class Counter(Timid):
        games, ends, seats = 0, 0, set[int]()

        def start(self, game: ft.Game, player: int, seed: int) -> None:
            assert self.games == self.ends
            self.games += 1
            self.seats.add(player)

        def end(self, rewards: np.ndarray) -> None:
            self.ends += 1

    one = Counter()
    ft.match(ft.game("kuhn-poker"), [one, "random"], games=20)
    assert one.games == one.ends == 20 and one.seats == {0, 1}
    with pytest.raises(ft.InputError, match="several seats"):
        ft.match(ft.game("kuhn-poker"), [one, one])
    with pytest.raises(ft.InputError, match="one game at a time"):
        ft.match(ft.game("kuhn-poker"), [one, "random"], threads=2)


def test_every_game_and_seat_has_an_agent_of_its_own() -> None:
    made: list[ft.Agent] = []

    class Fresh(ft.Agent):
        def __init__(self) -> None:
            made.append(self)
            self.starts = 0

        def start(self, game: ft.Game, player: int, seed: int) -> None:
            self.starts += 1

        def act(self, info: ft.InfoSet) -> str:
            assert self.starts == 1
            return info.legal[-1]

    ft.match(ft.game("kuhn-poker"), [Fresh, Fresh], games=10)
    assert len(made) == 20


def test_roles_and_records(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    roles: dict[str, ft.AgentLike] = {"spies": Timid, "resistance": "random"}
    result = ft.match(ft.game("resistance"), roles=roles, games=4, record=record)
    assert {agent["role"] for agent in result.agents} == {"spies", "resistance"}
    assert "Timid)" in record.read_text().splitlines()[0]


def test_agents_hear_what_information_sets_say(modules: Path) -> None:
    import my_agents  # type: ignore[import-not-found]

    for game in ["kuhn-poker", "phantom-mnk", "goofspiel(cards=4)"]:
        ft.match(ft.game(game), [my_agents.Historian, "random"], games=10)


@pytest.mark.parametrize("game", ["leduc-poker", "phantom-mnk", "connect-four"])
def test_moves_by_name_number_and_probability_are_the_same(game: str) -> None:
    last: list[Callable[[ft.InfoSet], Any]] = [
        lambda info: info.legal[-1],
        lambda info: np.str_(info.legal[-1]),
        lambda info: info.legal_numbers[-1],
        lambda info: int(info.legal_numbers[-1]),
        lambda info: {info.legal[-1]: 1.0},
        lambda info: np.eye(len(info.legal), dtype=np.float32)[-1],
        lambda info: [0] * (len(info.legal) - 1) + [1],
        lambda info: ft.agent(Timid, info.game).act(info) if len(info.legal) == 1 else info.legal[-1],
    ]
    made = ft.game(game)
    results = [figures(ft.match(made, [agent_that(act), "random"], games=10, seed=2)) for act in last]
    assert all(result == results[0] for result in results)


def test_probabilities_are_drawn() -> None:
    """Rock with 90 % against paper: wins a tenth of the scissors, nothing else."""
    biased = agent_that(lambda info: {"rock": 0.9, "scissors": 0.1})
    paper = agent_that(lambda info: "paper")
    result = ft.match(ft.game("rock-paper-scissors"), [biased, paper], games=2000, seed=1)
    assert 0.07 < result.agents[0]["win_rate"] < 0.13


def test_exploitability_is_that_of_the_strategy() -> None:
    """Uniform play in Kuhn poker: NashConv 11/12, as OpenSpiel says; first moves: the same as the agent in Rust."""
    game = ft.game("kuhn-poker")
    uniform = agent_that(lambda info: [0.5, 0.5])
    assert ft.exploit(game, uniform).nash_conv == pytest.approx(11 / 12)
    assert ft.exploit(game, Timid).nash_conv == pytest.approx(ft.exploit(game, "first-legal").nash_conv)
    assert ft.exploit(game, Timid()).nash_conv == pytest.approx(ft.exploit(game, "first-legal").nash_conv)
    drawn = ft.exploit(game, Shuffler, samples=2000)
    assert drawn.nash_conv == pytest.approx(11 / 12, abs=0.1)


def test_agents_are_asked_as_native_ones() -> None:
    game = ft.game("kuhn-poker")
    table = game.table(seed=1)
    agent = ft.agent(Timid, game)
    assert isinstance(agent, ft.NativeAgent)
    for position in (table, table.infoset()):
        decision = agent.act(position)
        assert decision.move == "check" and decision.player == 0 and decision.move_number in table.infoset().legal_numbers
    while not table.is_over:
        table.play(agent.act(table).move)
    assert "Timid" in repr(agent)


def test_limits_reach_the_agent() -> None:
    seen: list[tuple[float | None, int | None]] = []

    class Looking(Timid):
        def act(self, info: ft.InfoSet) -> str:
            seen.append((self.budget.time, self.budget.iterations))
            return super().act(info)

    game = ft.game("kuhn-poker")
    agent = ft.agent(Looking, game)
    agent.act(game.table(seed=1), time=0.25)
    agent.act(game.table(seed=1), iterations=7)
    agent.act(game.table(seed=1))
    assert seen == [(0.25, None), (None, 7), (None, None)]


def test_people_play_against_them(capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["hint", *["1"] * 20])
    table = ft.play("connect-four", against=Timid, seed=1, ask=lambda prompt: next(answers, "quit"))
    assert table.is_over and "Timid" in capsys.readouterr().out
    with pytest.raises(ft.InputError, match="several seats"):
        ft.play("hearts", against=Timid(), ask=lambda prompt: "quit")


def test_agents_search_themselves() -> None:
    class Searcher(ft.Agent):
        def start(self, game: ft.Game, player: int, seed: int) -> None:
            self.search = ft.agent("mo-ismcts(iterations=50)", game, seed=seed)

        def act(self, info: ft.InfoSet) -> ft.Decision:
            return self.search.act(info)

    game = ft.game("phantom-mnk")
    result = ft.match(game, [Searcher, "random"], games=40, seed=1)
    assert result.agents[0]["win_rate"] > 0.6
    assert figures(result) == figures(ft.match(game, [Searcher, "random"], games=40, seed=1, threads=1))


def test_agents_learn_nothing_of_what_others_hold() -> None:
    """All that an agent is given is the same in two deals that are the same to its player."""

    def given(other: str) -> list[bytes]:
        told: list[bytes] = []

        class Spy(ft.Agent):
            def start(self, game: ft.Game, player: int, seed: int) -> None:
                told.append(pickle.dumps((game, player, seed)))

            def observe(self, event: tuple[str, str]) -> None:
                told.append(pickle.dumps(event))

            def act(self, info: ft.InfoSet) -> str:
                told.append(pickle.dumps((info, info.legal, info.events, info.view, info.scene.svg())))
                return info.legal[0]

        game = ft.game("kuhn-poker")
        agent = ft.agent(Spy, game, seed=1)
        for moves in [f"Q {other}", f"Q {other} check bet"]:
            agent.act(game.table(moves=moves, chance="manual"))
        return told

    assert given("J") == given("K") and len(given("J")) > 5


def test_agents_learn_nothing_of_how_others_have_set_up() -> None:
    """A game may be asked for with something that one player alone may know."""

    def told(setup: str) -> dict[int, str]:
        games: dict[int, str] = {}

        class Spy(ft.Agent):
            def start(self, game: ft.Game, player: int, seed: int) -> None:
                games[player] = game.spec

            def act(self, info: ft.InfoSet) -> str:
                assert info.game.spec == pickle.loads(pickle.dumps(info)).game.spec == games[info.player]
                return info.legal[0]

        game = ft.game(f"stratego(columns=4,rows=3,home=1,army=FB3M,plies=20,red={setup})")
        ft.match(game, [Spy, Spy], games=1)
        return games

    one, other = told("FB3M"), told("MF3B")
    assert "FB3M" in one[0].partition("red=")[2] and "MF3B" in other[0].partition("red=")[2]
    assert one[1] == other[1] and "red=" not in one[1]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("x", "agent Doing chose 'x', which is not legal here: legal moves are check, bet"),
        (99, "the move number 99, which is not legal here: legal moves are check, bet"),
        (-1, "the move number -1"),
        (True, "of type bool"),
        (None, "of type NoneType"),
        (1.5, "of type float"),
        (b"check", "of type bytes"),
        (object(), "of type object"),
        ([0.5, 0.6], "2 probabilities that add up to 1"),
        ([1.0], "2 probabilities"),
        ([2.0, -1.0], "2 probabilities"),
        ([float("nan"), 1.0], "2 probabilities"),
        (["a", "b"], "2 probabilities"),
        (np.eye(2), "2 probabilities"),
        ({"check": 0.2}, "2 probabilities"),
        ({"fold": 1.0}, "'fold', which is not legal"),
    ],
)
def test_wrong_answers_are_told(answer: object, says: str) -> None:
    game = ft.game("kuhn-poker")
    wrong = agent_that(lambda info: answer)
    for call in [
        lambda: ft.agent(wrong, game).act(game.table(seed=1)),
        lambda: ft.match(game, [wrong, "random"], games=4),
        lambda: ft.exploit(game, wrong),
    ]:
        with pytest.raises(ft.RunError) as caught:
            call()
        assert says in str(caught.value)


def test_exceptions_reach_the_caller() -> None:
    game = ft.game("kuhn-poker")

    def fail(info: ft.InfoSet) -> str:
        raise LookupError("nothing there")

    class FailsToStart(Timid):
        def start(self, game: ft.Game, player: int, seed: int) -> None:
            raise LookupError("nothing there")

    class FailsToEnd(Timid):
        def end(self, rewards: np.ndarray) -> None:
            raise LookupError("nothing there")

    class FailsToHear(Timid):
        def observe(self, event: tuple[str, str]) -> None:
            raise LookupError("nothing there")

    class CannotBeMade(Timid):
        def __init__(self) -> None:
            raise LookupError("nothing there")

    for who in (agent_that(fail), FailsToStart, FailsToEnd, FailsToHear, CannotBeMade):
        for threads in (1, 3):
            with pytest.raises(LookupError, match="nothing there") as caught:
                ft.match(game, [who, "random"], games=1000, threads=threads)
            assert any(entry.path == Path(__file__) and entry.name != "test_exceptions_reach_the_caller" for entry in caught.traceback)
    agent = ft.agent(agent_that(fail), game)
    for _ in range(2):
        with pytest.raises(LookupError):
            agent.act(game.table(seed=1))


def test_one_failure_ends_a_match() -> None:
    """A game that fails on one thread is not followed by all the others."""
    games = 0

    class FailsOnce(Timid):
        def start(self, game: ft.Game, player: int, seed: int) -> None:
            nonlocal games
            games += 1
            if games == 10:
                raise LookupError("once")

    with pytest.raises(LookupError, match="once"):
        ft.match(ft.game("kuhn-poker"), [FailsOnce, "random"], games=100_000, threads=2)
    assert games < 5000


@pytest.mark.parametrize(
    "call",
    [
        lambda: ft.match(ft.game("nim"), [ft.Agent, "random"]),
        lambda: ft.match(ft.game("nim"), [int, "random"]),
        lambda: ft.match(ft.game("nim"), [7, "random"]),
        lambda: ft.match(ft.game("nim"), [None, "random"]),
        lambda: ft.match(ft.game("nim"), [ft.agent("random", ft.game("nim")), "random"]),
        lambda: ft.match(ft.game("nim"), [Timid]),
        lambda: ft.agent(object(), ft.game("nim")),
        lambda: ft.agent("python", ft.game("nim")),
        lambda: ft.agent("python(agent=Timid)", ft.game("nim")),
        lambda: ft.agent("python(agent=no_such_module:Timid)", ft.game("nim")),
        lambda: ft.agent("python(agent=json:Timid)", ft.game("nim")),
        lambda: ft.agent("python(agent=json:JSONDecoder)", ft.game("nim")),
        lambda: ft.agent("python(agent=17)", ft.game("nim")),
        lambda: ft.agent("python(agent=my_agents:ready)", ft.game("nim")),
        lambda: ft.agent("python(agent=my_agents:number)", ft.game("nim")),
        lambda: ft.exploit(ft.game("kuhn-poker"), Timid, samples=0),
        lambda: ft.exploit(ft.game("kuhn-poker"), int),
        lambda: ft.play("nim", against=3, ask=lambda prompt: "quit"),
    ],
)
def test_what_cannot_play_is_refused(call: Callable[[], object], modules: Path) -> None:
    with pytest.raises((ft.InputError, ft.RunError)) as caught:
        call()
    assert str(caught.value) and "internal error" not in str(caught.value)


def test_factories_must_make_agents() -> None:
    with pytest.raises(ft.RunError, match="type int, which is no fogtree.Agent"):
        ft.match(ft.game("nim"), [lambda: 7, "random"])  # type: ignore[list-item,return-value]


def plan(folder: Path, agent: str, games: int = 40) -> Path:
    file = folder / "plan.toml"
    file.write_text(
        f'title = "own"\nseed = 1\n\n[[cells]]\ngame = "kuhn-poker"\nseats = ["{agent}", "random"]\ngames = {games}\n'
    )
    return file


def test_experiments_take_agents_by_name(modules: Path) -> None:
    for name in ["Timid", "make"]:
        file = plan(modules, f"python(agent=my_agents:{name})")
        rows = ft.experiment(file, out=modules / name).run().summary()
        assert rows[0]["done"] == 40
    native = ft.experiment(plan(modules, "first-legal"), out=modules / "native").run().summary()
    ours, theirs = (summary[0]["entrants"][0] for summary in (native, rows))
    assert ours["wins"] == theirs["wins"] and ours["mean_reward"] == theirs["mean_reward"]


def test_an_experiment_that_breaks_down_loses_nothing(modules: Path) -> None:
    """What was played before the exception is in the store, and the next run goes on from there."""
    import my_agents

    file = plan(modules, "python(agent=my_agents:Flaky)", games=400)
    played = 0

    class Flaky(ft.Agent):
        def start(self, game: ft.Game, player: int, seed: int) -> None:
            nonlocal played
            played += 1
            if played == 300:
                raise LookupError("flaky")

        def act(self, info: ft.InfoSet) -> str:
            return info.legal[0]

    my_agents.Flaky = Flaky
    experiment = ft.experiment(file, out=modules / "out")
    with pytest.raises(LookupError, match="flaky"):
        experiment.run(threads=2)
    kept = experiment.summary()[0]["done"]
    assert 0 < kept < 400
    assert experiment.run(threads=2).summary()[0]["done"] == 400
    assert played < 300 + (400 - kept) + 50


@pytest.mark.parametrize(
    "work",
    [
        "ft.match(game, [Endless, 'random'])",
        "ft.match(game, [Endless(), 'random'])",
        "ft.match(game, [Sleeper, Sleeper], threads=2)",
        "ft.match(game, [Searcher, 'random'])",
        "ft.agent(Endless, game).act(game.table(seed=1))",
        "ft.agent(Searcher, game).act(game.table(seed=1))",
        "ft.exploit(game, Endless)",
        "ft.experiment('PLAN', out='OUT').run()",
    ],
)
def test_ctrl_c_ends_agents_that_never_return(work: str, tmp_path: Path) -> None:
    script = f"""
        import sys, time, fogtree as ft
        game = ft.game("kuhn-poker")
        class Endless(ft.Agent):
            def act(self, info):
                while True:
                    pass
        class Sleeper(ft.Agent):
            def act(self, info):
                while True:
                    time.sleep(0.01)
        class Searcher(ft.Agent):
            def act(self, info):
                game = ft.game("spades")
                return ft.agent("mo-ismcts", game).act(game.table(seed=1), time=60.0)
        print("go")
        try:
            {work.replace("PLAN", str(plan(tmp_path, "python(agent=__main__:Endless)"))).replace("OUT", str(tmp_path / "out"))}
        except KeyboardInterrupt:
            print("interrupted")
    """
    code, text, seconds = run(script, interrupt_after="go")
    assert (code, text.strip()) == (0, "interrupted")
    assert seconds < 10


@pytest.mark.parametrize("act", ["while True: pass", "time.sleep(0.001)", "time.sleep(60)"])
def test_the_interpreter_may_end_during_a_match(act: str) -> None:
    script = f"""
        import threading, time, fogtree as ft
        class Busy(ft.Agent):
            def act(self, info):
                {act}
                return info.legal[0]
        game = ft.game("kuhn-poker")
        work = lambda: ft.match(game, [Busy, Busy], games=10**6)
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
        print("end")
    """
    code, text, seconds = run(script)
    assert code == 0, text
    assert text.strip().startswith("end") and "Fatal" not in text and "panick" not in text
    assert seconds < 15


def test_matches_leave_the_lock_to_others() -> None:
    """While searches in Rust think, other threads of Python go on."""
    import threading

    counted = 0
    play = threading.Thread(target=lambda: ft.match(ft.game("spades"), [Timid, *["mo-ismcts(iterations=200)"] * 3], games=2))
    play.start()
    while play.is_alive():
        counted += 1
    assert counted > 10_000


def test_asking_an_agent_in_python_costs_little() -> None:
    game = ft.game("leduc-poker")
    info = game.table(seed=1).infoset(0)
    number = int(info.legal_numbers[0])
    agent = ft.agent(agent_that(lambda info: number), game)

    def batch() -> float:
        began = time.perf_counter()
        for _ in range(20):
            agent.act(info)
        return (time.perf_counter() - began) / 20

    assert min(batch() for _ in range(200)) < 50e-6


@pytest.mark.parametrize("game", ["leduc-poker", "goofspiel(cards=4)", "backgammon", "hearts", "phantom-mnk"])
def test_tables_and_decisions_pickle(game: str) -> None:
    made = ft.game(game)
    table = made.table(seed=3).play_random(1, seed=1)
    again = pickle.loads(pickle.dumps(table))
    assert again.history == table.history and again.seed == table.seed and again.to_move == table.to_move
    player = table.to_move[0]
    decision = ft.agent("mo-ismcts(iterations=100)", made, seed=1).act(table, player=player)
    same = pickle.loads(pickle.dumps(decision))
    assert same.to_dict() == decision.to_dict() and same.move_number == decision.move_number
    np.testing.assert_array_equal(same.values, decision.values)
    for one in (table, again):
        one.play_random(seed=9)
    assert again.history == table.history, "chance goes on with the same numbers"


def test_tables_without_chance_of_their_own_pickle() -> None:
    table = ft.game("kuhn-poker").table(moves="J Q check", chance="manual")
    assert pickle.loads(pickle.dumps(table)).play("check").history == ["J", "Q", "check", "check"]
    begun = pickle.loads(pickle.dumps(ft.game("kuhn-poker").table(chance="manual")))
    assert begun.is_chance


def test_damaged_pickles_are_refused() -> None:
    game = ft.game("kuhn-poker")
    table = game.table(seed=1).play("check")
    decision = ft.agent("first-legal", game).act(table)
    for one in (table, decision, table.infoset()):
        restore, (_, text) = one.__reduce__()
        for bad in [
            text.replace('"version":1', '"version":2'), text.replace('"version":1', '"version":"1"'), text[:-5], "", "[]", "7",
            '{"version":1}', '{"version":1,"data":{}}', text.replace('"check"', '"chock"'),
        ]:  # fmt: skip
            with pytest.raises(ft.InputError):
                restore(game, bad)
        with pytest.raises((ft.InputError, TypeError)):
            restore(game, 7)
        with pytest.raises((ft.InputError, TypeError)):
            restore("kuhn-poker", text)
        with pytest.raises(ft.InputError):
            restore(ft.game("backgammon"), text)
    with pytest.raises(ft.InputError, match="another version"):
        restore, (_, text) = table.__reduce__()
        restore(game, text.replace('"version":1', '"version":2'))
