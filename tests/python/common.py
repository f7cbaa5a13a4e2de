# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of the Python module share."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBLEMS = ROOT / "jobs" / "problems"
PROGRAM = os.environ["STICTION_PROGRAM"]
LAUNCHER = ("mpirun", "--oversubscribe", "--bind-to", "none")
if os.getuid() == 0:
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
if not os.environ.get("STICTION_INSTALLED"):
    sys.path.insert(0, str(ROOT / "src" / "python"))
sys.dont_write_bytecode = True
import stiction  # noqa: E402

warnings.simplefilter("error")

BLOCK = """model: {kind: friction, mass: 1, friction: 1, x0: [0]}
time: {end: 2, step: 0.02}
control:
  target: {position: [1], velocity: [0]}
  signal: {kind: piecewise_constant, segments: 4}
"""


class Case(unittest.TestCase):
    """Has a scratch folder, in which it stands."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stiction-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def run_program(self, *arguments, code=0):
        ran = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran

    def assertSame(self, a, b):
        """Arrays of the same numbers, to the bit."""
        self.assertEqual(a.shape, b.shape)
        self.assertTrue((a == b).all(), f"apart by {abs(a - b).max()}")

    def refused(self, pattern, function, *arguments, **named):
        """It raises Error with such a message, which is returned."""
        with self.assertRaisesRegex(stiction.Error, pattern) as caught:
            function(*arguments, **named)
        return caught.exception


__all__ = ["BLOCK", "Case", "LAUNCHER", "PROBLEMS", "PROGRAM", "ROOT", "stiction", "unittest"]
