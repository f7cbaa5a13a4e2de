#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# jobs/control.slurm, under srun and mpirun: a job that comes to its time limit, or that is cancelled and submitted again,
# ends with the bytes of a run that was never stopped.
#   usage: tests/slurm/control.sh PROGRAM    one with slow_evaluations.c: searches last seconds, asleep
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/slurm/local.sh
. "$root/tests/slurm/local.sh"
slurm_start

settings=(--set search.scheme_size=64)
export STICTION_SLOWER=40
STICTION_SLOWER=0 expect 0 mpi_run 2 "$PROGRAM" control "$problems/tp2.yaml" "${settings[@]}" -o whole
stripped whole >whole.txt

# begun NAME LAUNCH OPTIONS of sbatch...: job NAME is under way, writes to NAME.out and results/NAME
begun() {
  local name=$1 launch=$2
  shift 2
  edited control "$name" "problem=jobs/problems/tp2.yaml" "results=results/$name" "options=(${settings[*]})" \
    "launch=\"$launch\""
  job=$(submitted "$name" --nodes=2 --ntasks-per-node=1 "$@")
  that "$name: the search is under way" soon 60 rows 3 "$clone/results/$name/search.csv"
}

ended_well() {
  that "$1: ended: $2" matches "$2" "ExitCode=0:0 JobState=COMPLETED Restarts=$3 "
  stripped "$clone/results/$1" >end.txt
  that "$1: the same bytes" cmp whole.txt end.txt
}

# Slurm's own signal comes a minute later; until then the ranks stand still, and other jobs run. The limit is set when they
# do: 40 s and more from then on, however long they took to start.
submitted_at=$SECONDS
begun limit "srun --mpi=pmix" --time=10 --signal=B:USR1@20
limit=$job
signal_ranks STOP limit
scontrol update JobId="$limit" TimeLimit=$(((SECONDS - submitted_at + 40) / 60 + 1))
more_time() { soon 200 grep -q 'the time limit is near' "$clone/limit.out" && scontrol update JobId="$limit" TimeLimit=30; }
more_time &
more_time=$!

# goes back to the queue while the others run
begun usr1 mpirun
usr1=$job
scancel --signal=USR1 --batch "$usr1"

declare -A again
for launch in "srun --mpi=pmix" mpirun; do
  name=cancelled-${launch%% *}
  begun "$name" "$launch"
  scancel "$job"
  that "$name: $(ended "$job")" matches "$(ended "$job")" "JobState=CANCELLED Restarts=0"
  # Slurm ends mpirun's daemons, too, which may leave the ranks no time: there is the last checkpoint then
  if [ "$name" = cancelled-srun ]; then
    has "$clone/$name.out" 'stiction ended with 85'
    has "$clone/results/$name/summary.json" '"reason": "signal"'
  fi
  again[$name]=$(submitted "$name" --nodes=1 --ntasks-per-node=2)
done
for name in "${!again[@]}"; do
  ended_well "$name" "$(ended "${again[$name]}")" 0
  has "$clone/$name.out" "start 1: stiction resume results/$name"
done
ended_well usr1 "$(ended "$usr1")" 1
has "$clone/usr1.out" 'start 1: stiction control'
has "$clone/usr1.out" 'stiction ended with 85'
has "$clone/usr1.out" 'start 2: stiction resume results/usr1'

that "limit: Slurm signals the job near its time limit, and grants more" wait "$more_time"
that "limit: its ranks have the signal" soon 30 holds_usr1 limit
signal_ranks CONT limit
ended_well limit "$(ended "$limit")" 1
has "$clone/limit.out" 'start 2: stiction resume results/limit'
has "$clone/limit.out" 'stiction ended with 85'

# a job of a run that has ended says so; one that cannot begin prints why, and does not come back
job=$(submitted limit --nodes=1 --ntasks-per-node=1)
that "again: $(ended "$job")" matches "$(ended "$job")" "ExitCode=0:0 JobState=COMPLETED Restarts=0"
edited control wrong "problem=jobs/problems/none.yaml" "results=results/wrong"
job=$(submitted wrong --nodes=1 --ntasks-per-node=1)
that "wrong: $(ended "$job")" matches "$(ended "$job")" "ExitCode=2:0 JobState=FAILED Restarts=0"
verdict
