#!/usr/bin/env python3
"""Our rules against OpenSpiel's, by random play.

Random games are played in OpenSpiel, every position met is asked of our program (`fogtree state --stdin
--json`), and these must agree: whose turn it is, the legal moves of everybody who acts, the chance outcomes
with their probabilities, the rewards at the end, and the information sets of those who act: two positions
of the run share OpenSpiel's information-state string exactly if they share our key.

Moves made together are sent one after the other, in the order of the players.

What OpenSpiel 2.0.2 does, and how our games must be set to agree (all of it seen by running it):

all           Rewards are +1, 0, -1 for win, draw, loss, and chips won in poker; `scale` in a row maps them
              to ours. Perfect information means the whole history as information state: no transpositions.
connect-four  Columns are 0..6 there, 1..7 here. Nothing else differs.
othello       d3, c4, f5, e6 open, black first. A player without a move has `pass` alone. The game ends at
              once when neither side can move: there are never two passes in a row.
kuhn-poker    Pass is check or fold, Bet is bet or call; cards 0, 1, 2 are J, Q, K. Ante 1, bet 1.
leduc-poker   Cards 0..5 are J1 J2 Q1 Q2 K1 K2, and a player is told the copy as well as the rank: 936
              information sets. (With `suit_isomorphism=true` ranks are dealt, and there are 288.) Player 0
              opens both rounds, ante 1, raises of 2 and 4, two a round counting the bet; fold only against
              a bet.
liars-dice    A bid must be higher in quantity, or equal in quantity and higher in face. The highest face is
              wild and may be bid itself; a bid is true if there are at least so many; no challenge before
              the first bid, and after the highest bid nothing else. Player 0's dice are rolled first. With
              several dice a player is shown them sorted: the order of the rolls is forgotten.
goofspiel     Cards count from 1, a tie discards the prize. The last bids, and with random prizes also the
              last prize, are made automatically. With hidden bids a player is told who won each prize, or
              that it was a tie. With open bids the information state forgets in which order cards were bid;
              that row is held against the history. (`returns_type=point_difference` is the distance to the
              mean.)
phantom-mnk   Default `obstype=reveal-nothing`: of the opponent's attempts a player is told nothing, not
              even how many there were. With `reveal-numturns` every attempt is announced, so that one also
              knows how often the opponent failed. A failed attempt does not end the turn
              (`gameversion=abrupt`: it does), and it is no chance event. `reveal-numturns` adds nothing to abrupt
              games, in which every attempt is one turn.
dark-hex      Cells row by row as in phantom-mnk; player 0 joins the first row with the last, player 1 the first column with
              the last. `gameversion` and `obstype` as in phantom_ttt, but the information state counts all attempts
              even with `reveal-nothing`, so that in classical games one knows how often the opponent failed; that
              row leaves the count out.
nim           Default heaps 1 3 5 7, and whoever takes the last object loses.
oshi-zumo     Default minimal bid 0, and a limit of 1000 rounds. Who cannot pay the minimal bid must bid all
              he has, where other rules say 0, and play goes on until both have no coins: no difference for
              a minimal bid of 1, `short=all` for others. (With `alesia=true` only pushing the wrestler off
              the board wins.)
hearts        With `pass_cards=false` a pass direction is drawn all the same, and means nothing. The queen of spades
              breaks hearts; no points in the first trick. The reward is 26 minus the points. The cards are dealt
              one by one there, at once here.
oh-hell       With `num_tricks_fixed` only the dealer is drawn; here it is the last seat, so only those games are
              played. The dealer may not make the bids add up. A made bid scores 10 and the tricks, another the
              tricks.
checkers      Every jump is a ply of its own. Drawn after 40 plies without a capture; other rules also count moves
              of men as progress. Games are compared up to 38 such plies, with our repetition rule off.
backgammon    A turn of both dice is one action there, and a roll that cannot be played is a pass: not compared
              here. Our turns are held against a second implementation that lists whole turns.
spades        Who takes a trick with a discarded spade may not lead spades next, though they are broken by then:
              not compared.

Exit code: 0 when all agree, 1 at a difference or when our program fails, 2 on bad usage.
"""

import argparse
import json
import math
import random
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ours

try:
    import pyspiel
except ImportError:
    sys.exit("open_spiel is not installed for this Python; `benches/peers/prepare` makes .venv/bin/python")

Moves = tuple[str, ...]


# Our names of OpenSpiel's actions: (state, player or chance, action) -> name.

def column(state: pyspiel.State, player: int, action: int) -> str:
    return str(action + 1)


def square(state: pyspiel.State, player: int, action: int) -> str:
    return state.action_to_string(player, action)       # `d3`, `pass`


def cell_of_three(state: pyspiel.State, player: int, action: int) -> str:
    return "abc"[action % 3] + str(action // 3 + 1)     # `x(row,column)`, counted from 0


def cell_of_four(state: pyspiel.State, player: int, action: int) -> str:
    return "abcd"[action % 4] + str(action // 4 + 1)


def kuhn(state: pyspiel.State, player: int, action: int) -> str:
    if player == pyspiel.PlayerId.CHANCE:
        return "JQK"[action]
    facing_bet = 1 in state.history()[2:]
    return ("fold" if facing_bet else "check", "call" if facing_bet else "bet")[action]


def leduc(state: pyspiel.State, player: int, action: int) -> str:
    if player == pyspiel.PlayerId.CHANCE:
        return "JQK"[action // 2] + str(action % 2 + 1)
    fold, size = 0, 4 if "[Round 2]" in state.information_state_string(player) else 2
    facing_bet = fold in state.legal_actions()
    return ("fold", "call" if facing_bet else "check", f"raise{size}" if facing_bet else f"bet{size}")[action]


def dice(state: pyspiel.State, player: int, action: int) -> str:
    return state.action_to_string(player, action).removeprefix("Roll ").lower()     # `3`, `2-5`, `liar`


def card(state: pyspiel.State, player: int, action: int) -> str:
    return str(action + 1)      # `[P0]Bid: 3`, `Deal 3`


def heap(state: pyspiel.State, player: int, action: int) -> str:
    pile, take = re.findall(r"\d+", state.action_to_string(player, action))     # `pile:1, take:2;`
    return "abcdefgh"[int(pile) - 1] + take


def coins(state: pyspiel.State, player: int, action: int) -> str:
    return str(action)          # `[P0]Bid: 3`


def hearts_card(state: pyspiel.State, player: int, action: int) -> str:
    return state.action_to_string(player, action)       # `TC`


def oh_hell(state: pyspiel.State, player: int, action: int) -> str:
    text = state.action_to_string(player, action)       # `CT`, or a bid `3`
    return f"bid-{text}" if text.isdigit() else text[::-1]


def draughts(state: pyspiel.State, player: int, action: int) -> str:
    """`a3b4` by the numbers of the squares, from the side of whoever moves first."""
    (f1, r1, f2, r2) = state.action_to_string(player, action)
    number = lambda file, rank: 4 * (int(rank) - 1) + (7 - "abcdefgh".index(file)) // 2 + 1
    return f"{number(f1, r1)}{'x' if abs(int(r1) - int(r2)) == 2 else '-'}{number(f2, r2)}"


# What chance draws before the first decision, as our one outcome.

CARDS = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def hands(dealt: list[str], players: int, cards: int) -> str:
    """Cards dealt round by round; ours are listed by suit, then rank."""
    of = [sorted(dealt[p:players * cards:players], key=CARDS.index) for p in range(players)]
    return "/".join(map("".join, of))


def hearts_deal(names: list[str]) -> str:
    return hands(names[1:], 4, 13)                      # the first is the pass direction


def oh_hell_deal(names: list[str]) -> str:
    dealt = [name[::-1] for name in names[-16:]]        # three hands of five, and the trump card
    return f"{hands(dealt, 3, 5)}/{dealt[-1]}"


def last_dealer(names: list[str]) -> bool:
    return names[len(names) - 17] == "2"


def quiet(moves: Moves) -> bool:
    return len(moves) >= 38 and not any("x" in move for move in moves[-38:])


# What OpenSpiel holds a player to know.

def information_state(state: pyspiel.State, player: int) -> str:
    return state.information_state_string(player)


def without_count(state: pyspiel.State, player: int) -> str:
    return re.sub(r"\n\d+\n", "\n", state.information_state_string(player), count=1)


def history(state: pyspiel.State, player: int) -> str:
    return state.history_str()


@dataclass(frozen=True)
class Pair:
    ours: str
    peer: str
    name: Callable[[pyspiel.State, int, int], str]
    key: Callable[[pyspiel.State, int], str] = information_state
    scale: tuple[float, float] = (1.0, 0.0)     # our reward = scale[0] * OpenSpiel's + scale[1]
    deal: Callable[[list[str]], str] | None = None      # our outcome for all that chance draws first
    wanted: Callable[[list[str]], bool] = lambda names: True    # of what chance drew first
    enough: Callable[[Moves], bool] = lambda moves: False       # where a game is no longer compared
    checked: bool = True                        # has agreed once: from then on the game may not be missing


PAIRS = [
    Pair("connect-four(reward=signed)", "connect_four", column),
    Pair("othello(reward=signed)", "othello", square),
    Pair("kuhn-poker", "kuhn_poker", kuhn),
    Pair("leduc-poker(raises=1)", "leduc_poker", leduc),
    Pair("liars-dice", "liars_dice", dice),
    Pair("goofspiel(cards=5,prizes=descending,bids=hidden,lowest=1,last=automatic)",
         "goofspiel(imp_info=true,num_cards=5,points_order=descending)", card),
    Pair("goofspiel(cards=4,prizes=random,bids=hidden,lowest=1,last=automatic)",
         "goofspiel(imp_info=true,num_cards=4,points_order=random)", card),
    Pair("goofspiel(cards=5,prizes=descending,bids=open,lowest=1,last=automatic)",
         "goofspiel(num_cards=5,points_order=descending)", card, key=history),
    Pair("phantom-mnk(m=3,n=3,k=3,failed=hidden,reward=signed)", "phantom_ttt", cell_of_three),
    Pair("phantom-mnk(m=3,n=3,k=3,failed=announced,reward=signed)",
         "phantom_ttt(obstype=reveal-numturns)", cell_of_three),
    Pair("phantom-mnk(turn=abrupt,reward=signed)", "phantom_ttt(gameversion=abrupt)", cell_of_three),
    Pair("dark-hex(reward=signed)", "dark_hex(gameversion=cdh,board_size=3)", cell_of_three,
         key=without_count),
    Pair("dark-hex(turn=abrupt,reward=signed)", "dark_hex(gameversion=adh,board_size=3)", cell_of_three),
    Pair("dark-hex(rows=3,columns=4,turn=abrupt,reward=signed)",
         "dark_hex(gameversion=adh,num_rows=3,num_cols=4)", cell_of_four),
    Pair("nim(reward=signed)", "nim(pile_sizes=3;4;5,is_misere=false)", heap),
    Pair("nim(misere=yes,reward=signed)", "nim(pile_sizes=3;4;5,is_misere=true)", heap),
    Pair("hearts-round", "hearts(pass_cards=false)", hearts_card, deal=hearts_deal, key=history),
    Pair("oh-hell", "oh_hell(players=3,num_tricks_fixed=5)", oh_hell, deal=oh_hell_deal, wanted=last_dealer, key=history),
    Pair("checkers(repetition=no,reward=signed)", "checkers", draughts, enough=quiet, key=history),
    Pair("oshi-zumo(coins=10,size=3,minimum=1)", "oshi_zumo(coins=10,size=3,min_bid=1)", coins),
    Pair("oshi-zumo(coins=23,size=2,minimum=3,short=all)", "oshi_zumo(coins=23,size=2,min_bid=3)", coins),
]


@dataclass(frozen=True)
class Position:
    """What OpenSpiel says of a position, in our names."""
    kind: str                       # over | chance | player | together
    legal: dict[int, list[str]]     # of every player who acts
    chance: dict[str, float]
    rewards: list[float]
    keys: dict[int, str]            # what OpenSpiel holds every player who acts to know
    text: str


class Difference(Exception):
    pass


def describe(pair: Pair, state: pyspiel.State) -> Position:
    kind, acting, chance, rewards = "player", [], {}, []
    if state.is_terminal():
        kind, rewards = "over", [pair.scale[0] * r + pair.scale[1] for r in state.returns()]
    elif state.is_chance_node():
        kind = "chance"
        chance = {pair.name(state, pyspiel.PlayerId.CHANCE, a): p for a, p in state.chance_outcomes()}
    elif state.is_simultaneous_node():
        kind, acting = "together", [p for p in range(state.num_players()) if state.legal_actions(p)]
    else:
        acting = [state.current_player()]
    legal = {p: [pair.name(state, p, a) for a in state.legal_actions(p)] for p in acting}
    return Position(kind, legal, chance, rewards, {p: pair.key(state, p) for p in acting}, str(state))


def opening(pair: Pair, game: pyspiel.Game, rng: random.Random) -> tuple[pyspiel.State, Moves]:
    """The initial state, or for a row with a deal the state after it."""
    state, names = game.new_initial_state(), []
    if pair.deal is None:
        return state, ()
    while state.is_chance_node():
        action = rng.choice(state.legal_actions())
        names.append(state.action_to_string(pyspiel.PlayerId.CHANCE, action))
        state.apply_action(action)
    return (state, (pair.deal(names),)) if pair.wanted(names) else opening(pair, game, rng)


def play(pair: Pair, game: pyspiel.Game, rng: random.Random) -> dict[Moves, Position]:
    """One random game: its positions by the moves that lead there."""
    state, moves = opening(pair, game, rng)
    met: dict[Moves, Position] = {}
    while True:
        if pair.enough(moves):
            return met
        met[moves] = describe(pair, state)
        if state.is_terminal():
            return met
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            step = {pyspiel.PlayerId.CHANCE: rng.choices(outcomes, weights)[0]}
        else:
            step = {p: rng.choice(state.legal_actions(p)) for p in met[moves].legal}
        moves += tuple(pair.name(state, p, a) for p, a in step.items())
        if state.is_simultaneous_node():
            state.apply_actions([step.get(p, 0) for p in range(state.num_players())])
        else:
            state.apply_action(*step.values())


def ask(program: Path, spec: str, questions: list[Moves]) -> list[dict]:
    """Our program's answers, one for each list of moves."""
    lines = "".join(f"{spec}\t{' '.join(moves)}\n" for moves in questions)
    printed = ours.call(program, "state", "--stdin", "--json", stdin=lines)
    try:
        answers = [json.loads(line) for line in printed.splitlines()]
    except json.JSONDecodeError as error:
        raise ours.Failure(f"`fogtree state` printed a line that is not JSON: {error.doc}") from error
    if len(answers) != len(questions):
        raise ours.Failure(f"`fogtree state` answered {len(answers)} lines to {len(questions)}")
    return answers


def check_position(expected: Position, answer: dict) -> None:
    """The position as OpenSpiel sees it against our answer; a Difference says what is not alike."""
    def same(what: str, theirs: object, mine: object, equal: bool) -> None:
        if not equal:
            raise Difference(f"{what}\n  OpenSpiel  {theirs}\n  fogtree    {mine}")

    if "error" in answer:
        raise Difference(f"error\n  fogtree    {answer['error']}")
    turn = answer["turn"]
    same("turn", expected.kind, turn["kind"], turn["kind"] == expected.kind)
    if expected.legal:
        acting = sorted(expected.legal)
        same("players to act", acting, turn["players"], sorted(turn["players"]) == acting)
    theirs = {player: sorted(names) for player, names in expected.legal.items()}
    mine = {int(player): sorted(names) for player, names in answer["legal"].items() if names}
    same("legal moves", theirs, mine, theirs == mine)
    chance = {outcome["move"]: outcome["p"] for outcome in answer["chance"] or []}
    same("chance outcomes", expected.chance, chance,
         chance.keys() == expected.chance.keys() and len(chance) == len(answer["chance"] or [])
         and all(math.isclose(p, expected.chance[move], abs_tol=1e-9) for move, p in chance.items()))
    if expected.kind == "over":
        rewards = answer["rewards"] or []
        same("rewards", expected.rewards, rewards, len(rewards) == len(expected.rewards)
             and all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(rewards, expected.rewards)))


class Partition:
    """Collects pairs of names of one information set and refuses two names for one set, on either side."""

    def __init__(self) -> None:
        self.ours: dict[tuple[int, str], tuple[str, Moves]] = {}
        self.peer: dict[tuple[int, str], tuple[str, Moves]] = {}

    def add(self, player: int, peer_key: str, our_key: str, moves: Moves) -> None:
        known, first = self.ours.setdefault((player, peer_key), (our_key, moves))
        if known != our_key:
            raise Difference(f"one information set of player {player} in OpenSpiel, two in fogtree"
                             f"\n  another    {' '.join(first)}"
                             f"\n  OpenSpiel  {peer_key!r}"
                             f"\n  fogtree    {our_key} here, {known} there")
        known, first = self.peer.setdefault((player, our_key), (peer_key, moves))
        if known != peer_key:
            raise Difference(f"one information set of player {player} in fogtree, two in OpenSpiel"
                             f"\n  another    {' '.join(first)}"
                             f"\n  fogtree    {our_key}"
                             f"\n  OpenSpiel  {peer_key!r} here,\n             {known!r} there")


def check(pair: Pair, program: Path, games: int, seed: int) -> int:
    """Plays the games and compares; the number of distinct positions."""
    game, rng = pyspiel.load_game(pair.peer), random.Random(f"{seed} {pair.peer}")
    positions: dict[Moves, Position] = {}
    for _ in range(games):
        positions |= play(pair, game, rng)
    answers, partition = ask(program, pair.ours, list(positions)), Partition()
    for (moves, expected), answer in zip(positions.items(), answers, strict=True):
        try:
            check_position(expected, answer)
            for player, key in expected.keys.items():
                partition.add(player, key, answer["infosets"][player], moves)
        except Difference as difference:
            position = expected.text.strip().replace("\n", "\n             ")
            raise Difference(f"{difference}\n  game       {pair.ours}, {pair.peer}"
                             f"\n  moves      {' '.join(moves)}\n  position   {position}") from None
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise ours.Failure(f"`fogtree state` answered in another form ({error!r}): {answer}") from error
    return len(positions)


def is_missing(pair: Pair, program: Path) -> bool:
    try:
        ask(program, pair.ours, [()])
    except ours.Failure as failure:
        if "unknown game" in str(failure):
            return True
        raise
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200, metavar="N", help="random games for each row (200)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the random play (1)")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose name matches, ours or theirs")
    parser.add_argument("--allow-missing", action="store_true",
                        help="skip games which our program does not have, unless they are marked as checked")
    parser.add_argument("--program", type=Path, default=ours.default_program(), help="our program")
    args = parser.parse_args()
    if args.games < 1:
        parser.error("--games must be positive")
    try:
        pairs = [pair for pair in PAIRS if re.search(args.only, pair.ours) or re.search(args.only, pair.peer)]
    except re.error as error:
        parser.error(f"--only is not a regular expression: {error}")
    if not pairs:
        parser.error(f"--only {args.only} matches none of: " + ", ".join(pair.ours for pair in PAIRS))

    failed = False
    for pair in pairs:
        try:
            if is_missing(pair, args.program):
                skipped = args.allow_missing and not pair.checked
                print(f"{pair.ours}: {'skipped' if skipped else 'MISSING'}: unknown game", flush=True)
                failed |= not skipped
                continue
            met = check(pair, args.program, args.games, args.seed)
            print(f"{pair.ours}: {args.games} games, {met} positions, ok", flush=True)
        except Difference as difference:
            print(f"{pair.ours}: DIFFERENT: {difference}", flush=True)
            failed = True
        except ours.Failure as failure:
            print(f"rules: {failure}", file=sys.stderr)
            return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
