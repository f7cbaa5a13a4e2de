#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs the commands that the pages (README.md of every folder) show, and compares what they print with what is shown.
#   usage: tests/shown_commands.sh STICTION [PAGE...]      by default all pages
#
# A page's blocks are taken in their order, in a scratch folder with the clone's jobs, bench, tests and build/release/bin:
#   ```yaml     is written to NAME.yaml where its first line is `# NAME.yaml`; ```python likewise
#   ```sh       is run, and must end with 0
#   ```text     is what the ```sh before it printed; times and rates are not compared, a line `...` stands for any lines
#   ```console  is shown only: what needs Slurm, a package or minutes
set -uo pipefail
PROGRAM=$(realpath "$1")
shift
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/shell.sh"
if [ $# -gt 0 ]; then pages=("$@"); else mapfile -t pages < <(git -C "$root" ls-files -co --exclude-standard -- '*.md'); fi
real_mpirun=$(command -v mpirun)
export root real_mpirun

mkdir bin
cat >bin/mpirun <<'END'
#!/usr/bin/env bash
# mpirun -n N PROGRAM.. as the tests start it
. "$root/jobs/mpi.sh"
mpirun() { "$real_mpirun" "$@"; }
shift
mpi_run "$@"
END
chmod +x bin/mpirun
ln -s "$PROGRAM" bin/stiction
ln -s /usr/bin/python3 bin/python3
STICTION_LIBRARY=$(dirname "$PROGRAM")/../src/package/libstiction.so
export PYTHONPATH=$root/src/python PYTHONDONTWRITEBYTECODE=1 STICTION_LIBRARY
PATH=$scratch/bin:$PATH

# blocks PAGE: its code blocks, the N-th into block.N, the line it begins at and its kind into the first line
blocks() {
  rm -f block.*
  awk '/^```/ { open = !open; if (open) { file = sprintf("block.%03d", ++n); print NR, substr($0, 4) >file } else close(file); next }
       open { print >file }' "$1"
}

plain() { # what does not differ from run to run
  sed -E 's/[0-9.]+ s([ )]|$)/# s\1/g; s/[0-9]+ simulations a second/# simulations a second/; s/ +$//'
}

# printed SHOWN: whether the file `printed.txt` is what the page shows, with any lines for `...`
printed() {
  local line pattern=
  while IFS= read -r line; do
    if [ "$line" = ... ]; then pattern+='*'; else pattern+=$line$'\n'; fi
  done < <(plain <"$1" | sed -E '/^\.\.\.$/!s/[][*?\\]/\\&/g')
  # shellcheck disable=SC2053
  [[ $(plain <printed.txt)$'\n' == $pattern ]]
}

page_blocks() { # PAGE: in a folder of its own
  local page=$1 block line kind name
  for block in block.*; do
    [ -e "$block" ] || continue
    read -r line kind <"$block"
    sed -i 1d "$block"
    case $kind in
      yaml | python)
        name=$(sed -nE '1s/^# ([A-Za-z0-9_-]+\.(yaml|py))$/\1/p' "$block")
        [ -z "$name" ] || cp "$block" "$name" ;;
      sh)
        checks=$((checks + 1))
        bash -euo pipefail "$block" >printed.txt 2>&1 </dev/null || { fail "$page:$line: exit $?"; cat printed.txt >&2; } ;;
      text)
        checks=$((checks + 1))
        printed "$block" || { fail "$page:$line: not what is printed:"; diff <(plain <"$block") <(plain <printed.txt) >&2; } ;;
    esac
  done
}

for page in "${pages[@]}"; do
  grep -q '^```sh' "$root/$page" || continue # nothing is run
  mkdir page
  cd page || exit 1
  mkdir -p build/release
  ln -s "$(dirname "$PROGRAM")" build/release/bin
  ln -s "$root/jobs" "$root/bench" "$root/tests" .
  blocks "$root/$page"
  page_blocks "$page"
  cd .. && rm -rf page
done
verdict
