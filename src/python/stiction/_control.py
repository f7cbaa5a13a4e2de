# SPDX-License-Identifier: BSD-2-Clause
"""stiction.control: the control with the least effort."""

import os

import numpy as np

from ._errors import Error, SolverError
from ._library import Interruptible, array_of, library, text_of
from ._problem import Messages, Planned, Problem, Unread
from ._program import run_program

_COUNTS = ("rounds", "evaluations", "ivps", "cache_hits", "non_finite", "restarts")


class Control:
    """Result of a search.

    u [p], or [S][p] with S segments, N; J; E1, E2, the relative misses; x_T, v_T [d]; met: whether E1 and E2 are at most search.accept;
    reason: why the search ended; method: the search method; counts: a dict. A run of the program (ranks) also has exact, refined, optimality,
    bound and certificate, as in outcome of summary.json, and results, all files that it wrote; otherwise these are None. u, J, E1, E2, x_T, v_T
    and met of such a run are those of the refined answer, if there is one; results.outcome has the search's own. Of other problems than the
    least effort at a given T, which only ranks= solves, f is what was minimised, end T, lengths those of the segments, initial the state found at
    t = 0, and quantities a list of costs and conditions with their values and multipliers; E2 is None.
    """

    f = end = lengths = initial = quantities = None
    exact = refined = optimality = bound = certificate = results = None

    def __repr__(self):
        if self.f is not None:
            return f"<Control: f = {self.f:.10g}, T = {self.end:.10g}, E1 = {self.E1:.2g}, {self.reason}>"
        return f"<Control: J = {self.J:.10g}, E1 = {self.E1:.2g}, E2 = {self.E2:.2g}, {self.reason}>"


def control(problem, ranks=None, settings=None, output=None, launcher=("mpirun",)):
    """Searches the control of a problem with a section control.

    problem, settings: as for simulate. ranks=None: searches in this process, without the steps after the search. ranks=P: runs the program by
    `mpirun -n P` with all steps after the search (refined answers, exact motion, bounds, certificates); output: its directory, which must not
    exist; by default a temporary one, and results is None. launcher: the words before `-n P` ("mpirun", "--oversubscribe").
    Problems with a free T, control.minimize, limits or a periodic motion need ranks=1 or more.
    Raises Error for errors in the problem, and SolverError if evaluations failed.
    """
    if ranks is None:
        if output is not None:
            raise TypeError("control: output is of runs on ranks")
        return _here(Problem(problem, settings))
    return run_program("control", _read(problem, settings), ranks, output, launcher, _written)


def _read(problem, settings):
    """The problem; Unread if it is for the program alone."""
    try:
        return Problem(problem, settings)
    except Planned:
        return Unread(problem, settings)


def _here(problem):
    echo = problem.dict()
    if "control" not in echo:
        raise Error("problem: control: missing")
    if echo["control"].get("objective", "nominal") != "nominal":
        raise Error("problem: control.objective: over scenarios (expected ranks=1 or more: the program's search)")
    search = library.stiction_search_of_file(problem._open())
    if not search:
        raise MemoryError("stiction")
    try:
        with Messages() as messages:
            messages.check(library.stiction_search_begin(search, None, 0, messages.listener), "control")
        with Messages() as messages:
            with Interruptible() as call:
                status = library.stiction_search_run(search, call.stopped, None, messages.listener)
            messages.check(status, "control")
        return _found(search, echo)
    finally:
        library.stiction_search_destroy(search)


def _found(search, echo):
    number = lambda name: library.stiction_search_number(search, name.encode())  # noqa: E731
    best = lambda name, n: array_of(library.stiction_search_best(search, name), n)  # noqa: E731
    found = Control()
    n, d = int(number("n")), int(number("d"))
    found.u = _in_segments(best(b"u", n), echo)
    found.x_T, found.v_T = best(b"x", d), best(b"v", d)
    found.J, found.E1, found.E2 = number("J"), number("E1"), number("E2")
    found.reason = text_of(library.stiction_search_reason(search))
    found.method = text_of(library.stiction_search_method(search))
    found.counts = {name: int(number(name)) for name in _COUNTS}
    accept = echo["search"]["accept"]
    found.met = found.E1 <= accept and found.E2 <= accept
    if found.counts["non_finite"]:
        raise SolverError(f"{found.counts['non_finite']} evaluations failed or gave no finite value", found)
    return found


def _in_segments(u, echo):
    segments = echo["control"].get("signal", {}).get("segments")
    return u.reshape(segments, -1) if segments else u


def _written(results, met):
    outcome, found = results.outcome, Control()
    found.results = results
    found.u, found.x_T, found.v_T = results.u, *(np.array(outcome.get(key, [])) for key in ("x_T", "v_T"))
    found.met = met
    found.counts = results.summary["counts"]
    for name in ("J", "E1", "E2", "reason", "method", "exact", "refined", "optimality", "bound", "certificate", "f", "end", "lengths", "initial"):
        setattr(found, name, outcome.get(name))
    found.quantities = outcome.get("quantities")
    _take_refined(found)
    return found


def _take_refined(found):
    """Uses the refined answer, if there is one; the search's own is in found.results.outcome."""
    refined = found.refined or {}
    if "u" not in refined:
        return
    found.J, found.E1, found.E2 = (refined[name] for name in ("J", "E1", "E2"))
    if os.path.isdir(os.path.join(found.results.directory, "refined")):
        motion = found.results.refined
        found.x_T, found.v_T = motion.x[-1], motion.v[-1]
