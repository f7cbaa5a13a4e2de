#!/usr/bin/env bash
# Fuzzes what others may have written: each target for so many minutes, all of them if none is named. Builds with clang.
#   usage: tests/fuzz.sh MINUTES [TARGET...]
# Inputs that told something new stay in build/fuzz/corpus/TARGET, for the next time; what crashes in build/fuzz/crashes. Exit
# code 1 when something did.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,3s/^# *//p' "$0" >&2; exit 2; }
minutes=$1
shift
[ $# -gt 0 ] || set -- problem expression matrix load search rollout checkpoint record results hdf5 spool
fuzz=$PWD/build/fuzz
cmake --preset fuzz >"$fuzz.log"
cmake --build --preset fuzz --target fuzz stiction >>"$fuzz.log"
export ASAN_OPTIONS=allocator_may_return_null=1 LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0

# seed TARGET NAME: the standard input is an input of it
seed() {
  mkdir -p "$fuzz/seeds/$1"
  cat >"$fuzz/seeds/$1/$2"
}
# run NAME ARGUMENTS of stiction...: small results to start from, once
run() {
  local name=$1
  shift
  [ -e "$fuzz/runs/$name/summary.json" ] || "$fuzz/bin/stiction" "$@" -o "$fuzz/runs/$name" --quiet --force
}

mkdir -p "$fuzz/runs" "$fuzz/crashes"
run csv simulate jobs/problems/tp1.yaml --set time.step=0.05
run hdf5 simulate jobs/problems/tp1.yaml --set time.step=0.5 --set output.format=hdf5
run search control jobs/problems/tp1.yaml --set search.scheme_size=9 --set time.step=0.05 --set output.verify=no --set search.refine=none
for file in jobs/problems/*.yaml tests/program/bad/*.yaml; do
  name=$(basename "$file")
  seed problem "$name" <"$file"
  { cat "$file" && printf '\0scheme.name=centered\0model.mass.0=2\0time={end: 1, steps: 3}'; } | seed problem "set-$name"
done
sed -nE 's/.*(force|value|until|friction|x0): "?([^",{}]+).*/\2/p' jobs/problems/*.yaml tests/program/bad/*.yaml | sort -u |
  while read -r text; do printf %s "$text" | seed expression "$(printf %s "$text" | cksum | cut -d' ' -f1)"; done
for file in jobs/problems/*.mtx tests/program/bad/*.mtx; do
  # shellcheck disable=SC2094
  [ ! -e "$file" ] || seed matrix "$(basename "$file")" <"$file"
done
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 2\n' | seed matrix coordinate
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n' | seed matrix array
seed load measured <jobs/problems/measured-load.csv
for target in search rollout; do printf '\0\010\377\001\0\0\002' | seed $target bytes; done
printf 'whole and torn' | seed checkpoint text
for name in csv search; do
  record=$fuzz/runs/$name/checkpoint/run.json # a short simulation has none
  [ ! -e "$record" ] || seed record $name <"$record"
  for file in summary.json trajectory.csv energy.csv events.csv search.csv; do
    { [ ! -e "$fuzz/runs/$name/$file" ] || head -c 20000 "$fuzz/runs/$name/$file"; } && printf '\0'
  done | seed results $name
done
seed hdf5 trajectory <"$fuzz/runs/hdf5/trajectory.h5"
printf 'a b\n.yaml\0model: {}\n' | seed spool odd

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
