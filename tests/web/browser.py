#!/usr/bin/env python3
"""The page in headless Chromium: submit, watch to the end, cancel, mistakes at their lines, 200 jobs, a title full of HTML, a token, a phone, a keyboard.
Skipped (77) where Chromium is not installed (jobs/setup.sh --with-browser).

    usage: tests/web/browser.py PROGRAM      with slow_evaluations.c: searches last seconds, asleep
"""

import json
import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from served import HTML, PROBLEM, ROOT, Checks, Served, fill, soon

if not shutil.which("chromium"):
    print("skipped: chromium is not installed (jobs/setup.sh --with-browser)")
    sys.exit(77)
from chromium import Browser

checks = Checks()


def quiet(browser, page, what):
    said = [text for text in browser.said if "report.html" not in text]  # of results that are none
    checks.that(f"{what}: the console says nothing: {said}", not said)
    others = [url for url in browser.asked if not url.startswith((page.url, "blob:" + page.url, "about:", "data:"))]
    checks.that(f"{what}: nobody else is asked: {others}", not others)
    browser.asked.clear()


def narrow(browser, what):
    """At a phone's width and at a desk's nothing makes the page scroll sideways."""
    for width in (360, 1280):
        browser.width(width)
        over = browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        checks.that(f"{what}: {over} pixels too wide at {width}", over == 0)


def listed(browser, program):
    with Served(program) as page:
        fill(page, 200)
        browser.open(page.url)
        checks.that("200 jobs are listed", browser.soon("document.querySelectorAll('tbody tr').length === 200"))
        narrow(browser, "the list")
        row = "[...document.querySelectorAll('tbody tr')].find(row => row.textContent.includes('job007'))"
        checks.that("HTML in a title is text", browser.evaluate(f"{row}.querySelector('.title').textContent") == HTML)
        checks.that("and runs not", browser.evaluate("document.title") == "stiction" and browser.evaluate(f"{row}.querySelectorAll('img, b').length") == 0)
        browser.evaluate("""window.changes = 0; window.first = document.querySelector('tbody tr');
          new MutationObserver(list => changes += list.length).observe(document.querySelector('tbody'), {subtree: true, childList: true, characterData: true, attributes: true})""")
        page.put("done/job900/summary.json", "{}")
        checks.that("a new job appears", browser.soon("document.querySelectorAll('tbody tr').length === 201"))
        checks.that("and only it is drawn", browser.evaluate("changes < 20 && first.isConnected"))
        browser.evaluate("const f = document.getElementById('filter'); f.focus(); f.value = 'job01'; f.dispatchEvent(new Event('input'))")
        shown = browser.evaluate("[...document.querySelectorAll('tbody tr')].filter(row => !row.hidden).length")
        checks.that(f"the filter leaves ten: {shown}", shown == 10)
        for key, code in (("Tab", 9), ("Tab", 9)):
            browser.press(key, code=code)
        checks.that("Tab leads to the first of them", (browser.evaluate("document.activeElement.textContent") or "").startswith("job01"))
        checks.that("which is seen", browser.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid")
        browser.press("Enter", "\r", 13)
        checks.that("Enter opens it", browser.soon("location.hash.startsWith('#/jobs/job01') && document.querySelector('h1').textContent.startsWith('job01')"))
        browser.evaluate("location.hash = '#/jobs/wrong'")
        checks.that("mistakes stand at their lines", browser.soon("document.querySelectorAll('.wrong').length === 2"))
        line = browser.evaluate("[...document.querySelectorAll('.wrong')].map(line => line.textContent)")
        checks.that(f"of their file: {line}", line[0].startswith("3  kind: frictional9: model.kind: unknown") and line[1].startswith("4  <script>: 1"))
        narrow(browser, "a job")
        quiet(browser, page, "the list")


def login(browser, program):
    with Served(program) as keeper:
        file = os.path.join(keeper.scratch.name, "token")
        with open(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "w") as token:
            token.write("open-sesame-open-sesame\n")
        with Served(program, "--token-file", file) as page:
            fill(page, 2)
            browser.open(page.url)
            checks.that("a token is asked for", browser.soon("document.getElementById('login').open"))
            checks.that("before that nothing is shown", browser.evaluate("document.querySelectorAll('tbody tr').length") == 0)
            browser.press("Escape", code=27)
            checks.that("Escape leaves the page alone", browser.soon("document.getElementById('trouble').textContent.startsWith('A token is needed')"))
            checks.that("and no dialog", browser.evaluate("document.getElementById('login').open") is False)
            browser.open(page.url)
            checks.that("a reload asks again", browser.soon("document.getElementById('login').open"))
            browser.evaluate("document.getElementById('token').value = 'Schl\u00fcssel \u043a\u043b\u044e\u0447'")
            browser.press("Enter", "\r", 13)
            checks.that("a wrong one beyond Latin-1 is asked for once more",
                        browser.soon("document.getElementById('login').open && document.getElementById('token').value === ''"))
            for c in "open-sesame-open-sesame":
                browser.press(c, c)
            browser.press("Enter", "\r", 13)
            checks.that("with it the jobs are", browser.soon("document.querySelectorAll('tbody tr').length === 2"))
            checks.that("no cookie is set", browser.evaluate("document.cookie") == "")
            browser.said.clear()  # the first answer, 401
            browser.asked.clear()


def serve(program, page):
    command = '. "$0/jobs/mpi.sh" && mpi_exec 3 "$@"'
    return subprocess.Popen(["bash", "-c", command, ROOT, program, "serve", page.spool, "--quiet"], stdout=subprocess.DEVNULL,
                            env=os.environ | {"STICTION_SLOWER": "2"})


def submit(browser, text, name):
    browser.evaluate("location.hash = '#/submit'")
    browser.soon("!!document.getElementById('text')")
    browser.evaluate(f"document.getElementById('text').value = {json.dumps(text)}; document.getElementById('job').value = {json.dumps(name)}")
    browser.evaluate("document.querySelector('form button[type=submit]').click()")


def drop(browser, text, name):
    """As if a file had been dropped on the page."""
    browser.evaluate(f"""const files = new DataTransfer(); files.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));
      document.body.dispatchEvent(new DragEvent('drop', {{dataTransfer: files, bubbles: true, cancelable: true}}))""")


def state(browser):
    return browser.evaluate("document.querySelector('main .state')?.textContent")


def lived(browser, program):
    problem = open(PROBLEM).read()
    short = problem.replace("scheme_size: paper", "scheme_size: 16").replace("step: 0.0125", "step: 0.025")
    long = short.replace("scheme_size: 16", "scheme_size: 2048, max_simplexes: 100000, tolerance: 1e-300")
    with Served(program) as page:
        service = serve(program, page)
        browser.open(page.url)
        checks.that("the service is told of", browser.soon("document.getElementById('service').textContent.startsWith('serving')", 60))
        submit(browser, problem.replace("friction: 10", "friction: ten"), "mistaken")
        checks.that("a mistake is told", browser.soon("!!document.querySelector('.wrong')"))
        line = browser.evaluate("document.querySelector('.wrong').textContent")
        checks.that(f"at its line: {line}", line.startswith("8") and "model.friction" in line)
        checks.that("and the problem not taken", "mistaken" not in str([os.listdir(os.path.join(page.spool, f)) for f in os.listdir(page.spool)
                                                                       if os.path.isdir(os.path.join(page.spool, f))]))
        narrow(browser, "a mistake")
        browser.said.clear()  # the answer 422
        browser.evaluate("location.hash = '#/'")
        browser.soon("!!document.querySelector('table')")
        drop(browser, short, "short.yaml")
        checks.that("a file dropped is shown", browser.soon("document.getElementById('job')?.value === 'short.yaml'"))
        browser.press("Enter", "\r", 13)  # on Submit, which has the focus
        checks.that("a problem is taken", browser.soon("location.hash === '#/jobs/short'"))
        checks.that("it runs", browser.soon("['running', 'done'].includes(document.querySelector('main .state').textContent)"))
        checks.that("its convergence is drawn", browser.soon("document.querySelectorAll('.chart .curve').length === 3", 60))
        grown = browser.evaluate("document.querySelector('.chart .curve').dataset.points")
        checks.that("it is watched to its end", browser.soon("document.querySelector('main .state').textContent.startsWith('done')", 90))
        points = browser.evaluate("document.querySelector('.chart .curve').dataset.points")
        checks.that(f"the curve has grown from {grown} points to {points}", int(points) > 2 and int(points) >= int(grown))
        if shutil.which("gnuplot"):
            checks.that("its figures are drawn", browser.soon("document.querySelectorAll('figure img').length === 5", 60))
            checks.that("and seen", browser.soon("[...document.querySelectorAll('figure img')].every(img => img.naturalWidth > 200)"))
        narrow(browser, "a job that is done")
        submit(browser, long, "long.yaml")
        checks.that("another runs", browser.soon("location.hash === '#/jobs/long' && document.querySelector('main .state').textContent === 'running'", 60))
        checks.that("it converges", browser.soon("document.querySelectorAll('.chart .curve').length === 3", 60))
        checks.that("it can be cancelled", browser.soon("!document.querySelector('main button.danger').hidden"))
        browser.evaluate("document.querySelector('main button.danger').click()")
        checks.that("which is asked first", browser.soon("document.getElementById('confirm').open"))
        browser.press("Enter", "\r", 13)  # No, which has the focus
        time.sleep(0.2)
        checks.that("no is no", state(browser) == "running" and not os.path.exists(os.path.join(page.spool, "incoming", "long.cancel")))
        browser.evaluate("document.querySelector('main button.danger').click()")
        browser.soon("document.activeElement.value === 'no'")
        browser.press("Tab", code=9)
        checks.that("Tab leads to yes", browser.soon("document.activeElement.value === 'yes'"))
        browser.press("Enter", "\r", 13)
        checks.that("yes ends it", browser.soon("document.querySelector('main .state').textContent === 'cancelled'", 60))
        checks.that("what it has found is shown", browser.evaluate("document.querySelectorAll('.chart .curve').length") == 3)
        quiet(browser, page, "a job")
        page.put("stop", "")
        checks.that("the service ends", soon(lambda: service.poll() is not None, 60))
        checks.that("which is told", browser.soon("document.getElementById('service').textContent.startsWith('no service: it has ended')"))
        service.kill()


if __name__ == "__main__":
    with Browser() as chromium:
        for part in (listed, login, lived):
            part(chromium, sys.argv[1])
    sys.exit(checks.verdict())
