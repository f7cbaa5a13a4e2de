#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Published friction parameters are found again from records of an integrator that shares no code with the program (bench/identification).
#   usage: tests/program/recover.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
expect 0 python3 "$root/bench/identification/recover.py" "$PROGRAM" servo-m1 servo-m4 emps
that "sixteen numbers are within four standard errors" test "$(grep -cE '^\| (emps|servo-m[14]) \|' out)" -eq 16
verdict
