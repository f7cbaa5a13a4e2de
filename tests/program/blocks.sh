#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Rows of blocks pushed at one end: the scheme is `event` where fewer forces act than joints rub; the steps after the search cost no more than the search;
# a row that is too long misses its target, and nothing else is printed.
#   usage: tests/program/blocks.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# row N: a file with N blocks
row() {
  local ones=1 first='[1]' k
  for ((k = 2; k <= $1; k++)); do ones+=', 1' first+=', [0]'; done
  cat >"row$1.yaml" <<END
model: {kind: friction, mass: [$ones], stiffness: {springs: [${ones//1/5}, 0]}, damping: 0.1, friction: 0.4, x0: 0.2}
time: {end: 5, steps: 500}
control:
  matrix: [$first]
  signal: {kind: piecewise_constant, segments: 10}
  bounds: {lower: -20, upper: 20}
  target: {position: 0, velocity: 0}
END
}
# scheme FILE [--set ..]: of its problem as it is read
scheme() { "$PROGRAM" check --json "$@" | jq -r '.problem.scheme.name'; }

for n in 1 2 3 16 17; do row $n; done
that "one block has a force of its own" test "$(scheme row1.yaml)" = moreau
that "two have one force" test "$(scheme row2.yaml)" = event
that "one of the two rubs" test "$(scheme row2.yaml --set 'model.friction=[0.4, 0]')" = moreau
that "sixteen are few" test "$(scheme row16.yaml)" = event
that "seventeen are many" test "$(scheme row17.yaml)" = moreau
that "the file's own scheme counts" test "$(scheme row2.yaml --set scheme.name=moreau)" = moreau
that "also where only another key is there" test "$(scheme row2.yaml --set scheme.theta=1)" = moreau

that "thresholds in time count" test "$(scheme row2.yaml --set 'model.friction=0.4 + 0.1*sin(t)')" = event
gearbox='model.gearbox={delta: 1, k: delta, a: 0.5, b: 1.5, law: ramp, beta: 0.5, epsilon: 0.1}'
that "what event does not take is for steps" test "$(scheme row2.yaml --set 'model.friction={forward: 1, backward: 0.5}' --set "$gearbox")" = moreau

for n in 2 3; do
  expect 0 "$PROGRAM" control row$n.yaml -o row$n
  that "$n blocks are where they are to be" jq -e '.outcome | .["E1"] <= 1e-9 and .["E2"] <= 1e-9' row$n/summary.json >/dev/null
  that "what is refined costs less" jq -e '.outcome | .refined == null or .refined.J < .J' row$n/summary.json >/dev/null
done
that "SQP has gone on from beside three blocks' answer" jq -e '.outcome.refined.J < .outcome.J' row3/summary.json >/dev/null
# the same bits on ranks: the way down from what costs less beside the answer, too
expect 0 mpi_run 3 "$PROGRAM" control row3.yaml -o row3_3
that "on three ranks the same" cmp <(jq .outcome row3/summary.json) <(jq .outcome row3_3/summary.json)

# with more time, and from there back: where nothing was found, on ranks, too; or how near it has come
few=(--set time.end=3.5 --set search.local_starts=1 --set search.restarts=0)
expect 0 "$PROGRAM" control row3.yaml -o back "${few[@]}"
has out '^found with more time, time\.end = 5\.25, and from there back in [0-9]+ steps$'
that "the search has missed" jq -e '.outcome | .["E1"] > 1e-3 and .refined["E1"] <= 1e-9 and .further.end == 3.5 and .further.taken == "longer"' back/summary.json >/dev/null
expect 0 "$PROGRAM" simulate row3.yaml --control back -o again "${few[@]}"
that "it is met" jq -e '.outcome | .["E1"] <= 1e-9 and .["E2"] <= 1e-9' again/summary.json >/dev/null
expect 0 mpi_run 3 "$PROGRAM" control row3.yaml -o back_3 "${few[@]}"
that "from there on three ranks the same" cmp <(jq .outcome back/summary.json) <(jq .outcome back_3/summary.json)
expect 3 "$PROGRAM" control row3.yaml -o near "${few[@]}" --set control.signal.segments=8
has err 'What may find one: time=\{end: 5\.25, steps: 500\} \(met there\), search\.local_starts=256 \(about [0-9]+ evaluations; this run: [0-9]+\)$'
expect 0 "$PROGRAM" control row3.yaml -o longer "${few[@]}" --set control.signal.segments=8 --set time.end=5.25
that "nothing further where nothing is to be refined" test "$("$PROGRAM" control row3.yaml -o none "${few[@]}" --set search.refine=none 2>&1 | grep -c 'more time')" = 0

expect 3 "$PROGRAM" control row16.yaml -o row16 --set search.local_starts=2 --set search.restarts=0 --set control.signal.segments=4
has err '^stiction control: no control found that meets the target; nearest: J = .*, E1 = .*, E2 = .* \(search.accept: 1e-06\)\. What may find one: wider control\.bounds or a larger rate \(nothing within them was found nearer than u = 0\), a later time\.end, search\.local_starts=256 \(about [0-9]+ evaluations; this run: [0-9]+\)$'
# a motor and a load on a belt: SQP finds nothing cheaper from given starts
cat >belt.yaml <<END
model: {kind: friction, mass: [1, 2], stiffness: {links: [400]}, damping: {links: [1]}, friction: [1, 2]}
time: {end: 2, steps: 800}
control:
  matrix: [[1], [0]]
  signal: {kind: piecewise_constant, segments: 12}
  target: {position: [null, 0.5], velocity: 0}
END
expect 0 "$PROGRAM" control belt.yaml -o belt
# the search is by event, and SQP has not lowered its answer: this answer counts as a minimum all the same
that "few minima are found at once" jq -e '.outcome | .refined == null and (.further | .taken == "none" and (has("from") | not)) and .further.evaluations < 1000' belt/summary.json >/dev/null
for start in 1 3 -1; do
  expect 0 "$PROGRAM" control belt.yaml -o "belt$start" --set search.method=sqp --set "control.start=$start"
  that "no less from $start" jq -es 'map(.outcome | .refined.J // .J) | .[0] <= .[1] * (1 + 1e-6)' belt/summary.json "belt$start/summary.json" >/dev/null
done
# three blocks with many minima: what costs less, and was found while minima were counted, is kept
cat >many.yaml <<END
model: {kind: friction, mass: [1.8, 1.79, 1.67], stiffness: {links: [27.7, 51.4]}, friction: [0.19, 0.65, 0.41]}
time: {end: 4.5, steps: 400}
control:
  matrix: [[1], [0], [0]]
  signal: {kind: piecewise_constant, segments: 12}
  target: {position: 0.32, velocity: 0}
END
expect 0 "$PROGRAM" control many.yaml -o many --set search.bound=no
that "what costs less is kept" jq -e '.outcome | .further.taken == "beside" and .refined.J < 3.396 and .refined["E1"] <= 1e-9' many/summary.json >/dev/null
expect 0 mpi_run 3 "$PROGRAM" control many.yaml -o many_3 --set search.bound=no
that "what is kept on three ranks is the same" cmp <(jq .outcome many/summary.json) <(jq .outcome many_3/summary.json)
# what may find a control: what was in the way first
expect 3 "$PROGRAM" control belt.yaml -o spent --set search.max_evaluations=20
has err 'What may find one: a larger search\.max_evaluations \(it is 20\), a later time\.end$'
expect 3 "$PROGRAM" control row2.yaml -o narrow --set search.bound=no --set 'control.bounds={lower: -0.1, upper: 0.1}'
has err 'What may find one: wider control\.bounds \([0-9]+ of 10 values of u are at them\), '
sed -e 's/^  bounds: .*/  bounds: {rate: 0.01}/' -e 's/x0: 0.2/x0: 0.05/' row2.yaml >slow.yaml
expect 3 "$PROGRAM" control slow.yaml -o slow
has err 'What may find one: a larger control\.bounds\.rate \(it holds [0-9]+ of 10 changes of u\), '
expect 3 "$PROGRAM" control row2.yaml -o idle --set search.bound=no --set 'control.matrix=[[1, 0], [0, 0]]' --set time.end=0.2
has err 'What may find one: an entry in column 2 of control\.matrix \(force 2 acts on nothing\), '
# no spring between the two: the second stays where it is, whatever the force
expect 3 "$PROGRAM" control belt.yaml -o apart --set 'model.stiffness=0' --set 'model.damping=0' --set search.restarts=0
has err 'What may find one: a force or a spring that reaches joint 2$'
expect 0 "$PROGRAM" check belt.yaml --set 'model.stiffness=0' --set 'model.damping=0'
has out '^warning    control\.target: no force reaches joint 2, which is to be elsewhere$'
expect 0 "$PROGRAM" check row2.yaml --set 'control.matrix=[[1, 0], [0, 0]]'
has out '^warning    control\.matrix: force 2 acts on nothing$'
that "nothing is proven" test "$(grep -c 'out of reach' err)" = 0
# how far and how often the belt's block swings, from a time on: near what it does where friction falls at once
expect 0 "$PROGRAM" simulate "$problems/belt.yaml" -o swings -q --set output.peaks_from=10 --set time.end=60
that "amplitude and frequency" jq -e '.motion | (.amplitude - 0.70710678 | fabs) < 0.005 and (.frequency * 6.712 - 1 | fabs) < 0.003 and
  .from == 10 and .sticks.count == [7] and .x.amplitude == [.amplitude] and (.v.greatest[0] - 0.5 | fabs) < 1e-9' swings/summary.json
expect 2 "$PROGRAM" check "$problems/belt.yaml" --set output.peaks_from=30
has err 'output.peaks_from: 30 s \(expected before time.end, 30 s\)'

verdict
