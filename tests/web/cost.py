#!/usr/bin/env python3
"""What the page costs: the processor time of `stiction web` while a browser elsewhere watches the list, or a job, of a spool of 200 and of 10,000 jobs
that have ended; and what a search loses by that, its rate with and without, in turn.

    usage: tests/web/cost.py PROGRAM [TURNS]      10; 0: the page alone
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
from served import PROBLEM, ROOT, Served, fill

TICK = os.sysconf("SC_CLK_TCK")


def used(process):
    """Seconds of processor of a process and of those that it has waited for."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / TICK


def search(program, page, name):
    """Simulations a second of a search that a service carries out."""
    with open(PROBLEM) as file:
        page.put(f"incoming/{name}.yaml", file.read().replace("scheme_size: paper", "scheme_size: 4096").replace("step: 0.0125", "step: 0.0025") + "output: {verify: no}\n")
    command = '. "$0/jobs/mpi.sh" && mpi_run 2 "$@"'
    subprocess.run(["bash", "-c", command, ROOT, program, "serve", page.spool, "--drain", "--quiet"], check=True)
    with open(os.path.join(page.spool, "done", name, "summary.json")) as file:
        summary = json.load(file)
    return summary["counts"]["ivps"] / summary["seconds"]["wall"]


PAUSE, SECONDS = 1.5, 20  # s between two looks (api.js); that each is watched


def page_alone(program, n):
    """The share of a core while one browser watches the list, or a job that has ended."""
    for path in ("/jobs?most=300", "/jobs/job007"):
        with Served(program) as page:
            fill(page, n)
            page.ask("/jobs")
            known, before, start = "", used(page.process), time.monotonic()
            while time.monotonic() - start < SECONDS:
                time.sleep(PAUSE)
                known = page.ask(path, If_None_Match=known)[1]["ETag"]
            share = (used(page.process) - before) / (time.monotonic() - start)
            print(f"{n} jobs, {path}: {100 * share:.2f} % of a core")


class Watching(threading.Thread):
    """Asks what two browsers ask, one of the list and one of a job."""

    def __init__(self, page, name):
        super().__init__()
        self.page, self.name_of_job, self.over = page, name, threading.Event()
        self.start()

    def run(self):
        known = ""
        while not self.over.wait(PAUSE):
            _, headers, _ = self.page.ask("/jobs?most=300", If_None_Match=known)
            known = headers["ETag"]
            for path in ("", "/search"):
                self.page.ask(f"/jobs/{self.name_of_job}{path}")


def main(program, turns=10):
    for n in (200, 10_000):
        page_alone(program, n)
    if int(turns) == 0:
        return
    with Served(program) as page:
        fill(page, 200)
        rates, spent, wall = {True: [], False: []}, 0.0, 0.0
        for turn in range(2 * int(turns)):
            watched = turn % 4 in (0, 3)
            watching = Watching(page, f"turn{turn}") if watched else None
            before, start = used(page.process), time.monotonic()
            rates[watched].append(search(program, page, f"turn{turn}"))
            if watched:
                watching.over.set()
                watching.join()
                spent, wall = spent + used(page.process) - before, wall + time.monotonic() - start
    print(f"the page uses {100 * spent / wall:.2f} % of a core, of {wall:.0f} s")
    ratios = [a / b for a, b in zip(rates[True], rates[False])]
    for watched, name in ((True, "watched"), (False, "not watched")):
        print(f"{name}: {statistics.median(rates[watched]):.0f} simulations a second ({min(rates[watched]):.0f} to {max(rates[watched]):.0f})")
    print(f"ratio of turns that follow each other: median {statistics.median(ratios):.4f}, {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
