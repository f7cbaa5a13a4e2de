#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# conda-build runs this; it sets PREFIX, CMAKE_ARGS and CPU_COUNT.
set -euo pipefail
# shellcheck disable=SC2086 # several arguments
cmake -S . -B build/conda ${CMAKE_ARGS:-} -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib -DSTICTION_TESTS=OFF -DSTICTION_BENCH=OFF
cmake --build build/conda --parallel "${CPU_COUNT:-2}"
cmake --install build/conda
