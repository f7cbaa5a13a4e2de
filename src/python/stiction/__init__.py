# SPDX-License-Identifier: BSD-2-Clause
"""Simulation and optimal control of mechanical systems with dry friction: libstiction from Python.

    import stiction
    motion = stiction.simulate("tp1.yaml")        # motion.t [n], motion.x [n][d], ..
    found = stiction.control("tp1.yaml")          # found.u, found.J, ..
    fit = stiction.identify("identify.yaml")      # fit.values, fit.errors, ..
    runs = stiction.load("results/tp1")           # results written by the program
    search = stiction.Search({"a": (-2, 2, 0)})   # search.ask(), search.tell(points, values)

Numbers are in SI units, as in problem files. stiction.Generator is Search as a generator of the gest-api standard.
"""

try:
    import numpy as _numpy  # noqa: F401 - every part of this module needs it
except ImportError as error:
    raise ImportError(f"stiction needs numpy, which this Python does not load ({error}): python3 -m pip install numpy, "
                      "or for Debian's own python3: apt install python3-numpy") from None

from ._control import Control, control
from ._errors import Error, Message, SolverError
from ._identify import Identified, identify
from ._library import build_info
from ._library import version as _version
from ._results import Results, load
from ._search import Search
from ._simulation import Motion, simulate

__version__ = _version()
__all__ = ["Control", "Error", "Generator", "Identified", "Message", "Motion", "Results", "Search", "SolverError", "build_info",
           "control", "identify", "load", "simulate"]


def __getattr__(name):
    if name == "Generator":  # imports gest-api only if it is used
        from ._generator import Generator
        return Generator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
