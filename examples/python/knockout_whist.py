"""Knockout Whist: every deal is one card shorter, who takes no trick in it is out, the last one left wins.

Trumps of the first deal are turned up; later whoever took most tricks names them and leads, by lot among several.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import fogtree as ft

SUITS, RANKS = "CDHS", "23456789TJQKA"
DECK = [rank + suit for suit in SUITS for rank in RANKS]


@dataclass(frozen=True)
class State:
    size: int  # of the hands of this deal
    alive: tuple[int, ...]  # who is still in
    turn: int = ft.CHANCE
    hands: tuple[tuple[str, ...], ...] = ()
    trumps: str = ""  # not named yet
    trick: tuple[tuple[int, str], ...] = ()
    taken: tuple[int, ...] = ()  # tricks, by player
    seen: frozenset[str] = frozenset()  # cards of this deal that everybody has seen
    voids: frozenset[tuple[int, str]] = frozenset()  # who has shown to have none of a suit


class KnockoutWhist(ft.PythonGame):
    utility, utility_bounds, hidden_moves = "constant-sum", (0, 1), False
    moves = [f"trumps-{suit}" for suit in SUITS] + DECK

    def __init__(self, players: int = 3, cards: int = 7) -> None:
        self.players, self.cards = players, cards
        self.max_length = sum(2 + size * players for size in range(1, cards + 1))

    def start(self) -> State:
        return State(self.cards, tuple(range(self.players)), taken=(0,) * self.players)

    def turn(self, state: State) -> int:
        return state.turn if len(state.alive) > 1 else ft.TERMINAL

    def sample_chance(self, state: State, rng: random.Random) -> tuple[list[str], int]:
        """Cards for all, and one to turn up; who begins."""
        best = [p for p in state.alive if state.taken[p] == max(state.taken)]
        return rng.sample(DECK, state.size * len(state.alive) + 1), rng.choice(best) if state.size < self.cards else 0

    def actions(self, state: State, player: int) -> list[str]:
        if not state.trumps:
            return self.moves[:4]
        hand = state.hands[player]
        return [card for card in hand if state.trick and card[1] == state.trick[0][1][1]] or list(hand)

    def apply(self, state: State, move: object) -> State:
        if state.turn == ft.CHANCE:
            cards, first = move
            dealt = {p: tuple(sorted(cards[i * state.size :][: state.size])) for i, p in enumerate(state.alive)}
            hands, up = tuple(dealt.get(p, ()) for p in range(self.players)), cards[-1]
            turned = (up[1], frozenset([up])) if state.size == self.cards else ("", frozenset())
            return State(state.size, state.alive, first, hands, turned[0], taken=(0,) * self.players, seen=turned[1])
        if not state.trumps:
            return replace(state, trumps=move[-1])
        player, trick = state.turn, (*state.trick, (state.turn, move))
        hands = tuple(tuple(c for c in hand if c != move) for hand in state.hands)
        led, seen, voids = trick[0][1][1], state.seen | {move}, state.voids
        if move[1] != led:
            voids |= {(player, led)}
        if len(trick) < len(state.alive):
            after = state.alive[(state.alive.index(player) + 1) % len(state.alive)]
            return replace(state, turn=after, hands=hands, trick=trick, seen=seen, voids=voids)
        worth = {p: (c[1] == state.trumps, c[1] == led, RANKS.index(c[0])) for p, c in trick}
        winner = max(worth, key=worth.__getitem__)
        taken = tuple(n + (p == winner) for p, n in enumerate(state.taken))
        if any(hands):
            return replace(state, turn=winner, hands=hands, trick=(), taken=taken, seen=seen, voids=voids)
        return State(state.size - 1, tuple(p for p in state.alive if taken[p]), taken=taken)

    def observe(self, state: State, move: object, player: int) -> object:
        if state.turn != ft.CHANCE:
            return move
        after = self.apply(state, move)
        return after.hands[player], after.turn, sorted(after.seen)

    def rewards(self, state: State) -> list[int]:
        return [int(p in state.alive) for p in range(self.players)]

    def information(self, state: State, player: int) -> tuple[State, tuple[int, ...]]:
        hidden = tuple(hand if p == player else () for p, hand in enumerate(state.hands))
        return replace(state, hands=hidden), tuple(map(len, state.hands))

    def sample(self, information: tuple[State, tuple[int, ...]], player: int, rng: random.Random) -> State:
        known, sizes = information
        unseen = [card for card in DECK if card not in known.seen and not (known.hands and card in known.hands[player])]
        while True:  # all deals are equally likely; those that cannot be are dealt again
            rng.shuffle(unseen)
            cards = iter(unseen)
            deal = [known.hands[p] if p == player else [next(cards) for _ in range(n)] for p, n in enumerate(sizes)]
            if not any((p, card[1]) in known.voids for p, hand in enumerate(deal) for card in hand if p != player):
                return replace(known, hands=tuple(tuple(sorted(hand)) for hand in deal))

    def show(self, state: State, player: int | None) -> str:
        lines = [f"{len(state.alive)} players left, {state.size} cards each, trumps {state.trumps or 'not named'}"]
        lines += [f"player {p} played {card}" for p, card in state.trick]
        hands = [(p, hand) for p, hand in enumerate(state.hands) if player in (None, p)]
        return "\n".join(lines + [f"player {p} took {state.taken[p]}: {' '.join(hand)}" for p, hand in hands])


if __name__ == "__main__":
    print(ft.check(KnockoutWhist, games=20))
    agents = ["mo-ismcts(iterations=200)", "random", "random"]
    print(ft.match(ft.game(KnockoutWhist), agents, games=12, seed=1))
