#!/usr/bin/env bash
# The pool of ranks, with evaluations of the test's own, on two ranks and on more than there may be cores.
#   usage: tests/pool.sh TEST_POOL
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/shell.sh"
for n in 2 4; do expect 0 mpi_run "$n" "$PROGRAM"; done
verdict
