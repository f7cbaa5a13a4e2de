#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Workers of --elastic are killed at random instants: they are replaced, and the answer is the same each time; a run that is
# stopped on a signal goes on with other workers, or without; likewise the workers of a sweep. mpirun --enable-recovery itself always exits with 0.
#   usage: tests/ranks/elastic.sh PROGRAM [KILLS]      one with slow_evaluations.c: searches last seconds, asleep
set -uo pipefail
PROGRAM=$1
KILLS=${2:-2}
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
long=("$problems/tp1.yaml" --set search.scheme_size=64 --set scheme.epsilon=1e-2
  --set search.max_simplexes=60 --quiet)
export STICTION_SLOWER=10
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
recovering=(mpirun --oversubscribe --bind-to none --enable-recovery -n 1)
# begin NAME: a run with three workers that is under way; run: mpirun; workers: their pids
begin() {
  "${recovering[@]}" "$PROGRAM" control "${long[@]}" --elastic 3 -o "$1" >out 2>err </dev/null &
  run=$!
  that "$1 is under way" soon 60 rows 2 "$1/search.csv"
}
find_workers() { mapfile -t workers < <(ranks_of "$1" | tail -n +2); } # rank 0 comes first
ended() { grep -q '"exit": 0' "$1/checkpoint/run.json"; }

STICTION_SLOWER=0 expect 0 "$PROGRAM" control "${long[@]}" -o whole
for k in $(seq "$KILLS"); do
  begin "run$k"
  sleep "0.$((RANDOM % 900 + 100))"
  find_workers "run$k"
  [ "${#workers[@]}" -gt 0 ] && kill -KILL "${workers[RANDOM % ${#workers[@]}]}"
  wait "$run"
  that "run $k ends as the whole one" ended "run$k" || cat err >&2
  that "the answer of run $k is the same" same_answer whole "run$k"
  that "run $k leaves no process" test -z "$(ranks_of "run$k")"
done

# one is killed while it starts: rank 0 does not wait for it for ever (3 s here; else 30)
export STICTION_DIES=$PWD/dies OMPI_MCA_pmix_base_exchange_timeout=3
begin rundies
find_workers rundies
touch dies
kill -KILL "${workers[0]}"
outlast "$run"
unset STICTION_DIES OMPI_MCA_pmix_base_exchange_timeout
that "a worker has died at its start" absent dies
that "run dies ends as the whole one" ended rundies || cat err >&2
that "the answer of run dies is the same" same_answer whole rundies
that "run dies leaves no process" test -z "$(ranks_of rundies)"

# what a letter to a worker that has just died may bring
begin runpipe
that "rank 0 gets SIGPIPE" kill -PIPE "$(ranks_of runpipe | head -n 1)"
outlast "$run"
that "run pipe ends as the whole one" ended runpipe || cat err >&2
that "the answer of run pipe is the same" same_answer whole runpipe

# no rank is left waiting for a rank 0 that has died
begin runlead
kill -KILL "$(ranks_of runlead | head -n 1)"
that "mpirun ends with rank 0" soon 60 gone "$run"
that "so do its workers" test -z "$(ranks_of runlead)"
outlast "$run"
STICTION_SLOWER=0 expect 0 "$PROGRAM" resume runlead --quiet
that "the answer of run lead is the same" same_answer whole runlead

for k in mpirun worker; do
  begin "run$k"
  find_workers "run$k"
  if [ "$k" = mpirun ]; then kill -USR1 "$run"; else kill -TERM "${workers[1]}"; fi
  wait "$run"
  has err 'stopped on a signal'
  has "run$k/summary.json" '"reason": "signal"'
  that "run $k leaves no process" test -z "$(ranks_of "run$k")"
done
"${recovering[@]}" "$PROGRAM" resume runmpirun --elastic 2 --quiet >out 2>err </dev/null
STICTION_SLOWER=0 expect 0 "$PROGRAM" resume runworker --quiet
for k in mpirun worker; do
  that "run $k goes on to its end" ended "run$k"
  that "the answer of run $k is the same" same_answer whole "run$k"
done

# a sweep: whole runs go to the workers, and come back from others when theirs has died; killed itself, it goes on with other workers
short=("$problems/tp1.yaml" --set search.scheme_size=32 --set search.max_simplexes=4 --vary "model.friction=[9, 10, 11]" --vary "search.penalty=[P, Pi]")
same_tables() { cmp "$1/sweep.csv" "$2/sweep.csv" && cmp "$1/sweep.h5" "$2/sweep.h5"; }
over() { grep -q '"exit": 3' "$1/checkpoint/run.json"; }
begin_sweep() { # half a second a run, or more, asleep
  STICTION_SLOWER=25 "${recovering[@]}" "$PROGRAM" sweep "${short[@]}" --elastic 2 -o "$1" >out 2>err </dev/null &
  run=$!
  that "$1 is under way" soon 60 rows 2 "$1/checkpoint/rows"
  find_workers "$1"
}
export STICTION_SLOWER=0
expect 3 "$PROGRAM" sweep "${short[@]}" -o short --quiet
begin_sweep sweep1
kill -KILL "${workers[0]}"
outlast "$run"
that "a sweep ends though a worker has died" over sweep1 || cat err >&2
has out '6 runs: 0 met, 6 not met, 0 failed'
that "with the same table" same_tables short sweep1
that "and leaves no process" test -z "$(ranks_of sweep1)"
begin_sweep sweep2
kill -KILL "$(ranks_of sweep2 | head -n 1)"
outlast "$run"
"${recovering[@]}" "$PROGRAM" resume sweep2 --elastic 2 --quiet >out 2>err </dev/null
that "a killed sweep goes on with new workers" over sweep2 || cat err >&2
that "to the same table" same_tables short sweep2
expect 2 "$PROGRAM" sweep "${short[@]}" -o alone --elastic 2
has err '--elastic 2 expects mpirun'
that "nothing is written" absent alone

# a search with points evaluated by a user's program
tin=("$problems/external-tin.yaml" --set search.method=pds --set search.scheme_size=16 --set search.tolerance=1e-2 --set checkpoint.seconds=0)
expect 0 "$PROGRAM" search "${tin[@]}" -o tin
"$PROGRAM" search "${tin[@]}" -o spawned >out 2>err &
that "the tin is under way" soon 60 test -s spawned/checkpoint/state.1
signalled TERM 85 $!
expect 0 "${recovering[@]}" "$PROGRAM" resume spawned --elastic 2
that "spawned workers: the same answer" cmp <(jq -c .outcome tin/summary.json) <(jq -c .outcome spawned/summary.json)

expect 2 "$PROGRAM" control "${long[@]}" -o alone --elastic 2
has err '--elastic 2 expects mpirun'
verdict
