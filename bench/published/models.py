# SPDX-License-Identifier: BSD-2-Clause
"""The problems' equations, written anew from the heads of the problem files, and the motion under a given control by bench/conformance/integrate.py."""
import pathlib
import sys
from dataclasses import dataclass
from math import cos, pi, sin

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "conformance"))

from friction import Friction
from integrate import follow
from motions import MOTIONS, row

TOLERANCE = 1e-13  # of the integrator
LOOKS = 8  # in each piece of u: a slip that begins and ends between two of these times may be missed


def effort(v, u, side):
    return sum(a * a for a in u)


def time(v, u, side):
    return 1.0


def supplied(v, u, side):
    """The power that the voltage supplies; nothing flows back."""
    return u[0] * v[2] if u[0] * side[0] > 0 else 0.0


@dataclass
class Model:
    """mass: the diagonal, or a function of x that returns rows. force(x, v, u): all forces but dry friction. x_end, v_end: the target; None is free.
    cost(v, u, side): its rate. kinks as in friction.py: side[k] is 1 where g(t, x, v) >= 0, else -1."""
    mass: object
    force: object
    thresholds: list
    x0: list
    v0: list
    x_end: list
    v_end: list
    cost: object = effort
    kinks: tuple = ()

    def under(self, u, x, v, spent):
        """The system under a constant u. Its last coordinate has mass 1 and no friction, and its velocity is the cost so far."""
        d, mass = len(x), self.mass
        wider = mass + [1.0] if isinstance(mass, list) else lambda y: [line + [0.0] for line in mass(y)] + [[0.0] * d + [1.0]]
        thresholds = self.thresholds + [0.0]
        return Friction(x + [0.0], v + [spent], wider, lambda t, y, w, side: self.force(y, w, u) + [self.cost(w, u, side)],
                        lambda i, s, t, y, w: thresholds[i], kinks=self.kinks)

    def end(self, lengths, u):
        """x(T), v(T) and the cost of the pieces u of these lengths."""
        x, v, spent, d = list(self.x0), list(self.v0), 0.0, len(self.x0)
        for h, piece in zip(lengths, u):
            if h > 0:
                last = follow(self.under(piece, x, v, spent), [h * k / LOOKS for k in range(LOOKS + 1)], TOLERANCE)[0][-1]
                x, v, spent = last[:d], last[d + 1:2 * d + 1], last[2 * d + 1]
        return x, v, spent

    def miss(self, x, v):
        """The largest misses of the target's positions and of its velocities."""
        return [max((abs(a - b) for a, b in zip(found, target) if b is not None), default=0.0) for found, target in ((x, self.x_end), (v, self.v_end))]


def voice_coil(cost=effort, kinks=()):
    return Model([1.03, 0.56, 0.002], lambda x, v, u: [2400 * (x[1] - x[0]) + 12 * v[2], 2400 * (x[0] - x[1]), u[0] - 2 * v[2] - 12 * v[0]],
                 [2.1, 0, 0], [0, 0, 0], [0, 0, 0], [0.01, 0.01, None], [0, 0, 0], cost, kinks)


def blocks(n):
    """n blocks in a row on springs of 5 N/m, the first to a wall and pushed."""
    return Model([1.0] * n, lambda x, v, u: [f - 0.1 * v[i] + (u[0] if i == 0 else 0.0) for i, f in enumerate(row([5] * n + [0], x[:n]))],
                 [0.4] * n, [0.2] * n, [0] * n, [0] * n, [0] * n)


CONTROLLED = {
    "coil-effort": voice_coil(),
    "coil-energy": voice_coil(supplied, ((None, lambda t, x, v: v[2]),)),
    "coil-time": voice_coil(time),
    "cart-pole": Model(lambda x: [[1.1, 0.1 * cos(x[1])], [0.1 * cos(x[1]), 0.1]],
                       lambda x, v, u: [u[0] + 0.1 * sin(x[1]) * v[1] ** 2, -0.1 * 9.81 * sin(x[1])], [2, 0], [1, 0], [0, 0], [0, pi], [0, 0]),
    "turn": Model([1.0], lambda x, v, u: [u[0]], [1], [0], [1], [-1], [0], time),
    "two": Model([1.1, 1.2], lambda x, v, u: [-1.8 * x[0] + 0.85 * x[1] + u[0], 0.85 * x[0] - 0.85 * x[1] + u[1]],
                 [1, 1], [0, 0], [-1, -2], [1, 2], [0, 0], time),
    "mpc": Model([1.0], lambda x, v, u: [u[0] - 0.8 * x[0] - 0.5 * v[0]], [0.2], [0], [0], [2], [0]),
    **{f"blocks-{n}": blocks(n) for n in range(2, 9)},
}


def belt_speed(t):
    return [cos(t) + 0.7], [-sin(t)]


FREE = {
    "986fo": MOTIONS["oscillator"][0],
    "986om": Friction([3], [0], [1.0], lambda t, x, v, side: [cos(0.7 * t) - x[0] - 0.4 * v[0]], lambda i, s, t, x, v: 0.4, surface=belt_speed),
    "fbs1s": MOTIONS["three-blocks"][0],
    "stick-slip": Friction([1], [0], [1.0], lambda t, x, v, side: [-x[0] - 0.2 * t], lambda i, s, t, x, v: 1 / (1 + abs(v[0]))),
}
