#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Mutants: the libraries with one small change each (mutate.awk), drawn by a seed. Do the unit tests of the changed room see it?
#   usage: tests/mutants.sh [COUNT [SEED]]     200 mutants, seed 1; goes on where a run before has stopped
#          tests/mutants.sh FILE               those of a file that a run before has left, or of a part of it
# A mutant that a test fails of, crashes of or needs far longer for (three times its processor time and 3 s, at most 30 s) is
# killed. When all are tried, those that no test saw so (`unseen`) are tried once more under AddressSanitizer and
# UndefinedBehaviorSanitizer, at most 90 s a test. The tests that have killed most in their time come first.
# No mutants, and not counted: what is not compiled; what the release's options compile to the code that was there before; and
# what mutants_equal.tsv (file, line as changed, reason) has as changing no result. With FILE these are tried, too.
# build/mutants/SEED.tsv (again.tsv) has a line of each: what became of it, its file, line, kind of change and the line as changed.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$PWD/build/mutants
tree=$place/tree
tests=$place/tests # SECONDS NAME FOLDER BUILD of each; -: not used, as it fails without a change, or takes 15 s (sanitized: 30)
equal=$PWD/tests/mutants_equal.tsv
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 # MPI and PETSc leak
# shellcheck source=jobs/mpi.sh
. jobs/mpi.sh
mpi_settings 2

# folders LAYER/ROOM: those of the unit tests that a change of the room must fail, and a test among others
folders() {
  case $1 in
    sim/base | sim/law | sim/joint | sim/step | sim/friction | sim/splitting | sim/core) echo 'sim/core|sim/friction|test_surface' ;;
    sim/operator) echo 'sim/core|sim/friction|sim/chain' ;;
    sim/event) echo 'sim/event|test_(stops|stops_random|thresholds|rollout_save)' ;; # the cases of sim/event are in these tests
    sim/setup | sim/lanes) echo 'sim/core|test_surface' ;;
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

# run_test NAME SECONDS FOLDER BUILD: of processor time, at most; one that sleeps for ever ends, too, late enough that one on a
# busy machine is not taken for it. What sim reads before it is written, or after it was freed, is seen sooner; control's caches
# are too large to be filled.
run_test() {
  (
    ulimit -St "$2"
    [ "${3#sim/}" = "$3" ] || export MALLOC_PERTURB_=165
    exec nice ctest --test-dir "$place/$4" -R "^$1$" --timeout $((60 + 20 * $2)) &>"$place/tests.log" </dev/null
  )
}

# equal FILE TEXT: whether the table has this change
equal() { cut -f1,2 "$equal" | grep -qxF "$1"$'\t'"$2"; }

# same_code FILE: whether it compiles to the code of the unchanged one; not tried for headers and for lanes, which take minutes
same_code() {
  case $1 in *.h | sim/lanes/*) return 1 ;; esac
  local command
  command=$(jq -r --arg file "$tree/$1" '.[] | select(.file == $file).command | sub(" -o .*"; "")' \
    "$place/shared/compile_commands.json")
  nice bash -c "$command -O3 -DNDEBUG -x c -c -o $place/old.o -" <"$place/unchanged.c" &&
    nice bash -c "$command -O3 -DNDEBUG -x c -c -o $place/new.o -" <"$1" && cmp -s "$place/old.o" "$place/new.o"
}

# ordered FOLDERS BUILD: NAME SECONDS FOLDER of its tests, those first that have killed most, for the time that they take
ordered() {
  awk -v folders="^($1)$" -v build="$2" 'FILENAME != ARGV[2] { if ($1 == "killed") kills[$3]++; next }
    ($3 ~ folders || $2 ~ folders) && $4 == build && $1 != "-" {
      most = 3 + 3 * $1; limit = build == "sanitized" ? 90 : 30
      print (1 + kills[$2 ","]) / (0.2 + $1), $2, int(most < limit ? most : limit), $3 }' "$result" "$tests" | sort -rg | cut -d' ' -f2-
}

# killer FILE BUILD: the first of its tests that fails of the change of a file
killer() {
  compile "$2" stiction_sim stiction_control || { echo "the compiler" && return; }
  ordered "$(folders "$(cut -d/ -f1,2 <<<"$1")")" "$2" | while read -r name seconds folder; do
    [ "$2" != static ] || compile static "$name"
    run_test "$name" "$seconds" "$folder" "$2" || { echo "$name" && break; }
  done
}

# outcome FILE BUILD...: what becomes of its change
outcome() {
  local build by
  for build in "${@:2}"; do
    by=$(killer "$1" "$build")
    case $by in
      "the compiler") echo "not compiled" && return ;;
      ?*) echo "killed by $by, $build" && return ;;
    esac
  done
  if [ "$build" = sanitized ]; then echo survived; elif same_code "$1"; then echo "no change"; else echo unseen; fi
}

# tried FILE LINE TEXT BUILD...: the outcome of this change
tried() {
  restore
  cp "$1" "$place/unchanged.c"
  echo "$1" >"$place/changed"
  awk -v line="$2" -v text="${3//\\/\\\\}" 'FNR == line { $0 = text } { print }' "$place/unchanged.c" >"$1"
  outcome "$1" "${@:4}"
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
  cut -f2- "$1" >"$mutants"
  rm -f "$result"
else
  count=${1:-200} mutants=$place/${2:-1}-drawn.tsv result=$place/${2:-1}.tsv
fi
restore
git ls-files -co --exclude-standard | while read -r file; do # what has changed, so that no more is compiled
  if cmp -s "$file" "$tree/$file" || { [ -e "$result" ] && [ "${file#tests/}" = "$file" ]; }; then continue; fi
  mkdir -p "$tree/$(dirname "$file")"
  cp "$file" "$tree/$file"
  [ ! -e "$tests" ] || sed -i "/ $(basename "$file" .c) /d" "$tests"
done
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
if command -v ccache >/dev/null; then export CMAKE_C_COMPILER_LAUNCHER=ccache; fi
# configure BUILD SHARED FLAGS: what is shared is not linked again for each mutant
configure() {
  cmake -S "$tree" -B "$place/$1" -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS="$2" "-DCMAKE_C_FLAGS=-O1 $3" \
    "-DSTICTION_LANES_OPTIONS=-O0;-fno-sanitize=undefined" -DSTICTION_BENCH=OFF -DCMAKE_LINK_DEPENDS_NO_SHARED=ON \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$place/cmake.log"
}
configure shared ON ""
configure static OFF ""
configure sanitized ON "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
mapfile -t all < <(programs "$tree/tests/sim" "$tree/tests/control")
mapfile -t static < <(replacing "$tree/tests/sim" "$tree/tests/control")

# names_of BUILD FOLDER: sanitized, on one rank alone
names_of() {
  case $1 in
    shared) names "$2" ;;
    static) replacing "$tree/tests/$2" ;;
    sanitized) names "$2" | sed '/_[23]$/d' ;;
  esac
}
# measure BUILD TARGET...: how long its tests take without a change
measure() {
  local build=$1 folder name most=15 seconds
  compile "$@" || { cat "$place/build.log" >&2 && return 1; }
  [ "$build" != sanitized ] || most=30
  for folder in "$tree"/tests/sim/*/ "$tree"/tests/control/*/; do
    folder=${folder#"$tree/tests/"} folder=${folder%/}
    names_of "$build" "$folder" | while read -r name; do
      ! grep -q " $name $folder $build$" "$tests" || continue
      seconds=$({ time run_test "$name" "$most" "$folder" "$build"; } 2>&1) || seconds=-
      echo "$seconds $name $folder $build" >>"$tests"
    done
  done
}

TIMEFORMAT='%U'
touch "$tests" "$result"
measure shared "${all[@]}"
measure static "${static[@]}"
cd "$tree"
[ -f "${1:-}" ] || awk -v seed="${2:-1}" -f tests/mutate.awk sim/*/*.[ch] control/*/*.c >"$mutants"
while [ "$(grep -cE '^(killed|survived|unseen)' "$result")" -lt "$count" ] && IFS=$'\t' read -r file line kind text <&3; do
  ! grep -qF "$file"$'\t'"$line"$'\t' "$result" || continue
  if equal "$file" "$text" && [ ! -f "${1:-}" ]; then
    became=equal
  else
    became=$(tried "$file" "$line" "$text" shared static)
  fi
  printf '%s\t%s\t%s\t%s\t%s\n' "$became" "$file" "$line" "$kind" "$text" | tee -a "$result"
done 3<"$mutants"
restore

! grep -q '^unseen' "$result" || measure sanitized "${all[@]}"
while IFS=$'\t' read -r number file line kind text <&3; do
  became=$(tried "$file" "$line" "$text" sanitized)
  sed -i "${number}s/^unseen/$became/" "$result"
  sed -n "${number}p" "$result"
done 3< <(awk -F'\t' -v OFS='\t' '/^unseen/ { $1 = NR; print }' "$result")
restore
awk -F'\t' '!/^(killed|survived)/ { none[$1]++; next }
  { split($2, path, "/"); room = path[1] "/" path[2]; all[room]++; killed[room] += /^killed/; sum += /^killed/; count++ }
  END { for (room in all) printf "%-18s %4d of %4d killed\n", room, killed[room], all[room] | "sort"; close("sort")
        printf "%-18s %4d of %4d killed\n", "all", sum, count
        for (why in none) printf "%-18s %4d\n", why, none[why] }' "$result"
