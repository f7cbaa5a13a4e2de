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
from math import inf, isnan


def fail(message):
    print(f"score.py: {message}", file=sys.stderr)
    sys.exit(2)


def read(path, columns):
    """The rows of a table, none if there is no such file: each a list of the values of these columns, inf where it is not a number; a state is text."""
    lines, value = csv.reader(path.open(encoding="utf-8-sig") if path.exists() else []), lambda cell: inf if isnan(float(cell)) else float(cell)
    try:
        header = [cell.strip() for cell in next(lines, [])]
        for letter in "xv":  # the program names the columns of a mechanism by its coordinates, in their order
            names = [cell for cell in header if cell.startswith(f"{letter}:")]
            header = [f"{letter}{names.index(cell) + 1}" if cell in names else cell for cell in header]
        table = []
        for row in filter(None, lines):
            if len(row) != len(header):
                fail(f"{path}:{lines.line_num}: {len(row)} values (expected {len(header)}, as there are columns)")
            cells = dict(zip(header, row))
            table.append([cells[column].strip() if column == "state" else value(cells[column]) for column in columns])
        return table
    except KeyError as column:
        fail(f"{path}:{lines.line_num}: there is no column {column} (commas separate columns)")
    except (ValueError, csv.Error) as error:
        fail(f"{path}:{lines.line_num}: {error}")


if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
    fail("usage: score.py FOLDER (expected one folder)")
data, folder = pathlib.Path(__file__).resolve().parent / "data", pathlib.Path(sys.argv[1])
count = dict(exact=0, fine=0, rough=0, wrong=0, missing=0)
print("motion               class    x        v        creep    event")
for about in [json.loads(path.read_text()) for path in sorted(data.glob("*.json"))]:
    name, d, known_states = about["name"], about["coordinates"], about["events"]
    known, own = (read(place / f"{name}.csv", ["t"] + [f"{letter}{i + 1}" for letter in "xv" for i in range(d)]) for place in (data, folder))
    at = {round(row[0], 6): row for row in own}
    pairs = [(row, at.get(round(row[0], 6), [inf] * len(row))) for row in known]
    if all(theirs[0] == inf for _, theirs in pairs):
        count["missing"] += 1
        continue
    size = [max(abs(row[k]) for row in known for k in range(n + 1, n + d + 1)) or 1 for n in (0, d)]
    off = [[abs(theirs[k] - row[k]) for row, theirs in pairs] for k in range(1, 2 * d + 1)]
    x, v = max(map(max, off[:d])) / size[0], max(map(sum, off[d:])) / len(pairs) / size[1]
    rests = [(e["dof"], 3 * e["from"] + e["to"], e["from"] + 3 * e["to"]) for e in known_states if e["state"] == "stick"]
    moves = [[theirs[k] - row[k] for row, theirs in pairs if first <= 4 * row[0] <= last] for k, first, last in rests]
    creep = max((inf if inf in map(abs, move) else max(move) - min(move) for move in moves if move), default=0)
    states = read(folder / f"{name}-events.csv", ["dof", "state", "from"])
    late = [min((abs(t - e["from"]) for dof, state, t in states if (dof, state) == (e["dof"], e["state"])), default=inf) for e in known_states]
    verdict = next((verdict for verdict, most in (("exact", 1e-8), ("fine", 1e-5), ("rough", 1e-2)) if max(x, v) <= most), "wrong")
    count[verdict] += 1
    print(f"{name:20} {verdict:8} {x:.1e}  {v:.1e}  {creep:.1e}  " + (f"{max(late):.1e}  {len(states)}/{len(late)}" if states else "-"))
print(", ".join(f"{n} {verdict}" for verdict, n in count.items()))
sys.exit(count["wrong"] > 0 or count["missing"] > 0 and sum(count.values()) == count["missing"])
