# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that build. Needs: root, the folder of the sources.
: "${root:?}"

# build_folder FOLDER: removes it when its CMake cache was made for other sources or another place, as in a copied clone
build_folder() {
  local cache=$1/CMakeCache.txt sources place
  [ -f "$cache" ] || return 0
  sources=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")
  place=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$cache")
  if [ "$sources" -ef "$root" ] && [ "$place" -ef "$1" ]; then return 0; fi
  echo "removing $1: it was made for $sources" >&2
  rm -rf "$1"
}

# build_percent: of Make's output ("[ 12%]") or Ninja's ("[3/25]") how far it is: on a terminal in place, else a line every 10 %
build_percent() {
  local line percent printed=0
  while read -r line; do
    if [[ $line =~ ^\[\ *([0-9]+)%\] ]]; then
      percent=${BASH_REMATCH[1]}
    elif [[ $line =~ ^\[([0-9]+)/([1-9][0-9]*)\] ]]; then
      percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    else
      continue
    fi
    if [ -t 2 ]; then
      printf '\r%s%% ' "$percent" >&2
    elif [ "$percent" -ge $((printed + 10)) ]; then
      printed=$((percent / 10 * 10))
      echo "$printed %" >&2
    fi
  done
  if [ -t 2 ]; then printf '\r     \r' >&2; fi
}

# build_program: the program alone, in build/release; what the compiler says is shown when it fails
build_program() {
  local folder=$root/build/release log new=()
  log=$(mktemp)
  build_folder "$folder"
  [ -f "$folder/CMakeCache.txt" ] || new=(-DSTICTION_TESTS=OFF) # they need packages that the program does not
  if [ -x "$folder/bin/stiction" ]; then
    echo "looking for what has changed since stiction was built" >&2
  else
    echo "building stiction in $folder, a few minutes" >&2
  fi
  if (cd "$root" && cmake --preset release "${new[@]}") >"$log" 2>&1 &&
    cmake --build "$folder" -j "$(nproc)" --target stiction 2>&1 | tee -a "$log" | build_percent; then
    rm -f "$log"
    return 0
  fi
  cat "$log" >&2
  rm -f "$log"
  return 1
}
