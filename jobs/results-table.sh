#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Makes one table of the results folders in one folder, as those of a service. Needs jq.
#   usage: jobs/results-table.sh [--markdown] DIR
# CSV by default. Runs that have not ended are reported on standard error and left out; the exit code is 1 then.
set -euo pipefail
usage() { sed -n '4s/^# *//p' "$0"; }
format=@csv results=
for argument; do
  case $argument in
    --markdown) format='"| " + join(" | ") + " |"' ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
    *) [ -z "$results" ] || { usage >&2; exit 2; }
       results=$argument ;;
  esac
done
[ -n "$results" ] || { usage >&2; exit 2; }
command -v jq >/dev/null || { echo "$0: needs jq" >&2; exit 2; }

runs=() unfinished=0
for directory in "$results"/*/; do
  [ -d "$directory" ] || { echo "$0: $results: no results there" >&2; exit 2; }
  reason=$(jq -r '.outcome.reason // ""' "$directory/summary.json" 2>/dev/null || true)
  case $reason in
    '' | signal) echo "$0: ${directory%/} has not come to its end" >&2; unfinished=1 ;;
    *) runs+=("$directory") ;;
  esac
done

columns='["run", "penalty", "rho_update", "multiplier", "reason", "J", "E1", "E2", "u", "rounds", "evaluations", "ivps",
  "ranks", "seconds"]'
# shellcheck disable=SC2016 # jq's variable
row='[$run, .problem.search.penalty, .problem.search.rho_update, .problem.scheme.multiplier, .outcome.reason, .outcome.J,
  .outcome["E1", "E2"], (.outcome.u // [] | flatten | map(tostring) | join(" ")), .counts["rounds", "evaluations", "ivps"],
  .ranks, .seconds.wall]'
jq -n -r "$columns | $format"
if [ "$format" != @csv ]; then jq -n -r "$columns | map(\"---\") | $format"; fi
for run in ${runs[@]+"${runs[@]}"}; do
  jq -r --arg run "$(basename "$run")" "$row | map(. // \"\") | $format" "$run/summary.json"
done
exit $unfinished
