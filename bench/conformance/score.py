#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Scores a simulator. usage: score.py FOLDER
FOLDER/NAME.csv: columns t, x1.., v1.. (or by names: x:upper..), in any order and among others, with rows at the times of data/NAME.csv.
x: largest error, v: mean error, over the largest x or v. creep: how far what sticks moves in the middle half of its rest, m. event: with a file
FOLDER/NAME-events.csv (dof, from, to, state) the largest error of the start of a state, s, and how many states there are, of how many.
Exit code 1: a motion is wrong, or all are missing; 2: bad input."""
import csv
import json
import pathlib
import sys


def fail(message):
    print(f"score.py: {message}", file=sys.stderr)
    sys.exit(2)


def number(cell, where):
    try:
        return float(cell)
    except ValueError:
        fail(f"{where}: {cell!r} is no number")


def read(path, columns):
    """Returns the rows of a table, each as a list of the values of these columns; those of `state` are text."""
    try:
        lines = csv.reader(path.read_text(encoding="utf-8-sig").splitlines())
        header = [cell.strip() for cell in next(lines, [])]
        for letter in "xv":  # the program names the columns of a mechanism by its coordinates, in their order
            for k, name in enumerate([cell for cell in header if cell.startswith(f"{letter}:")]):
                header[header.index(name)] = f"{letter}{k + 1}"
        for column in columns if header else ():
            if column not in header:
                semicolon = " (columns are separated by commas, not by semicolons)" if ";" in "".join(header) else ""
                fail(f"{path}:1: there is no column {column}{semicolon}")
        rows = []
        for row in filter(None, lines):
            where = f"{path}:{lines.line_num}"
            if len(row) != len(header):
                fail(f"{where}: a row of {len(row)} cells, but the header has {len(header)}")
            cells = [(column, row[header.index(column)].strip()) for column in columns]
            rows.append([cell if column == "state" else number(cell, f"{where}: {column}") for column, cell in cells])
        return rows
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        fail(f"{path}: {error}")


if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
    fail("usage: score.py FOLDER" if len(sys.argv) != 2 else f"{sys.argv[1]}: there is no such folder")
data, folder = pathlib.Path(__file__).resolve().parent / "data", pathlib.Path(sys.argv[1])
motions = [json.loads(path.read_text()) for path in sorted(data.glob("*.json"))]
expected = {f"{about['name']}{ending}.csv" for about in motions for ending in ("", "-events")}
for path in sorted(folder.glob("*.csv")):
    if path.name not in expected:
        print(f"score.py: warning: {path.name} is no motion of the set", file=sys.stderr)
count = dict(exact=0, fine=0, rough=0, wrong=0, missing=0)
print("motion               class    x        v        creep    event")
for about in motions:
    name, d, states = about["name"], about["coordinates"], about["events"]
    ours, theirs = data / f"{name}.csv", folder / f"{name}.csv"
    columns = ["t"] + [f"{letter}{i + 1}" for letter in "xv" for i in range(d)]
    known, own = read(ours, columns), read(theirs, columns) if theirs.exists() else None
    at = {round(row[0], 6): row for row in own or []}
    if not any(round(row[0], 6) in at for row in known):
        if own is not None:
            print(f"{name:20} missing  {theirs.name} has no row{f' at a time of data/{ours.name}' if own else ''}")
        count["missing"] += 1
        continue
    rows = [(row, at.get(round(row[0], 6), [float("nan")] * len(row))) for row in known]
    error = lambda a, b: abs(a - b) if b == b else float("inf")
    size = [max(abs(row[1 + k]) for row in known for k in range(n, n + d)) or 1 for n in (0, d)]
    x = max(error(a[k], b[k]) for a, b in rows for k in range(1, 1 + d)) / size[0]
    v = max(sum(error(a[k], b[k]) for a, b in rows) for k in range(1 + d, 1 + 2 * d)) / len(rows) / size[1]
    rests = [(e["dof"], (3 * e["from"] + e["to"]) / 4, (e["from"] + 3 * e["to"]) / 4) for e in states if e["state"] == "stick"]
    off = [[b[k] - a[k] for a, b in rows if first <= a[0] <= last] or [0] for k, first, last in rests]
    events, own = "-", folder / f"{name}-events.csv"
    if own.exists():
        own = read(own, ["dof", "state", "from"])
        late = [min([abs(t - e["from"]) for dof, state, t in own if (dof, state) == (e["dof"], e["state"])] or [float("inf")]) for e in states]
        events = f"{max(late):.1e}  {len(own)}/{len(states)}"
    verdict = next((verdict for verdict, most in (("exact", 1e-8), ("fine", 1e-5), ("rough", 1e-2)) if max(x, v) <= most), "wrong")
    count[verdict] += 1
    print(f"{name:20} {verdict:8} {x:.1e}  {v:.1e}  {max([max(o) - min(o) for o in off] or [0]):.1e}  {events}")
print(", ".join(f"{n} {verdict}" for verdict, n in count.items()))
sys.exit(count["wrong"] > 0 or count["missing"] == len(motions))
