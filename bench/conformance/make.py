#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes data/ from problems/ and motions.py, or checks it: every number has the digits on which all integrators agree.
usage: make.py STICTION [--check] [NAME ...]      STICTION: the program; --check: computes anew, compares with data/, exit code 1 if a digit differs"""
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the folder may be installed, or a clone

from integrate import follow
from motions import MOTIONS

HERE = pathlib.Path(__file__).resolve().parent
EVENT, OWN = (1e-14, 1e-13), (1e-14, 1e-13)  # tolerances of the scheme `event` and of integrate.py
MOST, LEAST = 12, 9  # decimals; fewer: something is wrong
SETTLING = 1e-6  # s: of bounces that come to their end, these last are left out
GROUPS = "hold", "break away", "stop", "reverse", "surface", "Stribeck", "coupled", "massless", "impact", "mechanism"


def numbers(path):
    return [[float(cell) for cell in row] for row in list(csv.reader(path.open()))[1:]]


def by_event(program, problem, tolerance, width):
    """The motion by `stiction simulate`: (rows, events). The columns behind lambda are left out."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        subprocess.run([program, "simulate", problem, "--set", f"scheme={{name: event, tolerance: {tolerance}}}", "-o", out, "--quiet"], check=True)
        rows = [row[:1 + width] for row in numbers(out / "trajectory.csv")]
        events = [[int(e["dof"]), float(e["from"]), float(e["to"]), e["state"]] for e in csv.DictReader((out / "events.csv").open())]
        return rows, events


def shown(events):
    """Events as they are published: by coordinate and start, without the last bounces before a rest."""
    settled = [(e[0], e[1]) for e in events if e[3].startswith("settled")]
    kept = [e for e in events if not any(e[0] == dof and end - SETTLING < e[1] and e[2] <= end for dof, end in settled)]
    return sorted(kept, key=lambda e: (e[0], e[1], e[3]))


def same_events(name, runs):
    """The largest difference of the times of events between runs."""
    first = [(e[0], e[3]) for e in runs[0]]
    for run in runs[1:]:
        if [(e[0], e[3]) for e in run] != first:
            sys.exit(f"{name}: the integrators disagree about events:\n{runs[0]}\n{run}")
    return max((abs(a - b) for run in runs for e, f in zip(runs[0], run) for a, b in zip(e[1:3], f[1:3])), default=0.0)


def decimals(difference):
    """As many as are right to a unit of the last: half a unit is the integrators', half the rounding's."""
    return max(0, min(MOST, math.floor(-math.log10(2 * difference)))) if difference > 0 else MOST


def compute(program, name):
    """A motion by all integrators: its JSON, and its rows as numbers."""
    problem = HERE / "problems" / f"{name}.yaml"
    text = problem.read_text()
    group, *equation = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    end, steps = re.search(r"time: \{end: ([\d.]+), steps: (\d+)\}", text).groups()
    times = [k * float(end) / int(steps) for k in range(int(steps) + 1)]
    system, closed = MOTIONS[name]
    own = [follow(system, times, tolerance) for tolerance in OWN]
    width = len(own[0][0][0])
    runs = [by_event(program, problem, tolerance, width) for tolerance in EVENT]
    if any(len(run[0]) != len(times) or any(abs(row[0] - t) > 1e-15 * t for row, t in zip(run[0], times)) for run in runs):
        sys.exit(f"{name}: the rows are not at the same times")
    tables = [[row[1:] for row in run[0]] for run in runs] + [run[0] for run in own]
    d = width // 3
    columns = [f"{what}{i + 1}" for what in ("x", "v", "R" if name == "dashpot" else "lambda") for i in range(d)]
    differences = {}
    for k, column in enumerate(columns):
        differ = max(abs(table[n][k] - tables[0][n][k]) for table in tables for n in range(len(times)))
        if closed and k < 2 * d:
            differ = max(differ, max(abs(closed(t)[k] - row[k]) for t, row in zip(times, tables[0])))
        differences[column] = differ
    lists = [shown(events) for _, events in runs + own]
    differences["event"] = same_events(name, lists)
    digits = {key: decimals(value) for key, value in differences.items()}
    if min(digits.values()) < LEAST:
        sys.exit(f"{name}: the integrators disagree: {differences}")
    about = {
        "name": name, "title": re.search("^title: (.*)", text, re.M)[1], "group": group.split(": ")[1], "equation": equation, "coordinates": d,
        "x0": tables[0][0][:d], "v0": tables[0][0][d:2 * d], "end": float(end), "columns": ["t"] + columns, "decimals": digits,
        "largest_difference": {key: float(f"{value:.1e}") for key, value in differences.items()},
        "checked_by": {"event": EVENT, "extrapolation": OWN, "closed_form": closed is not None},
        "events": [{"dof": dof, "from": round(a, digits["event"]), "to": round(b, digits["event"]), "state": state} for dof, a, b, state in lists[0]],
    }
    return about, [[t] + row for t, row in zip(times, tables[0])]


def table(about, rows):
    """The CSV file's text."""
    lines = [",".join(about["columns"])]
    for t, *row in rows:
        cells = (f"{value:.{about['decimals'][column]}f}" for column, value in zip(about["columns"][1:], row))
        lines.append(",".join([repr(t), *(cell[1:] if cell[0] == "-" and not cell.strip("-0.") else cell for cell in cells)]))
    return "\n".join(lines) + "\n"


def about_text(about):
    """The JSON file's text, a key and an event a line."""
    events = ",\n".join("  " + json.dumps(event) for event in about["events"])
    keys = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in about.items() if key != "events")
    return f'{{\n{keys} "events": [\n{events}\n ]\n}}\n'


def write_index():
    """A line for each motion of data/."""
    every = [json.loads(path.read_text()) for path in (HERE / "data").glob("*.json")]
    with (HERE / "data" / "index.csv").open("w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow("name group coordinates end events decimals_x decimals_v decimals_event closed_form title".split())
        for about in sorted(every, key=lambda about: (GROUPS.index(about["group"]), about["name"])):
            x, v = (min(about["decimals"][f"{what}{i + 1}"] for i in range(about["coordinates"])) for what in "xv")
            writer.writerow([about["name"], about["group"], about["coordinates"], about["end"], len(about["events"]), x, v, about["decimals"]["event"],
                             "yes" if about["checked_by"]["closed_form"] else "no", about["title"]])


def check(about, rows):
    """What differs from data/ by more than a unit of the last decimal there."""
    name, wrong = about["name"], []
    old = json.loads((HERE / "data" / f"{name}.json").read_text())
    for key in ("title", "group", "equation", "coordinates", "end", "columns"):
        if old[key] != about[key]:
            wrong.append(f"{name}.json: {key} is {old[key]}, not {about[key]}")
    unit = {key: 10.0 ** -number for key, number in old["decimals"].items()}
    published = numbers(HERE / "data" / f"{name}.csv")
    if len(published) != len(rows) or len(old["events"]) != len(about["events"]):
        return wrong + [f"{name}: not as many rows or events"]
    for row, new in zip(published, rows):
        wrong += [f"{name}.csv: t = {row[0]}: {column} is {a}, not {b}" for column, a, b in zip(old["columns"][1:], row[1:], new[1:])
                  if abs(a - b) > 1.01 * unit[column]]
    for e, f in zip(old["events"], about["events"]):
        if (e["dof"], e["state"]) != (f["dof"], f["state"]) or max(abs(e[k] - f[k]) for k in ("from", "to")) > 1.01 * unit["event"]:
            wrong.append(f"{name}.json: event {e}, not {f}")
    return wrong


def main(program, *names):
    checks = "--check" in names
    names = [name for name in names if name != "--check"] or list(MOTIONS)
    wrong = []
    for name in names:
        about, rows = compute(program, name)
        digits, d = about["decimals"], about["coordinates"]
        x, v = (min(digits[f"{what}{i + 1}"] for i in range(d)) for what in "xv")
        print(f"{name:20} decimals: x {x}, v {v}, events {digits['event']}")
        if checks:
            wrong += check(about, rows)
        else:
            (HERE / "data" / f"{name}.csv").write_text(table(about, rows))
            (HERE / "data" / f"{name}.json").write_text(about_text(about))
    if not checks:
        write_index()
    print("\n".join(wrong[:20]), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
