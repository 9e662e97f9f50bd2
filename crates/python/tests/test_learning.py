"""Environments for learning: PettingZoo's and Gymnasium's own tests, and many tables at once beside one by one."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import fogtree as ft
from fogtree._learning import games_with_tensors

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402

from fogtree.gymnasium import env as gym_env  # noqa: E402
from fogtree.pettingzoo import AEC, aec_env, parallel_env  # noqa: E402

GAMES = games_with_tensors()
SIMULTANEOUS = [name for name in GAMES if ft.game(name).facts["simultaneous"]]
EXAMPLES = Path(__file__).parents[3] / "examples" / "python"
# PettingZoo knows by name which environments have dictionaries for observations, as those with masks have.
KNOWN = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


def test_there_are_games() -> None:
    assert len(GAMES) >= 27 and len(SIMULTANEOUS) >= 8


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_accepts_every_game(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(aec_env(name), num_cycles=30)
    assert not [w for w in caught if not str(w.message).startswith(KNOWN)]
    seed_test(lambda: aec_env(name), num_cycles=50)


@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_pettingzoo_accepts_simultaneous_games(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(name), num_cycles=100)
    parallel_seed_test(lambda: parallel_env(name), num_cycles=20)


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_accepts_every_game(name: str) -> None:
    made = gymnasium.make(f"fogtree/{name}-v0", disable_env_checker=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made.unwrapped)


def test_gymnasium_accepts_every_seat() -> None:
    for player in (0, 1, "random"):
        check_env(gym_env("leduc-poker", opponents=["mo-ismcts(iterations=5)"], player=player), skip_render_check=True)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("serial", [False, True])
def test_many_tables_are_like_one(name: str, serial: bool) -> None:
    """Each game of a vector, played again at a table with its seed: equal masks, tensors, turns and rewards."""
    game, count = ft.game(name), 3
    if serial and not game.facts["simultaneous"]:
        pytest.skip("moves are made one after the other anyway")
    joint = game.facts["simultaneous"] and not serial
    tables = ft.vector(game, count, seed=5, serial=serial)
    alone, ended = [game.table(seed=int(seed)) for seed in tables.seeds], 0
    chosen: list[dict[int, int]] = [{} for _ in range(count)]
    assert tables.observations is not None
    for _ in range(150):
        for i, at in enumerate(alone):
            waiting = [p for p in at.to_move if p not in chosen[i]]
            shown = waiting if joint else waiting[:1]
            assert [bool(b) for b in tables.to_move[i]] == [p in shown for p in range(game.players)]
            for player in shown:
                info, place = at.infoset(player), (i, player) if joint else (i,)
                np.testing.assert_array_equal(np.flatnonzero(tables.legal_mask[place]), info.legal_numbers)
                np.testing.assert_array_equal(tables.observations[place], info.tensor())
            assert tables.current_player[i] == (shown[0] if len(shown) == 1 else -1)
        moves = tables.random_moves()
        tables.step(moves)
        for i, at in enumerate(alone):
            waiting = [p for p in at.to_move if p not in chosen[i]]
            for player in waiting if joint else waiting[:1]:
                chosen[i][player] = int(moves[i, player] if joint else moves[i])
            if len(chosen[i]) == len(at.to_move):
                at.play(chosen[i])
                chosen[i] = {}
            assert tables.done[i] == at.is_over
            earned = np.zeros(game.players) if at.rewards is None else at.rewards
            np.testing.assert_allclose(tables.rewards[i], earned, rtol=1e-6)
            if at.is_over:
                ended += 1
                alone[i] = game.table(seed=int(tables.seeds[i]))
    assert ended or game.facts["max_length"] * (game.players if serial else 1) > 150


def test_vectors_repeat_with_any_number_of_threads() -> None:
    def run(threads: int) -> list[np.ndarray]:
        tables = ft.vector(ft.game("hearts"), 7, seed=3, threads=threads)
        tables.step_random(300)
        return [tables.rewards, tables.observations, tables.legal_mask, tables.seeds]  # type: ignore[list-item]

    for one, several in zip(run(1), run(3)):
        np.testing.assert_array_equal(one, several)


def test_choices_made_at_once_stay_hidden() -> None:
    """What player 1 observes is the same, whatever player 0 has chosen just before."""
    seen = []
    for move in (0, 3):
        env = aec_env("goofspiel(cards=4)")
        env.reset(seed=1)
        env.step(move)
        assert env.agent_selection == "player_1" and not env.observe("player_0")["action_mask"].any()
        seen.append(env.observe("player_1"))
        env.step(1)
        assert env.observe("player_0")["action_mask"].sum() == 3
    np.testing.assert_equal(seen[0], seen[1])


def test_rewards_are_those_of_the_table() -> None:
    """Player 0 bets with whatever it has, player 1 folds: 1 and -1."""
    game = ft.game("kuhn-poker")
    env = aec_env(game)
    env.reset(seed=1)
    env.step(game.move_number("bet"))
    env.step(game.move_number("fold"))
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0} and all(env.terminations.values())
    told = {}
    for agent in env.agent_iter():
        told[agent] = env.last()[1]
        env.step(None)
    assert told == {"player_0": 1.0, "player_1": -1.0}


def test_illegal_moves_end_the_game() -> None:
    game = ft.game("kuhn-poker")
    fold = game.move_number("fold")
    env = aec_env(game)
    env.reset(seed=1)
    env.step(fold)
    assert all(env.terminations.values()) and env.rewards == {"player_0": -2.0, "player_1": 0}
    bare = AEC(game)
    bare.reset(seed=1)
    with pytest.raises(ft.InputError):
        bare.step(fold)
    together = parallel_env("goofspiel(cards=4)", illegal_reward=-5)
    together.reset(seed=1)
    together.step({"player_0": 0, "player_1": 0})
    _, rewards, terminated, _, _ = together.step({"player_0": 0, "player_1": 1})
    assert rewards == {"player_0": -5, "player_1": 0} and all(terminated.values()) and not together.agents
    one = gym_env(game)
    one.reset(seed=1)
    _, reward, terminated_, _, info = one.step(fold)
    assert (reward, terminated_, info["illegal_move"]) == (-2.0, True, True)


def test_a_seat_earns_what_it_should() -> None:
    """Kuhn poker against somebody who always checks and folds: a bet wins 1, whoever makes it."""
    game = ft.game("kuhn-poker")
    for player in (0, 1):
        env = gym_env(game, "first-legal", player=player)
        for seed in range(20):
            _, info = env.reset(seed=seed)
            assert info["player"] == player and env.action_masks().sum() == 2
            bet = game.move_number("bet")
            if player == 0 or info["action_mask"][bet]:
                _, reward, over, _, _ = env.step(bet)
                answer = env.table.history[-1]
                assert over and (reward == 1.0 if answer == "fold" else abs(reward) == 2.0)
                assert reward == env.table.rewards[player]


def test_the_position_is_rendered() -> None:
    for make in (lambda mode: aec_env("tron", render_mode=mode), lambda mode: parallel_env("tron", render_mode=mode)):
        for mode, start in (("ansi", ""), ("svg", "<svg")):
            env = make(mode)
            env.reset(seed=1)
            text = env.render()
            assert text and text.startswith(start)
    env = gym_env("leduc-poker", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.table.view(0)


def stepped(moves: object) -> None:
    tables = ft.vector(ft.game("connect-four"), 2, seed=1)
    tables.step(moves)  # type: ignore[arg-type]


def after_reset(env: object, use: Callable[[object], object]) -> None:
    env.reset(seed=1)  # type: ignore[attr-defined]
    use(env)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: aec_env("saboteur"), "observation tensors.*leduc|observation tensors.*hearts"),
        (lambda: gym_env("tubstap"), "observation tensors"),
        (lambda: aec_env("no-such-game"), "no-such-game"),
        (lambda: aec_env("hearts", render_mode="human"), "ansi"),
        (lambda: parallel_env("leduc-poker"), "aec_env"),
        (lambda: parallel_env("tron").step({}), "reset"),
        (lambda: after_reset(parallel_env("tron"), lambda env: env.step({"player_0": 0})), "player_1"),
        (lambda: after_reset(AEC("leduc-poker"), lambda env: env.step("check")), "whole number"),
        (lambda: after_reset(AEC("leduc-poker"), lambda env: env.step(None)), "whole number"),
        (lambda: after_reset(AEC("tron"), lambda env: env.step(-1)), "may not make move -1"),
        (lambda: gym_env("leduc-poker", player=2), "player"),
        (lambda: gym_env("leduc-poker", []), "opponents"),
        (lambda: gym_env("leduc-poker", "no-such-agent"), "no-such-agent"),
        (lambda: gym_env("leduc-poker").step(0), "reset"),
        (lambda: ft.vector(ft.game("tubstap"), 1, observe=True), "tensors"),
        (lambda: ft.vector(ft.game("tron"), 0), "count"),
        (lambda: ft.vector(ft.game("tron"), 1, threads=0), "threads"),
        (lambda: stepped([0]), "shape"),
        (lambda: stepped([0.0, 1.0]), "whole numbers"),
        (lambda: stepped([0, 7]), "table 1"),
        (lambda: stepped([0, -1]), "table 1"),
        (lambda: stepped([2**40, 0]), "table 0"),
        (lambda: ft.game("kuhn-poker").table(seed=1).play(ft.game("kuhn-poker").move_number("fold")), "check"),
        (lambda: ft.game("kuhn-poker").table(seed=1).play(2**31), "not"),
        (lambda: ft.game("kuhn-poker").table(chance="manual").play(0), "chance"),
        (lambda: ft.game("rock-paper-scissors").table().play("rock", 1), "by name or all by number"),
    ],
)
def test_bad_input_has_a_clear_error(call: Callable[[], object], said: str) -> None:
    with pytest.raises(ft.InputError, match=said):
        call()


def test_what_is_missing_is_said() -> None:
    script = """if True:
        import sys
        sys.modules["{module}"] = None
        import fogtree as ft
        try:
            ft.{module}
        except ImportError as why:
            assert "pip install 'fogtree[learning]'" in str(why), why
        else:
            raise SystemExit("no error")
    """
    for module in ("pettingzoo", "gymnasium"):
        subprocess.run([sys.executable, "-c", script.format(module=module)], check=True)


def test_self_play_learns() -> None:
    """In twelve seconds of CPU time it comes below 60 % of what uniform play loses, 2.37."""
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / "leduc_selfplay.py"), "--minutes", "0.2"],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    reached = {line[:12]: float(line.split()[-1]) for line in result.stdout.splitlines() if line[:4] in ("unif", "this")}
    assert reached["uniform play"] == pytest.approx(2.3736, abs=1e-3)
    assert reached["this network"] < 0.6 * 2.3736
