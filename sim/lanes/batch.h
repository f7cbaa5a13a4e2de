/* Batches of rollouts that differ only in their control: the contract between sim_batch and its kernels. `ref` runs one
 * sim_rollout after another and is the truth; the others run several in lanes (lanes.h), with the same bits for each, and
 * hand what is rare in a lane back to sim_rollout. One table entry per instruction set, one file batch_wide_*.c each, made
 * of the same source. */
#ifndef SIM_BATCH_H
#define SIM_BATCH_H

#include "sim/sim.h"

/* The schemes that have lanes, by what a kernel's run[] is indexed with; SimScheme.lanes. */
typedef enum LaneFamily { LANES_NONE, LANES_CENTERED, LANES_MOREAU, LANES_SPLITTING, LANE_FAMILIES } LaneFamily;

/* As sim_batch. */
typedef void BatchRun(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

typedef struct BatchKernel {
  const char *name;
  int lanes;                    /* rollouts side by side; 1: ref */
  BatchRun *run[LANE_FAMILIES]; /* NULL: ref serves */
} BatchKernel;

extern const BatchKernel batch_ref, batch_wide_128, batch_wide_avx2, batch_wide_avx512;

/* Room for one scheme's lanes, doubles: rows [d][lanes], then those of a signal's nodes, and some of [lanes]. */
enum { LANE_ROWS = 24, LANE_SINGLES = 8, LANES_MAX = 32, LANE_ALIGNMENT = 64 };

/* The widest that this processor runs, as an index for sim_kernel_name. */
int batch_best_kernel(void);
size_t batch_room(const SimModel *model); /* doubles; 0 when the model has no lanes */

/* Brings a workspace to n = 0 of a rollout. */
SimStatus rollout_start(const SimModel *model, SimWorkspace *work, const double *control, bool watched);

#endif
