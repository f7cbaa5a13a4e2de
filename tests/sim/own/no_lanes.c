/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces the kernels for vector lanes, which take most of the compile time. Batches then run one motion after
 * another. */
#include "sim/lanes/batch.h"

const BatchKernel batch_wide_128 = {.name = "none"}, batch_wide_avx2 = {.name = "none"},
                  batch_wide_avx512 = {.name = "none"};
