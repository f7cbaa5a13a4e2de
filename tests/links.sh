#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# What the pages (README.md of every folder) point at is there: links, their anchors, files named in backticks; and every
# source of a room stands in its README's table.
#
# A word in backticks is taken for a file when it begins with a folder of the tree (`sim/step/exact.c`, `jobs/*.slurm`; NAME stands for any), or is
# any name with the ending of a source, a script or a page (`exact.c`), which must then be beside the page.
set -euo pipefail
shopt -s globstar
cd "$(dirname "$0")/.."
failed=0
complain() { echo "links: $*" >&2; failed=1; }
mapfile -t pages < <(git ls-files -co --exclude-standard -- '*.md')

# words PAGE...: what stands in backticks or as a link's target, one a line, with `(` before a link, after a line with a tab and PAGE; no code blocks
words() {
  awk 'FNR == 1 { code = 0; print "\t" FILENAME } /^ *```/ { code = !code; next } code || /^    / { next } {
    line = $0
    while (match(line, /`[^`]+`/)) { print substr(line, RSTART + 1, RLENGTH - 2); line = substr(line, RSTART + RLENGTH) }
    line = $0
    while (match(line, /\]\([^)]+\)/)) { print "(" substr(line, RSTART + 2, RLENGTH - 3); line = substr(line, RSTART + RLENGTH) }
  }' "$@"
}

# the anchor of each heading, PAGE#ANCHOR
anchors=$(awk 'FNR == 1 { code = 0 } /^ *```/ { code = !code } !code && /^#+ / {
  sub(/^#+ /, ""); gsub(/[^A-Za-z0-9 _-]/, ""); gsub(/ /, "-"); print FILENAME "#" tolower($0) }' "${pages[@]}")

link() { # PAGE TARGET, beside $folder
  local file=${2%%#*} anchor=
  case $2 in http://* | https://* | mailto:*) return ;; *'#'*) anchor=${2#*#} ;; esac
  file=${file:+$folder/$file}
  file=${file:-$1}
  [ -e "$file" ] || { complain "$1: no $2"; return; }
  while [[ $file =~ ^(.*/)?[.]?[^/.]+/[.][.]/(.*)$ ]]; do file=${BASH_REMATCH[1]}${BASH_REMATCH[2]}; done
  [ -z "$anchor" ] || [[ $'\n'$anchors$'\n' == *$'\n'"${file#./}#$anchor"$'\n'* ]] || complain "$1: $file has no heading #$anchor"
}

while IFS= read -r word; do
  case $word in
    $'\t'*)
      page=${word#?}
      case $page in */*) folder=${page%/*} ;; *) folder=. ;; esac
      continue ;;
    [!'(']*NAME*) word=${word//NAME/*} ;;
  esac
  case $word in
    '('*) link "$page" "${word#(}" ;;
    *[!A-Za-z0-9_./*-]*) ;; # no file's name
    sim/* | control/* | src/* | bench/* | tests/* | jobs/*)
      compgen -G "$word" >/dev/null || complain "$page: no $word" ;;
    /* | ..*) ;;
    *.c | *.h | *.sh | *.slurm | *.md)
      compgen -G "$folder/$word" >/dev/null || complain "$page: no $word beside it" ;;
  esac
done < <(words "${pages[@]}")

# the rooms' tables: `name` stands for name.c, name.h or both
for layer in sim control src bench; do
  for room in "$layer"/*/ "$layer"/*/*/; do
    sources=("$room"*.[ch])
    [ -e "${sources[0]}" ] || continue
    page=${room}README.md
    [ -e "$page" ] || page=$(dirname "$room")/README.md # of a folder inside a room
    [ -e "$page" ] || { complain "no $page"; continue; }
    named=$(grep -oE '^\|[^|]*' "$page")
    for source in "${sources[@]##*/}"; do
      [[ $named == *"\`${source%.[ch]}\`"* || $named == *"\`$source\`"* ]] || complain "$page: its table lacks $source"
    done
    # shellcheck disable=SC2016
    while read -r name; do
      compgen -G "$room$name.[ch]" >/dev/null || complain "$page: its table has $name, which is not there"
    done < <(awk -F'|' '/^\| file \|/ { in_table = 1 } !/^\|/ { in_table = 0 } in_table {
      for (left = $2; match(left, /`[a-z0-9_]+`/); left = substr(left, RSTART + RLENGTH)) print substr(left, RSTART + 1, RLENGTH - 2)
    }' "$page")
  done
done
[ $failed -ne 0 ] || echo "links: in order"
exit $failed
