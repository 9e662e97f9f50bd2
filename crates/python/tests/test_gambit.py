"""Games to and from Gambit."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

gambit = pytest.importorskip("pygambit", reason="Gambit is not installed: pip install pygambit")

import fogtree as ft  # noqa: E402
from fogtree.gambit import from_gambit, profile, to_gambit  # noqa: E402


def card_game() -> Any:
    """Myerson (1991), figure 2.1: Alice sees a card and may raise, Bob may meet. Its value is 1/3."""
    game = gambit.Game.new_tree(players=["Alice", "Bob the other"], title='A "card" game')
    game.append_move(game.root, game.players.chance, ["red card", "black card"])
    for node, label in zip(game.root.children, ["holds red", "holds black"]):
        game.append_move(node, "Alice", ["raise", "fold"])
        node.infoset.label = label
    (red, red_fold), (black, black_fold) = (list(node.children) for node in game.root.children)
    game.append_move([red, black], "Bob the other", ["meet", "pass"])
    (red_met, red_passed), (black_met, black_passed) = list(red.children), list(black.children)
    ends_by_value = {2: [red_met], 1: [red_passed, black_passed, red_fold], -1: [black_fold], -2: [black_met]}
    for value, ends in ends_by_value.items():
        outcome = game.add_outcome(str(value), [value, -value])
        for end in ends:
            game.set_outcome(end, outcome)
    return game


def value(game: Any) -> Fraction:
    """What the first player earns in an equilibrium that Gambit finds by Lemke's algorithm, exactly."""
    payoff = gambit.nash.lcp_solve(game, rational=True).equilibria[0].payoff(next(iter(game.players)))
    return Fraction(int(payoff.numerator), int(payoff.denominator))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("kuhn-poker", Fraction(-1, 18)),                   # Kuhn (1950)
        ("liars-dice(faces=2)", Fraction(1, 2)),            # OpenSpiel's tree by a linear program
        ("rock-paper-scissors", Fraction(0)),
    ],
)
def test_gambit_solves_our_games(spec: str, expected: Fraction) -> None:
    game = to_gambit(ft.game(spec))
    assert game.is_perfect_recall
    assert value(game) == expected


def test_a_game_made_in_gambit_comes_back() -> None:
    game = card_game()
    assert value(game) == Fraction(1, 3)
    ours = from_gambit(game)
    solution = ft.solve(ours, "sequence-lp")
    assert solution.value == pytest.approx(1 / 3, abs=1e-9)
    labels = [event for info in ft.infosets(ours) for event in info.events]
    assert any("holds red" in what for _, what in labels)
    again = to_gambit(ours)
    assert value(again) == Fraction(1, 3)
    assert sum(infoset.label.endswith(("'holds red'", "'holds black'")) for infoset in again.infosets) == 2


def test_what_was_solved_here_is_an_equilibrium_there() -> None:
    """Alice always raises with red, with black a third of the time; Bob meets two thirds of the time."""
    game = card_game()
    found = profile(game, ft.solve(from_gambit(game), "sequence-lp"))
    assert found.payoff("Alice") == pytest.approx(1 / 3, abs=1e-9)
    assert found.max_regret() == pytest.approx(0, abs=1e-9)
    plays = {infoset.label: float(found[next(iter(infoset.actions))]) for infoset in game.infosets}
    assert plays == pytest.approx({"holds red": 1, "holds black": 1 / 3, "": 2 / 3}, abs=1e-9)


def test_games_in_strategic_form() -> None:
    """Chicken, not zero-sum, and a game of three players: every profile has the same payoffs."""
    chicken = gambit.Game.from_arrays([[0, 4], [1, 3]], [[0, 1], [4, 3]], title='"chicken" \\ 1')
    for player, label in zip(chicken.players, ["row", "column player"]):
        player.label = label
    three = gambit.Game.new_table([2, 3, 2], title="three")
    for at, entry in enumerate(three.contingencies):
        for number, player in enumerate(three.players):
            three[entry][player] = gambit.Rational(7 * at % 5 + number, 3)
    for game in (chicken, three):
        table = from_gambit(game).table()
        for entry in game.contingencies:
            end = table.fork()
            for strategy in entry:
                end.play(end.legal()[strategy])
            assert end.rewards is not None
            assert list(end.rewards) == pytest.approx([float(game[entry][player]) for player in game.players])
        infosets = ft.infosets(table.game)
        assert sorted(info.player for info in infosets) == list(range(len(game.players)))


def test_games_from_gambit_pickle_and_are_searched() -> None:
    game = pickle.loads(pickle.dumps(from_gambit(card_game())))
    table = game.table(seed=1)
    assert ft.agent("mo-ismcts(iterations=200)", game).act(table).move in table.legal()
    assert ft.match(game, ["mo-ismcts(iterations=50)", "random"], games=10).games == 10


def test_no_file_is_left_behind(tmp_path: Path) -> None:
    script = (
        "import fogtree as ft\n"
        "game = ft.gambit.from_gambit(ft.gambit.to_gambit(ft.game('kuhn-poker')))\n"
        "print(game.spec)"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) in done.stdout and list(tmp_path.iterdir()) == []


def test_what_cannot_be_converted_is_refused() -> None:
    with pytest.raises(ft.InputError, match="cannot be written as a tree"):
        to_gambit(ft.game("hearts"), nodes=1000)
    with pytest.raises(ft.InputError, match="expected a pygambit.Game"):
        from_gambit("kuhn")
    with pytest.raises(ft.InputError, match="is a tree"):
        profile(gambit.Game.new_table([2, 2]), ft.solve(ft.game("kuhn-poker"), iterations=10))
    forgetful = gambit.Game.new_tree(players=["one"])
    forgetful.append_move(forgetful.root, "one", ["a", "b"])
    forgetful.append_move(list(forgetful.root.children), "one", ["c", "d"])
    with pytest.raises(ft.InputError, match="(?i)recall|forget|remember"):
        from_gambit(forgetful)
