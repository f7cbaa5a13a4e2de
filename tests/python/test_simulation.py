# SPDX-License-Identifier: BSD-2-Clause
"""stiction.simulate: the program's numbers to the bit, the forms of a problem, mistakes, motions that fail."""

import copy
import json
import pathlib
import subprocess
import sys

import numpy as np

from common import BLOCK, Case, PROBLEMS, stiction, unittest
from stiction._problem import Problem

U = "11.993857,-6.8899546,-9.4612915"


class Simulation(Case):
    def compare(self, problem, *options, settings=None, control=None):
        """With what the program writes; returns the motion."""
        chosen = [f"--set={key}={json.dumps(value)}" for key, value in (settings or {}).items()]
        self.run_program("simulate", problem, "-o", "run", "--force", "--quiet", *chosen, *options)
        written = stiction.load("run")
        motion = stiction.simulate(problem, control, settings=settings)
        for name in written.trajectory:
            self.assertSame(getattr(motion, name), written.trajectory[name])
        for name, column in written.energy.items():
            if name not in ("t", "closure"):
                self.assertSame(motion.energy[name], column)
        self.assertEqual(motion.final["x"].tolist(), written.outcome["x_T"])
        self.assertEqual(motion.final["v"].tolist(), written.outcome["v_T"])
        if "residual" in written.outcome:
            self.assertEqual(motion.final["residual"], written.outcome["residual"])
        for name in ("J", "E1", "E2"):
            if control is not None:
                self.assertEqual(motion.final[name], written.outcome[name])
        return motion

    def test_bits_of_the_program(self):
        motion = self.compare(PROBLEMS / "tp1.yaml")
        self.assertEqual((motion.x.shape, motion.slip.dtype, motion.status), ((401, 3), np.int8, "ok"))
        self.compare(PROBLEMS / "tp1.yaml", "--control", U, control=[float(u) for u in U.split(",")])
        exact = self.compare(PROBLEMS / "tp1.yaml", settings={"scheme": {"name": "event"}, "output.every": 7})
        self.assertGreater(exact.final["residual"], 0)  # what it leaves of its equation
        for kind in ("gotika-6d-support", "chain-dynamical", "stops", "belt", "arm-6"):
            with self.subTest(kind):
                self.compare(PROBLEMS / f"{kind}.yaml", settings={"output.every": 5})
        self.compare(PROBLEMS / "string-plucked.yaml", settings={"model.nodes": 30, "output.format": "csv"})

    def test_without_numpy(self):
        """The import says what is missing and what installs it."""
        lines = f"import sys\nsys.path[:] = {sys.path}\nsys.modules['numpy'] = None\nimport stiction"
        ran = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr.splitlines()[-1], "^ImportError: stiction needs numpy, .* apt install python3-numpy$")

    def test_what_holds(self):
        motion = stiction.simulate(PROBLEMS / "shiau-6.3.yaml")
        self.assertTrue((abs(motion.lambda_) <= 1 + 1e-12).all())
        self.assertTrue((motion.slide[motion.slip == 0] == 0).all())
        sums = motion.energy["stored"] + motion.energy["dissipated"] + motion.energy["numerical"]
        self.assertLess(abs(motion.energy["work"] - sums).max(), 1e-12 * abs(motion.energy["stored"]).max())
        self.assertSame(getattr(motion, "lambda"), motion.lambda_)

    def test_forms_of_a_problem(self):
        model = {"kind": "friction", "mass": np.array([1, 2]), "stiffness": [np.float64(10), 20], "friction": 3,
                 "force": "8*sin(t)", "x0": (1, 2)}
        problem = {"model": model, "time": {"end": np.int64(1), "step": 0.01}}
        before = copy.deepcopy(problem)
        motion = stiction.simulate(problem)
        self.assertEqual(str(problem), str(before))
        text = 'model: {kind: friction, mass: [1, 2], stiffness: [10, 20], friction: 3, force: "8*sin(t)", x0: [1, 2]}\n' \
               "time: {end: 1, step: 0.01}\n"
        pathlib.Path("own.yaml").write_text(text)
        for form in (text, "own.yaml", pathlib.Path("own.yaml"), motion.problem):
            self.assertSame(stiction.simulate(form).x, motion.x)
        fine = stiction.simulate(text, settings={"time.step": 0.005, "model.friction": [3, 3]})
        self.assertEqual(len(fine.t), 201)
        rigid = {**model, "stops": {"upper": 5, "stiffness": [np.inf, 10]}}
        self.assertEqual(stiction.simulate({**problem, "model": rigid}).reaction.any(), False)

    def test_mistakes(self):
        pathlib.Path("wrong.yaml").write_text("model: {kind: friction, mass: -1}\ntime: {end: 1, stepp: 0.1}\n")
        error = self.refused(r"\nwrong\.yaml:2:16: time\.stepp: unknown key .*step", stiction.simulate, "wrong.yaml")
        places = [(message.file, message.line, message.key) for message in error.messages]
        self.assertIn(("wrong.yaml", 2, "time.stepp"), places)
        self.refused("nothere.yaml: .*cannot be opened", stiction.simulate, "nothere.yaml")
        self.refused("problem:1:9: model: ", stiction.simulate, "{model: 3}")
        block = {"model": {"kind": "friction", "mass": 1, "friction": 1, "x0": [0]}, "time": {"end": 2, "step": 0.02},
                 "control": {"target": {"position": [1]}, "minimize": "effort"}}
        self.refused(r"a plan.*output=DIR.*load\(DIR\)\.trajectory", stiction.simulate, block)
        block["model"]["mass"] = -1
        error = self.refused(r"problem: model\.mass: ", stiction.simulate, block)
        self.assertEqual([message.line for message in error.messages], [0])
        self.refused("--set time.step=0: time.step|--set time.step=0:1", stiction.simulate, BLOCK, settings={"time.step": 0})
        self.refused(r"control: 2 numbers \(expected 4\)", stiction.simulate, BLOCK, [1, 2])
        self.refused("not finite", stiction.simulate, BLOCK, [1, 2, 3, np.nan])
        self.assertRaises(TypeError, stiction.simulate, 3)
        self.assertRaises(ValueError, stiction.simulate, BLOCK, ["a"])

    def test_released(self):
        problem = Problem(BLOCK)
        self.assertEqual(problem.variables(), 4)
        for _ in range(2):
            problem.__del__()
        for call in (problem.variables, problem.echo, problem.dict, lambda: problem.control([1, 2, 3, 4])):
            self.refused("problem: it has been released", call)

    def test_a_motion_that_fails(self):
        springs = {"anchors": {"law": "x", "range": [-1, 1]}}
        torn = {"model": {"kind": "friction", "mass": 1, "v0": 10, "springs": springs}, "time": {"end": 10, "step": 0.01}}
        with self.assertRaisesRegex(stiction.SolverError, "t = .* s: ") as caught:
            stiction.simulate(torn)
        motion = caught.exception.result
        self.assertNotEqual(motion.status, "ok")
        self.assertLess(motion.t[-1], 1)
        self.assertLess(motion.x[-1, 0], 1.2)
        self.assertEqual(stiction.simulate(torn, check=False).status, motion.status)

    def test_controls_of_any_shape(self):
        flat = stiction.simulate(BLOCK, [2, 1, 0, -1])
        for u in ([[2], [1], [0], [-1]], np.array([[2], [1], [0], [-1]], dtype=np.float32)):
            self.assertSame(stiction.simulate(BLOCK, u).x, flat.x)
        self.assertEqual(flat.final["J"], 0.5 * (4 + 1 + 0 + 1))
        self.assertEqual(flat.u[[0, 30, 99]].tolist(), [[2], [1], [-1]])


if __name__ == "__main__":
    unittest.main()
