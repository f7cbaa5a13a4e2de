# SPDX-License-Identifier: BSD-2-Clause
"""The mechanisms of problems/ for integrate.py: Lagrange's equations, written out by hand."""
from math import cos, sin, sqrt

from friction import Friction

MECHANISMS = {}


def mechanism(name, q0, mass, force, friction, **more):
    """At rest at q0. mass(q) gives rows, force(t, q, v) all forces but dry friction, friction(i, t, q, v) the thresholds."""
    MECHANISMS[name] = Friction(q0, [0] * len(q0), mass, lambda t, q, v, side: force(t, q, v), lambda i, s, t, q, v: friction(i, t, q, v), **more), None


mechanism("pendulum", [2], lambda q: [[1.0]], lambda t, q, v: [-9.81 * sin(q[0])], lambda i, t, q, v: 1.0)
mechanism("plate", [0], lambda q: [[2.0]], lambda t, q, v: [2 * 0.09 * q[0] + 2 * 9.81 * sin(0.3 * t)],
          lambda i, t, q, v: 0.8 * (9.81 * cos(0.3 * t) + 0.6 * v[0]))


def arm_mass(q):
    c = cos(q[1]) / 2
    return [[5 / 3 + 2 * c, 1 / 3 + c], [1 / 3 + c, 1 / 3]]


def arm_force(t, q, v):
    s, weight = sin(q[1]) / 2, 9.81 * 0.5 * cos(q[0] + q[1])
    return [2 * s * v[0] * v[1] + s * v[1] ** 2 - 9.81 * 1.5 * cos(q[0]) - weight, -s * v[0] ** 2 - weight]


mechanism("arm", [0, 0.5], arm_mass, arm_force, lambda i, t, q, v: (9.0, 2.0)[i])
mechanism("cart-pole", [0, 2], lambda q: [[1.5, 0.5 * cos(q[1])], [0.5 * cos(q[1]), 0.5]],
          lambda t, q, v: [0.5 * sin(q[1]) * v[1] ** 2, -0.5 * 9.81 * sin(q[1])], lambda i, t, q, v: (0.8, 0.05)[i])


def slider(th):
    """The first and the second derivative of the slider's place by the crank's angle."""
    root = sqrt(0.25 - 0.04 * sin(th) ** 2)
    first = -0.2 * sin(th) - 0.04 * sin(th) * cos(th) / root
    return first, -0.2 * cos(th) - 0.04 * (cos(th) ** 2 - sin(th) ** 2) / root - 0.0016 * (sin(th) * cos(th)) ** 2 / root ** 3


def crank_force(t, q, v):
    first, second = slider(q[0])
    return [0.9 * sin(2 * t) - 2 * first * second * v[0] ** 2]


mechanism("slider-crank", [1], lambda q: [[0.05 + 2 * slider(q[0])[0] ** 2]], crank_force, lambda i, t, q, v: 3 * abs(slider(q[0])[0]))
