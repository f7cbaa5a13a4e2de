#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Optimal control beyond least effort at a given T: closed forms, published examples, replays, ranks, resuming, mistakes, pictures.
#   usage: tests/program/plans.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# found NAME EXACT ABOVE [ARGUMENT..]: control of problems/NAME.yaml meets its conditions; f is EXACT, and at most ABOVE, relative, more
found() {
  local name=$1 exact=$2 above=$3
  shift 3
  expect 0 "$PROGRAM" control "$problems/$name.yaml" -q -o "$name" --force "$@"
  that "$name $*: f = $(jq .outcome.f "$name/summary.json"), $exact and at most $above of it more" \
    jq -e ".outcome | .met and .f > $exact * (1 - 1e-8) and .f <= $exact * (1 + $above)" "$name/summary.json"
}
# is NAME FILTER: of its summary
is() { that "$1: $2" jq -e ".outcome | $2" "$1/summary.json"; }

# closed forms: T
found least-time 1.6329931618554521 1e-9
is least-time '.end == .f and (.lengths[0] - 1.224744871391589 | fabs) < 1e-7'
is least-time '(.optimality | .lagrangian_by_lengths[1] == .hamiltonian and .lagrangian_by_lengths[0] < 1e-8 and .hamiltonian < 1e-8)'
is least-time '.optimality.vertex and .optimality.local_minimum == "yes"'
is least-time '([.quantities[] | select(.role == "equal" and .active)] | length) == 2'
found least-time-spring 2.088130843 1e-9
found least-time-turn "$(jq -n '1/3 + (28/9 | sqrt)')" 1e-9
found least-time-two 2.1142764 1e-6
expect 0 "$PROGRAM" simulate "$problems/least-time-two.yaml" -q -o replay --control least-time-two
that "its replay is the same motion" cmp least-time-two/trajectory.csv replay/trajectory.csv
expect 0 "$PROGRAM" control "$problems/least-time.yaml" -q -o limited --set control.limits.speed=0.6 --set control.signal.segments=3
is limited '(.f - 2.0666666667 | fabs) < 1e-8'
is limited '[.quantities[] | select(.name == "limits.speed[1]" and .role == "at_most")][0] | .active and (.value - 0.6 | fabs) < 1e-6 and .multiplier > 0'
that "v <= 0.6 in all rows" awk -F, 'NR > 1 && ($3 > 0.6 + 1e-6) { exit 1 }' limited/trajectory.csv

# a short push, a long time at a limit, a short stop: found from starts with lengths that differ much
printf '%s\n' 'model: {kind: friction, mass: 2, damping: 0.5, friction: 1}' 'time: {end: free, step: 0.005}' 'control:' \
  '  {minimize: time, bounds: {lower: -5, upper: 5}, limits: {speed: 0.2}, target: {position: 2, velocity: 0},' \
  '   signal: {kind: piecewise_constant, segments: 3, lengths: free}}' >slow.yaml
expect 0 "$PROGRAM" control slow.yaml -q -o slow
# closed form: 4 log(4/3.9) s of 4 m/s (1 - exp(-t/4)) from 0 to 0.2 m/s, likewise at the end, the rest at 0.2 m/s
is slow "$(awk 'BEGIN {
  a = 4 * log(8 / 7.8); b = 4 * log(12.2 / 12); xa = 8 * a - 4 * 0.2; xb = 4 * 0.2 - 12 * b
  printf "(.f - %.9f | fabs) < 1e-6", a + b + (2 - xa - xb) / 0.2 }')"

that "its problem is that of the file" jq -e '.problem.time.end == {at_least: 0.02, at_most: 200, start: 10}' slow/summary.json

# closed forms of any signal: f falls to them with the segments
found effort-and-time 5.4927122 1e-3
is effort-and-time '.optimality.hamiltonian < 1e-8'
found effort-and-time 5.4927122 3e-4 --set control.signal.segments=40
found via 4.961257 5e-3
is via '[.quantities[] | select(.name == "target.via[1].position[1]")][0] | (.value - 0.6 | fabs) < 1e-6 and .at == 0.8'
found bryson-denham 4.4444444 8e-3
that "x <= 0.1 in all rows" awk -F, 'NR > 1 && ($2 > 0.1 + 1e-9) { exit 1 }' bryson-denham/trajectory.csv
found fuel 2 1e-9
found drive 1.0327956 5e-3
that "drive: no start creeps" jq -e '.counts.evaluations < 1000' drive/summary.json
is drive '(.floquet[0][0] - 1 | fabs) < 1e-9 and (.floquet[1][0] | fabs) < 1e-9' # it may be moved as a whole, and it sticks
found inertia-drive 1.1289771 6e-3
is inertia-drive '(.floquet | length) == 4'
is inertia-drive '.initial.velocity[0] == 0 and .v_T == .initial.velocity or ((.v_T[1] - .initial.velocity[1] | fabs) < 1e-6)'
found tracking 3.35 2e-2
found speed-limit 1.2389319 2e-4 # the least that is known
cp -r speed-limit one

# the same bits on any ranks, and after a stop
for n in 2 3; do
  expect 0 mpi_run "$n" "$PROGRAM" control "$problems/speed-limit.yaml" -q -o "many-$n"
  that "$n ranks give the same bits" diff <(stripped one) <(stripped "many-$n")
done
"$PROGRAM" control "$problems/speed-limit.yaml" -q -o stopped --set checkpoint.seconds=0 >out 2>err &
that "it is under way" soon 60 rows 4 stopped/search.csv
signalled USR1 85 $!
expect 0 mpi_run 2 "$PROGRAM" resume stopped -q
that "it ends with the same bits" diff <(stripped one | grep -v '"seconds"') <(stripped stopped | grep -v '"seconds"')

# integrals by schemes with steps are sums over the steps: with them f tends to that of event, in proportion to the step
far() { jq -n --slurpfile one "$1/summary.json" --slurpfile exact tracking/summary.json '$one[0].outcome.f - $exact[0].outcome.f | fabs'; }
for step in 0.04 0.01; do
  expect 0 "$PROGRAM" control "$problems/tracking.yaml" -q -o "moreau-$step" --set scheme.name=moreau --set time.step=$step
  is "moreau-$step" '.met and .optimality.kkt < 1e-5 and .method == "auto"'
done
that "a quarter of the step, about a quarter of the error: $(far moreau-0.04) $(far moreau-0.01)" \
  jq -n -e "$(far moreau-0.04) < 6e-3 and $(far moreau-0.01) < 0.35 * $(far moreau-0.04)"
for scheme in centered lie strang; do
  expect 0 "$PROGRAM" control "$problems/tracking.yaml" -q -o "$scheme" --set scheme.name=$scheme
  is "$scheme" '.met and .optimality.kkt < 1e-5'
  that "$scheme: near f of event: $(far $scheme)" jq -n -e "$(far $scheme) < 0.01"
done
for n in 2 3; do
  expect 0 mpi_run "$n" "$PROGRAM" control "$problems/tracking.yaml" -q -o "moreau-on-$n" --batch $((16 * n)) --set scheme.name=moreau --set time.step=0.01
  that "$n ranks and another batch give the same bits" diff <(stripped moreau-0.01) <(stripped "moreau-on-$n")
done
expect 0 "$PROGRAM" simulate "$problems/tracking.yaml" -q -o steps-again --control moreau-0.01 --set scheme.name=moreau --set time.step=0.01
that "its replay is the same motion" cmp moreau-0.01/trajectory.csv steps-again/trajectory.csv
printf '%s\n' 'model: {kind: dashpot, mass: 1, stiffness: 100, law: bingham, gamma: 1, f_crit: 1}' 'time: {end: 1, step: 0.01}' 'control:' \
  '  {minimize: {effort: 0.001, track: {position: "0.1*sin(t)"}}, signal: {kind: piecewise_constant, segments: 5}}' >dash-pot.yaml
expect 0 "$PROGRAM" control dash-pot.yaml -q -o dash-pot
is dash-pot '.met and .f < 0.0028' # at rest it is 0.1^2 (1/2 - sin(2)/4) = 0.0027268, and u moves it nowhere near

# on a surface that moves, too, they are the trapezoidal sums over the rows
printf '%s\n' 'model: {kind: friction, mass: 1, stiffness: 2, friction: 0.5, surface_velocity: 0.3 + 0.1*sin(t), x0: [0.2]}' 'time: {end: 2, step: 0.01}' \
  'scheme: {name: moreau}' 'control: {minimize: {effort: 0.1, track: {position: sin(t), velocity: 0.5}}, signal: {kind: piecewise_constant, segments: 5}}' >belt.yaml
expect 0 "$PROGRAM" control belt.yaml -q -o belt
that "integrals are sums over the rows" awk -F, -v x="$(jq '.outcome.quantities[1].value' belt/summary.json)" -v v="$(jq '.outcome.quantities[2].value' belt/summary.json)" '
  NR > 1 { w = NR == 2 || $1 > 1.999 ? 0.005 : 0.01; x -= w * ($2 - sin($1))^2; v -= w * ($3 - 0.5)^2 }
  END { exit !(NR == 202 && x^2 < 1e-20 && v^2 < 1e-20) }' belt/trajectory.csv

# without derivatives a search uses methods that need none
printf '%s\n' 'model: {kind: friction, mass: [1, 0], stiffness: [[13, -10], [-10, 20]], friction: [1, 0.1]}' 'time: {end: 1, steps: 200}' 'control:' \
  '  {minimize: {effort: 0.01, track: {position: ["0.2*t", null], weight: 100}}, signal: {kind: piecewise_constant, segments: 4}}' \
  'search: {max_evaluations: 2000}' >massless.yaml
expect 0 "$PROGRAM" control massless.yaml -q -o massless-steps --set scheme.name=moreau
expect 0 "$PROGRAM" control massless.yaml -q -o massless --set scheme.name=event
is massless '.method == "hybrid" and .met and (has("optimality") | not)'
that "both find about the same" jq -n -e "$(jq .outcome.f massless-steps/summary.json) as \$steps | $(jq .outcome.f massless/summary.json) | . > \$steps * 0.999 and . < \$steps * 1.005"

# a start from results, with another T, too
expect 0 "$PROGRAM" control "$problems/speed-limit.yaml" -q -o again --set "control.start={from: $PWD/one}" --set search.local_starts=1
that "it begins at its end" jq -e --argjson f "$(jq .outcome.f one/summary.json)" '.outcome.f <= $f and .counts.evaluations < 10' again/summary.json
expect 0 "$PROGRAM" control "$problems/least-time.yaml" -q -o later --set "control.start={from: $PWD/least-time}" --set time.end=2 \
  --set control.minimize=effort --set search.local_starts=1
is later '.met and .end == 2'

# a point is passed before T, at a time that is found or given: T is later than without it
for at in '{at_least: 3, at_most: 4}' 3; do
  expect 0 "$PROGRAM" control "$problems/effort-and-time.yaml" -q -o late --force --set "control.target.via=[{at: $at, position: [0.6]}]"
  is late '.met and .end >= 3 and .f < 7.48' # where a time beyond T reads the end: 7.8 to 8.6
done

# J of a piecewise linear u in segments of free lengths: the effort that was minimised
expect 0 "$PROGRAM" control "$problems/effort-and-time.yaml" -q -o linear --set control.minimize=effort --set time.end=2 \
  --set 'control.signal={kind: piecewise_linear, segments: 4, lengths: free}'
is linear '.met and (.J - .f | fabs) < 1e-12 * .f'
expect 0 "$PROGRAM" simulate "$problems/effort-and-time.yaml" -q -o linear-again --control linear --set control.minimize=effort --set time.end=2 \
  --set 'control.signal={kind: piecewise_linear, segments: 4, lengths: free}'
that "its replay has that J" jq -e --argjson J "$(jq .outcome.J linear/summary.json)" '.outcome.J == $J' linear-again/summary.json

# sweeps have columns T and f
expect 0 "$PROGRAM" sweep "$problems/least-time.yaml" --vary model.friction=0.5:1:2 -o swept -q
that "T of a sweep: sqrt(2 L (a1 + a2)/(a1 a2)) for c = 0.5 and 1" awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  { c = $column["model.friction"]; T = sqrt(8 / ((2 - c) * (2 + c))); if (($column["T"] - T)^2 > 1e-14 || $column["f"] != $column["T"]) exit 1; n++ }
  END { exit n != 2 }' swept/sweep.csv
expect 0 mpi_run 3 "$PROGRAM" sweep "$problems/least-time.yaml" --vary model.friction=0.5:1:2 -o swept-3 -q
that "on any ranks" cmp swept/sweep.csv swept-3/sweep.csv

# other methods
expect 0 "$PROGRAM" control "$problems/least-time.yaml" -q -o direct --set search.method=pds --set search.max_evaluations=20000
is direct '.method == "pds" and .met'

# On a belt at 0.3 m/s: the same f as seen from the belt.
plan_of() { echo "{model: {kind: friction, mass: 1, friction: 1, $1}, time: {end: 2, step: 0.005}, control: {$2, signal: {kind: piecewise_constant, segments: 10}}}"; }
plan_of 'surface_velocity: 0.3' 'target: {position: [1], velocity: [0], via: [{at: 0.8, position: [0.6]}]}, limits: {velocity: {lower: -0.1, upper: 0.9}}' >moving.yaml
plan_of 'v0: -0.3' 'target: {position: [0.4], velocity: [-0.3], via: [{at: 0.8, position: [0.36]}]}, limits: {velocity: {lower: -0.4, upper: 0.6}}' >from-it.yaml
expect 0 "$PROGRAM" control moving.yaml -q -o moving
expect 0 "$PROGRAM" control from-it.yaml -q -o from-it
is moving ".met and (.f - $(jq .outcome.f from-it/summary.json) | fabs) < 1e-6 and .optimality.local_minimum == \"yes\""
that "the limit holds on the rows" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "v1") c = i; next } $c > most { most = $c } END { exit !(most < 0.9 + 1e-6 && most > 0.89) }' moving/trajectory.csv
expect 2 "$PROGRAM" check moving.yaml --set time.end=free
has err 'time.end: .*T and lengths of segments: not with moving surfaces \(expected a given T and equal lengths\)'
expect 2 "$PROGRAM" check moving.yaml --set control.signal.lengths=free
has err 'control.signal.lengths: .*not with moving surfaces'

# A method without derivatives proves no minimum: it says so, and sqp goes on from there.
for method in pds hybrid; do
  expect 0 "$PROGRAM" control "$problems/via.yaml" -o above --force --set search.method=$method
  has out 'conditions met, f not shown to be a minimum'
  has err "$method ended without proof of a minimum.* search.method: sqp with control.start: .* search.method: auto"
  is above '.met and .f > 10 and (.unproven | startswith("'$method' ended without proof"))'
done
expect 0 "$PROGRAM" report above
that "the report says so" grep -q 'hybrid ended without proof of a minimum' above/report.html
expect 0 "$PROGRAM" control "$problems/via.yaml" -q -o below --set search.method=sqp --set "control.start={from: $PWD/above}"
is below '.met and (.f - 4.9816514 | fabs) < 1e-6 and (has("unproven") | not)'
# It says so only where something has derivatives, and f is far above the least only where f falls beside the answer.
cat >near.yaml <<'END'
model: {kind: friction, mass: 1, friction: 0.4, x0: [0]}
time: {end: 2, steps: 400}
scheme: {name: moreau}
control:
  minimize: {effort: 1, track: {position: "t/2"}}
  target: {position: [1], velocity: [0]}
  signal: {kind: piecewise_constant, segments: 8}
END
expect 0 "$PROGRAM" control near.yaml -q -o near --set search.method=hybrid
is near '.optimality.kkt < 1e-8 and (.unproven | contains("far above") | not) and (.unproven | contains("search.method: sqp"))'
cat >weightless.yaml <<'END'
model: {kind: friction, mass: [1, 0], stiffness: [[13, -10], [-10, 20]], friction: [1, 0.1]}
time: {end: 1, steps: 200}
scheme: {name: event}
control: {signal: {kind: piecewise_constant, segments: 4}, target: {position: [0.3, null], via: [{at: 0.5, position: [0.2, null]}]}}
END
expect 0 "$PROGRAM" control weightless.yaml -q -o weightless
has err 'no derivatives.* \(no scheme has them for this plan\).* search.restarts than 2'
expect 0 "$PROGRAM" control weightless.yaml -q -o weightless --force --set control.target.via=null --set control.minimize=effort
is weightless '.unproven | contains("search.method") | not'
has err 'hybrid ended without proof .*: f may be far above .* no derivatives.* scheme.name: moreau or .*search.restarts than 2'
expect 0 "$PROGRAM" check weightless.yaml --set control.target.via=null --set control.minimize=effort --set scheme.name=moreau --set search.method=sqp
expect 0 "$PROGRAM" control "$problems/least-time.yaml" -q -o shown --set search.method=nlopt:cobyla
is shown '.met and .optimality.local_minimum == "yes" and (has("unproven") | not)'

# check says what it is, and its echo is the same problem
expect 0 "$PROGRAM" check "$problems/speed-limit.yaml"
has out '^plan +least effort \+ time, 2 joints, T free in 0.5..5 s, \|u\| <= 15, speeds <= 0.9, 4 conditions at T$'
for name in least-time speed-limit via drive inertia-drive tracking; do
  "$PROGRAM" check "$problems/$name.yaml" --json | jq .problem >echo.yaml
  expect 0 "$PROGRAM" check echo.yaml --json
  that "$name: its echo is the same problem" diff <(jq -S . echo.yaml) <(jq -S .problem out)
done

# mistakes, each once, and the way out of what does not go with it
wrong() { # SETTING PATTERN
  expect 2 "$PROGRAM" check "$problems/speed-limit.yaml" --set "$1"
  has err "$2"
  that "$1: one error" test "$(wc -l <err)" -eq 1
}
wrong time.end.at_most=0.1 'time.end: at_least 0.5, at_most 0.1 \(expected at_least < at_most\)'
wrong control.minimize=speed 'control.minimize: unknown minimize "speed" \(expected effort or time or fuel\)'
wrong control.minimize.time=-1 'control.minimize.time: -1 \(expected > 0\)'
wrong 'control.limits.speed=[1]' 'control.limits.speed: 1 entries \(expected 2\)'
wrong 'control.limits.speed=-1' 'control.limits.speed: -1 \(expected > 0\)'
wrong 'control.limits.position={lower: 1, upper: 0}' 'entry 1: lower 1, upper 0 \(expected lower < upper\)'
wrong 'control.target.position=[{at_least: 2, at_most: 1}, 0.5]' 'shoulder: at_least 2, at_most 1'
wrong 'control.target.position=[{at_least: 1}, free]' 'elbow: .*expected a number'
wrong 'control.bounds.rate=5' 'control.bounds.rate: with time.end: free'
wrong 'control.target.via=[{position: [1, 2]}]' 'at is missing'
wrong 'control.target.via=[{at: 9, position: [1, 2]}]' '9 s \(expected a time from 0 to T = 5 s\)'
wrong 'control.target.combinations=[{of: {wrist: 1}, equal: 0}]' 'no joint wrist'
wrong 'control.target.combinations=[{of: {elbow: 1}}]' 'expected equal, or at_least, at_most or both'
wrong 'control.initial={velocity: [free]}' 'control.initial.velocity: 1 entries \(expected 2\)'
wrong control.periodic=perhaps 'control.periodic: unknown periodic "perhaps" \(expected no or yes\)'
wrong 'control.signal.lengths=[1, 2]' '2 lengths \(expected 12, one a segment\)'
wrong 'scheme={name: moreau}' 'scheme.name: moreau with time.end: free \(expected event'
by_steps() { # FILE KEY: refused with the way out, once
  expect 2 "$PROGRAM" check "$problems/$1.yaml" --set scheme.name=moreau
  has err "scheme.name: moreau with $2 \(expected event: its motions have exact times and extremes\)"
  that "$1 by moreau: one error" test "$(wc -l <err)" -eq 1
}
by_steps least-time control.signal.lengths
by_steps via control.target.via
by_steps bryson-denham control.limits
expect 2 "$PROGRAM" check dash-pot.yaml --set scheme.name=event
has err 'scheme.name: event of a dashpot with control.minimize \(expected a scheme with steps: backward_euler\)'
wrong 'search.certify={gap: 0.1}' 'search.certify: with time.end: free \(expected no such key'
wrong control.signal.refine_to=24 'control.signal.refine_to: with time.end: free'
wrong search.method=bundle 'search.method: bundle with limits and the like \(expected auto: the section scenarios'
# the table of what does not go with a plan: each setting of its first column is refused, once
while read -r setting; do
  expect 2 "$PROGRAM" check "$problems/via.yaml" --set "$setting"
  has err ' with control.target.via \(expected '
  that "$setting: one error" test "$(wc -l <err)" -eq 1
done < <(sed -n '/^## What does not go with it/,$p' "$problems/which.md" | awk -F'|' '/^\| `/ { print $2 }' | grep -o '`[^`]*`' | tr -d '`' | tee refused)
that "the table has them: $(wc -l <refused)" test "$(wc -l <refused)" -ge 10
expect 2 "$PROGRAM" simulate "$problems/speed-limit.yaml" --control least-time -o none
has err 'lengths of their own'
expect 3 "$PROGRAM" control "$problems/least-time.yaml" -q -o out-of-reach --set 'control.bounds={lower: -1.5, upper: 1.5}' \
  --set 'time.end={at_most: 0.5}'
has err 'of the nearest one, target.position\[1\] is farthest off: .* a miss of .*, .* times its tolerance. Try '


# conditions that no motion meets together
apart() { # FILE SETTING PATTERN
  expect 2 "$PROGRAM" check "$problems/$1.yaml" --set "$2"
  has err "$3"
  that "$2: one error" test "$(wc -l <err)" -eq 1
}
apart via 'control.limits.position={lower: 0, upper: 0.8}' 'target.position\[1\] = 1'
apart via 'control.limits.position={lower: 0.5}' 'model.x0\[1\] = 0, but limits.position\[1\] >= 0.5'
apart via 'control.target.via=[{at: 0.8, position: [0.6]}, {at: 0.8, position: [0.7]}]' 'via\[2\].position\[1\] = 0.7 at the same time'
apart via 'control.target.via=[{at: 2, position: [0.6]}]' 'target.position\[1\] = 1, but target.via\[1\].position\[1\] = 0.6'
apart via 'control.target.via=[{at: 0, position: [0.6]}]' 'model.x0\[1\] = 0, but target.via'
apart drive 'control.target.position=[0.3]' 'position\[1\] = 0.1 by control.periodic'
apart speed-limit model.v0=2 'model.v0\[shoulder\] = 2, but limits.speed\[shoulder\] <= 0.9'
expect 0 "$PROGRAM" check "$problems/via.yaml" --set 'control.target.position=[{at_least: 0.5}]' \
  --set 'control.limits.position={lower: 0, upper: 0.7}'
wrong time.end=fre 'time.end: "fre" \(expected a number of seconds, free'
wrong control.minimize=energy 'energy as a word \(expected {energy: 1}'

# what has no least value, or is given
expect 0 "$PROGRAM" control "$problems/least-time.yaml" -q -o given --set time.end=2
has err 'T = 2 s is given: nothing is minimised'
expect 0 "$PROGRAM" check "$problems/least-time.yaml" --set control.bounds=null
has out 'without bounds of u on both sides'
has out '^schemes +that take all of this: event$'
expect 3 "$PROGRAM" control "$problems/least-time.yaml" -q -o far --set control.target.position=1000 --set 'time.end={at_most: 20}'
has err 'time.end.at_most beyond 20 s'
expect 0 "$PROGRAM" control "$problems/effort-and-time.yaml" -o longest --set control.minimize=effort --set model.friction=0 --set time.end=free
has out '^T = 20 s, the greatest that time.end allows'
expect 2 "$PROGRAM" converge "$problems/least-time.yaml"
has err 'the file is of least time, .* --set control=null'

# pictures
if command -v gnuplot >/dev/null; then
  expect 0 "$PROGRAM" plot one
  that "there is a phase plane" test -s one/figures/phase.svg
  expect 0 "$PROGRAM" report least-time
  that "it says when u changes" grep -q 'u changes at t = 1.2247' least-time/report.html
  # of limits of speed and velocity the nearer ones; intervals to pass are bars
  interval='control.target.via=[{at: 0.8, position: [{at_least: 0.2, at_most: 0.35}]}]'
  expect 0 "$PROGRAM" control "$problems/via.yaml" -q -o both --set "$interval" --set 'control.limits={velocity: {lower: -0.4, upper: 2}, speed: 0.9}'
  expect 0 "$PROGRAM" control "$problems/via.yaml" -q -o nearer --set "$interval" --set 'control.limits={velocity: {lower: -0.4, upper: 0.9}}'
  for name in both nearer; do expect 0 "$PROGRAM" plot $name; done
  expect 0 "$PROGRAM" report both
  shades() { grep -o "246, *227, *218)' points = '[^']*'" "$1/figures/velocities.svg"; }
  that "both limits shade what the nearer ones do" diff <(shades both) <(shades nearer)
  that "above and below" test "$(shades both | wc -l)" -eq 2
  that "an interval is a bar" grep -q 'Bars: intervals to pass' both/report.html
  that "an interval is no point" sh -c '! grep -q "Dots: points to pass" both/report.html'
fi


every_summary .
verdict
