#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# events.h5, the slips of more than 64 degrees of freedom: exact distances and energies, what events.csv has of fewer, refusals.
#   usage: tests/program/slips.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# column FILE NAME: its numbers, a line each
column() { h5dump -m %.17g -y -w 1 -d "$2" "$1" | awk '/DATA \{/ { on = 1; next } on && /\}/ { exit } on && NF { gsub(/[ ,]/, ""); print }'; }
# catalogue DIR: dof start end slip energy, a line each
catalogue() {
  local name
  for name in dof start end slip energy; do column "$1/events.h5" $name >"$name"; done
  paste -d ' ' dof start end slip energy
}

# 70 masses of 2 kg that 0.5 N bring to rest: dof i from v0 = 0.25 n 0.01 m/s after n = 7 + i steps, to the left where i is odd
free() { # SURFACE
  awk -v w="$1" 'BEGIN { for (i = 1; i <= 70; i++) v0 = v0 (i > 1 ? "," : "") sprintf("%.17g", w + (i % 2 ? -1 : 1) * 0.0025 * (7 + i))
    printf "model: {kind: friction, mass: ["; for (i = 1; i < 70; i++) printf "2,"
    print "2], friction: 0.5, v0: [" v0 "], surface_velocity: " w "}"
    print "time: {end: 1, step: 0.01}\nscheme: {name: moreau, theta: 0.5}" }'
}
for w in 0 0.3; do
  free $w >free.yaml
  expect 0 "$PROGRAM" simulate free.yaml -o free$w --quiet
  catalogue free$w >rows
  that "on a surface at $w m/s each mass slips once, as far as it must" awk '
    function off(a, b) { return a - b > 0 ? a - b : b - a }
    { i = $1; n = 7 + i; v = 0.0025 * n; way = v * v * 2 / (2 * 0.5) * (i % 2 ? -1 : 1)
      if (i != NR || $2 != 0 || off($3, 0.01 * n) > 0.011 || off($4, way) > 1e-13 || off($5, 2 * v * v / 2) > 1e-13) { print "wrong:", $0 >"/dev/stderr"; bad = 1 } }
    END { exit bad || NR != 70 }' rows
  expect 0 "$PROGRAM" simulate free.yaml -o sum$w --quiet --set scheme.theta=1 # by which way = step times the speed that rubs
  that "and what friction took of them is what it took of all" awk -v all="$(jq .energy.dissipated sum$w/summary.json)" '
    { sum += $1 } END { exit !(all > 0.5 && sum - all < 1e-12 && all - sum < 1e-12) }' <(column sum$w/events.h5 energy)
  that "masses that nothing links are in no events" test "$(h5ls free$w/events.h5 | cut -d' ' -f1 | tr '\n' ' ')" = "dof end energy number slip start "
done
that "nothing else is left" test "$(find free0 -name 'events*' | sort | tr '\n' ' ')" = "free0/events.csv free0/events.h5 "

# masses that swing by themselves: 65 of them slip as 64 do
swing() { # DOFS
  awk -v d="$1" 'BEGIN { for (i = 1; i <= d; i++) { m = m (i > 1 ? "," : "") "1"; x = x (i > 1 ? "," : "") i / 20 }
    print "model: {kind: friction, mass: [" m "], stiffness: 9, friction: 0.5, force: sin(2*t), x0: [" x "]}\ntime: {end: 6, step: 0.01}" }'
}
for scheme in moreau centered lie; do
  for d in 64 65; do
    swing $d >swing.yaml
    expect 0 "$PROGRAM" simulate swing.yaml -o $scheme$d --quiet --set scheme.name=$scheme
  done
  catalogue ${scheme}65 >rows
  that "$scheme: the order is that of ends, then of dofs" sort -c -k3,3g -k1,1n rows
  awk '$1 < 65 { print $1, $2, $3 }' rows | sort >many
  awk -F, '/slip/ { print $1, $2, $3 }' ${scheme}64/events.csv | sort >few
  that "$scheme: the slips are those of events.csv" cmp few many
  that "$scheme: and there are many" test "$(wc -l <few)" -gt 300
done

# what is no chain has no events
{ printf '%%%%MatrixMarket matrix coordinate real symmetric\n70 70 71\n3 1 -0.5\n'; for i in $(seq 70); do echo "$i $i 1"; done; } >across.mtx
printf 'model: {kind: friction, mass: 1, matrices: sparse, stiffness: {file: across.mtx}, friction: 0.1, x0: 1}\ntime: {end: 1, steps: 50}\n' >across.yaml
expect 0 "$PROGRAM" simulate across.yaml -o across --quiet
that "no events of what is no chain" test "$(h5ls across/events.h5 | cut -d' ' -f1 | tr '\n' ' ')" = "dof end energy number slip start "

# stops: impacts, contacts, bounces that have come to their end, as they are and by steps
for scheme in event moreau; do
  expect 0 "$PROGRAM" simulate "$problems/stops.yaml" -o "stops-$scheme" --quiet --set scheme.name=$scheme --set 'model.stops.stiffness=[.inf, null]'
  that "$scheme: impacts are those counted, with the last of the ball and two of the block" test "$(grep -c '^1,.*,impact-$' "stops-$scheme/events.csv")" = \
    "$(jq '.counts.impacts - 3' "stops-$scheme/summary.json")"
  awk -F, '/contact|settled/ { print $1, $4, int($2 * 20 + 0.5), int($3 * 20 + 0.5) }' "stops-$scheme/events.csv" | sort >"$scheme.ends"
done
that "one that settles, and the block twice at its wall" test "$(cut -d' ' -f1,2 event.ends | tr '\n' ';')" = "1 settled-;2 contact+;2 contact+;"
that "steps and the motion itself have the same contacts" cmp <(grep contact event.ends) <(grep contact moreau.ends)
expect 0 "$PROGRAM" plot stops-event
figures stops-event positions velocities multipliers energy

# a disk that is full
(
  ulimit -f 300
  "$PROGRAM" simulate swing.yaml -o limited --quiet --set time.end=300 --set output.every=30000 2>err
  test $? -eq 70
) || fail "a full disk"
has err 'events.(part|h5|csv): could not be written in full'
verdict
