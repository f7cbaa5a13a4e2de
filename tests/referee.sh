#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# COUNT random motions by the scheme `event` and by the referee (tests/referee/README.md), of SEED: on one core.
#   tests/referee.sh [COUNT [SEED]]       100000, and a seed by the clock
cd "$(dirname "$0")/.." || exit 1
count=${1:-100000} seed=${2:-$(date +%s)} program=build/release/bin/test_referee
[ -x "$program" ] || program=build/ci/bin/test_referee
[ -x "$program" ] || { echo "referee.sh: build test_referee first" >&2; exit 1; }
echo "seed $seed"
exec nice -n 19 "$program" "$count" "$seed"
