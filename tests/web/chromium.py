# SPDX-License-Identifier: BSD-2-Clause
"""Headless Chromium, driven over a pipe by the DevTools protocol: nothing but Python's own library is needed."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """with Browser() as browser: browser.open(url); browser.evaluate("document.title")"""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def hand_over():  # Chromium reads descriptor 3 and writes 4
            high = [os.dup2(to_read, 100), os.dup2(to_write, 101)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-extensions", "--disable-component-update", "--disable-sync",
                 "--single-process", "--no-zygote", "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(words, preexec_fn=hand_over, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.unread, self.number, self.said, self.asked = b"", 0, [], []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self, until):
        while b"\0" not in self.unread:
            if not select.select([self.read_end], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            more = os.read(self.read_end, 1 << 16)
            if not more:
                raise RuntimeError("Chromium has ended")
            self.unread += more
        text, self.unread = self.unread.split(b"\0", 1)
        return json.loads(text)

    def _note(self, event):
        """What the console says, and what is asked for."""
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.said.append(params["exceptionDetails"].get("exception", {}).get("description", str(params)))
        elif method == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(one.get("value")) for one in params["args"]))
        elif method == "Log.entryAdded":
            self.said.append(params["entry"]["text"] + " " + params["entry"].get("url", ""))
        elif method == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])

    def _call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 60
        while True:
            answer = self._read(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def call(self, method, **params):
        return self._call(method, self.session, **params)

    def evaluate(self, text):
        """The value of an expression, of a promise when it is kept."""
        got = self.call("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"].get("exception", {}).get("description", str(got)))
        return got["result"].get("value")

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.soon("document.readyState === 'complete' && !!document.querySelector('main h1')")

    def soon(self, text, seconds=60):
        """Waits until an expression is true; what it is then."""
        until = time.monotonic() + seconds
        while True:
            value = self.evaluate(text)
            if value or time.monotonic() > until:
                return value
            time.sleep(0.05)

    def press(self, key, text="", code=0):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=text if kind == "keyDown" else "",
                      windowsVirtualKeyCode=code)

    def width(self, pixels, height=800):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=height, deviceScaleFactor=1, mobile=pixels < 600)

    def dark(self, dark):
        value = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def heard(self):
        """What a screen reader is given: the nodes of the accessibility tree, each with its role, its name, and its properties."""
        nodes = [node for node in self.call("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
        return [{"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")} |
                {one["name"]: one["value"].get("value") for one in node.get("properties", [])} for node in nodes]

    def picture(self, path):
        import base64
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
