/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels: the loops over a tape (tape.h), compiled for several instruction sets. */
#ifndef SIM_GRAPH_KERNEL_H
#define SIM_GRAPH_KERNEL_H

#include "sim/graph/lanes.h"

struct GraphKernel {
  const char *name;
  void (*begin)(GraphSeries *series, bool look);
  void (*advance)(GraphSeries *series, int k);
  void (*take)(GraphSeries *series, int k);
  void (*columns_values)(GraphColumns *columns);
  void (*columns_advance)(GraphColumns *columns, int k);
  void (*columns_take)(GraphColumns *columns, int k);
  void (*lanes_advance)(GraphLanes *lanes, int k);
  void (*lanes_take)(GraphLanes *lanes, int k);
};

extern const GraphKernel graph_kernel_128;
#ifdef __x86_64__
extern const GraphKernel graph_kernel_avx2, graph_kernel_avx512;
#endif

/* Returns the kernel with the widest vectors that this processor supports. */
const GraphKernel *graph_kernel(void);
/* Returns kernel number i = 0, 1, .., or NULL if i is too large or this processor does not support that kernel. */
const GraphKernel *graph_kernel_number(int i);

#endif
