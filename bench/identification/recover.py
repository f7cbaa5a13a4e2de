#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes the records of this folder anew, identifies each, and prints what was found beside the published numbers.

    python3 bench/identification/recover.py STICTION [NAME...]      NAME: emps, servo-m1, servo-m2, servo-m4

Exit code 1: a number is more than four standard errors from its truth, or a record was not fitted.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import records

HERE = Path(__file__).resolve().parent
SERVO_NAMES = {"kt": "kt", "J": "armature", "base": "base", "viscous": "viscous", "stribeck": "Stribeck",
               "speed": "Stribeck speed", "alpha": "exponent", "load": "load", "load_stribeck": "Stribeck of load"}  # fmt: skip


def identify(program, name, folder):
    """Returns what the program identifies of a record in the folder."""
    (folder / f"{name}.yaml").write_text((HERE / f"{name}.yaml").read_text())
    out = folder / f"{name}-results"
    subprocess.run([program, "identify", folder / f"{name}.yaml", "-o", out, "--quiet"], check=True)
    return json.loads((out / "summary.json").read_text())["identification"]


def emps_rows(found):
    """The published four numbers: Fc and the offset are half the sum and half the difference of the two thresholds."""
    path = "model.friction."
    forward, backward = (found["parameters"][path + way] for way in ("forward", "backward"))
    names = list(found["parameters"])
    r = found["correlation"][names.index(path + "forward")][names.index(path + "backward")]
    a, b = forward["error"], backward["error"]
    for key, parameter in (("M", "model.mass"), ("Fv", "model.damping")):
        value = found["parameters"][parameter]
        yield key, records.EMPS[key], value["value"], value["error"]
    for key, sign in (("Fc", 1), ("offset", -1)):
        value = (forward["value"] + sign * backward["value"]) / 2
        yield key, records.EMPS[key], value, math.sqrt(max(a * a + b * b + 2 * sign * r * a * b, 0)) / 2


def servo_rows(found, truth):
    for path, value in found["parameters"].items():
        key = path.rsplit(".", 1)[1]
        yield SERVO_NAMES[key], truth[key], value["value"], value["error"]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, names = sys.argv[1], sys.argv[2:] or ["emps", "servo-m1", "servo-m2", "servo-m4"]
    wrong = False
    print("| record | number | published | found | +- | standard errors off |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in names:
            records.make(folder, name)
            found = identify(program, name, folder)
            rows = emps_rows(found) if name == "emps" else servo_rows(found, records.SERVO[name[6:]])
            for key, truth, value, error in rows:
                off = abs(value - truth) / error if error else math.inf
                wrong |= not off < 4
                print(f"| {name} | {key} | {truth:.7g} | {value:.7g} | {error:.2g} | {off:.1f} |")
    sys.exit(wrong)


main()
