#!/usr/bin/env bash
# The layers, read off the #include lines: sim <- control <- src; bench and tests above them.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0
forbid() { # FOLDER PATTERN: no file of the folder may include what matches
  if grep -rnE --include='*.[ch]' "^#include *[<\"]($2)" "$1"; then
    echo "layers: $1 must not include the above" >&2
    failed=1
  fi
}
forbid sim 'control/|src/|tests/|bench/|mpi\.h|yaml\.h|jansson\.h|muParserDLL\.h'
forbid control 'src/|tests/|bench/|yaml\.h|jansson\.h|muParserDLL\.h'
forbid src 'tests/|bench/'
forbid bench 'tests/'
if grep -rnE --include='*.[ch]' '^#include "[^/"]*"' sim control src tests bench; then
  echo "layers: includes are relative to the root" >&2
  failed=1
fi
# MPI lives in the pool; the search itself must not know of it
if grep -lE '^#include <mpi\.h>' control/*.[ch] | grep -vE 'control/(message\.h|pool\.h|pool_.*\.[ch])$'; then
  echo "layers: MPI belongs to the pool's files" >&2
  failed=1
fi
# PETSc's solvers, and with them MPI, live in three files of sim and the header of one (dense.c takes its LAPACK)
if grep -lE '^#include <petsc' sim/*.[ch] | grep -vE 'sim/(group\.[ch]|sparse_petsc(_options)?\.c|dense\.c)$'; then
  echo "layers: PETSc belongs to sim/group.[ch] and sim/operator/petsc.c" >&2
  failed=1
fi
# of the search, PETSc's TAO and NLopt have a file each
if grep -lE '^#include [<"](petsc|sim/group)' control/*.[ch] | grep -vE 'control/(local_tao|pool_group)\.c$' ||
  grep -lE '^#include <nlopt' -r control src tests bench | grep -vE '^control/local_nlopt\.c$'; then
  echo "layers: PETSc belongs to control/local/tao.c, NLopt to control/local/nlopt.c" >&2
  failed=1
fi
[ $failed -eq 0 ] && echo "layers: in order"
exit $failed
