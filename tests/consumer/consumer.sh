#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# What others build on: the build installed into a place of the test's own, then moved. Headers, symbols, find_package, pkg-config, the static
# library, the examples, the manual, completion; and the program runs from there.
#   usage: tests/consumer/consumer.sh PROGRAM BUILD
set -uo pipefail
PROGRAM=$1 build=$2
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
version=$(sed -nE 's/^#define STICTION_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$root/sim/version.h" | paste -sd.)

# DESTDIR and prefix are respected, and what is installed may be moved as a whole
expect 0 env DESTDIR="$PWD/staged" cmake --install "$build" --prefix /opt/stiction
that "nothing is installed elsewhere" test "$(find staged -mindepth 2 -maxdepth 2)" = staged/opt/stiction
mv staged/opt/stiction prefix
prefix=$PWD/prefix
lib=$(dirname "$(find prefix -name libstiction.so)")
that "nothing in it names the build" test "$(grep -rlF -e "$build" -e "$root" -e "$PWD" prefix)" = ''
export LD_LIBRARY_PATH=$PWD/$lib PKG_CONFIG_PATH=$PWD/$lib/pkgconfig CMAKE_PREFIX_PATH=$prefix

# the program
expect 0 prefix/bin/stiction --version
has out "^stiction $version "
expect 0 prefix/bin/stiction control prefix/share/stiction/problems/tp1.yaml -o tp1 --quiet
that "its J is tp1's" jq -e '.outcome.J | . > 468.066 and . < 468.068' tp1/summary.json

# the conformance set, with its terms of use, and nothing is written beside it
set_of=prefix/share/stiction/conformance
listed=$(find $set_of | sort)
expect 0 $set_of/make.py prefix/bin/stiction --check throw bounces
expect 0 $set_of/score.py $set_of/data
has out '^throw +exact +0\.0e\+00 '
that "the licence is beside it" cmp "$root/LICENSE" $set_of/LICENSE
that "checks write nothing" test "$listed" = "$(find $set_of | sort)"

# Every public header compiles alone, as C11 and as C++17; of others it includes only public ones, and MPI's where it must.
for header in prefix/include/stiction/*.h; do
  name=$(basename "$header")
  has "$header" '^SIM_API_BEGIN$|define SIM_API_BEGIN'
  that "$name includes public headers alone" test "$(sed -nE 's/^#include [<"](.*)[>"]/\1/p' "$header" | grep -vE '^stiction/|^[a-z]+\.h$')" = ''
  case $name in ranks.h) read -ra mpi < <(pkg-config --cflags ompi-c) ;; *) mpi=() ;; esac
  printf "#include <stiction/%s>\ntypedef int alone;\n" "$name" >alone.c
  cp alone.c alone.cc
  expect 0 cc -std=c11 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Iprefix/include "${mpi[@]}" alone.c
  expect 0 c++ -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Wno-cast-function-type -Iprefix/include "${mpi[@]}" alone.cc
done

# what is exported is what the list says, in both libraries
LC_ALL=C sort "$root/tests/consumer/symbols.txt" >symbols
nm -D --defined-only "$lib/libstiction.so" | awk '{ print $3 }' | LC_ALL=C sort >exported
that "tests/consumer/symbols.txt lists what is exported: $(diff symbols exported | grep '^[<>]' | xargs)" cmp -s symbols exported
nm -g --defined-only "$lib/libstiction.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >exported
that "and of the static library" cmp -s symbols exported
that "the name that programs look for has the version" test \
  "$(readelf -d "$lib/libstiction.so" | sed -nE 's/.*SONAME.*\[(.*)\]/\1/p')" = "libstiction.so.${version%.*}"

# the examples: by find_package; by pkg-config; one with the static library
expect 0 cmake -S prefix/share/stiction/examples -B examples -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-Wall -Wextra -Werror"
expect 0 cmake --build examples
for example in "$root"/src/package/examples/*.c; do
  that "$(basename "$example") has 70 lines at most" test "$(wc -l <"$example")" -le 70
done
expect 0 examples/friction
has out '^c = 1 N: x = .* m, v = .* m/s$'
has out '^c = 3 N: x = 0.000000 m, v = 0.000000 m/s$' # held by the friction
cp out friction
expect 0 examples/law
has out '^[1-9][0-9]* slips in 20 s'
mkdir by-pkg-config
for example in "$root"/src/package/examples/*.c; do
  name=$(basename "$example" .c) names=(stiction) arguments=()
  ! grep -q 'stiction/ranks\.h' "$example" || names+=(ompi-c)
  [ "$name" != file ] || arguments=("$problems/tp1.yaml" time.step=0.025)
  read -ra flags < <(pkg-config --cflags --libs "${names[@]}")
  expect 0 cc -std=c11 -Wall -Wextra -Werror "$example" "${flags[@]}" -lm -o "by-pkg-config/$name"
  expect 0 "examples/$name" "${arguments[@]}"
  mv out by-cmake
  expect 0 "by-pkg-config/$name" "${arguments[@]}"
  that "$name: by pkg-config it is the same" cmp by-cmake out
  that "$name says something" test -s out
done
read -ra flags < <(pkg-config --static --cflags --libs stiction)
expect 0 cc "$root/src/package/examples/friction.c" "${flags[@]/-lstiction/-l:libstiction.a}" -lm -o static
expect 0 env -u LD_LIBRARY_PATH ./static
that "statically it is the same" cmp friction out
mkdir found
printf 'cmake_minimum_required(VERSION 3.25)\nproject(found C)\nfind_package(stiction %s REQUIRED COMPONENTS static)\n
add_executable(friction friction.c)\ntarget_link_libraries(friction stiction::stiction_static)\n' "$version" >found/CMakeLists.txt
cp "$root/src/package/examples/friction.c" found/
expect 0 cmake -S found -B found/build
expect 0 cmake --build found/build
expect 0 env -u LD_LIBRARY_PATH found/build/friction
that "found by CMake, statically, it is the same" cmp friction out
sed -i 's/COMPONENTS static/COMPONENTS dynamic/' found/CMakeLists.txt
expect 1 cmake -S found -B found/none
has err 'no component dynamic'
expect 0 pkg-config --exact-version="$version" stiction
printf 'find_package(stiction %s REQUIRED)\n' 99 >wrong.cmake
expect 1 cmake -P wrong.cmake

# the reader of problem files: what the program computes; mistakes with their place, and no output but the listener's
expect 0 "$PROGRAM" simulate "$problems/tp1.yaml" --set time.step=0.025 -o simulated --quiet
expect 0 examples/file "$problems/tp1.yaml" time.step=0.025
that "a file read by the library moves as the program has it" test \
  "$(sed -nE 's/^x = (.*), v = .*/\1/p' out | paste -sd,)" = "$(tail -n 1 simulated/trajectory.csv | cut -d, -f2-4)"
printf 'model: {kind: friction, mass: -1, friction: 1, x0: [0]}\ntime: {end: 1, stepp: 0.1}\n' >wrong.yaml
expect 2 examples/file wrong.yaml
has out '^wrong.yaml:1:31: model.mass: '
has out '^wrong.yaml:2:16: time.stepp: unknown key'
that "nothing else is printed" test ! -s err
expect 2 examples/file nowhere.yaml
has out 'nowhere.yaml'

# the manual has the commands and the keys, and no mistakes; completion has what there is
for page in man1/stiction.1 man5/stiction-problem.5; do
  expect 0 groff -man -ww -Tutf8 -P-cbou "prefix/share/man/$page"
  that "$page is clean" test ! -s err
  cp out "$(basename "$page")"
done
has stiction.1 'identify'
has stiction.1 "^ +--max-seconds S\$"
has stiction-problem.5 "scheme_size"
PATH=$prefix/bin:$PATH
# complete WORD...: what bash would offer for the last word
complete_words() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMPREPLY=()
  COMP_POINT=${#COMP_LINE}
  _stiction
  printf '%s\n' "${COMPREPLY[@]}" >completed
}
compopt() { :; } # of a completion that is under way
# shellcheck source=src/package/completion/stiction
. prefix/share/bash-completion/completions/stiction
complete_words stiction si
has completed '^simulate$'
complete_words stiction simulate tp1.yaml --ver
has completed '^--verify$'
complete_words stiction simulate tp1.yaml --set scheme.na
has completed '^scheme.name=$'
complete_words stiction control tp1.yaml --set search.method=pd
has completed '^pds$'
COMP_WORDS=(stiction search a.yaml --set search.method "=" nlopt : cob) COMP_CWORD=8 # as bash breaks it
COMP_LINE='stiction search a.yaml --set search.method=nlopt:cob' COMP_POINT=${#COMP_LINE} COMPREPLY=()
_stiction
that "what stands before a colon is not said again" test "${COMPREPLY[*]}" = cobyla
complete_words stiction help search.scheme_s
has completed '^search.scheme_size$'
mkdir -p spool/incoming spool/done/finished
touch spool/incoming/waits.yaml
complete_words stiction cancel spool wai
has completed '^waits$'
complete_words stiction fetch spool f
has completed '^finished$'
complete_words stiction cancel spool --qu
has completed '^--quiet$'
verdict
