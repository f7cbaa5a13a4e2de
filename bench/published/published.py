#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Solves published problems of optimal control with dry friction, and checks each answer by an integrator that shares no code with the program.
usage: published.py STICTION [--starts N] [NAME ...]      prints the tables of results.md
exit code 1: the program and the integrator disagree about an answer"""
import argparse
import csv
import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

sys.dont_write_bytecode = True

from models import CONTROLLED, FREE, TOLERANCE, follow

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OWN, GALLERY, SET = ROOT / "bench/published/problems", ROOT / "jobs/problems", ROOT / "bench/conformance/problems"
ACCEPT = 1e-6  # of the search: a larger miss of an answer that the program reports as met is a mistake
COST = 1e-9  # relative: so well the program's cost and the integrator's agree
MOTION = 1e-9  # m, m/s: so well motions agree
NONE = "-"


@dataclass
class Problem:
    """What is least; the model's name in models.py; the problem file and values of its keys; pieces of u and its bound; published cost; controls; whether it
    is a plan (jobs/problems/which.md)."""
    least: str
    model: str
    file: pathlib.Path
    keys: list
    pieces: int
    largest: float
    published: str = NONE
    controls: int = 1
    plan: bool = True


def controlled():
    coil, free, found = OWN / "voice-coil.yaml", "time.end={at_least: 0.02, at_most: 0.3, start: 0.08}", {}
    for n in (27, 30, 50, 53):
        found[f"MWFOCP-{n}"] = Problem("int u^2", "coil-effort", coil, [], n, 5, plan=False)
    found["MWFOCP-energy"] = Problem("energy", "coil-energy", coil, ["control.minimize={energy: 1}"], 53, 5)
    for n in (27, 30, 50, 53):
        found[f"MFTOPT-{n}"] = Problem("T", "coil-time", coil, ["control.minimize=time", free], n, 5)
    found["MFTOPT-free"] = Problem("T", "coil-time", coil, ["control.minimize=time", free, "control.signal.lengths=free"], 6, 5)
    for n in (30, 33, 50, 57):
        found[f"CPWF-{n}"] = Problem("int u^2", "cart-pole", GALLERY / "cart-pole.yaml", [], n, 30, plan=False)
    found["turn"] = Problem("T", "turn", GALLERY / "least-time-turn.yaml", [], 3, 2, "2.0702297")
    found["two"] = Problem("T", "two", GALLERY / "least-time-two.yaml", [], 6, 4, "2.1253978", controls=2)
    for n in range(2, 9):
        keys = [f"model.mass={[1] * n}", f"model.stiffness={{springs: {[5] * n + [0]}}}", f"control.matrix={[[1]] + [[0]] * (n - 1)}"]
        found[f"blocks-{n}"] = Problem("int u^2", f"blocks-{n}", GALLERY / "blocks.yaml", keys, 50, 20, plan=False)
    found["mpc"] = Problem("int u^2", "mpc", OWN / "mpc.yaml", [], 20, 2, plan=False)
    return found


MOTIONS = {"986FO": ("986fo", SET / "oscillator.yaml"), "986OM": ("986om", OWN / "986om.yaml"), "FBS1S": ("fbs1s", SET / "three-blocks.yaml"),
           "stick-slip": ("stick-slip", OWN / "stick-slip.yaml")}


def run(command, file, keys, out):
    """The program's summary, None where it has proven at once that the target is out of reach, and the processor seconds that it took."""
    shutil.rmtree(out, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    given = [part for key in keys for part in ("--set", key)]
    done = subprocess.run([*command, file, *given, "-o", out, "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: no control found that meets the target
        sys.exit(f"published.py: {done.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = out / "summary.json"
    return json.loads(summary.read_text()) if summary.exists() else None, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Answer:
    """What the program gives: u, the lengths of its pieces, the cost, whether it reports the target as met, the bound or None, how many motions it took."""

    def __init__(self, summary):
        self.u, self.cost, self.met, self.bound, self.motions = [], None, False, None, 0
        if not summary:
            return
        outcome = summary["outcome"]
        best, end = outcome.get("refined", outcome), outcome.get("end", summary["problem"]["time"]["end"])
        self.u = best.get("u", [])  # none where a proof has ended the search
        self.lengths = outcome.get("lengths") or [end / len(self.u) for _ in self.u]
        self.cost = outcome.get("f", best.get("J"))
        self.met = outcome["met"] if "met" in outcome else max(best.get("E1", 1), best.get("E2", 1)) <= ACCEPT
        self.bound = outcome.get("bound", {}).get("lower_bound")
        self.motions = summary["counts"]["evaluations"] + outcome.get("easier_evaluations", 0) + \
            sum(outcome.get(part, {}).get("evaluations", 0) for part in ("refined", "further"))

    def check(self, name, model):
        """The misses of x(T) and v(T) by the integrator, or None of an answer that is not met, and the mistakes that this shows."""
        if not self.met:
            return None, []
        x, v, cost = model.end(self.lengths, self.u)
        misses, wrong = model.miss(x, v), []
        if max(misses) > ACCEPT:
            wrong.append(f"{name}: reported as met, but x(T) misses by {misses[0]:.1e} and v(T) by {misses[1]:.1e}")
        if abs(cost - self.cost) > COST * abs(cost):
            wrong.append(f"{name}: the reported cost is {self.cost!r}, but it is {cost!r}")
        return misses, wrong


def shown(value, form):
    return NONE if value is None else format(value, form)


def from_random(program, name, count, out):
    """How many single runs of SQP from random controls meet the target, the least cost among these, the processor seconds of a run, and mistakes."""
    problem, draw, costs, total, mistakes = controlled()[name], random.Random(1), [], 0.0, []
    alone = ["search.method=sqp", "search.local_starts=1", "search.restarts=0"]
    if not problem.plan:
        alone.append("search.bound=no")  # it may add starts; a plan has none
    for _ in range(count):
        start = [[round(draw.uniform(-problem.largest, problem.largest), 4) for _ in range(problem.controls)] for _ in range(problem.pieces)]
        summary, seconds = run([program, "control"], problem.file, keys_of(problem) + alone + [f"control.start={start}"], out)
        found, total = Answer(summary), total + seconds
        mistakes += found.check(name, CONTROLLED[problem.model])[1]
        costs += [found.cost] if found.met else []
    return len(costs), min(costs, default=None), total / count, mistakes


def keys_of(problem):
    return problem.keys + [f"control.signal.segments={problem.pieces}"]


def control_row(program, name, starts, out):
    problem = controlled()[name]
    summary, seconds = run([program, "control"], problem.file, keys_of(problem), out)
    found = Answer(summary)
    misses, mistakes = found.check(name, CONTROLLED[problem.model])
    cells = [name, problem.least, str(problem.pieces), problem.published, "yes" if found.met else "no", shown(found.cost if found.met else None, ".7g"),
             shown(found.bound, ".5g"), f"{misses[0]:.0e}, {misses[1]:.0e}" if misses else NONE, f"{seconds:.1f}", str(found.motions)]
    if not starts:
        return cells + [NONE] * 3, mistakes
    good, least, each, more = from_random(program, name, starts, out)
    return cells + [f"{good} of {starts}", shown(least, ".7g"), f"{each:.2f}"], mistakes + more


def motion_row(program, name, out):
    system, file = MOTIONS[name]
    summary, seconds = run([program, "simulate"], file, ["scheme={name: event, tolerance: 1e-13}"], out)
    rows = [[float(cell) for cell in line] for line in list(csv.reader((out / "trajectory.csv").open()))[1:]]
    own, events = follow(FREE[system], [line[0] for line in rows], TOLERANCE)
    events = [event for event in events if event[2] > event[1]]  # a block that lets go at once has stuck for no time
    d = FREE[system].d
    differ = max(abs(a - b) for line, mine in zip(rows, own) for a, b in zip(line[1:2 * d + 1], mine[:2 * d]))
    shown = len(list(csv.DictReader((out / "events.csv").open())))
    wrong = [f"{name}: the motions differ by {differ:.1e}"] if differ > MOTION else []
    wrong += [f"{name}: {shown} events, but {len(events)} by the integrator"] if shown != len(events) else []
    last = ", ".join(f"{value:.12g}" for value in summary["outcome"]["x_T"])
    return [name, f"{rows[-1][0]:g}", last, str(shown), f"{differ:.0e}", f"{seconds:.2f}"], wrong


def table(header, rows):
    """Prints rows of a Markdown table as they come; returns their mistakes."""
    print("| " + " | ".join(header) + " |\n|" + " --- |" * len(header), flush=True)
    mistakes = []
    for cells, wrong in rows:
        print("| " + " | ".join(cells) + " |", flush=True)
        mistakes += wrong
    return mistakes


def arguments():
    every = [*controlled(), *MOTIONS]
    parser = argparse.ArgumentParser(description="Solves published problems and checks each answer by an independent integrator.")
    parser.add_argument("program", metavar="STICTION", help="the program")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"problems, by default all: {', '.join(every)}")
    parser.add_argument("--starts", metavar="N", type=int, default=20, help="random starts of each problem (20)")
    given = parser.parse_intermixed_args()
    unknown = [name for name in given.names if name not in every]
    if unknown:
        parser.error(f"there is no problem {unknown[0]} (there are: {', '.join(every)})")
    if given.starts < 0:
        parser.error(f"--starts {given.starts} (expected 0 or more)")
    if not shutil.which(given.program):
        parser.error(f"{given.program}: there is no such program")
    return given.program, given.starts, given.names or every


def main():
    program, starts, names = arguments()
    mistakes = []
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        chosen = [name for name in names if name in controlled()]
        if chosen:
            mistakes += table(["problem", "what is least", "pieces", "published", "met", "found", "bound", "true miss x, v", "CPU s", "motions",
                               "random starts", "least of these", "CPU s each"], (control_row(program, name, starts, out) for name in chosen))
            print()
        chosen = [name for name in names if name in MOTIONS]
        if chosen:
            mistakes += table(["motion", "T", "x(T)", "events", "largest difference", "CPU s"], (motion_row(program, name, out) for name in chosen))
    print("\n".join(mistakes), file=sys.stderr, end="\n" if mistakes else "")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
