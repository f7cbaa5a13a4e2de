/* Dofs without mass, P, in the splitting schemes: the steps of friction and elasticity leave them where they are, and at the step's end they go
 * at once to where the balance of forces has them, by backward Euler,
 *
 *     (dt A_PP + D_PP) w + C_e lambda = f + B u - (A x)_P + drop,    lambda_i in sgn(w_i),    x_P += dt w,
 *
 * x of the others that of the step's end. This loses |dt w|^2_A / 2 of energy and is of first order, of strang, too: its elastic step has the others
 * pull at where P was before. v of P is this w, and lambda of P that of the balance. Times dt it is a friction substep of length dt with
 * E = dt^2 A_PP + dt D_PP. */
#ifndef SIM_SPLITTING_MASSLESS_STEP_H
#define SIM_SPLITTING_MASSLESS_STEP_H

#include "sim/core/model.h"

typedef struct MasslessStep {
  double *light;         /* [d] 1 of P, else 0; NULL: all dofs have mass; owned */
  FrictionSolver solver; /* of E, with rows of the unit matrix for the others; owned */
} MasslessStep;

/* SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. To be cleared whatever it is. */
SimStatus massless_step_init(MasslessStep *step, const SimProblem *problem);
void massless_step_clear(MasslessStep *step);

/* Of columns, or vectors, [d][width]: 0 in the rows of P; in those of the others. */
void massless_step_clear_light(const MasslessStep *step, int d, int width, double *rows);
void massless_step_clear_heavy(const MasslessStep *step, int d, int width, double *rows);

/* Vectors [d]; FRICTION_SUBSTEP_SCRATCH and ELASTIC_STEP_SCRATCH are below the places of those that last: v before the step, and x in the elastic step. */
enum { MASSLESS_STEP_SCRATCH = 5, MASSLESS_SPEED = 4, MASSLESS_PLACE = 3 };

/* Step n, where there is P. f: [d] the force at its end. Adds to work->energy if watched. scratch: [MASSLESS_STEP_SCRATCH][d], with v of P before the step
 * at MASSLESS_SPEED. SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE, SIM_OUT_OF_RANGE. */
SimStatus massless_step_run(const MasslessStep *step, const SimModel *model, SimWorkspace *work, long n,
                            const double *f, double *scratch);

#endif
