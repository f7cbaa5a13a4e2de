/* SPDX-License-Identifier: BSD-2-Clause */
/* Dofs without mass, P, in the splitting schemes. The friction substeps do not move them. In each substep tau of the
 * elastic step (elastic_laws.h), after the other dofs have moved, they move to the balance of forces by backward Euler,
 *
 *   (tau A_PP + D_PP) w + C_e lambda = f + B u - (A x)_P + drop, lambda_i in sgn(w_i), x_P += tau w,
 *
 * with f interpolated linearly between the step's ends, and drop at the velocity v at the step's start. The
 * accelerations of the other dofs use these positions, so dofs without mass that follow without friction do not change
 * the energy. When such a dof begins or ceases to slip, |tau w|^2_A / 2 is lost and the order is one, also for strang.
 * v of P is the mean of w over the step, its displacement divided by dt, and lambda of P is the last one. Multiplied by
 * tau, the equation is a friction substep of length tau with E = tau^2 A_PP + tau D_PP. */
#ifndef SIM_SPLITTING_MASSLESS_STEP_H
#define SIM_SPLITTING_MASSLESS_STEP_H

#include "sim/core/model.h"

typedef struct MasslessStep {
  double tau;            /* length of an elastic substep, in s */
  double *light;         /* [d] 1 for dofs without mass, otherwise 0; NULL: all dofs have mass; owned */
  FrictionSolver solver; /* solver with matrix E; rows of dofs with mass are those of the unit matrix; owned */
} MasslessStep;

/* Initialises the step. It must be cleared also after an error. Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus massless_step_init(MasslessStep *step, const SimProblem *problem, double tau);
void massless_step_clear(MasslessStep *step);

static inline bool massless_step_has(const MasslessStep *step, int i) { return step->light && step->light[i] > 0; }
/* These functions set rows of blocks or vectors [d][width] to 0: massless_step_clear_light those of dofs without mass,
 * massless_step_clear_heavy those of dofs with mass. */
void massless_step_clear_light(const MasslessStep *step, int d, int width, double *rows);
void massless_step_clear_heavy(const MasslessStep *step, int d, int width, double *rows);

/* Indices of scratch vectors [d], which follow those of the elastic step (ELASTIC_STEP_SCRATCH). From MASSLESS_SOLVE
 * on: scratch of a solve. The others are kept during a step and used in the rows of dofs without mass: v before the
 * step, the mean of w, lambda, and, with moving surfaces, x. */
enum { MASSLESS_SOLVE = 3, MASSLESS_SPEED = 10, MASSLESS_MEAN, MASSLESS_LAMBDA, MASSLESS_PLACE, MASSLESS_STEP_SCRATCH };

/* Begins a step of a model with dofs without mass: stores their v and x; v is 0 until the step's end. scratch:
 * [MASSLESS_STEP_SCRATCH][d], also in the functions below. */
void massless_step_begin(const MasslessStep *step, SimWorkspace *work, double *scratch);
/* Performs the q-th elastic substep of step n for dofs without mass. With moving surfaces work->x is relative to the
 * ground, and SHOWN_X and SHOWN_V of work->surface are the surfaces' displacements W before and after the step. Adds
 * energies to work->energy if work->watched. Returns SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE or SIM_OUT_OF_RANGE. */
SimStatus massless_step_run(const MasslessStep *step, const SimModel *model, SimWorkspace *work, long n, int q,
                            double *scratch);
/* Ends a step begun by massless_step_begin: sets v, lambda and slip of dofs without mass. */
void massless_step_end(const MasslessStep *step, SimWorkspace *work, const double *scratch);

#endif
