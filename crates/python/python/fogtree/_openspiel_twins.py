"""Games that OpenSpiel and Fogtree both have, and how the moves of one are named in the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

try:
    import pyspiel
except ImportError as error:
    raise ImportError("fogtree.openspiel needs OpenSpiel: pip install open_spiel") from error

from . import _fogtree
from ._fogtree import Game, InputError, Table

Name = Callable[[Any, int, int], str]
"""Our name of an action: of a state, a player or chance, and OpenSpiel's number of the action."""


def as_pyspiel(game: Any) -> Any:
    """A pyspiel.Game, from itself or from its name with parameters."""
    if isinstance(game, pyspiel.Game):
        return game
    if not isinstance(game, str):
        raise InputError("expected a pyspiel.Game or the name of one, such as 'leduc_poker'")
    if game.split("(")[0] not in pyspiel.registered_names():
        raise InputError(f"OpenSpiel has no game {game!r}")
    try:
        return pyspiel.load_game(game)
    except (pyspiel.SpielError, ValueError) as error:
        raise InputError(f"OpenSpiel cannot make {game!r}: {first_line(error)}") from None


def first_line(error: BaseException) -> str:
    """The first line of what an error says that says anything."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


@dataclass(frozen=True)
class Twin:
    """A game that both have: the same turns, moves, rewards and information under other names.

    `to_fogtree` and `to_openspiel` name moves, `table` plays a state of OpenSpiel at a table of ours.

    >>> import fogtree.openspiel as fo
    >>> import pyspiel
    >>> peer = pyspiel.load_game("kuhn_poker")
    >>> twin = fo.twin(peer)
    >>> state = peer.new_initial_state()
    >>> for action in (2, 0, 0): state.apply_action(action)     # a king, a jack, the first player passes
    >>> twin.table(state).history
    ['K', 'J', 'check']
    >>> twin.to_openspiel(state, "bet", 1)
    1
    """

    game: Game
    """Ours."""
    peer: Any
    """The pyspiel.Game."""
    name: Name
    deal: Callable[[Sequence[str]], str] | None = None
    """Our outcomes for all that OpenSpiel's chance draws before the first decision."""
    dealer: Callable[[Sequence[str]], int] | None = None
    """Which player of OpenSpiel is our player 0, of what chance drew first."""
    scale: float = 1.0
    """Our rewards are OpenSpiel's times this."""

    def to_fogtree(self, state: Any, action: int, player: int | None = None) -> str:
        """Our name of an action of OpenSpiel, of the player to move if none is named."""
        return self.name(state, state.current_player() if player is None else player, action)

    def to_openspiel(self, state: Any, move: str, player: int | None = None) -> int:
        """OpenSpiel's number of one of our moves that is legal in the state."""
        player = state.current_player() if player is None else player
        for action in state.legal_actions(player):
            if self.name(state, player, action) == move:
                return int(action)
        raise InputError(f"{move!r} is not a legal move of player {player} in this state")

    def seat(self, state: Any, player: int) -> int:
        """Our number of OpenSpiel's player; another one only where OpenSpiel draws who deals."""
        return (player - self._turned(state)) % self.game.players

    def rewards(self, state: Any) -> list[float]:
        """OpenSpiel's returns as ours: by our players, in our unit."""
        returns, turned = state.returns(), self._turned(state)
        return [self.scale * returns[(seat + turned) % len(returns)] for seat in range(len(returns))]

    def table(self, state: Any) -> Table:
        """A table of ours at which the history of a state has been played, what chance did included."""
        return Follower(self).follow(state)

    def _turned(self, state: Any) -> int:
        if self.dealer is None:
            return 0
        return self.dealer(_drawn_first(self.peer, _steps(state)))


def _steps(state: Any) -> list[tuple[int, int]]:
    """Who did what so far, chance included."""
    return [(step.player, step.action) for step in state.full_history()]


def _drawn_first(peer: Any, steps: Sequence[tuple[int, int]]) -> list[str]:
    """What chance draws before the first decision, in OpenSpiel's words."""
    state, drawn = peer.new_initial_state(), []
    for player, action in steps:
        if not state.is_chance_node():
            break
        drawn.append(state.action_to_string(player, action))
        state.apply_action(action)
    return drawn


class Follower:
    """A table that follows states of OpenSpiel; from one state to a later one it plays only what is new."""

    def __init__(self, twin: Twin) -> None:
        self._twin = twin
        self._begin()

    def _begin(self) -> None:
        self._state = self._twin.peer.new_initial_state()
        self._table = self._twin.game.table(chance="manual")
        self._played: list[tuple[int, int]] = []

    def follow(self, state: Any) -> Table:
        """The table after all that has happened in the state."""
        steps = _steps(state)
        if steps[: len(self._played)] != self._played:
            self._begin()
        if not self._played and self._twin.deal is not None:
            self._deal(steps, self._twin.deal)
            if not self._played:        # not all has been dealt yet
                return self._table
        while len(self._played) < len(steps):
            self._step(steps)
        return self._table

    def _step(self, steps: list[tuple[int, int]]) -> None:
        at, twin, state = len(self._played), self._twin, self._state
        if state.is_simultaneous_node():
            joint = steps[at : at + state.num_players()]
            acting = [(player, action) for player, action in joint if state.legal_actions(player)]
            moves = [twin.name(state, player, action) for player, action in acting]
            state.apply_actions([action for _, action in joint])
        else:
            joint = steps[at : at + 1]
            moves = [twin.name(state, *joint[0])]
            state.apply_action(joint[0][1])
        if not self._table.is_over:
            self._table.play(*moves)
        self._played += joint

    def _deal(self, steps: list[tuple[int, int]], deal: Callable[[Sequence[str]], str]) -> None:
        """Deals, once OpenSpiel has drawn all that it draws before the first decision."""
        drawn, state = _drawn_first(self._twin.peer, steps), self._twin.peer.new_initial_state()
        for _, action in steps[: len(drawn)]:
            state.apply_action(action)
        if not state.is_chance_node():
            self._table.play(deal(drawn))
            self._state, self._played = state, steps[: len(drawn)]


# Our names of OpenSpiel's actions.


def _one_more(state: Any, player: int, action: int) -> str:
    return str(action + 1)


def same_number(state: Any, player: int, action: int) -> str:
    """OpenSpiel's number."""
    return str(action)


def _same_text(state: Any, player: int, action: int) -> str:
    return str(state.action_to_string(player, action))


def _cell(columns: int) -> Name:
    return lambda state, player, action: chr(ord("a") + action % columns) + str(action // columns + 1)


def _kuhn(state: Any, player: int, action: int) -> str:
    if player < 0:
        return "JQK"[action]
    facing_bet = 1 in state.history()[2:]
    return ("fold" if facing_bet else "check", "call" if facing_bet else "bet")[action]


def _leduc(isomorphic: bool) -> Name:
    def name(state: Any, player: int, action: int) -> str:
        if player < 0:
            return "JQK"[action] if isomorphic else "JQK"[action // 2] + str(action % 2 + 1)
        size = 4 if "[Round 2]" in state.information_state_string(player) else 2
        facing_bet = 0 in state.legal_actions()     # only then may a player fold
        passive, active = ("call", f"raise{size}") if facing_bet else ("check", f"bet{size}")
        return ("fold", passive, active)[action]

    return name


def _dice(state: Any, player: int, action: int) -> str:
    return str(state.action_to_string(player, action)).lower()      # `2-5`, `liar`


def _heap(state: Any, player: int, action: int) -> str:
    pile, take = re.findall(r"\d+", state.action_to_string(player, action))     # `pile:1, take:2;`
    return "abcdefgh"[int(pile) - 1] + str(take)


def _oh_hell(state: Any, player: int, action: int) -> str:
    text = str(state.action_to_string(player, action))      # `CT`, or a bid `3`
    return f"bid-{text}" if text.isdigit() else text[::-1]


def _hands(dealt: Sequence[str], players: int, cards: int) -> list[str]:
    """Cards dealt round by round; ours are listed by suit, then rank."""
    order = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    return ["".join(sorted(dealt[p : players * cards : players], key=order.index)) for p in range(players)]


# Which of our games a game of OpenSpiel is, by its short name: parameters -> how to make the twin.


class _Different(Exception):
    """Why we do not have this instance."""


def _need(is_so: bool, why: str) -> None:
    if not is_so:
        raise _Different(why)


Extra = dict[str, Any]


def _connect_four(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    spec = f"columns={given['columns']},rows={given['rows']},connect={given['x_in_row']}"
    return f"connect-four({spec},reward=signed)", _one_more, {}


def _leduc_poker(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    _need(given["players"] == 2, "ours is for two players")
    _need(not given["action_mapping"], "action_mapping=true lets illegal actions stand for others")
    _need(given.get("starting_player", 0) == 0, "in ours player 0 opens")
    isomorphic = given["suit_isomorphism"]
    return f"leduc-poker(suits={'no' if isomorphic else 'yes'})", _leduc(isomorphic), {}


def _kuhn_poker(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    _need(given["players"] == 2, "ours is for two players")
    return "kuhn-poker", _kuhn, {}


def _liars_dice(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    _need(given["bidding_rule"] == "reset-face", "ours has bidding_rule=reset-face")
    dice = given["numdice"]

    def deal(drawn: Sequence[str]) -> str:
        rolls = [roll.removeprefix("Roll ") for roll in drawn]      # all of a player's, then the next one's
        return " ".join("".join(sorted(rolls[at : at + dice])) for at in range(0, len(rolls), dice))

    spec = f"liars-dice(players={given['players']},dice={dice},faces={given['dice_sides']})"
    return spec, _dice, {"deal": deal}


def _goofspiel(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    _need(given["players"] == 2, "ours is for two players")
    _need(given["num_turns"] in (-1, given["num_cards"]), "ours is played until all cards are gone")
    rewards = {"win_loss": ("sign", 1.0), "point_difference": ("points", 2.0)}
    _need(given["returns_type"] in rewards, "ours has no returns_type=total_points")
    reward, scale = rewards[given["returns_type"]]
    bids = "hidden" if given["imp_info"] else "open"
    spec = f"cards={given['num_cards']},prizes={given['points_order']},bids={bids},reward={reward}"
    return f"goofspiel({spec},lowest=1,last=automatic)", _one_more, {"scale": scale}


def _phantom_ttt(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    _need(given["gameversion"] == "classical", "in ours a failed attempt does not end the turn")
    failed = {"reveal-nothing": "hidden", "reveal-numturns": "announced"}[given["obstype"]]
    return f"phantom-mnk(m=3,n=3,k=3,failed={failed},reward=signed)", _cell(3), {}


def _nim(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    heaps = given["pile_sizes"].replace(";", ",")
    return f"nim(heaps=[{heaps}],misere={'yes' if given['is_misere'] else 'no'},reward=signed)", _heap, {}


def _oshi_zumo(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    _need(given["min_bid"] >= 1, "ours has bids of at least 1: set min_bid")
    _need(not given["alesia"], "ours has no alesia=true")
    _need(given["horizon"] >= given["coins"], "ours has no limit of rounds")
    spec = f"coins={given['coins']},size={given['size']},minimum={given['min_bid']}"
    return f"oshi-zumo({spec}{',short=all' if given['min_bid'] > 1 else ''})", same_number, {}


def _mnk(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    m, n, k = (given[key] for key in "mnk")
    _need(m <= 19 and n <= 19, "ours has boards of at most 19 by 19")
    return f"mnk(m={m},n={n},k={k},reward=signed)", _cell(m), {}


def _gomoku(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    size = given["size"]
    _need(given["dims"] == 2 and not given["wrap"] and not given["anti"], "ours is flat, and a row wins")
    _need(size <= 19, "ours has boards of at most 19 by 19")
    return f"mnk(m={size},n={size},k={given['connect']},reward=signed)", _cell(size), {}


def _hearts(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    _need(not given["pass_cards"], "passing is drawn there and goes in turn here: set pass_cards=false")
    for bonus in ("jd_bonus", "avoid_all_tricks_bonus", "can_lead_any_club", "can_lead_hearts_instead_of_qs"):
        _need(not given[bonus], f"ours has no {bonus}")
    _need(given["must_break_hearts"], "in ours hearts must be broken")
    breaks = "penalties" if given["qs_breaks_hearts"] else "hearts"
    opening = "clean" if given["no_pts_on_first_trick"] else "any"

    def deal(drawn: Sequence[str]) -> str:
        if drawn[0] != "No Pass":       # with pass_cards=false too, three times out of four
            raise InputError(f"in this game of hearts OpenSpiel drew passing ({drawn[0]}); ours is without")
        return "/".join(_hands(drawn[1:], 4, 13))

    return f"hearts(pass=0,to=1,breaks={breaks},opening={opening},reward=points)", _same_text, {"deal": deal}


def _oh_hell_round(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    cards, players = given["num_tricks_fixed"], given["players"]
    _need(cards > 0, "the number of tricks is drawn there: set num_tricks_fixed")
    _need(not given["off_bid_penalty"] and given["points_per_trick"] == 1, "ours scores 1 for each trick")
    _need(given["num_suits"] == 4 and given["num_cards_per_suit"] == 13, "only the full deck is mapped")

    def dealer(drawn: Sequence[str]) -> int:
        at = len(drawn) - players * cards - 2           # then the cards, and the trump card
        return (int(drawn[at]) + 1) % players if at >= 0 else 0

    def deal(drawn: Sequence[str]) -> str:
        dealt, first = [card[::-1] for card in drawn[-players * cards - 1 :]], dealer(drawn)
        hands = _hands(dealt, players, cards)
        return "/".join([*hands[first:], *hands[:first], dealt[-1]])

    spec = f"blob(players={players},hands=[{cards}],reward=points)"
    return spec, _oh_hell, {"deal": deal, "dealer": dealer}


def _matrix(given: Any, peer: Any) -> tuple[str, Name, Extra]:
    state = peer.new_initial_state()
    _need(peer.num_players() == 2, "ours is for two players")
    rows, columns = state.legal_actions(0), state.legal_actions(1)
    _need(rows == list(range(len(rows))) and columns == list(range(len(columns))), "its actions have gaps")
    _need(len(rows) <= 64 and len(columns) <= 64, "ours has at most 64 rows and columns")

    def payoff(row: int, column: int) -> str:
        end = state.clone()
        end.apply_actions([row, column])
        mine, yours = (float(r) + 0.0 for r in end.returns())      # never -0
        return repr(mine) if zero_sum else f"{mine!r}:{yours!r}"

    zero_sum = peer.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    cells = [[payoff(row, column).replace(".0", "") for column in columns] for row in rows]
    return f"matrix(rows=[{';'.join(','.join(line) for line in cells)}])", _one_more, {}


_TWINS: dict[str, Callable[[Any, Any], tuple[str, Name, Extra]]] = {
    "connect_four": _connect_four,
    "gomoku": _gomoku,
    "goofspiel": _goofspiel,
    "hearts": _hearts,
    "kuhn_poker": _kuhn_poker,
    "leduc_poker": _leduc_poker,
    "liars_dice": _liars_dice,
    "mnk": _mnk,
    "nim": _nim,
    "oh_hell": _oh_hell_round,
    "oshi_zumo": _oshi_zumo,
    "othello": lambda given, peer: ("othello(reward=signed)", _same_text, {}),
    "phantom_ttt": _phantom_ttt,
    "tic_tac_toe": lambda given, peer: ("tic-tac-toe(reward=signed)", _cell(3), {}),
}


def twin(game: Any) -> Twin:
    """The same game in Fogtree, with the names of its moves both ways; an InputError if there is none.

    All matrix games of two players have twins; of others those that the error of a game without one names.

    >>> import fogtree.openspiel as fo
    >>> fo.twin("goofspiel(num_cards=4,imp_info=true,points_order=descending)").game.spec
    'goofspiel(cards=4,prizes=descending,bids=hidden,reward=sign,lowest=1,last=automatic)'
    >>> fo.twin("kuhn_poker(players=3)")
    Traceback (most recent call last):
    ...
    fogtree.InputError: kuhn_poker(players=3) has no twin: ours is for two players
    """
    peer = as_pyspiel(game)
    kind = peer.get_type()
    one_shot = kind.information == pyspiel.GameType.Information.ONE_SHOT
    make = _matrix if one_shot else _TWINS.get(kind.short_name)
    if make is None:
        known = ", ".join(sorted(_TWINS))
        raise InputError(f"{peer} has no twin: both have {known}, and matrix games of two players")
    try:
        spec, name, extra = make({**kind.parameter_specification, **peer.get_parameters()}, peer)
    except _Different as why:
        raise InputError(f"{peer} has no twin: {why}") from None
    return Twin(_fogtree.game(spec), peer, name, **extra)
