/* One relaxation of a problem: all that its programs are made from, and what a solution of one is worth. */
#ifndef CONTROL_BOUND_SETTING_H
#define CONTROL_BOUND_SETTING_H

#include "control/bound.h"
#include "control/bound/forms.h"
#include "control/bound/newton.h"

typedef struct BoundSetting {
  double effort;       /* as CtlLowerBoundOptions, as the next */
  const double *x, *v; /* borrowed; NULL: nothing is known */
  BoundMesh mesh;
  BoundForce force;
  BoundDrift drift;
  BoundMotion motion;
  BoundForm form;
} BoundSetting;

/* With options' intervals, degree, patterns, knots. problem, sim: borrowed. To be cleared in any case; it must stay where it is. SIM_OK, SIM_NO_MEMORY,
 * SIM_BAD_PROBLEM. */
SimStatus bound_setting_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                               BoundSetting *setting);
void bound_setting_clear(BoundSetting *setting);

/* What a program has come to; all verified. */
typedef struct BoundSolved {
  double J;     /* every control (of the case) has at least this, up to effort */
  double known; /* as CtlLowerBound */
  long raised;
  int steps;
  double operations;
} BoundSolved;

/* Room for them, zero; `of` is to be freed. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_moments_init(const BoundMotion *motion, const BoundProgram *program, BoundMoments *moments);

/* precision: of effort, what the method may leave; enough: of effort, likewise when to end. moments: may be NULL. SIM_OK, SIM_NOT_FINISHED, SIM_NO_MEMORY. */
SimStatus bound_setting_solve(const BoundSetting *setting, const BoundProgram *program, double precision, double enough,
                              const BoundStop *stop, BoundMoments *moments, BoundSolved *solved);

#endif
