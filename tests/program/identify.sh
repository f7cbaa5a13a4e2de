#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# stiction identify, from the command line: parameters and their errors, undetermined parameters, the files written, any number of ranks.
#   usage: tests/program/identify.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq and awk
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# simulated WHAT COLUMNS: every fourth row of WHAT's trajectory, of these columns, in WHAT.csv
simulated() {
  awk -F, -v names="t,$2" 'NR == 1 { n = split(names, name); for (k = 1; k <= NF; k++) at[$k] = k }
    NR == 1 || NR % 4 == 2 { for (k = 1; k <= n; k++) printf "%s%s", (k > 1 ? "," : ""), $at[name[k]]; print "" }' \
    "$1/trajectory.csv" >"$1.csv"
}
# near DIR PATH VALUE TOLERANCE
near() {
  that "$2 is $3" jq -e --arg path "$2" "(.identification.parameters[\$path].value - $3) | fabs < $4" "$1/summary.json" >jq.out
}
found() { jq -e ".identification$1" "$2/summary.json" >jq.out; }

# the example: within three standard errors of what it was made with
expect 0 "$PROGRAM" identify "$problems/identify.yaml" -o example
has out '^model.stribeck.beta = 0\.27[0-9]+ \+- 0\.02'
for pair in friction[1]:3.4 friction[2]:2.3 damping[1]:0.9 damping[2]:0.6 mass[2]:1.6 stribeck.beta:0.3; do
  that "$pair" jq -e --arg path "model.${pair%:*}" --argjson truth "${pair#*:}" \
    '.identification.parameters[$path] | (.value - $truth | fabs) < 3 * .error and .derivatives == "motion"' example/summary.json >jq.out
done
that "residuals are as large as the noise" found '.deviation | . > 0.9 and . < 1.1' example
that "in few simulations" found '.simulations < 60' example
that "its file keeps its comments" grep -q '# N, guessed' example/identified.yaml
expect 0 "$PROGRAM" simulate example/identified.yaml -o again -q
that "and is the motion found" cmp example/trajectory.csv again/trajectory.csv
expect 0 "$PROGRAM" identify example/identified.yaml -o better -q
that "from there it is found again" found '.simulations < 15' better
expect 0 "$PROGRAM" identify "$problems/identify.yaml" -o set -q --set model.mass[2]=1.9
expect 0 "$PROGRAM" simulate set/identified.yaml -o again -q --force
that "with --set the file is as understood" cmp set/trajectory.csv again/trajectory.csv
expect 0 "$PROGRAM" plot example
figures example positions velocities multipliers energy fit
has example/figures/fit.svg '<text>residual \(m\)</text>'
that "fit.csv has a row a time" test "$(wc -l <example/fit.csv)" = "$(wc -l <"$problems/identify.csv")"

# thresholds of sliders without mass from a hysteresis curve, by differences; and springs and thresholds, from far guesses
expect 0 "$PROGRAM" identify "$problems/maxwell-slip.yaml" -o slip
for pair in 2:0.4 3:1.1 4:1.8 5:2.2; do
  that "slider ${pair%:*}" jq -e --arg path "model.friction[${pair%:*}]" --argjson truth "${pair#*:}" \
    '.identification.parameters[$path] | (.value - $truth | fabs) < 3 * .error and .error < 0.002' slip/summary.json >jq.out
done
that "residuals are as large as the noise" found '.deviation | . > 0.9 and . < 1.1' slip
cat >jenkins.yaml <<'END'
model:
  kind: friction
  mass: [0, 2, 0]
  stiffness: {links: [400, 300]}
  damping: [0, 10, 0]
  friction: [0.8, 0, 1.6]
  force: [0, "(1.8 - 0.8*cos(0.9*t))*sin(2*t)", 0]
time: {end: 8, step: 0.02}
scheme: {name: event}
END
expect 0 "$PROGRAM" simulate jenkins.yaml -o jenkins -q
simulated jenkins x2
cat >>jenkins.yaml <<'END'
identify: {model.stiffness.links: {lower: 50, upper: 900}, "model.friction[1]": {lower: 0.3, upper: 3}, "model.friction[3]": {lower: 0.3, upper: 3}}
measured: {file: jenkins.csv}
END
expect 0 "$PROGRAM" identify jenkins.yaml -o loop --set 'model.stiffness.links=[300, 400]' --set 'model.friction=[1, 0, 1.4]'
near loop model.stiffness.links[1] 400 1e-3
near loop model.stiffness.links[2] 300 1e-3
near loop model.friction[1] 0.8 1e-5
near loop model.friction[3] 1.6 1e-5

# exact data are found to many digits, by motions' derivatives and by differences, from a far guess, on any number of ranks
cat >pull.yaml <<'END'
model:
  kind: friction
  names: [sledge, load]
  mass: [1, 2]
  stiffness: {springs: [20, 10, 0]}
  damping: 0.4
  friction: [3, 1.5]
  stribeck: {law: sqrt, beta: 0.3, epsilon: 0.2}
  force: ["15*sin(2*t)", 0]
time: {end: 3, step: 0.02}
scheme: {name: event}
END
expect 0 "$PROGRAM" simulate pull.yaml -o pull -q
simulated pull x:sledge,v:load
awk -F, 'NR == 1 { print $0 ",weight"; next } NR % 3 == 0 { $2 = "" } { print $1 "," $2 "," $3 "," 1 + NR % 2 }' pull.csv >gaps.csv
cat >>pull.yaml <<'END'
identify:
  model.friction[1]: {lower: 0.5, upper: 9}
  model.stiffness.springs[2]: {lower: 1, upper: 30}
  model.stribeck.epsilon: {lower: 0.02, upper: 1}
  model.damping: {lower: 0, upper: 2}
  starts: 2
measured: {file: gaps.csv, deviation: {position: 0.01, velocity: 0.05}, stick: [[sledge, 0, 0.05]]}
END
far=(--set "model.friction[1]=6" --set "model.stiffness.springs[2]=15" --set model.stribeck.epsilon=0.1 --set model.damping=1)
expect 0 "$PROGRAM" check pull.yaml
has out '^identify +4 numbers from [0-9]+ measured in .*gaps.csv, 2 starts$'
expect 0 "$PROGRAM" identify pull.yaml -o one -q "${far[@]}"
near one model.friction[1] 3 1e-4
near one model.stiffness.springs[2] 10 1e-4
near one model.stribeck.epsilon 0.2 1e-4
near one model.damping 0.4 1e-4
that "springs by differences" found '.parameters["model.stiffness.springs[2]"].derivatives == "differences"' one
that "thresholds not" found '.parameters["model.friction[1]"].derivatives == "motion"' one
that "two starts" found '.sums | length == 2' one
expect 0 mpi_run 3 "$PROGRAM" identify pull.yaml -o three -q "${far[@]}"
that "three ranks find the same bits" cmp one/fit.csv three/fit.csv
that "and write the same" diff <(jq -S .identification one/summary.json) <(jq -S .identification three/summary.json)

# measured friction: the numbers of a table, its threshold first, from a motion to and fro at many speeds
cat >table.yaml <<'END'
model:
  kind: friction
  mass: 1.5
  stiffness: 4
  friction_table: {velocity: [0, 0.1, 0.3, 0.8, 2], friction: [2, 1.4, 1.1, 1.3, 1.9]}
  force: "3*sin(0.9*t) + 2.5*sin(2.3*t)"
time: {end: 12, step: 0.02}
scheme: {name: event}
END
expect 0 "$PROGRAM" simulate table.yaml -o table -q
simulated table x1,v1
cat >>table.yaml <<'END'
identify: {model.friction_table.friction: {lower: 0.2, upper: 5}, starts: 1}
measured: {file: table.csv, deviation: {position: 0.001, velocity: 0.005}}
END
expect 0 "$PROGRAM" identify table.yaml -o curve -q --set 'model.friction_table.friction=[1.7, 1.5, 1.3, 1.4, 1.6]'
for number in "1 2" "2 1.4" "3 1.1" "4 1.3" "5 1.9"; do near curve "model.friction_table.friction[${number% *}]" "${number#* }" 1e-3; done
expect 0 "$PROGRAM" simulate table.yaml -o steps -q --set scheme.name=moreau
simulated steps x1,v1
expect 0 "$PROGRAM" identify table.yaml -o steps -q --force --set scheme.name=moreau --set measured.file=steps.csv \
  --set 'model.friction_table.friction=[1.7, 1.5, 1.3, 1.4, 1.6]'
for number in "1 2" "2 1.4" "3 1.1" "4 1.3" "5 1.9"; do near steps "model.friction_table.friction[${number% *}]" "${number#* }" 1e-6; done
that "by the derivatives of its steps" found '.parameters | map(.derivatives == "motion") | all' steps
expect 0 "$PROGRAM" check curve/identified.yaml

# of a block that slides freely mass, friction and damping are determined up to a common factor, and that is printed
cat >slide.yaml <<'END'
model: {kind: friction, mass: 2, damping: 0.5, friction: 3, v0: 5}
time: {end: 2, step: 0.02}
scheme: {name: event}
END
expect 0 "$PROGRAM" simulate slide.yaml -o slide -q
simulated slide x1
cat >>slide.yaml <<'END'
identify:
  model.mass: {lower: 0.5, upper: 8}
  model.damping: {lower: 0.1, upper: 3}
  model.friction: {lower: 0.5, upper: 20}
  starts: 1
measured: {file: slide.csv, deviation: {position: 0.01}}
END
expect 0 "$PROGRAM" identify slide.yaml -o undetermined --set model.friction=4
has out '^makes no difference: model.mass \+1 %, model.damping \+1 %, model.friction \+1 %$'
has err 'warning: .*1 combination of the parameters cannot be determined'
that "it has no errors" found '.parameters | map(.error == null) | all' undetermined
that "yet its ratio is right" found '.parameters | .["model.friction"].value / .["model.mass"].value - 1.5 | fabs < 1e-4' undetermined
expect 0 "$PROGRAM" identify slide.yaml -o forced -q --set model.friction=4 --set 'model.force=1+t'
that "a known force determines them" found '.undetermined == []' forced

# two blocks that come to rest at one instant: there the motion has no derivatives, and differences stand in
cat >twins.yaml <<'END'
model: {kind: friction, mass: [1, 1], damping: 0.5, friction: 3, v0: [5, 5]}
time: {end: 3, step: 0.02}
scheme: {name: event}
END
expect 0 "$PROGRAM" simulate twins.yaml -o twins -q
simulated twins x1,x2
cat >>twins.yaml <<'END'
identify: {model.damping: {lower: 0.1, upper: 3}, model.friction: {lower: 0.5, upper: 20}, starts: 1}
measured: {file: twins.csv, deviation: {position: 0.01}}
END
expect 0 "$PROGRAM" identify twins.yaml -o both -q --set model.friction=4 --set model.damping=0.8
near both model.friction 3 1e-4
near both model.damping 0.5 1e-4
that "by differences, as is said" found '.parameters | map(.derivatives == "differences") | all' both
that "a single one has derivatives" jq -e '.identification.parameters["model.mass"].derivatives == "motion"' undetermined/summary.json >jq.out

# sticking as data: a block that is not pushed hard enough determines a threshold by that alone; a parameter at its bound is reported
cat >stuck.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, force: "2*t"}
time: {end: 2, step: 0.02}
scheme: {name: event}
identify: {model.friction: {lower: 0.5, upper: 2.5}, starts: 1}
measured: {file: stuck.csv, deviation: {velocity: 0.01}, stick: [[1, 0, 1.2]]}
END
printf 't,x1\n0,0\n1,0\n' >stuck.csv
expect 0 "$PROGRAM" identify stuck.yaml -o stuck
that "what sticks until 1.2 s has a threshold above 2" found '.parameters["model.friction"].value > 2' stuck
expect 0 "$PROGRAM" identify slide.yaml -o bound --set 'identify={model.friction: {lower: 4, upper: 9}, starts: 1}' --set model.friction=5
has out '^model.friction = 4, at its lower bound$'

# what is missing
expect 2 "$PROGRAM" identify "$problems/tp1.yaml" -o none
has err 'identify: missing \(expected what to identify'
that "nothing is written then" absent none
# through impacts, by steps
cat >bounce.yaml <<'END'
model:
  kind: friction
  mass: [1, 2]
  damping: 0.2
  friction: [0.5, 1]
  stops: {lower: [0, null], upper: [null, 0.5], restitution: [0.8, 0.4]}
  x0: [1, 0]
  v0: [0, 2]
  force: [-9.81, "5*sin(2*t)"]
time: {end: 2, step: 0.005}
scheme: {name: moreau}
END
expect 0 "$PROGRAM" simulate bounce.yaml -o bounce -q
simulated bounce x1,x2
cat >>bounce.yaml <<'END'
identify:
  model.friction[1]: {lower: 0.1, upper: 3}
  model.mass[2]: {lower: 1, upper: 4}
  model.stops.restitution[1]: {lower: 0.1, upper: 1}
  starts: 1
measured: {file: bounce.csv, deviation: {position: 0.001}}
END
expect 0 "$PROGRAM" identify bounce.yaml -o bounced -q --set model.friction[1]=0.7 --set model.mass[2]=2.2 --set model.stops.restitution[1]=0.75
near bounced model.friction[1] 0.5 1e-9
near bounced model.mass[2] 2 1e-9
near bounced model.stops.restitution[1] 0.8 1e-9
that "by the derivatives of its own steps" found '.parameters["model.mass[2]"].derivatives == "motion"' bounced

# a threshold of a file that gives one number for all, from trajectory.csv as it was written
cat >alike.yaml <<'END'
model: {kind: friction, mass: [4, 2], friction: 2, x0: [0, 1], v0: 2}
time: {end: 1, step: 0.01}
scheme: {name: event}
END
expect 0 "$PROGRAM" simulate alike.yaml -o alike -q --set 'model.friction[2]=2.5'
echo 'measured: {file: alike/trajectory.csv}
identify: {"model.friction[2]": {lower: 1, upper: 5}}' >>alike.yaml
expect 0 "$PROGRAM" identify alike.yaml -o own -q
near own 'model.friction[2]' 2.5 1e-9
expect 0 "$PROGRAM" check own/identified.yaml -q
for setting in 'identify.model.mass={lower: 0.5, upper: 4}' identify.model.friction.upper=3; do
  expect 2 "$PROGRAM" check "$problems/identify.yaml" --set "$setting"
  has err "identify.model: a section .expected paths as keys: --set 'identify=[{]model.mass: "
  that "it is one mistake" lines err . 1
done
expect 2 "$PROGRAM" identify alike.yaml -o none -q --set 'identify={"model.friction[3]": {lower: 1, upper: 5}}'
# errors of time steps: no scheme named is event; steps move the values, by how much is estimated, and a warning says so
cat >drive.yaml <<'END'
model: {kind: friction, mass: [1, 2], damping: 0.4, stiffness: {springs: [20, 10, 0]}, friction: [3, 1.5], force: ["15*sin(2*t)", "6*sin(3*t)"]}
time: {end: 5, step: 0.02}
END
expect 0 "$PROGRAM" simulate drive.yaml -o drive -q --set scheme.name=event
awk -F, 'NR == 1 { print "t,x1,x2"; next } { print $1 "," $2 + 0.001*sin(7*NR) "," $3 + 0.001*sin(5*NR) }' drive/trajectory.csv >drive.csv
cat >>drive.yaml <<'END'
identify: {model.friction: {lower: 0.5, upper: 8}, "model.mass[2]": {lower: 1, upper: 4}, starts: 1}
measured: {file: drive.csv, deviation: {position: 0.0007}}
END
expect 0 "$PROGRAM" identify drive.yaml -o plain -q
that "event is the default" jq -e '.problem.scheme.name == "event" and .identification.step_bias == null' plain/summary.json >jq.out
that "no warning" lines err 'TIME STEPS' 0
expect 0 "$PROGRAM" simulate plain/identified.yaml -o again -q --force
that "the file found has the same scheme" cmp plain/trajectory.csv again/trajectory.csv
for scheme in moreau centered; do
  expect 0 "$PROGRAM" identify drive.yaml -o "$scheme" -q --set scheme.name=$scheme
  has err "warning: THE TIME STEPS MOVE THE VALUES: of model\..* times its standard error, is due to the steps of 0.02 s by $scheme .*--set 'scheme=\{name: event\}'"
  that "the bias by $scheme is the difference to what event finds" jq -e --slurpfile plain plain/summary.json '.identification | .step_bias.errors > 1 and
    .step_bias.compared_with == "event" and (.step_bias.parameter as $k | .parameters[$k] | .step_bias / (.value - $plain[0].identification.parameters[$k].value) |
    . > 0.8 and . < 1.25)' "$scheme/summary.json" >jq.out
done
expect 0 "$PROGRAM" identify drive.yaml -o fine -q --set scheme.name=moreau --set time.step=0.0001
that "no warning" lines err 'TIME STEPS' 0
cat >pendulum.yaml <<'END'
model: {kind: mechanism, links: {theta: {length: 1, mass: 1}}, friction: {theta: c}, parameters: {c: 0.3}, stops: {upper: [-1], stiffness: [50]}, x0: [-2.5]}
time: {end: 4, step: 0.001}
scheme: {name: moreau}
END
expect 0 "$PROGRAM" simulate pendulum.yaml -o pendulum -q
simulated pendulum x:theta
cat >>pendulum.yaml <<'END'
identify: {model.parameters.c: {lower: 0.1, upper: 1}, starts: 1}
measured: {file: pendulum.csv, deviation: {position: 0.01}}
END
expect 0 "$PROGRAM" identify pendulum.yaml -o ends -q --set time.step=0.02
has err "THE TIME STEPS MOVE .*a first-order estimate by a motion with half the step at these values: .*\). Identify again by smaller steps, --set time.step=0.002, and compare the values$"
that "motions with half the step show the bias" found ' | .step_bias.compared_with == "half the step" and (.parameters["model.parameters.c"] | .step_bias / (.value - 0.3) | . > 0.8 and . < 1.25)' ends
every_summary .
verdict
