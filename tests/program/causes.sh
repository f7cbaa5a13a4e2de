#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Messages and estimates that users met at the edge of what a file can describe: each names the true cause at its key.
#   usage: tests/program/causes.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# one PATTERN FILE [ARGUMENT..]: check refuses the file by one error, which matches
one() {
  local pattern=$1
  shift
  expect 2 "$PROGRAM" check "$@"
  has err "$pattern"
  that "$*: one error" test "$(wc -l <err)" -eq 1
}

cat >block.yaml <<'END'
model: {kind: friction, mass: 3, friction: 2, x0: [0]}
time: {end: free, step: 0.005}
control:
  minimize: {time: 1, effort: 0.1}
  target: {position: [1.5], velocity: [0]}
  bounds: {lower: -10, upper: 10}
  signal: {kind: piecewise_constant, segments: 8}
END

# a speed limit that cannot be kept within T, or that makes the first guess of T very long, is the cause, not time.step
one '^--set control.limits.speed=1e-6: control.limits.speed: a speed of at most 1e-06 m/s makes T so long' block.yaml --set control.limits.speed=1e-6
one 'control.limits.speed: at this speed target.position\[1\] = 1.5 is reached from .* after 3.75 s, but T is at most 2 s$' block.yaml \
  --set control.limits.speed=0.4 --set 'time.end={at_most: 2}'
expect 0 "$PROGRAM" check block.yaml --set control.limits.speed=0.76 --set 'time.end={at_most: 2}'
one 'control.limits.speed: at this speed target.via\[1\].position\[1\] = 2 is .* but its time is 1 s$' block.yaml \
  --set control.limits.speed=1.9 --set 'control.target.via=[{at: 1, position: [2]}]'

# the first guess of T where damping takes nearly all of the force: 1.5 m at (10 - 2) N / 100 N s/m, 18.75 s
expect 0 "$PROGRAM" check block.yaml --json --set model.damping=100
that "the guess has the damping of a block" jq -e '.problem.time.end.start - 18.75 | fabs < 1e-9' out
cat >slider.yaml <<'END'
model: {kind: mechanism, coordinates: {x: m}, bodies: {slider: {mass: 3, at: [x, 0]}}, viscous: {x: 100}, friction: {x: 2}}
END
sed 1d block.yaml >>slider.yaml
expect 0 "$PROGRAM" check slider.yaml --json
that "the guess has the damping of a mechanism" jq -e '.problem.time.end.start - 18.75 | fabs < 1e-9' out

# conditions on the final state that no state meets, though any two of them can be met, are refused; others are not
cat >two.yaml <<'END'
model: {kind: friction, mass: [1, 1], friction: 1, x0: [0, 0]}
time: {end: 2, step: 0.005}
scheme: {name: event}
control:
  target: {position: [1, 0.5], velocity: [0, 0]}
  signal: {kind: piecewise_constant, segments: 20}
END
sums=control.target.combinations
one 'combinations\[2\]: target.combinations\[1\] = 1, target.combinations\[2\] = 1: no state at T meets all of these' two.yaml \
  --set control.target.position=null --set "$sums=[{of: {1: 1, 2: -1}, equal: 1}, {of: {1: 2, 2: -2}, equal: 1}]"
one 'combinations\[1\]: target.position\[1\] = 1, target.position\[2\] = 0.5, target.combinations\[1\] = 3: no' two.yaml \
  --set "$sums=[{of: {1: 1, 2: 1}, equal: 3}]"
one 'combinations\[1\]: target.combinations\[1\] = 1: no state' two.yaml --set "$sums=[{of: {1: 0}, equal: 1}]"
apart="$sums=[{of: {1: 0.5, 2: 0.5}, equal: 1}, {of: {1: -1, 2: 1}, at_least: 0.1}]"
one 'model.stops.upper\[2\] <= 0.9, target.combinations\[1\] = 1, target.combinations\[2\] >= 0.1: no state' two.yaml \
  --set control.target.position=null --set "$apart" --set 'model.stops={upper: [null, 0.9]}'
expect 0 "$PROGRAM" check two.yaml --set control.target.position=null --set "$apart" --set 'model.stops={upper: [null, 1.05]}'
for sum in '{of: {1: 1, 2: 1}, equal: 1.5000003}' '{of: {1: 0}, equal: 0}' '{of: {1: 1, 2: -1}, equal: 0.5}, {of: {1: 2, 2: -2}, equal: 1}'; do
  expect 0 "$PROGRAM" check two.yaml --set "$sums=[$sum]"
done

# a search without derivatives names the part of the model that the scheme does not differentiate
expect 0 "$PROGRAM" check two.yaml --set scheme.name=moreau --set 'model.stops={upper: [3, 3]}' --set control.signal=null \
  --set 'model.springs={anchors: {law: x^3, range: [-5, 5]}}'
has out '^search .*, for moreau has no derivatives of model.stops beside springs with a law, '

# numbers at the ends of what a double holds: the answer, or one clear message
cat >swing.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, x0: [0], force: "3*sin(2*t)", stiffness: 4}
time: {end: 2, step: 0.005}
END
sees() { # CODE SCHEME SETTING: the motion with this setting, in `motion`
  expect "$1" "$PROGRAM" simulate swing.yaml -q -o motion --force --set "scheme.name=$2" --set "$3"
}
expect 0 "$PROGRAM" simulate swing.yaml -q -o rest --set scheme.name=event
for v0 in 1e-60 1e-170 5e-324; do
  sees 0 event "model.v0=$v0"
  that "v0 = $v0 is that of rest, without a word" test ! -s err
  that "v0 = $v0: the end of a motion from rest" jq -e --slurpfile rest rest/summary.json \
    '.outcome.x_T[0] - $rest[0].outcome.x_T[0] | fabs < 1e-14' motion/summary.json
done
sees 0 moreau model.mass=1e308
that "a mass of 1e308 kg: f/m" jq -e '(.outcome.x_T[0] * 1e300 - 1.7311e-8 | fabs) < 1e-11' motion/summary.json
sees 0 moreau model.x0=1e160
has err 'the energies of the motion overflow, so that they do not show whether it is right'
sees 4 lie model.x0=1e308
has err '^stiction simulate: the motion is not finite by t = 0.005 s: degree of freedom 1, position nan, velocity nan; '
that "summary.json has it" jq -e '.outcome.failure | test("not finite by t = 0.005 s: degree of freedom 1")' motion/summary.json
one 'model.friction: thresholds squared over masses overflow \(expected smaller thresholds, or larger masses\)$' swing.yaml \
  --set model.mass=1e-310 --set scheme.name=lie
cat >fall.yaml <<'END'
model: {kind: mechanism, coordinates: {gap: m}, bodies: {mass: {mass: 1, at: [gap, 0]}}, potential: "-1/gap", x0: {gap: 1}}
time: {end: 2, step: 0.01}
END
expect 4 "$PROGRAM" simulate fall.yaml -q -o fall
has err 'the motion is not finite by t = 1.12 s: degree of freedom gap, position 0.01[0-9]*, velocity -1[0-9.]*; '

# a stick of one instant is no event: states that follow each other differ
expect 0 "$PROGRAM" simulate swing.yaml -q -o damped --set 'scheme={name: centered, multiplier: unregularized}' --set model.damping=3
that "no state follows itself" awk -F, 'NR > 2 && $4 == last { exit 1 } { last = $4 }' damped/events.csv
that "stick, slip, stick and back" test "$(wc -l <damped/events.csv)" -eq 5

# bounds and limits by names, as other lists
cat >cart.yaml <<'END'
model: {kind: mechanism, coordinates: {cart: m, pole: rad}, bodies: {c: {mass: 1, at: [cart, 0]},
  p: {mass: 0.2, at: [cart + sin(pole), cos(pole)]}}, friction: {cart: 1, pole: 0.01}}
time: {end: free, step: 0.005}
control:
  on: [cart]
  minimize: {time: 1, effort: 0.1}
  target: {position: {cart: 1.5}, velocity: {cart: 0}}
  bounds: {lower: {cart: -10}, upper: {cart: 10}}
  limits: {speed: {cart: 3}, position: {upper: {pole: 1}}, power: {cart: 40}}
  signal: {kind: piecewise_constant, segments: 8}
END
expect 0 "$PROGRAM" check cart.yaml --json
that "bounds by names" jq -e '.problem.control.bounds == {lower: [-10], upper: [10]}' out
jq .problem out >again.json
expect 0 "$PROGRAM" check again.json --json
that "the echo is the same problem" diff <(jq -S . again.json) <(jq -S .problem out)
expect 0 "$PROGRAM" check cart.yaml
has out '^plan .* \|u\| <= 10, positions <= 1, speeds <= 3, power <= 40, '

# sweep.csv has what the refined answer is known to be
expect 0 "$PROGRAM" sweep block.yaml --set time.end=2 --set control.minimize=null --vary 'model.mass=[2, 3]' --keep -q -o swept
for k in 0 1; do
  that "run $k: its row has summary.json's answers" test "$(jq -r '.outcome |
    [.refined.optimality.local_minimum, .optimality.local_minimum] | join(",")' "swept/runs/$k/summary.json")" = "$(awk -F, -v k=$k '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == k { print $at["refined.local_minimum"] "," $at["local_minimum"] }' swept/sweep.csv)"
done

# a free time of a via point that stops beside a jump of u, where f has a kink: what the message proposes finds a lower f
cat >via.yaml <<'END'
model: {kind: friction, mass: 3, damping: 0.4, friction: 2, x0: [0]}
time: {end: 3, step: 0.005}
control:
  target: {position: [1.5], velocity: [0], via: [{at: free, position: [0.9], velocity: [0.3]}]}
  signal: {kind: piecewise_constant, segments: 20}
search: {local_starts: 8}
END
expect 0 "$PROGRAM" control via.yaml -q -o beside
has err 'control.target.via\[1\].at = 1.6[0-9]* s beside t = 1.65 s, where u jumps and f has a kink. What may find a lower f: 1.65 in place of'
expect 0 "$PROGRAM" control via.yaml -q -o at --set 'control.target.via=[{at: 1.65, position: [0.9], velocity: [0.3]}]'
that "it does, and is a local minimum" jq -e --slurpfile beside beside/summary.json \
  '.outcome | .f < $beside[0].outcome.f and .optimality.local_minimum == "yes"' at/summary.json

# a long search says on a pipe that it is under way, once
"$PROGRAM" control via.yaml -o long --set control.signal.lengths=free --set search.local_starts=2000 >out 2>err &
that "a long run has a line" soon 40 grep -q '^under way since 1[0-9] s: 41 variables by sqp' out
signalled USR1 85 $!
that "one line" lines out '^under way' 1

# a place of a point beyond the reach of an arm, of expressions and of a link by name, but not on the edge, or of a point that slides
hand=control.target.points.hand
for point in '[cos(upper) + cos(upper + fore), sin(upper) + sin(upper + fore)]' fore; do
  arm=("$problems/reach.yaml" --set "model.points.hand=$point")
  one 'target.points.hand: 2.12132 m from \(0, 0\), but the point is never beyond 2 m from there' "${arm[@]}" --set "$hand=[1.5, 1.5]"
  one 'points.hand: 2.1 m from' "${arm[@]}" --set "$hand=[null, {at_most: -2.1}]"
  one 'target.via\[1\].points.hand: 3 m from' "${arm[@]}" --set 'control.target.via=[{at: 1.5, points: {hand: [null, 3]}}]'
  expect 0 "$PROGRAM" check "${arm[@]}" --set "$hand=[{at_least: -3}, 2]"
done
one 'points.tip: 1.5 m from \(any, 0\), but the point is never beyond 1 m from there' "$problems/cart-pole.yaml" \
  --set 'model.points={tip: [x + sin(theta), cos(theta)]}' --set 'control.target={points: {tip: [9, 1.5]}}'
expect 0 "$PROGRAM" check "$problems/cart-pole.yaml" --set 'model.points={tip: [x + sin(theta), cos(theta)]}' \
  --set 'control.target={points: {tip: [9, 0.5]}}'

# the variables of a plan count, not u alone: 8 values of u and 8 lengths
pds=(-q --set search.method=pds --set search.max_simplexes=1 --set control.signal.lengths=free)
"$PROGRAM" control block.yaml -o few "${pds[@]}" --set search.scheme_size=40 >out 2>err
has err 'search.scheme_size: 40 is less than 3 points for each of 16 variables: a slow search is likely'
"$PROGRAM" control block.yaml -o enough "${pds[@]}" --set search.scheme_size=48 >out 2>err
that "no warning of 48 points" lines err 'search.scheme_size' 0

verdict
