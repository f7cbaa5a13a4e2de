#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Friction of every kind on sparse matrices, by Stribeck, measured, viscous, in time: a search has the same bytes on any number of ranks; ranks that simulate one model
# together stick and slip alike.
#   usage: tests/ranks/stribeck.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
law='{law: sqrt, beta: 0.6, epsilon: 0.1}'

cat >blocks.yaml <<END
model:
  kind: friction
  matrices: sparse
  nodes: 6
  mass: 1
  stiffness: {links: 40, anchors: 1}
  friction: 1
  stribeck: $law
  x0: "0.1*sin(i)"
time: {end: 2, step: 0.02}
scheme: {theta: 0.6}
control:
  matrix: [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 1]]
  target: {position: [0.1, null, null, null, null, -0.1]}
search: {method: pds, scheme_size: 9, step: 4, max_simplexes: 30}
END
cat >string.yaml <<END
model:
  kind: string
  nodes: 20
  length: 1
  tension: 10
  density: 0.1
  friction: "2 + sin(9*t)"
  friction_table: {velocity: [0.05, 0.5, 2], friction: [5, 4, 4.5]}
  viscous: "0.1*s"
  x0: "0.05*sin(pi*s)"
time: {end: 0.6, steps: 60}
control:
  matrix: {shapes: ["exp(-50*(s-0.3)^2)", "exp(-50*(s-0.7)^2)"]}
  target: {position: {nodes: [6, 15], values: [0.01, -0.01]}, velocity: 0}
search: {method: pds, scheme_size: 9, step: 4, max_simplexes: 20}
END

for name in blocks string; do
  for n in 1 2 3; do
    code=0
    mpi_run "$n" "$PROGRAM" control $name.yaml -o "$name$n" -q 2>err || code=$?
    that "$name: control on $n ranks: exit $code" test "$code" -eq 0 -o "$code" -eq 3
    stripped "$name$n" >"$name$n.txt"
    that "$name: the bytes of one rank on $n" cmp "${name}1.txt" "$name$n.txt"
  done
  that "$name: the search has run" rows 10 "${name}1/search.csv"
done

simulate=(simulate "$problems/burridge-knopoff.yaml" -q --set model.nodes=12 --set time.end=20 --set output.every=1)
for n in 1 2 3; do
  expect 0 mpi_run "$n" "$PROGRAM" "${simulate[@]}" -o "together$n"
  that "$n ranks: the same events" cmp together1/events.csv "together$n/events.csv"
  that "$n ranks: the same motion" awk -F, '
    FNR == NR { first[FNR] = $2; next }
    FNR > 1 && (e = $2 - first[FNR]) * e > 1e-20 { exit 1 }' together1/trajectory.csv "together$n/trajectory.csv"
done
that "blocks slip" rows 10 together1/events.csv
verdict
