#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# bench-dfo: its table, its files and what must hold of data profiles, its pictures, its arguments.
#   usage: tests/program/bench_dfo.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

expect 0 "$PROGRAM" --quick --csv -o made/quick
that "four files, no more" test "$(ls made/quick)" = $'dfo.csv\nprofile.csv\nranks.csv\nruns.csv'
that "the table is printed, too" diff out made/quick/dfo.csv
that "four forms, four taus, within 10 and 100" lines made/quick/dfo.csv '^[a-z-]*,[0-9.e-]*,100*,' 32

# 11 problems, of two and three variables, four forms; three methods on three numbers of ranks, four one point at a time
that "a row a search" test "$(tail -n +2 made/quick/runs.csv | wc -l)" -eq $((4 * 11 * (3 * 3 + 4)))
that "no value below the least, none above the start, no budget exceeded, tau 1e-1 no later than 1e-3" awk -F, 'NR == 1 { next }
  NF != 18 || $11 < $10 || $11 > $9 || $12 > 100 * ($4 + 1) || $13 > $12 * $8 || $15 > $16 || $16 > $17 || $17 > $18 { exit 1 }' \
  made/quick/runs.csv
that "each problem is solved by some method" awk -F, 'NR > 1 { seen[$1, $2]; if ($18 != "inf") solved[$1, $2] }
  END { for (k in seen) { n++; if (!(k in solved)) exit 1 }; exit n != 44 }' made/quick/runs.csv
that "profiles rise, from nothing to a fraction of problems, to the budget" awk -F, 'NR == 1 { next }
  { key = $1 "," $2 "," $3 "," $4 }
  key != last { if (NR > 2 && at != 100 || $5 != 0 || $6 != 0) exit 1 }
  key == last { if ($5 <= at || $6 < fraction || $6 > 1) exit 1 }
  { last = key; at = $5; fraction = $6 }
  END { if (at != 100) exit 1 }' made/quick/profile.csv
that "a profile's end is what is solved within 100" awk -F, 'FNR == 1 { for (k = 5; FILENAME ~ /ranks/ && k <= NF; k++) name[k] = $k; next }
  FILENAME ~ /profile/ { if ($5 == 100) end[$1, $2, $3, $4] = $6; next }
  $3 == 100 { for (k = 5; k <= NF; k++) if (($1, $2, $4, name[k]) in end) { n++; if (end[$1, $2, $4, name[k]] != $k) exit 1 } }
  END { exit n != 4 * 4 * (3 * 3 + 4) }' made/quick/profile.csv made/quick/ranks.csv
that "POUNDERS solves most smooth problems, and more than any other one point at a time" awk -F, \
  '$1 == "smooth" && $2 == 1e-5 && $3 == 10 && $4 == 1 { exit !($11 >= 0.7 && $11 > $8 && $11 > $9 && $11 > $10) }' made/quick/ranks.csv
if command -v gnuplot >/dev/null; then
  expect 0 gnuplot -e "root = '$root'; dir = 'made/quick'; kind = 'svg'" "$root/bench/dfo/dfo.gp"
  for picture in dfo dfo-ranks; do that "a whole picture" test "$(grep -c '</svg>' "made/quick/$picture.svg")" -eq 1; done
fi

# arguments
expect 0 "$PROGRAM" --help
that "help comes once" lines out '^usage: ' 1
for bad in --problem -o "-o ''" more; do
  eval "expect 2 '$PROGRAM' --quick $bad"
  has err '^bench-dfo: (unknown|no value)'
  has err '^usage: '
done
touch file
expect 2 "$PROGRAM" --quick -o file/results
has err '^file/results: '
verdict
