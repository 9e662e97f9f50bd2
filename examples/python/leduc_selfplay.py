"""Learns Leduc poker by self-play with a small neural network, in minutes on one CPU, and measures itself.

    python leduc_selfplay.py --minutes 0.8

Magnetic mirror descent (Sokota et al., "A Unified Approach to Reinforcement Learning, Quantal Response
Equilibria, and Two-Player Zero-Sum Games", 2023) with a network in place of tables. A step moves the logits along

    advantages - temperature * (logits - logits of the magnet)

where the pull to the magnet keeps the policies of both players from going round in circles. The magnet is uniform
play at first, then every so often what has been reached, as in regularised Nash dynamics (Perolat et al.,
"Mastering the Game of Stratego with Model-Free Multiagent Reinforcement Learning", 2022). Advantages come from what
was earned in the games and from a second network, which says what each move is worth. What is measured, and what
becomes the magnet, is an average of the weights.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import fogtree as ft

TABLES, STEPS, LONGEST = 512, 40, 8      # tables at once, steps of a batch, most decisions of a game
HIDDEN, RATE, MINIBATCH = 128, 1e-3, 2048
TEMPERATURE, PERIOD = 0.6, 1000          # how strong the pull is, in chips; updates until the magnet moves
AVERAGE = 0.998                          # how much of the averaged weights each update keeps


class Network:
    """A multilayer perceptron with two hidden layers, trained by Adam."""

    def __init__(self, inputs: int, outputs: int, rng: np.random.Generator) -> None:
        sizes = [inputs, HIDDEN, HIDDEN, outputs]
        self.weights = [
            array
            for m, n in zip(sizes, sizes[1:])
            for array in (rng.normal(0, np.sqrt(2 / m), (m, n)).astype(np.float32), np.zeros(n, np.float32))
        ]
        self.weights[4] *= 0.01
        self.average = [w.copy() for w in self.weights]
        self.first = [np.zeros_like(w) for w in self.weights]
        self.second = [np.zeros_like(w) for w in self.weights]
        self.updates = 0

    def __call__(self, inputs: np.ndarray, averaged: bool = False) -> np.ndarray:
        w = self.average if averaged else self.weights
        self.inputs = inputs
        self.one = np.maximum(inputs @ w[0] + w[1], 0)
        self.two = np.maximum(self.one @ w[2] + w[3], 0)
        return self.two @ w[4] + w[5]

    def descend(self, slope: np.ndarray, rate: float) -> None:
        """One step of Adam, given the slope of the loss by each output of the last call."""
        w = self.weights
        two = (slope @ w[4].T) * (self.two > 0)
        one = (two @ w[2].T) * (self.one > 0)
        layers = [(self.inputs, one), (self.one, two), (self.two, slope)]
        slopes = [part for into, out in layers for part in (into.T @ out, out.sum(0))]
        self.updates += 1
        fix = np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        keep = min(AVERAGE, self.updates / (self.updates + 10))
        for w, g, m, v, a in zip(self.weights, slopes, self.first, self.second, self.average):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= rate * fix * m / (np.sqrt(v) + 1e-8)
            a += (1 - keep) * (w - a)


def policy(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The probabilities of legal moves."""
    logits = np.where(mask, logits, -np.inf)
    odds = np.exp(logits - logits.max(-1, keepdims=True))
    return odds / odds.sum(-1, keepdims=True)


def play(tables: ft.Vector, actor: Network, rng: np.random.Generator) -> list[np.ndarray]:
    """A batch of decisions: what was seen and legal, policies, moves, what the player earned in the end."""
    seen, masks, policies, moves, players, rewards, done = ([] for _ in range(7))
    for _ in range(STEPS):
        seen.append(tables.observations.copy())
        masks.append(tables.legal_mask.copy())
        players.append(tables.current_player.copy())
        policies.append(policy(actor(seen[-1]), masks[-1]))
        drawn = (policies[-1].cumsum(1) > rng.random((len(tables), 1))) & masks[-1]
        moves.append(np.where(drawn.any(1), drawn.argmax(1), policies[-1].argmax(1)))
        tables.step(moves[-1])
        rewards.append(tables.rewards.copy())
        done.append(tables.done.copy())
    earned, later = np.zeros((STEPS, len(tables)), np.float32), np.zeros_like(rewards[0])
    for t in reversed(range(STEPS)):
        later = np.where(done[t][:, None], rewards[t], later)
        earned[t] = later[np.arange(len(tables)), players[t]]
    kept = STEPS - LONGEST                # all games that these steps belong to have ended
    return [np.concatenate(part[:kept]) for part in (seen, masks, policies, moves, earned)]


def centred(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Numbers of legal moves, less their mean."""
    mean = np.where(mask, logits, 0).sum(1, keepdims=True) / mask.sum(1, keepdims=True)
    return np.where(mask, logits - mean, 0)


def learn(batch: list[np.ndarray], actor: Network, magnet: Network, critic: Network, rate: float,
          rng: np.random.Generator) -> None:
    """Goes over a batch once, in random order."""
    order = rng.permutation(len(batch[0]))
    for part in np.array_split(order, len(order) // MINIBATCH):
        seen, mask, old, moves, earned = (array[part] for array in batch)
        rows = np.arange(len(part))
        worth = critic(seen)
        missed = earned - worth[rows, moves]
        slope = np.zeros_like(worth)
        slope[rows, moves] = -missed
        critic.descend(slope / len(part), rate)

        logits = actor(seen)
        values = worth.copy()             # what was earned corrects what the critic says of the move made
        values[rows, moves] += missed * np.minimum(1 / old[rows, moves], 10)
        slope = TEMPERATURE * (logits - magnet(seen, averaged=True)) - values
        actor.descend(centred(slope, mask) / len(part), rate)
        if actor.updates % PERIOD == 0:
            magnet.average = [w.copy() for w in actor.average]


class Exploit:
    """How far from equilibrium a network plays: over all information sets of the game, by best responses."""

    def __init__(self, game: ft.Game) -> None:
        self.game, infosets = game, ft.infosets(game)
        self.numbers = {info.key: i for i, info in enumerate(infosets)}
        self.seen = np.stack([info.tensor() for info in infosets])
        self.mask = np.zeros((len(infosets), game.num_moves or 0), bool)
        for i, info in enumerate(infosets):
            self.mask[i, info.legal_numbers] = True

    def __call__(self, actor: Network) -> float:
        chances = policy(actor(self.seen, averaged=True).astype(np.float64), self.mask)
        return float(ft.exploit(self.game, lambda info: chances[self.numbers[info.key]][info.legal_numbers]))


def train(minutes: float, seed: int = 1) -> list[tuple[float, float]]:
    """Learns for so many minutes of CPU time; returns the curve of minutes and exploitability."""
    game, rng = ft.game("leduc-poker"), np.random.default_rng(seed)
    tables = ft.vector(game, TABLES, seed=seed)
    inputs = tables.observations.shape[1]
    actor, magnet, critic = (Network(inputs, game.num_moves or 0, rng) for _ in range(3))
    exploit, began, curve, steps = Exploit(game), time.process_time(), [], 0
    print("minutes       steps  exploitability")
    while True:
        part = min(1.0, (time.process_time() - began) / 60 / minutes)
        if part * 10 >= len(curve):
            curve.append((part * minutes, exploit(actor)))
            print(f"{part * minutes:7.2f}  {steps:10,}  {curve[-1][1]:.4f}", flush=True)
        if part == 1.0:
            return curve
        learn(play(tables, actor, rng), actor, magnet, critic, RATE * (1.02 - part), rng)
        steps += TABLES * STEPS


if __name__ == "__main__":
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("--minutes", type=float, default=0.8, help="of CPU time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--search", type=int, default=0, help="iterations of mo-ismcts, which is measured too")
    given = parser.parse_args()
    reached = train(given.minutes, given.seed)[-1][1]
    leduc = ft.game("leduc-poker")
    uniform = float(ft.exploit(leduc, lambda info: [1 / len(info.legal)] * len(info.legal)))
    print(f"\nuniform play            {uniform:.4f}\nthis network            {reached:.4f}")
    if given.search:
        found = float(ft.exploit(leduc, f"mo-ismcts(iterations={given.search})"))
        print(f"mo-ismcts, {given.search:6} its.  {found:.4f}")
