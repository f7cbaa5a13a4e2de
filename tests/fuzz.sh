#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Fuzzes what others may have written: each target for so many minutes, all of them if none is named. Builds with clang.
#   usage: tests/fuzz.sh MINUTES [TARGET...]
# Inputs that reach new code stay in build/fuzz/corpus/TARGET, for the next time; what crashes in build/fuzz/crashes. Exit
# code 1 when something did.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '3,4s/^# *//p' "$0" >&2; exit 2; }
minutes=$1
shift
[ $# -gt 0 ] || set -- problem expression matrix load robot search proof rollout checkpoint record results hdf5 spool package job http
fuzz=$PWD/build/fuzz
mkdir -p "$fuzz"
cmake --preset fuzz >"$fuzz.log"
cmake --build --preset fuzz --target fuzz stiction >>"$fuzz.log"
export ASAN_OPTIONS=allocator_may_return_null=1 LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0

tests/fuzz/seeds.sh "$fuzz/bin/stiction" "$fuzz"
mkdir -p "$fuzz/crashes"
code=0
for target; do
  corpus=$fuzz/corpus/$target log=$fuzz/$target.log leaks=1
  [ "$target" != hdf5 ] || leaks=0 # the library has some of its own with a damaged file
  mkdir -p "$corpus"
  STICTION_FUZZ=$target nice "$fuzz/bin/fuzz" "$corpus" "$fuzz/seeds/$target" -max_total_time=$((60 * minutes)) -max_len=65536 \
    -timeout=120 -detect_leaks=$leaks -rss_limit_mb=3000 -artifact_prefix="$fuzz/crashes/$target-" -print_final_stats=1 >"$log" 2>&1 || code=1
  printf '%-10s %9d inputs, %5d kept\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$(find "$corpus" -type f | wc -l)"
  ! grep -qE '^(SUMMARY|==[0-9]+== ERROR)' "$log" || grep -E '^SUMMARY|does not hold|Test unit written' "$log"
done
exit $code
