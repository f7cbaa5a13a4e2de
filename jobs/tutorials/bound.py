# %% [markdown]
# # A bound that no control can beat
#
# A block of 1 kg with 1 N of friction shall go from rest to rest, by 1 m in 2 s. The effort J of a force u is the integral of u^2.
#
# Try it by hand first. Think of a motion x(t) that goes forward. The force u = x'' + 1 makes it. Here are four.

# %%
import numpy as np

import stiction

steps = 20000
dt = 2 / steps
s = (np.arange(steps) + 0.5) / steps                     # from 0 at the start to 1 at the end
accelerations = {"full speed, full brake": np.where(s < 0.5, 1.0, -1.0),
                 "x = (1 - cos(pi s))/2": np.pi**2 / 8 * np.cos(np.pi * s),
                 "x = 10 s^3 - 15 s^4 + 6 s^5": (60 * s - 180 * s**2 + 120 * s**3) / 4,
                 "x = 3 s^2 - 2 s^3": (6 - 12 * s) / 4}
by_hand = {name: float(np.sum((a + 1)**2) * dt) for name, a in accelerations.items()}
for name, J in by_hand.items():
    print(f"J = {J:.4f} for {name}")
assert min(by_hand, key=by_hand.get) == "x = 3 s^2 - 2 s^3" and abs(min(by_hand.values()) - 3.5) < 1e-6

# %% [markdown]
# The cubic is the best of these, with 3.5. Is there a better one that we did not think of? No number of trials can answer that. A
# proof can.
#
# ## A proof by hand
#
# Take any number q, and the line w(t) = q (1 - t). Put a price V on each state of the block:
#
#     V = e(t) - 2 q x - 2 w v - 2 |v|,    with e' = max(w^2 - 1, 0)
#
# How does u^2 + dV/dt look while the block moves?
#
# - It slips forward, v' = u - 1: then u^2 + dV/dt = (u - w - 1)^2 - (w^2 - 1) + e', which is not negative.
# - It slips backward, v' = u + 1: then u^2 + dV/dt = (u - w + 1)^2 - (w^2 - 1) + e', which is not negative.
# - It sticks, v = 0 and v' = 0: then u^2 + dV/dt = u^2 + e', which is not negative.
#
# So the integral of u^2 is at least V at the start less V at the end, for every force whatsoever. That is 2 q less the integral of
# e'. Now we take the best q.

# %%
t = 2 * s


def proven(q):
    """The bound for this q."""
    w = q * (1 - t)
    return 2 * q - float(np.sum(np.maximum(w**2 - 1, 0)) * dt)


q = max(np.linspace(1, 3, 201), key=proven)
print(f"q = {q:.2f}: every force costs at least {proven(q):.4f}")
assert 2.6 < proven(q) < min(by_hand.values())

# %% [markdown]
# No force does it for less than 2.70. That is true, but it is far from 3.5. A better V would prove more.
#
# ## A proof by the program
#
# The program looks for the best V in a much larger family, with curves in time and squares of x and v. It checks the result with all
# round-off, and prints a bound that is proven.

# %%
block = {"model": {"kind": "friction", "mass": 1, "friction": 1, "x0": [0]},
         "time": {"end": 2, "step": 0.005},
         "control": {"target": {"position": [1], "velocity": [0]},
                     "signal": {"kind": "piecewise_constant", "segments": 10}}}
for segments in (2, 5, 10, 20, 40):
    found = stiction.control(block, ranks=1, settings={"control.signal.segments": segments})
    lower = found.bound["lower_bound"]
    print(f"{segments:2} segments: J = {found.J:.6f}, every force costs at least {lower:.6f}")
    assert abs(found.J - (2 + 1.5 / (1 - 1 / segments**2))) < 1e-6 and proven(q) < lower <= 3.5 < found.J

# %% [markdown]
# J falls with more segments, towards the 3.5 of the cubic. It never passes the bound. So the search is over: nothing is left to be
# gained but 0.3 %. How small that rest shall be is a key of the file.

# %%
close = stiction.control(block, ranks=1, settings={"control.signal.segments": 40, "search.bound": {"gap": 0.001, "max_seconds": 0}})
print(f"every force costs at least {close.bound['lower_bound']:.6f}: {close.bound['gap']:.2%} below J = {close.J:.6f}")
assert lower < close.bound["lower_bound"] <= 3.5 and close.bound["gap"] < 0.001

# %% [markdown]
# ## Out of reach
#
# Now the force is limited to b. With a small b the block cannot arrive in 2 s at all. A search that finds nothing proves nothing: it
# may have looked in the wrong place. The bound can decide.

# %%
reach = {}
for b in (1.5, 1.55, 1.6, 1.65):
    found = stiction.control(block, ranks=1, settings={"control.bounds": {"lower": -b, "upper": b}, "control.signal.segments": 40})
    proof = bool(found.bound and found.bound.get("out_of_reach"))
    reach[b] = "found" if found.met else "out of reach, proven" if proof else "not found, and nothing proven"
    print(f"b = {b:4} N: {reach[b]}")
golden = (1 + 5**0.5) / 2
assert all(answer != "found" for b, answer in reach.items() if b < golden)
assert all(answer == "found" for b, answer in reach.items() if b > golden)
assert reach[1.5] == "out of reach, proven"

# %% [markdown]
# By hand: full speed and full brake need the time sqrt(4 b/(b^2 - 1)), which is 2 s for b = (1 + sqrt(5))/2 = 1.618 N, the golden
# ratio. Just below it the proof is not sharp enough, and the program says so in place of guessing.
#
# ## Where there is no formula
#
# An arm with two joints that act on each other, and friction in both. Here the bound is all that we have.

# %%
arm = {"model": {"kind": "friction", "mass": [[3, 1], [1, 2]], "friction": [4, 3]},
       "time": {"end": 2, "step": 0.01},
       "control": {"target": {"position": [1, 0.5], "velocity": 0},
                   "signal": {"kind": "piecewise_constant", "segments": 16}}}
for gap in (0.2, 0.05):
    found = stiction.control(arm, ranks=1, settings={"search.bound": {"gap": gap, "max_seconds": 0}})
    print(f"J = {found.J:.4f}; every force costs at least {found.bound['lower_bound']:.4f}, by {found.bound['cases']} cases")
    assert found.met and found.bound["lower_bound"] <= found.J and found.bound["gap"] < gap

# %% [markdown]
# To come nearer, the program splits all motions into cases, by where a joint is at some time, and proves a bound for each. The lowest
# one holds for all.
#
# ## What to change next
#
# - Add a motion of your own to `accelerations`. It must have the integral 0, and bring the block to 1 m.
# - `w = q*(1.2 - t)` in `proven`: any line is a proof. Which gives the most?
# - `(0.2, 0.05, 0.02)` for the gaps of the arm: how much longer does it take?.
# - [The theorem](../../control/bound/README.md), and what else V may contain.
