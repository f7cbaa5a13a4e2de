# SPDX-License-Identifier: BSD-2-Clause
"""stiction.identify: parameters from a measured motion."""

import csv
import os
import tempfile

from ._errors import Error
from ._problem import Unread
from ._program import run_program


class Identified:
    """Parameters found.

    values, errors: dicts by their paths ("model.friction[1]"), of the numbers found and of their standard errors, nan at a bound or if the data
    do not determine a number; deviation: standard deviation of the residuals as a multiple of those given; met: whether the least sum was
    reached; identification: that section of summary.json; problem: the file with the values found, as a text for simulate and control; fit:
    the columns of fit.csv; results: all files, with output= alone.
    """

    def __init__(self, results, met):
        self.results, self.met = results, met
        self.identification = results.summary["identification"]
        found = self.identification["parameters"]
        self.values = {path: entry["value"] for path, entry in found.items()}
        self.errors = {path: float("nan") if entry["error"] is None else entry["error"] for path, entry in found.items()}
        self.deviation = self.identification["deviation"]
        self.fit = results.fit
        with open(os.path.join(results.directory, "identified.yaml"), encoding="utf-8") as file:
            self.problem = file.read()

    def __repr__(self):
        values = ", ".join(f"{path} = {self.values[path]:.4g} +- {self.errors[path]:.2g}" for path in self.values)
        return f"<Identified: {values}; residuals {self.deviation:.3g} times the deviations given>"


def identify(problem, measured=None, ranks=1, settings=None, output=None, launcher=("mpirun",)):
    """Finds the parameters of a problem's section identify, by runs of the program.

    problem, settings: as for simulate; a relative measured.file of a text or a dict is not found. measured: the record itself in place of such a
    file, a dict of arrays [n] named as its columns, {"t": .., "x1": ..}. ranks, output, launcher: as for control.
    Raises Error for errors in the problem, and SolverError if the motion of the answer cannot be solved.
    """
    with tempfile.TemporaryDirectory(prefix="stiction-") as folder:
        if measured is not None:
            settings = {**(settings or {}), "measured.file": _write(measured, os.path.join(folder, "measured.csv"))}
        return run_program("identify", Unread(problem, settings), ranks, output, launcher, Identified)


def _write(measured, path):
    lengths = {name: len(column) for name, column in measured.items()}
    if len(set(lengths.values())) > 1:
        raise Error(f"measured: columns of different lengths, {lengths}")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(measured)
        writer.writerows([float(value) for value in row] for row in zip(*measured.values()))
    return path
