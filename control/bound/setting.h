/* SPDX-License-Identifier: BSD-2-Clause */
/* One relaxation of a problem: the data of its programs, and the bound that a solution of such a program proves. */
#ifndef CONTROL_BOUND_SETTING_H
#define CONTROL_BOUND_SETTING_H

#include "control/bound.h"
#include "control/bound/forms.h"
#include "control/bound/newton.h"

typedef struct BoundSetting {
  double effort;       /* J > 0 of a known control that meets the target; the bound need not exceed it */
  const double *x, *v; /* [d] positions and velocities of the known final state; borrowed; NULL: unknown */
  BoundMesh mesh;
  BoundForce force;
  BoundDrift drift;
  BoundMotion motion;
  BoundForm form;
} BoundSetting;

/* Creates the data of one relaxation from the intervals, degree, patterns, knots and pairs of the options. problem,
 * sim: borrowed by the data. Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. The caller must clear the data even
 * after an error, and must not move it. */
SimStatus bound_setting_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                               BoundSetting *setting);
void bound_setting_clear(BoundSetting *setting);

/* Verified result of a semidefinite program. */
typedef struct BoundSolved {
  double J;     /* lower bound of the effort for all controls, or for those of a subproblem if the program has cuts
                 * (forms.h); at most the known effort */
  double known; /* the same lower bound if the target is replaced by the final state of the known control */
  long raised;
  int steps;
  double operations;
} BoundSolved;

/* Allocates the array moments->of for a program, with all entries zero; the caller frees this array. Returns SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus bound_moments_init(const BoundMotion *motion, const BoundProgram *program, BoundMoments *moments);

/* Solves a semidefinite program and verifies its bound. The solver ends when the duality gap is at most `precision`
 * times effort, or when the bound reaches `enough` times effort. moments: may be NULL. Returns SIM_OK, SIM_NOT_FINISHED
 * or SIM_NO_MEMORY. */
SimStatus bound_setting_solve(const BoundSetting *setting, const BoundProgram *program, double precision, double enough,
                              const BoundStop *stop, BoundMoments *moments, BoundSolved *solved);

#endif
