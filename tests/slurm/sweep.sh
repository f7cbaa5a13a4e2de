#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# jobs/sweep.slurm: one job of several ranks, which goes back to the queue at its time limit and ends with the bytes of a sweep that was
# never stopped; an array, a part each.
#   usage: tests/slurm/sweep.sh PROGRAM    one with slow_evaluations.c: searches that last seconds, asleep
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/slurm/local.sh
. "$root/tests/slurm/local.sh"
slurm_start
results=$clone/results/sweep

vary=("search.penalty=[P, Pi]" "scheme.multiplier=[regularized, unregularized]" "model.friction=8:12:5")
# points without derivatives, which are what sleeps; whatever they miss by will do
search="{method: pds, scheme_size: 8, accept: 1.0e9, stop_at: 1.0e9, refine: none}"
lines=("problem=jobs/problems/tp1.yaml" "options=(--set \"search=$search\")")
# the same without Slurm, and without sleep
STICTION_SLOWER=0 expect 0 mpi_run 2 "$PROGRAM" sweep "$problems/tp1.yaml" --set "search=$search" --vary "${vary[0]}" \
  --vary "${vary[1]}" --vary "${vary[2]}" -o whole

export STICTION_SLOWER=60
edited sweep sweep "${lines[@]}" "vary=(\"${vary[0]}\" \"${vary[1]}\" \"${vary[2]}\")"
job=$(submitted sweep --nodes=2 --ntasks-per-node=1)
that "the sweep is under way" soon 100 rows 2 "$results/checkpoint/rows"
signal_ranks STOP sweep
scancel --signal=USR1 --batch "$job"
that "it is signalled near its time limit" soon 60 grep -q 'the time limit is near' "$clone/sweep.out"
that "its ranks have the signal" soon 30 holds_usr1 sweep
signal_ranks CONT sweep
that "it ends: $(ended "$job")" matches "$(ended "$job")" "ExitCode=0:0 JobState=COMPLETED Restarts=1 "
has "$clone/sweep.out" 'start 1: stiction sweep'
has "$clone/sweep.out" 'stiction ended with 85'
has "$clone/sweep.out" 'start 2: stiction resume results/sweep'
for table in sweep.csv sweep.h5; do that "$table: the same bytes" cmp "whole/$table" "$results/$table"; done

# what outgrows one allocation
export STICTION_SLOWER=0
edited sweep parts "${lines[@]}" "vary=(\"${vary[1]}\")" "parts=(\"model.friction=8:9:2\" \"model.friction=10:12:3\")"
array=$(cd "$clone" && sbatch --parsable --array=0-2 --nodes=1 --ntasks-per-node=1 --output=part%a.out parts.slurm)
that "the array ends" soon 180 out_of_queue "$array"
that "the first part" lines "$results-0/sweep.csv" ',met,' 4
that "the second part" lines "$results-1/sweep.csv" ',met,' 6
has "$clone/part2.out" "the header's parts are fewer"
verdict
