#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The pool of ranks, with evaluations of the test's own, on two ranks and on more than there may be cores.
#   usage: tests/control/pool/pool.sh TEST_PROGRAM...
set -uo pipefail
programs=("$@")
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../../shell.sh"
for program in "${programs[@]}"; do
  for n in 2 4; do expect 0 mpi_run "$n" "$program"; done
done
verdict
