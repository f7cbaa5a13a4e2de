# SPDX-License-Identifier: BSD-2-Clause
"""stiction.load: results that the program has written."""

import json
import os
import re

import numpy as np

from ._tables import frame_of, read_csv, read_hdf5, read_numbers

# attribute: its file
_TABLES = {"energy": "energy.csv", "search": "search.csv", "sweep": "sweep.csv", "times": "times.csv",
           "scenarios": "scenarios.csv", "convergence": "convergence.csv", "orders": "orders.csv", "fit": "fit.csv"}
_VECTORS = ("x", "v", "lambda", "reaction", "u")


class Results:
    """The results in a directory; each file is read when it is first used.

    summary: summary.json as a dict; outcome: a part of it; u: the control found or given, [p], or [S][p] with S segments; None: no control.
    trajectory: a dict of t [n], x, v, lambda .. [n][d], also available as attributes, lambda as lambda_. events: a dict of the columns of
    events.csv or events.h5. energy, search, sweep, times, scenarios, convergence, orders, fit: the columns of these tables. exact: Results of the
    exact motion; runs: for a sweep with --keep, {number: Results}. An attribute without a file raises AttributeError.
    """

    def __init__(self, directory):
        self.directory = os.fspath(directory)
        if not os.path.isdir(self.directory):
            raise FileNotFoundError(f"{self.directory}: no such directory")
        self._read = {}

    def _path(self, name):
        path = os.path.join(self.directory, name)
        return path if os.path.exists(path) else None

    @property
    def summary(self):
        return self._once("summary")

    @property
    def outcome(self):
        return self.summary["outcome"]

    @property
    def u(self):
        u = (self.outcome.get("refined") or {}).get("u", self.outcome.get("u"))
        return None if u is None else np.array(u, dtype=float)

    def _once(self, name):
        if name not in self._read:
            self._read[name] = getattr(self, f"_read_{name}", lambda: self._read_table(name))()
        return self._read[name]

    def _missing(self, what):
        raise AttributeError(f"{self.directory}: no {what}")

    def _read_summary(self):
        path = self._path("summary.json") or self._missing("summary.json")
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def _read_table(self, name):
        return read_csv(self._path(_TABLES[name]) or self._missing(_TABLES[name]))

    def _read_trajectory(self):
        path = self._path("trajectory.h5")
        if path:
            arrays = read_hdf5(path)
            done = ~np.isnan(arrays["t"])  # a running program has not reached the others
            return {name: array[done] if len(array) == len(done) else array for name, array in arrays.items()}
        path = self._path("trajectory.csv") or self._missing("trajectory.csv or trajectory.h5")
        names, values = read_numbers(path)
        columns = {}
        for k, name in enumerate(names):
            vector = re.fullmatch(rf"({'|'.join(_VECTORS)})(\d+|:.*)", name)
            columns.setdefault(vector[1] if vector else name, []).append((k, bool(vector)))
        return {name: values[:, [k for k, _ in found]] if found[0][1] else values[:, found[0][0]].copy()
                for name, found in columns.items()}

    def _read_events(self):
        path = self._path("events.h5")
        return read_hdf5(path) if path else read_csv(self._path("events.csv") or self._missing("events.csv or events.h5"))

    def _read_exact(self):
        return Results(self._path("exact") or self._missing("exact/"))

    def _read_refined(self):
        return Results(self._path("refined") or self._missing("refined/"))

    def _read_runs(self):
        path = self._path("runs") or self._missing("runs/")
        return {int(name): Results(os.path.join(path, name)) for name in sorted(os.listdir(path)) if name.isdigit()}

    def __getattr__(self, name):
        if name in _TABLES or name in ("trajectory", "events", "exact", "refined", "runs"):
            return self._once(name)
        if not name.startswith("_"):
            arrays = self._once("trajectory")
            if name.rstrip("_") in arrays:
                return arrays[name.rstrip("_")]
        raise AttributeError(f"{type(self).__name__} has no {name}")

    def names(self):
        """Names of the degrees of freedom, or None: 1, 2, .."""
        path = self._path("summary.json")
        return self.summary.get("problem", {}).get("model", {}).get("names") if path else None

    def frame(self, table=None):
        """Returns a table as a pandas frame: "energy", "search", "events", ..; by default the sweep's, or the trajectory."""
        table = table or ("sweep" if self._path("sweep.csv") else "trajectory")
        return frame_of({name: array for name, array in self._once(table).items()
                         if table != "trajectory" or len(array) == len(self.trajectory["t"])}, self.names())


def load(directory):
    """Returns the Results in a directory written by simulate, control, sweep, converge or identify."""
    return Results(directory)
