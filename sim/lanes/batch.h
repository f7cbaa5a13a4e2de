/* SPDX-License-Identifier: BSD-2-Clause */
/* Batches of rollouts that differ only in their control, or also in the values of their models, such as masses. This is
 * the interface between stiction_batch and its kernels. The kernel `ref` runs one stiction_rollout after another and is
 * the reference. The other kernels run several rollouts together in the lanes of SIMD vectors (sim/law/lane_vector.h),
 * with the same bits for each. They leave rare cases of a lane to stiction_rollout. Each instruction set has a table
 * entry and a file wide_*.c; all are compiled from the same source. */
#ifndef SIM_BATCH_H
#define SIM_BATCH_H

#include "sim/core/scheme.h"

/* A function with the arguments of stiction_batch. */
typedef void BatchRun(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

/* A function with the arguments of sim_batch_models, for models that differ only in values such as masses. */
typedef void BatchOwnRun(int n, const SimRun *runs, SimFinal *final);

typedef struct BatchKernel {
  const char *name;
  int lanes;                    /* number of rollouts that run together; 1 for `ref` */
  BatchRun *run[LANE_FAMILIES]; /* functions, one for each family of schemes; ref has only [LANES_NONE] */
  BatchOwnRun *const *own;      /* [LANE_FAMILIES] functions for batches of models; NULL: there are none */
} BatchKernel;

extern BatchOwnRun *const batch_own_128[LANE_FAMILIES], *const batch_own_avx2[LANE_FAMILIES],
                                                            *const batch_own_avx512[LANE_FAMILIES];
extern const BatchKernel batch_ref, batch_wide_128, batch_wide_avx2, batch_wide_avx512;

/* Sizes of the scratch of a scheme's lanes: rows [d][lanes] of doubles, then rows of a signal's nodes, then some arrays
 * [lanes]. */
enum { LANE_ROWS = 26, LANE_SINGLES = 8, LANES_MAX = 32, LANE_ALIGNMENT = 64 };

/* Returns the index, as for sim_kernel_name, of the widest kernel that this processor can run. */
int batch_best_kernel(void);
size_t batch_room(const SimModel *model); /* number of doubles that the lanes of a model need; 0 if it has no lanes */

#endif
