#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Draws bound.svg, a picture of the top README: J of signal-2x8 over the number of segments, and the bound that holds for any number of them.
#   usage: bench/figures/bound.sh [STICTION]      by default build/release/bin/stiction; needs gnuplot; takes minutes
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
stiction=$(realpath "${1:-$root/build/release/bin/stiction}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$stiction" sweep "$root/jobs/problems/signal-2x8.yaml" -o "$scratch/sweep" --quiet --set scheme.name=event \
  --set "search.bound={gap: 0.01, max_seconds: 40}" --vary "control.signal.segments=[2, 4, 8, 16, 32, 64]"
gnuplot -e "data='$scratch/sweep/sweep.csv'; out='$root/bench/figures/bound.svg'" "$root/bench/figures/bound.gp"
