#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs that are killed (SIGKILL) at random instants and resumed, with another number of ranks, end with the bytes of runs
# that were never stopped: search.csv but for its seconds, summary.json but for clocks and ranks, trajectory and events.
#   usage: tests/ranks/kill_resume.sh PROGRAM [KILLS [SEED]]
# Up to 10 kills (6, if not given) are of small schemes alone. Kills go to mpirun, to rank 0 or to a worker; a run may be killed
# several times, and while it resumes. One kill in five comes while the run starts, the others once it has begun to search.
set -uo pipefail
PROGRAM=$1 kills=${2:-6} RANDOM=${3:-1}
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# What is run: problem and settings. The paper's scheme, and small ones.
runs=("tp1 --set search.scheme_size=9 --set search.penalty=P" "tp2 --set search.scheme_size=64"
  "tp1 --set search.scheme_size=64 --set search.rho_update=dynamic"
  "tp2 --set search.scheme_size=16 --set search.max_simplexes=150" "tp1 --set search.method=hybrid")
[ "$kills" -le 10 ] || runs+=("tp1" "tp2")

now() { date +%s%N; }

log_size() { stat -c %s "$dir/search.csv" 2>/dev/null || echo none; }

# Waits until the search of launcher $1 has written a line since its log had the size $2.
searches() {
  while kill -0 "$1" 2>/dev/null && [ "$(log_size)" = "$2" ]; do sleep 0.005; done
}

declare -a length search code
for r in "${!runs[@]}"; do
  read -ra words <<<"${runs[r]}"
  start=$(now)
  code[r]=0
  mpi_run 2 "$PROGRAM" control "$problems/${words[0]}.yaml" "${words[@]:1}" -o "whole$r" --quiet --set checkpoint.seconds=0 \
    >out 2>err || code[r]=$?
  length[r]=$((($(now) - start) / 1000000))
  search[r]=$(tail -1 "whole$r/search.csv" | awk -F, '{ printf "%d", 1000 * $NF + 1 }')
  that "run $r has come to an end (exit ${code[r]})" test -s "whole$r/search.csv"
  stripped "whole$r" >"whole$r.txt"
done

done_kills=0 ends=0 resumed=0 anew=0 late=0
while [ "$done_kills" -lt "$kills" ]; do
  r=$((RANDOM % ${#runs[@]}))
  read -ra words <<<"${runs[r]}"
  dir=killed$ends history=
  for attempt in 1 2 3; do
    ranks=$((RANDOM % 4 + 1)) size=$(log_size)
    if [ -e "$dir/checkpoint/run.json" ]; then
      mpi_exec $ranks "$PROGRAM" resume "$dir" --quiet >out 2>err &
    else # killed before there was anything to go on with
      anew=$((anew + (attempt > 1)))
      mpi_exec $ranks "$PROGRAM" control "$problems/${words[0]}.yaml" "${words[@]:1}" -o "$dir" --force --quiet \
        --set checkpoint.seconds=0 >out 2>err &
    fi
    launcher=$!
    span=${length[r]}
    if [ $((RANDOM % 5)) -gt 0 ]; then
      searches "$launcher" "$size"
      span=${search[r]}
    fi
    wait_ms=$((RANDOM * span / 32768 + 1))
    sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
    case $((RANDOM % 3)) in
      0) victim=$launcher ;;
      1) victim=$(rank_pid "$dir" 0) ;;
      2) victim=$(rank_pid "$dir" $((ranks - 1))) ;;
    esac
    history+=" $ranks ranks, ${wait_ms} ms, launcher $launcher: killed $victim;"
    if [ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null; then done_kills=$((done_kills + 1)); else late=$((late + 1)); fi
    outlast "$launcher"
    [ $((RANDOM % 3)) -gt 0 ] && break # killed once, or again while it resumes
  done
  ranks=$((RANDOM % 4 + 1)) end=0
  if [ -e "$dir/checkpoint/run.json" ]; then
    resumed=$((resumed + 1))
    mpi_run $ranks "$PROGRAM" resume "$dir" --quiet >out 2>err || end=$?
  else
    anew=$((anew + 1))
    mpi_run $ranks "$PROGRAM" control "$problems/${words[0]}.yaml" "${words[@]:1}" -o "$dir" --force --quiet \
      --set checkpoint.seconds=0 >out 2>err || end=$?
  fi
  [ "$end" -eq "${code[r]}" ] || { fail "${runs[r]}: exit $end instead of ${code[r]}"; cat err >&2; }
  stripped "$dir" >end.txt 2>/dev/null
  if ! cmp "whole$r.txt" end.txt; then
    diff "whole$r.txt" end.txt | head -6 >&2
    echo "history: $history" >&2
  fi
  that "${runs[r]}, resumed on $ranks ranks: other bytes" cmp -s "whole$r.txt" end.txt
  rm -rf "$dir"
  ends=$((ends + 1))
done
echo "$done_kills kills, $ends ends, $resumed of them resumed, $anew begun anew, $late came too late"
verdict
