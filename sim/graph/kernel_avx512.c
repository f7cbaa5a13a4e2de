/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernel for processors with AVX-512. */
#define KERNEL       graph_kernel_avx512
#define KERNEL_NAME  "avx512"
#define KERNEL_BYTES 64
#include "sim/graph/kernel_body.h"
