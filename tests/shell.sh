# shellcheck shell=bash disable=SC2034
# Sourced by the command-line tests: a scratch folder, checks that count, a verdict at the end.
# Needs: PROGRAM, the path of stiction.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=jobs/mpi.sh
. "$root/jobs/mpi.sh"
problems=$root/jobs/problems
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
checks=0 failures=0

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*" >&2
}

# expect CODE COMMAND...: runs it, output in out and err, and compares its exit code
expect() {
  local want=$1 code=0
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
  checks=$((checks + 1))
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

# The results of `control` in a directory without what may differ between runs of the same problem.
stripped() {
  cut -d, -f1-10 "$1/search.csv"
  jq -S 'del(.seconds, .ranks, .utilisation)' "$1/summary.json"
  cat "$1/trajectory.csv" "$1/energy.csv" "$1/events.csv"
}

# outlast LAUNCHER: waits until it has ended after one of its ranks, or it itself, was killed. mpirun may lock itself up
# at its end when a rank is killed while it starts (PMIx): not for more than a minute. No subshell waits for that: killed at
# its beginning it would run this shell's EXIT trap, which removes the scratch folder.
outlast() {
  for _ in $(seq 600); do
    kill -0 "$1" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$1" 2>/dev/null
  wait "$1" 2>/dev/null
}

verdict() {
  echo "$((checks - failures)) passed, $failures failed"
  [ "$failures" -eq 0 ]
}
