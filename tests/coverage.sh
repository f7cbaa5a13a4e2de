#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Which lines and branches of sim and control the tests reach, by room (gcov), in a build of its own: build/coverage.
#   usage: tests/coverage.sh [-- OPTIONS of ctest...]    builds, runs the tests, prints the table
#          tests/coverage.sh --table                     the table of what was run before
#          tests/coverage.sh --missing [ROOM]            what was not reached: sim/step, or sim, or a file
# A branch is one way out of a condition, `a && b` has four. Not counted: ways out of a call; assertions, which this build
# leaves out; PetscCall, which returns where PETSc fails. A line that several objects have, of a header or of the kernels of
# lanes, counts once: reached by any of them.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$PWD/build/coverage

if [ "${1:---}" = -- ]; then
  [ $# -eq 0 ] || shift
  jobs/setup.sh --with-tests
  mkdir -p build
  cmake --preset coverage >"$build.log"
  cmake --build --preset coverage -j "$(nproc)" >>"$build.log" || { tail -50 "$build.log" >&2; exit 1; }
  find "$build" -name '*.gcda' -delete
  # a test that fails has reached what it has reached
  ctest --test-dir "$build" -j "$((4 * $(nproc)))" -LE 'valgrind|slurm' "$@" | tail -30 || true
fi

# lines: FILE LINE COUNT and the count of each branch, of every object that has been run
lines() {
  find "$build" -path '*.dir/*' \( -path '*/stiction_sim.dir/*' -o -path '*/stiction_control.dir/*' \) -name '*.gcno' |
    (cd "$build" && xargs gcov --json-format --branch-probabilities --stdout 2>"$build.log") |
    jq -r --arg root "$PWD/" '.files[] | select(.file | startswith($root + "sim/", $root + "control/")) | (.file | ltrimstr($root)) as $file | .lines[] |
      [$file, .line_number, .count, .branches[].count] | @tsv'
}
lines >"$build/lines.tsv"

# what several objects have of one line is added; then FILE LINE REACHED BRANCHES BRANCHES_REACHED TEXT
added() {
  awk -F'\t' '{ line = $1 FS $2; count[line] += $3; if (NF - 3 > branches[line]) branches[line] = NF - 3
      for (i = 4; i <= NF; i++) if ($i > 0) taken[line, i] = 1 }
    END { for (line in count) {
        reached = 0
        for (i = 4; i < 4 + branches[line]; i++) reached += taken[line, i]
        print line FS (count[line] > 0) FS branches[line] + 0 FS reached } }' "$build/lines.tsv" | sort -t $'\t' -k1,1 -k2,2n |
    awk -F'\t' -v OFS='\t' '{ while (at[$1] < $2 && (getline text <$1) > 0) at[$1]++
      if (text ~ /PetscCall\(/) $4 = $5 = 0
      print $0, text }'
}

if [ "${1:-}" = --missing ]; then
  added | awk -F'\t' -v only="${2:-}" 'index($1, only) == 1 && (!$3 || $5 < $4) {
    print $1 ":" $2 ": " ($3 ? $5 " of " $4 " branches" : "not reached") ": " $6 }'
  exit
fi
printf '%-18s %-26s   %s\n' room lines branches
added | awk -F'\t' '
  function share(part, all) { return sprintf("%6d of %6d  %5.1f %%", part, all, all ? 100 * part / all : 100) }
  { split($1, path, "/")
    count = split(path[1] (path[3] != "" ? " " path[1] "/" path[2] : ""), names, " ")
    for (i = 1; i <= count; i++) { all[names[i]]++; reached[names[i]] += $3; branches[names[i]] += $4; taken[names[i]] += $5 } }
  END { for (name in all)
      printf "%-18s %s   %s\n", name, share(reached[name], all[name]), share(taken[name], branches[name]) }' | sort
