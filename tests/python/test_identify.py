# SPDX-License-Identifier: BSD-2-Clause
"""stiction.identify: the program's answer to the bit, of a file and of arrays; mistakes."""

import json
import pathlib

import numpy as np

from common import Case, LAUNCHER, PROBLEMS, stiction, unittest

BLOCK = {"model": {"kind": "friction", "mass": 1, "friction": 2, "damping": 0.5, "force": "5*sin(2*t)"},
         "time": {"end": 6, "step": 0.02}, "scheme": {"name": "event"}}


class Identify(Case):
    def test_bits_of_the_program(self):
        path = PROBLEMS / "identify.yaml"
        self.run_program("identify", path, "-o", "run", "--quiet")
        parameters = json.loads(pathlib.Path("run/summary.json").read_text())["identification"]["parameters"]
        found = stiction.identify(path, ranks=2, output="here", launcher=LAUNCHER)
        for name in ("value", "error"):
            self.assertEqual({key: entry[name] for key, entry in parameters.items()}, getattr(found, name + "s"))
        self.assertTrue(found.met)
        self.assertEqual(found.problem, pathlib.Path("run/identified.yaml").read_text())
        self.assertSame(found.fit["simulated:x1"], stiction.load("run").fit["simulated:x1"])
        self.assertSame(found.results.x, stiction.simulate(found.problem).x)
        self.assertIn("model.mass[2] = 1.602 +- 0.0012", repr(found))

    def test_arrays(self):
        motion = stiction.simulate(BLOCK)
        guess = {**BLOCK, "identify": {"model.friction": {"lower": 0, "upper": 5}},
                 "measured": {"deviation": {"velocity": 0.01}}}
        measured = {"t": motion.t, "v1": motion.v[:, 0]}
        found = stiction.identify(guess, measured, settings={"model.friction": 1})
        self.assertAlmostEqual(found.values["model.friction"], 2, places=6)
        self.assertIsNone(found.results)
        np.savetxt("log.csv", np.column_stack(list(measured.values())), delimiter=",", header="t,v1", comments="", fmt="%.17g")
        log = str(pathlib.Path("log.csv").absolute())
        again = stiction.identify(guess, settings={"model.friction": 1, "measured.file": log})
        self.assertEqual((again.values, again.errors), (found.values, found.errors))
        low = stiction.identify(guess, measured, settings={"identify": {"model.friction": {"lower": 0, "upper": 1.5}}, "model.friction": 1})
        self.assertEqual(low.values["model.friction"], 1.5)
        self.assertTrue(np.isnan(low.errors["model.friction"]))

    def test_mistakes(self):
        self.refused("what to identify", stiction.identify, BLOCK)
        self.refused("different lengths", stiction.identify, BLOCK, {"t": [0, 1], "x1": [0]})
        self.refused("model.frction", stiction.identify, {**BLOCK, "identify": {"model.frction": {"lower": 0, "upper": 1}}},
                     {"t": [0, 1], "x1": [0, 1]})


if __name__ == "__main__":
    unittest.main()
