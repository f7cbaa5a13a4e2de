# %% [markdown]
# # A table of a paper
#
# R. Glowinski and A. J. Kearsley, "On the simulation and control of some friction constrained motions" (1995), move three coupled
# masses with friction. Constant forces u1, u2, u3 shall bring them from (1, 2, 3) to (2, 0, -2) in 5 s, with the least effort. Here
# is their test problem 1 as a problem file, with their scheme and their search.

# %%
import numpy as np

import stiction

tp1 = """
model:
  kind: friction
  mass: [4, 5, 6]
  stiffness: [[1, 1/2, 1/3], [1/2, 1/3, 1/4], [1/3, 1/4, 1/5]]
  friction: 10
  force: "-100*exp(-10*t)"
  x0: [1, 2, 3]
  v0: 1
time: {end: 5, step: 0.0125}
scheme: {name: centered, multiplier: regularized}
control:
  weight: 1/3
  target: {position: [2, 0, -2]}
search: {method: pds, penalty: Pi, scheme_size: 1744}
"""

# %% [markdown]
# The search is a parallel direct search: each round tries a simplex of many points. Their Table 2 counts the simplexes, and the
# initial value problems (IVPs) that were solved. E1 is how far the answer misses the target. Here is the table as it is printed.

# %%
printed = {  # penalty, its constant, friction's multiplier: simplexes, IVPs, E1
    ("P", "constant", "unregularized"): (21, 36624, 7.82e-8),
    ("P", "constant", "regularized"): (21, 36624, 7.82e-8),
    ("P", "dynamic", "unregularized"): (21, 36624, 7.79e-8),
    ("P", "dynamic", "regularized"): (21, 36624, 7.80e-8),
    ("Pi", "constant", "unregularized"): (19, 33136, 2.01e-8),
    ("Pi", "constant", "regularized"): (19, 33136, 1.99e-8),
    ("Pi", "dynamic", "unregularized"): (19, 33136, 2.08e-8),
    ("Pi", "dynamic", "regularized"): (19, 33136, 1.94e-8)}

# %% [markdown]
# How many points has a simplex? The text says 216 on each of 8 processors, which is 1728. The table says something else.

# %%
points = {ivps / simplexes for simplexes, ivps, _ in printed.values()}
print(f"IVPs for each simplex: {points}; 8 * 216 = {8 * 216}")
assert points == {1744}

# %% [markdown]
# It is 1744 = 8 * 218 in every row. Two numbers of a paper that contradict each other are not rare. We take the one that the table
# confirms eight times: `scheme_size: 1744` above. Now the eight searches.

# %%
ours = {}
print("penalty constant multiplier       simplexes: paper ours      IVPs: paper  ours      E1: paper    ours         J")
for row, (simplexes, ivps, miss) in printed.items():
    penalty, update, multiplier = row
    ours[row] = found = stiction.control(tp1, settings={"search.penalty": penalty, "search.rho_update": update,
                                                        "scheme.multiplier": multiplier})
    counts = found.counts
    print(f"{penalty:7} {update:8} {multiplier:13}{simplexes:20} {counts['rounds']:4} {ivps:16} {counts['evaluations'] - 4:5} "
          f"{miss:14.2e} {found.E1:7.1e} {found.J:9.4f}")
assert all(found.met and found.E1 < 1e-9 for found in ours.values())

# %% [markdown]
# What agrees? Each of our simplexes has 1744 points, too, and four more at the very start. So a search of ours that takes 19 or 21
# simplexes has the paper's 33136 or 36624 IVPs, to the last digit. Whether the constant of the penalty is updated hardly matters, as
# the paper reports.

# %%
for (penalty, update, multiplier), found in ours.items():
    simplexes = found.counts["rounds"]
    assert found.counts["evaluations"] - 4 == 1744 * simplexes and 15 <= simplexes <= 28
    assert abs(simplexes - ours[penalty, "constant", multiplier].counts["rounds"]) <= 1

# %% [markdown]
# What does not? The number of simplexes in a row, by a few: the paper does not print its first simplex, so its searches take another
# course. And our E1 is far smaller than the printed one, though both searches end at an edge of 1e-10. That is still unexplained.
#
# ## What the table does not say
#
# All rows meet the target to eight digits: on the paper's grid of 400 time steps. Is that the motion itself? With `ranks=1` the
# program runs the answer once more without time steps, and corrects it.

# %%
for multiplier in ("unregularized", "regularized"):
    found = stiction.control(tp1, ranks=1, settings={"scheme.multiplier": multiplier})
    grid = ours["Pi", "constant", multiplier]
    print(f"{multiplier:13}: on the grid J = {grid.J:.4f}, E1 = {grid.E1:.0e}; the motion itself misses by {found.exact['E1']:.3f}; "
          f"corrected J = {found.J:.4f}, E1 = {found.E1:.0e}")
    assert 0.03 < found.exact["E1"] < 0.07 and found.E1 < 1e-9 and abs(found.J - 474.0676684) < 1e-5

# %% [markdown]
# The motion itself misses the target by 4 to 7 % of its largest entry: in 5 s friction switches several times, and a grid
# places each switch only to within a step. Corrected, both schemes lead to the same control. A small E1 says how well a search has
# converged, and not how well the steps describe the motion.
#
# ## An order that the text prints
#
# Another paper has no table, but a sentence. R. Glowinski, L. J. Shiau, Y. M. Kuo and G. Nasser (2004) solve a problem with a closed
# form, x' = max(0, sin(2 pi t)), and find that the error of their scheme falls with the first power of the step.

# %%
slide = "2*pi*cos(2*pi*t) + 0.5*(1 - min(1, max(-1, 10*sin(2*pi*t)))/3)"
pure = {"model": {"kind": "friction", "mass": 1, "friction": 0.5, "stribeck": {"law": "ramp", "beta": 1 / 3, "epsilon": 0.1},
                  "force": [{"until": 0.5, "value": slide}, {"until": 1, "value": 0}, {"until": 1.5, "value": slide}, {"value": 0}]},
        "time": {"end": 2, "step": 0.001},
        "scheme": {"name": "lie", "friction_substeps": 1, "elastic_substeps": 1}}


def error(settings):
    """The error of the speed: the root of the integral of its square over time."""
    motion = stiction.simulate(pure, settings=settings)
    miss = motion.v[:, 0] - np.maximum(0, np.sin(2 * np.pi * motion.t))
    return float(np.sqrt(np.mean(miss**2) * motion.t[-1]))


errors = {step: error({"time.step": step}) for step in (0.02, 0.01, 0.005, 0.0025, 0.00125)}
for step, miss in errors.items():
    print(f"step {step:7}: error {miss:.5f}")
order = np.polyfit(np.log(list(errors)), np.log(list(errors.values())), 1)[0]
event = error({"scheme": {"name": "event"}})
print(f"order {order:.2f}, printed: 1; the scheme event, without steps: {event:.0e}")
assert round(order, 1) == 1.0 and event < 1e-12

# %% [markdown]
# Half the step, half the error. The scheme `event` follows each instant of stick and slip, and leaves round-off alone.
#
# ## What to change next
#
# - `scheme_size: 1728`, the text's number: do more rows agree, or fewer?
# - `"search.method": "auto"`: the search uses derivatives. How many motions does it need for the same J?
# - [The papers' tables and figures](../../bench/papers/README.md), all of them, and [what they leave open](../../bench/papers/open.md).
