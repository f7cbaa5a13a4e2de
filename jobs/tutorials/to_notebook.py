# SPDX-License-Identifier: BSD-2-Clause
"""Makes Jupyter notebooks (nbformat 4) of scripts with cells: `# %%` begins code, `# %% [markdown]` text in comments.

usage: to_notebook.py SCRIPT.py [NOTEBOOK.ipynb]      by default the script's name with .ipynb, in the current folder
"""
import json
import pathlib
import re
import sys


def cells(script):
    """The cells of a script, each ("code", text) or ("markdown", text)."""
    parts = re.split(r"^# %%( \[markdown\])?\n", script, flags=re.M)
    for markdown, text in zip(parts[1::2], parts[2::2]):
        text = text.strip("\n")
        yield ("markdown", re.sub(r"^# ?", "", text, flags=re.M)) if markdown else ("code", text)


def notebook(script):
    """The notebook of a script, as a dict."""
    made = []
    for k, (kind, text) in enumerate(cells(script)):
        cell = {"cell_type": kind, "id": f"cell-{k}", "metadata": {}, "source": text.splitlines(keepends=True)}
        made.append({**cell, "execution_count": None, "outputs": []} if kind == "code" else cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1])
    target = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else source.with_suffix(".ipynb").name)
    target.write_text(json.dumps(notebook(source.read_text(encoding="utf-8")), indent=1) + "\n", encoding="utf-8")
