#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Published problems (bench/published): a few of them anew, against the page, and that a wrong equation or an unmet target is found.
#   usage: tests/program/published.sh PROGRAM
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
room=$root/bench/published

# cell FILE PROBLEM COLUMN: of a table's row
cell() { awk -F' *[|] *' -v name="$2" -v column="$3" '$2 == name { print $column }' "$1"; }
# near A B: to 1e-3
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a < b * 1.001 && b < a * 1.001) }'; }

checked=(MFTOPT-27 turn two mpc)
expect 0 python3 "$room/published.py" "$PROGRAM" --starts 2 "${checked[@]}" 986FO 986OM FBS1S stick-slip
for name in "${checked[@]}"; do
  that "$name is met" test "$(cell out "$name" 6)" = yes
  that "$name costs what the page says" near "$(cell out "$name" 7)" "$(cell "$room/results.md" "$name" 7)"
done
that "from random controls, too" test "$(cell out MFTOPT-27 12)" = '2 of 2'
for name in 986OM FBS1S stick-slip; do
  that "$name ends where the page says" test "$(cell out "$name" 4)" = "$(cell "$room/results.md" "$name" 4)"
done
that "the least time is the closed form, 1/3 + sqrt(28/9)" awk -v t="$(cell out turn 7)" 'BEGIN { exit !(t > 2.0971675 - 1e-6 && t < 2.0971676 + 1e-6) }'

# a copy of the rooms with another threshold in a file, another belt, another mass of the equations
mkdir -p copy/bench copy/jobs
cp -r "$room" "$root/bench/conformance" copy/bench
cp -r "$problems" copy/jobs
sed -i 's/friction: 0.2,/friction: 0.2001,/' copy/bench/published/problems/mpc.yaml
sed -i 's/cos(t) + 0.7/cos(t) + 0.70001/' copy/bench/published/problems/986om.yaml
expect 1 python3 copy/bench/published/published.py "$PROGRAM" --starts 0 mpc 986OM turn
has err '^mpc: reported as met, but x\(T\) misses by '
has err '^986OM: the motions differ by '
that "the others agree" test "$(grep -c '^turn' err)" = 0
sed -i 's/friction: 0.2001,/friction: 0.2,/; s/lower: -2, upper: 2/lower: -0.1, upper: 0.1/' copy/bench/published/problems/mpc.yaml
expect 0 python3 copy/bench/published/published.py "$PROGRAM" --starts 0 mpc
that "what cannot be met is not met" test "$(cell out mpc 6)" = no

expect 2 python3 "$room/published.py" "$PROGRAM" nothing
has err '^published.py: error: there is no problem nothing '
expect 2 python3 "$room/published.py" "$PROGRAM" --starts -1
has err '^published.py: error: --starts -1 '
expect 2 python3 "$room/published.py" ./nowhere
has err '^published.py: error: ./nowhere: there is no such program$'
verdict
