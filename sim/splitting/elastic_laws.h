/* The elastic step (elastic_step.h) of models whose springs have a law, or that have stops or dofs without mass (massless_step.h): to -(A X + D V) come the
 * forces of these,
 *
 *     K a^q = -(A X^q + D h^{q-1/2} + G'g(G X^q)) + sum_i k_i (end_i - X_i^q) of elastic ends,
 *
 * K with the laws' mean stiffness in A. What passes a rigid end in a substep is reflected, X_i = end - e (X_i - end), and has its velocity from Newton's and
 * Moreau's law (sim/joint/stops.h); e is 0 of what did not come to the end at the beginning of the step already, or would be taken back within the step by the load: so bounces come to their end,
 * and what is pressed to an end rests there. */
#ifndef SIM_ELASTIC_LAWS_H
#define SIM_ELASTIC_LAWS_H

#include "sim/splitting/splitting.h"

/* Whether the model has such. */
static inline bool elastic_laws_wanted(const SimModel *model) {
  const SplittingPlan *plan = model->plan;
  return model->springs || model->problem.stops.present || plan->massless.light;
}

enum { ELASTIC_LAWS_SCRATCH = 7 }; /* vectors [d] of work->scratch, from place elastic_laws_place on */
int elastic_laws_place(const SimModel *model);

/* A step begins. speed: [d] of surfaces that move, NULL: 0, as in the last of these. */
void elastic_laws_begin(const SimModel *model, SimWorkspace *work, const double *speed);
/* As elastic_step_run, of x and x' of the ground, in step n. scratch: [MASSLESS_STEP_SCRATCH][d]. SIM_OK; SIM_OUT_OF_RANGE: a spring is longer or shorter
 * than its law goes; or what massless_step_run returns. */
SimStatus elastic_laws_run(const SimModel *model, SimWorkspace *work, long n, double *scratch);
/* A step ends: what stands at a rigid end does not move into it; work->reaction. shift, speed: [d] W, w of surfaces that move, of the step's end. */
void elastic_laws_end(const SimModel *model, const double *mobility, SimWorkspace *work, const double *shift,
                      const double *speed);

#endif
