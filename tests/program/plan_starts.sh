#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Starts of plans: easier problems, joints that do not act on each other, via points that cost nothing, limits of arms; counts of starts;
# what is said where no motion meets the conditions; columns of sweeps.
#   usage: tests/program/plan_starts.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# is NAME FILTER: of its summary
is() { that "$1: $2" jq -e ".outcome | $2" "$1/summary.json"; }

# Six joints that do not act on each other, with speed limits: f is the sum of those of the joints alone.
# joints MASSES FRICTIONS TARGETS SPEEDS: a file of as many joints
joints() {
  jq -n --argjson m "$1" --argjson c "$2" --argjson x "$3" --argjson v "$4" '
    {model: {kind: "friction", mass: [range($m | length) as $i | [range($m | length) | if . == $i then $m[$i] else 0 end]], friction: $c},
     time: {end: 4, step: 0.01},
     control: {target: {position: $x, velocity: 0}, limits: {speed: $v}, signal: {kind: "piecewise_constant", segments: 8}}}'
}
mass=(1 1.4 1.8 2.2 2.6 3) friction=(0.5 0.8 1 1.2 1.5 2) to=(1 1.2 0.8 1.5 0.9 1.1) speed=(0.3 0.36 0.24 0.45 0.27 0.33)
list() { local IFS=,; echo "[$*]"; }
joints "$(list "${mass[@]}")" "$(list "${friction[@]}")" "$(list "${to[@]}")" "$(list "${speed[@]}")" >six.yaml
expect 0 "$PROGRAM" control six.yaml -q -o six --set search.local_starts=4
sum=0
for i in 0 1 2 3 4 5; do
  joints "[${mass[i]}]" "[${friction[i]}]" "[${to[i]}]" "[${speed[i]}]" >one.yaml
  expect 0 "$PROGRAM" control one.yaml -q -o one --force
  sum=$(jq -n "$sum + $(jq .outcome.f one/summary.json)")
done
is six ".met and (.f / $sum - 1 | fabs) < 1e-6"
is six '.easier_evaluations > 0'
expect 0 mpi_run 2 "$PROGRAM" control six.yaml -q -o six-2 --set search.local_starts=4
that "2 ranks give the same bits" diff <(stripped six) <(stripped six-2)

# A crane passes points on its way for nothing.
cat >crane.yaml <<'EOF'
model: {kind: friction, names: [cart, load], mass: [[5, 1], [1, 1]], stiffness: [[0, 0], [0, 9.81]], friction: [2, 0]}
time: {end: free, step: 0.005}
control:
  minimize: time
  matrix: [[1], [0]]
  bounds: {lower: -10, upper: 10}
  target: {position: [2, 0], velocity: 0}
  signal: {kind: piecewise_constant, segments: 12}
EOF
expect 0 "$PROGRAM" control crane.yaml -q -o crane
expect 0 "$PROGRAM" control crane.yaml -q -o via \
  --set 'control.target.via=[{at: free, position: [0.4, null]}, {at: free, position: [1.6, null]}]'
is via ".met and (.f / $(jq .outcome.f crane/summary.json) - 1 | fabs) < 1e-8 and .times[0] < .times[1]"

# The load of a crane passes a point beyond its end: more segments than five, as many as u changes, find no longer T.
cat >beyond.yaml <<'EOF'
model: {kind: friction, names: [trolley, load], mass: [2, 1], stiffness: {links: [9.81]}, friction: [1, 0]}
time: {end: free, step: 0.005}
control:
  matrix: [[1], [0]]
  minimize: time
  bounds: {lower: -5, upper: 5}
  target: {position: [2, 2], velocity: 0, via: [{at: free, position: [null, 2.3]}]}
  signal: {kind: piecewise_constant, segments: 5, lengths: free}
EOF
for segments in 5 6 8; do
  expect 0 "$PROGRAM" control beyond.yaml -q -o beyond --force --set control.signal.segments=$segments
  is beyond '.met and (.f - 3.1476174 | fabs) < 1e-6'
done

# A block turns round at two points: T is the sum of sqrt(2 L (a1 + a2)/(a1 a2)) over its ways L of 0.5, 2.5 and 1 m, with a1 = 2, a2 = 4.
cat >turn.yaml <<'EOF'
model: {kind: friction, mass: 1, friction: 1}
time: {end: free, step: 0.005}
control:
  minimize: time
  bounds: {lower: -3, upper: 3}
  target: {position: [1], velocity: [0], via: [{at: free, position: [-0.5]}, {at: free, position: [2]}]}
  signal: {kind: piecewise_constant, segments: 4, lengths: free}
EOF
for segments in 4 6; do
  expect 0 "$PROGRAM" control turn.yaml -q -o turn --force --set control.signal.segments=$segments
  is turn '.met and (.f / (0.75 | sqrt) - (1 + (5 | sqrt) + (2 | sqrt)) | fabs) < 1e-8 and .times[0] < .times[1]'
done
expect 0 "$PROGRAM" control turn.yaml -q -o low --set control.limits.position='{lower: -0.6}' # which does not hold the block back
is low '.met and (.f / (0.75 | sqrt) - (1 + (5 | sqrt) + (2 | sqrt)) | fabs) < 1e-8'
expect 0 mpi_run 2 "$PROGRAM" control turn.yaml -q -o turn-2 --set control.signal.segments=6
that "2 ranks give the same bits" diff <(stripped turn) <(stripped turn-2)

# Where T is sought does not depend on time.step.
for step in 0.5 0.005 0.00005; do
  expect 0 "$PROGRAM" check "$problems/least-time.yaml" --json --set time.step=$step
  that "T is sought about the least one, sqrt(8/3) s, with steps of $step" jq -e '.problem.time.end | (.start - (8 / 3 | sqrt) | fabs) < 1e-12
    and (.at_most / .start - 20 | fabs) < 1e-12 and (.at_least * 500 / .start - 1 | fabs) < 1e-12' out
done
expect 0 "$PROGRAM" check "$problems/least-time.yaml" --json --set 'control.limits={speed: 0.01}'
that "with a speed limit about L/v" jq -e '.problem.time.end.start == 100' out
expect 2 "$PROGRAM" check "$problems/least-time.yaml" --set time.step=1e-9
has err 'time.step: 3.26599e\+10 steps \(expected at most 1e9\)'

# Combinations as targets: f is at most that of the targets of single joints that meet them.
# arm NAME TARGET: searches the arm with these targets
arm() { expect 0 "$PROGRAM" control "$problems/signal-2x8.yaml" -q -o "$1" --set "control.target=$2" --set control.minimize=effort; }
arm single '{position: [1, 0.45], velocity: 0}'
arm sums '{position: [1, null], combinations: [{of_velocity: {1: 1, 2: 1}, equal: 0}, {of: {1: 1, 2: -2}, at_least: -0.1, at_most: 0.1}]}'
is sums ".met and .f < $(jq .outcome.f single/summary.json) * (1 + 1e-9)"

# Bounds to one side: friction brakes. With 0 <= u <= 500 N, c = 100 N, m = 1000 kg, L = 1000 m: T = sqrt(2 L m (1/400 + 1/100)).
cat >pushed.yaml <<'EOF'
model: {kind: friction, mass: 1000, friction: 100}
time: {end: free, step: 0.1}
control:
  minimize: time
  bounds: {lower: 0, upper: 500}
  target: {position: 1000, velocity: 0}
  signal: {kind: piecewise_constant, segments: 2, lengths: free}
EOF
expect 0 "$PROGRAM" control pushed.yaml -q -o pushed
is pushed '.met and (.end / (25000 | sqrt) - 1 | fabs) < 1e-6'
expect 0 "$PROGRAM" control pushed.yaml -q -o pulled --set control.bounds.lower=-500 --set control.bounds.upper=0 --set control.target.position=-1000
is pulled '.met and (.end / (25000 | sqrt) - 1 | fabs) < 1e-6'

# T is sought beyond the times of via points that are given.
expect 0 "$PROGRAM" check "$problems/least-time.yaml" --json --set 'control.target.via=[{at: 45, position: 0.5}]'
that "T may be 45 s and more" jq -e '.problem.time.end | .at_most == 900 and .start == 45' out

# What is followed is finite up to the greatest T, and nothing is said of times while T is unknown.
checked=("$PROGRAM" check "$problems/least-time.yaml" --set)
expect 0 "${checked[@]}" 'control.minimize={time: 1, track: {position: "sqrt(3 - t)"}}' --set 'time.end={at_most: 2.84}'
expect 2 "${checked[@]}" 'control.minimize={time: 1, track: {position: "sqrt(5 - t)"}}'
has err 'control.minimize.track.position: not finite at t = 0 or t = 32.6599'
expect 2 "${checked[@]}" control.start=abc --set 'control.target.via=[{at: 500, position: 0.5}]' \
  --set 'control.minimize={time: 1, track: {position: "sqrt(3 - t)"}}'
has err 'control.start: unknown name'
that "one mistake, one message" test "$(grep -c . err)" -eq 1
expect 2 "${checked[@]}" time.end=3 --set 'control.target.via=[{at: 500, position: 0.5}]' \
  --set 'control.minimize={time: 1, track: {position: "sqrt(2 - t)"}}'
has err '500 s \(expected a time from 0 to T = 3 s\)'
has err 'control.minimize.track.position: not finite'

# Easier problems and the search share the budget.
expect 3 "$PROGRAM" control six.yaml -q -o short --set search.max_evaluations=40
# spends NAME MOST: evaluations of both
spends() { that "$1: at most $2 evaluations" jq -e "(.outcome.easier_evaluations // 0) as \$easier | \$easier <= $2 / 8 and .counts.evaluations + \$easier <= $2" "$1/summary.json"; }
spends short 40
expect 0 "$PROGRAM" control six.yaml -q -o longer --set search.max_evaluations=4000
is longer '.met and .easier_evaluations > 0'
spends longer 4000

# As many starts as asked for.
expect 0 "$PROGRAM" control "$problems/least-time.yaml" -q -o many --set search.local_starts=70
is many '.starts.runs == 70'
expect 0 "$PROGRAM" control "$problems/least-time.yaml" -q -o alone --set search.local_starts=1 --set control.start=1.5
is alone '.starts.runs >= 1 and (has("easier_evaluations") | not)'

# What is missed by how much, and what may help.
expect 3 "$PROGRAM" control "$problems/via.yaml" -q -o slow --set control.limits.speed=0.755 --set time.end=2
has err 'no motion found that meets all conditions; of the nearest one, .* is farthest off: .*, a miss of .* times its tolerance. Try a time.end later than 2 s, or free'
has err 'a wider limits.speed\[1\] \(0.755, with '

# friction by direction, of which it is not proven before the search that nothing moves
expect 3 "$PROGRAM" control "$problems/least-time.yaml" -o weak --set control.bounds.lower=-0.9 --set control.bounds.upper=0.9 \
  --set 'model.friction={forward: 1, backward: 1.1}'
has out 'none of [0-9]+ starts ended with all conditions met'
has out 'nothing moves before t = .* s, though T is minimised: wider control.bounds may find less'
has err 'Try .*wider control.bounds or a larger control.start \(no force in this motion moves anything\)'

# Columns of a sweep: misses in tolerances have a name of their own.
expect 0 "$PROGRAM" sweep "$problems/least-time.yaml" --vary model.friction=0.5:1:2 -o swept -q
that "largest_miss" grep -qE '^run,model.friction,outcome,reason,warnings,T,f,J,largest_miss,local_minimum,' swept/sweep.csv
that "no E1, E2" test "$(head -1 swept/sweep.csv | grep -cE '(^|,)E[12](,|$)')" -eq 0

verdict
