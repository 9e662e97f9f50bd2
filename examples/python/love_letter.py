"""Love Letter (Seiji Kanai): the edition of 16 cards, one round or several, for two to four players.

Players remember the cards that they were shown, until these may have been played, and draw no other conclusions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import fogtree as ft

CARDS = {"guard": 5, "priest": 2, "baron": 2, "handmaid": 2, "prince": 2, "king": 1, "countess": 1, "princess": 1}
KINDS = list(CARDS)
OPEN = -1  # where three cards go in games of two


@dataclass(frozen=True)
class State:
    won: tuple[int, ...]  # rounds, by player
    turn: int
    draws: tuple[int, ...]  # for whom chance draws next
    hands: tuple[tuple[str, ...], ...]  # what was held first, then what was drawn; empty for those who are out
    thrown: tuple[tuple[str, ...], ...]  # what everybody has seen of each
    stock: tuple[str, ...] = tuple(Counter(CARDS).elements())  # in no order, with the card that is set aside
    open: tuple[str, ...] = ()
    safe: frozenset[int] = frozenset()  # protected by a handmaid
    known: frozenset[tuple[int, int]] = frozenset()  # (who, whose): first cards that were shown


def put(many: tuple[Any, ...], place: int, one: Any) -> tuple[Any, ...]:
    return (*many[:place], one, *many[place + 1 :])


class LoveLetter(ft.PythonGame):
    utility, utility_bounds, hidden_moves = "constant-sum", (0, 1), False

    def __init__(self, players: int = 2, rounds: int = 1) -> None:
        self.players, self.rounds = players, rounds
        self.max_length = 45 * (players * (rounds - 1) + 1)

    def start(self) -> State:
        return self.deal((0,) * self.players, 0)

    def deal(self, won: tuple[int, ...], first: int) -> State:
        draws = (OPEN,) * (3 if self.players == 2 else 0) + tuple(range(self.players)) + (first,)
        return State(won, first, draws, ((),) * self.players, ((),) * self.players)

    def turn(self, state: State) -> int:
        return ft.CHANCE if state.draws else ft.TERMINAL if max(state.won) >= self.rounds else state.turn

    def chance(self, state: State) -> list[tuple[str, float]]:
        return [(card, n / len(state.stock)) for card, n in Counter(state.stock).items()]

    def actions(self, state: State, player: int) -> Iterable[str]:
        hand = set(state.hands[player])
        if "countess" in hand and hand & {"king", "prince"}:
            return ["countess"]
        others = [p for p, held in enumerate(state.hands) if held and p != player and p not in state.safe]
        moves = []
        for card in hand:
            targets = [*others, player] if card == "prince" else others
            if card in ("handmaid", "countess", "princess") or not targets:
                moves.append(card)
            elif card == "guard":
                moves += [f"guard-{p}-{guess}" for p in targets for guess in KINDS[1:]]
            else:
                moves += [f"{card}-{p}" for p in targets]
        return sorted(moves)

    def apply(self, state: State, move: str) -> State:
        if state.draws:
            to, *later = state.draws
            place = state.stock.index(move)
            state = replace(state, draws=tuple(later), stock=state.stock[:place] + state.stock[place + 1 :])
            if to == OPEN:
                return replace(state, open=tuple(sorted((*state.open, move))))
            state = replace(state, hands=put(state.hands, to, (*state.hands[to], move)))
            return state if later or len(state.hands[state.turn]) == 2 else self.next(state)
        player, (card, *at) = state.turn, move.split("-")
        hand = state.hands[player]
        kept = hand[1] if card == hand[0] else hand[0]
        known = {(w, p) for w, p in state.known if p != player or card != hand[0]}
        state = replace(state, hands=put(state.hands, player, (kept,)), known=frozenset(known))
        state = replace(state, thrown=put(state.thrown, player, (*state.thrown[player], card)))
        if card == "handmaid":
            state = replace(state, safe=state.safe | {player})
        elif card == "princess":
            state = self.out(state, player)
        elif at:
            target = int(at[0])
            held = state.hands[target][0]
            if card == "guard" and held == at[1]:
                state = self.out(state, target)
            elif card == "priest":
                state = replace(state, known=state.known | {(player, target)})
            elif card == "baron" and held == kept:
                state = replace(state, known=state.known | {(player, target), (target, player)})
            elif card == "baron":
                state = self.out(state, target if KINDS.index(held) < KINDS.index(kept) else player)
            elif card == "prince":
                state = self.out(state, target)
                if held != "princess":
                    return replace(state, draws=(target,))
            elif card == "king":
                swap = {player: target, target: player}
                moved = {(w, swap.get(p, p)) for w, p in state.known} | {(player, target), (target, player)}
                hands = put(put(state.hands, player, (held,)), target, (kept,))
                state = replace(state, hands=hands, known=frozenset((w, p) for w, p in moved if w != p))
        return self.next(state)

    def out(self, state: State, player: int) -> State:
        """Puts down what a player holds."""
        thrown = put(state.thrown, player, state.thrown[player] + state.hands[player])
        known = frozenset((w, p) for w, p in state.known if p != player)
        return replace(state, hands=put(state.hands, player, ()), thrown=thrown, known=known)

    def next(self, state: State) -> State:
        left = [p for p, hand in enumerate(state.hands) if hand]
        if len(left) > 1 and len(state.stock) > 1:
            turn = next(p for p in (*range(state.turn + 1, self.players), *range(self.players)) if p in left)
            return replace(state, turn=turn, draws=(turn,), safe=state.safe - {turn})
        worth = {p: (KINDS.index(state.hands[p][0]), sum(KINDS.index(c) + 1 for c in state.thrown[p])) for p in left}
        best = [p for p in left if worth[p] == max(worth.values())]
        won = tuple(n + (p in best) for p, n in enumerate(state.won))
        return replace(state, won=won) if max(won) >= self.rounds else self.deal(won, best[0])

    def observe(self, state: State, move: str, player: int) -> Any:
        hidden = state.draws and state.draws[0] not in (OPEN, player)
        after = self.information(self.apply(state, move), player)[0]
        return "a card" if hidden else move, after.won, after.hands, after.thrown

    def rewards(self, state: State) -> list[float]:
        best = [n == max(state.won) for n in state.won]
        return [is_best / sum(best) for is_best in best]

    def information(self, state: State, player: int) -> tuple[State, tuple[int, ...]]:
        seen = lambda p: 2 if p == player else int((player, p) in state.known)
        hands = tuple(hand[: seen(p)] for p, hand in enumerate(state.hands))
        known = frozenset((w, p) for w, p in state.known if w == player)
        return replace(state, hands=hands, known=known, stock=()), tuple(map(len, state.hands))

    def sample(self, information: tuple[State, tuple[int, ...]], player: int, rng: random.Random) -> State:
        state, sizes = information
        seen = Counter(card for cards in (state.open, *state.hands, *state.thrown) for card in cards)
        unseen = list((Counter(CARDS) - seen).elements())
        rng.shuffle(unseen)
        hands = tuple(hand + tuple(unseen.pop() for _ in range(n - len(hand))) for hand, n in zip(state.hands, sizes))
        return replace(state, hands=hands, stock=tuple(sorted(unseen, key=KINDS.index)))


if __name__ == "__main__":
    print(ft.check(LoveLetter, games=20))
    print(ft.match(ft.game(LoveLetter), ["mo-ismcts(iterations=200)", "random"], games=20, seed=1))
