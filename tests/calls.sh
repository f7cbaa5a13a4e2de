#!/usr/bin/env bash
# Calls are arrows, too: what a room's objects use of another's must lie below, in the order of the tables of rooms in the READMEs of sim, control
# and src. A header at a root hides nothing from this. rooms.sh holds the same of includes.
#   usage: tests/calls.sh BUILD      a folder in which everything is built
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."

# ROOM of each layer, from the lowest: a layer's root has no place in its table, and is above all of its rooms
rooms() {
  local layer
  for layer in sim control src; do
    tests/rooms.sh --rows | grep "^$layer/" | tac
    echo "$layer"
  done
}
# FILE KIND SYMBOL of each object: src/CMakeFiles/stiction.dir/run/storage.c.o is src/run/storage.c. What is generated, or whose source is gone, is
# left out below.
symbols() {
  find "$build/sim" "$build/control" "$build/src" -name '*.c.o' -print0 | xargs -0 nm -A |
    sed -nE "s:^$build/([a-z]+)/CMakeFiles/[^/]*\.dir/(.*)\.o\:[0-9a-f ]*([TDBRVCU]) (.*)$:\1/\2 \3 \4:p"
}

{ rooms; find sim control src -name '*.c'; echo; symbols; } | awk '
  function room_of(file,    part, n) { n = split(file, part, "/"); return n > 2 ? part[1] "/" part[2] : part[1] }
  !NF { coded = 1; next }
  !coded && /\.c$/ { there[$1]; next }
  !coded { height[$1] = ++n; next }
  !($1 in there) { next }
  $2 != "U" { defined[$3] = $1; next }
  { used[$1 " " $3] }
  END {
    for (key in used) {
      split(key, k, " "); from = k[1]; to = defined[k[2]]
      if (to == "") continue
      calls++
      if (!(room_of(from) in height) || !(room_of(to) in height)) { print "calls: " from " or " to ": in no table of rooms"; bad = 1 }
      else if (height[room_of(to)] > height[room_of(from)]) { print "calls: " from " -> " to ": " k[2] ": upward"; bad = 1 }
    }
    if (calls < 1000) { print "calls: " calls + 0 " found: nothing is built"; bad = 1 }
    if (!bad) print "calls: in order"
    exit bad
  }'
