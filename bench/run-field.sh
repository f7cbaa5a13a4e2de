#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# This project beside its field, on one page: other simulators, the conformance set, published problems of control, published friction.
#   usage: bench/run-field.sh [-o DIR] [--quick] [--without-peers]
# DIR: where FIELD.md and its figure go (default: results/field in the current folder). --quick: one step of time and few problems.
# --without-peers: without the other simulators, which Debian's packages bring (jobs/setup.sh --with-peers; see bench/peers/README.md on BLAS).
# Exit code 1: something that must hold does not; the page says what.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

usage() { sed -n '4,7s/^# *//p' "$0"; }
directory=results/field quick='' peers=1
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    -o) directory=${2:-}; shift 2 || { usage >&2; exit 2; } ;;
    --quick) quick=1; shift ;;
    --without-peers) peers=''; shift ;;
    *) usage >&2; exit 2 ;;
  esac
done
[ -n "$directory" ] || { usage >&2; exit 2; }

"$root/jobs/setup.sh" --with-tests ${peers:+--with-peers} || exit 1
mkdir -p "$directory" || exit 2
page=$directory/FIELD.md code=0
build() {
  cmake -S "$root" --preset release -DSTICTION_BENCH=ON -DSTICTION_PEERS="${peers:-0}" &&
    cmake --build "$root/build/release" -j "$(nproc)" --target stiction ${peers:+bench-peers}
}
(cd "$root" && build) >"$directory/build.log" 2>&1 || { cat "$directory/build.log" >&2; exit 1; }
stiction=$root/build/release/bin/stiction

# part TITLE COMMAND..: a heading, and what the command prints
part() {
  local title=$1 failed=0
  shift
  echo "$title .." >&2
  printf '\n## %s\n\n' "$title" >>"$page"
  "$@" >>"$page" 2>"$directory/errors" || failed=$?
  [ ! -s "$directory/errors" ] || sed 's/^/> /' "$directory/errors" >>"$page"
  [ $failed -eq 0 ] || { printf '\n**This failed, with exit code %s.**\n' $failed >>"$page"; code=1; }
}
code_of() { echo '```text'; "$@"; local failed=$?; echo '```'; return $failed; }
machine() { sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1; }

{
  echo "# stiction beside its field"
  printf "\nMade by bench/run-field.sh on %s. Times are of this machine, and comparable within this page.\n\n" "$(machine)"
  code_of "$stiction" --version
} >"$page"
if [ -n "$peers" ]; then
  form=(--markdown)
  [ -z "$quick" ] || form+=(--quick)
  part "The same motions by other simulators" "$root/build/release/bin/bench-peers" "${form[@]}"
  if [ -z "$quick" ] && command -v gnuplot >/dev/null; then
    "$root/build/release/bin/bench-peers" --csv >"$directory/peers.csv"
    gnuplot -e "root = '$root'; dir = '$directory'; kind = 'svg'" "$root/bench/peers/peers.gp" &&
      printf '\n![errors over the step](peers.svg)\n\nErrors of 0 are drawn at the lower edge, simulators without a step at the right.\n' >>"$page"
  fi
fi
few=()
[ -z "$quick" ] || few=(oscillator belt cart-pole)
part "The conformance set, computed anew by two integrators" code_of "$root/bench/conformance/make.py" "$stiction" --check ${few[@]+"${few[@]}"}
few=()
[ -z "$quick" ] || few=(--starts 0 turn mpc)
part "Published problems of control" "$root/bench/published/published.py" "$stiction" ${few[@]+"${few[@]}"}
few=()
[ -z "$quick" ] || few=(servo-m1)
part "Published friction, identified" "$root/bench/identification/recover.py" "$stiction" ${few[@]+"${few[@]}"}
rm -f "$directory/errors"
echo "results in $page"
exit $code
