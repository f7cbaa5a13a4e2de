#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The answer does not depend on the ranks that compute it: search.csv and summary.json, less clocks, ranks and utilisation, are
# the same bytes for any number of ranks, any batch size and every kernel of batches.
#   usage: tests/ranks/same_bits.sh PROGRAM PROBLEM "RANKS..." [--set KEY=VALUE...]      RANKS: others than 3, on which all else runs
set -uo pipefail
PROGRAM=$1 problem=$2 ranks=$3
shift 3
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

bits() { stripped "$1" | grep -v '^  "kernel": '; } # the kernel is named in summary.json

expect 0 mpi_run 1 "$PROGRAM" control "$problems/$problem.yaml" -o one "$@"
bits one >one.txt
that "the search has run" test "$(wc -l <one/search.csv)" -gt 10
for n in $ranks; do
  expect 0 mpi_run "$n" "$PROGRAM" control "$problems/$problem.yaml" -o "n$n" "$@"
  bits "n$n" >"n$n.txt"
  that "$n ranks give the bytes of one" cmp one.txt "n$n.txt"
done
for evaluates in yes no; do
  expect 0 mpi_run 3 "$PROGRAM" control "$problems/$problem.yaml" -o "$evaluates" --coordinator-evaluates $evaluates "$@"
  bits "$evaluates" >"$evaluates.txt"
  that "with the coordinator evaluating ($evaluates) come the bytes of one rank" cmp one.txt "$evaluates.txt"
done
that "the coordinator has evaluated" jq -e '.seconds.evaluating > 0' yes/summary.json
that "the coordinator has not evaluated" jq -e '.seconds.evaluating == 0' no/summary.json
for k in 1 7 1000; do
  expect 0 mpi_run 3 "$PROGRAM" control "$problems/$problem.yaml" -o "k$k" --batch "$k" "$@"
  bits "k$k" >"k$k.txt"
  that "batches of $k points give the bytes of one rank" cmp one.txt "k$k.txt"
done
for kernel in ref sse2 neon avx2 avx512; do
  # only what this processor and this build have
  "$PROGRAM" control "$problems/$problem.yaml" -q -o "$kernel" --batch-kernel "$kernel" "$@" 2>"$kernel.err" || continue
  bits "$kernel" >"$kernel.txt"
  that "kernel $kernel gives the bytes of one rank" cmp one.txt "$kernel.txt"
  that "kernel $kernel is named" test "$(jq -r .kernel "$kernel/summary.json")" = "$kernel"
done
lanes_ran() { [ -e ref.txt ] && { [ -e sse2.txt ] || [ -e neon.txt ]; }; }
that "ref and lanes have run" lanes_ran
verdict
