#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A worker that is stopped (SIGSTOP) in the middle of a search holds up neither the search, which finds the same answer, nor
# the end of the others; and one that goes on again (SIGCONT) is taken back.
#   usage: tests/ranks/stopped_rank.sh PROGRAM      one with slow_evaluations.c: searches last seconds, asleep
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
long=("$problems/tp1.yaml" --set search.scheme_size=64 --set search.evaluation_timeout=2
  --set scheme.epsilon=1e-2 --set search.max_simplexes=60)

export STICTION_SLOWER=100

# stop_rank RANK NAME: once the search is under way; its pid: worker
stop_rank() {
  that "$2 is under way" soon 60 rows 3 "$2/search.csv"
  worker=$(rank_pid "$2" "$1")
  that "rank $1 of $2 is stopped" kill -STOP "$worker"
}

expect 0 mpi_run 2 "$PROGRAM" control "${long[@]}" -o whole --quiet

mpi_run 4 "$PROGRAM" control "${long[@]}" -o stopped --quiet >out 2>err </dev/null &
stop_rank 2 stopped
code=0
wait $! || code=$?
that "the run with a stopped rank ends as the other (exit $code)" test "$code" -eq 0
has err 'did not answer in time'
has err 'a rank does not answer'
that "the answer is the same" same_answer whole stopped
has stopped/summary.json '"timed_out": 0'
sleep 1
that "no process is left" test -z "$(ranks_of stopped)"

mpi_run 4 "$PROGRAM" control "${long[@]}" -o resumed --quiet >out 2>err </dev/null &
stop_rank 3 resumed
sleep 3
kill -CONT "$worker"
code=0
wait $! || code=$?
that "the run with a rank that paused ends as the other (exit $code)" test "$code" -eq 0
that "the answer is the same" same_answer whole resumed
that "no rank had to be ended" eval '! grep -q "a rank does not answer" err'

# a signal while a rank is stopped: no longer than the grace time, and the end of the others with it
mpi_run 4 "$PROGRAM" control "${long[@]}" -o signalled --quiet --set search.evaluation_timeout=60 \
  --set checkpoint.grace=1 >out 2>err </dev/null &
stop_rank 2 signalled
sleep 0.2
kill -TERM "$(rank_pid signalled 1)"
code=0
wait $! || code=$?
that "the run with a stopped rank and a signal stops (exit $code)" test "$code" -eq 85
has signalled/summary.json '"reason": "signal"'
sleep 1
that "no process is left" test -z "$(ranks_of signalled)"
expect 0 mpi_run 2 "$PROGRAM" resume signalled --quiet
that "the answer is the same" same_answer whole signalled
verdict
