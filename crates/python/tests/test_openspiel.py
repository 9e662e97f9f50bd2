"""Agents of ours as bots of OpenSpiel, and games of OpenSpiel under our searches."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

import fogtree as ft  # noqa: E402
from fogtree import openspiel  # noqa: E402
from fogtree._openspiel_twins import Follower  # noqa: E402

# With how many random games; and whether information sets are compared: OpenSpiel tells of none in some games, and
# in goofspiel with open bids it forgets the order of past bids.
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
    """Kuhn poker's equilibrium earns the first player -1/18 against itself: 20000 games, standard error 0.009."""
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
