# SPDX-License-Identifier: BSD-2-Clause
"""Lays out what mkdocs and Doxygen read: the pages of the tree where they stand, the files that they link to, and the nav.

usage: stage.py ROOT HEADERS WORK SITE

WORK/pages has the pages, those of scripts with cells (jobs/tutorials) among them, WORK/mkdocs.yml the configuration with all pages in its nav: those that mkdocs.yml.in names, and behind them the
READMEs of rooms by layer. The pages of .github go to project/, as mkdocs leaves folders with a dot out.
"""
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
LAYERS = {"sim": "sim: motions", "control": "control: optimal control", "src": "src: the program", "bench": "bench", "tests": "tests"}
FOLDERS = [*LAYERS, "jobs"]
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def outside_code(text, change):
    """The text with change(line) in place of each line that is not in a block of code."""
    lines, code = [], False
    for line in text.split("\n"):
        if line.startswith("```"):
            code = not code
        lines.append(line if code else change(line))
    return "\n".join(lines)


def staged(path):
    """Where a file of the tree is among the pages."""
    return Path(*("project" if part == ".github" else part for part in path.parts))


def tutorials(root):
    """The pages made of scripts with cells, each with its text."""
    folder = Path("jobs") / "tutorials"
    sys.path.insert(0, str(root / folder))
    sys.dont_write_bytecode = True  # nothing is written into the tree
    from to_notebook import cells
    found = {}
    for script in sorted((root / folder).glob("*.py")):
        parts = [f"```python\n{text}\n```" if kind == "code" else text for kind, text in cells(script.read_text())]
        if parts:
            found[folder / f"{script.stem}.md"] = "\n\n".join(parts) + "\n"
    return found


def page_text(root, page, texts, linked):
    """A page as mkdocs is to read it; adds the files that it links to to linked."""
    def link(match):
        target = match.group(2)
        if re.match(r"[a-z]+:", target):
            return match.group(0)
        file = (root / page.parent / target).resolve().relative_to(root)
        if (root / file).is_dir():
            if not (root / file / "README.md").exists():
                raise SystemExit(f"{page}: {target} is a folder without a page")
            file = file / "README.md"
        if file.suffix == ".py" and file.with_suffix(".md") in texts:
            file = file.with_suffix(".md")
        if file.suffix != ".md":
            linked.add(file)
        up = len(staged(page).parent.parts)
        return match.group(1) + "../" * up + staged(file).as_posix() + match.group(3)

    def line(text):
        if text.startswith("<!-- ") and text.endswith(" -->"):
            return ""  # marks of generated tables: a table begins behind an empty line
        text = re.sub(r"^ {2,3}- ", "    - ", text)  # a list within a list, as Python's Markdown has it
        return LINK.sub(link, text)

    return outside_code(texts[page], line)


def title(root, page):
    return re.search(r"^# (.*)", (root / page).read_text(), re.M).group(1).replace("`", "")


def quoted(text):
    return '"' + text.replace('"', "'") + '"'


def rooms(root, pages, named):
    """The nav of the pages that mkdocs.yml.in does not name, by layer."""
    lines = []
    for layer, words in LAYERS.items():
        rest = [page for page in pages if page.parts[0] == layer and page.as_posix() not in named]
        if rest:
            lines.append(f"    - {quoted(words)}:")
            lines += [f"        - {quoted(page.parent.name + ': ' + title(root, page))}: {page.as_posix()}" for page in rest]
    return "\n".join(lines)


def api_page(headers):
    """The page that leads to Doxygen's: a row for each public header, with the first sentence of its comment."""
    rows = []
    for header in sorted(headers.glob("*.h")):
        comment = re.search(r"/\*(.*?)\*/", header.read_text(), re.S).group(1)
        paragraph = re.split(r"\n \*\n", comment)[0]
        words = " ".join(re.sub(r"^ \* ?", "", line) for line in paragraph.split("\n")).split()
        sentence = re.split(r"(?<=[.;]) ", " ".join(words))[0].rstrip(",:;.").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")
        link = "api/" + header.name.replace("_", "__").replace(".", "_8") + ".html"
        rows.append(f"| [`stiction/{header.name}`]({link}) | {sentence} |")
    return "\n".join([
        "# The interface in C", "",
        "Begin with [`stiction/sim.h`](api/sim_8h.html) for a motion, [`stiction/control.h`](api/control_8h.html) for a search, "
        "[`stiction/problem_file.h`](api/problem__file_8h.html) for a problem file. "
        "[How to build on the library](src/package/README.md#how-to-build-on-it).", "",
        "[All functions](api/globals.html) · [all structs](api/annotated.html)", "",
        "| header | |", "| --- | --- |", *rows, ""])


def main():
    root, headers, work, site = (Path(argument).resolve() for argument in sys.argv[1:])
    target = work / "pages"
    shutil.rmtree(target, ignore_errors=True)
    pages = [Path("README.md"), *sorted(path.relative_to(root) for folder in [*FOLDERS, ".github"] for path in (root / folder).rglob("*.md"))]
    texts = {**{page: (root / page).read_text() for page in pages}, **tutorials(root)}
    linked = set()
    for page in texts:
        place = target / staged(page)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(page_text(root, page, texts, linked))
    for file in linked:
        place = target / staged(file)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / file, place)
    (target / "api.md").write_text(api_page(headers))
    config = (HERE / "mkdocs.yml.in").read_text()
    named = set(re.findall(r"\S+\.md$", config, re.M))
    for name, value in {"@SITE@": str(site), "@PAGES@": str(target), "@THEME@": str(HERE / "theme"), "    @ROOMS@": rooms(root, pages, named)}.items():
        config = config.replace(name, value)
    (work / "mkdocs.yml").write_text(config)


main()
