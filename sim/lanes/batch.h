/* Batches of rollouts that differ only in their control, or in their model's numbers, too: the contract between sim_batch and its kernels. `ref` runs one
 * sim_rollout after another and is the truth; the others run several in lanes (sim/law/lane_vector.h), with the same bits for each, and
 * hand what is rare in a lane back to sim_rollout. One table entry and one file wide_*.c per instruction set, made of
 * the same source. */
#ifndef SIM_BATCH_H
#define SIM_BATCH_H

#include "sim/core/scheme.h"

/* As sim_batch. */
typedef void BatchRun(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

/* As sim_batch_models, of models that differ in their numbers alone. */
typedef void BatchOwnRun(int n, const SimRun *runs, SimFinal *final);

typedef struct BatchKernel {
  const char *name;
  int lanes;                    /* rollouts side by side; 1: ref */
  BatchRun *run[LANE_FAMILIES]; /* as batch.c says; ref: [LANES_NONE] */
  BatchOwnRun *const *own;      /* [LANE_FAMILIES] likewise; NULL: none */
} BatchKernel;

extern BatchOwnRun *const batch_own_128[LANE_FAMILIES], *const batch_own_avx2[LANE_FAMILIES],
                                                            *const batch_own_avx512[LANE_FAMILIES];
extern const BatchKernel batch_ref, batch_wide_128, batch_wide_avx2, batch_wide_avx512;

/* Room for one scheme's lanes, doubles: rows [d][lanes], then those of a signal's nodes, and some of [lanes]. */
enum { LANE_ROWS = 26, LANE_SINGLES = 8, LANES_MAX = 32, LANE_ALIGNMENT = 64 };

/* The widest that this processor runs, as an index for sim_kernel_name. */
int batch_best_kernel(void);
size_t batch_room(const SimModel *model); /* doubles; 0 when the model has no lanes */

#endif
