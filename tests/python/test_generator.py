# SPDX-License-Identifier: BSD-2-Clause
"""stiction.Generator: the standard's suggest and ingest, with and without gest-api."""

import itertools
import math
import types

from common import Case, stiction, unittest

try:
    from gest_api.vocs import VOCS
except ImportError:
    VOCS = None


def plain(**parts):
    return types.SimpleNamespace(**{"constraints": {}, "constants": {}, "observables": set(), **parts})


def of_classes(**parts):
    """The same as the standard's classes have it, without them."""
    one = lambda name, **members: type(name, (), members)()  # noqa: E731
    made = plain(**parts)
    made.variables = {name: one("ContinuousVariable", domain=list(d), default_value=None) for name, d in parts["variables"].items()}
    made.objectives = {name: one(f"{word.capitalize()}Objective") for name, word in parts["objectives"].items()}
    classes = {"LESS_THAN": "LessThanConstraint", "GREATER_THAN": "GreaterThanConstraint", "BOUNDS": "BoundsConstraint"}
    made.constraints = {name: one(classes[rule[0]], **({"range": rule[1:]} if rule[0] == "BOUNDS" else {"value": rule[1]}))
                        for name, rule in parts.get("constraints", {}).items()}
    made.constants = {name: one("Constant", value=value) for name, value in parts.get("constants", {}).items()}
    return made


KINDS = [plain, of_classes] + ([VOCS] if VOCS else [])
SPACE = {"variables": {"x": [-2.0, 2.0], "y": [-2.0, 2.0]}}


def height(point):
    return -(100 * (point["y"] - point["x"] ** 2) ** 2 + (1 - point["x"]) ** 2)


class Generator(Case):
    def drive(self, generator, number, value=height, rounds=10000):
        for _ in range(rounds):
            try:
                points = generator.suggest(number)
            except ValueError as error:
                return str(error)
            if number is not None:
                self.assertEqual(len(points), number)
            generator.ingest([{**point, "f": value(point), "c": point["x"]} for point in points])
        return self.fail("it does not end")

    def test_maximum_with_constraint(self):
        for kind in KINDS:
            with self.subTest(kind.__name__):
                vocs = kind(**SPACE, objectives={"f": "MAXIMIZE"}, constraints={"c": ["BOUNDS", -1.0, 0.5]}, constants={"k": 7})
                generator = stiction.Generator(vocs)
                two = generator.suggest(2)
                self.assertEqual(two[1]["k"], 7)
                generator.ingest([{**point, "f": height(point), "c": point["x"]} for point in two])
                self.assertIn("over (tolerance)", self.drive(generator, None))
                self.assertAlmostEqual(generator.best["x"], 0.5, places=4)
                self.assertAlmostEqual(generator.best["f"], -0.25, places=4)
                self.assertLessEqual(generator.best["c"], 0.5 + 1e-5)
                generator.finalize()

    def test_any_number_of_points(self):
        """The search's answer does not depend on how many are suggested at a time, nor on points that are suggested twice."""
        vocs, found = plain(**SPACE, objectives={"f": "MINIMIZE"}), []
        for number in (None, 1, 5, 64):
            generator = stiction.Generator(vocs, start={"x": -1.2, "y": 1}, max_evaluations=2000)
            self.drive(generator, number, lambda point: -height(point))
            found.append((generator.best, generator.search.state["evaluations"]))
        self.assertEqual(found, [found[0]] * 4)

    def test_out_of_step(self):
        """Answers that come late, in another order, one by one, as from workers that are asked for anew as they come free."""
        generator = stiction.Generator(plain(**SPACE, objectives={"f": "MINIMIZE"}), start={"x": -1.2, "y": 1}, max_evaluations=2000)
        wanted = stiction.Generator(plain(**SPACE, objectives={"f": "MINIMIZE"}), start={"x": -1.2, "y": 1}, max_evaluations=2000)
        self.drive(wanted, None, lambda point: -height(point))
        out = generator.suggest(6)
        for turn in itertools.count():
            point = out.pop((turn * 7) % len(out))
            generator.ingest([{**point, "f": -height(point)}])
            try:
                out += generator.suggest(1)
            except ValueError:
                break
        self.assertEqual(generator.best, wanted.best)

    def test_exactly_or_not_at_all(self):
        generator = stiction.Generator(plain(**SPACE, objectives={"f": "MINIMIZE"}), repeat=False)
        first = generator.suggest()
        self.assertRaisesRegex(ValueError, "0 new points, not 1", generator.suggest, 1)
        self.assertEqual(generator.suggest(), [])
        generator.ingest([{**point, "f": 1.0} for point in first[:-1]])
        again = {**first[-1], "f": math.nan}
        generator.ingest([again, again])
        self.assertRaisesRegex(ValueError, r"_id 99999 was never suggested", generator.ingest, [{**again, "_id": 99999}])
        self.assertEqual(len(generator.suggest(3)), 3)
        self.assertRaisesRegex(ValueError, "new points, not 100000", generator.suggest, 100000)
        rest = generator.suggest()
        self.assertEqual(len({point["_id"] for point in rest}), len(rest))
        self.assertGreater(len(rest), 10)

    def test_points_from_elsewhere(self):
        generator = stiction.Generator(plain(**SPACE, objectives={"f": "MINIMIZE"}, constraints={"c": ["GREATER_THAN", 0]}))
        others = [{"x": 1.0, "y": 1.5, "f": 4.0, "c": 1}, {"x": 0.5, "y": 0.25, "f": 1.0, "c": 0.5}, {"x": 0, "y": 0, "f": 0.1, "c": -1},
                  {"x": 9, "y": 0, "f": 0.1, "c": 1}, {"x": 0, "y": 0, "f": math.nan, "c": 1}]
        generator.ingest(others)
        point = generator.suggest(1)[0]
        self.assertEqual((point["x"], point["y"]), (0.5, 0.25))
        generator.ingest([{**{key: point[key] for key in ("x", "y")}, "f": 3.0, "c": 2, "_id": math.nan}])
        generator.ingest(others)
        self.assertEqual(generator.search.state["ivps"], 0)  # the values were taken; their simplex is not over
        self.assertEqual(generator._points, {})

    def test_what_it_does_not_take(self):
        for parts in ({"objectives": {}}, {"objectives": {"f": "MINIMIZE", "g": "MINIMIZE"}}, {"objectives": {"f": "EXPLORE"}},
                      {"objectives": {"f": "MINIMIZE"}, "variables": {"x": {1, 2, 3}}},
                      {"objectives": {"f": "MINIMIZE"}, "constraints": {"c": ["EQUAL_TO", 1]}}):
            self.assertRaisesRegex(ValueError, "stiction: ", stiction.Generator, plain(**{**SPACE, **parts}))
        self.refused("unknown key", stiction.Generator, plain(**SPACE, objectives={"f": "MINIMIZE"}), steps=3)
        self.assertTrue(stiction.Generator.returns_id)


if __name__ == "__main__":
    unittest.main()
