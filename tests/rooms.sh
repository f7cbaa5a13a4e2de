#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The rooms: may each file include what it includes? The table in each layer's README says so, and this holds it true.
#   usage: tests/rooms.sh [--draw | --table]      --draw: print the table's third column as the code has it; --table: what table() prints
#
# A row is `| [`ROOM/`](ROOM/README.md) | what is in it | what it includes |`. The third column names rooms further down
# the table, rooms of layers below (`sim/operator`; `src` for all of that layer), and libraries. Root headers of a layer and
# of those below are open to all of its rooms; what stands at the root of src may include every room of src.
# A room in italics (`_search_`) is called through a root header and not included: tests/calls.sh tests these.
# Wrong are: an include that the table lacks, an arrow that the code has no more, an arrow upward. So there
# is no circle of rooms.
set -euo pipefail
cd "$(dirname "$0")/.."
layers="sim control src bench"

# table: LAYER ROOM ENTRY includes|calls for each entry of the third column, ENTRY `-` for the row itself
table() {
  local layer
  for layer in $layers; do
    awk -F'|' -v layer="$layer" '/^\| \[`[a-z_]+\/`\]/ {
      room = $2; gsub(/^ \[`|\/`\].*$/, "", room); print layer, room, "-"
      n = split($4, entries, /[ ,]+/)
      for (i = 1; i <= n; i++) {
        how = gsub(/^_|_$/, "", entries[i]) ? "calls" : "includes"
        if (entries[i] != "") print layer, room, entries[i], how
      }
    }' "$layer/README.md"
  done
}

includes() { grep -rE --include='*.[ch]' '^#include [<"]' sim control src bench tests | sed -E 's/:#include/ /' | tr -d '<>'; }

# what is wrong with the arrows, a line each; with an argument: the arrows
arrows() {
  { table; echo; includes; } | awk -v layers="$layers tests" -v draw="${1:+1}" '
  BEGIN {
    n = split(layers, order, " "); for (i = 1; i <= n; i++) height[order[i]] = i
    split("mpi.h MPI nlopt.h NLopt zlib.h zlib hdf5.h HDF5 hdf5_hl.h HDF5 yaml.h libyaml jansson.h Jansson expat.h Expat microhttpd.h libmicrohttpd", l, " ")
    for (i = 1; i in l; i += 2) library[l[i]] = l[i + 1]
  }
  function complain(text) { if (!draw) print "rooms: " text }
  function layer_of(path) { sub(/\/.*/, "", path); return path }
  function room_of(path,    p) { return split(path, p, "/") > 2 ? p[2] : "" }
  function upward(layer, room, other) {
    if ((layer, other) in row && row[layer, other] <= row[layer, room]) complain(layer "/README.md: `" room "` -> " other " is upward")
  }
  # what the third column calls a file that `layer` includes
  function entry(layer, path,    room) {
    room = room_of(path)
    return layer_of(path) == layer ? room : layer_of(path) "/" room
  }
  !NF { coded = 1; next }
  !coded && $3 == "-" { row[$1, $2] = ++rows; rooms[rows] = $1 " " $2; next }
  !coded && $4 == "calls" { called[$1, $2, $3] = 1; next }
  !coded { allowed[$1, $2, $3] = 1; next }
  { from = $1; what = $2; layer = layer_of(from); room = room_of(from) }
  layer == "tests" && what !~ /^"tests\// { next }
  what !~ /^"/ { # a library
    name = what ~ /^petsc/ ? "PETSc" : library[what]
    if (name == "" || room == "") next
    used[layer, room, name] = 1; if (!first[layer, room, name]) first[layer, room, name] = from
    next
  }
  {
    gsub(/"/, "", what); to = layer_of(what); other = room_of(what)
    if (what !~ /\//) { complain(from ": " what ": includes are relative to the root"); next }
    if (!(to in height)) next
    if (height[to] > height[layer]) { complain(from ": " what ": upward"); next }
    if (layer == "tests") next
    if (room == "") {
      if (from ~ /\.h$/ && other != "" && layer != "src") complain(from ": " what ": a root header includes no room")
      next
    }
    if (!((layer, room) in row)) { if (!missing[layer, room]++) complain(layer "/" room ": not in " layer "/README.md"); next }
    if (other == "") {
      if (to == "src" && layer == "src") complain(from ": " what ": upward, to the command line")
      next
    }
    if (to == layer && other == room) next
    name = entry(layer, what)
    if ((layer, room, to) in allowed) name = to
    used[layer, room, name] = 1; if (!first[layer, room, name]) first[layer, room, name] = from ": " what
  }
  END {
    for (key in used) {
      split(key, k, SUBSEP)
      if (!(key in allowed)) complain(first[key] ": `" k[2] "` may not include " k[3] " by " k[1] "/README.md")
    }
    for (key in allowed) {
      split(key, k, SUBSEP)
      if (!(key in used)) complain(k[1] "/README.md: `" k[2] "` includes nothing of " k[3] " any more")
      upward(k[1], k[2], k[3])
    }
    for (key in called) { split(key, k, SUBSEP); upward(k[1], k[2], k[3]) }
    if (draw)
      for (r = 1; r <= rows; r++) {
        split(rooms[r], k, " "); line = ""
        for (s = 1; s <= rows; s++) { split(rooms[s], o, " "); if (o[1] == k[1] && (k[1], k[2], o[2]) in used) line = line ", " (s <= r ? "^" : "") o[2] }
        for (key in used) { split(key, u, SUBSEP); if (u[1] == k[1] && u[2] == k[2] && !((u[1], u[3]) in row)) line = line ", " u[3] }
        printf "%-8s %-10s -> %s\n", k[1], k[2], substr(line, 3)
      }
  }'
}

if [ "${1:-}" = --draw ]; then arrows --draw; exit; fi
if [ "${1:-}" = --table ]; then table; exit; fi
violations=$(arrows | sort)
[ -z "$violations" ] || { echo "$violations" >&2; exit 1; }

# shellcheck disable=SC2016 # backticks of pages
# a room's folders, by the table in its README: none includes one that stands above it
while read -r room; do
  above=
  while read -r folder; do
    [ -z "$above" ] || ! grep -rnE "^#include \"$room/(${above#|})/" "$room/$folder" >&2 || { echo "rooms: $room/$folder: upward" >&2; exit 1; }
    above+="|$folder"
  done < <(sed -nE 's/^\| \[`([a-z_]+)\/`\].*/\1/p' "$room/README.md")
done < <(grep -lE '^\| \[`[a-z_]+/`\]' {sim,control,src,bench}/*/README.md | xargs -n 1 dirname)

# only PLACE PATTERN: what stands in one place alone
only() {
  ! grep -rnE --include='*.[ch]' "$2" sim control src | grep -vE "^$1" >&2 || { echo "rooms: belongs to $1" >&2; exit 1; }
}
only src/process/ '\b(signal|sigaction|mallopt|alarm)\('
only sim/operator/ '\b(PetscInitialize|PetscMallocSet|PetscPushErrorHandler)\('
only sim/operator/ '\bMPI_(Allreduce|Bcast|Gatherv?|Allgatherv?)\('
only control/search/hybrid.c '"hybrid"'
# src/python: beside itself it imports what is named here, and calls functions that the library exports
wrong=$(grep -nE '^ *(import|from) ' src/python/stiction/*.py |
  grep -vE ':[0-9]+: *(from [.]|(import|from) (atexit|csv|ctypes|json|math|os|re|signal|subprocess|tempfile|threading|time|typing|warnings|zlib|numpy|h5py|pandas|gest_api|stiction)\b)' || true)
wrong+=$(sed -nE 's/^    "([a-z_]+)": \(.*/\1/p' src/python/stiction/_library.py | grep -vx free | grep -vxFf tests/consumer/symbols.txt || true)
[ -z "$wrong" ] || { echo "rooms: src/python: $wrong" >&2; exit 1; }
echo "rooms: in order"
