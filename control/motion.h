/* Motions by which a point may be simulated besides that of the problem's own scheme: with friction relaxed, for starts from where
 * everything sticks, and the motion itself. Each is a row of one table, control/drive/motion.c. */
#ifndef CONTROL_MOTION_H
#define CONTROL_MOTION_H

#include "sim/sim.h"

typedef enum CtlMotion {
  CTL_MOTION_FILE,      /* as the problem says */
  CTL_MOTION_RELAXED_1, /* the widest */
  CTL_MOTION_RELAXED_2,
  CTL_MOTION_RELAXED_3,
  CTL_MOTION_EXACT, /* without a grid */
  CTL_MOTIONS
} CtlMotion;

/* Whether a problem has such a motion, with derivatives: its kind and storage have the scheme, at its steps. */
bool ctl_motion_serves(const SimProblem *problem, CtlMotion motion);

/* Gives a problem the scheme of another motion than CTL_MOTION_FILE, and its constants. f at the times that this scheme wants is the
 * caller's to make. SIM_OK, SIM_NO_MEMORY; SIM_BAD_PROBLEM: it does not serve the problem, which is left as it was. */
SimStatus ctl_motion_set(SimProblem *problem, CtlMotion motion);

#endif
