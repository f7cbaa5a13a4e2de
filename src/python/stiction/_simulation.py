# SPDX-License-Identifier: BSD-2-Clause
"""stiction.simulate: one motion as arrays."""

import ctypes

import numpy as np

from ._errors import SolverError
from ._library import Interruptible, array_of, library, status_text
from ._problem import Messages, Problem
from ._tables import frame_of

_COUNTS = ("iterations", "grazes", "impacts", "settled")


class Motion:
    """A motion; n times, every output.every-th step and the last, of d degrees of freedom. SI units.

    t [n], x, v [n][d]; slip [n][d] -1, 0 (sticks), 1; slide [n][d] the sliding velocity; lambda_ and force [n][d], the friction
    multiplier and the friction force (not for a dash-pot); reaction [n][d] with stops; u [n][p] the control;
    additional results of the kind by their names, e.g. f_d. energy: a dict of [n], the energy balance. final: a dict with x, v [d] at T, iterations,
    grazes, impacts, settled; with event, residual of the equation of motion; with a section control J, E1, E2.
    status: "ok", or why it ended before T. problem: a dict.
    """

    def __init__(self, problem, handle, status):
        self.status = "ok" if status == 0 else status_text(status)
        self.problem = problem.dict()
        self.energy = {}
        rows, k = library.stiction_motion_rows(handle), 0
        while (name := library.stiction_motion_name(handle, k)) is not None:
            name, columns = name.decode(), library.stiction_motion_columns(handle, k)
            array = array_of(library.stiction_motion_array(handle, k), rows, columns)
            k += 1
            if name.startswith("energy."):
                self.energy[name[7:]] = array[:, 0]
            elif name == "slip":
                self.slip = array.astype(np.int8)
            else:
                many = name in ("x", "v", "slide", "lambda", "force", "reaction", "u")
                setattr(self, "lambda_" if name == "lambda" else name, array if many else array[:, 0])
        self.final = {"x": array_of(library.stiction_motion_end(handle, False), self.x.shape[1]),
                      "v": array_of(library.stiction_motion_end(handle, True), self.x.shape[1])}
        for name in ("residual", *_COUNTS, "J", "E1", "E2"):
            value = library.stiction_motion_number(handle, name.encode())
            if name in _COUNTS:
                self.final[name] = int(value)
            elif not np.isnan(value) or name == "residual":
                self.final[name] = value

    def __repr__(self):
        return f"<Motion: {len(self.t)} times to t = {self.t[-1] if len(self.t) else 0:g} s, {self.x.shape[1]} degrees of freedom, {self.status}>"

    def __getattr__(self, name):
        if name == "lambda":  # getattr(motion, "lambda"): the name that results have
            return self.lambda_
        raise AttributeError(f"this motion has no {name}")

    def frame(self):
        """Returns all arrays as a pandas frame with the columns of trajectory.csv and energy.csv."""
        arrays = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        arrays["lambda"] = arrays.pop("lambda_", None)
        return frame_of({**arrays, **self.energy}, self.problem["model"].get("names"))


def simulate(problem, control=None, settings=None, check=True):
    """Simulates a problem with a control (None: 0), in this process.

    problem: a path, text or a dict; settings: {"time.step": 0.01} overrides its keys. control: its numbers, N, as many as u has entries and
    segments, in any shape; or an object with .u. Raises Error for errors in the problem, and SolverError if the motion cannot be solved to
    its end; with check=False the incomplete motion is returned.
    """
    read = Problem(problem, settings)
    u = None if control is None else read.control(control)
    handle = ctypes.c_void_p()
    with Messages() as messages:
        with Interruptible() as call:
            status = library.stiction_motion_run(read._open(), None if u is None else u.ctypes.data, call.stopped, None,
                                                 messages.listener, ctypes.byref(handle))
        if not handle:
            messages.check(status, "simulate")
    try:
        motion = Motion(read, handle, status)
    finally:
        library.stiction_motion_destroy(handle)
    if status != 0 and check:
        raise SolverError(f"t = {motion.t[-1] if len(motion.t) else 0:g} s: {motion.status}", motion)
    return motion
