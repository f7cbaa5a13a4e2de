#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes the records that the problem files of this folder identify friction from: emps.csv, emps-force.csv, servo-m1.csv, ..

    python3 bench/identification/records.py FOLDER [NAME...]

The motions are computed here, by integrators that share no code with the program. Measured positions have noise of a fixed seed.
"""

import math
import random
import sys
from pathlib import Path

# published numbers of EMPS: kg, N s/m, N, N; controller: gains, N/V, V, s; encoder: m
EMPS = {"M": 95.1089, "Fv": 203.5034, "Fc": 20.3935, "offset": -3.1648}
KP, KV, GAIN, LIMIT, SAMPLE, ENCODER = 160.18, 243.45, 35.15065, 10.0, 1e-3, 5e-8
NOISE = 1e-5  # m, of the encoder's mounting


def quintic(z):
    """A step from 0 to 1 with speed and acceleration 0 at both ends."""
    return z**3 * (10 - 15 * z + 6 * z * z)


def reference(t):
    """Point to point and back over 0.2 m, each move 2 s, with rests of 0.4 s; every second move is half as far."""
    k, s = divmod(t, 2.4)
    stations = [0, 0.2, 0.05, 0.15, 0.0, 0.1, 0.2, 0.0, 0.15, 0.05, 0.0]
    a, b = stations[int(k) % 10], stations[int(k) % 10 + 1]
    return a + (b - a) * quintic(min(s / 2.0, 1.0))


def advance(q, v, force, h, p):
    """Moves the carriage over h under a constant force, exactly: M v' = force - offset - Fv v - Fc sgn v."""
    while h > 0:
        load = force - p["offset"]
        if v == 0 and abs(load) <= p["Fc"]:
            return q, 0.0
        sign = math.copysign(1, v if v else load)
        steady, rate = (load - p["Fc"] * sign) / p["Fv"], p["Fv"] / p["M"]
        turns = (v - steady) * sign > 0 and steady * sign < 0  # whether it comes to rest
        stop = math.log((v - steady) / -steady) / rate if turns and v else math.inf
        step = min(stop, h)
        decay = -math.expm1(-rate * step)
        q += steady * step + (v - steady) * decay / rate
        v = 0.0 if step == stop else v - (v - steady) * decay
        h = 0.0 if step == h else h - step
    return q, v


def emps(folder):
    """The closed loop: V = KV (KP (reference - q) - speed), held for a sample; speed by differences of the encoder."""
    rng = random.Random(1)
    q = v = 0.0
    before = 0.0
    with open(folder / "emps.csv", "w") as log, open(folder / "emps-force.csv", "w") as forces:
        log.write("t, x1\n")
        forces.write("t, force\n")
        for k in range(24001):
            t = k * SAMPLE
            seen = ENCODER * round(q / ENCODER)
            volt = KV * (KP * (reference(t) - seen) - (seen - before) / SAMPLE)
            volt = max(-LIMIT, min(LIMIT, volt))
            before = seen
            if k % 10 == 0:
                log.write(f"{t:.3f}, {seen + rng.gauss(0, NOISE):.9f}\n")
            forces.write(f"{t:.3f}, {GAIN * volt:.12g}\n")
            q, v = advance(q, v, GAIN * volt, SAMPLE, EMPS)


# published numbers of the servo MX-106 by three models of its friction: V s/rad, ohm, kg m^2, N m, N m s/rad
SERVO = {
    "m1": {"kt": 2.1913757, "R": 2.9649904, "J": 0.026609234, "base": 0.103520266, "viscous": 0.03520238},
    "m2": {"kt": 2.190958566, "R": 2.960904576, "J": 0.026838832, "base": 2.768555e-6, "viscous": 0.059589394,
           "stribeck": 0.117421215, "speed": 1.84878055, "alpha": 1.741389274},
    "m4": {"kt": 2.231388905, "R": 2.371748790, "J": 0.024573973, "base": 0.0, "viscous": 0.050960825,
           "stribeck": 0.104910608, "speed": 1.623294977, "alpha": 1.323485669, "load": 0.009150334,
           "load_stribeck": 0.222359122},
}  # fmt: skip
MASS, ARM, GRAVITY, END, RATE, SERVO_NOISE = 1.0, 0.15, 9.81, 12.0, 100, 1e-3


def voltage(t):
    return 2.5 * math.sin(1.3 * t) + 1.2 * math.sin(3.1 * t)


def servo_terms(p, t, q, v):
    """The load on the joint without dry friction, and the threshold c."""
    motor = p["kt"] / p["R"] * (voltage(t) - p["kt"] * v)
    outside = -MASS * GRAVITY * ARM * math.sin(q)
    gear = abs(outside - motor)
    fades = math.exp(-((abs(v) / p["speed"]) ** p["alpha"])) if "speed" in p else 0.0
    c = p["base"] + p.get("load", 0.0) * gear + fades * (p.get("stribeck", 0.0) + p.get("load_stribeck", 0.0) * gear)
    return motor + outside - p["viscous"] * v, c


def slide(p, t, q, v, sign, h):
    """A step of Runge and Kutta's fourth order at one sign of the speed."""
    inertia = MASS * ARM**2 + p["J"]

    def rate(t, q, v):
        load, c = servo_terms(p, t, q, v)
        return v, (load - sign * c) / inertia

    a = rate(t, q, v)
    b = rate(t + h / 2, q + h / 2 * a[0], v + h / 2 * a[1])
    c = rate(t + h / 2, q + h / 2 * b[0], v + h / 2 * b[1])
    d = rate(t + h, q + h * c[0], v + h * c[1])
    return q + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]), v + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])


def first(h, holds):
    """The largest time up to h until which holds(time) is true, by bisection."""
    low, high = 0.0, h
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


def servo_step(p, t, q, v, h):
    """Moves the joint over h through stick and slip."""
    end = t + h
    while t < end:
        load, c = servo_terms(p, t, q, v)
        if v == 0 and abs(load) <= c * (1 + 1e-12):
            def sticks(s):
                load, c = servo_terms(p, t + s, q, 0.0)
                return abs(load) <= c

            t += end - t if sticks(end - t) else first(end - t, sticks) + 1e-12
            continue
        sign = math.copysign(1, v if v else load)
        after = slide(p, t, q, v, sign, end - t)
        if after[1] * sign >= 0:
            return after
        s = first(end - t, lambda s: slide(p, t, q, v, sign, s)[1] * sign > 0)
        q, v = slide(p, t, q, v, sign, s)[0], 0.0
        t += s
    return q, v


def servo(folder, name):
    rng, p = random.Random(2), SERVO[name]
    q = v = 0.0
    steps = 10
    with open(folder / f"servo-{name}.csv", "w") as log:
        log.write("t, x1\n")
        for k in range(int(END * RATE) + 1):
            t = k / RATE
            log.write(f"{t:.2f}, {q + rng.gauss(0, SERVO_NOISE):.6f}\n")
            for j in range(steps):
                q, v = servo_step(p, t + j / (RATE * steps), q, v, 1 / (RATE * steps))


def make(folder, name):
    """Writes the record `name` to the folder."""
    emps(folder) if name == "emps" else servo(folder, name.removeprefix("servo-"))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    where = Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[2:] or ["emps", "servo-m1", "servo-m2", "servo-m4"]:
        make(where, each)
