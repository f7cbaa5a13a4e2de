#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Calls are arrows, too: sim/lanes may call sim/core, which stands below it in the table of sim/README.md. A call may go through a header at a root
# (sim/sim.h), which names no room; so this test reads the symbols of the objects. tests/rooms.sh tests includes.
#   usage: tests/calls.sh BUILD      a folder in which everything is built
#
# A call from one room to another is wrong
# - if the other room stands above it, in the same layer or in a layer above; so there is no circle of calls;
# - if the third column of its row names the room in no way: the room is not included, directly or by what is included, and it is not in italics. A lower
#   layer's functions that its root headers declare are open to all.
# Wrong is also an entry in italics that no call uses.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."

# ROOM of each layer, from the lowest: a layer's root has no place in its table, and is above all of its rooms
rooms() {
  local layer
  for layer in sim control src; do
    tests/rooms.sh --table | awk -v layer="$layer" '$1 == layer && $3 == "-" { print $1 "/" $2 }' | tac
    echo "$layer"
  done
}
# LAYER/ROOM LAYER/ROOM includes|calls, for each entry of a third column
entries() { tests/rooms.sh --table | awk '$3 != "-" { print $1 "/" $2, ($3 ~ /\// ? $3 : $1 "/" $3), $4 }'; }
# LAYER WORD for each word of the headers at a root
declared() { grep -oE '\b[a-z][a-z0-9]*_[a-z0-9_]+\b' sim/*.h control/*.h | sed -E 's:/.*\:: :' | sort -u; }
# FILE KIND SYMBOL of each object: src/CMakeFiles/stiction.dir/run/storage.c.o is src/run/storage.c. An object that is generated, or has lost its source, is
# left out below.
symbols() {
  find "$build/sim" "$build/control" "$build/src" -name '*.c.o' -print0 | xargs -0 nm -A |
    sed -nE "s:^$build/([a-z]+)/CMakeFiles/[^/]*\.dir/(.*)\.o\:[0-9a-f ]*([TDBRVCU]) (.*)$:\1/\2 \3 \4:p"
}

{ rooms; echo; entries; echo; declared; echo; find sim control src -name '*.c'; echo; symbols; } | awk '
  function room_of(file,    part, n) { n = split(file, part, "/"); return n > 2 ? part[1] "/" part[2] : part[1] }
  function layer_of(room) { sub(/\/.*/, "", room); return room }
  function complain(text) { print "calls: " text; bad = 1 }
  !NF { section++; next }
  section == 0 { room[++rooms] = $1; height[$1] = rooms; next }
  section == 1 { if ($3 == "calls") italic[$1, $2]; else includes[$1, $2]; next }
  section == 2 { open[$1, $2]; next }
  section == 3 { there[$1]; next }
  !($1 in there) { next }
  $2 != "U" { defined[$3] = $1; next }
  { used[$1 " " $3] }
  END {
    for (r = 1; r <= rooms; r++) # upward: what is included stands below, and already has all that it includes in turn
      for (j = r - 1; j >= 1; j--)
        if ((room[r], room[j]) in includes)
          for (i = 1; i < j; i++) if ((room[j], room[i]) in includes) includes[room[r], room[i]]
    for (key in used) {
      split(key, k, " "); file = defined[k[2]]
      if (file == "") continue
      calls++
      from = room_of(k[1]); to = room_of(file); call = k[1] " -> " file ": " k[2]
      if (from == to) continue
      if (!(from in height) || !(to in height)) { complain(call ": in no table of rooms"); continue }
      if (height[to] > height[from]) { complain(call ": upward"); continue }
      called[from, to]
      if (from !~ /\// || (from, to) in includes || (from, to) in italic) continue
      if (layer_of(from) != layer_of(to) && (layer_of(to), k[2]) in open) continue
      complain(call ": not by the row of " from)
    }
    for (key in italic) if (!(key in called)) { split(key, k, SUBSEP); complain(k[1] " calls nothing of " k[2] " any more, which is in italics") }
    if (calls < 1000) complain(calls + 0 " found: nothing is built")
    if (!bad) print "calls: in order"
    exit bad
  }'
