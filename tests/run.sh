#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Sets up, builds and runs the tests.
#   usage: tests/run.sh [PRESET] [-- OPTIONS of ctest...]      PRESET: release (default), debug, asan, ci
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
# shellcheck source=jobs/build.sh
. jobs/build.sh
preset=release
if [ $# -gt 0 ] && [ "$1" != -- ]; then preset=$1; shift; fi
[ "${1:-}" != -- ] || shift

jobs/setup.sh --with-tests
build_folder "$root/build/$preset"
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi # in a new folder; make is slower
cmake --preset "$preset" -DSTICTION_TESTS=ON
cmake --build --preset "$preset" -j "$(nproc)"
# four places a core: what computes takes two of them, what mostly waits one (tests/CMakeLists.txt)
ctest --preset "$preset" -j "$((4 * $(nproc)))" "$@"
