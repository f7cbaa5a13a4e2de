#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The Python module as it is installed, moved as a whole, used from a folder elsewhere: it finds the library and the program beside it.
#   usage: tests/python/installed.sh BUILD
set -euo pipefail
build=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for component in python lib program; do
  cmake --install "$build" --prefix "$scratch/first" --component "$component" >/dev/null
done
mv "$scratch/first" "$scratch/moved"
cd "$scratch"
unset STICTION_LIBRARY STICTION_PROGRAM PYTHONPATH
export PYTHONDONTWRITEBYTECODE=1
python() { PYTHONPATH=moved/lib/python3/dist-packages /usr/bin/python3 "$@"; }
python - <<'END'
import os

import stiction

problem = os.path.abspath("moved/share/stiction/problems/tp1.yaml")
here = stiction.control(problem, settings={"search.method": "auto"})
there = stiction.control(problem, ranks=1, settings={"search.method": "auto"}, output="there")
assert here.J == there.results.outcome["J"] and here.met and there.J == there.refined["J"] > here.J, (here, there)
assert stiction.simulate(problem).status == "ok"
program = os.popen("moved/bin/stiction --version").read()
assert stiction.__version__ in program, (stiction.__version__, program)
assert stiction.build_info() == program, (stiction.build_info(), program)
END
# the example of its page, and what it prints
page=$root/src/python/README.md
# shellcheck disable=SC2016 # backquotes, literally
sed -n '/^```python$/,/^```$/{/^```/d;p}' "$page" >block.py
# shellcheck disable=SC2016
sed -n '/^```text$/,/^```$/{/^```/d;p}' "$page" >shown
[ -s block.py ] && [ -s shown ]
python block.py >printed
diff shown printed
# a tutorial of those installed
python -W error moved/share/stiction/tutorials/block.py >block.txt
grep -q "^every force costs at least 3" block.txt
# without a library it says which
rm moved/lib/*/libstiction.so.* 2>/dev/null || rm moved/lib/libstiction.so.*
python -c "import stiction" 2>import.err && exit 1
grep -q "ImportError: libstiction: .*STICTION_LIBRARY" import.err
