#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Friction by place or load, and masses of 0, in files: control where a scheme has no derivatives, the echo, several ranks, ranges.
#   usage: tests/program/rise.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
gear=$problems/worm-gear.yaml

# the echo is the problem: the same motion
expect 0 "$PROGRAM" simulate "$gear" -o one --quiet
jq .problem one/summary.json >echo.json
expect 0 "$PROGRAM" simulate echo.json -o two --quiet
that "the echo moves alike" cmp one/trajectory.csv two/trajectory.csv

# control where derivatives may lack: by other methods
cat >block.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, friction_rise: {law: "2*abs(x)", range: [-30, 30]}}
time: {end: 2, step: 0.01}
control: {target: {position: 1, velocity: 0}, signal: {kind: piecewise_constant, segments: 4}}
search: {max_evaluations: 100, restarts: 0}
END
for settings in '{name: centered, multiplier: unregularized}' '{name: lie}' '{name: event}' '{name: moreau}'; do
  "$PROGRAM" control block.yaml -o block --force --quiet --set "scheme=$settings" >out 2>err
  that "control by $settings runs" test $? -le 3
done
"$PROGRAM" control block.yaml -o block --force --quiet --set 'model.stops={upper: 5, stiffness: 100}' >out 2>err
that "control beside stops runs" test $? -le 4
cat >light.yaml <<'END'
model: {kind: friction, mass: [1, 0], stiffness: [[50, -50], [-50, 60]], friction: [1, 0.5]}
time: {end: 2, step: 0.01}
control: {matrix: [[1], [0]], target: {position: [1, null], velocity: [0, null]}, signal: {kind: piecewise_constant, segments: 4}}
search: {max_evaluations: 100, restarts: 0}
END
"$PROGRAM" control light.yaml -o light --force --quiet >out 2>err
that "control with a mass of 0 runs" test $? -le 3

# a spring's force is not known on another rank; x0 beyond the range
cat >row.yaml <<'END'
model: {kind: friction, matrices: sparse, mass: [1, 1], stiffness: {springs: [1, 1, 1]}, friction: 1, friction_rise: {law: "abs(x)", of: before, range: [-1, 1]}}
time: {end: 1, step: 0.1}
END
expect 2 mpi_run 2 "$PROGRAM" simulate row.yaml -o row
has err 'model.friction_rise.of: of a spring, on several ranks'
expect 2 "$PROGRAM" simulate block.yaml -o far --set model.x0=40
has err 'model.friction_rise.range: x0 is beyond it'
expect 2 "$PROGRAM" simulate block.yaml -o lag --set 'scheme={name: centered}'
has err 'with the multiplier regularized.*expected unregularized'
expect 2 "$PROGRAM" simulate block.yaml -o lone --set model.friction_rise.of=before
has err 'with one degree of freedom'

# a trial motion that leaves the range is no failed solve; where all do, what helps is said
cat >thrown.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, friction_rise: {law: "2*abs(x)", range: [-3, 3]}, v0: 3}
time: {end: 4, step: 0.01}
control: {target: {position: [0.9]}, signal: {kind: piecewise_constant, segments: 4}}
END
expect 0 "$PROGRAM" control thrown.yaml -o thrown
has err 'warning: [0-9]+ trial motions? of [0-9]+ left the range of model.friction_rise, and counts? as failed'
that "they are counted apart" jq -e '.counts | .out_of_range > 0 and .non_finite == 0' thrown/summary.json >out
expect 4 "$PROGRAM" control thrown.yaml -o narrow --set 'model.friction_rise.range=[-1, 1]'
has err 'What may find one: a wider range of model.friction_rise, or a control.start'
expect 4 "$PROGRAM" sweep thrown.yaml --simulate --vary 'model.v0=[1, 30]' -o thrown-sweep
that "a row does not name results that are nowhere" grep -q '^1,30,failed,"the motion leaves the range [^;"]*",' thrown-sweep/sweep.csv
every_summary .
verdict
