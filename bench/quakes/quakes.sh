#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Event sizes of Burridge and Knopoff's chain with the numbers of Carlson and Langer: figures/quakes.csv and quakes.png.
#   usage: bench/quakes/quakes.sh [BIN]      BIN: folder of the programs, by default build/release/bin; needs gnuplot
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$(realpath "${1:-$root/build/release/bin}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$bin/stiction" simulate "$root/jobs/problems/burridge-knopoff.yaml" -o "$scratch/run" --quiet \
  --set 'model.stiffness={links: 100, anchors: 1}' --set 'model.force="0.005*t"' \
  --set 'model.stribeck={law: exponential, beta: 0.99, epsilon: 0.198}' --set time.end=3000 --set time.step=0.01 \
  --set scheme.theta=0.5 --set output.every=1000
"$bin/bench-quakes" --csv 600 0.003 3 "$scratch/run" >"$root/bench/figures/quakes.csv"
gnuplot -e "root = '$root'; dir = '$root/bench/figures'; kind = 'png'" "$root/bench/quakes/quakes.gp"
