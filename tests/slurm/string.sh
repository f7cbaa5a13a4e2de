#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# jobs/string.slurm, under srun and mpirun: the simulation of a string on two nodes that is signalled near its time limit
# goes back to the queue and on where it was, with the numbers of a run that was never stopped. It stands still while it is
# signalled, so that it need not be long.
#   usage: tests/slurm/string.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/slurm/local.sh
. "$root/tests/slurm/local.sh"
slurm_start

settings=(--set model.nodes=400 --set time.step=0.0005)
OMPI_MCA_btl=self,vader expect 0 mpi_run 2 "$PROGRAM" simulate "$problems/string-plucked.yaml" "${settings[@]}" -o whole
outcome() { jq -S '.outcome, .energy' "$1/summary.json"; }
outcome whole >whole.txt

for launch in "srun --mpi=pmix" mpirun; do
  name=string-${launch%% *}
  edited string "$name" "problem=jobs/problems/string-plucked.yaml" "results=results/$name" "options=(${settings[*]})" \
    "launch=\"$launch\""
  job=$(submitted "$name" --nodes=2 --ntasks-per-node=1)
  that "$name: it is under way" soon 60 rows 4 "$clone/results/$name/energy.csv"
  signal_ranks STOP "$name"
  scancel --signal=USR1 --batch "$job"
  that "$name: its ranks have the signal" soon 30 holds_usr1 "$name"
  signal_ranks CONT "$name"
  end=$(ended "$job")
  that "$name: ended: $end" matches "$end" "ExitCode=0:0 JobState=COMPLETED Restarts=1 "
  has "$clone/$name.out" 'stiction ended with 85'
  has "$clone/$name.out" "start 2: stiction resume results/$name"
  outcome "$clone/results/$name" >end.txt
  that "$name: the same outcome" cmp whole.txt end.txt
  for set in t x v; do
    that "$name: the same $set" h5diff whole/trajectory.h5 "$clone/results/$name/trajectory.h5" "/$set"
  done
done
verdict
