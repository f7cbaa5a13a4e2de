#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A voice coil: damping that is not symmetric, from its file to its control, by `event` and by steps; and what is refused.
#   usage: tests/program/voice_coil.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
file=$problems/voice-coil.yaml

expect 0 "$PROGRAM" control "$file" -o control
has out 'target met'
has out 'local minimum: yes'
has out 'for less than 0\.69'
that "energy closes" jq -e '.energy | .closes and (.closure | fabs) < 1e-9' control/summary.json >/dev/null

jq .problem control/summary.json >again.yaml
expect 0 "$PROGRAM" check --json again.yaml
that "the echo has the rows" jq -e '.problem.model.damping == [[0.6, -0.6, -12], [-0.6, 0.6, 0], [12, 0, 2]]' out >/dev/null

# a constant voltage; every scheme comes near the motion itself
force=(--set 'model.force=[0, 0, 8]' --set time.steps=4800 --set search.method=auto)
expect 0 "$PROGRAM" simulate "$file" -o event "${force[@]}"
for scheme in moreau centered lie strang; do
  expect 0 "$PROGRAM" simulate "$file" -o $scheme "${force[@]}" --set scheme.name=$scheme
  that "$scheme ends there" jq -en --slurpfile a $scheme/summary.json --slurpfile b event/summary.json \
    '[$a[0].outcome.x_T, $b[0].outcome.x_T] | transpose | map(.[0] - .[1] | fabs) | max < 2e-5' >/dev/null
done

sed 's/\[ 0.6, -0.6, -12\]/[-0.6, -0.6, -12]/' "$file" >bad.yaml
expect 2 "$PROGRAM" check bad.yaml
has err '^bad.yaml:[0-9]+:[0-9]+: model.damping: smallest eigenvalue .* of its symmetric part'
expect 2 "$PROGRAM" check "$file" --set model.matrices=sparse --set "scheme={name: moreau}"
has err 'model.damping: not symmetric: .*take model.matrices: dense'

# a carriage on a spring: SQP ends at the same two minima again and again, so no problem with more or less time is searched
expect 0 "$PROGRAM" control "$root/bench/published/problems/voice-coil.yaml" --set search.bound=no -o spring --quiet
that "few minima are found at once" jq -e '.outcome.further | .taken == "none" and .evaluations < 400 and (has("from") | not)' spring/summary.json >/dev/null
that "of the least effort" jq -e '.outcome.refined.J | . > 0.7944 and . < 0.7945' spring/summary.json >/dev/null
verdict
