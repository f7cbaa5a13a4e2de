/* The loops over a tape, compiled for each instruction set. */
#ifndef SIM_GRAPH_KERNEL_H
#define SIM_GRAPH_KERNEL_H

#include "sim/graph/series.h"

struct GraphKernel {
  const char *name;
  void (*begin)(GraphSeries *series, bool look);
  void (*advance)(GraphSeries *series, int k);
  void (*take)(GraphSeries *series, int k);
  void (*columns_advance)(GraphColumns *columns, int k);
  void (*columns_take)(GraphColumns *columns, int k);
};

extern const GraphKernel graph_kernel_128;
#ifdef __x86_64__
extern const GraphKernel graph_kernel_avx2, graph_kernel_avx512;
#endif

/* The kernel of the widest vectors that this processor has. */
const GraphKernel *graph_kernel(void);
/* Kernel i = 0, 1, ..; NULL: there are no more, or this processor does not run it. */
const GraphKernel *graph_kernel_number(int i);

#endif
