#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# bench-papers: the same numbers from one rank and from three; what is made is not made again; a missing part is.
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

expect 0 "$PROGRAM" --quick -o one
expect 0 mpi_run 3 "$PROGRAM" --quick -o three
for name in table-1 table-1-r search-methods counts splitting splitting-points curves curves-6.2 symmetrized-points oscillation uzawa thesis chains \
  study-orders strong controls-tp1 figure-22a; do
  that "$name.csv differs with the number of ranks" cmp -s "one/$name.csv" "three/$name.csv"
done
that "something that must hold does not" bash -c "! grep -q 'does not\*\*' one/RESULTS.md"

rm one/thesis.md
expect 0 "$PROGRAM" --quick -o one
has out '^thesis '
that "more than the missing part was made again" test "$(wc -l <out)" -eq 1
# nor does a part pass for the whole, or for another version's; the whole passes for a part
sed -i 's/^By stiction .*/By stiction 0.0.1, in full./' one/thesis.md
expect 0 "$PROGRAM" --quick -o one
has out '^thesis '
that "more than another version's part was made again" test "$(wc -l <out)" -eq 1
mkdir full
cp one/* full
full=$(sed -n 's/, a part of it alone (--quick)\.$/, in full./p' one/chains.md)
that "a part says that it is one" test -n "$full"
for name in table-{1,2,3,4,5} search-methods counts motions splitting curves symmetrized uzawa thesis study-runs strong study-controls; do echo "$full" >"full/$name.md"; done
expect 0 "$PROGRAM" -o full
has out '^chains '
that "a whole was made again" test "$(wc -l <out)" -eq 1
has full/chains.md "^$full\$"
expect 0 "$PROGRAM" --quick -o full
that "the whole does not pass for a part" test ! -s out
expect 2 "$PROGRAM" --no-such-option
verdict
