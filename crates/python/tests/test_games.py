"""Games written in Python, against ours and against what is known of them; what is said of games that are wrong."""

from __future__ import annotations

import dataclasses
import enum
import importlib
import pickle
import random
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fogtree as ft

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "python"


class Kuhn(ft.PythonGame):
    """Kuhn (1950)."""

    players, utility, utility_bounds, max_length, hidden_moves = 2, "zero-sum", (-2, 2), 5, False

    def start(self) -> Any:
        return ()

    def turn(self, state: Any) -> Any:
        if len(state) < 2:
            return ft.CHANCE
        over = state[2:] in {("check", "check"), ("bet", "fold"), ("bet", "call")} or len(state) == 5
        return ft.TERMINAL if over else len(state) % 2

    def chance(self, state: Any) -> Any:
        left = [card for card in "JQK" if card not in state]
        return [(card, 1 / len(left)) for card in left]

    def actions(self, state: Any, player: int) -> Any:
        return ["fold", "call"] if state[-1] == "bet" else ["check", "bet"]

    def apply(self, state: Any, move: Any) -> Any:
        return (*state, move)

    def observe(self, state: Any, move: Any, player: int) -> Any:
        return move if len(state) > 1 or player == len(state) else "a card"

    def rewards(self, state: Any) -> Any:
        high = 1 if "JQK".index(state[0]) > "JQK".index(state[1]) else -1
        won = {"fold": 1 if len(state) == 4 else -1, "call": 2 * high, "check": high}[state[-1]]
        return [won, -won]


class Leduc(ft.PythonGame):
    """Southey et al. (2005): two suits of three ranks, two rounds of at most two raises, of 2 and of 4."""

    players, utility, utility_bounds, max_length = 2, "zero-sum", (-13, 13), 11

    def start(self) -> Any:
        return {"cards": [], "rounds": [[]]}

    def turn(self, state: Any) -> Any:
        rounds = state["rounds"]
        if len(state["cards"]) < 1 + len(rounds):
            return ft.CHANCE
        if rounds[-1][-1:] == ["fold"] or len(rounds) == 3:
            return ft.TERMINAL
        return len(rounds[-1]) % 2

    def chance(self, state: Any) -> Any:
        deck = [rank + suit for rank in "JQK" for suit in "12"]
        return [(card, 1 / (6 - len(state["cards"]))) for card in deck if card not in state["cards"]]

    def actions(self, state: Any, player: int) -> Any:
        bets = [move for move in state["rounds"][-1] if move != "check"]
        return ["check", "bet"] if not bets else ["fold", "call"] + ["raise"] * (len(bets) == 1)

    def apply(self, state: Any, move: Any) -> Any:
        cards, rounds = list(state["cards"]), [list(moves) for moves in state["rounds"]]
        if self.turn(state) == ft.CHANCE:
            return {"cards": [*cards, move], "rounds": rounds}
        rounds[-1].append(move)
        if move == "call" or rounds[-1] == ["check", "check"]:
            rounds.append([])
            if len(rounds) == 3:
                cards.append("end")
        return {"cards": cards, "rounds": rounds}

    def observe(self, state: Any, move: Any, player: int) -> Any:
        return None if len(state["cards"]) < 2 and player != len(state["cards"]) else move

    def rewards(self, state: Any) -> Any:
        paid = [1, 1]
        for size, moves in zip((2, 4), state["rounds"]):
            for i, move in enumerate(moves):
                if move in ("bet", "raise", "call"):
                    paid[i % 2] = max(paid) + (0 if move == "call" else size)
        if state["rounds"][-1][-1:] == ["fold"]:
            loser = (len(state["rounds"][-1]) - 1) % 2
        else:
            worth = [(card[0] == state["cards"][2][0], "JQK".index(card[0])) for card in state["cards"][:2]]
            if worth[0] == worth[1]:
                return [0, 0]
            loser = 1 if worth[0] > worth[1] else 0
        won = paid[loser] * (1 if loser else -1)
        return [won, -won]


class TicTacToe(ft.PythonGame):
    """Everybody sees everything."""

    players, utility, utility_bounds, max_length = 2, "zero-sum", (-1, 1), 9
    moves = list(range(1, 10))
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def start(self) -> Any:
        return "." * 9

    def winner(self, state: Any) -> Any:
        return next((state[a] for a, b, c in self.lines if state[a] == state[b] == state[c] != "."), None)

    def turn(self, state: Any) -> Any:
        return ft.TERMINAL if self.winner(state) or "." not in state else state.count("x") - state.count("o")

    def actions(self, state: Any, player: int) -> Any:
        return [i + 1 for i, mark in enumerate(state) if mark == "."]

    def apply(self, state: Any, move: Any) -> Any:
        return state[: move - 1] + "xo"[self.turn(state)] + state[move:]

    def rewards(self, state: Any) -> Any:
        won = {"x": 1, "o": -1, None: 0}[self.winner(state)]
        return [won, -won]

    def show(self, state: Any, player: Any) -> str:
        return "\n".join(state[i : i + 3] for i in (0, 3, 6))


class Morra(ft.PythonGame):
    """Both show one or two fingers at the same time; the sum decides who is paid."""

    players, utility, utility_bounds, max_length, simultaneous = 2, "zero-sum", (-4, 4), 1, True

    def start(self) -> Any:
        return None

    def turn(self, state: Any) -> Any:
        return [0, 1] if state is None else ft.TERMINAL

    def actions(self, state: Any, player: int) -> Any:
        return {2, 1}

    def apply(self, state: Any, moves: Any) -> Any:
        return moves[0] + moves[1]

    def rewards(self, state: Any) -> Any:
        won = state if state % 2 == 0 else -state
        return [won, -won]


@pytest.mark.parametrize("theirs, ours, iterations", [(Kuhn, "kuhn-poker", 200), (Leduc, "leduc-poker", 10)])
def test_solutions_are_those_of_our_own_games(theirs: type[ft.PythonGame], ours: str, iterations: int) -> None:
    one, other = ft.game(theirs), ft.game(ours)
    assert len(ft.infosets(one)) == len(ft.infosets(other))
    a, b = (ft.solve(game, "cfr+", iterations=iterations) for game in (one, other))
    assert a.exploitability is not None and b.exploitability is not None
    assert abs(a.exploitability - b.exploitability) < 1e-9 and abs(a.value - b.value) < 1e-9
    assert one.facts["max_length"] == other.facts["max_length"]


@pytest.mark.parametrize("game", [Kuhn, Leduc, TicTacToe, Morra])
def test_good_games_pass(game: type[ft.PythonGame]) -> None:
    assert game.__name__ in ft.check(game, games=20)


def test_tic_tac_toe_is_a_draw() -> None:
    game = ft.game(TicTacToe)
    assert not game.facts["hidden"] and game.num_moves == 9
    assert ft.solve(game, "backward-induction").value == 0
    table = game.table(moves="1 2 5 3")
    assert ft.agent("uct", game, seed=1).act(table, iterations=500).move == "9"
    assert str(table) == "xoo\n.x.\n..."


def test_morra_has_its_value() -> None:
    """By hand: both show one finger with probability 7/12, and the first loses 1/12."""
    assert ft.solve(ft.game(Morra), "cfr+", iterations=3000).value == pytest.approx(-1 / 12, abs=1e-3)
    table = ft.game(Morra).table().play({0: "1", 1: "2"})
    assert table.rewards is not None and list(table.rewards) == [-3, 3]


@pytest.mark.parametrize("theirs", [Kuhn, Leduc, TicTacToe, Morra])
def test_matches_are_the_same_with_the_same_seed(theirs: type[ft.PythonGame]) -> None:
    def figures(threads: int) -> Any:
        result = ft.match(ft.game(theirs), ["mo-ismcts(iterations=30)", "random"], games=10, seed=3, threads=threads)
        return [[agent[f] for f in ("wins", "draws", "losses", "mean_reward")] for agent in result.agents]

    assert figures(1) == figures(2) == figures(1)


def test_everything_works_on_them() -> None:
    game = ft.game(Kuhn())
    table = game.table(seed=1)
    info = table.infoset(0)
    assert info.legal == sorted(info.legal) and set(info.legal) == {"check", "bet"}
    assert info.events == [("saw", info.events[0][1]), ("saw", "a card")]
    assert len({str(world) for world in info.sample(200, seed=1)}) == 2
    assert pickle.loads(pickle.dumps(info)) == info and pickle.loads(pickle.dumps(game)).spec == "Kuhn"
    again = pickle.loads(pickle.dumps(info))
    assert ft.agent("mo-ismcts(iterations=50)", game).act(again, tree=True).move in info.legal
    assert game.table(moves="J Q bet", chance="manual").legal() == ["call", "fold"]
    with pytest.raises(ft.InputError):
        game.table(moves="J J", chance="manual")
    assert ft.exploit(game, lambda info: [1 / len(info.legal)] * len(info.legal)).nash_conv == pytest.approx(11 / 12)
    assert game.to_efg().startswith("EFG 2 R")
    assert table.fork().play_random(seed=1).is_over and "fogtree-record" in table.record()
    for agent in ["oos(iterations=50)", "pimc(iterations=50)", "so-ismcts(iterations=50)", "cheating-uct(iterations=50)"]:
        assert ft.agent(agent, game, seed=1).act(table).move in info.legal


def test_an_agent_with_threads() -> None:
    game = ft.game(Leduc)
    assert ft.agent("mo-ismcts(iterations=60,threads=2)", game).act(game.table(seed=1)).iterations == 60


def test_a_pickled_information_set_is_read_by_another_process(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "import fogtree as ft\nfrom test_games import Kuhn\n\nclass Own(Kuhn):\n    pass\n"
    )
    script = """
        import pickle, sys
        sys.path[:0] = [{!r}, {!r}]
        import fogtree as ft
        if len(sys.argv) == 1:
            import own
            print(pickle.dumps(ft.game(own.Own).table(seed=1).play("bet").infoset(0)).hex())
        else:
            info = pickle.loads(bytes.fromhex(sys.argv[1]))
            table = info.game.table(seed=1).play("bet")
            print(info == table.infoset(0), info.sample(1)[0].to_move)
    """
    text = textwrap.dedent(script.format(str(tmp_path), str(Path(__file__).parent)))
    run = lambda *more: subprocess.run([sys.executable, "-c", text, *more], capture_output=True, text=True, check=True)
    assert run(run().stdout.strip()).stdout.strip() == "True (1,)"


class Side(enum.Enum):
    LEFT = 1
    RIGHT = 2


@dataclasses.dataclass(frozen=True)
class Board:
    cells: Any
    counts: Any


class Plain:
    def __init__(self, value: Any) -> None:
        self.value = value


VALUES: list[Any] = [
    0, 1, -1, 255, 256, -256, 2**62, 2**63, 2**200, -(2**200), 0.5, -0.5, float("inf"), "", "a", "ab", "a\0", "\0", "ä",
    b"", b"a", (), (1,), (1, 2), ((1,), 2), (1, (2,)), {}, {1: 2}, {"1": 2}, set(), {1}, {1, 2}, frozenset({"a"}),
    Side.LEFT, Side.RIGHT, Board((1,), {2: 3}), Board((1,), {2: 4}), Plain(1), Plain(2), Plain([1]),
    (None, None), ("a", "b"), ("ab",), ("a\0b",), np.array([[1, 2], [3, 4]]), np.array([1, 2, 3, 4]),
]  # fmt: skip


class Values(ft.PythonGame):
    """Chance draws a value; the player, who has not seen it, guesses which."""

    players, utility_bounds, max_length, hidden = 1, (0, 1), 2, True

    def start(self) -> Any:
        return "start"

    def turn(self, state: Any) -> Any:
        if isinstance(state, str) and state == "start":
            return ft.CHANCE
        return ft.TERMINAL if isinstance(state, dict) and "guess" in state else 0

    def chance(self, state: Any) -> Any:
        return [(i, 1 / len(VALUES)) for i in range(len(VALUES))]

    def actions(self, state: Any, player: int) -> Any:
        return range(len(VALUES))

    def apply(self, state: Any, move: Any) -> Any:
        return ["drawn", VALUES[move]] if isinstance(state, str) else {"guess": move, "drawn": state[1]}

    def observe(self, state: Any, move: Any, player: int) -> Any:
        return VALUES[move] if state == "start" else None

    def rewards(self, state: Any) -> Any:
        return [0]


def test_values_are_told_apart_by_their_contents() -> None:
    game = ft.game(Values)
    tables = [game.table(moves=str(i), chance="manual") for i in range(len(VALUES))]
    assert len({table.key(0) for table in tables}) == len(VALUES)
    assert all(table.infoset(0).events[0][1] for table in tables)
    words = {table.infoset(0).events[0][1] for table in tables}
    assert {"a", "(None, None)", "-256", "0.5", "(1, (2))", "{'1': 2}", "LEFT", "Board{'cells': (1), 'counts': {2: 3}}"} <= words


class Deals(ft.PythonGame):
    """A deal that is drawn, not listed, and worlds from the author. Who says whether its card is the higher wins."""

    players, utility, utility_bounds, max_length = 2, "zero-sum", (-1, 1), 2
    worlds = "particles"

    def start(self) -> Any:
        return ()

    def turn(self, state: Any) -> Any:
        return ft.CHANCE if not state else 0 if len(state) == 2 else ft.TERMINAL

    def sample_chance(self, state: Any, rng: random.Random) -> Any:
        deck = list(range(10))
        rng.shuffle(deck)
        return tuple(deck[:2])

    def actions(self, state: Any, player: int) -> Any:
        return ("higher", "lower")

    def apply(self, state: Any, move: Any) -> Any:
        return move if not state else (*state, move)

    def observe(self, state: Any, move: Any, player: int) -> Any:
        return move if state else move[player]

    def rewards(self, state: Any) -> Any:
        won = 1 if (state[0] > state[1]) == (state[2] == "higher") else -1
        return [won, -won]

    def information(self, state: Any, player: int) -> Any:
        return state[player : player + 1], state[2:], bool(state)

    def sample(self, information: Any, player: int, rng: random.Random) -> Any:
        (card,), said, _ = information if information[2] else ((None,), (), False)
        if card is None:
            return ()
        other = rng.choice([c for c in range(10) if c != card])
        return ((card, other) if player == 0 else (other, card)) + tuple(said)


def test_deals_that_are_drawn() -> None:
    game = ft.game(Deals)
    assert game.facts["chance"] == "sampled"
    assert "too large" in ft.check(Deals, games=20)
    agent = ft.agent("mo-ismcts(iterations=300)", game, seed=1)
    for seed in range(5):
        table = game.table(seed=seed)
        card = int(table.infoset(0).events[0][1])
        if card not in (4, 5):
            assert agent.act(table).move == ("higher" if card > 5 else "lower")
        deal = table.history[0]
        assert game.table(moves=deal, chance="manual").key(0) == table.key(0)


def test_random_numbers_are_as_random_as_pythons() -> None:
    drawn: list[Any] = []

    class Draws(Deals):
        def sample_chance(self, state: Any, rng: random.Random) -> Any:
            drawn.append((rng.random(), rng.getrandbits(0), rng.getrandbits(5), rng.getrandbits(200), rng.gauss(0, 1)))
            return super().sample_chance(state, rng)

    for _ in range(2):
        for seed in range(200):
            ft.game(Draws).table(seed=seed)
    assert drawn[:200] == drawn[200:] and len({row[3] for row in drawn}) == 200
    assert abs(float(np.mean([row[0] for row in drawn])) - 0.5) < 0.1
    assert {row[1] for row in drawn} == {0} and {row[2] for row in drawn} == set(range(32))
    assert max(row[3] for row in drawn).bit_length() > 190 and all(0 <= row[3] < 2**200 for row in drawn)


# Games that are wrong, and what is said of them.


class Leaks(Kuhn):
    def actions(self, state: Any, player: int) -> Any:
        return ["fold", "call"] if state[-1] == "bet" else ["check", "bet"] if state[1] != "J" else ["check"]


class Merges(Kuhn):
    def observe(self, state: Any, move: Any, player: int) -> Any:
        return "something"


class Poor(Kuhn):
    def rewards(self, state: Any) -> Any:
        return [1]


class Unfair(Kuhn):
    def rewards(self, state: Any) -> Any:
        return [1, 1]


class TooMuch(Kuhn):
    def rewards(self, state: Any) -> Any:
        return [7, -7]


class Loaded(Kuhn):
    def chance(self, state: Any) -> Any:
        return [("J", 0.5), ("Q", 0.4)]


class Mutates(Leduc):
    def apply(self, state: Any, move: Any) -> Any:
        if self.turn(state) == ft.CHANCE:
            state["cards"].append(move)
            return state
        return super().apply(state, move)


class Short(Kuhn):
    max_length = 3


class Stuck(Kuhn):
    def actions(self, state: Any, player: int) -> Any:
        return [] if state[-1] == "bet" else ["check", "bet"]


class Twice(Kuhn):
    def actions(self, state: Any, player: int) -> Any:
        return ["call", "call"] if state[-1] == "bet" else ["check", "bet"]


class Mistaken(Deals):
    def sample(self, information: Any, player: int, rng: random.Random) -> Any:
        state = super().sample(information, player, rng)
        return (9 - state[0], *state[1:]) if state else state


class Declares(Kuhn):
    hidden_moves = True


class Biased(Kuhn):
    def information(self, state: Any, player: int) -> Any:
        return state[player : player + 1], state[2:], len(state)

    def sample(self, information: Any, player: int, rng: random.Random) -> Any:
        own, said, size = information
        others = [card for card in "JQK" if card not in own]
        cards = [*own, others[0] if rng.random() < 0.9 else others[1]] if own else others
        return (*(cards if player == 0 else cards[::-1]), *said)[:size] if size > 1 or not own else tuple(own)[:size]


@pytest.mark.parametrize(
    "game, said",
    [
        (Leaks, "depends only on what it knows"),
        (Merges, "knows"),
        (Poor, r"rewards\(\) returned \[1\]: expected 2 numbers .after '[JQK] "),
        (Unfair, "add up"),
        (TooMuch, "within the declared range"),
        (Loaded, "sum to 1"),
        (Mutates, r"apply\(\) changed the state .*\n?.*at the start"),
        (Short, "declared number of steps"),
        (Stuck, r"actions\(\) returned \[\] for player \d: expected at least one move .after '[JQK] [JQK] "),
        (Twice, "every move once"),
        (Mistaken, "In a drawn world the observer knows what it knew"),
        (Declares, "if and only if the facts say so"),
        (Biased, "come as often as chance makes them|Worlds"),
    ],
)
def test_broken_games_are_told_what_is_wrong(game: type[ft.PythonGame], said: str) -> None:
    with pytest.raises(ft.CheckError, match=said) as caught:
        ft.check(game, games=30)
    assert isinstance(caught.value, AssertionError) and game.__name__ in str(caught.value)


class Fails(Kuhn):
    moves = ["check", "bet", "fold", "call"]

    def __init__(self, method: str, value: Any = ZeroDivisionError) -> None:
        def wrong(*args: Any) -> Any:
            if method in ("start", "turn", "chance") or args and len(args[0]) > 1:
                if value is ZeroDivisionError:
                    raise ZeroDivisionError(f"in {method}")
                return value
            return getattr(Kuhn, method)(self, *args)

        self._wrong = wrong
        self._method = method

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_") and name == self._method:
            return self._wrong
        return super().__getattribute__(name)


CALLERS = {
    "act": lambda game: ft.agent("mo-ismcts(iterations=100)", game).act(game.table(seed=1)),
    "act for long": lambda game: ft.agent("mo-ismcts", game).act(game.table(seed=1), time=20.0),
    "threads": lambda game: ft.agent("mo-ismcts(iterations=20000,threads=2)", game).act(game.table(seed=1)),
    "match": lambda game: ft.match(game, ["mo-ismcts(iterations=20)", "random"], games=100000, threads=2),
    "solve": lambda game: ft.solve(game, iterations=10),
    "exploit": lambda game: ft.exploit(game, "random"),
    "infosets": lambda game: ft.infosets(game),
    "play": lambda game: game.table(seed=1).play_random(seed=1).rewards,
    "sample": lambda game: game.table(seed=1).infoset(0).sample(10) and game.table(seed=1).play_random().rewards,
    "vector": lambda game: [v.step(v.random_moves()) for v in [ft.vector(game, 4, seed=1)] * 10],
    "efg": lambda game: game.to_efg(),
}


@pytest.mark.parametrize("method", ["start", "turn", "actions", "chance", "apply", "observe", "rewards"])
@pytest.mark.parametrize("caller", [*CALLERS, "check"])
def test_exceptions_of_games_are_raised(method: str, caller: str) -> None:
    own = Fails(method)
    with pytest.raises(ZeroDivisionError, match=f"in {method}") as caught:
        if caller == "check":
            ft.check(own, games=5)
        else:
            game = ft.game(own)
            if (caller, method) == ("infosets", "rewards"):
                pytest.skip("nobody asks for them")
            for _ in range(20):
                CALLERS[caller](game)
    assert any(frame.name == "wrong" for frame in caught.traceback)


@pytest.mark.parametrize(
    "method, value, said",
    [
        ("turn", 7, r"turn\(\) returned 7: expected a player from 0 to 1"),
        ("turn", "x", r"turn\(\) returned 'x'"),
        ("turn", None, r"turn\(\) returned None"),
        ("turn", (0, 1), r"simultaneous = True"),
        ("turn", (), r"turn\(\) returned \(\)"),
        ("actions", "bet", r"actions\(\) returned 'bet': expected a list of moves"),
        ("actions", 3, r"actions\(\) returned 3: expected a list of moves"),
        ("actions", [print, len], "plain value"),
        ("chance", "x", r"chance\(\) returned 'x': expected a list of \(outcome, probability\)"),
        ("chance", [1, 2], r"chance\(\) returned \[1, 2\]: expected a list of \(outcome, probability\)"),
        ("chance", [("J", 2.0)], "probabilities"),
        ("chance", [], "sum to 1"),
        ("apply", None, r"apply\(\) returned None: expected the next state"),
        ("observe", print, "plain value"),
        ("rewards", 1, r"rewards\(\) returned 1: expected 2 numbers"),
        ("rewards", [0, "x"], r"expected 2 numbers"),
        ("rewards", [0, float("nan")], r"expected 2 numbers"),
    ],
)
def test_what_methods_return_is_looked_at(method: str, value: Any, said: str) -> None:
    game = ft.game(Fails(method, value))
    with pytest.raises((ft.InputError, TypeError), match=said):
        for seed in range(10):
            game.table(seed=seed).play_random(seed=seed).rewards
    with pytest.raises(ft.CheckError, match=said):
        ft.check(Fails(method, value), games=5)


def attributes(**values: Any) -> type[ft.PythonGame]:
    return type("Odd", (Kuhn,), values)


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: ft.game(attributes(players=None)), "Odd.players is not given: expected how many players"),
        (lambda: ft.game(attributes(players=0)), "Odd.players = 0"),
        (lambda: ft.game(attributes(players=17)), "Odd.players = 17"),
        (lambda: ft.game(attributes(utility="none")), "Odd.utility = 'none'"),
        (lambda: ft.game(attributes(utility_bounds=3)), "Odd.utility_bounds = 3"),
        (lambda: ft.game(attributes(utility_bounds=(1, 0))), "least and the greatest"),
        (lambda: ft.game(attributes(max_length=None)), "Odd.max_length is not given"),
        (lambda: ft.game(attributes(worlds="few")), "'exact' or 'particles'"),
        (lambda: ft.game(attributes(moves=["a", "a"])), "listed twice"),
        (lambda: ft.game(attributes(moves=["check"])).table(seed=1).legal(), "not among those that `moves` lists"),
        (lambda: ft.game(attributes(hidden="yes")), "True or False"),
        (lambda: ft.game(attributes(sample=lambda self, i, p, r: i)), r"needs information\(\)"),
        (lambda: ft.game(attributes(name=lambda self, move: 3)).table(seed=1).legal(), "expected a text"),
        (lambda: ft.game(ft.PythonGame), r"PythonGame has no method start\(\)"),
        (lambda: ft.game(int), "subclass of ft.PythonGame"),
        (lambda: ft.game(None), "subclass of ft.PythonGame"),  # type: ignore[call-overload, arg-type]
        (lambda: ft.check("kuhn-poker"), "subclass of ft.PythonGame"),  # type: ignore[arg-type]
        (lambda: ft.check(Kuhn, games=0), "at least 1"),
    ],
)
def test_bad_declarations_are_told(make: Any, said: str) -> None:
    with pytest.raises(ft.InputError, match=said):
        make()


def test_a_tiny_instance_is_walked_for_a_large_game() -> None:
    class Dice(ft.PythonGame):
        """Each rolls a hidden die; the last to say a number wins if it is the sum."""

        players, utility_bounds = 2, (0, 1)

        def __init__(self, sides: int) -> None:
            self.sides, self.max_length = sides, 3

        def start(self) -> Any:
            return ()

        def turn(self, state: Any) -> Any:
            return ft.CHANCE if len(state) < 2 else 0 if len(state) == 2 else ft.TERMINAL

        def chance(self, state: Any) -> Any:
            return [(side, 1 / self.sides) for side in range(self.sides)]

        def actions(self, state: Any, player: int) -> Any:
            return list(range(2 * self.sides))

        def apply(self, state: Any, move: Any) -> Any:
            return (*state, move)

        def observe(self, state: Any, move: Any, player: int) -> Any:
            return move if len(state) != 1 - player else None

        def rewards(self, state: Any) -> Any:
            return [state[0] + state[1] == state[2], 0]

    assert "too large" in ft.check(Dice(60), games=3)
    assert "tiny" in ft.check(Dice(60), tiny=Dice(2), games=3)
    assert ft.game(Dice(60)).spec == "Dice(sides=60)"


@pytest.mark.parametrize("work", ["act", "match", "solve", "check", "loop"])
def test_ctrl_c_and_the_end(work: str) -> None:
    from test_package import run

    calls = {
        "act": "ft.agent('mo-ismcts', game).act(game.table(seed=1), time=60.0)",
        "match": "ft.match(game, ['mo-ismcts(time=50ms)'] * 2, games=10**6)",
        "solve": "ft.solve(game, 'cfr', iterations=10**9)",
        "check": "ft.check(Leduc, games=10**6)",
        "loop": "[ft.agent('mo-ismcts(iterations=100)', game).act(game.table(seed=1)) for _ in range(10**6)]",
    }
    script = f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import fogtree as ft
        from test_games import Leduc
        game = ft.game(Leduc)
        print("go")
        try:
            {calls[work]}
        except KeyboardInterrupt:
            print("interrupted")
    """
    code, text, seconds = run(script, interrupt_after="go")
    assert (code, text.strip()) == (0, "interrupted"), text
    assert seconds < 8


def test_the_interpreter_may_end_in_the_middle() -> None:
    from test_package import run

    script = f"""
        import sys, threading, time
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import fogtree as ft
        from test_games import Leduc
        game = ft.game(Leduc)
        works = [lambda: ft.agent("mo-ismcts", game).act(game.table(seed=1), time=60.0),
                 lambda: ft.match(game, ["mo-ismcts(time=1s)"] * 2, games=100)]
        for work in works:
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        print("end")
    """
    code, text, seconds = run(script)
    assert code == 0 and text.startswith("end") and "Fatal" not in text and "panicked" not in text, text
    assert seconds < 10


def test_games_are_searched_in_several_threads() -> None:
    game = ft.game(Kuhn)
    found: list[str] = []

    def search() -> None:
        found.append(ft.agent("mo-ismcts", game, seed=1).act(game.table(seed=1), iterations=300).move)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1


@pytest.mark.parametrize("name, games", [("knockout_whist", 3), ("love_letter", 3)])
def test_examples(name: str, games: int) -> None:
    sys.path.insert(0, str(EXAMPLES))
    module = importlib.import_module(name)
    (own,) = [v for v in vars(module).values() if isinstance(v, type) and issubclass(v, ft.PythonGame)]
    ft.check(own, games=5)
    for players in (2, 3, 4):
        game = ft.game(own(players=players))
        agents = ["mo-ismcts(iterations=10)"] + ["random"] * (players - 1)
        assert ft.match(game, agents, games=games * players, seed=1).games == games * players
