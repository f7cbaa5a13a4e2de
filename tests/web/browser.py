#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
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
from served import HTML, OTHER_USER, PROBLEM, ROOT, Checks, Served, fill, soon

if not shutil.which("chromium"):
    print("skipped: chromium is not installed (jobs/setup.sh --with-browser)")
    sys.exit(77)
from chromium import Browser

checks = Checks()


def quiet(browser, page, what):
    said = [text for text in browser.said if "report.html" not in text]  # of results that are none
    checks.that(f"{what}: the console says nothing: {said}", not said)
    others = [url for url in browser.asked if not url.startswith((page.url, "blob:" + page.url, "about:", "data:"))]
    checks.that(f"{what}: no other host is asked: {others}", not others)
    browser.asked.clear()


NAMED = {"button", "link", "textbox", "searchbox", "combobox", "spinbutton", "progressbar", "image", "img", "dialog", "table", "search"}
CONTRAST = """(() => {
  const part = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const colour = text => text.match(/[0-9.]+/g).map(Number);
  const behind = at => { for (; at; at = at.parentElement) { const c = colour(getComputedStyle(at).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const faint = [];
  for (const at of document.querySelectorAll('body *')) {
    if (!at.checkVisibility() || ![...at.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    const svg = at instanceof SVGElement, [a, b] = [light(colour(getComputedStyle(at)[svg ? 'fill' : 'color'])), light(behind(at))].sort();
    const ratio = (b + 0.05) / (a + 0.05);
    if (!(ratio >= 4.5)) faint.push(`${at.outerHTML.slice(0, 80)}: ${ratio.toFixed(2)}`);
  }
  return faint;
})()"""
STOPS = """[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(at => at.checkVisibility())"""


def heard(browser, what):
    """Roles, names, one live region, headings, contrast, nothing that moves; every control by Tab, in the order of the page."""
    nodes = browser.heard()
    nameless = [node for node in nodes if node["role"] in NAMED and not node["name"].strip()]
    checks.that(f"{what}: every control has a name: {nameless}", not nameless)
    live = [node for node in nodes if node.get("live")]
    polite = [node for node in live if node["live"] == "polite"]
    checks.that(f"{what}: one polite live region: {live}", [node["role"] for node in polite] == ["status"] and all(node["role"] in ("status", "alert") for node in live))
    places = [node["role"] for node in nodes if node["role"] in ("banner", "main")]
    checks.that(f"{what}: a banner and a main part: {places}", places == ["banner", "main"])
    levels = [node["level"] for node in nodes if node["role"] == "heading"]
    checks.that(f"{what}: headings in their order: {levels}", levels[:1] == [1] and levels.count(1) == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])))
    for dark in (False, True):
        browser.dark(dark)
        faint = browser.evaluate(CONTRAST)
        checks.that(f"{what}: a contrast of 4.5, {'dark' if dark else 'light'}: {faint}", not faint)
    browser.dark(False)
    moving = browser.evaluate("document.getAnimations().length + [...document.querySelectorAll('*')].filter(at => getComputedStyle(at).transitionDuration !== '0s').length")
    checks.that(f"{what}: nothing moves, even where animation is allowed", moving == 0)
    stops = browser.evaluate(f"window.stops = {STOPS}; stops[0].focus(); stops.length")
    order = [0]
    for _ in range(stops - 1):
        browser.press("Tab", code=9)
        order.append(browser.evaluate("stops.indexOf(document.activeElement)"))
    checks.that(f"{what}: Tab goes through all {stops}: {order}", order == list(range(stops)))


def leave(browser):
    """A page that is gone is not asked any more."""
    browser.call("Page.navigate", url="about:blank")
    browser.said.clear()
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
        leave(browser)


def many(browser, program):
    with Served(program) as page:
        fill(page, 400)
        browser.open(page.url)
        checks.that("of 400 jobs 300 are listed", browser.soon("document.querySelectorAll('tbody tr').length === 300"))
        checks.that("and the row says so", browser.evaluate("document.querySelector('.row .dim').textContent") == "300 of 400")
        browser.evaluate("const s = document.getElementById('state'); s.value = 'done'; s.dispatchEvent(new Event('change'))")
        checks.that("all are looked through", browser.soon("document.getElementById('news').textContent === '399 of 400 jobs are shown'"))
        checks.that("and seen", browser.evaluate("[...document.querySelectorAll('tbody tr')].filter(row => !row.hidden).length") == 399)
        quiet(browser, page, "many")
        leave(browser)


def accessible(browser, program):
    with Served(program) as page:
        fill(page, 4)
        page.put("running/busy/problem.yaml", "a: 1\n")
        page.put("incoming/waits.yaml", "a: 1\n")
        os.mkdir(os.path.join(page.spool, "cancelled", "gone"))
        for name in ("failed/wrong", "done/job001"):
            page.put(f"{name}/search.csv", "round,evaluations,best,J,E1,E2,edge,seconds\n" + "".join(f"{k},{9 * k},{9 / k},{9 / k},{1 / k},{1 / k},{4 / k},1\n" for k in range(1, 9)))
        browser.open(page.url)
        browser.soon("document.querySelectorAll('tbody tr').length === 7")
        heard(browser, "the list")
        for width in (1280, 360):
            browser.width(width)
            roles = [node["role"] for node in browser.heard()]
            count = {role: roles.count(role) for role in ("table", "row", "rowheader", "columnheader")}
            checks.that(f"its table has heads of rows and columns at {width}: {count}", count == {"table": 1, "row": 8, "rowheader": 7, "columnheader": 10})
        browser.width(1280)
        browser.evaluate("location.hash = '#/jobs/busy'")
        browser.soon("!document.querySelector('main button.danger')?.hidden")
        heard(browser, "a job that runs")
        browser.evaluate("document.querySelector('main button.danger').focus()")
        browser.press("Enter", "\r", 13)
        browser.soon("document.getElementById('confirm').open")
        asked = [(node["role"], node["name"]) for node in browser.heard() if node["role"] in ("dialog", "button")]
        checks.that(f"a question has a name: {asked}", asked == [("dialog", "Cancel busy?"), ("button", "No"), ("button", "Cancel the job")])
        browser.press("Escape", code=27)
        checks.that("Escape leads back to where it was asked", browser.soon("document.activeElement === document.querySelector('main button.danger')"))
        browser.evaluate("location.hash = '#/'")
        browser.soon("document.querySelectorAll('tbody tr').length === 7")
        browser.evaluate("document.querySelector('tbody a[href$=job002]').focus()")
        os.rename(os.path.join(page.spool, "running", "busy"), os.path.join(page.spool, "done", "busy"))
        checks.that("a job's end is announced", browser.soon("document.getElementById('news').textContent === 'busy: done'"))
        checks.that("and the focus stays on another job", browser.evaluate("document.activeElement.textContent") == "job002")
        browser.evaluate("const f = document.getElementById('filter'); f.value = 'job'; f.dispatchEvent(new Event('input'))")
        checks.that("the number of filtered jobs is announced", browser.soon("document.getElementById('news').textContent === '3 of 7 jobs are shown'"))
        browser.asked.clear()
        browser.evaluate("location.hash = '#/jobs/wrong'")
        browser.soon("document.querySelectorAll('.wrong').length === 2 && !!document.querySelector('.chart svg')")
        heard(browser, "a job")
        chart = [node["name"] for node in browser.heard() if node["role"] == "image"]
        checks.that(f"its chart is described in words: {chart}", chart == ["Convergence over rounds 1 to 8: merit from 9 to 1.13, E1 from 1 to 0.125, edge from 4 to 0.5"])
        browser.evaluate("new Promise(done => setTimeout(done, 2000))")
        lists = [url for url in browser.asked if url.startswith(page.url + "/jobs?")]
        checks.that(f"its page asks for no list: {browser.asked}", not lists and browser.asked.count(page.url + "/jobs/wrong") >= 2)
        browser.evaluate("location.hash = '#/submit'")
        browser.soon("!!document.getElementById('text')")
        heard(browser, "submitting")
        checks.that("without a token no priority is above others'", browser.soon("document.getElementById('priority').max === '0'"))
        browser.evaluate("document.getElementById('text').value = 'model: 1'; document.querySelector('form button[type=submit]').focus()")
        browser.press("Enter", "\r", 13)
        checks.that("mistakes are announced", browser.soon("document.getElementById('news').textContent.startsWith('Not submitted: the problem has mistakes')"))
        checks.that("and the focus stays", browser.evaluate("document.activeElement.textContent") == "Submit")
        heard(browser, "mistakes")
        browser.said.clear()  # the answer 422
        quiet(browser, page, "accessible")
        leave(browser)


def run_so_far(page, runs, not_met=0, failed=0):
    """A sweep of 300 runs under way, as a service reports it."""
    job = {"name": "swept", "command": "sweep", "runs": runs, "runs_in_all": 300, "runs_not_met": not_met, "runs_failed": failed}
    page.put("status.json", json.dumps({"phase": "serving", "updated": int(time.time()), "ranks": 2, "running": [job]}))


def sweeps(browser, program):
    """How far a sweep is, in the list and on its page."""
    with Served(program) as page:
        fill(page, 4)
        os.makedirs(os.path.join(page.spool, "running/swept/checkpoint"))
        page.put("running/swept/problem.yaml", "# stiction: sweep\n")
        run_so_far(page, 12)
        browser.open(page.url)
        row = "[...document.querySelectorAll('tbody tr')].find(row => row.textContent.includes('swept'))"
        checks.that("a sweep's runs are listed", browser.soon(f"{row}?.textContent.includes('running12 of 300 runs')"))
        bars = [(node["name"], node.get("valuemax")) for node in browser.heard() if node["role"] == "progressbar"]
        checks.that(f"and how far they are, of it alone: {bars}", bars == [("Runs of swept", 300)])
        checks.that("as far", browser.evaluate(f"{row}.querySelector('progress').value") == 12)
        narrow(browser, "a sweep in the list")
        run_so_far(page, 40, failed=2)
        browser.evaluate("location.hash = '#/jobs/swept'")
        checks.that("its page shows them, too", browser.soon("document.querySelector('main').textContent.includes('40 of 300 runs, 2 failed') && document.querySelector('main progress').value === 40"))
        heard(browser, "a sweep")
        page.put("running/swept/checkpoint/progress.json", json.dumps({"runs": 300, "runs_in_all": 300, "runs_not_met": 0, "runs_failed": 0}))
        os.rename(os.path.join(page.spool, "running/swept"), os.path.join(page.spool, "done/swept"))
        checks.that("at its end there is no bar", browser.soon("document.querySelector('main').textContent.includes('300 of 300 runs') && !document.querySelector('main progress').checkVisibility()"))
        quiet(browser, page, "a sweep")
        leave(browser)


def twins(browser, program):
    """Two jobs of one name: one has ended, another waits, for it has no other name before it begins. Each has its row and its page."""
    with Served(program) as page:
        page.put("done/tp1/summary.json", json.dumps({"problem": {"title": "the old one"}}))
        page.put("done/tp1/problem.yaml", "title: old\n")
        page.put("incoming/tp1/problem.yaml", "title: new\n")
        stuck = "the service may not move this folder of another user"
        page.put("status.json", json.dumps({"phase": "serving", "updated": int(time.time()), "running": [], "stuck": {"tp1": stuck}}))
        browser.open(page.url)
        rows = "[...document.querySelectorAll('tbody tr')].map(row => row.querySelector('a').textContent + ' ' + row.querySelector('.state').textContent)"
        checks.that(f"each has its row: {browser.evaluate(rows)}", browser.soon(f"{rows}.join() === 'tp1 waiting,tp1 done'"))
        checks.that("why one waits stands there", browser.evaluate(f"document.querySelector('tbody tr').textContent.includes('{stuck}')"))
        browser.evaluate("""window.changes = 0; window.first = [...document.querySelectorAll('tbody tr')]; document.getElementById('news').textContent = '';
          new MutationObserver(list => changes += list.length).observe(document.querySelector('tbody'), {subtree: true, childList: true, characterData: true, attributes: true});
          new Promise(done => setTimeout(done, 4000))""")
        checks.that("while nothing happens nothing is redrawn or announced", browser.evaluate("changes === 0 && document.getElementById('news').textContent === ''"))
        for k, shown, label in ((0, "new", "Waits because"), (1, "old", None)):
            browser.evaluate("location.hash = '#/'")
            browser.soon("document.querySelectorAll('tbody tr').length === 2")
            browser.evaluate(f"document.querySelectorAll('tbody a')[{k}].click()")
            checks.that(f"the {shown} one can be opened", browser.soon(f"!!document.querySelector('.code')?.textContent.includes('{shown}')"))
            labels = browser.evaluate("[...document.querySelectorAll('.facts div')].filter(at => !at.hidden && at.textContent.includes('may not move')).map(at => at.querySelector('dt').textContent)")
            checks.that(f"its reason is called what it is: {labels}", labels == ([label] if label else []))
        browser.evaluate("location.hash = '#/'")
        browser.soon("document.querySelectorAll('tbody tr').length === 2")
        browser.evaluate("window.old = document.querySelectorAll('tbody tr')[1]; document.querySelector('tbody a').focus()")
        os.rename(os.path.join(page.spool, "incoming/tp1"), os.path.join(page.spool, "running/tp1-2"))
        checks.that("it begins under its own name", browser.soon(f"{rows}.join() === 'tp1-2 running,tp1 done'") and browser.evaluate("old.isConnected"))
        checks.that("and it is announced", browser.evaluate("document.getElementById('news').textContent") == "tp1-2: running")
        os.rename(os.path.join(page.spool, "running/tp1-2"), os.path.join(page.spool, "done/tp1-2"))
        browser.evaluate("document.querySelector('tbody a').focus(); window.mine = document.querySelector('tbody tr')")
        checks.that("a job that ends stays the same row", browser.soon("mine.isConnected && mine.querySelector('.state').textContent === 'done' && document.activeElement === mine.querySelector('a')"))
        browser.said[:] = [text for text in browser.said if "/search" not in text]
        quiet(browser, page, "twins")
        leave(browser)


def refusing(browser, program):
    """A job of another user than the page's: the page reports that it cannot be cancelled."""
    if os.geteuid() != 0:
        return
    with Served(program, user=OTHER_USER) as page:
        page.put("incoming/theirs.yaml", "a: 1\n")
        browser.open(page.url + "/#/jobs/theirs")
        browser.soon("document.querySelector('main button.danger')?.checkVisibility()")
        browser.evaluate("document.querySelector('main button.danger').click()")
        browser.soon("document.getElementById('confirm').open")
        browser.evaluate("document.querySelector('#confirm [value=yes]').click()")
        checks.that("a refused cancel is reported", browser.soon("document.querySelector('main .row').textContent.includes('not cancelled: the service would refuse it')"))
        checks.that("by a screen reader, too", browser.evaluate("document.getElementById('news').textContent").startswith("not cancelled"))
        checks.that("no cancel request is left", os.listdir(os.path.join(page.spool, "incoming")) == ["theirs.yaml"])
        leave(browser)


def login(browser, program):
    with Served(program) as keeper:
        file = os.path.join(keeper.scratch.name, "token")
        with open(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "w") as token:
            token.write("open-sesame-open-sesame\n")
        with Served(program, "--token-file", file) as page:
            fill(page, 2)
            browser.open(page.url)
            checks.that("a token is asked for", browser.soon("document.getElementById('login').open"))
            asked = [(node["role"], node["name"]) for node in browser.heard() if node["role"] in ("dialog", "textbox", "button")]
            checks.that(f"by name: {asked}", asked == [("dialog", "A token is needed"), ("textbox", "Token"), ("button", "Go on")])
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
    long = short.replace("scheme_size: 16", "scheme_size: 32768, max_simplexes: 100000, tolerance: 1e-300").replace("step: 0.025", "step: 0.0025")  # a minute
    with Served(program) as page:
        service = serve(program, page)
        browser.open(page.url)
        checks.that("the service is shown", browser.soon("document.getElementById('service').textContent.startsWith('serving')", 60))
        submit(browser, problem.replace("friction: 10", "friction: ten"), "mistaken")
        checks.that("a mistake is shown", browser.soon("!!document.querySelector('.wrong')"))
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
        checks.that("it runs", browser.soon("['running', 'done'].includes(document.querySelector('main .state')?.textContent)"))
        checks.that("its convergence is drawn", browser.soon("document.querySelectorAll('.chart .curve').length === 3", 60))
        grown = browser.evaluate("document.querySelector('.chart .curve').dataset.points")
        checks.that("it is watched to its end", browser.soon("document.querySelector('main .state')?.textContent.startsWith('done')", 90))
        points = browser.evaluate("document.querySelector('.chart .curve').dataset.points")
        checks.that(f"the curve has grown from {grown} points to {points}", int(points) > 2 and int(points) >= int(grown))
        if shutil.which("gnuplot"):
            checks.that("its figures are drawn", browser.soon("document.querySelectorAll('figure img').length === 5", 60))
            checks.that("and seen", browser.soon("[...document.querySelectorAll('figure img')].every(img => img.naturalWidth > 200)"))
        narrow(browser, "a job that is done")
        submit(browser, long, "long.yaml")
        checks.that("another runs", browser.soon("location.hash === '#/jobs/long' && document.querySelector('main .state')?.textContent === 'running'", 60))
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
        ended = browser.soon("document.querySelector('main .state')?.textContent === 'cancelled'", 60)
        checks.that(f"yes ends it: {browser.evaluate('document.querySelector(`main .row`).textContent')} {os.listdir(page.spool + '/incoming')}", ended)
        checks.that("what it has found is shown", browser.evaluate("document.querySelectorAll('.chart .curve').length") == 3)
        quiet(browser, page, "a job")
        page.put("stop", "")
        checks.that("the service ends", soon(lambda: service.poll() is not None, 60))
        checks.that("and the page says so", browser.soon("document.getElementById('service').textContent.startsWith('no service: it has ended')"))
        service.kill()


if __name__ == "__main__":
    with Browser() as chromium:
        for part in (listed, many, accessible, sweeps, twins, refusing, login, lived):
            part(chromium, sys.argv[1])
    sys.exit(checks.verdict())
