# SPDX-License-Identifier: BSD-2-Clause
"""`stiction web` of a spool in a scratch folder, and checks that count."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PROBLEM = os.path.join(ROOT, "jobs", "problems", "tp1.yaml")
OTHER_USER = 65534
HTML = "<img src=x onerror=\"document.title='run'\"><b>bold</b> & 'quoted'"


class Checks:
    passed = failed = 0

    def that(self, message, good):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {message}", file=sys.stderr)
        return good

    def verdict(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


class Served:
    """with Served(program) as page: page.url, page.port, page.spool, page.ask("/jobs")"""

    def __init__(self, program, *options, listen="127.0.0.1:0", user=None):
        """user: only root can run the page as another user, with a copy of the program that this user can read."""
        self.program, self.options, self.listen, self.user = program, options, listen, user
        self.scratch = tempfile.TemporaryDirectory()
        if user is not None:
            self.program = shutil.copy(program, self.scratch.name)
            os.chmod(self.scratch.name, 0o755)
        self.spool = os.path.join(self.scratch.name, "spool")
        for name in ("incoming", "running", "done", "failed", "cancelled"):
            os.makedirs(os.path.join(self.spool, name))

    def __enter__(self):
        os.mkdir(os.path.join(self.scratch.name, "tmp"))
        if self.user is not None:
            os.chmod(os.path.join(self.spool, "incoming"), 0o1777)
            os.chown(os.path.join(self.scratch.name, "tmp"), self.user, self.user)
        self.said = open(os.path.join(self.scratch.name, "said"), "w+")
        self.begin()
        return self

    def begin(self):
        """Starts it, at first or once more."""
        self.process = subprocess.Popen([self.program, "web", self.spool, "--listen", self.listen, *self.options], stdout=subprocess.PIPE,
                                        stderr=self.said, text=True, user=self.user, extra_groups=None if self.user is None else [],
                                        env=os.environ | {"TMPDIR": os.path.join(self.scratch.name, "tmp")})
        self.url = re.search(r"http://\S+[^/\s]", self.process.stdout.readline())[0]
        self.port = int(self.url.rsplit(":", 1)[1])

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        self.scratch.cleanup()

    def end(self):
        """Its exit code after TERM, and all that it has said on standard error."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(30)
        self.said.seek(0)
        return code, self.said.read()

    def left(self):
        """What it has left in its folder for temporary files."""
        return os.listdir(os.path.join(self.scratch.name, "tmp"))

    def ask(self, path, method="GET", body=None, **headers):
        """Status, headers, bytes."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data=body, method=method, headers=names)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def put(self, path, text):
        """Writes a file of the spool."""
        whole = os.path.join(self.spool, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w") as file:
            file.write(text)


def soon(wanted, seconds=60):
    """Waits until wanted() is true."""
    until = time.monotonic() + seconds
    while not wanted():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def fill(page, n):
    """n jobs that have ended, one with mistakes, one with a title full of HTML."""
    for k in range(n - 1):
        title = HTML if k == 7 else f"Problem {k}"
        page.put(f"done/job{k:03}/summary.json", json.dumps({"outcome": {"J": k + 0.5, "E1": 1e-9, "reason": "tolerance"}, "problem": {"title": title},
                                                             "counts": {"rounds": k}, "seconds": {"wall": 2}}))
        page.put(f"done/job{k:03}/problem.yaml", f"title: \"{k}\"\n")
    page.put("failed/wrong/problem.yaml", "title: wrong\nmodel:\n  kind: frictional\n  <script>: 1\n")
    page.put("failed/wrong/error.txt", "wrong.yaml:3:9: model.kind: unknown\nwrong.yaml:4:3: model.<script>: unknown key\n")
