/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernel for every processor: vectors of 128 bits. */
#define KERNEL       graph_kernel_128
#define KERNEL_NAME  "128"
#define KERNEL_BYTES 16
#include "sim/graph/kernel_body.h"
