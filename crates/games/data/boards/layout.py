#!/usr/bin/env python3
"""Where to draw the stations of a board that comes without coordinates.

    ./layout.py < london.txt > london-places.txt

Stress majorization (Gansner, Koren and North 2004) on the distances in the net of taxis, from a start that reads the
numbers of the stations like the words of a page; then stations too close to one another, or to a link that is not
theirs, are pushed apart. One unit is the usual length of a link. A line of the output is a station and its place.
"""

import math
import sys

ITERATIONS = 400
APART = 0.72  # The least distance of two stations,
ASIDE = 0.38  # and of a station from a link of others.


def read(lines):
    """The links of each station: taxis, or anything else if there is no taxi."""
    links = {}
    for line in lines:
        words = line.split("#")[0].split()
        if len(words) == 3 and words[0] != "start":
            a, b = int(words[0]), int(words[1])
            for one, other in ((a, b), (b, a)):
                links.setdefault(one, {}).setdefault(words[2], []).append(other)
    return [links[s].get("taxi") or sum(links[s].values(), []) for s in range(1, max(links) + 1)]


def distances(links):
    rows = []
    for start in range(1, len(links) + 1):
        row, border = {start: 0}, [start]
        while border:
            near = [(a, b) for a in border for b in links[a - 1]]
            border = []
            for a, b in near:
                if b not in row:
                    row[b] = row[a] + 1
                    border.append(b)
        # Distances in a net grow faster than those on the map.
        rows.append([row.get(s, 20) ** 0.94 for s in range(1, len(links) + 1)])
    return rows


def page(number, columns):
    return [(i % columns, i // columns * 0.8) for i in range(number)]


def majorize(places, far):
    for _ in range(ITERATIONS):
        after = []
        for i, (x, y) in enumerate(places):
            sx = sy = weights = 0.0
            row = far[i]
            for j, (u, v) in enumerate(places):
                if i == j:
                    continue
                d = row[j]
                w = 1 / (d * d)
                gap = math.hypot(x - u, y - v) or 1e-9
                sx += w * (u + d * (x - u) / gap)
                sy += w * (v + d * (y - v) / gap)
                weights += w
            after.append((sx / weights, sy / weights))
        places = after
    return places


def relax(places, edges, rounds=300):
    places = [list(p) for p in places]
    for _ in range(rounds):
        for i, p in enumerate(places):
            for q in places[:i]:
                dx, dy = p[0] - q[0], p[1] - q[1]
                gap = math.hypot(dx, dy) or 1e-9
                if gap < APART:
                    push = (APART - gap) / gap / 4
                    p[0] += dx * push; p[1] += dy * push
                    q[0] -= dx * push; q[1] -= dy * push
        for a, b in edges:
            p, q = places[a], places[b]
            ex, ey = q[0] - p[0], q[1] - p[1]
            length = ex * ex + ey * ey
            for c, r in enumerate(places):
                if c in (a, b):
                    continue
                t = ((r[0] - p[0]) * ex + (r[1] - p[1]) * ey) / length
                if not 0 < t < 1:
                    continue
                dx, dy = r[0] - p[0] - t * ex, r[1] - p[1] - t * ey
                gap = math.hypot(dx, dy) or 1e-9
                if gap < ASIDE:
                    push = (ASIDE - gap) / gap / 4
                    r[0] += dx * push; r[1] += dy * push
                    for end in (p, q):
                        end[0] -= dx * push / 2; end[1] -= dy * push / 2
    return places


def main():
    links = read(sys.stdin)
    number = len(links)
    edges = [(a - 1, b - 1) for a in range(1, number + 1) for b in links[a - 1] if a < b]
    places = majorize(page(number, round(math.sqrt(1.35 * number))), distances(links))
    # The numbers run from left to right and, line after line, from top to bottom: the page decides what is up.
    places = upright(places)
    mean = sum(math.dist(places[a], places[b]) for a, b in edges) / len(edges)
    places = relax([(x / mean, y / mean) for x, y in places], edges)
    left, top = min(x for x, _ in places), min(y for _, y in places)
    for station, (x, y) in enumerate(places, 1):
        print(station, f"{x - left:.2f} {y - top:.2f}")


def upright(places):
    """Turned so that the numbers rise downwards, and mirrored if they fall from left to right within lines."""
    number = len(places)
    def slope(angle):
        return sum((i - number / 2) * (x * math.sin(angle) + y * math.cos(angle)) for i, (x, y) in enumerate(places))
    angle = max((k * math.pi / 180 for k in range(360)), key=slope)
    turned = [(x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)) for x, y in places]
    right = sum(turned[i + 1][0] - turned[i][0] for i in range(number - 1) if math.dist(turned[i], turned[i + 1]) < 3)
    return turned if right > 0 else [(-x, y) for x, y in turned]


if __name__ == "__main__":
    main()
