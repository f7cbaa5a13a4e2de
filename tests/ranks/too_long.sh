#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Motions that take more work than --max-segments: a few count as failed, with a warning; too many end a search early, with the best so far, the
# same bytes on any ranks; what takes too much everywhere is noticed soon. Of `identify` and `sweep`, too.
#   usage: tests/ranks/too_long.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# holds DIR CONDITION: of its summary
holds() { that "$1: $2" jq -e "$2" "$1/summary.json" >/dev/null; }

# a spring that hardens: the stronger the force, the faster the motion, the more segments
cat >wild.yaml <<'EOF'
model: {kind: friction, mass: 1, viscous: 0.1, friction: 0.1, x0: [0], springs: {anchors: {law: "x + x^3", range: [-100, 100]}}}
time: {end: 10, steps: 100}
scheme: {name: event}
control: {target: {position: [1]}, signal: {kind: piecewise_constant, segments: 2}}
search: {method: pds, scheme_size: 16, step: 30}
EOF
expect 0 "$PROGRAM" control wild.yaml -o whole --quiet
holds whole '.counts.too_long == 0'
expect 0 "$PROGRAM" control wild.yaml -o few --quiet --max-segments 70
has err '^stiction control: warning: [0-9]+ evaluations of [0-9]+ took more work than --max-segments 70, and count as failed \(.*moreau; a larger one allows more\)$'
holds few '.counts | .too_long > 0 and .too_long <= 64 and .non_finite == 0'
that "wild trial points do no harm" cmp <(jq .outcome.J whole/summary.json) <(jq .outcome.J few/summary.json)
expect 0 "$PROGRAM" control wild.yaml -o local --quiet --max-segments 60 --set search.method=nlopt:cobyla
holds local '.counts.too_long > 0 and .outcome.reason == "tolerance"'

# too many: the search ends early, on any number of ranks
for method in pds auto; do
  many=(control wild.yaml --max-segments 40 --set "search.method=$method")
  expect 4 "$PROGRAM" "${many[@]}" -o $method-1
  has err '^stiction control: 65 evaluations of [0-9]+ took more work than --max-segments 40: the search has ended early \(.*moreau'
  has out '^u\* = '
  holds $method-1 '.outcome.reason == "too_long" and .counts.too_long == 65 and .outcome["E1"] <= 1 and (.outcome.x_T | length) == 1'
  that "$method: there is its motion" test -s $method-1/trajectory.csv
  for n in 2 4; do
    expect 4 mpi_run $n "$PROGRAM" "${many[@]}" -o $method-$n --batch 5
    that "$method: $n ranks have the same bytes" cmp <(stripped $method-1) <(stripped $method-$n)
  done
  expect 4 "$PROGRAM" resume $method-4
done

# none is short enough
expect 4 "$PROGRAM" control wild.yaml -o none --max-segments 1
has err '^stiction control: none of 8 evaluations could be done with --max-segments 1 \(.*moreau; a larger one allows more\)$'
holds none '.outcome.reason == "too_long" and .counts.ivps == 8 and .counts.too_long == 8 and (.outcome | has("x_T") | not)'
expect 4 mpi_run 3 "$PROGRAM" control wild.yaml -o none3 --max-segments 1
that "3 ranks find that, too" cmp <(stripped none) <(stripped none3)
expect 4 "$PROGRAM" control "$problems/tp1.yaml" -o steps --quiet --max-segments 0.5 # 400 steps of three masses: 5
has err 'none of 8 evaluations could be done with --max-segments 0.5 \(longer steps, or the solver exact, take less'
expect 0 "$PROGRAM" control "$problems/tp1.yaml" -o enough --quiet --max-segments 1000 --set search.max_simplexes=30
holds enough '.counts.too_long == 0'

# identify says why
expect 4 "$PROGRAM" identify "$problems/identify.yaml" -o identified --quiet --max-segments 1
has err '^stiction identify: no start has a motion that could be compared: ([0-9]+) of \1 took more work than --max-segments 1 \('

# a row of a sweep
expect 4 "$PROGRAM" sweep wild.yaml -o swept --quiet --max-segments 40 --vary 'search.step=[0.5, 30]' --keep
has swept/sweep.csv ',failed,'
has swept/sweep.csv ',met,'
every_summary whole few local pds-1 auto-1 none steps swept
verdict
