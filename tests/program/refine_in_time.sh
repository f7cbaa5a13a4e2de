#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# control.signal.refine_to: an answer's segments are doubled after the search, and J falls; replayed, started from, resumed, refused.
#   usage: tests/program/refine_in_time.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
arm=$problems/signal-2x8.yaml
event=(--set 'scheme={name: event}')

# holds DIR CONDITION: of what its summary says of the refined answer
holds() { that "$1: $2" jq -e ".outcome.refined | $2" "$1/summary.json" >/dev/null; }
falls='[.levels[].J] as $J | all(range(1; $J | length); $J[.] < $J[. - 1])'

# on the motion itself, where it does not matter that there are more segments than steps
expect 0 "$PROGRAM" control "$arm" -o fine "${event[@]}" --set control.signal.refine_to=512
holds fine '[.levels[].segments] == [8, 16, 32, 64, 128, 256, 512]'
holds fine "$falls"
holds fine '.levels[0].J > 64.06 and .levels[2].J <= 63.11 and .J <= 62.9 and .J == .levels[-1].J and (.u | length) == 512'
holds fine '.["E1"] < 1e-9 and .["E2"] < 1e-9 and .optimality.kkt < 1e-6 and .evaluations == ([.levels[].evaluations] | add)'
has out '^in 32 segments: J = 62\.[0-9]+$'
has out '^refined: J = 62\.[0-9]+, E1 = [^ ]+, E2 = [^ ]+ on the motion itself \([0-9]+ simulations; its u is outcome\.refined\.u\)$'
that "the search's own answer has 8" test "$(jq '.outcome.u | length' fine/summary.json)" -eq 8

# replayed, and started from, in as many segments
expect 0 "$PROGRAM" simulate "$arm" -o replay "${event[@]}" --set control.signal.refine_to=512 --control fine
that "its replay ends there" jq -es '.[0].outcome.refined as $r | .[1].outcome |
  .u == $r.u and (.J - $r.J | fabs) < 1e-9 and .["E1"] < 1e-9 and .["E2"] < 1e-9' {fine,replay}/summary.json >/dev/null
expect 0 "$PROGRAM" simulate "$arm" -q -o grid-replay --control fine
that "on the grid the search's own" cmp <(jq .outcome.u fine/summary.json) <(jq .outcome.u grid-replay/summary.json)
expect 0 "$PROGRAM" check "$arm" "${event[@]}" --set control.signal.segments=512 --set "control.start={from: $PWD/fine}"
that "a search of 512 starts there" cmp <(sed '1,/^as understood/d' out | jq .control.start) <(jq .outcome.refined.u fine/summary.json)

# a search on the grid; refined on the exact motion, or on the grid, with steps halved along with the segments; the same on two ranks
expect 0 "$PROGRAM" control "$arm" -q -o exact --set control.signal.refine_to=32
holds exact "$falls and .motion == \"event\" and .levels[0].segments == 8 and .J <= 63.11"
expect 0 mpi_run 2 "$PROGRAM" control "$arm" -q -o ranks --set control.signal.refine_to=32
that "two ranks" cmp <(stripped exact) <(stripped ranks)
expect 0 "$PROGRAM" control "$arm" -q -o grid --set search.refine=grid --set control.signal.refine_to=256 --set time.step=0.02
holds grid '.motion == "moreau" and [.levels[].steps] == [100, 100, 100, 100, 200, 400] and .["E1"] < 1e-9'
# an answer of PDS, which is far from the least cost; u(t) of linear pieces
expect 0 "$PROGRAM" control "$arm" -q -o pds --set search.method=pds --set search.stop_at=1e-6 --set control.signal.refine_to=16
holds pds "$falls"
expect 0 "$PROGRAM" control "$arm" -q -o linear --set control.signal.kind=piecewise_linear --set control.signal.refine_to=16 --set search.local_starts=8
holds linear "$falls"
# a rate may forbid what the coarser signal did
expect 0 "$PROGRAM" control "$arm" -q -o rate --set control.bounds.rate=60 --set control.signal.refine_to=16 --set search.local_starts=16
holds rate '.u as $u | all(range(1; $u | length); . as $k | all(0, 1; ($u[$k][.] - $u[$k - 1][.] | fabs) <= 60 * 2 / 16 * (1 + 1e-12)))'
cat >ends.yaml <<'END'
model: {kind: friction, mass: [1], friction: [1], stops: {upper: 50, stiffness: 1}}
time: {end: 1, steps: 50}
scheme: {name: centered}
control: {signal: {kind: piecewise_constant, segments: 2, refine_to: 4}, start: 3, target: {position: [1]}}
search: {method: pds, stop_at: 1e-2, refine: grid}
END
expect 2 "$PROGRAM" check ends.yaml
has err ': control.signal.refine_to: of a motion without derivatives .expected none.$'
expect 0 "$PROGRAM" check ends.yaml --set search.refine=exact
# a budget leaves no answer to refine
"$PROGRAM" control "$arm" -o budget --set control.signal.refine_to=16 --set search.method=pds --set search.max_simplexes=2 >out 2>err
holds budget '.reason == "the search\u0027s budget is spent" and (has("u") | not)'
has out "^not refined .*: the search's budget is spent$"

for wrong in 40 4; do
  expect 2 "$PROGRAM" check "$arm" --set control.signal.refine_to=$wrong
  has err ": control.signal.refine_to: $wrong .expected 8 times a power of 2.$"
done
expect 2 "$PROGRAM" check "$arm" --set control.signal.refine_to=4096
has err ': control.signal.refine_to: 4096 segments of 2 controls are 8192 variables'

expect 2 "$PROGRAM" check "$arm" --set control.signal.refine_to=16 --set search.refine=none
has err ': control.signal.refine_to: with search.refine: none .expected exact or grid.$'
expect 2 "$PROGRAM" check "$arm" --set 'control.signal={refine_to: 16}'
has err ': control.signal.kind: missing'
every_summary .
verdict
