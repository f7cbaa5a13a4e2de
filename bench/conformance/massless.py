# SPDX-License-Identifier: BSD-2-Clause
"""Systems for integrate.py in which some coordinates have friction and no mass."""
from friction import solve


class Sliders:
    """A table of `mass` between springs and sliders without mass: m x'' = force(t, x, v) - sum k_i (x - s_i), slider i rests while |k_i (x - s_i)| < c_i
    and is drawn along beyond. The columns are x, s_1, .., their speeds, and lambda: 0 of the table. The mode is how each slider moves: 0, 1 or -1."""

    def __init__(self, x0, v0, mass, force, stiffness, friction):
        self.x0, self.v0, self.mass, self.force, self.k, self.c, self.n = x0, v0, mass, force, stiffness, friction, len(stiffness)

    def state(self):
        return [float(self.x0), float(self.v0)] + [0.0] * self.n, (0,) * self.n

    def pulls(self, y):
        return [k * (y[0] - s) for k, s in zip(self.k, y[2:])]

    def rates(self, t, y, mode):
        return [y[1], (self.force(t, y[0], y[1]) - sum(self.pulls(y))) / self.mass] + [y[1] if m else 0.0 for m in mode]

    def guards(self, t, y, mode):
        return [m * y[1] if m else c - abs(pull) for m, c, pull in zip(mode, self.c, self.pulls(y))]

    def change(self, t, y, mode, which):
        if which is None:
            return y, mode
        turned = 0 if mode[which] else 1 if y[0] > y[2 + which] else -1
        return y, mode[:which] + (turned,) + mode[which + 1:]

    def first_step(self, t, y, mode, usual):
        return usual

    def impact(self, t, y, mode, which):
        return None

    def row(self, t, y, mode):
        lambdas = [m or pull / c for m, c, pull in zip(mode, self.c, self.pulls(y))]
        return [y[0]] + y[2:] + [y[1]] + [y[1] if m else 0.0 for m in mode] + [0.0] + lambdas

    def labels(self, mode):
        return [(i + 2, {0: "stick", 1: "slip+", -1: "slip-"}[m]) for i, m in enumerate(mode)]


class Quasistatic:
    """Nodes without mass: force(t) - K x = c lambda, force and its rate given. What slides has (K x)_S = (force - c s)_S at every instant."""

    def __init__(self, x0, matrix, force, rate, friction):
        self.x0, self.matrix, self.force, self.rate, self.c, self.n = x0, matrix, force, rate, friction, len(x0)

    def state(self):
        return [float(a) for a in self.x0], (0,) * self.n

    def rates(self, t, y, mode):
        moves, rate, speed = [i for i in range(self.n) if mode[i]], self.rate(t), [0.0] * self.n
        for i, v in zip(moves, solve([[self.matrix[i][j] for j in moves] for i in moves], [rate[i] for i in moves])):
            speed[i] = v
        return speed

    def lambdas(self, t, y):
        return [(f - sum(k * x for k, x in zip(row, y))) / c for f, row, c in zip(self.force(t), self.matrix, self.c)]

    def guards(self, t, y, mode):
        speed = self.rates(t, y, mode)
        return [m * v if m else 1 - abs(held) for m, v, held in zip(mode, speed, self.lambdas(t, y))]

    def change(self, t, y, mode, which):
        if which is None:
            return y, mode
        turned = 0 if mode[which] else 1 if self.lambdas(t, y)[which] > 0 else -1
        mode = mode[:which] + (turned,) + mode[which + 1:]
        if turned:
            return y, mode
        speed = self.rates(t, y, mode)  # what the stopped node moved along stops with it
        return y, tuple(m if m * v > 0 else 0 for m, v in zip(mode, speed))
    def first_step(self, t, y, mode, usual):
        return usual

    def impact(self, t, y, mode, which):
        return None

    def row(self, t, y, mode):
        return y + self.rates(t, y, mode) + [m or held for m, held in zip(mode, self.lambdas(t, y))]

    def labels(self, mode):
        return [(i + 1, {0: "stick", 1: "slip+", -1: "slip-"}[m]) for i, m in enumerate(mode)]
