/* SPDX-License-Identifier: BSD-2-Clause */
/* The elastic step (elastic_step.h) of models with nonlinear springs, stops or dofs without mass (massless_step.h).
 * Their forces are added to -(A X + D V),
 *
 *   K a^q = -(A X^q + D h^{q-1/2} + G'g(G X^q)) + sum_i k_i (end_i - X_i^q) of elastic stops,
 *
 * where K includes the springs' mean stiffness in A, and G'g(G X) are the forces of springs. A dof that passes a rigid
 * stop in a substep is reflected, X_i = end - e (X_i - end), and gets its velocity from Newton's and Moreau's impact
 * law with the coefficient of restitution e (sim/joint/stops.h). e is set to 0 for dofs that did not approach the stop
 * at the beginning of the step, or that the load would return to it within about four steps. So bouncing ends after
 * finitely many impacts, and a dof that is pressed to a stop rests there. */
#ifndef SIM_ELASTIC_LAWS_H
#define SIM_ELASTIC_LAWS_H

#include "sim/splitting/splitting.h"

/* Whether the model has nonlinear springs, stops or dofs without mass. */
static inline bool elastic_laws_wanted(const SimModel *model) {
  const SplittingPlan *plan = model->plan;
  return model->springs || model->problem.stops.present || plan->massless.light;
}

/* number of vectors [d] in work->scratch for contacts, from index elastic_laws_place on */
enum { ELASTIC_LAWS_SCRATCH = 7 };
int elastic_laws_place(const SimModel *model);

/* Begins a step. speed: [d] velocities w of moving surfaces; NULL: none moves, also in the following functions. */
void elastic_laws_begin(const SimModel *model, SimWorkspace *work, const double *speed);
/* Performs elastic_step_run for x and x' relative to the ground, in step n. scratch: [MASSLESS_STEP_SCRATCH][d].
 * Returns SIM_OK; SIM_OUT_OF_RANGE if a spring left the range of its law; or the status of massless_step_run. */
SimStatus elastic_laws_run(const SimModel *model, SimWorkspace *work, long n, double *scratch);
/* Ends a step: sets velocities that point into rigid stops to 0, and sets work->reaction. shift, speed: [d]
 * displacements W and velocities w of moving surfaces at the end of the step. */
void elastic_laws_end(const SimModel *model, const double *mobility, SimWorkspace *work, const double *shift,
                      const double *speed);

#endif
