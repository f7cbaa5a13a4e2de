#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# An energy that does not close is a failure, with exit code 4 and the time, wherever a motion is watched. PROGRAM's schemes have a mistake
# where STICTION_LEAK says so (leaking.c).
#   usage: tests/program/energy.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

holds() { that "$1: $2" jq -e "$2" "$1/summary.json" >/dev/null; }
open='its energy does not close: at t = 1 s by [0-9.e-]+ of the largest energies up to then'

cat >block.yaml <<'END'
model: {kind: friction, mass: 1, stiffness: 0, friction: 1, x0: [0]}
time: {end: 2, step: 0.05}
control:
  target: {position: [1], velocity: [0]}
  signal: {kind: piecewise_constant, segments: 4}
END
u=(--control "3,2,1,-2")

# simulate
expect 0 "$PROGRAM" simulate block.yaml "${u[@]}" -o whole
holds whole '.energy | .closes and .closing_error < 1e-10 and (.closure | fabs) < 1e-10'
for quiet in '' --quiet; do
  expect 4 env STICTION_LEAK=moreau:1 "$PROGRAM" simulate block.yaml "${u[@]}" -o leak --force $quiet
  has err "^stiction simulate: $open; the results in leak end there$"
done
holds leak '.energy | .closes == false and .closing_error > 1e-4 and .closing_time == 1'
holds leak '.outcome | .reason == "failed" and (.failure | startswith("its energy does not close"))'
that "the motion ends there" test "$(tail -n 1 leak/energy.csv | cut -d, -f1)" = 1
that "nothing else has changed" cmp <(head -n 21 whole/trajectory.csv) <(head -n 21 leak/trajectory.csv)
expect 0 env STICTION_LEAK=event:1 "$PROGRAM" simulate block.yaml "${u[@]}" -o other
expect 4 env STICTION_LEAK=event:1 "$PROGRAM" simulate block.yaml "${u[@]}" --verify -o verify
has err "^stiction simulate: the motion itself: $open$"
holds verify '.verify.reason | startswith("its energy does not close")'

# control: the answer's trajectory, the motion itself, the refined answer
expect 0 "$PROGRAM" control block.yaml -o met
holds met '.energy.closes and .outcome.refined.J > 3'
expect 4 env STICTION_LEAK=moreau:1 "$PROGRAM" control block.yaml -o grid --quiet
has err "^stiction control: the optimum's trajectory: $open$"
expect 4 env STICTION_LEAK=event:1 "$PROGRAM" control block.yaml -o itself --quiet
has err "^stiction control: the motion itself: $open$"
holds itself '.outcome | (has("refined") | not) and (.exact.reason | startswith("its energy does not close"))'
expect 4 env STICTION_LEAK=event:1 "$PROGRAM" control block.yaml -o refined --set output.verify=no
has err "^stiction control: the refined answer's motion: $open$"
holds refined '.outcome.refined | (has("u") | not) and (.reason | startswith("its energy does not close"))'

# a control that costs less, found on the way of a proof: its motion is the second one that is watched
dear=("$PROGRAM" control "$problems/tp1.yaml" --set 'control.target={position: [2, null, null], velocity: [0, null, null]}'
  --set 'scheme={name: event}' --set search.method=sqp --set search.restarts=0 --set 'control.start=[10, 60, 5]'
  --set search.certify.gap=0.02 --set output.verify=no -o)
expect 0 "${dear[@]}" dear
holds dear '.outcome.certificate | .proven and has("better")'
expect 4 env STICTION_LEAK=event:1:2 "${dear[@]}" better --quiet
has err "^stiction control: the motion of a better control: $open$"
holds better '.outcome.certificate | (has("better") | not) and (.reason | startswith("its energy does not close"))'
# one that a signal interrupts is found again
expect 85 env STICTION_STOPPED_MOTION=2 "${dear[@]}" stopped
expect 0 "$PROGRAM" resume stopped
that "the same proof" cmp <(jq -S .outcome.certificate dear/summary.json) <(jq -S .outcome.certificate stopped/summary.json)

# each row of a sweep, converge, scenarios, identify
expect 4 env STICTION_LEAK=centered:1 "$PROGRAM" sweep block.yaml --simulate --vary 'scheme=[{name: moreau}, {name: centered}]' -o rows
that "one row has failed" test "$(grep -c 'its energy does not close' rows/sweep.csv)" -eq 1
that "the other has not" test "$(grep -c ',done,' rows/sweep.csv)" -eq 1
expect 4 env STICTION_LEAK=lie:1 "$PROGRAM" converge block.yaml --steps 2
has err 'lie with 40 steps: its energy does not close'
expect 4 env STICTION_LEAK=moreau:1 "$PROGRAM" simulate block.yaml "${u[@]}" --scenarios -o scenarios \
  --set 'scenarios={count: 4, vary: {model.friction: {relative: 0.1}}}'
has err "$open; the results in scenarios end there$"
cat >measured.csv <<'END'
t,x1
0,0
0.5,0.25
1,0.9
2,2.4
END
cat >identify.yaml <<'END'
model: {kind: friction, mass: 1, stiffness: 0, friction: 1, x0: [0], force: "2.4"}
time: {end: 2, step: 0.05}
identify: {model.friction: {lower: 0.5, upper: 2}}
measured: {file: measured.csv, deviation: {position: 0.01}}
END
expect 4 env STICTION_LEAK=moreau:1 "$PROGRAM" identify identify.yaml --set scheme.name=moreau -o identify
has err "the motion with the values found: $open$"

verdict
