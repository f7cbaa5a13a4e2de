#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Draws block.svg, the picture of the top README: a block on a table, pushed to and fro, with friction of 1 N.
#   usage: bench/figures/block.sh [STICTION]      by default build/release/bin/stiction; needs gnuplot
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
stiction=$(realpath "${1:-$root/build/release/bin/stiction}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/block.yaml" <<'END'
model: {kind: friction, mass: 1, stiffness: 0, friction: 1, force: "1.5*sin(pi*t) + 0.2", x0: [0]}
time: {end: 4, steps: 2000}
output: {every: 10}
END
"$stiction" simulate "$scratch/block.yaml" -o "$scratch/run" --quiet
# shading: a box for each interval in which the block sticks
awk -F, '$4 == "stick" { printf "set object rect from %s, graph 0 to %s, graph 1 fc rgb \"#E3E3E3\" fs noborder behind\n", $2, $3 }' \
  "$scratch/run/events.csv" >"$scratch/stick.gp"
gnuplot -e "data='$scratch/run/trajectory.csv'; stick='$scratch/stick.gp'; out='$root/bench/figures/block.svg'" \
  "$root/bench/figures/block.gp"
