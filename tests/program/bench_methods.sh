#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# bench-methods: its table alone and on three ranks, which agree; the profile and its picture; its arguments.
#   usage: tests/program/bench_methods.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed (Debian's package gnuplot-nox)"; exit 77; }
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
methods="auto sqp pds nlopt:cobyla nlopt:bobyqa nlopt:sbplx nlopt:auglag nlopt:neldermead tao:pounders hybrid"

# three ranks
expect 0 mpi_run 3 "$PROGRAM" --quick -o made/three
mv out table
has err '^1 of 1: tp1, norm 2 \.\.\. [0-9.]+ s$'
that "three files, no more" test "$(ls made/three)" = $'methods.csv\nprofile.csv\nprofile.svg'
that "a row for each method" test "$(awk -F, 'NR > 1 { printf "%s%s", sep, $3; sep = " " }' made/three/methods.csv)" = "$methods"
that "whole rows" awk -F, 'NF != 13 { exit 1 } NR > 1 { if ($1 != "tp1" || $2 != "2") exit 1
  for (k = 4; k <= 13; k++) if ($k !~ /^([0-9.]+(e[-+]?[0-9]+)?|inf)$/) exit 1
  if (!($4 >= 0 && $4 <= 3) || ($4 > 0) != ($6 == "inf") || $5 > $6 && $6 != "inf") exit 1
  for (k = 9; k <= 13; k++) if (!($k > 0)) exit 1 }' made/three/methods.csv
has made/three/methods.csv '^tp1,2,hybrid,0,'
that "the table is printed, too" test "$(wc -l <table)" -eq 11

# each curve from ratio 1 to the last of all, rising, in 0..1, up to what the method has solved
that "heads of the profile" test "$(head -n 1 made/three/profile.csv)" = cost,method,ratio,fraction
for cost in evaluations seconds; do
  for method in $methods; do
    solved=$(awk -F, -v m="$method" '$3 == m { print (3 - $4) / 3 }' made/three/methods.csv)
    that "the curve of $cost, $method" awk -F, -v c=$cost -v m="$method" -v solved="$solved" '
      NR == 1 { next }
      NF != 4 { bad = 1 }
      $1 == c && $3 > last { last = $3 }
      $1 == c && $2 == m { if (!n++ && $3 != 1 || n > 1 && $3 <= ratio || $4 < fraction || $4 < 0 || $4 > 1) bad = 1
        ratio = $3; fraction = $4 }
      END { exit bad || n < 2 || ratio != last || (fraction - solved) ^ 2 > 1e-12 }' made/three/profile.csv
  done
  that "some method is best in each run by $cost" awk -F, -v c=$cost \
    '$1 == c && $3 == 1 { sum += $4 } END { exit !(sum > 1 - 1e-6) }' made/three/profile.csv
done
that "a whole picture" test "$(tail -n 2 made/three/profile.svg | head -n 1)" = '</svg>'
for method in $methods; do has made/three/profile.svg ">$method</tspan>"; done

# one rank: the same evaluations, no times of others; without gnuplot the data stay, and no picture of others
mkdir -p none made/one
touch made/one/profile.svg
expect 2 mpi_run 1 env PATH="$PWD/none" "$PROGRAM" --quick -o made/one --csv
has err "gnuplot was not found \(it is in Debian's package gnuplot-nox\)"
has err '^bench-methods: no picture; the data are in made/one: methods.csv, profile.csv$'
that "the data" test "$(ls made/one)" = $'methods.csv\nprofile.csv'
that "the same table" diff out made/one/methods.csv
that "as many evaluations as on three ranks" diff <(cut -d, -f1-8 made/one/methods.csv) <(cut -d, -f1-8 made/three/methods.csv)
that "no time of several ranks" test "$(tail -n +2 made/one/methods.csv | grep -c ',,$')" -eq 10

# what hybrid and derivatives are for: all of 20 starts, in all norms, at few evaluations in the median
for row in hybrid:120 sqp:40 auto:40; do
  IFS=: read -r method most <<<"$row"
  expect 0 mpi_run 1 "$PROGRAM" --problem tp1 --method "$method" --csv
  that "$method fails nowhere, and needs few evaluations" awk -F, -v m="$method" -v most="$most" \
    'NR > 1 { n++; if ($3 != m || $4 != 0 || $5 > most || m != "hybrid" && $8 - $7 > 1e-4 * $7) bad = 1 } END { exit bad || n != 3 }' out
done

# on a plateau a local method has no descent direction; its problems can be solved all the same
expect 0 mpi_run 1 "$PROGRAM" --quick --problem plateau --csv
that "local methods stay on a plateau, pds leaves it" \
  awk -F, 'NR > 1 { n++; if ($4 != ($3 ~ /:/ ? 3 : 0)) bad = 1 } END { exit bad || n < 10 }' out

# one method alone; to the least effort, from where nothing moves
expect 0 mpi_run 1 "$PROGRAM" --problem tp1-event-zero --method auto --csv
that "auto takes few motions" awk -F, 'NR > 1 { n++; if ($3 != "auto" || $4 != 0 || $5 > 100) bad = 1 } END { exit bad || n != 1 }' out

# arguments
expect 0 mpi_run 3 "$PROGRAM" --help
that "help comes once" lines out '^usage: ' 1
for bad in --profile '--problem tp3' --problem '--method none' --method -o "-o ''" more; do
  eval "expect 2 '$PROGRAM' --quick $bad"
  has err '^bench-methods: (unknown|no value)'
  has err '^usage: '
done
touch file
expect 2 "$PROGRAM" --quick -o file/results
has err '^file/results: '
verdict
