#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The main job: sets up, builds, and finds the optimal control of a problem on all cores.
#   usage: jobs/run.sh [PROBLEM] [-n RANKS] [-- OPTIONS of stiction control...]
# PROBLEM: a problem file (default: jobs/problems/tp1.yaml). RANKS: MPI ranks (default: the number of cores).
# The results go to results/NAME in the current folder; those of an earlier run are replaced.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=jobs/mpi.sh
. "$root/jobs/mpi.sh"
# shellcheck source=jobs/build.sh
. "$root/jobs/build.sh"

usage() { sed -n '4,6s/^# *//p' "$0"; }
problem=$root/jobs/problems/tp1.yaml
given=
ranks=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    -n) ranks=${2:-}; shift 2 || { usage >&2; exit 2; } ;;
    --) shift; break ;;
    -*) usage >&2; exit 2 ;;
    *) [ -z "$given" ] || { echo "$0: one problem at a time, not $given and $1" >&2; exit 2; }
       problem=$1 given=$1; shift ;;
  esac
done
case $ranks in '' | *[!0-9]* | 0*) echo "$0: -n expects a number of ranks, not '$ranks'" >&2; exit 2 ;; esac

"$root/jobs/setup.sh"
build_program

problem=${problem#"$PWD/"}
options=(--force)
# under mpirun the program cannot see that this is a terminal
if [ -t 2 ] && [[ " $* " != *" --quiet "* && " $* " != *" -q "* ]]; then options+=(--progress); fi
echo "mpirun -n $ranks stiction control $problem"
mpi_run "$ranks" "$root/build/release/bin/stiction" control "$problem" "${options[@]}" "$@"
