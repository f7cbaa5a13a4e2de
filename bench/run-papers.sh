#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The tables and figures of the papers, ours beside theirs, and the study of the regularization.
#   usage: bench/run-papers.sh [-n RANKS] [-o DIR] [--again]
# RANKS: MPI ranks (default: the number of cores). DIR: where the results go (default: results/papers in the current
# folder): RESULTS.md, a CSV file each, and pictures (SVG and PNG). A table that is there already, in full and by this
# version, is not made again. Exit code 1: something that must hold does not.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=jobs/mpi.sh
. "$root/jobs/mpi.sh"

usage() { sed -n '4,7s/^# *//p' "$0"; }
ranks=$(nproc) directory=results/papers options=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    -n) ranks=${2:-}; shift 2 || { usage >&2; exit 2; } ;;
    -o) directory=${2:-}; shift 2 || { usage >&2; exit 2; } ;;
    --again) options+=(--again); shift ;;
    *) usage >&2; exit 2 ;;
  esac
done
case $ranks in '' | *[!0-9]* | 0*) echo "$0: -n expects a number of ranks, not '$ranks'" >&2; exit 2 ;; esac
[ -n "$directory" ] || { usage >&2; exit 2; }

"$root/jobs/setup.sh"
command -v gnuplot >/dev/null || { echo "$0: gnuplot is missing (Debian package gnuplot-nox)" >&2; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
build() { cmake -S "$root" --preset release -DSTICTION_BENCH=ON && cmake --build "$root/build/release" -j "$(nproc)" --target bench-papers; }
(cd "$root" && build) >"$log" 2>&1 || { cat "$log" >&2; exit 1; }

# 1: all is made, but something that must hold does not; the pictures show it, too
code=0
mpi_run "$ranks" "$root/build/release/bin/bench-papers" -o "$directory" ${options[@]+"${options[@]}"} || code=$?
[ "$code" -le 1 ] || exit "$code"
for script in papers splitting study; do
  for kind in svg png; do gnuplot -e "root = '$root'; dir = '$directory'; kind = '$kind'" "$root/bench/papers/$script.gp"; done
done
echo "results in $directory"
exit "$code"
