"""Agents of ours as bots of OpenSpiel, and games of OpenSpiel under our searches."""

from __future__ import annotations

import math
import pickle
import random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

import fogtree as ft  # noqa: E402
from fogtree import openspiel  # noqa: E402
from fogtree._openspiel_twins import Follower  # noqa: E402

# With how many random games; and whether information sets are compared: in goofspiel with open bids OpenSpiel
# forgets the order of past bids, in hearts and oh_hell that of past tricks.
TWINS = [
    ("blotto(coins=4,fields=3)", 3, True),
    ("connect_four", 10, True),
    ("connect_four(rows=5,columns=6,x_in_row=3)", 10, True),
    ("gomoku(size=6,connect=4)", 10, True),
    ("goofspiel(imp_info=true,num_cards=4,points_order=random)", 100, True),
    ("goofspiel(imp_info=true,num_cards=5,points_order=descending)", 100, True),
    ("goofspiel(num_cards=5,points_order=ascending,returns_type=point_difference)", 50, False),
    ("hearts(pass_cards=false)", 10, False),
    ("hearts(pass_cards=false,qs_breaks_hearts=false,no_pts_on_first_trick=false)", 10, False),
    ("kuhn_poker", 200, True),
    ("leduc_poker", 300, True),
    ("leduc_poker(suit_isomorphism=true)", 300, True),
    ("liars_dice", 200, True),
    ("liars_dice(numdice=2,dice_sides=3)", 200, True),
    ("matrix_brps", 20, True),
    ("matrix_pd", 20, True),
    ("matrix_rps", 20, True),
    ("mnk(m=4,n=3,k=3)", 50, True),
    ("nim", 100, True),
    ("nim(pile_sizes=3;4;5,is_misere=false)", 100, True),
    ("oh_hell(players=3,num_tricks_fixed=5)", 20, False),
    ("oh_hell(players=4,num_tricks_fixed=3)", 20, False),
    ("oshi_zumo(coins=10,size=3,min_bid=1)", 50, True),
    ("oshi_zumo(coins=23,size=2,min_bid=3)", 50, True),
    ("othello", 5, True),
    ("phantom_ttt", 100, True),
    ("phantom_ttt(obstype=reveal-numturns)", 100, True),
    ("tic_tac_toe", 100, True),
]


class Partition:
    """Holds the information sets of two programs against each other."""

    def __init__(self) -> None:
        self.ours: dict[tuple[int, str], str] = {}
        self.theirs: dict[tuple[int, str], str] = {}

    def add(self, player: int, ours: str, theirs: str) -> None:
        assert self.theirs.setdefault((player, ours), theirs) == theirs, "one information set here, two there"
        assert self.ours.setdefault((player, theirs), ours) == ours, "one information set there, two here"


def movers(state: Any) -> list[int]:
    if state.is_simultaneous_node():
        return [player for player in range(state.num_players()) if state.legal_actions(player)]
    return [state.current_player()]


def advance(state: Any, rng: random.Random) -> None:
    """A step at random; a chance action that is not legal is none (hearts without passing)."""
    if state.is_chance_node():
        outcomes = [(action, p) for action, p in state.chance_outcomes() if action in state.legal_actions()]
        state.apply_action(rng.choices(*zip(*outcomes))[0])
    elif state.is_simultaneous_node():
        state.apply_actions([rng.choice(state.legal_actions(p) or [0]) for p in range(state.num_players())])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize(("spec", "games", "compared"), TWINS, ids=[spec for spec, _, _ in TWINS])
def test_twins_are_the_same_game(spec: str, games: int, compared: bool) -> None:
    peer, rng, partition = pyspiel.load_game(spec), random.Random(spec), Partition()
    twin = openspiel.twin(peer)
    for _ in range(games):
        state, follower = peer.new_initial_state(), Follower(twin)
        while not state.is_terminal():
            check_position(twin, state, follower.follow(state), partition if compared else None)
            advance(state, rng)
        table = follower.follow(state)
        assert table.is_over and table.rewards is not None
        assert list(table.rewards) == pytest.approx(twin.rewards(state), abs=1e-9)


def check_position(twin: openspiel.Twin, state: Any, table: ft.Table, partition: Partition | None) -> None:
    if state.is_chance_node():
        if twin.deal is None:
            theirs = {twin.to_fogtree(state, action): p for action, p in state.chance_outcomes()}
            assert dict(table.chance_outcomes() or []) == pytest.approx(theirs, abs=1e-9)
        return
    seats = {player: twin.seat(state, player) for player in movers(state)}
    assert table.to_move == tuple(sorted(seats.values()))
    for player, seat in seats.items():
        names = [twin.to_fogtree(state, action, player) for action in state.legal_actions(player)]
        assert sorted(table.legal(seat)) == sorted(names)
        assert [twin.to_openspiel(state, name, player) for name in names] == state.legal_actions(player)
        if partition is not None:
            partition.add(seat, table.key(seat), state.information_state_string(player))


@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        ("kuhn_poker", "is-mcts(iterations=50)"),
        ("leduc_poker", "mo-ismcts(iterations=50)"),
        ("goofspiel(imp_info=true,num_cards=5,points_order=random)", "mo-ismcts(iterations=50)"),
        ("matrix_rps", "sm-mcts(iterations=50)"),
        ("oh_hell(players=3,num_tricks_fixed=4)", "mo-ismcts(iterations=50)"),
        ("othello", "uct(iterations=20)"),
        ("phantom_ttt", "random"),
    ],
)
def test_bots_play_whole_games(spec: str, agent: str) -> None:
    game = pyspiel.load_game(spec)
    bots = [openspiel.bot(agent, game, player, seed=player) for player in range(game.num_players())]
    for seed in range(5):
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        assert len(returns) == game.num_players()


def test_a_bot_plays_as_its_agent_does() -> None:
    """A search that sees a win in one takes it, and its policy says how sure it is."""
    game = pyspiel.load_game("tic_tac_toe")
    state = game.new_initial_state()
    for action in (4, 1, 0, 2):
        state.apply_action(action)
    bot = openspiel.bot("uct", game, 0, seed=1, iterations=1000)
    policy, action = bot.step_with_policy(state)
    assert action == 8 == max(policy, key=lambda entry: entry[1])[0]
    assert [a for a, _ in policy] == state.legal_actions() and sum(p for _, p in policy) == pytest.approx(1)
    assert bot.provides_policy() and bot.get_policy(state)
    agent = ft.agent("uct(iterations=1000)", openspiel.twin(game).game, seed=1)
    assert openspiel.bot(agent, game, 0).step(state) == 8


def test_a_bot_knows_no_more_than_its_player() -> None:
    """Two deals that player 0 cannot tell apart: the same seed makes the same search."""
    game, found = pyspiel.load_game("kuhn_poker"), []
    for other in (1, 2):
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action(other)
        found.append(openspiel.bot("mo-ismcts(iterations=500)", game, 0, seed=3).get_policy(state))
    assert found[0] == found[1]


def test_a_solved_strategy_earns_the_value_in_openspiel() -> None:
    """Kuhn poker's equilibrium earns the first player -1/18 against itself: 20000 games, error 0.009."""
    game, rng = pyspiel.load_game("kuhn_poker"), random.Random(1)
    twin = openspiel.twin(game)
    strategy = ft.solve(twin.game, iterations=2000).strategy
    earned = 0.0
    for _ in range(20_000):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                advance(state, rng)
                continue
            info = twin.table(state).infoset(state.current_player())
            probabilities = strategy.probabilities(info)
            assert probabilities is not None
            state.apply_action(twin.to_openspiel(state, rng.choices(info.legal, probabilities)[0]))
        earned += state.returns()[0]
    assert math.isclose(earned / 20_000, -1 / 18, abs_tol=0.04)


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("chess", "has no twin: both have connect_four"),
        ("goofspiel(players=3)", "two players"),
        ("hearts", "pass_cards=false"),
        ("kuhn_poker(players=3)", "two players"),
        ("oh_hell", "num_tricks_fixed"),
        ("oshi_zumo", "min_bid"),
        ("phantom_ttt(gameversion=abrupt)", "end the turn"),
        ("no_such_game", "OpenSpiel has no game"),
        ("kuhn_poker(nonsense=3)", "OpenSpiel cannot make"),
        (7, "expected a pyspiel.Game"),
    ],
)
def test_games_without_a_twin_say_why(game: Any, why: str) -> None:
    with pytest.raises(ft.InputError, match=why):
        openspiel.bot("random", game, 0)


def test_bots_refuse_what_they_cannot_do() -> None:
    game = pyspiel.load_game("kuhn_poker")
    with pytest.raises(ft.InputError, match="not to move"):
        openspiel.bot("random", game, 0).step(game.new_initial_state())
    with pytest.raises(ft.InputError, match="players 0 to 1"):
        openspiel.bot("random", game, 2)
    with pytest.raises(ft.InputError, match="hidden information"):
        openspiel.bot("uct", game, 0)
    state = pyspiel.load_game("hearts(pass_cards=false)").new_initial_state()
    state.apply_action(1)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ft.InputError, match="drew passing"):
        openspiel.bot("random", state.get_game(), 0).step(state)


# Games of OpenSpiel here: with how many random games, and whether we may tell apart more than OpenSpiel does,
# where it forgets (dark_hex how many turns there were).
BATTLESHIP = "battleship(board_width=3,board_height=2,ship_sizes=[1;2],ship_values=[1;2],num_shots=3)"
WRAPPED = [
    (BATTLESHIP, 20, False),
    ("dark_hex", 30, True),
    ("gin_rummy", 1, True),
    ("goofspiel(imp_info=true,num_cards=4)", 50, False),
    ("hearts(pass_cards=false)", 2, False),
    ("kuhn_poker(players=3)", 100, False),
    ("leduc_poker", 100, False),
    ("liars_dice(numdice=2,dice_sides=3)", 50, False),
    ("phantom_ttt", 50, False),
    ("python_kuhn_poker", 50, False),
]


@pytest.mark.parametrize(("spec", "games", "finer"), WRAPPED, ids=[spec for spec, _, _ in WRAPPED])
def test_wrapped_games_have_the_information_sets_of_openspiel(spec: str, games: int, finer: bool) -> None:
    if spec.startswith("python_"):
        pytest.importorskip("open_spiel.python.games")
    game, peer, rng = openspiel.game(spec), pyspiel.load_game(spec), random.Random(spec)
    ours: dict[tuple[int, str], str] = {}
    theirs: dict[tuple[int, str], str] = {}
    for _ in range(games):
        state, table = peer.new_initial_state(), game.table(chance="manual")
        while not state.is_terminal():
            if state.is_chance_node():
                assert table.is_chance
                outcomes = {int(name): p for name, p in table.chance_outcomes() or []}
                assert outcomes == pytest.approx(dict(state.chance_outcomes()), abs=1e-12)
            else:
                assert list(table.to_move) == movers(state)
                for player in movers(state):
                    assert sorted(map(int, table.legal(player))) == state.legal_actions(player)
                    text = known(state, player)
                    assert theirs.setdefault((player, table.key(player)), text) == text
                    assert finer or ours.setdefault((player, text), table.key(player)) == table.key(player)
            before = len(state.full_history())
            acting = [] if state.is_chance_node() else movers(state)
            advance(state, rng)
            steps = [step.action for step in state.full_history()[before:]]
            table.play(*(str(action) for who, action in enumerate(steps) if len(steps) == 1 or who in acting))
        assert table.rewards is not None and list(table.rewards) == pytest.approx(state.returns())


def known(state: Any, player: int) -> str:
    if state.get_game().get_type().provides_information_state_string:
        return str(state.information_state_string(player))
    return str(state.observation_string(player))


def test_wrapped_leduc_is_our_leduc() -> None:
    """The value that Fogtree and OpenSpiel agree on, by solving OpenSpiel's rules through Python."""
    solution = ft.solve(openspiel.game("leduc_poker"), "cfr+", iterations=300)
    assert solution.value == pytest.approx(-0.0856, abs=2e-3)
    assert len(solution.strategy) == 936


@pytest.mark.parametrize(("deal", "same_deal"), [("0 2", "J1 Q1"), ("2 0", "Q1 J1"), ("4 0", "K1 J1")])
def test_searches_find_the_same_values_in_wrapped_leduc(deal: str, same_deal: str) -> None:
    """Means of random playouts from worlds that OpenSpiel draws, and from ours."""
    wrapped, own = openspiel.game("leduc_poker"), ft.game("leduc-poker")
    table = wrapped.table(moves=deal, chance="manual")
    found = ft.agent("flat-mc(iterations=8000)", wrapped, seed=1).act(table)
    table = own.table(moves=same_deal, chance="manual")
    expected = ft.agent("flat-mc(iterations=200000)", own, seed=1).act(table)
    assert ((abs(found.values - expected.values)) < 2 * (found.margins + expected.margins)).all()


def test_information_of_wrapped_games_tells_a_seat_nothing_more() -> None:
    """What a seat is given is the same, byte by byte, in two deals that differ in the other's card."""
    game = openspiel.game("kuhn_poker")
    infos = [game.table(moves=deal, chance="manual").infoset(0) for deal in ("0 1", "0 2")]
    assert infos[0] == infos[1] == pickle.loads(pickle.dumps(infos[0]))
    assert pickle.dumps(infos[0]) == pickle.dumps(infos[1]) and infos[0].view == infos[1].view


def test_wrapped_games_keep_the_laws() -> None:
    """By brute force: Kuhn poker with worlds that OpenSpiel draws."""
    assert "every history" in ft.check(openspiel.python_game("kuhn_poker"), games=2)


def test_wrapped_kuhn_has_its_value() -> None:
    for spec in ("kuhn_poker", "python_kuhn_poker"):
        pytest.importorskip("open_spiel.python.games")
        assert ft.solve(openspiel.game(spec), "sequence-lp").value == pytest.approx(-1 / 18, abs=1e-6)


@pytest.mark.parametrize(
    ("spec", "agent", "worlds"),
    [
        (BATTLESHIP, "mo-ismcts", None),
        ("dark_hex(board_size=3)", "mo-ismcts", None),
        ("dark_hex(board_size=3)", "mo-ismcts", "particles"),
        ("gin_rummy", "mo-ismcts", None),
        ("goofspiel(num_cards=5)", "sm-mcts", None),
        ("goofspiel(num_cards=5,imp_info=true)", "mo-ismcts", None),
        ("kuhn_poker(players=3)", "mo-ismcts", None),
        ("leduc_poker", "so-ismcts", "exact"),
        ("leduc_poker", "pimc", None),
        ("matching_pennies_3p", "mo-ismcts", None),
        ("python_tic_tac_toe", "uct", None),
        ("tic_tac_toe", "uct", None),
    ],
)
def test_searches_play_wrapped_games(spec: str, agent: str, worlds: str | None) -> None:
    if spec.startswith("python_"):
        pytest.importorskip("open_spiel.python.games")
    game = openspiel.game(spec, worlds=worlds)
    table = game.table(seed=2)
    for _ in range(1 if spec == "gin_rummy" else 2):
        moves = {}
        for player in table.to_move:
            decision = ft.agent(agent, game, seed=1).act(table, player=player, iterations=200)
            moves[player] = decision.move
            assert moves[player] in table.legal(player)
        table.play(moves)


def test_a_search_wins_a_won_wrapped_game() -> None:
    """X has the middle and a corner and is to move: only one reply wins at once."""
    game = openspiel.game("tic_tac_toe")
    table = game.table(moves="4 1 0 2")
    assert ft.agent("uct(iterations=2000)", game, seed=1).act(table).move == "8"


def test_wrapped_games_go_through_bots_and_matches() -> None:
    peer = pyspiel.load_game("kuhn_poker(players=3)")
    game = openspiel.game(peer)
    bots = [openspiel.bot("mo-ismcts(iterations=20)", peer, p, seed=p, through=game) for p in range(3)]
    assert len(pyspiel.evaluate_bots(peer.new_initial_state(), bots, 1)) == 3
    assert ft.match(game, ["mo-ismcts(iterations=20)", "random", "random"], games=6).games == 6


@pytest.mark.parametrize(
    ("game", "worlds", "why"),
    [
        ("mfg_crowd_modelling", None, "mean-field"),
        ("tarok", None, "outcomes that can be listed"),
        ("crossword", None, "action structs"),
        ("phantom_ttt", "resample", "cannot resample"),
        ("leduc_poker", "nonsense", "expected one of"),
        ("no_such_game", None, "OpenSpiel has no game"),
        (None, None, "expected a pyspiel.Game"),
    ],
)
def test_games_that_cannot_be_wrapped_say_why(game: Any, worlds: str | None, why: str) -> None:
    with pytest.raises(ft.InputError, match=why):
        openspiel.game(game, worlds=worlds)
