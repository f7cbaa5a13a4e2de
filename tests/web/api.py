#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The page as programs use it: JSON over HTTP, which clients are admitted, which requests are refused.

    usage: tests/web/api.py PROGRAM
"""

import concurrent.futures
import http.client
import json
import os
import pwd
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from served import OTHER_USER, PROBLEM, ROOT, Checks, Served, fill, soon

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
        status, got = submit(page, problem, "?name=my%20tp1.yaml&priority=-7")
        checks.that(f"a problem is taken: {status} {got}", status == 201 and got == {"name": "my_tp1"})
        status, got = submit(page, problem, "?name=my%20tp1.yaml")
        checks.that(f"of the same name is another: {got}", status == 201 and got["name"] == "my_tp1-2")
        status, got = submit(page, problem, "?name=s.yaml&command=sweep&vary=model.friction=5:20:4&vary=time.step=[0.1,0.05]&set=search.penalty=P")
        checks.that(f"a sweep is taken: {status} {got}", status == 201 and got["name"] == "s")
        job = json.loads(page.ask("/jobs/s/files/job.json")[2])
        checks.that(f"with the requested command and settings: {job}", job["command"] == "sweep" and job["settings"] == ["search.penalty=P"] and len(job["options"]) == 2)
        shutil.rmtree(os.path.join(page.spool, "incoming", "s"))
        status, headers, body = page.ask("/jobs")
        listed = {job["name"]: job for job in json.loads(body)["jobs"]}
        checks.that(f"both wait: {listed}", {name: job["state"] for name, job in listed.items()} == {"my_tp1": "waiting", "my_tp1-2": "waiting"})
        checks.that("with its priority", json.loads(page.ask("/jobs/my_tp1")[2])["priority"] == -7)
        shown = page.ask("/jobs/my_tp1")[2].decode()
        checks.that(f"and the service: {shown}", '"phase":"none"' in shown and '"read_only":false' in shown)
        status, got = submit(page, problem, "?priority=1")
        checks.that(f"a priority above 0 needs a token: {status} {got}", status == 403 and "--token-file" in got["error"])
        checks.that("and /status says so", json.loads(page.ask("/status")[2])["priority_max"] == 0)
        checks.that("counted", json.loads(body)["counts"]["waiting"] == 2 and json.loads(body)["phase"] == "none")
        few = json.loads(page.ask("/jobs?most=1")[2])
        checks.that("at most so many", [job["name"] for job in few["jobs"]] == ["my_tp1"] and few["counts"]["waiting"] == 2)
        checks.that("no more than a thousand", [page.ask(f"/jobs?most={most}")[0] for most in ("0", "1001", "-1", "x")] == [200, 400, 400, 400])
        checks.that("nothing new: 304", page.ask("/jobs", If_None_Match=headers["ETag"])[0] == 304)
        status, headers, body = page.ask("/jobs/my_tp1/files/problem.yaml")
        checks.that("its problem can be read", status == 200 and body.decode() == problem and headers["Content-Type"].startswith("text/plain"))
        checks.that("as data that runs nothing", "sandbox" in headers["Content-Security-Policy"] and headers["X-Content-Type-Options"] == "nosniff")
        length = headers["Content-Length"]
        status, headers, body = page.ask("/jobs/my_tp1/files/problem.yaml", "HEAD")
        checks.that("HEAD is GET without a body", status == 200 and body == b"" and headers["Content-Length"] == length)
        status, _, body = page.ask("/jobs/my_tp1", "DELETE")
        checks.that(f"a request to cancel: {status} {body}", status == 202)
        checks.that("is left in incoming/", os.path.exists(os.path.join(page.spool, "incoming", "my_tp1.cancel")))
        checks.that("an unknown job cannot be cancelled", page.ask("/jobs/absent", "DELETE")[0] == 404)
        checks.that("what was checked is gone", page.left() and not any(os.listdir(os.path.join(page.scratch.name, "tmp", f)) for f in page.left()))


def twins(program):
    """Two jobs of one name, of which one waits."""
    with Served(program) as page:
        page.put("done/tp1/problem.yaml", "title: old\n")
        page.put("done/tp1/search.csv", "round,evaluations,best,J,E1,E2,edge,seconds\n1,9,1,1,1,1,1,1\n2,18,1,1,1,1,1,1\n")
        page.put("incoming/tp1.yaml", "title: new\n")
        states = [[job["state"] for job in json.loads(page.ask("/jobs")[2])["jobs"]], *(json.loads(page.ask(f"/jobs/tp1{query}")[2])["state"] for query in ("", "?from=running"))]
        checks.that(f"both are listed, and each found: {states}", states == [["waiting", "done"], "waiting", "done"])
        for query, title, names in (("", "new", ["problem.yaml"]), ("?from=done", "old", ["problem.yaml", "search.csv"])):
            got = [page.ask(f"/jobs/tp1{rest}{query}") for rest in ("/files/problem.yaml", "/files", "/search")]
            checks.that(f"with its files {query}: {got}", title in got[0][2].decode() and [one["name"] for one in json.loads(got[1][2])["files"]] == names)
            checks.that(f"and its search {query}", got[2][0] == (200 if "search.csv" in names else 404))
        checks.that("none from there on: 404; no state: 400", [page.ask(f"/jobs/tp1?from={state}")[0] for state in ("failed", "x")] == [404, 400])
        checks.that("not of the list", page.ask("/jobs?from=done")[0] == 400)
        status, _, body = page.ask("/jobs/tp1?from=running", "DELETE")
        checks.that(f"what has ended cannot be cancelled: {status} {body}", status == 409 and b"ended already: done" in body)
        os.mkdir(os.path.join(page.spool, "running", "tp1"))
        status, _, body = page.ask("/jobs/tp1", "DELETE")
        checks.that(f"nor one that waits, while the service would take another: {status} {body}", status == 409 and b"another job of this name" in body)
        checks.that("that one can", page.ask("/jobs/tp1?from=running", "DELETE")[0] == 202)


def cancelling(program):
    """A page run by another user than the job's and the service's: it reports at once that the service would refuse a cancel request."""
    if os.geteuid() != 0:
        return
    with Served(program, user=OTHER_USER) as page:
        page.put("incoming/theirs.yaml", "a: 1\n")
        page.put("incoming/own.yaml", "a: 1\n")
        page.put("incoming/both/problem.yaml", "a: 1\n")
        page.put("incoming/both.yaml", "a: 1\n")
        for name in ("own.yaml", "both.yaml"):
            os.chown(os.path.join(page.spool, "incoming", name), OTHER_USER, OTHER_USER)
        for name in ("busy", "mine", "unknown"):
            os.mkdir(os.path.join(page.spool, "running", name), 0o700)
        running = [{"name": "busy", "submitter": "root"}, {"name": "mine", "submitter": pwd.getpwuid(OTHER_USER).pw_name}]
        page.put("status.json", json.dumps({"phase": "serving", "updated": int(time.time()), "running": running, "stuck": {}}))
        got = {name: page.ask(f"/jobs/{name}", "DELETE")[::2] for name in ("theirs", "busy", "own", "both", "mine", "unknown")}
        checks.that(f"403 where it is another's: {got}", {name: status for name, (status, _) in got.items()} ==
                    {"theirs": 403, "busy": 403, "own": 202, "both": 202, "mine": 202, "unknown": 202})
        checks.that("with the reason", all(b"another user" in got[name][1] for name in ("theirs", "busy")))
        requests = sorted(name for name in os.listdir(os.path.join(page.spool, "incoming")) if name.endswith(".cancel"))
        checks.that(f"and no refused request is left: {requests}", requests == ["both.cancel", "mine.cancel", "own.cancel", "unknown.cancel"])


def mistakes(program):
    with Served(program) as page:
        text = open(PROBLEM).read().replace("friction: 10", "friction: ten").replace("v0: 1", "v1: 1")
        status, got = submit(page, text, "?name=wrong.yaml")
        found = {(one["file"], one["line"], one["key"]) for one in got.get("mistakes", [])}
        checks.that(f"mistakes are reported with their lines: {status} {got}", status == 422 and found >= {("wrong.yaml", 8, "model.friction"), ("wrong.yaml", 11, "model.v1")})
        secret = os.path.join(page.scratch.name, "secret.mtx")
        with open(secret, "w") as file:
            file.write("the-secret\n")
        for problem in (text.replace("mass: [4, 5, 6]", f"mass: {{file: {secret}}}"), f"control: {{start: {{from: {page.scratch.name}}}}}"):
            status, got = submit(page, problem)
            checks.that(f"other files are not read: {status} {got}", status == 422 and "the-secret" not in str(got) and "confined" in str(got))
        status, got = submit(page, "model: " + "[" * 200_000)
        checks.that(f"a deep one is refused: {status} {str(got)[:200]}", status == 422)
        status, got = submit(page, open(PROBLEM).read(), "?command=identify")
        checks.that(f"what the command lacks is reported: {status} {got}", status == 422 and "identify" in str(got))
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
        for text, message in ((b"short\n", ":1:1: token: it is too short"), (b"x" * 300, ":1:1: token: it is too long"), (b"open sesame open sesame\n", ":1:5: token: a blank"),
                              ("Schl\u00fcssel-\u043a\u043b\u044e\u0447-of-mine\n".encode(), ":1:5: token: a byte beyond ASCII"),
                              (b"open-sesame-open-sesame\r\n", ":1:24: token: a control character"), (b"open-sesame-\0open-sesame\n", ":1:13: token: a control character"),
                              (b"open-sesame-open-sesame\nopen\n", ":2:1: token: a second line"), (b"", ":1:1: token: it is too short")):
            other = os.path.join(page.scratch.name, "other")
            with open(os.open(other, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as token:
                token.write(text)
            refused(program, other + message, "--token-file", other)
        for name in ("", "a/b", "node17:8080", "evil example", "[::1]", "n" * 300):
            refused(program, "--host expects a name", "--host", name)
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
            for sent, right in ((f"{TOKEN}\0x", b"200"), (f"{TOKEN[:-1]}\0{TOKEN[-1]}", b"401"), ("\0" + TOKEN, b"401")):
                with socket.create_connection(("127.0.0.1", other.port)) as s:  # libmicrohttpd ends a header at its first zero
                    s.sendall(f"GET /jobs HTTP/1.1\r\nHost: 127.0.0.1:{other.port}\r\nAuthorization: Bearer {sent}\r\n\r\n".encode())
                    checks.that(f"{sent!r} is answered with {right}", s.recv(12)[9:] == right)
            checks.that("the page itself is open, without data", other.ask("/")[0] == 200)
            checks.that("under this machine's name", other.ask("/jobs", Host=f"{socket.gethostname()}:{other.port}", **given)[0] == 200)
            for host in ("evil.example", f"{socket.gethostname()}.evil.example", f"{socket.gethostname()}.localdomain"):
                checks.that(f"not under {host}", other.ask("/jobs", Host=host, **given)[0] == 421)
            status, _, body = other.ask("/jobs?name=first.yaml&priority=7", "POST", open(PROBLEM, "rb").read(), **given)
            checks.that(f"a priority is taken: {status} {body}", status == 201 and json.loads(other.ask("/jobs/first", **given)[2])["priority"] == 7)
    with Served(program, "--host", "Jobs.example.org") as page:
        for host, right in (("jobs.example.org", 200), ("jobs.example.org:443", 200), ("127.0.0.1", 200), ("example.org", 421), ("a.jobs.example.org", 421), ("jobs.example.org.", 421)):
            checks.that(f"--host: {host}", page.ask("/jobs", Host=host)[0] == right)
        checks.that("--host: its own Origin", page.ask("/jobs/a", "DELETE", Host="jobs.example.org", Origin="https://jobs.example.org")[0] == 404)
        checks.that("--host: no other", page.ask("/jobs/a", "DELETE", Host="jobs.example.org", Origin="https://example.org")[0] == 403)
    with Served(program, "--read-only") as page:
        checks.that("read-only: nothing is submitted", page.ask("/jobs", "POST", b"a: 1")[0] == 403)
        checks.that("nor cancelled", page.ask("/jobs/a", "DELETE")[0] == 403)
        checks.that("but shown", json.loads(page.ask("/jobs")[2])["read_only"] is True)
        code, said = page.end()
        checks.that(f"TERM ends it with 0: {code} {said}", code == 0 and not said and not page.left())


def counting(folder):
    """A gnuplot that notes each call, and how nice it is, in the file that is returned."""
    os.mkdir(folder)
    calls = os.path.join(folder, "calls")
    with open(os.open(os.path.join(folder, "gnuplot"), os.O_WRONLY | os.O_CREAT, 0o755), "w") as file:
        file.write(f'#!/bin/sh\nnice >>{calls}\nexec {shutil.which("gnuplot")} "$@"\n')
    open(calls, "w").close()
    return calls


def reports(program):
    """Each is drawn once."""
    if not shutil.which("gnuplot"):
        return
    with tempfile.TemporaryDirectory() as folder:
        calls = counting(os.path.join(folder, "bin"))
        path, os.environ["PATH"] = os.environ["PATH"], os.path.join(folder, "bin") + ":" + os.environ["PATH"]
        drawn = lambda: open(calls).read().split()
        with Served(program) as page:
            os.environ["PATH"] = path
            done = os.path.join(page.spool, "done", "one")
            subprocess.run([program, "simulate", PROBLEM, "-o", done, "--quiet"], check=True)
            shutil.copytree(done, os.path.join(page.spool, "running", "going"))
            page.put("done/no/summary.json", "{}")
            report = lambda name, method="GET": page.ask(f"/jobs/{name}/files/report.html", method)
            status, headers, body = report("one", "HEAD")
            checks.that(f"HEAD draws nothing: {status} {headers['Content-Length']}", status == 200 and not headers["Content-Length"] and not drawn())
            checks.that("nor is what runs drawn", report("going")[0] == 404 and not drawn())
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                got = sorted(answer[0] for answer in pool.map(lambda _: report("one"), range(4)))
            checks.that(f"of four at once one is drawn: {got}", got[0] == 200 and set(got) <= {200, 503})
            once = drawn()
            checks.that(f"by one that yields to the search: {once}", once and set(once) == {"10"})
            status, headers, body = report("one")
            checks.that("the next viewer has the same", status == 200 and b"<svg" in body and drawn() == once)
            checks.that("and HEAD", report("one", "HEAD")[1]["Content-Length"] == str(len(body)) and drawn() == once)
            checks.that("none is kept where others could find it", [os.listdir(os.path.join(page.scratch.name, "tmp", f)) for f in page.left()] == [[]])
            page.put("done/one/figures/extra.txt", "")
            checks.that("of other results it is drawn anew", report("one")[2] == body and len(drawn()) == 2 * len(once))
            checks.that("a run that cannot be drawn is 404", [report("no")[0] for _ in range(2)] == [404, 404])
            os.rename(done, os.path.join(page.spool, "done", "other"))
            checks.that("nor is another's shown", report("other")[2].startswith(b"<!") and len(drawn()) == 3 * len(once))
            swept = os.path.join(page.spool, "done", "swept")
            subprocess.run([program, "sweep", PROBLEM, "--vary", "model.friction=5:20:3", "-o", swept, "--quiet",
                            "--set", "search.max_simplexes=1"], check=False)
            status, headers, body = report("swept")
            checks.that(f"a sweep has one, with its command and its problem: {status}",
                        status == 200 and b"<svg" in body and b"model.friction=5:20:3" in body and b"first values of the varied" in body)
            code, said = page.end()
            checks.that(f"it ends, saying {said}", code == 0 and not said and not page.left())


def work_in(folder):
    """The processes that work in there, which end a little after the page that has begun them."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{process}/cwd").startswith(folder + "/"):
                found.append(process)
        except OSError:
            pass  # it has ended, or is another's
    return found


def killed(program):
    """kill -9 at random instants under requests: the next one clears what is left, and what was taken is there, once."""
    problem, draw = open(PROBLEM, "rb").read(), random.Random(1)
    with Served(program) as page:
        subprocess.run([program, "simulate", PROBLEM, "-o", os.path.join(page.spool, "done", "one"), "--quiet"], check=True)
        tmp, taken, sent = os.path.join(page.scratch.name, "tmp"), [], 0
        others = os.path.join(tmp, "stiction-web-others")
        os.symlink("/", others)
        os.mkdir(os.path.join(tmp, "stiction-webbed"))

        def ask(k):
            try:
                if k % 4 == 3:
                    page.ask("/jobs/one/files/report.html")
                else:
                    taken.append(json.loads(page.ask(f"/jobs?name=job{k}.yaml", "POST", problem)[2])["name"])
            except (OSError, http.client.HTTPException, KeyError):
                pass  # killed meanwhile, or busy

        with Served(program) as beside, concurrent.futures.ThreadPoolExecutor(4) as pool:
            for turn in range(6):
                asked = [pool.submit(ask, sent + k) for k in range(4)]
                sent += 4
                time.sleep(draw.uniform(0, 0.4))
                page.process.kill()
                page.process.wait()
                for one in asked:
                    one.result()
                checks.that(f"turn {turn}: what it has begun ends with it", soon(lambda: not work_in(page.scratch.name)))
                page.begin()
                left = sorted(set(page.left()) - {"stiction-web-others", "stiction-webbed"})
                inside = os.listdir(os.path.join(tmp, left[0]))
                checks.that(f"turn {turn}: nothing is left: {left} {inside}", len(left) == 1 and not inside)
            checks.that("another's folder stays", beside.ask("/jobs")[0] == 200 and len(beside.left()) == 1)
        checks.that("a link is not followed, nor taken away", os.path.islink(others) and os.path.isdir(os.path.join(tmp, "stiction-webbed")))
        ask(0)
        there = [name for name in os.listdir(os.path.join(page.spool, "incoming")) if not name.startswith(".")]
        checks.that(f"what was taken is there once: {taken} {there}", taken and {name + ".yaml" for name in taken} <= set(there) and len(there) <= sent + 1)
        os.unlink(others)
        os.rmdir(os.path.join(tmp, "stiction-webbed"))


def tunnel(program):
    """jobs/slurm.sh prints the tunnel's command when the page answers, and otherwise the reason."""
    script = f'clone={ROOT} launch= && . {ROOT}/jobs/slurm.sh && program={os.path.realpath(program)} && show_page spool "$1" && echo "trap: $(trap -p EXIT)"'
    with Served(program) as page, tempfile.TemporaryDirectory() as folder:
        show = lambda port: subprocess.run(["bash", "-c", script, "show", str(port)], cwd=folder, capture_output=True, text=True, timeout=60)
        got = show(page.port)
        checks.that(f"a port that is taken: no tunnel: {got.stdout}", "ssh -L" not in got.stdout and "there is no page" in got.stdout + got.stderr)
        checks.that(f"and why: {got.stderr}", "Address already in use" in got.stderr and got.returncode == 0)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        got = show(port)
        checks.that(f"else the tunnel: {got.stdout} {got.stderr}", f"ssh -L {port}:127.0.0.1:{port} " in got.stdout and not got.stderr)
        checks.that("the page ends with the job", soon(lambda: socket.socket().connect_ex(("127.0.0.1", port)) != 0))


def shown(program):
    """The lines with curl that the READMEs show, as they stand there."""
    with Served(program) as page:
        fill(page, 2)
        page.put("running/tp1/summary.json", json.dumps({"outcome": {"J": 468.067}}))
        page.put("status.json", json.dumps({"phase": "serving", "updated": int(time.time()), "running": [{"name": "tp1", "J": 468.067}]}))
        shutil.copy(PROBLEM, os.path.join(page.scratch.name, "tp1.yaml"))
        page.put("../token", TOKEN)
        n = 0
        for name in ("jobs/README.md", "src/web/README.md"):
            with open(os.path.join(ROOT, name)) as file:
                lines = [line for line in file.read().split("\n") if line.startswith("curl ")]
            n += len(lines)
            for line in lines:
                script = f'curl() {{ command curl "${{@//*(localhost|node17):8080/127.0.0.1:{page.port}}}"; }}; shopt -s extglob; ' + line
                got = subprocess.run(["bash", "-o", "pipefail", "-c", script], cwd=page.scratch.name, capture_output=True, text=True, timeout=60)
                checks.that(f"{name}: {line}: {got}", got.returncode == 0 and got.stdout.strip() not in ("", "null") and not got.stdout.startswith('{"error"'))
        checks.that(f"{n} lines with curl are run", n >= 6)


if __name__ == "__main__":
    for part in (jobs, twins, cancelling, mistakes, methods, rights, reports, killed, tunnel, shown):
        part(sys.argv[1])
    sys.exit(checks.verdict())
