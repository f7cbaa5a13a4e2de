#!/usr/bin/env bash
# Mutants: the libraries with one small change each (mutate.awk), drawn by a seed. Do the unit tests of the changed room see it?
#   usage: tests/mutants.sh [COUNT [SEED]]     200 mutants, seed 1; goes on where a run before has stopped
#          tests/mutants.sh FILE               those of a file that a run before has left, or of a part of it
# A mutant that a test fails of, crashes of or needs far longer for (three times its processor time and 3 s, at most 30 s) is
# killed; one that is not compiled is none.
# build/mutants/SEED.tsv (again.tsv) has a line of each: what became of it, its file, line, kind of change and the changed line.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$PWD/build/mutants
tree=$place/tree build=$place/build
tests=$place/tests # SECONDS NAME FOLDER of each that passes without a change
export MALLOC_PERTURB_=165 # what is read before it is written, or after it was freed, is seen sooner
# shellcheck source=jobs/mpi.sh
. jobs/mpi.sh
mpi_settings 2

# folders LAYER/ROOM: of the unit tests that a change of the room must fail
folders() {
  case $1 in
    sim/law | sim/step | sim/friction | sim/splitting) echo sim/friction ;;
    sim/operator) echo 'sim/friction|sim/chain' ;;
    sim/setup | sim/lanes) echo sim/core ;;
    sim/core) echo 'sim/core|sim/friction' ;;
    sim/* | control/sqp | control/pool) echo "$1" ;;
    control/worker) echo control/pool ;;
    control/*) echo control/search ;;
  esac
}

# programs FOLDER...: all but the one that replaces functions of NLopt, as only a library that is not shared allows
programs() { find "$@" -name 'test_*.c' ! -name test_hung_method.c -printf '%f\n' | sed 's/\.c$//' | sort; }

# names FOLDER: of its tests, as ctest has them
names() {
  local pattern
  pattern=$(programs "$tree/tests/$1" | sed -E 's/^test_(paper_runs)$/paper_.*/; s/^test_(pds_counts|string_ranks|group_derivatives)$/\1_.*/
    s/^test_(pool)$/\1/; /^test_pool_/d' | paste -sd'|')
  ctest --test-dir "$build" -N -R "^($pattern)$" | sed -nE 's/^ *Test +#[0-9]+: //p'
}

# run_test NAME SECONDS: of processor time, at most
run_test() { (ulimit -St "$2" && exec nice ctest --test-dir "$build" -R "^$1$" --timeout 300 &>"$place/tests.log" </dev/null); }
compile() { nice cmake --build "$build" -j "${JOBS:-$(nproc)}" --target "$@" >"$place/build.log" 2>&1; }

# restore: the tree as it was before a mutant
restore() {
  [ ! -e "$place/changed" ] || cp "$place/unchanged.c" "$tree/$(<"$place/changed")"
  rm -f "$place/changed"
}

mkdir -p "$tree"
if [ -f "${1:-}" ]; then
  count=$(wc -l <"$1") mutants=$place/again-drawn.tsv result=$place/again.tsv
  sed -E 's/^(killed by|survived)[^\t]*\t//' "$1" >"$mutants"
  rm -f "$result"
else
  count=${1:-200} mutants=$place/${2:-1}-drawn.tsv result=$place/${2:-1}.tsv
fi
restore
if [ ! -e "$result" ]; then # what has changed, so that no more is compiled
  git ls-files -co --exclude-standard | while read -r file; do
    ! cmp -s "$file" "$tree/$file" || continue
    mkdir -p "$tree/$(dirname "$file")"
    cp "$file" "$tree/$file"
    [ "${file#tests/}" = "$file" ] || rm -f "$tests"
  done
fi
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
if command -v ccache >/dev/null; then export CMAKE_C_COMPILER_LAUNCHER=ccache; fi
cmake -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 -DSTICTION_LANES_OPTIONS=-O0 -DSTICTION_BENCH=OFF \
  -DBUILD_SHARED_LIBS=ON -DCMAKE_LINK_DEPENDS_NO_SHARED=ON >"$place/cmake.log" # so that no test is linked again
mapfile -t all < <(programs "$tree/tests/sim" "$tree/tests/control")
compile "${all[@]}" || { cat "$place/build.log" >&2; exit 1; }

# the tests without a change, which some fail where libraries are shared: those that wrap their functions
if [ ! -e "$tests" ]; then
  TIMEFORMAT='%U'
  for folder in "$tree"/tests/sim/*/ "$tree"/tests/control/*/; do
    folder=${folder#"$tree/tests/"} folder=${folder%/}
    for name in $(names "$folder"); do
      if seconds=$({ time run_test "$name" 30; } 2>&1); then
        echo "$seconds $name $folder"
      else
        echo "not used, as it fails without a change: $name" >&2
      fi
    done
  done | sort -n >"$tests.new"
  mv "$tests.new" "$tests"
fi

touch "$result"
cd "$tree"
[ -f "${1:-}" ] || awk -v seed="${2:-1}" -f tests/mutate.awk sim/*/*.[ch] control/*/*.c >"$mutants"
while [ "$(wc -l <"$result")" -lt "$count" ] && IFS=$'\t' read -r file line kind text <&3; do
  ! grep -qF "$file"$'\t'"$line"$'\t' "$result" || continue
  restore
  cp "$file" "$place/unchanged.c"
  echo "$file" >"$place/changed"
  awk -v line="$line" -v text="${text//\\/\\\\}" 'FNR == line { $0 = text } { print }' "$place/unchanged.c" >"$file"
  compile stiction_sim stiction_control || continue
  outcome=survived
  while read -r name seconds; do
    run_test "$name" "$seconds" || { outcome="killed by $name" && break; }
  done < <(awk -v folders="^($(folders "$(cut -d/ -f1,2 <<<"$file")"))$" '$3 ~ folders {
    most = 3 + 3 * $1
    printf "%s %d\n", $2, most < 30 ? most : 30 }' "$tests")
  printf '%s\t%s\t%s\t%s\t%s\n' "$outcome" "$file" "$line" "$kind" "$text" | tee -a "$result"
done 3<"$mutants"
restore
awk -F'\t' '{ split($2, path, "/"); room = path[1] "/" path[2]; all[room]++; killed[room] += $1 ~ /^killed/; sum += $1 ~ /^killed/ }
  END { for (room in all) printf "%-18s %4d of %4d killed\n", room, killed[room], all[room] | "sort"; close("sort")
        printf "%-18s %4d of %4d killed\n", "all", sum, NR }' "$result"
