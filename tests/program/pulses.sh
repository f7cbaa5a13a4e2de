#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# What lasts a step or longer in text is seen by every scheme: a brake, a pulse of the force or of a surface's speed, each with its closed form.
#   usage: tests/program/pulses.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# near NAME X WITHIN: x(T) of the run
near() { jq -e --argjson x "$2" --argjson within "$3" '.outcome.x_T[0] - $x | fabs < $within' "$1/summary.json" >/dev/null; }
# moves NAME X: by event to round-off, by steps of a millisecond to some of them
moves() {
  for scheme in event moreau centered; do
    expect 0 "$PROGRAM" simulate "$1.yaml" --set "scheme={name: $scheme}" -o "$1-$scheme" -q
    within=1e-9
    [ $scheme = event ] || within=0.02
    that "$1 by $scheme" near "$1-$scheme" "$2" $within
  done
}

# v = t until 5.1 s, 20 N against 2 N for 0.6 s, which stop it 0.28 s later; then again from 5.7 s on
cat >brake.yaml <<'Y'
model: {kind: friction, mass: 1, force: 2, friction: "t>5.1 && t<5.7 ? 20 : 1"}
time: {end: 10, step: 0.001}
Y
moves brake "$(jq -n '5.1 * 5.1 / 2 + 5.1 * 5.1 / (2 * 18) + 4.3 * 4.3 / 2')"

# 100 N for 0.09 s, less a friction of 1 N, which stops it later than 10 s
cat >pulse.yaml <<'Y'
model: {kind: friction, mass: 1, friction: 1, force: "t>3.01 && t<3.1 ? 100 : 0"}
time: {end: 10, step: 0.001}
Y
moves pulse "$(jq -n '(99 * 0.09) as $v | $v * 0.09 / 2 + $v * 6.9 - 6.9 * 6.9 / 2')"

# a block that a surface drags along for the time of a bump, with the speed that it can follow with
cat >bump.yaml <<'Y'
model: {kind: friction, mass: 1, friction: 1e3, surface_velocity: "exp(-((t-3.01)/0.03)^2)"}
time: {end: 10, step: 0.001}
Y
moves bump "$(jq -n '0.03 * ((3.141592653589793) | sqrt)')"

# jumps of the force of sparse matrices stand where they are by event, too
printf 'model: {kind: friction, mass: 1, friction: 0.5, matrices: sparse, force: [[{until: 0.3, value: 2.5}, {value: -4.5}]]}\ntime: {end: 0.5, steps: 10}\n' >jump.yaml
expect 0 "$PROGRAM" simulate jump.yaml --set 'scheme={name: event}' -o jump -q
that "a jump of sparse matrices" near jump 0.1132 1e-12 # 0.09 + 0.036 until it turns round at 0.42, and 0.0128 back

expect 2 "$PROGRAM" check pulse.yaml --set model.force=t++
has err '^--set model.force=t\+\+: model.force: expected a number, a name or'
verdict
