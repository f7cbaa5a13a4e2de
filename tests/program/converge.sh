#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# stiction converge: the table, its forms, its files, the orders; what it refuses, and why.
#   usage: tests/program/converge.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml

# column FILE SCHEME N: of the scheme's row in a CSV file
column() { awk -F, -v scheme="$2" -v n="$3" '$1 == scheme { print $n }' "$1"; }
within() { awk -v value="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(value >= low && value <= high) }'; }

# the orders of moreau on tp1: x(T), x, lambda, events; v(T) has no error
expect 0 "$PROGRAM" converge "$tp1" --schemes moreau -o made
has out '^moreau +400 +0.0125 .* 7 +[0-9.]+$'
has out '^moreau +6400 '
has out '^event( +-){7} +6 +[0-9.]+$'
has made/convergence.csv '^scheme,steps,step \(s\),x\(T\) \(m\),v\(T\) \(m/s\),x \(m\),lambda \(s\),events \(s\),events,us$'
that "six rows" test "$(wc -l <made/convergence.csv)" -eq 7
for n in 2 4 5 6; do
  that "order of column $n" within "$(column made/orders.csv moreau $n)" 0.85 1.15
done
that "v(T) has no error" test -z "$(column made/orders.csv moreau 3)"
figures made convergence

# errors fall, and those of the first row are those of the run itself
that "x(T) falls to a tenth in four halvings" \
  test "$(column made/convergence.csv moreau 4 | awk 'NR == 1 { first = $1 } END { print ($1 < first / 8) }')" = 1
expect 0 "$PROGRAM" simulate "$tp1" --set scheme='{name: moreau}' -o moreau
expect 0 "$PROGRAM" simulate "$tp1" --set scheme='{name: event}' -o event
largest=$(jq -n --slurpfile a moreau/summary.json --slurpfile b event/summary.json \
  '[$a[0].outcome.x_T, $b[0].outcome.x_T] | transpose | map(.[0] - .[1] | fabs) | max')
that "x(T) is off by what the runs say" \
  within "$(column made/convergence.csv moreau 4 | head -1)" "$(jq -n "$largest * (1 - 1e-6)")" "$(jq -n "$largest * (1 + 1e-6)")"

# forms, and schemes with keys of the file
expect 0 "$PROGRAM" converge "$problems/shiau-6.2.yaml" --schemes lie,moreau --steps 2 --format markdown
has out '^\| scheme \| steps '
has out '^\| lie +\| +1333 \|'
has out '^\| order +\|'
expect 0 "$PROGRAM" converge "$problems/shiau-6.2.yaml" --schemes lie --steps 2 --format csv
has out '^lie,2666,'
expect 0 "$PROGRAM" converge "$tp1" --steps 2 --quiet
that "quiet" test ! -s out
expect 0 "$PROGRAM" converge "$tp1" --steps 2 --set time.step=0.05
has out '^strang +200 '

# refused
expect 2 "$PROGRAM" converge "$tp1" --steps 2 -o made
has err 'made: is there already'
expect 0 "$PROGRAM" converge "$tp1" --steps 2 --schemes lie -o made --force
that "the old rows are gone" test "$(wc -l <made/convergence.csv)" -eq 4
expect 2 "$PROGRAM" converge "$problems/glowinski-2004-gearbox.yaml" --set model.surface_velocity=1 -o none
has err 'model.surface_velocity: '
that "nothing is left of what is refused" absent none
expect 2 "$PROGRAM" converge "$tp1" --schemes moreau,euler
has err "'euler' is none of moreau, centered, lie, strang$"
expect 2 "$PROGRAM" converge "$tp1" --schemes event
has err "'event' is none of "
expect 2 "$PROGRAM" converge "$tp1" --steps 1
has err '--steps expects 2 to 12, not 1$'
expect 2 "$PROGRAM" converge "$tp1" --steps many
has err '--steps expects a whole number'
expect 2 "$PROGRAM" converge "$tp1" --format html
has err '--format expects text, csv or markdown, not html$'
# with a control, the same of all schemes; without one it says so
expect 0 "$PROGRAM" converge "$tp1" --steps 2 -o still
has err 'without control, u = 0 .--control U takes another'
expect 0 "$PROGRAM" converge "$tp1" --steps 2 --control 12,-7,-9.5 -o moved
that "nothing is said of none" test "$(grep -c 'without control' err)" -eq 0
differ() { ! cmp -s "$1" "$2"; }
that "another motion" differ <(cut -d, -f1-8 still/convergence.csv) <(cut -d, -f1-8 moved/convergence.csv)
# shellcheck disable=SC2016
that "its errors fall, too" awk -F, 'NR > 1 && $1 == "moreau" && !first { first = $7 } NR > 1 && $1 == "moreau" { last = $7 }
  END { exit !(last < first && first < 1) }' moved/convergence.csv
expect 2 "$PROGRAM" converge "$tp1" --control 1,2
has err '--control: expected a results directory or 3 finite numbers'
expect 2 "$PROGRAM" converge
has err 'a problem file is missing'

# by default the schemes that take the file: symplectic moves masses, which a quasistatic chain has not
expect 0 "$PROGRAM" converge "$problems/chain-quasistatic.yaml" --steps 2
has out '^increment '
that "symplectic is left out" test "$(grep -c '^symplectic ' out)" -eq 0

verdict
