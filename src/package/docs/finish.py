# SPDX-License-Identifier: BSD-2-Clause
"""Finishes a site: its search index as a script, which pages load from files, too, with the names of the interface in C; then checks it: every link within it leads to a file and
an anchor that are there, and no page loads anything from elsewhere.

usage: finish.py SITE
"""
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

# in place of Doxygen's first page, which has nothing on it
API = """<!DOCTYPE html>
<meta charset="utf-8"><meta http-equiv="refresh" content="0; url=../api.html"><title>The interface in C</title>
<a href="../api.html">The interface in C</a>
"""


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.update(value for name, value in attrs.items() if name == "id" or (tag == "a" and name == "name"))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag in ("script", "img", "iframe") and attrs.get("src"):
            self.loads.append(attrs["src"])
        if tag == "link" and attrs.get("rel") in ("stylesheet", "icon", "shortcut icon"):
            self.loads.append(attrs["href"])


def interface(site):
    """Entries of the search index for functions, types and values of enums, from the lists that Doxygen's own search has."""
    headers, entries = set(), []
    for kind in ("functions", "classes", "enums", "enumvalues", "typedefs"):
        for file in sorted((site / "api" / "search").glob(f"{kind}_*.js")):
            for name, link, header in re.findall(r"\['(\w+)',\['\.\./([^']+)',\d,'([^']*)'\]\]", file.read_text()):
                page = link.partition("#")[0]
                header = header or "a struct"
                if page not in headers:
                    headers.add(page)
                    entries.append({"location": f"api/{page}", "title": f"the interface in C, {header}", "text": ""})
                entries.append({"location": f"api/{link}" if "#" in link else f"api/{link}#", "title": name, "text": f"in C, of {header}"})
    return entries


def main():
    site = Path(sys.argv[1]).resolve()
    index = site / "search" / "search_index.json"
    found = json.loads(index.read_text())
    found["docs"] += interface(site)
    index.with_suffix(".js").write_text(f"window.search_index = {json.dumps(found)};\n")
    (site / "api" / "index.html").write_text(API)
    pages = {path: Page(path) for path in site.rglob("*.html")}
    wrong = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            where = f"{path.relative_to(site)}: {link}"
            if link.startswith(("http:", "https:", "//")):
                if link in page.loads:
                    wrong.append(f"{where}: not of this site")
                continue
            if link.startswith(("mailto:", "data:", "javascript:")):
                continue
            name, _, anchor = unquote(link).partition("#")
            target = (path.parent / name.partition("?")[0]).resolve() if name else path
            if path.name == "404.html" and name.startswith("/"):
                target = (site / name.lstrip("/")).resolve()
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                wrong.append(f"{where}: no such file")
            elif anchor and target in pages and anchor not in pages[target].ids:
                wrong.append(f"{where}: no such anchor")
    print("\n".join(wrong) or f"{len(pages)} pages, all links lead somewhere", file=sys.stderr if wrong else sys.stdout)
    sys.exit(bool(wrong))


main()
