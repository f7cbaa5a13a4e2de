# SPDX-License-Identifier: BSD-2-Clause
"""stiction.control: the program's answer to the bit, here and on ranks; a target that is not met; mistakes."""

import pathlib

import numpy as np

from common import BLOCK, Case, LAUNCHER, PROBLEMS, stiction, unittest


class Control(Case):
    def test_bits_of_the_program(self):
        block = pathlib.Path("block.yaml").absolute()
        block.write_text(BLOCK)
        for problem, settings in ((PROBLEMS / "tp1.yaml", {"search.scheme_size": 64}),
                                  (PROBLEMS / "tp2-springs.yaml", {"search.method": "auto", "scheme": {"name": "moreau"}}),
                                  (block, {"search.max_evaluations": 40})):
            settings["search.refine"] = "none"  # which is not done here
            with self.subTest(problem.name):
                here = stiction.control(problem, settings=settings)
                there = stiction.control(problem, ranks=1 + (problem != block), settings=settings, launcher=LAUNCHER)
                self.assertSame(here.u, there.u)
                for name in ("J", "E1", "E2", "reason", "method", "met"):
                    self.assertEqual(getattr(here, name), getattr(there, name))
                for name, count in here.counts.items():
                    self.assertEqual(count, there.counts[name])
                self.assertSame(here.x_T, there.x_T)
                self.assertTrue(here.met)
                motion = stiction.simulate(problem, here, settings=settings)
                self.assertEqual((motion.final["J"], motion.final["E1"]), (here.J, here.E1))
                self.assertSame(motion.final["x"], here.x_T)
                self.assertLess(there.exact["E1"], 1)
                self.assertIsNone(here.exact)

    def test_tp1(self):
        found = stiction.control(PROBLEMS / "tp1.yaml", ranks=1, output="here", launcher=LAUNCHER)
        self.assertAlmostEqual(found.J, 474.0676684, places=6)
        self.assertAlmostEqual(found.results.outcome["J"], 468.0668545, places=6)
        self.assertAlmostEqual(found.refined["J"], 474.0676684, places=6)
        self.assertSame(found.results.u, found.u)
        self.assertEqual(len(found.results.search["J"]), found.counts["rounds"])
        self.refused("here", stiction.control, PROBLEMS / "tp1.yaml", ranks=1, output="here", launcher=LAUNCHER)

    def test_segments_and_text(self):
        pathlib.Path("load.csv").write_text("t, f\n0, 0\n2, 0\n")
        text = BLOCK.replace("x0: [0]", "x0: [0], force: {file: load.csv}")
        here, there = stiction.control(text), stiction.control(text, ranks=1)
        self.assertEqual(here.u.shape, (4, 1))
        self.assertSame(here.u, there.u)
        self.assertIsNone(here.bound)
        self.assertTrue(3 < there.bound["lower_bound"] < there.bound["J"])

    def test_not_met(self):
        settings = {"search.method": "pds", "search.max_simplexes": 1}
        for ranks in (None, 1):
            found = stiction.control(PROBLEMS / "tp1.yaml", ranks=ranks, settings=settings)
            self.assertEqual((found.met, found.reason), (False, "budget"))

    def test_plan(self):
        path = PROBLEMS / "least-time.yaml"
        with self.assertRaisesRegex(stiction.Error, "ranks=1"):
            stiction.control(path)
        found = stiction.control(path, ranks=1)
        self.assertTrue(found.met and found.E2 is None)
        self.assertAlmostEqual(found.end, 1.632993, delta=1e-6)
        self.assertEqual(found.f, found.end)
        self.assertEqual(found.u.shape, (2, 1))
        self.assertIn("minimize.time", [quantity["name"] for quantity in found.quantities])
        self.assertIn("T = 1.63299", repr(found))
        free = {"model": {"kind": "friction", "mass": 1, "friction": 1, "x0": [0]}, "time": {"end": "free", "step": 0.005},
                "control": {"minimize": "time", "bounds": {"lower": -2, "upper": 2}, "target": {"position": [1], "velocity": [0]},
                            "signal": {"kind": "piecewise_constant", "segments": 2, "lengths": "free"}}}
        self.assertEqual(stiction.control(free, ranks=1).end, found.end)
        limits = {"model": {"kind": "friction", "mass": 1, "friction": 1, "x0": [0]}, "time": {"end": 3, "step": 0.01},
                  "control": {"target": {"position": [1], "velocity": [0]}, "limits": {"speed": 9},
                              "signal": {"kind": "piecewise_constant", "segments": 4}}}
        found = stiction.control(limits, ranks=1, settings={"control.limits.speed": 0.6})
        self.assertTrue(found.met)
        with self.assertRaisesRegex(stiction.Error, "frction"):
            stiction.control(limits, ranks=1, settings={"model.frction": 1})

    def test_mistakes(self):
        self.refused("control: missing", stiction.control, "{model: {kind: friction, mass: 1}, time: {end: 1, step: 0.1}}")
        self.refused("search.method", stiction.control, BLOCK, settings={"search.method": "simplex"})
        wide = {"search.method": "sqp", "scheme": {"name": "centered"}, "model.stops": {"upper": 9, "stiffness": 100}}
        for ranks in (None, 1):
            self.refused("search.method: sqp needs derivatives", stiction.control, BLOCK, ranks=ranks, settings=wide)
        robust = {"scenarios": {"vary": {"model.friction": {"relative": 0.1}}, "count": 4}, "control.objective": "mean"}
        self.refused("over scenarios", stiction.control, BLOCK, settings=robust)
        self.assertRaises(TypeError, stiction.control, BLOCK, output="here")

    def test_failed_evaluations(self):
        event = {"name": "event", "max_events": 1}
        settings = {"scheme": event, "search.method": "pds", "search.max_simplexes": 1}
        for ranks in (None, 1):
            with self.assertRaises(stiction.SolverError):
                stiction.control(BLOCK, ranks=ranks, settings=settings)
        self.assertTrue(np.isfinite(stiction.control(BLOCK).J))


if __name__ == "__main__":
    unittest.main()
