/* Controls beside an answer that meet the targets: whether one costs less. Each is replayed: what costs less is restore->control, and misses no
 * more than the answer. */
#ifndef CONTROL_SQP_BESIDE_H
#define CONTROL_SQP_BESIDE_H

#include "control/sqp/restore.h"

/* A step along way [n], forth or back. */
bool ctl_beside_falls(CtlRestore *restore, const double *way);

/* Steps along random ways. */
bool ctl_beside_falls_at_random(CtlRestore *restore);

/* What SQP finds nearby, from the ends of such steps. */
bool ctl_beside_leads_on(CtlRestore *restore);

#endif
