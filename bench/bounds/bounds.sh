#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Prints, as a Markdown table, how near to J the bounds of search.bound come: blocks, an arm, two masses with a spring, the control paper's test problems.
#   usage: bench/bounds/bounds.sh [STICTION] [GAP] [SECONDS] [RANKS]      by default build/release/bin/stiction, 0.004, 60, 1; takes minutes
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
stiction=$(realpath "${1:-$root/build/release/bin/stiction}") gap=${2:-0.004} seconds=${3:-60} ranks=${4:-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# problem NAME MODEL T TARGET MORE: from rest, 64 segments
problem() {
  printf '# %s\nmodel: {kind: friction, %s}\ntime: {end: %s, steps: 512}\nscheme: {name: event}\ncontrol: {signal: {kind: piecewise_constant, segments: 64}, target: {%s}%s}\n' \
    "$1" "$2" "$3" "$4" "${5:+, $5}" >"$1.yaml"
}
block='mass: 1, friction: 1' arm='mass: [[3, 1], [1, 2]], friction: [4, 3]'
problem block_T2 "$block" 2 'position: 1, velocity: 0'
problem block_T2_bounds "$block" 2 'position: 1, velocity: 0' 'bounds: {lower: -2.2, upper: 2.2}'
problem block_T3.46 "$block" 3.46 'position: 1, velocity: 0'
problem block_T10 "$block" 10 'position: 1, velocity: 0'
problem arm "$arm" 2 'position: [1, 0.5], velocity: 0'
problem arm_bounds "$arm" 2 'position: [1, 0.5], velocity: 0' 'bounds: {lower: [-12, -8], upper: [12, 8]}'
problem arm_x2_free "$arm" 2 'position: [1, null], velocity: 0'
problem two_forces 'mass: [1, 1], friction: [1, 1], stiffness: {links: [2]}' 2 'position: [1, 0.5], velocity: 0'
problem one_force 'mass: [1, 1], friction: [1, 1], stiffness: {links: [10]}' 2 'position: [1, 1], velocity: 0' 'matrix: [[1], [0]]'

# bound FILE NAME SETTINGS: of the best control that a search finds first, from which the run with the bound begins
bound() {
  "$stiction" control "$1" -o "first_$2" --quiet --set 'scheme={name: event}' --set search.method=auto --set search.bound=no "${@:3}" || true
  mpirun --oversubscribe --allow-run-as-root -n "$ranks" "$stiction" control "$1" -o "$2" --quiet --set 'scheme={name: event}' --set search.method=sqp \
    --set search.refine=none --set "control.start={from: $PWD/first_$2}" --set "search.bound={gap: $gap, max_seconds: $seconds}" "${@:3}" || true
  jq -r --arg name "$2" '.seconds.bounding as $s | .outcome.bound | "| \($name) | \(.J) | \(.lower_bound) | \(100 * .gap) | \(.relaxation) | \(.cases) | \($s) |"' "$2/summary.json"
}
echo '| problem | J | bound | gap, % | relaxation | cases | s |'
echo '| --- | --- | --- | --- | --- | --- | --- |'
for file in *.yaml; do bound "$file" "${file%.yaml}"; done
papers=$root/jobs/problems eight=(--set 'control.signal={kind: piecewise_constant, segments: 8}')
bound "$papers/tp1.yaml" tp1_position "${eight[@]}"
bound "$papers/tp1.yaml" tp1_rest "${eight[@]}" --set 'control.target={position: [2, 0, -2], velocity: 0}'
bound "$papers/tp2.yaml" tp2 "${eight[@]}"
