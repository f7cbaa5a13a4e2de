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
[ $failed -eq 0 ] && echo "layers: in order"
exit $failed
