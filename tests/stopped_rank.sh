#!/usr/bin/env bash
# A worker that is stopped (SIGSTOP) in the middle of a search holds up neither the search, whose answer is the same, nor
# the end of the others; and one that goes on again (SIGCONT) is taken back.
#   usage: tests/stopped_rank.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/shell.sh"
long=("$problems/tp1.yaml" --set search.scheme_size=64 --set search.evaluation_timeout=2 --set time.step=0.0002
  --set scheme.epsilon=1e-2 --set search.max_simplexes=60)

# pid_of RANK NAME: of a run with -o NAME
pid_of() {
  pgrep -f -- "^$PROGRAM control .*-o $2( |\$)" | while read -r p; do
    grep -qzx "OMPI_COMM_WORLD_RANK=$1" "/proc/$p/environ" 2>/dev/null && echo "$p"
  done
}
# left NAME: no process of that run is alive (what nobody has reaped yet is not)
left() {
  local p
  for p in $(pgrep -f -- "^$PROGRAM control .*-o $1( |\$)"); do
    ! grep -q '^State:.[ZX]' "/proc/$p/status" 2>/dev/null || continue
    [ -d "/proc/$p" ] && return 0
  done
  return 1
}
# stop_rank RANK NAME: once the search is under way; its pid: worker
stop_rank() {
  for _ in $(seq 200); do
    worker=$(pid_of "$1" "$2")
    [ -n "$worker" ] && [ -s "$2/search.csv" ] && [ "$(wc -l <"$2/search.csv")" -ge 3 ] && break
    sleep 0.05
  done
  that "$2 is under way" kill -STOP "$worker"
}
# same NAME: the same search and the same outcome as whole
same() {
  cmp -s <(cut -d, -f1-10 whole/search.csv) <(cut -d, -f1-10 "$1/search.csv") &&
    [ "$(outcome whole)" = "$(outcome "$1")" ]
}
outcome() { sed -n '/"outcome"/,/}/p' "$1/summary.json"; }

expect 0 mpi_run 2 "$PROGRAM" control "${long[@]}" -o whole --quiet

mpi_run 4 "$PROGRAM" control "${long[@]}" -o stopped --quiet >out 2>err </dev/null &
stop_rank 2 stopped
code=0
wait $! || code=$?
that "the run with a stopped rank ends as the other (exit $code)" test "$code" -eq 0
has err 'did not answer in time'
has err 'a rank does not answer'
that "the answer is the same" same stopped
has stopped/summary.json '"timed_out": 0'
sleep 1
that "no process is left" eval '! left stopped'

mpi_run 4 "$PROGRAM" control "${long[@]}" -o resumed --quiet >out 2>err </dev/null &
stop_rank 3 resumed
sleep 3
kill -CONT "$worker"
code=0
wait $! || code=$?
that "the run with a rank that paused ends as the other (exit $code)" test "$code" -eq 0
that "the answer is the same" same resumed
that "nobody had to be ended" eval '! grep -q "a rank does not answer" err'

# a signal while a rank is stopped: no longer than the grace time, and the end of the others with it
mpi_run 4 "$PROGRAM" control "${long[@]}" -o signalled --quiet --set search.evaluation_timeout=60 \
  --set checkpoint.grace=1 >out 2>err </dev/null &
stop_rank 2 signalled
sleep 0.2
kill -TERM "$(pid_of 1 signalled)"
code=0
wait $! || code=$?
that "the run with a stopped rank and a signal stops (exit $code)" test "$code" -eq 85
has signalled/summary.json '"reason": "signal"'
sleep 1
that "no process is left" eval '! left signalled'
expect 0 mpi_run 2 "$PROGRAM" resume signalled --quiet
that "the answer is the same" same signalled
verdict
