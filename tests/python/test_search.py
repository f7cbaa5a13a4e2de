# SPDX-License-Identifier: BSD-2-Clause
"""stiction.Search: the C search's answer to the bit, in any order of answers, through save and load; constraints; failures; memory."""

import math
import os
import random
import resource
import subprocess

from common import Case, stiction, unittest

VARIABLES = {"x": (-2, 2, -1.2), "y": (-2, 2, 1)}
RULE = {"sum": ("<=", 1.5)}


def rosenbrock(point):
    a, b = point["y"] - point["x"] * point["x"], 1 - point["x"]
    return {"f": 100 * (a * a) + b * b, "sum": point["x"] + point["y"]}


def drive(search, room=None, order=None):
    while points := search.ask(room):
        if order:
            order.shuffle(points)
        search.tell(points, [rosenbrock(point) for point in points])
    return search


class Search(Case):
    def of_c(self, method):
        output = subprocess.run([os.environ["STICTION_ROSENBROCK"], method], check=True, capture_output=True, text=True).stdout
        *numbers, evaluations = output.split()
        return [*map(float, numbers), int(evaluations)]

    def answer(self, search):
        return [search.best["x"], search.best["y"], search.state["f"], search.state["evaluations"]]

    def test_the_answer_of_c(self):
        for method in ("pds", "auto", "nlopt:cobyla"):
            with self.subTest(method):
                search = drive(stiction.Search(VARIABLES, "f", RULE, method=method, max_evaluations=4000))
                self.assertEqual(self.answer(search), self.of_c(method))
                self.assertTrue(search.over)
                self.assertEqual(search.ask(), [])

    def test_any_order_and_number(self):
        wanted = self.answer(drive(stiction.Search(VARIABLES, "f", RULE, max_evaluations=4000)))
        for room in (1, 7):
            search = stiction.Search(VARIABLES, "f", RULE, max_evaluations=4000)
            self.assertEqual(self.answer(drive(search, room, random.Random(room))), wanted)

    def test_magnitudes(self):
        make = lambda saved=None: stiction.Search(  # noqa: E731
            {"x": (-5, 5, 3), "y": (-5, 5, -2)}, None, {"sum": ("==", 1)}, magnitudes=("a", "b"), derivatives=True, saved=saved)
        search = make()
        while points := search.ask():
            search.tell(points, [{"a": p["x"] - 3, "b": 2 * p["y"], "sum": p["x"] + p["y"]} for p in points],
                        [{"a": {"x": 1, "y": 0}, "b": {"x": 0, "y": 2}, "sum": {"x": 1, "y": 1}} for p in points])
            search = stiction.Search.load(search.save())
        self.assertAlmostEqual(search.state["f"], 2, places=9)  # x = 1, y = 0
        self.assertAlmostEqual(search.best["y"], 0, places=9)

    def test_saved_and_loaded(self):
        for method in ("pds", "auto"):
            wanted = self.answer(drive(stiction.Search(VARIABLES, "f", RULE, method=method, max_evaluations=4000)))
            search, turn = stiction.Search(VARIABLES, "f", RULE, method=method, max_evaluations=4000), 0
            while points := search.ask(40):
                turn += 1
                answered = points if turn % 3 else points[:20]  # some answers are lost with the process
                search.tell(answered, [rosenbrock(point) for point in answered])
                if turn % 3 == 0:
                    search = stiction.Search.load(search.save())
            self.assertEqual(self.answer(search), wanted)

    def test_damaged_bytes(self):
        search = stiction.Search(VARIABLES)
        search.tell(points := search.ask(10), [p["x"] for p in points])
        saved = search.save()
        self.assertEqual(stiction.Search.load(saved).save(), saved)
        for damaged in (b"", saved[:-1], saved[:7], saved[:40] + b"x" + saved[41:], bytes(100)):
            self.refused("damaged", stiction.Search.load, damaged)

    def test_constraints(self):
        rules = {"circle": ("==", 1), "half": (">=", 0.5, 1e-4)}
        search = stiction.Search({"x": (-3, 3), "y": (-3, 3, 2)}, "f", rules, method="auto")
        while points := search.ask():
            search.tell(points, [(p["x"] + p["y"], p["x"] ** 2 + p["y"] ** 2, p["x"]) for p in points])
        self.assertAlmostEqual(search.best["x"], 0.5, delta=2e-4)
        self.assertAlmostEqual(search.best["y"], -math.sqrt(0.75), delta=2e-4)
        self.assertLessEqual(search.state["miss"], 1)

    def test_residuals(self):
        search = stiction.Search({"x": (-2, 2, -1.2), "y": (-2, 2, 1)}, None, residuals=("r", "s"), method="tao:pounders")
        while points := search.ask():
            search.tell(points, [{"r": 10 * (p["y"] - p["x"] ** 2), "s": 1 - p["x"]} for p in points])
        self.assertLess(search.state["f"], 1e-12)

    def test_derivatives(self):
        search = stiction.Search({"x": (-2, 2, -1.2), "y": (-2, 2, 1)}, None, residuals=("r", "s"), derivatives=True)
        while points := search.ask():
            values = [(10 * (p["y"] - p["x"] ** 2), 1 - p["x"]) for p in points]
            search.tell(points, values, [[[-20 * p["x"], 10], [-1, 0]] for p in points])
        self.assertEqual(search.method, "sqp")
        self.assertLess(search.state["f"], 1e-20)
        self.assertLess(search.state["evaluations"], 40)

    def test_derivatives_by_name_saved_and_loaded(self):
        sizes = {"x": 1e3, "y": 1e-2}
        answers = []
        for saves in (False, True):
            search = stiction.Search({"x": (-1e4, 1e4, 2e3), "y": (-1, 1)}, "f", {"g": (">=", 1)}, derivatives=True, sizes=sizes)
            while points := search.ask():
                u, v = points[0]["x"] / 1e3, points[0]["y"] / 1e-2  # f = (u - 2)^2 + v^2, u v >= 1
                gradients = {"f": {"x": 2 * (u - 2) / 1e3, "y": 2 * v / 1e-2}, "g": {"x": v / 1e3, "y": u / 1e-2}}
                search.tell(points[0], {"f": (u - 2) ** 2 + v**2, "g": u * v}, gradients)
                search = stiction.Search.load(search.save()) if saves else search
            answers.append((search.best, search.state["evaluations"]))
        self.assertEqual(*answers)
        u, v = search.best["x"] / 1e3, search.best["y"] / 1e-2
        self.assertAlmostEqual(u * v, 1, places=6)
        self.assertAlmostEqual((u - 2) * u, v * v, places=5)  # the gradients are parallel
        self.assertLess(answers[0][1], 40)

    def test_derivatives_refused(self):
        search = stiction.Search({"x": (-2, 2), "y": (-2, 2)}, derivatives=True)
        point = search.ask()[0]
        self.refused("no derivatives", search.tell, point, 1.0)
        self.refused("without y", search.tell, point, 1.0, {"x": 1.0})
        self.refused(r"expected \[1\]\[2\]", search.tell, point, 1.0, [1.0])
        self.refused("expected derivatives", search.tell, point, 1.0, "no")
        self.refused("derivatives=True", stiction.Search({"x": (-2, 2)}).tell, {"x": 0}, 1.0, [1.0])
        self.refused("sizes of z", stiction.Search, {"x": (-2, 2)}, sizes={"z": 1})
        self.refused("size -1", stiction.Search, {"x": (-2, 2)}, sizes={"x": -1})

    def test_failures(self):
        search = stiction.Search({"x": (-4, 4, 1)})
        while points := search.ask():
            search.tell(points, [None if p["x"] < -1 else math.nan if p["x"] > 2 else p["x"] ** 2 for p in points])
        self.assertAlmostEqual(search.best["x"], 0, places=4)
        self.assertGreater(search.state["non_finite"], 0)
        hopeless = stiction.Search({"x": (-4, 4, 1)}, max_evaluations=500)
        while points := hopeless.ask():
            hopeless.tell(points, [None] * len(points))
        self.assertIsNone(hopeless.best)
        self.assertNotEqual(hopeless.reason, "running")

    def test_second_answer_or_unknown_point_is_refused(self):
        search = stiction.Search({"x": (-4, 4)})
        first = search.ask(1)[0]
        search.tell(first, 3.0)
        self.refused("has its values already", search.tell, first, -100.0)
        two = search.ask(2)
        if len(two) == 2:
            self.refused("has its values already", search.tell, [two[0], two[1], two[0]], [1.0, 2.0, 3.0])
            search.tell(two, [point["x"] ** 2 for point in two])  # nothing of the refused was taken
        self.refused("not a point that was asked for", search.tell, {"x": 0.123}, -100.0)
        self.refused("expected numbers", search.tell, first, "x")
        while points := search.ask():
            search.tell([dict(p) for p in points], [p["x"] ** 2 for p in points])
        self.assertGreaterEqual(search.state["f"], 0)

    def test_released(self):
        search = stiction.Search({"x": (-4, 4)})
        points = search.ask(1)
        for _ in range(2):
            search.__del__()
        for call in (search.ask, search.save, lambda: search.tell(points, [1.0]), lambda: search.best, lambda: search.state,
                     lambda: search.reason, lambda: search.method, lambda: search.over):
            self.refused("has been released", call)

    def test_mistakes(self):
        search = stiction.Search({"x": (-4, 4)})
        for n in (-1, 1.5, "2", float("nan")):
            self.refused("expected a whole number, 0 or more", search.ask, n)
        self.assertEqual(search.ask(0), [])
        for name in ("x\n", "", " x", "a\x00b", 3):
            self.refused("not a name", stiction.Search, {name: (0, 1)})
        self.refused("not a name", stiction.Search, {"x": (0, 1)}, "f\n")
        for pattern, variables, named in (
                ("no variables", {}, {}), ("expected .lower", {"x": (1, 0)}, {}), ("expected .lower", {"x": 3}, {}),
                ("expected .lower", {"x": (0, 1, 2)}, {}), ("expected .lower", {"x": ("a", 1)}, {}), ("two things", {"f": (0, 1)}, {}),
                ("g: .*expected", {"x": (0, 1)}, {"constraints": {"g": 3}}), ("g: .*expected", {"x": (0, 1)}, {"constraints": {"g": ("<", 3)}}),
                ("g: .*tolerance", {"x": (0, 1)}, {"constraints": {"g": ("<=", 3, -1)}}),
                ("search.method: simplex .expected auto", {"x": (0, 1)}, {"method": "simplex"}),
                ("search.method: sqp needs derivatives", {"x": (0, 1)}, {"method": "sqp"}),
                ("search.scheme_size: 2.5", {"x": (0, 1)}, {"scheme_size": 2.5}), ("search.rho: 0", {"x": (0, 1)}, {"rho": 0}),
                ("search.acept: unknown key .*, step,", {"x": (0, 1)}, {"acept": 1}),
                ("expected 1 to 4096", {f"x{i}": (0, 1) for i in range(5000)}, {})):
            with self.subTest(pattern):
                self.refused(pattern, stiction.Search, variables, **named)
        search = stiction.Search({"x": (0, 1)}, "f", {"g": ("<=", 1)})
        point = search.ask(1)
        self.refused("1 points, 2 values", search.tell, point, [1, 2])
        self.refused("1 values of a point .expected 2: f, g", search.tell, point, [1])
        self.refused("without g", search.tell, point, [{"f": 1}])
        self.refused("without x", search.tell, [{"y": 1}], [(1, 2)])
        self.assertEqual(search.state["evaluations"], 0)

    def test_memory(self):
        def some(n):
            for _ in range(n):
                search = stiction.Search(VARIABLES, "f", RULE)
                search.tell(search.ask(1), [(1.0, 1.0)])

        some(500)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        some(10000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096, "KiB grown by 10,000 searches")

    def test_memory_of_motions(self):
        problem = "{model: {kind: friction, mass: 1}, time: {end: 1, step: 0.1}, control: {target: {position: [1]}}}"

        def some(n):
            for _ in range(n):
                stiction.simulate(problem)
                try:
                    stiction.simulate("{model: 3}")
                except stiction.Error:
                    pass

        some(100)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        some(500)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 2048, "KiB grown by 500 motions")


if __name__ == "__main__":
    unittest.main()
