/* SPDX-License-Identifier: BSD-2-Clause */
/* Batches of motions of a mechanism by the scheme `event`. The series of up to GRAPH_LANES segments are computed side by
 * side (sim/graph/lanes.h), each about its own time. All else, such as decisions, roots and checks, is done for one
 * motion after another, by the functions that a motion alone has; so the bits are those of stiction_rollout. A few motions do not use the lanes, as that takes longer. */
#ifndef SIM_MECHANISM_BATCH_H
#define SIM_MECHANISM_BATCH_H

#include "sim/internal.h"

typedef struct MechanismLanes MechanismLanes;

/* A function with the arguments of stiction_batch. Motions with derivatives or an examination, and all motions if there
 * is no memory, run one after another. The workspace keeps what it needs for the next batch. */
void mechanism_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);
void mechanism_lanes_destroy(MechanismLanes *lanes); /* NULL: nothing */

#endif
