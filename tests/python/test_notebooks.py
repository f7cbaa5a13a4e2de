# SPDX-License-Identifier: BSD-2-Clause
"""The tutorials as notebooks: nbformat 4, with the code of the scripts."""

import ast
import json
import subprocess
import sys

from common import Case, ROOT, unittest

FOLDER = ROOT / "jobs" / "tutorials"
SCRIPTS = sorted(set(FOLDER.glob("*.py")) - {FOLDER / "to_notebook.py"})


class Notebooks(Case):
    def test_fields_and_code(self):
        self.assertEqual(len(SCRIPTS), 5)
        for script in SCRIPTS:
            with self.subTest(script.name):
                subprocess.run([sys.executable, FOLDER / "to_notebook.py", script], check=True)
                with open(script.with_suffix(".ipynb").name, encoding="utf-8") as file:
                    notebook = json.load(file)
                self.check_fields(notebook)
                text = script.read_text()
                code = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
                self.assertEqual(ast.dump(ast.parse(code)), ast.dump(ast.parse(text)))
                prose = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
                comments = [line[2:] for line in text.splitlines() if line.startswith("# ") and not line.startswith("# %%")]
                self.assertEqual([line for line in prose.splitlines() if line], comments)
                self.assertTrue(comments[0].startswith("# "))

    def check_fields(self, notebook):
        self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
        self.assertEqual(set(notebook), {"cells", "metadata", "nbformat", "nbformat_minor"})
        self.assertEqual(notebook["metadata"]["kernelspec"]["name"], "python3")
        self.assertEqual(len({cell["id"] for cell in notebook["cells"]}), len(notebook["cells"]))
        for cell in notebook["cells"]:
            more = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
            self.assertIn(cell["cell_type"], ("code", "markdown"))
            self.assertEqual(set(cell), {"cell_type", "id", "metadata", "source"} | more)
            self.assertRegex(cell["id"], r"^[a-zA-Z0-9-_]{1,64}$")
            self.assertTrue(all(line.endswith("\n") for line in cell["source"][:-1]))
            self.assertEqual(cell.get("outputs", []), [])

    def test_without_arguments(self):
        ran = subprocess.run([sys.executable, FOLDER / "to_notebook.py"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("usage:", ran.stderr)


if __name__ == "__main__":
    unittest.main()
