#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A user's law and scheme, added as sim/law/README.md and sim/core/README.md describe, to a copy of sim: core/test_features, which knows
# nothing of them, finds each refused or right by every scheme. A scheme that says it takes what it ignores is found out.
#   usage: tests/sim/own/own.sh CC OBJECT...      the build's objects of sim: of files that name no law and no scheme, those are taken
set -uo pipefail
cc=$1 built=("${@:2}")
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../../shell.sh"
flags="-std=c11 -O1 -w -ffp-contract=off -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -DSIM_PETSC_LIBRARY=NULL -I. $(pkg-config --cflags PETSc cmocka) $(mpicc --showme:compile)"
libraries="$(pkg-config --libs cmocka) $(mpicc --showme:link) -llapack -lblas -lm"

cp -r "$root/sim" sim
mkdir -p tests && cp -r "$root/tests/fixture.h" tests && mkdir -p tests/sim && cp -r "$root/tests/sim/core" "$root/tests/sim/own" tests/sim

# the recipe of sim/law/README.md: a row, the first, of sim/laws.h
recipe=$(sed -n '/^    X(SIM_STRIBECK_RATIO/,/^$/p' "$root/sim/law/README.md" | tr -d '\n' | tr -s ' ')
that "the README has the law" test -n "$recipe"
awk -v row="$recipe" '{ print } /^#define SIM_STRIBECK_LAWS\(X\)/ { print "  " row " \\" }' "$root/sim/laws.h" >sim/laws.h
# that of sim/core/README.md: a file, and its name in the table
cp tests/sim/own/semi_implicit.c sim/friction/
sed -i 's/^  X(centered) .*/  X(centered) X(semi_implicit) \\/' sim/setup/schemes.c
that "the table has the scheme" grep -q semi_implicit sim/setup/schemes.c

rm -f sim/lanes/wide_* sim/lanes/own_*
mkdir objects
compile() { # FILE OBJECT [FLAG..]
  # shellcheck disable=SC2086
  $cc $flags "${@:3}" -c "$1" -o "objects/$2.o" || fail "$1 does not compile"
}
mapfile -t headers < <(grep -l STRIBECK sim/*/*.h)
concerned=" sim/setup/schemes.c sim/friction/semi_implicit.c $(grep -lE "STRIBECK$(printf '|"%s"' sim/laws.h "${headers[@]}")" sim/*/*.c | tr '\n' ' ')"
declare -A object_of # of ROOM/FILE.c
for object in "${built[@]}"; do
  room=${object%/*} file=${object##*/}
  object_of[${room##*/}/${file%.o}]=$object
done
taken=()
for file in sim/*/*.c; do
  if [[ $concerned == *" $file "* ]]; then
    compile "$file" "${file//\//_}"
  else
    taken+=("${object_of[${file#sim/}]:-}")
    that "the build has $file" test -e "${taken[-1]}"
  fi
done
compile tests/sim/own/no_lanes.c no_lanes
compile tests/sim/core/test_features.c test_features -O1
# shellcheck disable=SC2086
$cc objects/*.o "${taken[@]}" -o honest $libraries || fail "does not link"
expect 0 ./honest semi_implicit
has out 'semi_implicit: [1-9].* refused, [1-9].* right'
has out 'semi_implicit with thresholds in time is refused'
expect 0 ./honest - ratio
has out 'event with ratio is refused'
has out '^moreau: [1-9].* refused, [1-9].* right'

# the same scheme, which says that it takes thresholds in time
compile sim/friction/semi_implicit.c sim_friction_semi_implicit.c -DBOASTS
# shellcheck disable=SC2086
$cc objects/*.o "${taken[@]}" -o boasting $libraries || fail "does not link"
expect 1 ./boasting semi_implicit 'thresholds in time'
has err 'semi_implicit with nothing and thresholds in time: off'

# a feature of viscous friction with no more than its bit: a row, the last, of sim/features.h, and a scheme that takes it
sed -i 's/^  X(SUPPORT, .*/& \\\n  X(TRIAL, NONE, "model.viscous", "trial force")/' sim/features.h
sed -i 's/SIM_HAS(VISCOUS)/& | SIM_HAS(TRIAL)/' sim/joint/viscous.c
sed -i 's/SIM_HAS(FIXED_POINT))$/SIM_HAS(FIXED_POINT) | SIM_HAS(TRIAL))/' sim/friction/moreau.c
that "the table has the feature" grep -q 'X(TRIAL' sim/features.h
for file in joint/viscous friction/moreau; do
  that "$file.c has the feature" grep -q 'SIM_HAS(TRIAL)' "sim/$file.c"
done
for file in core/features joint/viscous friction/moreau; do
  compile "sim/$file.c" "sim_${file/\//_}.c"
  for k in "${!taken[@]}"; do [[ ${taken[k]} != *"/$file.c.o" ]] || unset "taken[$k]"; done
done
# shellcheck disable=SC2086
$cc objects/*.o "${taken[@]}" -o bare $libraries || fail "does not link"
expect 0 ./bare moreau 'viscous friction'
has out '^moreau: [1-9][0-9]* refused, 0 right'
has out 'moreau with viscous friction is refused: model.viscous: trial force: not supported together with dense matrices, damping, viscous friction '

verdict
