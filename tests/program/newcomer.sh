#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Obstacles of a new user, now removed: warnings are visible, example files run, messages name the remedy.
#   usage: tests/program/newcomer.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk, the quotes of a help text
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# a model that lacks what was measured: the warning is loud, the errors are called too small, and the exit code stays 0
cat >drive.yaml <<'END'
model: {kind: friction, mass: 2.5, viscous: 3, friction: 8, force: "14*sin(2*t)+4*sin(1.3*t)"} # guessed
time: {end: 4, step: 0.01}
scheme: {name: event}
END
truth=(--set 'model.stribeck={law: exponential, beta: 0.25, epsilon: 0.05}')
expect 0 "$PROGRAM" simulate drive.yaml "${truth[@]}" -o truth -q
cut -d, -f1,2 truth/trajectory.csv >truth.csv
{
  cat drive.yaml
  echo 'identify: {starts: 1, model.viscous: {lower: 1, upper: 9}, model.friction: {lower: 4, upper: 12}}'
  echo 'measured: {file: truth.csv, deviation: {position: 0.0002}}'
} >fit.yaml
expect 0 "$PROGRAM" identify fit.yaml -o lacking
has out '^model.friction = .* \+- [0-9.]+ \(not reliable: the model does not fit\)$'
has out 'residuals are [0-9.]+ times the deviations given'
has err 'warning: THE MODEL DOES NOT FIT: .* errors behind \+- are too small$'
expect 0 "$PROGRAM" identify fit.yaml "${truth[@]}" -o whole
that "one that fits has no warning" test ! -s err
that "and its errors are not called unreliable" eval '! grep -q "not reliable" out'

# the file of what was identified runs with another end; what was measured after it hinders an identification alone
expect 0 "$PROGRAM" simulate lacking/identified.yaml -o shorter -q --set time.end=2
expect 0 "$PROGRAM" control lacking/identified.yaml -o controlled -q --set time.end=2 --set model.force=null \
  --set 'control={target: {position: 0.5, velocity: 0}, signal: {kind: piecewise_linear, segments: 4}}'
that "without the test signal, taken out by null" jq -e '.problem.model.force == "0"' controlled/summary.json >jq.out
expect 2 "$PROGRAM" identify lacking/identified.yaml -o none --set time.end=2
has err 'truth.csv:203:1: measured.file: a time that is not simulated'
expect 2 "$PROGRAM" check lacking/identified.yaml --set time.end=2
has err 'truth.csv:203:1: measured.file: a time that is not simulated'
expect 0 "$PROGRAM" simulate fit.yaml -o without -q --set identify=null --set 'measured=~'
expect 0 "$PROGRAM" simulate drive.yaml -o plain -q
that "null takes a section out" cmp without/trajectory.csv plain/trajectory.csv
expect 2 "$PROGRAM" check fit.yaml --set measured=null
has err 'measured: missing beside identify \(.*--set identify=null\)'
expect 2 "$PROGRAM" check fit.yaml --set model.mass=null
has err 'model.mass: missing'
expect 2 "$PROGRAM" check fit.yaml --set model.mass=
has err 'model.mass: empty'

expect 2 "$PROGRAM" check drive.yaml --set 'model.force=[null]' --set 'control={target: {position: 1}}'
sed 's/force: [^}]*/force: null/' drive.yaml >null.yaml
expect 2 "$PROGRAM" check null.yaml
has err 'model.force: nothing \(expected an expression\)'

# a command's help has its own options, with its own defaults
expect 0 "$PROGRAM" control --help
has out 'or `auto` if it names none'
that "control has no page" eval '! grep -qE "host|of serve" out'
expect 2 "$PROGRAM" control drive.yaml --host name
has err 'unknown option --host'
expect 0 "$PROGRAM" web --help
has out '^ +--host NAME'
that "a page has no solvers" eval '! grep -q -e -step_ out'
expect 2 "$PROGRAM" web spool -step_ksp_type cg
has err 'unknown option -step_'
expect 0 "$PROGRAM" serve --help
has out '^ +--max-seconds S .*\(default: 10\)$'
expect 0 "$PROGRAM" simulate --help
has out '^ +--max-seconds S .*\(default: any\)$'

# words that are no keys: help searches the texts, and messages name the way out
for word in torque limit path inertia feedback; do
  expect 0 "$PROGRAM" help "$word"
  has out "^no key $word: "
done
expect 0 "$PROGRAM" help Stribeck
has out '^  model.stribeck '
expect 2 "$PROGRAM" help qqq
expect 2 "$PROGRAM" help e
# way KEY=VALUE WORDS: the message for a key or a word that there is not
way() {
  expect 2 "$PROGRAM" check drive.yaml --set 'control={target: {position: 1}}' --set "$1"
  has err "unknown .*$2"
}
way model.kind=pendulum 'kind: mechanism'
way model.kind=contact 'stiction search'
way control.objective=minimum_time 'control.minimize: time'
way control.bounds.position=1 'limits at all times are control.limits'
way control.path=1 'limits at all times are control.limits'
way control.feedback=1 'PD controller is stiffness and damping'
way model.inertia=1 'it is model.mass'

# one restart is not "1 restarts"; values of a range are as short as they would be written
expect 0 "$PROGRAM" control drive.yaml -o counts --set model.force=0 --set scheme=null --set search.restarts=1 --set search.method=pds \
  --set 'control={target: {position: 0.5}}'
that "one of anything is one" eval '! grep -qE "(^|[^0-9.])1 (restarts|simulations|evaluations|rounds|simplexes|figures)" out'
# range FROM:TO:COUNT VALUES
range() {
  expect 0 "$PROGRAM" sweep drive.yaml --simulate --vary "model.x0=$1" -o range -q --force
  that "$1 is $2" test "$(cut -d, -f2 range/sweep.csv | tail -n +2 | paste -sd' ')" = "$2"
}
range 0.1:0.2:11 '0.1 0.11 0.12 0.13 0.14 0.15 0.16 0.17 0.18 0.19 0.2'
range -0.3:0.3:7 '-0.3 -0.2 -0.1 0 0.1 0.2 0.3'
range 0:1:4 '0 0.3333333333333333 0.6666666666666666 1'
range 0.001:10:5:log '0.001 0.01 0.1 1 10'

# many blocks: held by their pattern, which is said, with the answers of dense matrices; dense where sparse ones do not take the rest
cat >blocks.yaml <<'END'
model:
  kind: friction
  nodes: 128
  mass: 1
  stiffness: {links: 36, anchors: 1}
  friction: 1
  stribeck: {law: exponential, beta: 0.5, epsilon: 0.1}
  force: "0.01*t"
  x0: "0.2*sin(0.7*i)*sin(0.0371*i*i)"
time: {end: 2, step: 0.01}
END
expect 0 "$PROGRAM" check blocks.yaml
has out '^matrices   sparse: '
expect 0 "$PROGRAM" simulate blocks.yaml -o pattern -q
that "it is in summary.json" jq -e '.problem.model.matrices == "sparse"' pattern/summary.json >jq.out
expect 0 "$PROGRAM" check blocks.yaml --set model.matrices=dense
has out '^matrices   dense: 49152 entries, 510 of them not 0 \(model.matrices: sparse '
expect 0 "$PROGRAM" simulate blocks.yaml -o dense -q --set model.matrices=dense
that "dense is dense" eval '! jq -e .problem.model.matrices dense/summary.json' >jq.out
that "the same events" cmp pattern/events.csv dense/events.csv
that "the same energies to round-off" awk -F, 'NR == FNR { a[FNR] = $2; b[FNR] = $4; next }
  FNR > 1 && (($2 - a[FNR]) ^ 2 > 1e-20 || ($4 - b[FNR]) ^ 2 > 1e-20) { bad = 1 } END { exit bad }' pattern/energy.csv dense/energy.csv
expect 0 mpi_run 2 "$PROGRAM" simulate blocks.yaml -o ranks -q
that "and of two ranks the same" cmp pattern/events.csv ranks/events.csv
"$PROGRAM" simulate blocks.yaml -o stopped -q --set time.end=200 --set checkpoint.seconds=0 >out 2>err &
that "under way" soon 30 rows 50 stopped/energy.csv
signalled TERM 85 $!
expect 0 "$PROGRAM" resume stopped -q
expect 0 "$PROGRAM" simulate blocks.yaml -o unstopped -q --set time.end=200
that "it goes on to the same events" cmp stopped/events.csv unstopped/events.csv
jq .problem dense/summary.json >echo.yaml
expect 0 "$PROGRAM" check echo.yaml
has out '^matrices   dense: ' # the echo of dense matrices reads as these
# dense KEY=VALUE..: what sparse matrices do not take, or what would be lost with them
dense() {
  local settings=() setting
  for setting; do settings+=(--set "$setting"); done
  expect 0 "$PROGRAM" check blocks.yaml "${settings[@]}"
  that "$*: dense" eval '! grep -q "matrices   sparse" out'
}
dense model.nodes=99
dense model.stiffness=1
dense 'model.stiffness={links: -1, anchors: 5}'
dense 'model.springs={links: {law: "i*x^3/100", range: [-9, 9]}}' model.x0=0
dense 'model.stops={lower: -9}'
dense scheme.name=event
dense 'control={matrix: {shapes: ["1"]}, target: {position: 1}}'
dense 'scenarios={count: 4, correlated: yes, vary: {model.mass: {relative: 0.1}}}'
expect 0 "$PROGRAM" simulate blocks.yaml -o verified -q --set time.end=0.1 --verify
that "the motion itself is that of dense ones" eval '! jq -e .problem.model.matrices verified/summary.json' >jq.out
# a surface that moves, as under blocks that are pulled along
expect 0 "$PROGRAM" simulate blocks.yaml -o belt -q --set model.surface_velocity=0.01
expect 0 "$PROGRAM" simulate blocks.yaml -o belt-dense -q --set model.surface_velocity=0.01 --set model.matrices=dense
that "it stays sparse" jq -e '.problem.model.matrices == "sparse"' belt/summary.json >jq.out
that "with the same events" cmp belt/events.csv belt-dense/events.csv
# what fills the disk is warned of
expect 0 "$PROGRAM" check blocks.yaml --set time.end=2000
has out '^warning +the trajectory of 200000 steps takes 0.82 GB on the disk \(output.every: 9 takes'
expect 0 "$PROGRAM" check blocks.yaml --set time.end=2000 --set output.every=9
that "and not where it is thinned" eval '! grep -q trajectory out'

# where the steps meet a target and the motion itself does not, the way on is named; a chain of which there was no refined answer has one
cat >bounded.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, x0: [0]}
time: {end: 1.23, steps: 10}
scheme: {name: moreau, theta: 1}
control: {target: {position: [1], velocity: [0]}, bounds: {lower: -3, upper: 3}, signal: {kind: piecewise_constant, segments: 10}}
search: {accept: 0.0014}
END
expect 0 "$PROGRAM" control bounded.yaml -o bounded
has out '^not refined on the motion itself'
has out '^what may find one: --set scheme.name=event'
cat >chain.yaml <<'END'
model: {kind: friction, mass: [4, 5, 6], stiffness: {links: [100, 80]}, friction: [10, 8, 6]}
time: {end: 3, step: 0.01}
control: {matrix: [[1],[0],[0]], target: {position: [1, 1, 1], velocity: 0}, signal: {kind: piecewise_linear, segments: 20}}
search: {local_starts: 4}
END
expect 0 "$PROGRAM" control chain.yaml -o chain
has out '^refined: J = '

verdict
