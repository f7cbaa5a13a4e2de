# SPDX-License-Identifier: BSD-2-Clause
"""Systems for integrate.py: M(x) x'' = F(t, x, x') - friction, each coordinate with its own friction, and what has friction but no mass."""
from itertools import product

REST = 1e-9  # m/s: slower than this at an event, relative to its surface, a coordinate is at rest
SETTLED = 1e-12  # m/s: what leaves a stop more slowly rests at it


def solve(matrix, right):
    """Gauss's elimination with pivots."""
    a, n = [row[:] + [b] for row, b in zip(matrix, right)], len(right)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[p] = a[p], a[k]
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            if f:
                for j in range(k, n + 1):
                    a[i][j] -= f * a[k][j]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][j] * x[j] for j in range(k + 1, n))) / a[k][k]
    return x


class Friction:
    """mass: a list (the diagonal) or a function of x that returns rows. force(t, x, v, side): all forces but dry friction. friction(i, s, t, x, v):
    the size of the friction force of coordinate i that slides with the sign s, at v = surface the threshold; 0: never sticks. surface(t): the speeds
    of the surfaces and their rates. stops: {i: (least x or None, greatest x or None, restitution)}, of rigid stops, with a diagonal mass.
    kinks: pairs of a label and g(t, x, v): the force has a kink at g = 0, or a jump if g is of t alone. side[k] is 1 where g >= 0, else -1; a label
    (dof, state) is a state while it is 1.

    The mode is (sliding signs, contacts, sides): 0 sticks, 2 has no friction; contact -1 rests at its least x, 1 at its greatest."""

    def __init__(self, x0, v0, mass, force, friction, surface=None, stops=None, kinks=()):
        self.x0, self.v0, self.mass, self.force, self.friction = x0, v0, mass, force, friction
        self.d, self.surface, self.stops, self.kinks = len(x0), surface, stops or {}, kinks

    def state(self):
        return [float(a) for a in self.x0 + self.v0], None

    def split(self, y):
        return y[:self.d], y[self.d:]

    def ground(self, t):
        return self.surface(t) if self.surface else ([0.0] * self.d, [0.0] * self.d)

    def motion(self, t, y, mode):
        """Accelerations, and what holds the coordinates that stick or rest at a stop."""
        x, v = self.split(y)
        slides, contacts, side = mode
        force, rate = self.force(t, x, v, side), self.ground(t)[1]
        moves = [i for i in range(self.d) if slides[i] and not contacts[i]]
        for i in moves:
            if slides[i] != 2:
                force[i] -= slides[i] * self.friction(i, slides[i], t, x, v)
        a = [0.0 if contacts[i] else rate[i] for i in range(self.d)]
        if isinstance(self.mass, list):
            for i in moves:
                a[i] = force[i] / self.mass[i]
            return a, [force[i] - self.mass[i] * a[i] for i in range(self.d)]
        m, fixed = self.mass(x), [i for i in range(self.d) if i not in moves]
        right = [force[i] - sum(m[i][j] * a[j] for j in fixed) for i in moves]
        for i, found in zip(moves, solve([[m[i][j] for j in moves] for i in moves], right)):
            a[i] = found
        return a, [force[i] - sum(m[i][j] * a[j] for j in range(self.d)) for i in range(self.d)]

    def rates(self, t, y, mode):
        return y[self.d:] + self.motion(t, y, mode)[0]

    def threshold(self, i, s, t, y):
        x, v = self.split(y)
        return self.friction(i, s, t, x, v)

    def guard_list(self, t, y, mode):
        """Pairs of a guard and what it is about."""
        (x, v), (slides, contacts, side) = self.split(y), mode
        held, speed, found = self.motion(t, y, mode)[1], self.ground(t)[0], []
        for i in range(self.d):
            if contacts[i]:  # held by the stop and friction
                c = self.threshold(i, -contacts[i], t, y) if slides[i] == 0 else 0.0
                found.append((contacts[i] * held[i] + c, ("leaves", i)))
            elif slides[i] == 0:
                for s in (-1, 1):
                    found.append((self.threshold(i, s, t, y) - s * held[i], ("slips", i, s)))
            elif slides[i] != 2:
                found.append((slides[i] * (v[i] - speed[i]), ("stops", i)))
            if i in self.stops and not contacts[i]:
                least, greatest, _ = self.stops[i]
                found += [(x[i] - least, ("meets", i, -1))] if least is not None else []
                found += [(greatest - x[i], ("meets", i, 1))] if greatest is not None else []
        for k, (_, g) in enumerate(self.kinks):
            found.append((side[k] * g(t, x, v), ("kink", k)))
        return found

    def guards(self, t, y, mode):
        return [g for g, _ in self.guard_list(t, y, mode)]

    def decide(self, t, y, mode, which):
        """The signs of the coordinates in `which`, all at rest, that go with their accelerations."""
        found = []
        for signs in product((0, 1, -1), repeat=len(which)):
            slides = list(mode[0])
            for i, s in zip(which, signs):
                slides[i] = s
            trial = (tuple(slides), mode[1], mode[2])
            a, held = self.motion(t, y, trial)
            rate = self.ground(t)[1]
            if all(s * (a[i] - rate[i]) > 0 if s else
                   -self.threshold(i, -1, t, y) <= held[i] <= self.threshold(i, 1, t, y) for i, s in zip(which, signs)):
                found.append(trial)
        if len(found) != 1:
            raise RuntimeError(f"{len(found)} modes at {t}")
        return found[0]

    def begin(self, t, y):
        x, v = self.split(y)
        speed = self.ground(t)[0]
        slides = [1 if v[i] > speed[i] else -1 if v[i] < speed[i] else 0 for i in range(self.d)]
        slides = [s if self.threshold(i, 1, t, y) > 0 else 2 for i, s in enumerate(slides)]
        return tuple(slides), (0,) * self.d, tuple(1 if g(t, x, v) >= 0 else -1 for _, g in self.kinks)

    def change(self, t, y, mode, which):
        y, mode = y[:], mode or self.begin(t, y)
        slides, contacts, side = (list(part) for part in mode)
        what, i, *sign = self.guard_list(t, y, mode)[which][1] if which is not None else ("start", 0)
        at = self.d + i
        if what == "kink":
            side[i] = -side[i]
        elif what == "stops":
            y[at], slides[i] = self.ground(t)[0][i], 0
        elif what == "slips":
            slides[i] = sign[0]
        elif what == "leaves":
            slides[i], contacts[i] = (slides[i] or -contacts[i]), 0
        elif what == "meets":
            least, greatest, e = self.stops[i]
            y[i], y[at] = greatest if sign[0] > 0 else least, -e * y[at]
            if abs(y[at]) < SETTLED:
                y[at], contacts[i] = 0.0, sign[0]
            if slides[i] != 2:
                slides[i] = 0 if contacts[i] else -sign[0]
        mode = tuple(slides), tuple(contacts), tuple(side)
        return self.decide_rests(t, y, mode) if what in ("start", "kink", "stops") else (y, mode)

    def decide_rests(self, t, y, mode):
        """Which of the coordinates at rest stick, and where the others begin to slide."""
        slides, contacts, _ = mode
        speed = self.ground(t)[0]
        rests = [i for i in range(self.d) if slides[i] != 2 and not contacts[i] and (slides[i] == 0 or abs(y[self.d + i] - speed[i]) < REST)]
        for i in rests:
            y[self.d + i] = speed[i]
        if not isinstance(self.mass, list):
            return y, self.decide(t, y, mode, rests)
        for i in rests:  # without coupling by inertia each by itself
            mode = self.decide(t, y, mode, [i])
        return y, mode

    def first_step(self, t, y, mode, usual):
        """After an impact a step that ends before the next one."""
        a = self.motion(t, y, mode)[0]
        flights = [abs(y[self.d + i] / a[i]) for i, (least, greatest, _) in self.stops.items() if y[i] in (least, greatest) and a[i] and y[self.d + i]]
        return min(flights + [usual])

    def row(self, t, y, mode):
        x, v = self.split(y)
        held, friction = self.motion(t, y, mode)[1], []
        for i, s in enumerate(mode[0]):
            c = self.threshold(i, 1 if held[i] > 0 else -1, t, y) if s == 0 else 0.0
            friction.append(0.0 if s == 2 else float(s) if s else max(-1.0, min(1.0, held[i] / c)))
        return x + v + friction

    def labels(self, mode):
        slides, contacts, side = mode
        found = [(i + 1, {0: "stick", 1: "slip+", -1: "slip-"}[s]) for i, s in enumerate(slides) if s != 2]
        found += [(i + 1, ("settled" if self.stops[i][2] else "contact") + ("+" if c > 0 else "-")) for i, c in enumerate(contacts) if c]
        return found + [label for (label, _), s in zip(self.kinks, side) if label and s > 0]

    def impact(self, t, y, mode, which):
        what, i, *side = self.guard_list(t, y, mode)[which][1]
        bounces = what == "meets" and self.stops[i][2] * abs(y[self.d + i]) >= SETTLED
        return (i + 1, "impact+" if side[0] > 0 else "impact-") if bounces else None
