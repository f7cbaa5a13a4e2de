#!/usr/bin/env python3
"""The page as programs use it: JSON over HTTP, who is let in, what is refused.

    usage: tests/web/api.py PROGRAM
"""

import json
import os
import shutil
import socket
import subprocess
import sys

sys.dont_write_bytecode = True
from served import PROBLEM, Checks, Served

checks = Checks()
TOKEN = "correct-horse-battery-staple"


def refused(program, message, *options):
    """`stiction web` ends with 2 at once."""
    with Served(program) as page:
        got = subprocess.run([program, "web", page.spool, *options], capture_output=True, text=True, timeout=60)
        checks.that(f"{options}: exit 2 and {message}: {got.returncode} {got.stderr}", got.returncode == 2 and message in got.stderr)
        checks.that(f"{options}: one message", got.stderr.count("\n") == 1)


def submit(page, text, query="", **headers):
    status, _, body = page.ask("/jobs" + query, "POST", text.encode(), **headers)
    return status, json.loads(body)


def jobs(program):
    problem = open(PROBLEM).read()
    with Served(program) as page:
        status, got = submit(page, problem, "?name=my%20tp1.yaml&priority=7")
        checks.that(f"a problem is taken: {status} {got}", status == 201 and got == {"name": "my_tp1"})
        status, got = submit(page, problem, "?name=my%20tp1.yaml")
        checks.that(f"of the same name is another: {got}", status == 201 and got["name"] == "my_tp1-2")
        status, got = submit(page, problem, "?name=s.yaml&command=sweep&vary=model.friction=5:20:4&vary=time.step=[0.1,0.05]&set=search.penalty=P")
        checks.that(f"a sweep is taken: {status} {got}", status == 201 and got["name"] == "s")
        wish = json.loads(page.ask("/jobs/s/files/job.json")[2])
        checks.that(f"as it was wished: {wish}", wish["command"] == "sweep" and wish["settings"] == ["search.penalty=P"] and len(wish["options"]) == 2)
        shutil.rmtree(os.path.join(page.spool, "incoming", "s"))
        status, headers, body = page.ask("/jobs")
        listed = {job["name"]: job for job in json.loads(body)["jobs"]}
        checks.that(f"both wait: {listed}", {name: job["state"] for name, job in listed.items()} == {"my_tp1": "waiting", "my_tp1-2": "waiting"})
        checks.that("with its priority", json.loads(page.ask("/jobs/my_tp1")[2])["priority"] == 7)
        checks.that("counted", json.loads(body)["counts"]["waiting"] == 2 and json.loads(body)["phase"] == "none")
        checks.that("nothing new: 304", page.ask("/jobs", If_None_Match=headers["ETag"])[0] == 304)
        status, headers, body = page.ask("/jobs/my_tp1/files/problem.yaml")
        checks.that("its problem can be read", status == 200 and body.decode() == problem and headers["Content-Type"].startswith("text/plain"))
        checks.that("as data that runs nothing", "sandbox" in headers["Content-Security-Policy"] and headers["X-Content-Type-Options"] == "nosniff")
        length = headers["Content-Length"]
        status, headers, body = page.ask("/jobs/my_tp1/files/problem.yaml", "HEAD")
        checks.that("HEAD is GET without a body", status == 200 and body == b"" and headers["Content-Length"] == length)
        status, _, body = page.ask("/jobs/my_tp1", "DELETE")
        checks.that(f"a wish to cancel: {status} {body}", status == 202)
        checks.that("is left in incoming/", os.path.exists(os.path.join(page.spool, "incoming", "my_tp1.cancel")))
        checks.that("of another there is none", page.ask("/jobs/nobody", "DELETE")[0] == 404)
        checks.that("what was checked is gone", page.left() and not any(os.listdir(os.path.join(page.scratch.name, "tmp", f)) for f in page.left()))


def mistakes(program):
    with Served(program) as page:
        text = open(PROBLEM).read().replace("friction: 10", "friction: ten").replace("v0: 1", "v1: 1")
        status, got = submit(page, text, "?name=wrong.yaml")
        found = {(one["file"], one["line"], one["key"]) for one in got.get("mistakes", [])}
        checks.that(f"mistakes are told with their lines: {status} {got}", status == 422 and found >= {("wrong.yaml", 8, "model.friction"), ("wrong.yaml", 11, "model.v1")})
        secret = os.path.join(page.scratch.name, "secret.mtx")
        with open(secret, "w") as file:
            file.write("the-secret\n")
        for problem in (text.replace("mass: [4, 5, 6]", f"mass: {{file: {secret}}}"), f"control: {{start: {{from: {page.scratch.name}}}}}"):
            status, got = submit(page, problem)
            checks.that(f"other files are not read: {status} {got}", status == 422 and "the-secret" not in str(got) and "confined" in str(got))
        status, got = submit(page, "model: " + "[" * 200_000)
        checks.that(f"a deep one is refused: {status} {str(got)[:200]}", status == 422)
        status, got = submit(page, open(PROBLEM).read(), "?command=identify")
        checks.that(f"what the command lacks is told: {status} {got}", status == 422 and "identify" in str(got))
        status, got = submit(page, open(PROBLEM).read(), "?command=sweep&vary=model.friction=ten,&set=time.step=0.1")
        checks.that(f"nor what is varied: {status} {got}", status == 422 and "model.friction" in str(got))
        checks.that("nothing is left in incoming/", os.listdir(os.path.join(page.spool, "incoming")) == [])
        checks.that("16 MiB are the most", page.ask("/jobs", "POST", b"#" * ((16 << 20) + 1))[0] == 413)


def methods(program):
    with Served(program) as page:
        for method, path, allow in (("PUT", "/jobs", "GET, HEAD, POST"), ("DELETE", "/jobs", "GET, HEAD, POST"), ("POST", "/status", "GET, HEAD"),
                                    ("PATCH", "/jobs/a", "GET, HEAD, DELETE"), ("TRACE", "/", "GET, HEAD")):
            status, headers, _ = page.ask(path, method)
            checks.that(f"{method} {path}: 405, {headers['Allow']}", status == 405 and headers["Allow"] == allow)
        for name, value, status in (("Host", "evil.example", 421), ("Host", "localhost:1", 200), ("Origin", "http://evil.example", 403),
                                    ("Sec-Fetch-Site", "cross-site", 403), ("Origin", page.url, 200)):
            got = page.ask("/jobs", **{name.replace("-", "_"): value})[0]
            checks.that(f"{name}: {value}: {got}", got == status)
        names = [page.ask("/" + name)[0] for name in ("", "page.css", "page.js", "icon.svg")]
        checks.that(f"the page is there: {names}", names == [200] * 4)


def rights(program):
    with Served(program) as page:
        file = os.path.join(page.scratch.name, "token")
        with open(file, "w") as token:
            token.write(TOKEN + "\n")
        os.chmod(file, 0o644)
        refused(program, "0600", "--token-file", file)
        os.chmod(file, 0o600)
        refused(program, "others can reach it", "--listen", "0.0.0.0:0")
        refused(program, "--listen expects", "--listen", "8080")
        refused(program, "No such file", "--token-file", file + ".none")
        link = os.path.join(page.scratch.name, "link")
        os.symlink(file, link)
        refused(program, "link", "--token-file", link)
        with Served(program, "--token-file", file, listen="0.0.0.0:0") as other:
            other.url = f"http://127.0.0.1:{other.port}"
            given = {"Authorization": f"Bearer {TOKEN}"}
            checks.that("with its token it shows", other.ask("/jobs", **given)[0] == 200)
            for wrong in ({}, {"Authorization": "Bearer x"}, {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": f"Bearer {TOKEN[:-1]}"},
                          {"Authorization": f"Basic {TOKEN}"}, {"Cookie": f"token={TOKEN}"}):
                status, headers, _ = other.ask("/jobs", **wrong)
                checks.that(f"{wrong}: {status}", status == 401 and headers["WWW-Authenticate"] == "Bearer")
            checks.that("the page itself tells nothing", other.ask("/")[0] == 200)
            checks.that("under this machine's name", other.ask("/jobs", Host=f"{socket.gethostname()}:{other.port}", **given)[0] == 200)
            checks.that("not under another", other.ask("/jobs", Host="evil.example", **given)[0] == 421)
    with Served(program, "--read-only") as page:
        checks.that("read-only: nothing is submitted", page.ask("/jobs", "POST", b"a: 1")[0] == 403)
        checks.that("nor cancelled", page.ask("/jobs/a", "DELETE")[0] == 403)
        checks.that("but shown", json.loads(page.ask("/jobs")[2])["read_only"] is True)
        code, said = page.end()
        checks.that(f"TERM ends it with 0: {code} {said}", code == 0 and not said and not page.left())


if __name__ == "__main__":
    for part in (jobs, mistakes, methods, rights):
        part(sys.argv[1])
    sys.exit(checks.verdict())
