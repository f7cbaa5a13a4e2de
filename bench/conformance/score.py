#!/usr/bin/env python3
"""Scores a simulator. usage: score.py FOLDER      FOLDER/NAME.csv: columns t, x1.., v1.., with rows at the times of data/NAME.csv, and others if wanted.
x: largest error, v: mean error, over the largest x or v. creep: how far what sticks moves in the middle half of its rest, m. event: with a file
FOLDER/NAME-events.csv (dof, from, to, state) the largest error of the start of a state, s, and how many states there are, of how many."""
import csv
import json
import pathlib
import sys

data, folder = pathlib.Path(__file__).resolve().parent / "data", pathlib.Path(sys.argv[1])
count = dict(exact=0, fine=0, rough=0, wrong=0, missing=0)
print("motion               class    x        v        creep    event")
for about in (json.loads(path.read_text()) for path in sorted(data.glob("*.json"))):
    name, d, states = about["name"], about["coordinates"], about["events"]
    ours, theirs = data / f"{name}.csv", folder / f"{name}.csv"
    if not theirs.exists():
        count["missing"] += 1
        continue
    own, known = ([[float(cell) for cell in row] for row in list(csv.reader(path.open()))[1:]] for path in (theirs, ours))
    at = {round(row[0], 6): row for row in own}
    rows = [(row, at.get(round(row[0], 6), [float("nan")] * len(row))) for row in known]
    error = lambda a, b: abs(a - b) if b == b else float("inf")
    size = [max(abs(row[1 + k]) for row in known for k in range(n, n + d)) or 1 for n in (0, d)]
    x = max(error(a[k], b[k]) for a, b in rows for k in range(1, 1 + d)) / size[0]
    v = max(sum(error(a[k], b[k]) for a, b in rows) for k in range(1 + d, 1 + 2 * d)) / len(rows) / size[1]
    rests = [(e["dof"], (3 * e["from"] + e["to"]) / 4, (e["from"] + 3 * e["to"]) / 4) for e in states if e["state"] == "stick"]
    off = [[b[k] - a[k] for a, b in rows if first <= a[0] <= last] or [0] for k, first, last in rests]
    events, own = "-", folder / f"{name}-events.csv"
    if own.exists():
        own = [(int(e["dof"]), e["state"], float(e["from"])) for e in csv.DictReader(own.open())]
        late = [min([abs(t - e["from"]) for dof, state, t in own if (dof, state) == (e["dof"], e["state"])] or [float("inf")]) for e in states]
        events = f"{max(late):.1e}  {len(own)}/{len(states)}"
    verdict = next((verdict for verdict, most in (("exact", 1e-8), ("fine", 1e-5), ("rough", 1e-2)) if max(x, v) <= most), "wrong")
    count[verdict] += 1
    print(f"{name:20} {verdict:8} {x:.1e}  {v:.1e}  {max([max(o) - min(o) for o in off] or [0]):.1e}  {events}")
print(", ".join(f"{number} {verdict}" for verdict, number in count.items()))
sys.exit(count["wrong"] > 0)
