#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Hostile requests to a page on the loopback address, drawn by a seed: nothing outside the spool is read, nothing anywhere is written, and the page
goes on answering.

    usage: tests/web/hostile.py PROGRAM [REQUESTS [SEED]]      300, 1
"""

import concurrent.futures
import json
import os
import random
import socket
import sys
import time

sys.dont_write_bytecode = True
from served import Checks, Served

SECRET = "the-secret-that-must-not-leak"
REFUSED = {400, 401, 403, 404, 405, 409, 411, 413, 414, 417, 421, 422, 431, 501, 503, 505}
SILENCE = 0  # no answer: right only of what is not whole, is beyond a limit, or no HTTP
SECONDS = 5  # that an answer is waited for


def talk(port, pieces, pause, whole):
    """Sends bytes in pieces and returns all that comes back. After an incomplete request it closes its side, so that the server does not wait for more."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as s:
        got = b""
        try:
            for piece in pieces:
                s.sendall(piece)
                if pause:
                    time.sleep(pause)
            if not whole:
                s.shutdown(socket.SHUT_WR)
        except OSError:  # it has hung up, perhaps after an answer
            pass
        try:
            while part := s.recv(1 << 16):
                got += part
        except OSError:
            pass
        return got


def statuses(got):
    """Of all answers in what came back."""
    return [int(line.split()[1]) for line in got.split(b"\r\n") if line.startswith(b"HTTP/1.") and len(line.split()) > 1]


class Requests:
    """Each method draws one: its pieces, the pause between them, and which statuses are right, SILENCE among them or not."""

    def __init__(self, port, seed):
        self.host, self.draw = f"127.0.0.1:{port}".encode(), random.Random(seed)
        self.kinds = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("of_")]

    def junk(self, most, low=1):
        return bytes(self.draw.randrange(256) for _ in range(self.draw.randrange(low, most)))

    def whole(self, target=b"/jobs", method=b"GET", body=b"", host=None, more=b"Connection: close\r\n", length=True):
        size = b"Content-Length: %d\r\n" % len(body) if body and length else b""
        return method + b" " + target + b" HTTP/1.1\r\nHost: " + (host or self.host) + b"\r\n" + more + size + b"\r\n" + body

    def of_traversal(self):
        ups = self.draw.choice([b"../", b"..%2f", b"%2e%2e/", b"..%5c", b"..\\", b"%252e%252e%252f", b"..%c0%af", b"....//", b"..;/"])
        start = self.draw.choice([b"/", b"/jobs/", b"/jobs/evil/", b"/jobs/evil/files/", b"/jobs/evil/files/figures/", b"//", b"/jobs//"])
        end = self.draw.choice([b"secret.txt", b"etc/passwd", b"status.json", b"spool/status.json", b"%00.css", b"lock"])
        return [self.whole(start + ups * self.draw.randrange(1, 9) + end)], 0, REFUSED

    def of_links(self):
        name = self.draw.choice([b"summary.json", b"trajectory.csv", b"figures/positions.svg", b"error.txt", b"problem.yaml", b"report.html"])
        where = self.draw.choice([b"/jobs/evil/files/" + name, b"/jobs/linked/files/" + name, b"/jobs/twice/files/" + name, b"/jobs/linked/search",
                                  b"/jobs/evil/search", b"/jobs/twice/search"])
        return [self.whole(where)], 0, REFUSED

    def of_second_names(self):
        return [self.whole(self.draw.choice([b"/jobs", b"/jobs/twice", b"/jobs/wrong"]))], 0, {200}

    def of_reports(self):
        method = self.draw.choice([b"GET", b"HEAD", b"HEAD", b"DELETE"])
        where = self.draw.choice([b"/jobs/evil/files/report.html", b"/jobs/hollow/files/report.html", b"/jobs/waits/files/report.html", b"/jobs/linked/files/report.html"])
        return [self.whole(where, method)], 0, REFUSED | ({200} if b"hollow" in where and method == b"HEAD" else set())

    def of_secret_problem(self):
        text = self.draw.choice([b"model: {mass: {file: ../secret.txt}}", b"model: {mass: {file: /etc/passwd}}", b"control: {start: {from: /tmp}}",
                                 b"evaluator: {program: /bin/sh}", b"a: &a [*a]", b"[" * 5000, b"model: {kind: friction", b"\xef\xbb\xbf", b"{}"])
        if self.draw.random() < 0.9:  # each is read by a process of its own
            return self.of_no_text()
        return [self.whole(b"/jobs?name=x", b"POST", text)], 0, REFUSED

    def of_no_text(self):
        body = self.draw.choice([b"\xff\xfe", b"a: \x00", b"\xc0\xaf", b"\xed\xa0\x80", b"a: \x1b[2J", b"\xf5\x80\x80\x80"])
        return [self.whole(b"/jobs", b"POST", body)], 0, REFUSED

    def of_large_headers(self):
        size = self.draw.choice([20_000, 40_000, 200_000])
        more = self.draw.choice([b"X: " + b"a" * size + b"\r\n", b"X: 1\r\n" * (size // 6), b"a" * size + b": 1\r\n", b"Cookie: " + b"a=b; " * (size // 5)])
        return [self.whole(more=more)], 0, REFUSED | {200, SILENCE}

    def of_queries(self):
        query = self.draw.choice([b"&".join(b"a%d=1" % k for k in range(100_000)), b"&" * 10_000, b"name=%ff", b"name=a&name=b", b"name=%00", b"priority=1e9",
                                  b"priority=99999999999999999999", b"command=rm", b"command=%0a", b"name", b"=", b"name=" + b"a" * 5000, b"%", b"name=%zz",
                                  b"name=a%2fb", b"priority=1", b"name=a&priority=100", b"&".join([b"set=a=1"] * 17), b"set=", b"vary=%0a=1"])
        target = self.draw.choice([b"/jobs", b"/jobs/evil/search", b"/status"])
        large = SILENCE if query.count(b"&") > 1000 else 400  # each takes some of the memory of headers
        return [self.whole(target + b"?" + query, self.draw.choice([b"GET", b"POST"]), b"a: 1")], 0, REFUSED | {large}

    def of_methods(self):
        method = self.draw.choice([b"TRACE", b"PUT", b"PATCH", b"OPTIONS", b"CONNECT", b"PROPFIND", b"get", b"G" * 3000, b"POST", b"DELETE"])
        target = b"/status" if method in (b"POST", b"DELETE") else self.draw.choice([b"/jobs", b"*", b"/", b"/jobs/evil"])
        return [self.whole(target, method, more=b"X-Secret: yes\r\nConnection: close\r\n")], 0, REFUSED

    def of_cancelling(self):
        name = self.draw.choice([b"absent", b"evil.cancel", b"..", b".", b".hidden", b"-rf", b"a" * 4000, b"evil/files/summary.json", b"\xff"])
        return [self.whole(b"/jobs/" + name, b"DELETE")], 0, REFUSED

    def of_hosts(self):
        host = self.draw.choice([b"evil.example", b"evil.example:80", b"127.0.0.1.evil.example", b"localhost.evil.example", b"[::1", b"8.8.8.8", b"",
                                 b"127.0.0.1@evil.example", b"127.0.0.1:80:80", b"0x7f.1", b"2130706433"])
        return [self.whole(host=host or b" ", target=self.draw.choice([b"/jobs", b"/"]))], 0, REFUSED

    def of_origins(self):
        more = self.draw.choice([b"Origin: http://evil.example", b"Origin: null", b"Origin: http://127.0.0.1:1", b"Origin: https://localhost",
                                 b"Sec-Fetch-Site: cross-site", b"Sec-Fetch-Site: same-site", b"Origin: " + self.host, b"Sec-Fetch-Site: none",
                                 b"Origin: file://" + self.host, b"Host: evil.example"]) + b"\r\n"
        method, target = self.draw.choice([(b"POST", b"/jobs"), (b"DELETE", b"/jobs/waits")])
        return [self.whole(target, method, b"a: 1", more=more + b"Connection: close\r\n")], 0, REFUSED

    def of_lengths(self):
        more = self.draw.choice([b"Content-Length: -1", b"Content-Length: 99999999999999999999", b"Content-Length: 17000000", b"Content-Length: 0x10",
                                 b"Content-Length: 4\r\nContent-Length: 5", b"Content-Length: 4\r\nTransfer-Encoding: chunked", b"Content-Length: 1000",
                                 b"Content-Length: ", b"Content-Length: +4", b"Expect: 100-continue\r\nContent-Length: 20000000"]) + b"\r\n"
        return [self.whole(b"/jobs?command=none", b"POST", b"a: 1", more=more, length=False)], 0, REFUSED | {100, SILENCE}

    def of_chunks(self):
        chunks = self.draw.choice([b"zz\r\nabc", b"ffffffffffffffffff\r\na", b"-1\r\na\r\n", b"4\r\na: 1XX0\r\n\r\n", b"1;" + b"a" * 9000 + b"\r\na\r\n",
                                   b"5\r\na", b"0\r\nX: " + b"a" * 50_000, b"\r\n\r\n", self.junk(200)])
        return [self.whole(b"/jobs", b"POST", more=b"Transfer-Encoding: chunked\r\n") + chunks], 0, REFUSED | {SILENCE}

    def of_slow(self):
        if self.draw.random() < 0.8:  # each takes a second
            return self.of_pipelines()
        return [bytes([c]) for c in self.whole(b"/jobs", b"POST", b"\xff" * 40)], 0.01, REFUSED

    def of_pipelines(self):
        one = self.draw.choice([self.whole(more=b""), self.whole(b"/status", more=b""), self.whole(b"/../x", more=b""), self.whole(b"/", b"HEAD", more=b"")])
        return [one * self.draw.randrange(2, 40) + self.whole() + self.junk(50)], 0, REFUSED | {200}

    def of_zeros(self):
        text = bytearray(self.whole(self.draw.choice([b"/jobs", b"/jobs/evil", b"/page.css"])))
        for _ in range(self.draw.randrange(1, 4)):
            text[self.draw.randrange(len(text))] = 0
        return [bytes(text)], 0, REFUSED | {200, SILENCE}

    def of_flips(self):
        text = bytearray(self.whole(b"/jobs/evil/files/summary.json?x=1", self.draw.choice([b"GET", b"DELETE"]), more=b"Origin: http://" + self.host + b"\r\n"))
        for _ in range(self.draw.randrange(1, 9)):
            text[self.draw.randrange(len(text))] = self.draw.randrange(256)
        return [bytes(text)], 0, REFUSED | {200, SILENCE}

    def of_noise(self):
        return [self.junk(3000)], 0, REFUSED | {200, SILENCE}

    def of_versions(self):
        version = self.draw.choice([b"HTTP/0.9", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9", b"", b"FTP/1.1", b"HTTP/1.1 extra"])
        return [b"GET /jobs " + version + b"\r\n\r\n"], 0, REFUSED | {SILENCE}

    def of_header_forms(self):
        more = self.draw.choice([b" folded: 1\r\n", b"no colon\r\n", b": nothing\r\n", b"A\x00B: 1\r\n", b"A: \xff\xfe\r\n", b"If-None-Match: *\r\n",
                                 b"Range: bytes=0-99999999999\r\n", b"Authorization: Bearer " + self.junk(300).replace(b"\n", b"") + b"\r\n",
                                 b"Connection: " + b"close, " * 900 + b"\r\n", b"Upgrade: websocket\r\nConnection: Upgrade\r\n"])
        return [self.whole(more=more + b"Connection: close\r\n")], 0, REFUSED | {200}


def prepare(page):
    """Jobs with links put in place of results by their owner, and a waiting job."""
    secret = os.path.join(page.scratch.name, "secret.txt")
    aside = os.path.join(page.scratch.name, "aside")
    os.mkdir(aside)
    for path in (secret, os.path.join(aside, "positions.svg"), os.path.join(aside, "problem.yaml"), os.path.join(aside, "search.csv")):
        with open(path, "w") as file:
            file.write(SECRET)
    page.put("done/evil/other", "")
    evil = os.path.join(page.spool, "done", "evil")
    os.symlink(secret, os.path.join(evil, "summary.json"))
    os.symlink(os.path.join(aside, "search.csv"), os.path.join(evil, "search.csv"))
    os.symlink(secret, os.path.join(evil, "problem.yaml"))
    os.link(secret, os.path.join(evil, "trajectory.csv"))
    os.symlink(aside, os.path.join(evil, "figures"))
    files = {"done/twice/summary.json": json.dumps({"problem": {"title": SECRET}}), "done/twice/search.csv": "round\n1,2,3,4,5,6,7,8\n2,2,3,4,5,6,7,8\n",
             "done/twice/checkpoint/run.json": json.dumps({"command": SECRET}), "failed/wrong/error.txt": SECRET}
    for k, (path, text) in enumerate(files.items()):
        page.put(path, text)
        os.link(os.path.join(page.spool, path), os.path.join(aside, f"second{k}"))
    page.put("done/hollow/summary.json", "[" * 5000)
    os.mkfifo(os.path.join(evil, "error.txt"))
    os.symlink(aside, os.path.join(page.spool, "done", "linked"))
    page.put("incoming/waits.yaml", "a: 1")


def tree(folder):
    """Names, sizes and times of all that is there, but for temporary files and what the page says."""
    seen = {}
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if os.path.join(where, name) != os.path.join(folder, "tmp")]
        for name in names + folders:
            info = os.lstat(os.path.join(where, name))
            seen[os.path.join(where, name)] = (info.st_size, info.st_mtime_ns, info.st_mode)
    seen.pop(os.path.join(folder, "said"), None)
    return seen


def idle(page, checks):
    """Connections that say nothing, or a little: others are answered all the same."""
    lazy = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(150)]
    for s in lazy[:30]:
        s.sendall(b"GET /jobs HTTP/1.1\r\nHost: ")
    start = time.monotonic()
    checks.that("while 150 connections are idle, more than there may be, it answers", page.ask("/jobs")[0] == 200 and time.monotonic() - start < 12)
    for s in lazy:
        s.close()


def main(program, requests=300, seed=1):
    checks = Checks()
    with Served(program) as page:
        prepare(page)
        before, draw = tree(page.scratch.name), Requests(page.port, int(seed))

        kinds = [draw.kinds[number % len(draw.kinds)] for number in range(int(requests))]
        drawn = ((kind.__name__, *kind()) for kind in kinds)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for kind, pieces, right, got in pool.map(lambda d: (d[0], d[1], d[3], talk(page.port, d[1], d[2], SILENCE not in d[3])), drawn):
                text = b"".join(pieces)[:200]
                found = statuses(got) or [SILENCE]
                checks.that(f"{kind} {text!r}: {found}", all(status in right for status in found))
                checks.that(f"{kind} {text!r}: keeps the secret", SECRET.encode() not in got and b"root:" not in got)
        idle(page, checks)
        checks.that("it lives", page.process.poll() is None)
        status, headers, _ = page.ask("/")
        checks.that("it answers", status == 200 and "script-src 'self'" in headers["Content-Security-Policy"])
        after = tree(page.scratch.name)
        checks.that(f"nothing is written: {set(after.items()) ^ set(before.items())}", after == before)
        code, said = page.end()
        checks.that(f"it ends with {code}, saying {said}", code == 0 and not said)
        checks.that("it leaves nothing behind", not page.left())
    return checks.verdict()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
