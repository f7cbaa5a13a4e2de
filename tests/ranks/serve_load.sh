#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Many small jobs at once on 4 ranks: all are done, none is lost; how long they take, beside sweeps of the same searches. By hand.
#   usage: tests/ranks/serve_load.sh PROGRAM [JOBS]
set -uo pipefail
PROGRAM=$1 jobs=${2:-1000}
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"

sed -e 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 9, refine: none}/' -e 's/step: 0.0125}/step: 0.025}/' "$problems/tp1.yaml" >small.yaml
expect 0 "$PROGRAM" serve spool --init
for k in $(seq "$jobs"); do
  sed "s/  friction: .*/  friction: $((5 + k % 10)).$k/" small.yaml >spool/incoming/.part
  mv spool/incoming/.part "spool/incoming/$k.yaml"
  values="${values:-}${values:+, }$((5 + k % 10)).$k"
done
expect 0 mpi_run 4 "$PROGRAM" serve spool --drain
that "all are done" test "$(count spool/done)-$(count spool/failed)-$(count spool/running)-$(count spool/incoming)" = "$jobs-0-0-0"
that "each has its results" test "$(find spool/done -name summary.json | wc -l)" -eq "$jobs"
that "counts" test "$(jq .all.done spool/status.json)" -eq "$jobs"
SECONDS=0
expect 0 mpi_run 4 "$PROGRAM" sweep small.yaml -o swept -q --vary "model.friction=[$values]"
swept=$SECONDS served=$(jq .seconds spool/status.json)
that "as many runs" rows $((jobs + 1)) swept/sweep.csv
SECONDS=0
expect 0 mpi_run 4 "$PROGRAM" sweep small.yaml -o kept -q --keep --vary "model.friction=[$values]"
echo "$jobs jobs: served in $served s, swept in $swept s, with the results of each (--keep) in $SECONDS s"
verdict
