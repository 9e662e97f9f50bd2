"""Games, tables, information sets, agents, matches, solvers and experiments through the package."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import fogtree as ft

NEEDS_A_FILE = {"gdl", "tree"}


def test_every_game_plays_to_its_end() -> None:
    for name in ft.games():
        if name in NEEDS_A_FILE:
            continue
        game = ft.game(name)
        table = game.table(seed=1).play_random(seed=1)
        assert table.is_over and table.rewards is not None
        low, high = game.facts["utility_bounds"]
        assert table.rewards.shape == (game.players,)
        assert ((table.rewards >= low) & (table.rewards <= high)).all()
        assert table.scene().svg().startswith("<svg")


def test_the_readme_example() -> None:
    game = ft.game("leduc-poker")
    table = game.table(seed=1)
    info = table.infoset(0)
    seen = []
    decision = ft.agent("mo-ismcts(iterations=10000)", game).act(info, time=0.25, watch=seen.append, tree=True)
    assert decision.move in info.legal
    assert decision.visits.sum() == decision.iterations
    assert decision.values.shape == (len(info.legal), 2)
    np.testing.assert_allclose(decision.values.sum(axis=1), 0, atol=1e-9)
    assert decision.tree is not None and decision.tree.nodes[0]["kind"] == "root"
    assert seen and seen[0]["iterations"] > 0
    assert len(info.sample(100)) == 100


def test_beliefs_are_told() -> None:
    game = ft.game("resistance")
    table = game.table(seed=3)
    decision = ft.agent("mt-mo-ismcts(iterations=200)", game, seed=1).act(table)
    beliefs = decision.beliefs
    assert beliefs and abs(sum(held["probability"] for held in beliefs[0]["values"]) - 1) < 1e-6


def test_information_sets_tell_a_seat_nothing_more() -> None:
    """Two deals that differ in the other's card only are the same to player 0, also pickled."""
    game = ft.game("kuhn-poker")
    one, other = (game.table(moves=f"Q {card}", chance="manual").infoset(0) for card in "JK")
    assert one == other and hash(one) == hash(other)
    assert pickle.dumps(one) == pickle.dumps(other)
    assert one.view == other.view and one.scene.svg() == other.scene.svg()
    worlds = {str(world) for world in one.sample(200, seed=1)}
    assert len(worlds) == 2


@pytest.mark.parametrize("name", [n for n in ft.games() if n not in NEEDS_A_FILE])
def test_information_sets_pickle(name: str) -> None:
    game = ft.game(name)
    table = game.table(seed=2).play_random(5, seed=2)
    for player in range(game.players):
        info = table.infoset(player)
        again = pickle.loads(pickle.dumps(info))
        assert again == info and again.view == info.view and again.legal == info.legal


def test_a_pickled_information_set_can_be_searched() -> None:
    game = ft.game("spades")
    info = pickle.loads(pickle.dumps(game.table(seed=1).infoset()))
    assert ft.agent("mo-ismcts(iterations=50)", game).act(info).move in info.legal


def test_equal_games_share_positions() -> None:
    agent = ft.agent("mo-ismcts(iterations=50)", ft.game("kuhn-poker"), seed=1)
    table = ft.game("kuhn-poker").table(seed=1)
    assert agent.act(table).move in table.legal()
    assert agent.act(table.infoset()).move in table.legal()


def test_pickles_of_other_versions_are_refused() -> None:
    game = ft.game("kuhn-poker")
    info = game.table(seed=1).infoset(0)
    restore, (game, text) = info.__reduce__()
    for bad in [text.replace('"version":1', '"version":7'), "{}", "no json", text.replace('"seat":0', '"seat":9')]:
        with pytest.raises(ft.InputError):
            restore(game, bad)


def test_the_same_seed_gives_the_same_search() -> None:
    game = ft.game("goofspiel(cards=5)")
    table = game.table(seed=1)
    runs = [ft.agent("mo-ismcts(iterations=500)", game, seed=9).act(table, player=0).visits for _ in range(2)]
    np.testing.assert_array_equal(*runs)


def test_agents_keep_to_one_game_and_begin_anew_in_another() -> None:
    game = ft.game("kuhn-poker")
    agent = ft.agent("mo-ismcts(iterations=100)", game)
    for seed in range(5):
        table = game.table(seed=seed)
        while not table.is_over:
            table.play(agent.act(table).move)


def test_cheats_need_a_table() -> None:
    game = ft.game("kuhn-poker")
    table = game.table(seed=1)
    cheat = ft.agent("cheating-uct(iterations=10)", game)
    assert cheat.act(table).move in table.legal()
    with pytest.raises(ft.InputError, match="true state"):
        cheat.act(table.infoset())


@pytest.mark.parametrize(
    "call",
    [
        lambda: ft.game("no-such-game"),
        lambda: ft.game("kuhn-poker(cards=x)"),
        lambda: ft.game("kuhn-poker").table(moves="nonsense"),
        lambda: ft.game("kuhn-poker").table(chance="sometimes"),
        lambda: ft.game("kuhn-poker").table(seed=1).play("raise-the-roof"),
        lambda: ft.game("kuhn-poker").table(seed=1).infoset(7),
        lambda: ft.game("rock-paper-scissors").table().play("rock"),
        lambda: ft.game("rock-paper-scissors").table().play({0: "rock"}),
        lambda: ft.game("rock-paper-scissors").table().legal(),
        lambda: ft.agent("no-such-agent", ft.game("nim")),
        lambda: ft.agent("uct", ft.game("kuhn-poker")),
        lambda: ft.agent("random", ft.game("nim")).act(ft.game("kuhn-poker").table(seed=1)),
        lambda: ft.agent("random", ft.game("nim")).act("not a position"),
        lambda: ft.agent("random", ft.game("kuhn-poker")).act(ft.game("kuhn-poker").table(seed=1).infoset(1)),
        lambda: ft.agent("mo-ismcts", ft.game("nim")).act(ft.game("nim").table(), time=-1.0),
        lambda: ft.agent("mo-ismcts", ft.game("nim")).act(ft.game("nim").table(), time=float("nan")),
        lambda: ft.agent("mo-ismcts", ft.game("nim")).act(ft.game("nim").table(), iterations=0),
        lambda: ft.match(ft.game("nim"), ["random"]),
        lambda: ft.match(ft.game("nim"), ["random", "no-such-agent"]),
        lambda: ft.match(ft.game("nim")),
        lambda: ft.match(ft.game("nim"), ["random", "random"], record="/no/such/folder/file"),
        lambda: ft.solve(ft.game("kuhn-poker"), "no-such-solver"),
        lambda: ft.solve(ft.game("hearts"), "cfr+"),
        lambda: ft.solve(ft.game("kuhn-poker"), target=-1.0),
        lambda: ft.exploit(ft.game("kuhn-poker"), lambda info: [1.0]),
        lambda: ft.exploit(ft.game("kuhn-poker"), lambda info: [2.0, -1.0]),
        lambda: ft.strategy(ft.game("kuhn-poker"), "no-such-file.json"),
        lambda: ft.experiment("no-such-file.toml"),
        lambda: ft.about("no-such-thing"),
        lambda: ft.game("hearts").to_efg(nodes=1000),
        lambda: ft.game("stratego").table(seed=1).infoset(0).game.move_number("zz"),
        lambda: ft.play("kuhn-poker", player=5),
    ],
)
def test_bad_input_has_a_clear_error(call: object) -> None:
    with pytest.raises(ft.InputError) as caught:
        call()  # type: ignore[operator]
    assert str(caught.value) and "panick" not in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ft.game(7),
        lambda: ft.agent("random", "nim"),
        lambda: ft.game("nim").table(seed="x"),
        lambda: ft.game("nim").table(seed=-1),
        lambda: ft.game("kuhn-poker").table(seed=1).play(3),
        lambda: ft.match("nim", ["random", "random"]),
        lambda: ft.match(ft.game("nim"), ["random", "random"], games="many"),
    ],
)
def test_wrong_types_are_refused(call: object) -> None:
    with pytest.raises((TypeError, OverflowError, ft.InputError)):
        call()  # type: ignore[operator]


def test_illegal_moves_change_nothing() -> None:
    table = ft.game("kuhn-poker").table(seed=1)
    before = table.history
    with pytest.raises(ft.InputError):
        table.play("fold")
    assert table.history == before


def test_exceptions_of_watchers_end_the_search() -> None:
    game = ft.game("spades")

    def complain(progress: dict[str, object]) -> None:
        raise KeyError("enough")

    agent = ft.agent("mo-ismcts", game)
    began = time.monotonic()
    with pytest.raises(KeyError, match="enough"):
        agent.act(game.table(seed=1), time=20.0, watch=complain)
    assert time.monotonic() - began < 5
    assert agent.act(game.table(seed=1), iterations=10).iterations == 10


def test_searches_release_the_lock() -> None:
    game = ft.game("spades")
    counted = 0
    agent, table = ft.agent("mo-ismcts", game), game.table(seed=1)
    search = threading.Thread(target=lambda: agent.act(table, time=0.5))
    search.start()
    while search.is_alive():
        counted += 1
    assert counted > 10_000


def test_an_agent_in_use_is_refused_to_others() -> None:
    game = ft.game("spades")
    agent, table = ft.agent("mo-ismcts", game), game.table(seed=1)
    search = threading.Thread(target=lambda: agent.act(table, time=0.5))
    search.start()
    time.sleep(0.2)
    with pytest.raises(ft.InputError, match="thinking"):
        agent.act(table, iterations=1)
    search.join()
    agent.act(table, iterations=1)


def run(script: str, interrupt_after: str | None = None) -> tuple[int, str, float]:
    """Runs a script; interrupts it once it has printed a line. Returns its code, its output and how long it took after.

    Where these tests are run in the background, SIGINT is ignored, and who is started inherits that: hence its default.
    """
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    if interrupt_after is not None:
        assert process.stdout.readline().strip() == interrupt_after
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
    began = time.monotonic()
    try:
        text = process.communicate(timeout=60)[0]
    finally:
        process.kill()
    return process.returncode, text, time.monotonic() - began


@pytest.mark.parametrize(
    "work",
    [
        "while True: ft.agent('mo-ismcts', ft.game('spades')).act(ft.game('spades').table(seed=1), time=0.05)",
        "ft.agent('mo-ismcts', ft.game('spades')).act(ft.game('spades').table(seed=1).infoset(), time=60.0)",
        "ft.match(ft.game('hearts'), ['mo-ismcts(time=5s)'] * 4, games=100)",
        "ft.solve(ft.game('leduc-poker'), 'cfr', iterations=10**9)",
        "ft.exploit(ft.game('leduc-poker'), 'mo-ismcts(iterations=100000)')",
    ],
)
def test_ctrl_c_ends_long_work(work: str) -> None:
    script = f"""
        import fogtree as ft
        print("go")
        try:
            {work}
        except KeyboardInterrupt:
            print("interrupted")
    """
    code, text, seconds = run(script, interrupt_after="go")
    assert (code, text.strip()) == (0, "interrupted")
    assert seconds < 5


def test_the_interpreter_may_end_during_a_search() -> None:
    script = """
        import threading, time, fogtree as ft
        game = ft.game("spades")
        work = lambda: ft.agent("mo-ismcts", game).act(game.table(seed=1), time=60.0, watch=lambda p: None)
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
        print("end")
    """
    code, text, seconds = run(script)
    assert (code, text.strip()) == (0, "end")
    assert seconds < 10


def test_matches_count_as_the_program_does(tmp_path: Path) -> None:
    game = ft.game("kuhn-poker")
    record = tmp_path / "games.jsonl"
    counted: list[int] = []
    result = ft.match(game, ["mo-ismcts(iterations=20)", "random"], games=50, seed=1, record=record, progress=counted.append)
    again = ft.match(game, ["mo-ismcts(iterations=20)", "random"], games=50, seed=1, threads=1)
    figures = ["wins", "draws", "losses", "mean_reward"]
    assert [[a[f] for f in figures] for a in result.agents] == [[a[f] for f in figures] for a in again.agents]
    assert counted == list(range(1, 51))
    assert record.read_text().count("fogtree-record") == 50
    assert list(result.frame()["agent"]) == ["mo-ismcts(iterations=20)", "random"]
    assert "mo-ismcts" in repr(result) and "<table>" in result._repr_html_()


def test_roles() -> None:
    result = ft.match(ft.game("resistance"), roles={"spies": "random", "resistance": "random"}, games=4)
    assert {agent["role"] for agent in result.agents} == {"spies", "resistance"}


def test_solutions_are_right() -> None:
    """Values that others have found: Kuhn (1950) -1/18, OpenSpiel's Leduc -0.0856."""
    kuhn, leduc = ft.game("kuhn-poker"), ft.game("leduc-poker")
    solution = ft.solve(kuhn, "cfr+", iterations=2000)
    assert solution.value == pytest.approx(-1 / 18, abs=1e-4)
    assert solution.exploitability is not None and solution.exploitability < 1e-3
    assert ft.solve(leduc, "cfr+", iterations=500).value == pytest.approx(-0.0856, abs=2e-3)
    assert ft.exploit(kuhn, solution).exploitability == pytest.approx(solution.exploitability, abs=1e-9)
    assert solution.curve[-1]["iterations"] == 2000


def test_strategies_go_through_files(tmp_path: Path) -> None:
    game = ft.game("kuhn-poker")
    found = ft.solve(game, iterations=500)
    path = tmp_path / "kuhn.json"
    found.strategy.save(path)
    read = ft.strategy(game, path)
    assert float(ft.exploit(game, read)) == pytest.approx(found.exploitability, abs=1e-9)
    agent = ft.agent(f"strategy(file={path})", game)
    assert agent.act(game.table(seed=1)).move in ("check", "bet")
    for info in ft.infosets(game):
        expected = found.strategy.probabilities(info)
        assert expected is not None
        np.testing.assert_allclose(read.probabilities(info), expected)


def test_a_policy_of_ones_own_is_exploited() -> None:
    """Always betting and calling in Kuhn poker loses 1/3 to a best response: fold the jack (-1), call with the queen
    (0 on average), win 2 with the king. Against itself it earns 0."""
    game = ft.game("kuhn-poker")

    def bold(info: ft.InfoSet) -> list[float]:
        return [float(name in ("bet", "call")) for name in info.legal]

    found = ft.exploit(game, bold)
    uniform = ft.exploit(game, lambda info: [1 / len(info.legal)] * len(info.legal))
    assert found.nash_conv == pytest.approx(2 / 3)
    assert uniform.nash_conv == pytest.approx(11 / 12)  # as OpenSpiel says


def test_experiments_run_and_go_on(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(
        'title = "small"\nseed = 1\n\n[[cells]]\ngame = "kuhn-poker"\nseats = ["random", "first-legal"]\ngames = 20\n'
    )
    out = tmp_path / "out"
    told: list[tuple[int, int]] = []
    experiment = ft.experiment(file, out=out).run(progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (20, 20)
    assert experiment.summary()[0]["done"] == 20
    assert len(experiment.frame()) > 0
    assert "<html" in experiment.report()
    assert ft.experiment(file, out=out).run().summary()[0]["done"] == 20


def test_people_play(capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["nonsense", "hint", *["1"] * 20])
    table = ft.play("connect-four", against="random", seed=1, ask=lambda prompt: next(answers, "quit"))
    assert isinstance(table, ft.Table)
    said = capsys.readouterr().out
    assert "not among the legal moves" in said and table.steps > 0


def test_one_act_costs_little() -> None:
    """An act costs below 50 us beside the search itself, which is one iteration here. Batches are shorter than the time
    slices of a busy machine, so that some are not interrupted."""
    game = ft.game("leduc-poker")
    agent, info = ft.agent("mo-ismcts(iterations=1)", game), game.table(seed=1).infoset(0)
    assert min(_time(lambda: agent.act(info), 20) for _ in range(200)) < 50e-6


def _time(call: object, times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        call()  # type: ignore[operator]
    return (time.perf_counter() - began) / times


def test_efg_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.efg"
    path.write_text(ft.game("kuhn-poker").to_efg())
    tree = ft.game(f"tree(file={path})")
    assert ft.solve(tree, iterations=1000).value == pytest.approx(-1 / 18, abs=1e-3)


