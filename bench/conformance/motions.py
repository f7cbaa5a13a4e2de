# SPDX-License-Identifier: BSD-2-Clause
"""The motions of problems/ for integrate.py, written anew from the equations at the head of each problem file, and closed forms where there are any.

MOTIONS: {name: (system, closed form or None)}; a closed form gives x and v at t. The mechanisms are in mechanisms.py."""
from math import acos, atan2, cos, exp, hypot, log, pi, sin, sqrt

from friction import Friction
from massless import Quasistatic, Sliders
from mechanisms import MECHANISMS

MOTIONS = dict(MECHANISMS)


def block(name, x0, v0, mass, force, threshold, closed=None, **more):
    """One mass. threshold(s, t, x, v), or a number."""
    c = threshold if callable(threshold) else lambda s, t, x, v: threshold
    MOTIONS[name] = Friction([x0], [v0], [mass], lambda t, x, v, side: [force(t, x[0], v[0], side)],
                             lambda i, s, t, x, v: c(s, t, x[0], v[0]), **more), closed


def blocks(name, x0, v0, mass, force, thresholds, closed=None, **more):
    MOTIONS[name] = Friction(x0, v0, mass, force, lambda i, s, t, x, v: thresholds[i], **more), closed


def row(stiffness, x):
    """The forces of springs between walls and masses in a row."""
    place = [0.0] + x + [0.0]
    pull = [k * (b - a) for k, a, b in zip(stiffness, place, place[1:])]
    return [b - a for a, b in zip(pull, pull[1:])]


# held
block("hold-constant", 0, 0, 1.0, lambda t, x, v, side: 0.9, 1.0, lambda t: (0.0, 0.0))
block("hold-near", 0, 0, 1.0, lambda t, x, v, side: 0.999999999, 1.0, lambda t: (0.0, 0.0))
block("hold-swing", 0.2, 0, 2.0, lambda t, x, v, side: -3 * x + 0.35 * sin(2 * t), 1.0, lambda t: (0.2, 0.0))
blocks("hold-chain", [0.05, 0, 0.05], [0, 0, 0], [1.0] * 3,
       lambda t, x, v, side: [-30 * x[0] + 20 * x[1], 20 * x[0] - 40 * x[1] + 20 * x[2] + 0.8 * sin(t), 20 * x[1] - 30 * x[2]], [3, 3, 3],
       lambda t: (0.05, 0.0, 0.05, 0.0, 0.0, 0.0))

# breaks away
block("break-away", 0, 0, 2.0, lambda t, x, v, side: 0.5 * t, 1.0, lambda t: (max(0.0, t - 2) ** 3 / 24, max(0.0, t - 2) ** 2 / 8))


def gear(x):
    return 4000 * (x[0] - x[1])


def worm_force(t, x, v, side):
    damper = 100 * (v[0] - v[1])
    return [(0 if side[0] > 0 else 60) - gear(x) - damper, -20 + gear(x) + damper]


MOTIONS["worm-gear"] = Friction([0, -0.005], [0, 0], [2.0, 5.0], worm_force, lambda i, s, t, x, v: 0 if i else 2 + 1.2 * abs(gear(x)),
                                kinks=[(None, lambda t, x, v: t - 1), (None, lambda t, x, v: gear(x))]), None


# stops and stays
def throw(t):
    t = min(t, 2 / 3)
    return 2 * t - 1.5 * t * t, 2 - 3 * t


def throw_viscous(t):
    t = min(t, 2 * log(2.5))
    return 10 * (1 - exp(-t / 2)) - 2 * t, 5 * exp(-t / 2) - 2


class Dashpot(Friction):
    """The dash-pot's force R is the last column, in place of lambda."""

    def row(self, t, y, mode):
        x, v, held = super().row(t, y, mode)
        return [x, v, mode[0][0] * self.threshold(0, mode[0][0], t, y) if mode[0][0] else held]


def dashpot(i, s, t, x, v):
    """The largest p with p^2 (p - 1) = s v, by Newton's method from above."""
    speed = max(-0.1, s * v[0])
    p, last = 1 + max(0.0, speed) ** (1 / 3), 0.0
    for _ in range(60):
        p, last = p - (p * p * (p - 1) - speed) / (3 * p * p - 2 * p), p
        if abs(p - last) < 1e-16:
            break
    return p


block("throw", 0, 2, 1.0, lambda t, x, v, side: 0.0, 3.0, throw)
block("throw-viscous", 0, 3, 1.0, lambda t, x, v, side: -0.5 * v, 1.0, throw_viscous)
MOTIONS["dashpot"] = Dashpot([3], [0], [1.0], lambda t, x, v, side: [-4 * x[0]], dashpot), None


# reverses
def incline(t):
    turn = 2 / 2.1
    back = max(0.0, t - turn)
    t = min(t, turn)
    return -2 * t + 1.05 * t * t + 0.05 * back * back, -2 + 2.1 * t + 0.1 * back


def reverse(t):
    first, second, third = min(t, 1.0), min(max(0.0, t - 1), 0.5), max(0.0, t - 1.5)
    return first ** 2 + 2 * second - 2 * second ** 2 - third ** 2, 2 * first - 4 * second - 2 * third


def oscillator(t):
    if t >= 4 * pi:
        return -0.2, 0.0
    k = int(t / pi)
    middle = 0.4 if k % 2 == 0 else -0.4
    return middle + (-1) ** k * (3 - 0.8 * k - 0.4) * cos(t - k * pi), -(-1) ** k * (3 - 0.8 * k - 0.4) * sin(t - k * pi)


block("incline", 0, -2, 1.0, lambda t, x, v, side: 1.1, 1.0, incline)
block("reverse", 0, 0, 1.0, lambda t, x, v, side: -3.0 if side[0] > 0 else 3.0, 1.0, reverse, kinks=[(None, lambda t, x, v: t - 1)])
block("oscillator", 3, 0, 1.0, lambda t, x, v, side: -x, 0.4, oscillator)
block("shaker", 0, 0, 1.0, lambda t, x, v, side: -x + 1.8 * cos(0.4 * t), 1.0)
block("ratchet", 0, 0, 1.0, lambda t, x, v, side: 2 * sin(t), lambda s, t, x, v: 1.0 if s > 0 else 3.0)
block("threshold-in-time", 0, 0, 1.0, lambda t, x, v, side: 2.5, lambda s, t, x, v: 2 + sin(t))
block("threshold-in-place", 2, 0, 1.0, lambda t, x, v, side: -2 * x, lambda s, t, x, v: 0.2 + 0.5 * x * x)
block("gearbox", 0, 0, 1.0, lambda t, x, v, side: 1.4 + 1.5 * sin(t) - 1.4,
      lambda s, t, x, v: 0.5 + 0.56 * (1 - 0.25 * s * 0.7 * v / hypot(0.05, 0.7 * v)))

# surfaces that move, and friction that falls with speed
block("belt", 0, 0.5, 1.0, lambda t, x, v, side: -x, lambda s, t, x, v: 0.5 + 0.5 * exp(-s * (v - 0.5) / 0.2), surface=lambda t: ([0.5], [0.0]))
block("shaken-table", 0, 0, 0.5, lambda t, x, v, side: 0.0, 0.3, surface=lambda t: ([sin(t)], [cos(t)]))
block("stribeck-1", 0, 2, 0.7, lambda t, x, v, side: 0.0, lambda s, t, x, v: 1.2 + 1.8 * exp(-s * v / 0.4))
block("stribeck-2", 1, 0, 1.0, lambda t, x, v, side: -2 * x + 3 * sin(t), lambda s, t, x, v: 0.6 + 0.4 * exp(-(v / 0.3) ** 2))
block("drawn", 0, 0, 1.0, lambda t, x, v, side: 0.1 * t - x, lambda s, t, x, v: 1 - 0.4 * s * v / hypot(0.05, v))


# several joints at once
def three_blocks(t, x, v, side):
    return [-2 * x[0] + x[1] - v[0], x[0] - 2 * x[1] + x[2] - v[1], x[1] - x[2] - v[2] + 10 * cos(pi * t)]


def tp1(t, x, v, side):
    p = -100 * exp(-10 * t)
    return [p - sum(x[j] / (i + j + 1) for j in range(3)) for i in range(3)]


def tp2(t, x, v, side):
    p = -10 * sin(3 * pi * t / 5) * exp(-t * t)
    return [p - 3 * x[0] + 2 * x[1], p + 2 * x[0] - 4 * x[1] + 3 * x[2], p + 3 * x[1] - 5 * x[2]]


def two_stop(t):
    """x1 = -x2 swings with the rate sqrt(5) about -0.2 or 0.2 until it stops between them."""
    w, x, v, s = sqrt(5), 1.0, 3.0, 1
    while True:
        middle, turn = -0.2 * s, atan2(abs(v) / w, s * (x + 0.2 * s)) / w
        if t < turn:
            x, v = middle + (x - middle) * cos(w * t) + v / w * sin(w * t), v * cos(w * t) - w * (x - middle) * sin(w * t)
            return x, -x, v, -v
        x, v, t, s = middle + s * hypot(x - middle, v / w), 0.0, t - turn, -s
        if abs(x) <= 0.2:
            return x, -x, 0.0, 0.0


blocks("two-coupled", [0, 0], [2, -1], lambda x: [[2, 1], [1, 3]], lambda t, x, v, side: [3 * sin(2 * t), 0.0], [1, 2])
blocks("two-break-away", [0, 0], [0, 0], [1.0] * 2,
       lambda t, x, v, side: [-3 * x[0] + 2 * x[1] - 0.5 * v[0] - 0.5 * t, 2 * x[0] - 3 * x[1] - 0.5 * v[1] + 0.5 * t], [1, 1])
blocks("two-stop", [1, -1], [3, -3], [1.0] * 2, lambda t, x, v, side: [-3 * x[0] + 2 * x[1], 2 * x[0] - 3 * x[1]], [1, 1], two_stop)
blocks("three-blocks", [-1, 1, -1], [-1, 1, 1], [1.0] * 3, three_blocks, [0.3] * 3)
blocks("tp1", [1, 2, 3], [1, 1, 1], [4.0, 5.0, 6.0], tp1, [10] * 3)
blocks("tp2", [1, 3, 5], [2, 2, 2], [1.0, 2.0, 3.0], tp2, [6, 5, 4])
blocks("chain-10", [0] * 10, [0] * 10, [1.0] * 10, lambda t, x, v, side: [f + (10 * sin(3 * t) if i == 0 else 0) for i, f in enumerate(row([50] * 11, x))],
       [0.5] * 10)

# without mass
MOTIONS["chain-massless"] = Quasistatic([0, 0, 0], [[2, -1, 0], [-1, 2, -1], [0, -1, 2]], lambda t: [4 * sin(t), 1.5 * sin(2 * t), 0.7 * sin(3 * t)],
                                        lambda t: [4 * cos(t), 3 * cos(2 * t), 2.1 * cos(3 * t)], [1, 1, 1]), None
MOTIONS["maxwell-slip"] = Sliders(0, 0, 2.0, lambda t, x, v: 6 * sin(1.3 * t) - 8 * x - 2 * v, [4, 3, 2], [0.5, 1, 1.5]), None


# stops
def wall(t):
    if t < 3 - sqrt(7):
        return 3 * t - t * t / 2, 3 - t
    t, v = min(t - (3 - sqrt(7)), sqrt(7) / 2), sqrt(7) / 2
    return 1 - v * t + t * t / 2, -v + t


def bounces(t):
    """Falls with 8.81, rises with 10.81 m/s^2; each impact leaves 0.4 of the speed."""
    down, up = 8.81, 10.81
    fall = sqrt(2 / down)
    if t < fall:
        return 1 - down * t * t / 2, -down * t
    t, v = t - fall, 0.4 * down * fall
    while v > 1e-17:
        if t < v / up:
            return v * t - up * t * t / 2, v - up * t
        t, height = t - v / up, v * v / up / 2
        if t < sqrt(2 * height / down):
            return height - down * t * t / 2, -down * t
        t, v = t - sqrt(2 * height / down), 0.4 * sqrt(2 * height * down)
    return 0.0, 0.0


def elastic_stop(t):
    """In the stop it swings with 10 1/s about 0.005 m before its edge on the way in, behind it on the way out."""
    meets, v = 4 - sqrt(14), sqrt(14) / 2
    if t < meets:
        return 2 * t - t * t / 4, 2 - t / 2
    t, size, turn = t - meets, hypot(0.005, v / 10), atan2(v / 10, 0.005) / 10
    if t < turn:
        return 0.495 + size * cos(10 * (t - turn)), -10 * size * sin(10 * (t - turn))
    t, size = t - turn, size - 0.01
    leaves = acos(-0.005 / size) / 10
    if t < leaves:
        return 0.505 + size * cos(10 * t), -10 * size * sin(10 * t)
    v = 10 * size * sin(10 * leaves)
    t = min(t - leaves, 2 * v)
    return 0.5 - v * t + t * t / 4, -v + t / 2


block("wall", 0, 3, 1.0, lambda t, x, v, side: 0.0, 1.0, wall, stops={0: (None, 1.0, 0.5)})
block("pressed-on-wall", 0, 2, 2.0, lambda t, x, v, side: 5 * sin(2 * t) + 0.5, 3.0, stops={0: (None, 0.5, 0.0)})
block("bounces", 1, 0, 1.0, lambda t, x, v, side: -9.81, 1.0, bounces, stops={0: (0.0, None, 0.4)})
block("elastic-stop", 0, 2, 1.0, lambda t, x, v, side: -100 * (x - 0.5) if side[0] > 0 else 0.0, 0.5, elastic_stop,
      kinks=[((1, "contact+"), lambda t, x, v: x[0] - 0.5)])
