# %% [markdown]
# # The friction of a joint from its log
#
# A joint of a robot is driven by a known torque. An encoder measures its angle, with noise. How large is the friction in the joint?
#
# Here is the log: time in s, and the angle in rad. It comes from a simulation, so that we know the truth and can compare. In your own
# work the two arrays come from a file, as by `numpy.loadtxt`.

# %%
import numpy as np

import stiction

torque = "5*sin(2*t)"                                                          # N m
joint = {"model": {"kind": "friction", "units": {"position": "rad", "force": "N m"},
                   "mass": 0.5, "friction": 2, "damping": 0.8,                 # kg m^2, N m, N m s/rad
                   "force": torque},
         "time": {"end": 8, "step": 0.02},
         "scheme": {"name": "event"}}
true = stiction.simulate(joint)
noise = 0.002                                                                  # rad: the encoder's standard deviation
t, angle = true.t, true.x[:, 0] + np.random.default_rng(1).normal(0, noise, len(true.t))
print(f"{len(t)} rows, angles from {angle.min():.3f} to {angle.max():.3f} rad; the joint sticks {(true.slip == 0).mean():.0%} of the time")

# %% [markdown]
# ## What is to be found
#
# We guess the inertia, the friction and the damping, badly. The section `identify` names what is to be found, and between which
# bounds. The section `measured` has the standard deviation of the noise.

# %%
guess = {**joint,
         "model": {**joint["model"], "mass": 0.3, "friction": 1, "damping": 0.1},
         "identify": {"model.mass": {"lower": 0.05, "upper": 5},
                      "model.friction": {"lower": 0, "upper": 5},
                      "model.damping": {"lower": 0, "upper": 5}},
         "measured": {"deviation": {"position": noise}}}
log = {"t": t, "x1": angle}                                                    # x1: the position of the first joint
found = stiction.identify(guess, log)
for key, truth in (("mass", 0.5), ("friction", 2), ("damping", 0.8)):
    value, error = found.values[f"model.{key}"], found.errors[f"model.{key}"]
    print(f"{key:8} = {value:.4f} +- {error:.4f}, the truth is {truth}")
    assert abs(value - truth) < 3 * error < 0.05 * truth

# %% [markdown]
# Each number comes with its standard error. The truth lies within one standard error two times in three, and within three nearly
# always.
#
# ## Is the model right?
#
# The residual is what remains of the log when the simulated motion is taken away. If the model is right, only noise remains. Then
# the residuals are as large as the noise, and their ratio is near 1: for 401 rows nearly always between 0.86 and 1.14.

# %%
print(f"the residuals are {found.deviation:.3f} times the noise")
assert 0.86 < found.deviation < 1.14

# %% [markdown]
# What would a model without dry friction say? It has damping alone.

# %%
wrong = stiction.identify(guess, log, settings={"model.friction": 0,
                                                "identify": {"model.mass": {"lower": 0.05, "upper": 5},
                                                             "model.damping": {"lower": 0, "upper": 5}}})
print(f"without friction: damping = {wrong.values['model.damping']:.3f} +- {wrong.errors['model.damping']:.3f}, "
      f"the residuals are {wrong.deviation:.0f} times the noise")
assert wrong.deviation > 20

# %% [markdown]
# The damping that it finds is far too large: it must brake in place of the friction. Its small standard error does not show that,
# but the residuals do. Look at their ratio first: far above 1 the model lacks something, and no number of it counts.
#
# ## Use what was found
#
# `found.problem` is the file with the numbers found. Its friction predicts which torque the joint holds: 5 % less than the threshold
# does not move it, and 5 % more does.

# %%
threshold = found.values["model.friction"]
for part in (0.95, 1.05):
    motion = stiction.simulate(found.problem, settings={"model.force": part * threshold})
    print(f"{part * threshold:.3f} N m: the joint turns by {motion.final['x'][0]:.3f} rad in 8 s")
    assert (motion.final["x"][0] > 0) == (part > 1)

# %% [markdown]
# A picture, where matplotlib is installed: the residuals of both models.

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no picture: matplotlib is not installed")
else:
    plt.plot(t, wrong.fit["residual:x1"], label="without friction")
    plt.plot(t, found.fit["residual:x1"], label="with friction")
    plt.xlabel("t, s")
    plt.ylabel("residual, rad")
    plt.legend()

# %% [markdown]
# ## What to change next
#
# - `torque = "2.2*sin(2*t)"`: the joint sticks most of the time. Which standard error grows most?
# - `torque = "5*sin(2*t) + 3*sin(0.7*t)"`: more speeds, and smaller errors of friction and damping.
# - Leave `model.damping` out of what is found, in place of the friction: what does the ratio say?
# - Add `"stick": [[1, FROM, TO]]` to `measured` for a time in which you saw the joint stick.
# - [All keys of identify](../problems/identify.md), also for several joints, velocities and gaps in the log.
