# %% [markdown]
# # The least time of an arm
#
# A link of 1 m and 1 kg lies on a table. It turns about one end. The motor has at most 6 N m, and the joint has a friction of 1 N m.
# How fast can the link be turned by 1 rad, from rest to rest?

# %%
import math

import stiction

link = {"model": {"kind": "mechanism", "links": {"upper": {"length": 1, "mass": 1}}, "gravity": 0,   # m, kg: a rod, seen from above
                  "friction": {"upper": 1}},                                                          # N m
        "time": {"end": "free", "step": 0.01},                                                        # s: T is found
        "control": {"minimize": "time",
                    "bounds": {"lower": -6, "upper": 6},                                              # N m
                    "target": {"position": {"upper": 1}, "velocity": 0},                              # rad, rad/s
                    "signal": {"kind": "piecewise_constant", "segments": 2, "lengths": "free"}}}      # and when u changes
found = stiction.control(link, ranks=1)
print(f"T = {found.end:.6f} s: u = {found.u[0, 0]:g} N m for {found.lengths[0]:.6f} s, then {found.u[1, 0]:g} N m")

# %% [markdown]
# The motor pushes with all it has, and then brakes with all it has. By hand: the link has the inertia I = m l^2/3. It gains speed
# by a = (6 - 1)/I, and loses it by b = (6 + 1)/I, because friction helps to brake. So for an angle L
#
#     T = sqrt(2 L (a + b)/(a b))

# %%
a, b = (6 - 1) / (1 / 3), (6 + 1) / (1 / 3)
by_hand = math.sqrt(2 * (a + b) / (a * b))
print(f"by hand T = {by_hand:.6f} s")
assert found.met and abs(found.end - by_hand) < 1e-6

# %% [markdown]
# ## Two joints
#
# A second link with a motor of 2 N m hangs on the first one. The joints act on each other, and the inertia depends on the angle
# between the links: there is no formula any more. How many pieces must the torques have? We try 3, 4, 5 and 6.

# %%
arm = {"model": {"kind": "mechanism", "links": {"upper": {"length": 1, "mass": 1}, "fore": {"length": 1, "mass": 1}}, "gravity": 0,
                 "friction": {"upper": 1, "fore": 0.5}},
       "time": {"end": "free", "step": 0.01},
       "control": {"minimize": "time",
                   "bounds": {"lower": [-6, -2], "upper": [6, 2]},
                   "target": {"position": {"upper": 1, "fore": 0.5}, "velocity": 0},
                   "signal": {"kind": "piecewise_constant", "segments": 5, "lengths": "free"}}}
least = {}
for pieces in (3, 4, 5, 6):
    least[pieces] = stiction.control(arm, ranks=1, settings={"control.signal.segments": pieces})
    print(f"{pieces} pieces: T = {least[pieces].end:.6f} s")
assert all(answer.met for answer in least.values())
assert least[4].end < least[3].end - 0.01 and least[5].end < least[4].end - 0.01
assert abs(least[6].end - least[5].end) < 1e-6

# %% [markdown]
# Each piece more makes the motion faster, until there are five. The sixth brings nothing: five are enough. Look at them.

# %%
answer = least[5]
print("  for s   shoulder N m   elbow N m")
for length, (upper, fore) in zip(answer.lengths, answer.u):
    print(f"{length:7.4f}   {upper:12.4f}   {fore:9.4f}")
full = [[6, 2]] * 5
assert (abs(abs(answer.u) - full) < 1e-6).all()

# %% [markdown]
# Both motors always give all they have. That is the rule for least times: where the answer is unique, each torque is at one of its
# bounds. The first piece is a surprise: the shoulder pushes back, away from its target, and the elbow forward. Why?
#
# ## A second program
#
# To see the motion, and to check it, here is the arm once more in 25 lines that share nothing with stiction: Lagrange's equations of
# two rods, in steps of 0.1 ms.

# %%


def accelerations(state, u):
    """The angular accelerations of both joints, by the equations M a + h + c sgn(v) = u."""
    _, q, v1, v2 = state
    m11, m12, m22 = inertia(q), 1 / 3 + math.cos(q) / 2, 1 / 3                # kg m^2
    f1 = u[0] - math.copysign(1, v1) + math.sin(q) * (v1 * v2 + v2 * v2 / 2)  # N m
    f2 = u[1] - math.copysign(0.5, v2) - math.sin(q) * v1 * v1 / 2
    determinant = m11 * m22 - m12 * m12
    return (m22 * f1 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant


def inertia(q):
    """That of the whole arm about the shoulder, for the angle q of the elbow, kg m^2."""
    return 5 / 3 + math.cos(q)


def move(state, u, seconds):
    """The states (both angles, both speeds) behind this one for some seconds, by the midpoint rule."""
    path, n = [], math.ceil(seconds / 1e-4)
    h = seconds / n
    for _ in range(n):
        middle = [x + h / 2 * rate for x, rate in zip(state, (*state[2:], *accelerations(state, u)))]
        state = [x + h * rate for x, rate in zip(state, (*middle[2:], *accelerations(middle, u)))]
        path.append(state)
    return path


path = [[0, 0, 0, 0]]
for length, u in zip(answer.lengths, answer.u):
    path += move(path[-1], u, length)
end = path[-1]
print(f"at the end {end[0]:.4f} and {end[1]:.4f} rad, {end[2]:.4f} and {end[3]:.4f} rad/s")
assert abs(end[0] - 1) < 1e-3 and abs(end[1] - 0.5) < 1e-3 and max(map(abs, end[2:])) < 5e-3

# %% [markdown]
# Both programs agree: the arm arrives, and rests. Now look at the elbow on the way.

# %%
farthest = max(state[1] for state in path)
print(f"the elbow turns to {farthest:.2f} rad before it comes back to {end[1]:.2f} rad")
print(f"there the arm has an inertia of {inertia(farthest):.2f} kg m^2 about the shoulder; straight it has {inertia(0):.2f} kg m^2")
assert farthest > 3 * end[1] and inertia(farthest) < inertia(0) / 2

# %% [markdown]
# The arm folds, as a skater does to spin faster. Folded, it has less than half its inertia, and the shoulder turns it in less time.
#
# A picture, where matplotlib is installed.

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no picture: matplotlib is not installed")
else:
    for joint, name in enumerate(("shoulder", "elbow")):
        plt.plot([answer.end * k / (len(path) - 1) for k in range(len(path))], [state[joint] for state in path], label=name)
    plt.xlabel("t, s")
    plt.ylabel("angle, rad")
    plt.legend()

# %% [markdown]
# ## What to change next
#
# - Bounds of 3 and 1 N m: is T longer by sqrt(2), as without friction, or by more?
# - `"friction": {"upper": 5.5}` for the single link: friction helps to brake, and hinders to start. What does the formula say?
# - `"limits": {"position": {"lower": [None, -1], "upper": [None, 1]}}` in `control`: the elbow may not fold. What does it cost?
# - [Other problems of this kind](../problems/which.md): least fuel, limits of speed, points on the way.
