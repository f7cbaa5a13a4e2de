/* Batches of rollouts that differ only in their control, or also in their model's numbers: interface between stiction_batch
 * and its kernels. `ref` runs one stiction_rollout after another and is the reference. The others run several in lanes
 * (sim/law/lane_vector.h), with the same bits for each, and pass rare cases of a lane back to stiction_rollout. Each
 * instruction set has a table entry and a file wide_*.c, made from the same source. */
#ifndef SIM_BATCH_H
#define SIM_BATCH_H

#include "sim/core/scheme.h"

/* Like stiction_batch. */
typedef void BatchRun(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

/* Like sim_batch_models, for models that differ in their numbers only. */
typedef void BatchOwnRun(int n, const SimRun *runs, SimFinal *final);

typedef struct BatchKernel {
  const char *name;
  int lanes;                    /* rollouts side by side; 1: ref */
  BatchRun *run[LANE_FAMILIES]; /* functions by family; ref: [LANES_NONE] */
  BatchOwnRun *const *own;      /* [LANE_FAMILIES] functions for batches of models; NULL: none */
} BatchKernel;

extern BatchOwnRun *const batch_own_128[LANE_FAMILIES], *const batch_own_avx2[LANE_FAMILIES],
                                                            *const batch_own_avx512[LANE_FAMILIES];
extern const BatchKernel batch_ref, batch_wide_128, batch_wide_avx2, batch_wide_avx512;

/* Scratch of one scheme's lanes, doubles: rows [d][lanes], then rows of a signal's nodes, and some of [lanes]. */
enum { LANE_ROWS = 26, LANE_SINGLES = 8, LANES_MAX = 32, LANE_ALIGNMENT = 64 };

/* Index, for sim_kernel_name, of the widest kernel that this processor can run. */
int batch_best_kernel(void);
size_t batch_room(const SimModel *model); /* doubles; 0 if the model has no lanes */

#endif
