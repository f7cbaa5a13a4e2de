/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernel for processors with AVX2. */
#define KERNEL       graph_kernel_avx2
#define KERNEL_NAME  "avx2"
#define KERNEL_BYTES 32
#include "sim/graph/kernel_body.h"
