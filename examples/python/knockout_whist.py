"""Knockout Whist: each deal is one card shorter, whoever takes no trick in it is out, the last one left wins.

The rules of the pub game without the "dog's life": trumps of the first deal are turned up, those of the others are named
by whoever took most tricks (of those who took as many, by lot). https://www.pagat.com/whist/knockwh.html
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import fogtree as ft

SUITS, RANKS = "CDHS", "23456789TJQKA"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
VALUE = {card: RANKS.index(card[0]) for card in DECK}
Cards = tuple[str, ...]


@dataclass(frozen=True)
class State:
    hands: tuple[Cards, ...]  # empty for those who are out
    size: int  # of the hands of this deal
    trumps: str  # not named yet: ""
    leader: int  # of this trick, at first whoever names trumps
    trick: Cards = ()
    taken: tuple[int, ...] = ()
    played: Cards = ()
    deal: bool = True  # chance is to deal
    voids: tuple[tuple[int, str], ...] = ()  # who has shown to have none of which suit


class KnockoutWhist(ft.PythonGame):
    utility, utility_bounds, hidden_moves = "constant-sum", (0, 1), False
    moves = [f"trumps-{suit}" for suit in SUITS] + DECK

    def __init__(self, players: int = 3, cards: int = 7) -> None:
        self.players, self.cards = players, cards
        self.max_length = sum(2 + size * players for size in range(1, cards + 1))

    def start(self) -> State:
        return State(((),) * self.players, self.cards, "", 0, taken=(1,) * self.players)

    def turn(self, state: State) -> int:
        if state.deal:
            return ft.CHANCE if sum(n > 0 for n in state.taken) > 1 else ft.TERMINAL
        return self.seat(state, len(state.trick))

    def seat(self, state: State, place: int) -> int:
        seats = [s % self.players for s in range(state.leader, state.leader + self.players)]
        return [s for s in seats if len(state.hands[s]) + (s in self.done(state)) > 0][place]

    def done(self, state: State) -> set[int]:
        """Those who have played to this trick: with their last card in it they are still in."""
        alive = [s % self.players for s in range(state.leader, state.leader + self.players) if state.taken[s % self.players] >= 0]
        return set(alive[: len(state.trick)])
