/* SPDX-License-Identifier: BSD-2-Clause */
/* Data of a workspace of the scheme `moreau` for mechanisms, in addition to the state; stored as SimWorkspace.own. */
#ifndef SIM_MECHANISM_STEPS_H
#define SIM_MECHANISM_STEPS_H

#include "sim/mechanism/columns.h"
#include "sim/mechanism/motion.h"
#include "sim/step/friction_solver.h"

typedef struct MechanismSteps {
  MechanismMotion *motion;
  ExpansionColumns *columns;
  FrictionSolver solver;     /* E and dt C of the current step */
  struct MoreauStops *stops; /* elastic or rigid stops; NULL without stops */
  double *by_q, *by_v;       /* [d][d] derivatives of the loads r - Q; in one block with the next arrays */
  double *symmetric;         /* [d][d] scratch */
  /* [d] half the difference of the thresholds at rest of both directions where v_i = 0, else 0, in N; a part of the loads */
  double *bias;
} MechanismSteps;

extern const SimScheme sim_scheme_moreau_mechanism;

#endif
