# SPDX-License-Identifier: BSD-2-Clause
"""Runs of the program stiction on a problem."""

import os
import subprocess
import tempfile

from ._errors import Error, Message, SolverError
from ._library import program
from ._problem import Unread
from ._results import load

_NOT_MET = 3  # exit code of a run that ended short of its aim, with results


def run_program(command, problem, ranks, output, launcher, read):
    """Runs `stiction COMMAND` and returns read(results, met).

    problem: a Problem or Unread. output: the directory of results, which must not exist; None: a temporary one, and .results of what read
    returns is set to None, as the files are gone then. launcher: the words before `-n RANKS`; one rank is started without it.
    """
    with tempfile.TemporaryDirectory(prefix="stiction-") as folder:
        directory = os.path.join(folder, "results") if output is None else os.fspath(output)
        path, unread = problem.path, isinstance(problem, Unread)
        if path is None or (not unread and problem.settings):
            path = os.path.join(folder, "problem.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(problem.text if unread else problem.echo())
        started = [*launcher, "-n", str(int(ranks))] if ranks != 1 else []
        ran = subprocess.run([*started, program(), command, path, "-o", directory, "--quiet",
                              *(problem.options if unread else ())],
                             env=dict(os.environ),  # Python's copy: MPI in this process may have changed C's
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        text = ran.stderr.strip()
        if ran.returncode == 2:
            raise Error(text, [Message(None, 0, 0, None, line, False) for line in text.splitlines()])
        if ran.returncode not in (0, _NOT_MET):
            raise SolverError(f"exit code {ran.returncode}: {text}")
        found = read(load(directory), ran.returncode == 0)
        if output is None:
            found.results = None
        return found
