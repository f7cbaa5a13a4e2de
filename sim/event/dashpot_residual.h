/* A second opinion on a dash-pot's motion (sim/residual.h): what a segment leaves of
 *
 *     m v' + k x + f_d - lambda_contact = f + B u,   x' = v,   |v| = V(|f_d| - f_crit),
 *
 * from the problem's own functions. Its variable z may stand still in time, so that all rates are by z. */
#ifndef SIM_EVENT_DASHPOT_RESIDUAL_H
#define SIM_EVENT_DASHPOT_RESIDUAL_H

#include "sim/event/dashpot.h"

/* Where a segment ends by its series; the farthest x and the largest force in it. */
typedef struct DashpotEnd {
  double x, v, most_x, most_force;
} DashpotEnd;

/* The segment under way, up to motion->part: raises motion->at.residual. */
DashpotEnd dashpot_residual_examine(const DashpotSystem *system, DashpotMotion *motion);
/* The next one has begun. */
void dashpot_residual_enter(const DashpotSystem *system, DashpotMotion *motion, const DashpotEnd *before);

#endif
