# SPDX-License-Identifier: BSD-2-Clause
"""stiction.Search: a search by its methods ask and tell."""

import ctypes
import json
import math
import time
import zlib

import numpy as np

from ._errors import Error
from ._library import array_of, library, status_text, text_of
from ._problem import Messages

_FORMAT = 2
_COMPARISONS = {"==": "equal", "<=": "at_most", ">=": "at_least"}


class Search:
    """Minimises an objective over variables with bounds, under constraints; the caller evaluates the points.

    variables: {"a": (lower, upper, start)}, or (lower, upper) with the start in the middle (at 0 if a bound is infinite).
    objective: name of the value to minimise. residuals, magnitudes: names of values; their squares or absolute values are minimised instead,
    or in addition.
    constraints: {"g": ("<=", target)}, or "==" or ">="; a third number is the tolerance, by default 1e-6 max(1, |target|).
    derivatives: whether derivatives are given with the values; far fewer points are then needed. sizes: {"a": 0.1}, typical changes of
    variables, by default 1. method: pds (many points at a time), auto, nlopt:cobyla ..; None: pds, or auto with derivatives. Other keywords are
    keys of the section search: scheme_size=64, step=0.5, max_evaluations=1000. Points are dicts of variables. Raises Error for invalid arguments.

        search = stiction.Search({"x": (-2, 2, -1.2), "y": (-2, 2, 1)}, objective="f")
        while points := search.ask():
            search.tell(points, [rosenbrock(p["x"], p["y"]) for p in points])
        search.best       # {"x": 1.0, "y": 1.0, "f": 0.0}

    With derivatives, here of f by x and y: search.tell(points, values, [{"x": .., "y": ..} for p in points]).
    """

    def __init__(self, variables, objective="f", constraints=None, residuals=(), method=None, saved=None, derivatives=False, sizes=None, magnitudes=(),
                 **keys):
        self.handle = None
        self.variables = {name: _range(name, value) for name, value in dict(variables).items()}
        self.objective, self.residuals, self.magnitudes = objective, tuple(residuals), tuple(magnitudes)
        self.constraints = {name: _constraint(name, value) for name, value in dict(constraints or {}).items()}
        self.derivatives, self.sizes = bool(derivatives), dict(sizes or {})
        self.keys = {"method": method or ("auto" if derivatives else "pds"), **keys}
        self.values = (() if objective is None else (objective,)) + self.residuals + self.magnitudes + tuple(self.constraints)
        if not self.variables or not self.values:
            raise Error("search: no variables, or no values")
        twice = {name for name in self.values if self.values.count(name) > 1 or name in self.variables}
        for name in (*self.variables, *self.values):
            if not isinstance(name, str) or not name.isprintable() or name != name.strip() or not name:
                raise Error(f"search: {name!r}: not a name (expected printable text without blanks around it)")
        if not set(self.sizes) <= set(self.variables):
            raise Error(f"search: sizes of {', '.join(sorted(set(self.sizes) - set(self.variables)))} (expected variables)")
        if twice:
            raise Error(f"search: {', '.join(sorted(twice))}: a name of two things")
        self.out = {}  # tickets of points without values, by the points' numbers as bytes
        self.asked = set()  # keys of all points so far
        self.begun = time.monotonic()
        self._create(saved)

    def _create(self, saved):
        self.handle = library.stiction_search_create(len(self.variables), len(self.values))
        if not self.handle:
            raise Error(f"search: {len(self.variables)} variables, {len(self.values)} values (expected 1 to 4096 each)")
        for i, (lower, upper, start) in enumerate(self.variables.values()):
            _check(library.stiction_search_variable(self.handle, i, lower, upper, start), list(self.variables)[i])
        for name, size in self.sizes.items():
            _check(library.stiction_search_size(self.handle, list(self.variables).index(name), float(size)), name)
        if self.derivatives:
            _check(library.stiction_search_derivatives(self.handle), "derivatives")
        roles = ([] if self.objective is None else [("objective", 0, 0)]) + [("residual", 0, 0)] * len(self.residuals)
        roles += [("magnitude", 0, 0)] * len(self.magnitudes)
        for i, (role, target, tolerance) in enumerate(roles + list(self.constraints.values())):
            _check(library.stiction_search_value(self.handle, i, role.encode(), target, tolerance), self.values[i])
        with Messages() as messages:
            for key, value in self.keys.items():
                messages.check(library.stiction_search_key(self.handle, key.encode(), str(value).encode(),
                                                           messages.listener), "search")
        with Messages() as messages:
            messages.check(library.stiction_search_begin(self.handle, saved, len(saved or b""), messages.listener), "search")

    def __repr__(self):
        return f"<Search: {len(self.variables)} variables, {len(self.asked)} points, {self.reason if self.handle else 'released'}>"

    def __del__(self):
        handle, self.handle = getattr(self, "handle", None), None
        if handle:
            library.stiction_search_destroy(handle)

    def _open(self):
        """Returns the C search; raises Error after it was closed."""
        if not self.handle:
            raise Error("search: it has been released")
        return self.handle

    def ask(self, n=None):
        """Returns up to n new points (None: all that can be evaluated now). []: the values of earlier points are needed first, or the search is over.
        Raises Error if n is not an integer >= 0."""
        self._open()
        if n is not None and (not isinstance(n, (int, np.integer)) or n < 0):
            raise Error(f"ask: {n!r} points (expected a whole number, 0 or more)")
        room = 1 << 16 if n is None else int(n)
        points = []
        while len(points) < room:
            some = min(room - len(points), 1024)
            tickets = (ctypes.c_long * some)()
            array = np.empty((some, len(self.variables)))
            count = library.stiction_search_ask(self._open(), some, tickets, array)
            for ticket, row in zip(tickets[:count], array[:count]):
                self.out[row.tobytes()] = ticket
                self.asked.add(row.tobytes())
                points.append(dict(zip(self.variables, row.tolist())))
            if count < some:
                break
        return points

    def tell(self, points, values, derivatives=None):
        """Passes the values of points from ask to the search, in any order, each point once. The values of a point are a number, if there is only
        one value; otherwise a dict by names, or a sequence in the order objective, residuals, magnitudes, constraints. None or a number that is not finite: the
        point counts as infinitely bad. Raises Error, without using any value, for a point that was not asked for (for example with rounded
        numbers), or that already has its values.
        derivatives, if the search has them: for each point by value and variable, {"f": {"x": .., "y": ..}}, or an array [values][variables]; with
        only one value, {"x": .., "y": ..} or [variables]; None: unknown, and the point counts as infinitely bad."""
        self._open()
        if self.derivatives == (derivatives is None):
            raise Error("tell: no derivatives" if self.derivatives else "tell: derivatives (expected Search(.., derivatives=True))")
        if isinstance(points, dict):
            points, values, derivatives = [points], [values], [derivatives]
        points, values = list(points), list(values)
        derivatives = list(derivatives) if self.derivatives else [None] * len(points)
        if not len(points) == len(values) == len(derivatives):
            raise Error(f"tell: {len(points)} points, {len(values)} values"
                        + (f", {len(derivatives)} derivatives" if self.derivatives else ""))
        rows = [(self.key(point), self._row(value), self._gradients(gradient))
                for point, value, gradient in zip(points, values, derivatives)]
        left = set(self.out)
        for point, (key, *_) in zip(points, rows):
            if key not in self.asked:
                raise Error(f"tell: {dict(point)}: not a point that was asked for (expected its numbers to the last bit)")
            if key not in left:
                raise Error(f"tell: {dict(point)}: it has its values already (expected each point once)")
            left.remove(key)
        for key, row, gradients in rows:
            known = row is not None and (gradients is not None or not self.derivatives)
            library.stiction_search_tell_rows(self._open(), self.out.pop(key), row.ctypes.data if known else None,
                                              gradients.ctypes.data if known and self.derivatives else None,
                                              time.monotonic() - self.begun)

    def key(self, point):
        """Identifies a point: its numbers as bytes."""
        missing = [name for name in self.variables if name not in point]
        if missing:
            raise Error(f"search: a point without {', '.join(missing)}")
        return np.array([float(point[name]) for name in self.variables]).tobytes()

    def _row(self, value):
        if value is None:
            return None
        if isinstance(value, dict):
            missing = [name for name in self.values if name not in value]
            if missing:
                raise Error(f"tell: values without {', '.join(missing)}")
            value = [value[name] for name in self.values]
        try:
            row = np.array(value, dtype=np.float64).reshape(-1)
        except (TypeError, ValueError):
            raise Error(f"tell: {value!r} (expected numbers)") from None
        if row.size != len(self.values):
            raise Error(f"tell: {row.size} values of a point (expected {len(self.values)}: {', '.join(self.values)})")
        return row if np.isfinite(row).all() else None

    def _gradients(self, value):
        """Derivatives of a point's values, [values][variables]."""
        if value is None:
            return None
        try:
            if isinstance(value, dict) and not set(value) & set(self.variables):
                value = [value[name] for name in self.values]
            rows = [value] if isinstance(value, dict) else value
            rows = [[row[name] for name in self.variables] if isinstance(row, dict) else row for row in rows]
            rows = np.array(rows, dtype=np.float64)
        except KeyError as name:
            raise Error(f"tell: derivatives without {name.args[0]}") from None
        except (TypeError, ValueError):
            raise Error(f"tell: {value!r} (expected derivatives)") from None
        shape = len(self.values), len(self.variables)
        if rows.size != shape[0] * shape[1] or rows.ndim > 2 or (rows.ndim == 2 and rows.shape != shape):
            raise Error(f"tell: derivatives [{']['.join(map(str, rows.shape))}] (expected [{shape[0]}][{shape[1]}]: values, variables)")
        return np.ascontiguousarray(rows) if np.isfinite(rows).all() else None

    def _number(self, name):
        return library.stiction_search_number(self._open(), name.encode())

    @property
    def over(self):
        """Whether the search has ended."""
        return self._number("over") != 0

    @property
    def reason(self):
        """Why it ended: tolerance, stop_at, budget, stall, failed; otherwise running."""
        return text_of(library.stiction_search_reason(self._open()))

    @property
    def method(self):
        """The search method; for auto the selected one."""
        return text_of(library.stiction_search_method(self._open()))

    @property
    def best(self):
        """The best point with its values: a dict of both; None: none yet."""
        if not math.isfinite(self._number("J")):
            return None
        u = array_of(library.stiction_search_best(self._open(), b"u"), len(self.variables))
        x = array_of(library.stiction_search_best(self._open(), b"x"), len(self.values))
        return {**dict(zip(self.variables, u.tolist())), **dict(zip(self.values, x.tolist()))}

    @property
    def state(self):
        """Progress: f, the sum of the objective, squared residuals and magnitudes; miss, the largest violation of a constraint relative to its tolerance; counts."""
        counts = ("rounds", "evaluations", "ivps", "cache_hits", "non_finite", "restarts")
        return {"reason": self.reason, "f": self._number("J"), "miss": self._number("E1"), "edge": self._number("edge"),
                **{name: int(self._number(name)) for name in counts}}

    def save(self):
        """Returns the state as bytes, for Search.load of the same version. The loaded search asks again for points without values,
        and accepts values only for points that it has asked for."""
        saved = ctypes.create_string_buffer(library.stiction_search_saved_size(self._open()))
        library.stiction_search_save(self._open(), saved)
        head = json.dumps({"format": _FORMAT, "variables": self.variables, "objective": self.objective, "residuals": self.residuals,
                           "magnitudes": self.magnitudes,
                           "constraints": self.constraints, "keys": self.keys, "derivatives": self.derivatives,
                           "sizes": self.sizes}).encode()
        body = len(head).to_bytes(8, "little") + head + saved.raw
        return zlib.crc32(body).to_bytes(4, "little") + body

    @classmethod
    def load(cls, saved):
        """Returns a saved search, which continues bit for bit. Raises Error for invalid bytes."""
        body = bytes(saved[4:])
        size = int.from_bytes(body[:8], "little")
        if len(body) < 8 or zlib.crc32(body) != int.from_bytes(saved[:4], "little"):
            raise Error("search: not what Search.save has saved, or damaged")
        head = json.loads(body[8:8 + size])
        if head["format"] != _FORMAT:
            raise Error(f"search: format {head['format']} (expected {_FORMAT})")
        constraints = {name: (next(sign for sign, role in _COMPARISONS.items() if role == value[0]), *value[1:])
                       for name, value in head["constraints"].items()}
        keys = head["keys"]
        return cls(head["variables"], head["objective"], constraints, head["residuals"], keys.pop("method"), body[8 + size:],
                   head["derivatives"], head["sizes"], head["magnitudes"], **keys)


def _check(status, name):
    if status != 0:
        raise Error(f"search: {name}: {status_text(status)}")


def _range(name, value):
    try:
        lower, upper, *start = map(float, value)
    except (TypeError, ValueError):
        raise Error(f"search: {name}: {value!r} (expected (lower, upper, start))") from None
    middle = (lower + upper) / 2 if math.isfinite(lower + upper) else min(max(0.0, lower), upper)
    if not lower < upper or len(start) > 1 or not all(lower <= s <= upper for s in start):
        raise Error(f"search: {name}: {value!r} (expected (lower, upper, start), lower <= start <= upper, lower < upper)")
    return lower, upper, start[0] if start else middle


def _constraint(name, value):
    try:
        sign, target, *tolerance = value
        role, numbers = _COMPARISONS[sign], [float(number) for number in (target, *tolerance)]
    except (TypeError, ValueError, KeyError):
        raise Error(f'search: {name}: {value!r} (expected ("<=", target), ">=" or "==")') from None
    if len(numbers) > 2 or not all(map(math.isfinite, numbers)) or any(n < 0 for n in numbers[1:]):
        raise Error(f"search: {name}: {value!r} (expected a finite target, and a tolerance > 0)")
    return role, numbers[0], numbers[1] if len(numbers) > 1 else 0.0
