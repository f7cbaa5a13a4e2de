# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034
# Sourced by the command-line tests: a scratch folder, checks that count, a verdict at the end.
# Needs: PROGRAM, the path of stiction.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=jobs/mpi.sh
. "$root/jobs/mpi.sh"
problems=$root/jobs/problems
exec {silent}<> <(:) # nothing writes there
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
checks=0 failures=0

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*" >&2
}

# expect CODE COMMAND...: runs it, output in out and err, and compares its exit code. Its ranks end by themselves, all of them: mpirun
# need not give those a second or two that are left when one has ended with another code than 0. Ranks that wait for each
# other for ever are ended after five minutes, so that the failure names the command.
expect() {
  local want=$1 code=0
  local -x OMPI_MCA_odls_base_sigkill_timeout=0 MPIEXEC_TIMEOUT=300
  shift
  checks=$((checks + 1))
  "$@" >out 2>err </dev/null || code=$?
  if [ "$code" -ne "$want" ]; then
    fail "exit $code instead of $want: $*"
    cat err >&2
  fi
}

# has FILE PATTERN: the file has a line that matches (grep -E)
has() {
  local line lines
  checks=$((checks + 1))
  mapfile -t -n 100 lines <"$1" # most files are a few lines: no process is started for these
  for line in "${lines[@]}"; do [[ $line =~ $2 ]] && return; done
  grep -qE -- "$2" "$1" || { fail "$1 has no line like: $2"; sed 's/^/    /' "$1" | head -20 >&2; }
}

# that MESSAGE COMMAND...: the command succeeds
that() {
  local message=$1
  shift
  checks=$((checks + 1))
  "$@" || fail "$message"
}

absent() { [ ! -e "$1" ]; }

# lines FILE PATTERN N: so many match
lines() { [ "$(grep -c -- "$2" "$1")" -eq "$3" ]; }

# figures DIR NAME...: these and no others, each an SVG and a PNG that is whole
figures() {
  local dir=$1 name
  shift
  for name; do
    that "$dir: $name.svg is whole" test "$(tail -n 2 "$dir/figures/$name.svg" | head -n 1)" = '</svg>'
    that "$dir: $name.png is one" test "$(head -c 4 "$dir/figures/$name.png" | tail -c 3)" = PNG
  done
  that "$dir: no other figures" test "$(find "$dir/figures" -type f | wc -l)" -eq $((2 * $#))
}

# pause SECONDS: without a process
pause() { read -rt "$1" -u "$silent" || true; }

# soon SECONDS COMMAND...: waits until the command succeeds, with its output discarded; fails when it does not in that time
soon() {
  local until=$((SECONDS + $1)) asked=0
  shift
  while ! "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$until" ] || return 1
    if ((asked++ < 25)); then pause 0.04; else pause 0.1; fi # most questions start a process
  done
}

# signalled SIGNAL CODE PID: a run in the background is sent it, and ends with that code
signalled() {
  local code=0
  kill -"$1" "$3"
  wait "$3" || code=$?
  that "sent $1 it ends with $2 (exit $code)" test "$code" -eq "$2"
}

# rows N FILE: it has that many lines, or more
rows() {
  local lines=()
  mapfile -n "$1" lines <"$2" && [ ${#lines[@]} -ge "$1" ] && [[ ${lines[-1]} == *$'\n' ]]
}

# The text results of a run but for what may differ between runs of the same problem.
stripped() {
  local name files=()
  [ ! -e "$1/search.csv" ] || cut -d, -f1-10 "$1/search.csv"
  for name in trajectory energy events; do # trajectory.h5 stands for trajectory.csv
    [ ! -e "$1/$name.csv" ] || files+=("$1/$name.csv")
  done
  jq -S 'del(.seconds, .ranks, .utilisation)' "$1/summary.json" && cat "${files[@]}" </dev/null
}

# every_summary FOLDER..: all files summary.json there, one at least, are what their schema says, and have no key that it lacks
every_summary() {
  local summaries
  mapfile -t summaries < <(find "$@" -name summary.json)
  that "summaries are valid by $problems/summary.schema.json" "$root/tests/schema.py" "$problems/summary.schema.json" "${summaries[@]}"
}

# same_answer A B: two runs of `control` have searched alike and ended alike, whatever happened to their ranks
same_answer() {
  local outcome='/"outcome"/,/}/p'
  cmp -s <(cut -d, -f1-10 "$1/search.csv") <(cut -d, -f1-10 "$2/search.csv") &&
    cmp -s <(sed -n "$outcome" "$1/summary.json") <(sed -n "$outcome" "$2/summary.json")
}

# ranks_of DIR: the pids of the processes of PROGRAM that work in DIR, which is named from here, in the order of their start;
# those of other tests have another working folder, those that are dead and not yet reaped have none
ranks_of() {
  local found
  found=$(pgrep -d , -f -- "^$PROGRAM [a-z]+ (.* )?$1( |\$)") || return 0
  ps -o pid= --sort=start_time -p "$found" | while read -r p; do # pids start again from low ones now and then
    [ ! "/proc/$p/cwd" -ef . ] || echo "$p"
  done
}

# rank_pid DIR RANK: the pid of that rank of them
rank_pid() {
  ranks_of "$1" | while read -r p; do
    ! grep -qzx "OMPI_COMM_WORLD_RANK=$2" "/proc/$p/environ" 2>/dev/null || echo "$p"
  done | head -1
}

gone() { ! kill -0 "$1"; }

# outlast LAUNCHER [SECONDS]: waits until it has ended after one of its ranks, or it itself, was killed. mpirun may lock itself
# up at its end when a rank is killed while it starts (PMIx): not for more than a minute, or SECONDS. No subshell waits for that: killed at
# its beginning it would run this shell's EXIT trap, which removes the scratch folder.
outlast() {
  soon "${2:-60}" gone "$1"
  kill -KILL "$1" 2>/dev/null
  wait "$1" 2>/dev/null
}

verdict() {
  echo "$((checks - failures)) passed, $failures failed"
  [ "$failures" -eq 0 ]
}
