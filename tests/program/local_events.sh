#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Local events of many masses (sim/event/local.h) beside the same motion in which all masses get new series at each event, as they do beside stops,
# here of ends that are never met. A window cut short once had the time of its planned end, so that the motion lagged: 0.03 m/s at T = 1 s.
#   usage: tests/program/local_events.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
file=$here/local_events.yaml

for end in 0.5 1 2; do
  expect 0 "$PROGRAM" simulate "$file" -o local --force --quiet --set time.end=$end
  expect 0 "$PROGRAM" simulate "$file" -o whole --force --quiet --set time.end=$end --set 'model.stops={lower: -1e6, upper: 1e6}'
  that "both motions are one, T = $end s" jq -ne '[inputs | .outcome | .x_T, .v_T] | [range(2) as $k | [.[$k], .[$k + 2]] | transpose[] |
    (.[0] - .[1]) | fabs] | max < 1e-9' local/summary.json whole/summary.json
done
verdict
