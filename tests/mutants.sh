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
tree=$place/tree
tests=$place/tests # SECONDS NAME FOLDER BUILD of each that passes without a change, in 15 s of processor time
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
    control/drive) echo 'control/search|control/pool' ;;
    control/*) echo control/search ;;
  esac
}

# programs FOLDER...: all but the one that is a program of its own for a script
programs() { find "$@" -name 'test_*.c' ! -name test_hung_method.c -printf '%f\n' | sed 's/\.c$//' | sort; }

# replacing FOLDER...: those that replace functions of the libraries, as only libraries that are not shared allow
replacing() {
  local files
  mapfile -t files < <(grep -lrE '__wrap_|no_memory\.h"' "$@" --include='test_*.c')
  printf '%s\n' "${files[@]}" | sed -nE '/test_hung_method/d; s|.*/(.*)\.c$|\1|p' | sort
}

# names FOLDER: of its tests, as ctest has them
names() {
  local pattern
  pattern=$(programs "$tree/tests/$1" | sed -E 's/^test_paper_runs$/paper_.*_P_constant_unregularized/
    s/^test_(pds_counts|string_ranks|group_derivatives)$/\1_.*/; s/^test_(pool)$/\1/; /^test_pool_/d' | paste -sd'|')
  ctest --test-dir "$place/shared" -N -R "^($pattern)$" | sed -nE 's/^ *Test +#[0-9]+: //p'
}

# run_test NAME SECONDS FOLDER BUILD: of processor time, at most. What sim reads before it is written, or after it was freed,
# is seen sooner; control's caches are too large to be filled.
run_test() {
  (
    ulimit -St "$2"
    [ "${3#sim/}" = "$3" ] || export MALLOC_PERTURB_=165
    exec nice ctest --test-dir "$place/$4" -R "^$1$" --timeout 300 &>"$place/tests.log" </dev/null
  )
}

# compile BUILD TARGET...
compile() { nice cmake --build "$place/$1" -j "${JOBS:-$(nproc)}" --target "${@:2}" >"$place/build.log" 2>&1; }

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
    [ ! -e "$tests" ] || sed -i "/ $(basename "$file" .c) /d" "$tests"
  done
fi
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
if command -v ccache >/dev/null; then export CMAKE_C_COMPILER_LAUNCHER=ccache; fi
for build in shared static; do # what is shared is not linked again for each mutant
  if [ $build = shared ]; then shared=ON; else shared=OFF; fi
  cmake -S "$tree" -B "$place/$build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 -DSTICTION_LANES_OPTIONS=-O0 \
    -DSTICTION_BENCH=OFF -DBUILD_SHARED_LIBS=$shared -DCMAKE_LINK_DEPENDS_NO_SHARED=ON >"$place/cmake.log"
done
mapfile -t all < <(programs "$tree/tests/sim" "$tree/tests/control")
mapfile -t static < <(replacing "$tree/tests/sim" "$tree/tests/control")
{ compile shared "${all[@]}" && compile static "${static[@]}"; } || { cat "$place/build.log" >&2; exit 1; }

# the tests without a change: those that replace functions come last
if [ ! -e "$result" ]; then
  TIMEFORMAT='%U'
  touch "$tests"
  for folder in "$tree"/tests/sim/*/ "$tree"/tests/control/*/; do
    folder=${folder#"$tree/tests/"} folder=${folder%/}
    { names "$folder" | sed 's/$/ shared/' && replacing "$tree/tests/$folder" | sed 's/$/ static/'; } | while read -r name build; do
      ! grep " $name $folder $build$" "$tests" || continue
      if seconds=$({ time run_test "$name" 15 "$folder" "$build"; } 2>&1); then
        echo "$seconds $name $folder $build"
      elif [ "$build" = static ] || ! [[ " ${static[*]} " = *" $name "* ]]; then
        echo "not used, as it fails or takes long without a change: $name" >&2
      fi
    done
  done | sort -k4,4 -k1,1n >"$tests.new"
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
  compile shared stiction_sim stiction_control || continue
  outcome=survived
  while read -r name seconds folder build; do
    [ "$build" = shared ] || compile static "$name"
    run_test "$name" "$seconds" "$folder" "$build" || { outcome="killed by $name" && break; }
  done < <(awk -v folders="^($(folders "$(cut -d/ -f1,2 <<<"$file")"))$" '$3 ~ folders {
    most = 3 + 3 * $1
    printf "%s %d %s %s\n", $2, most < 30 ? most : 30, $3, $4 }' "$tests")
  printf '%s\t%s\t%s\t%s\t%s\n' "$outcome" "$file" "$line" "$kind" "$text" | tee -a "$result"
done 3<"$mutants"
restore
awk -F'\t' '{ split($2, path, "/"); room = path[1] "/" path[2]; all[room]++; killed[room] += $1 ~ /^killed/; sum += $1 ~ /^killed/ }
  END { for (room in all) printf "%-18s %4d of %4d killed\n", room, killed[room], all[room] | "sort"; close("sort")
        printf "%-18s %4d of %4d killed\n", "all", sum, NR }' "$result"
