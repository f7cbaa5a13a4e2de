# SPDX-License-Identifier: BSD-2-Clause
"""stiction.Search as a generator of the gest-api standard, for libEnsemble, Optimas, Xopt and others."""

import math

import numpy as np

from ._search import Search

try:
    from gest_api import Generator as _Base
except ImportError:  # optional: the standard consists of a few methods

    class _Base:
        def __init__(self, vocs, *args, **kwargs):
            self._validate_vocs(vocs)


def _entry(entry, kind):
    """Returns (kind, numbers) of an entry of a VOCS, given by its classes or by equivalent lists and words."""
    if isinstance(entry, str):
        return entry.upper(), []
    if isinstance(entry, (list, tuple)):
        named = isinstance(entry[0], str)
        return (entry[0].upper(), list(entry[1:])) if named else ("CONTINUOUS", list(entry))
    name = type(entry).__name__.upper()
    what = name[:-len(kind)] if name.endswith(kind) else name
    numbers = getattr(entry, "domain", None) or getattr(entry, "range", None)
    return what.replace("LESSTHAN", "LESS_THAN").replace("GREATERTHAN", "GREATER_THAN"), \
        list(numbers) if numbers else [getattr(entry, "value", math.nan)]


class Generator(_Base):
    """Suggests points and receives their outcomes; one objective, variables with bounds, constraints.

    vocs: of gest-api, or any object with the dicts variables, objectives, constraints, constants. method and other keywords: as for Search.
    start: a dict of variables; by default the best of the points ingested before the first suggestion, otherwise each variable's default_value
    or the middle of its range.

    All points of a simplex must be evaluated before the next simplex begins. So if fewer than n points are new, suggest(n) repeats points that
    are not yet ingested; the first outcome counts. With repeat=False it raises ValueError instead; suggest(None) returns all new points,
    possibly none.
    """

    returns_id = True

    def __init__(self, vocs, method="pds", start=None, repeat=True, **keys):
        super().__init__(vocs)
        self.vocs, self.repeat = vocs, repeat
        self._keys = {"method": method, **keys}
        self._start = dict(start or {})
        self._before = (math.inf, {})  # the best point ingested before the search began
        self._points, self._count = {}, 0  # {_id: point} of points without outcomes
        self._kept, self._turn = [], 0  # new points not yet suggested; index of the next point to repeat
        self.search = None
        self._objective, what = next(iter((name, _entry(entry, "OBJECTIVE")[0]) for name, entry in vocs.objectives.items()))
        self._sign = -1.0 if what == "MAXIMIZE" else 1.0
        self._constraints = self._read_constraints(vocs)
        self._make({})  # to report errors now and not later

    def _validate_vocs(self, vocs):
        kinds = [_entry(entry, "OBJECTIVE")[0] for entry in vocs.objectives.values()]
        if len(kinds) != 1 or kinds[0] not in ("MINIMIZE", "MAXIMIZE"):
            raise ValueError(f"stiction: objectives {list(vocs.objectives)} (expected one, to MINIMIZE or MAXIMIZE)")
        for name, entry in vocs.variables.items():
            what, domain = _entry(entry, "VARIABLE")
            if what != "CONTINUOUS" or len(domain) != 2:
                raise ValueError(f"stiction: variable {name}: {what} (expected a continuous one, [lower, upper])")
        self._read_constraints(vocs)

    @staticmethod
    def _read_constraints(vocs):
        """Returns {own name: (name in the VOCS, comparison)}."""
        constraints = {}
        for name, entry in (getattr(vocs, "constraints", None) or {}).items():
            what, numbers = _entry(entry, "CONSTRAINT")
            if what == "LESS_THAN":
                constraints[f"{name}<="] = (name, ("<=", numbers[0]))
            elif what == "GREATER_THAN":
                constraints[f"{name}>="] = (name, (">=", numbers[0]))
            elif what == "BOUNDS":
                constraints[f"{name}>="] = (name, (">=", numbers[0]))
                constraints[f"{name}<="] = (name, ("<=", numbers[1]))
            else:
                raise ValueError(f"stiction: constraint {name}: {what} (expected LESS_THAN, GREATER_THAN or BOUNDS)")
        return constraints

    def _make(self, start):
        variables = {}
        for name, entry in self.vocs.variables.items():
            domain = _entry(entry, "VARIABLE")[1]
            given = start.get(name, getattr(entry, "default_value", None))
            variables[name] = domain if given is None else (*domain, given)
        constraints = {name: rule for name, (_, rule) in self._constraints.items()}
        return Search(variables, "objective to be small", constraints, **self._keys)

    def suggest(self, num_points=None):
        """Returns num_points points, each a dict of variables, constants and "_id"; None: all new ones. Raises ValueError if there are fewer,
        or the search is over."""
        if self.search is None:
            self.search = self._make(self._start or self._before[1])
        if self.search.over:
            raise ValueError(f"stiction: the search is over ({self.search.reason})")
        out = list(self._points)
        wanted = None if num_points is None else max(num_points - len(self._kept), 0)
        self._kept += self.search.ask(wanted)
        new = self._kept if num_points is None else self._kept[:num_points]
        missing = 0 if num_points is None else num_points - len(new)
        if missing and not (self.repeat and (out or new)):
            raise ValueError(f"stiction: {len(new)} new points, not {num_points}: others must be ingested first")
        self._kept = self._kept[len(new):]
        given = list(range(self._count, self._count + len(new)))
        self._points.update(zip(given, new))
        self._count += len(new)
        again = out or given
        given += [again[(self._turn + k) % len(again)] for k in range(missing)]
        self._turn += missing
        constants = {name: getattr(entry, "value", entry) for name, entry in (getattr(self.vocs, "constants", None) or {}).items()}
        return [{**self._points[key], **constants, "_id": key} for key in given]

    def ingest(self, results):
        """Receives outcomes: dicts of variables, objective, constraints, and "_id" for suggested points. nan: the evaluation failed. Points
        without "_id" given before the search begins may become its start; later they have no effect."""
        for result in results:
            key = result.get("_id")
            if key is None or key != key:  # nan comes from a frame
                self._take_other(result)
            elif not 0 <= key < self._count:
                raise ValueError(f"stiction: _id {key} was never suggested")
            elif key in self._points:
                self.search.tell(self._points.pop(key), self._values(result))

    def _values(self, result):
        values = [self._sign * float(result[self._objective])]
        return values + [float(result[name]) for name, _ in self._constraints.values()]

    def _take_other(self, result):
        if self.search is None:
            values = self._values(result)
            inside = all(low <= result[name] <= high for name, (low, high, _) in self._make({}).variables.items())
            if inside and np.isfinite(values).all() and values[0] < self._before[0] and self._holds(values[1:]):
                self._before = values[0], {name: float(result[name]) for name in self.vocs.variables}
            return
        point = {name: result[name] for name in self.vocs.variables}
        for key in [key for key, out in self._points.items() if self.search.key(out) == self.search.key(point)]:
            self.search.tell(self._points.pop(key), self._values(result))

    def _holds(self, values):
        rules = [rule for _, rule in self._constraints.values()]
        return all(value <= target if sign == "<=" else value >= target for value, (sign, target) in zip(values, rules))

    @property
    def best(self):
        """The best point of the search with its objective and constraints; None: none yet."""
        found = self.search.best if self.search else None
        if found is None:
            return None
        point = {name: found[name] for name in self.vocs.variables}
        values = {name: found[own] for own, (name, _) in self._constraints.items()}
        return {**point, self._objective: self._sign * found["objective to be small"], **values}

    def finalize(self):
        """Does nothing, as the search keeps its state; .best remains available."""
