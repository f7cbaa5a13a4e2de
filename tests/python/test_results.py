# SPDX-License-Identifier: BSD-2-Clause
"""stiction.load: each kind of results."""

import pathlib

import numpy as np

from common import BLOCK, Case, PROBLEMS, stiction, unittest

try:
    import pandas
except ImportError:
    pandas = None


class Results(Case):
    def made(self, *arguments):
        self.run_program(*arguments, "-o", "run", "--quiet")
        return stiction.load("run")

    def test_simulation(self):
        run = self.made("simulate", PROBLEMS / "stops.yaml")
        self.assertEqual(run.x.shape, (5001, 2))
        self.assertEqual((run.reaction >= 0).any(), True)
        self.assertIs(run.lambda_, run.trajectory["lambda"])
        self.assertIn("impact-", run.events["state"].tolist())
        self.assertLess(abs(run.energy["closure"]).max(), 1e-9)
        self.assertIsNone(run.u)
        self.assertEqual(run.outcome["x_T"], run.x[-1].tolist())
        self.assertRaises(AttributeError, lambda: run.search)
        self.assertRaises(AttributeError, lambda: run.nothing)
        self.assertRaises(FileNotFoundError, stiction.load, "nowhere")

    def test_names_and_one_dof(self):
        run = self.made("simulate", PROBLEMS / "arm-6.yaml", "--set=output.every=20")
        self.assertEqual(run.x.shape[1], len(run.names()))
        self.assertEqual(run.events["name"][0] in run.names(), True)
        pathlib.Path("one.yaml").write_text(BLOCK)
        self.assertEqual(stiction.simulate("one.yaml").v.shape, (101, 1))

    def test_control(self):
        pathlib.Path("block.yaml").write_text(BLOCK)
        run = self.made("control", "block.yaml")
        self.assertEqual(run.u.shape, (4, 1))
        self.assertEqual(run.search["J"][-1], run.outcome["J"])
        self.assertEqual(run.exact.x.shape, (101, 1))
        self.assertEqual(stiction.simulate("block.yaml", run).final["J"], run.outcome["J"])

    def test_hdf5(self):
        run = self.made("simulate", PROBLEMS / "string-plucked.yaml", "--set=model.nodes=100", "--set=output.every=10")
        self.assertEqual(run.x.shape, (len(run.t), 100))
        self.assertEqual(run.s.shape, (100,))
        motion = stiction.simulate(PROBLEMS / "string-plucked.yaml", settings={"model.nodes": 100, "output.every": 10})
        for name in ("t", "x", "v", "lambda", "force"):
            self.assertSame(run.trajectory[name], getattr(motion, name))
        self.assertEqual(len(run.events["dof"]), len(run.events["slip"]))

    def test_sweep(self):
        pathlib.Path("block.yaml").write_text(BLOCK)
        run = self.made("sweep", "block.yaml", "--vary=model.friction=[0.5, 1]", "--keep")
        self.assertEqual(run.sweep["model.friction"].tolist(), [0.5, 1])
        self.assertEqual(run.sweep["outcome"].tolist(), ["met", "met"])
        self.assertEqual(sorted(run.runs), [0, 1])
        self.assertEqual(run.runs[1].outcome["J"], run.sweep["J"][1])
        self.assertEqual(len(run.times["seconds"]), 2)

    def test_scenarios_and_errors(self):
        run = self.made("simulate", PROBLEMS / "scenarios.yaml", "--scenarios", "--control=start")
        self.assertEqual(len(run.scenarios["E1"]), run.summary["problem"]["scenarios"]["count"])
        self.run_program("converge", PROBLEMS / "shiau-6.2.yaml", "--steps=2", "--schemes=moreau", "-o", "errors", "--quiet")
        self.assertIn("moreau", stiction.load("errors").convergence["scheme"].tolist())

    def test_frames(self):
        motion = stiction.simulate(BLOCK)
        self.made("simulate", PROBLEMS / "tp1.yaml")
        if not pandas:
            self.assertRaisesRegex(ImportError, "pandas", motion.frame)
            return
        self.assertEqual(list(stiction.load("run").frame().columns), "t x1 x2 x3 v1 v2 v3 lambda1 lambda2 lambda3".split())
        self.assertSame(motion.frame()["x1"].to_numpy(), motion.x[:, 0])
        self.assertTrue(np.isfinite(stiction.load("run").frame("energy")["work"]).all())


if __name__ == "__main__":
    unittest.main()
