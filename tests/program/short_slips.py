#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The independent integrator (bench/conformance/integrate.py) finds slips that are shorter than a step, and does not repeat an event for ever.
usage: tests/program/short_slips.py"""
import pathlib
import sys
from math import asin, cos, exp, log, pi, sin

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench/conformance"))

from friction import Friction
from integrate import follow

failures = []


def check(what, holds):
    if not holds:
        failures.append(what)


def zero(f, low, high):
    """The root of f, > 0 at low and < 0 at high, by bisection."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return low


def slips(events):
    return [event for event in events if event[3] != "stick"]


def peaks(excess, rows):
    """A load A sin t exceeds the threshold 1 by the excess at pi/2 and 3 pi/2. The first slip is v = A (cos(from) - cos t) - (t - from)."""
    a = 1 + excess
    block = Friction([0], [0], [1.0], lambda t, x, v, side: [a * sin(t)], lambda i, s, t, x, v: 1.0)
    events = slips(follow(block, [6 * k / rows for k in range(rows + 1)])[1])
    start = asin(1 / a)
    top = pi - start  # where it is fastest
    end = zero(lambda t: a * (cos(start) - cos(t)) - (t - start), top, top + 1)
    name = f"a load that exceeds the threshold by {excess:g}, {rows} rows"
    check(f"{name}: slips {events}", [event[3] for event in events] == ["slip+", "slip-"])
    # near its peak the load is flat: an error of 1e-16 of it moves the instants by that over its slope
    near = 1e-12 + 1e-15 / cos(start)
    for event, late in zip(events, (0, pi)):
        check(f"{name}: {event} instead of {start + late}, {end + late}", abs(event[1] - start - late) < near and abs(event[2] - end - late) < 20 * near)


def pulse(rate, rows):
    """A load 1.5 exp(-rate (t - 1)) from t = 1 on: the block lets go at once, and stops after v = 1.5/rate (1 - exp(-rate s)) - s."""
    block = Friction([0], [0], [1.0], lambda t, x, v, side: [0.0 if side[0] < 0 else 1.5 * exp(-rate * (t - 1))],
                     lambda i, s, t, x, v: 1.0, kinks=[(None, lambda t, x, v: t - 1)])
    events = slips(follow(block, [4 * k / rows for k in range(rows + 1)])[1])
    end = 1 + zero(lambda s: 1.5 / rate * (1 - exp(-rate * s)) - s, log(1.5) / rate, 10 / rate)
    check(f"a pulse of {1 / rate:g} s, {rows} rows: {events}, to {end}", len(events) == 1 and abs(events[0][1] - 1) < 1e-14 and abs(events[0][2] - end) < 1e-13)


class Endless:
    """A mode that ends where it begins."""

    def state(self):
        return [0.0], 0

    def rates(self, t, y, mode):
        return [1.0]

    def guards(self, t, y, mode):
        return [0.5 - t]

    def change(self, t, y, mode, which):
        return y, mode

    def row(self, t, y, mode):
        return y

    def labels(self, mode):
        return []

    def impact(self, t, y, mode, which):
        return None

    def first_step(self, t, y, mode, usual):
        return usual


for excess in (0.1, 1e-2, 1e-4, 1e-6, 1e-8):
    for rows in (1, 5, 100):
        peaks(excess, rows)
    steady = Friction([0], [0], [1.0], lambda t, x, v, side: [(1 - excess) * sin(t)], lambda i, s, t, x, v: 1.0)
    check(f"a load {excess:g} below the threshold moves nothing", not slips(follow(steady, [0.0, 6.0])[1]))
for rate in (5, 50, 5000):
    for rows in (1, 4, 100):
        pulse(rate, rows)
try:
    follow(Endless(), [0.0, 1.0])
    failures.append("a mode that ends at once, for ever, is not reported")
except RuntimeError as error:
    check(f"it is reported as {error}", str(error).startswith("more than 1000 events before 1.0, at 0.5"))
print("\n".join(failures), file=sys.stderr, end="\n" if failures else "")
sys.exit(1 if failures else 0)
