/* One relaxation of a problem: the data of its programs, and the bound from a solution. */
#ifndef CONTROL_BOUND_SETTING_H
#define CONTROL_BOUND_SETTING_H

#include "control/bound.h"
#include "control/bound/forms.h"
#include "control/bound/newton.h"

typedef struct BoundSetting {
  double effort;       /* see CtlLowerBoundOptions, like the next */
  const double *x, *v; /* borrowed; NULL: unknown */
  BoundMesh mesh;
  BoundForce force;
  BoundDrift drift;
  BoundMotion motion;
  BoundForm form;
} BoundSetting;

/* Creates it with options' intervals, degree, patterns, knots. problem, sim: borrowed. Clear it in any case; do not
 * move it. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus bound_setting_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                               BoundSetting *setting);
void bound_setting_clear(BoundSetting *setting);

/* Result of a program, verified. */
typedef struct BoundSolved {
  double J;     /* lower bound of J of all controls (of the case), at most effort */
  double known; /* see CtlLowerBound */
  long raised;
  int steps;
  double operations;
} BoundSolved;

/* Allocates zeroed moments; the caller frees `of`. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_moments_init(const BoundMotion *motion, const BoundProgram *program, BoundMoments *moments);

/* Solves a program. precision: gap left by the method, relative to effort; enough: sufficient bound, relative to
 * effort. moments: may be NULL. SIM_OK, SIM_NOT_FINISHED, SIM_NO_MEMORY. */
SimStatus bound_setting_solve(const BoundSetting *setting, const BoundProgram *program, double precision, double enough,
                              const BoundStop *stop, BoundMoments *moments, BoundSolved *solved);

#endif
