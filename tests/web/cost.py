#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What the page costs: the processor time of `stiction web` while browsers elsewhere watch the list, or a job, of a spool with many jobs that have
ended: beside that of a core, and beside that of a search under way; what that search loses by it; what a submit and a report take, once.

    usage: tests/web/cost.py PROGRAM [TURNS]      6, of three searches each; 0: the page alone
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
from served import PROBLEM, ROOT, Served, fill

TICK = os.sysconf("SC_CLK_TCK")
PAUSE, SECONDS = 1.5, 20  # s between two looks (api.js); that each is watched
SEARCH = 10  # s that a search lasts
LIST = ["/jobs?most=300"]


def used(process):
    """Seconds of processor of a process, of all its threads, and of the processes that it has waited for."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return time.clock_gettime((~process.pid << 3) | 2) + sum(int(field) for field in fields[13:15]) / TICK  # its clock: clock_getcpuclockid(3)


def search(program, page, name):
    """Simulations a second of a search that a service carries out, and the seconds of processor of all its ranks and processes."""
    with open(PROBLEM) as file:
        text = file.read().replace("scheme_size: paper", f"scheme_size: 4096, accept: 1e-300, restarts: 1000, max_seconds: {SEARCH}")
    page.put(f"incoming/{name}.yaml", text.replace("step: 0.0125", "step: 0.0025") + "output: {verify: no}\n")
    command = '. "$0/jobs/mpi.sh" && mpi_run 2 "$@"'
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["bash", "-c", command, ROOT, program, "serve", page.spool, "--drain", "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.path.join(page.spool, "done", name, "summary.json")) as file:
        summary = json.load(file)
    return summary["counts"]["ivps"] / summary["seconds"]["wall"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Browser(threading.Thread):
    """Asks what one browser asks that shows the list, or a job, until it is closed."""

    def __init__(self, page, paths):
        super().__init__()
        self.page, self.known, self.over = page, dict.fromkeys(paths, ""), threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(PAUSE):
            for path, known in self.known.items():
                self.known[path] = self.page.ask(path, If_None_Match=known)[1]["ETag"] or ""

    def close(self):
        self.over.set()
        self.join()


def page_alone(program, n):
    """The share of a core while one browser watches the list, or a job that has ended."""
    for paths in (LIST, ["/jobs/job007"]):
        with Served(program) as page:
            fill(page, n)
            page.ask("/jobs")
            before, start = used(page.process), time.monotonic()
            browser = Browser(page, paths)
            time.sleep(SECONDS)
            browser.close()
            share = (used(page.process) - before) / (time.monotonic() - start)
            print(f"{n} jobs, {paths[0]}: {100 * share:.2f} % of a core", flush=True)


def beside_a_search(program, page, turns):
    """With no browser, one of the list, and five, two of them of the job that runs: in turn, now in this order, now in the other."""
    rates, spent, searched = ({n: [] for n in (0, 1, 5)} for _ in range(3))
    for turn in range(turns):
        for n in (0, 1, 5) if turn % 2 == 0 else (5, 1, 0):
            name, before = f"turn{turn}-{n}", used(page.process)
            job = [f"/jobs/{name}", f"/jobs/{name}/search"]
            browsers = [Browser(page, LIST if k % 2 == 0 else job) for k in range(n)]
            rate, seconds = search(program, page, name)
            for browser in browsers:
                browser.close()
            rates[n].append(rate)
            spent[n].append(used(page.process) - before)
            searched[n].append(seconds)
    for n, what in ((0, "no browser"), (1, "one browser"), (5, "five browsers")):
        share = sum(spent[n]) / sum(searched[n])
        print(f"{what}: the page {sum(spent[n]):.3f} s of processor, the search {sum(searched[n]):.1f} s: {100 * share:.3f} %; "
              f"{statistics.median(rates[n]):.0f} simulations a second ({min(rates[n]):.0f} to {max(rates[n]):.0f})")
        if n:
            ratios = [a / b for a, b in zip(rates[n], rates[0])]
            print(f"    to those without, pair by pair: median {statistics.median(ratios):.4f}, {min(ratios):.3f} to {max(ratios):.3f}")
    return name


def once(page, name):
    """What is done for a browser now and then: a problem checked and taken, a report drawn."""
    with open(PROBLEM, "rb") as file:
        problem = file.read()
    for what, path, method, body, right in (("a submit", "/jobs?name=once.yaml", "POST", problem, 201),
                                            ("a report", f"/jobs/{name}/files/report.html", "GET", None, 200)):
        before = used(page.process)
        status = page.ask(path, method, body)[0]
        print(f"{what}: {used(page.process) - before:.2f} s of processor" if status == right else f"{what}: refused, {status}")


def main(program, turns=6):
    for n in (200, 10_000):
        page_alone(program, n)
    if int(turns) == 0:
        return
    with Served(program) as page:
        fill(page, 200)
        page.ask("/jobs")
        once(page, beside_a_search(program, page, int(turns)))


if __name__ == "__main__":
    main(*sys.argv[1:])
