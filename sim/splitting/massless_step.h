/* Dofs without mass, P, in the splitting schemes: friction leaves them where they are, and within each substep tau of the elastic step (elastic_laws.h),
 * once the others stand at its end, they go at once to where the balance of forces has them, by backward Euler,
 *
 *     (tau A_PP + D_PP) w + C_e lambda = f + B u - (A x)_P + drop,    lambda_i in sgn(w_i),    x_P += tau w,
 *
 * f that of the step's ends on a line between them, drop at v of the step's start. So the others' accelerations have P where it belongs to them: what follows them without friction takes no energy. Where P
 * begins or ceases to slip this loses |tau w|^2_A / 2, and is of first order, of strang, too. v of P is the mean of a step's w, its way
 * by dt, and lambda of P the last. Times tau it is a friction substep of length tau with E = tau^2 A_PP + tau D_PP. */
#ifndef SIM_SPLITTING_MASSLESS_STEP_H
#define SIM_SPLITTING_MASSLESS_STEP_H

#include "sim/core/model.h"

typedef struct MasslessStep {
  double tau;            /* of an elastic substep */
  double *light;         /* [d] 1 of P, else 0; NULL: all dofs have mass; owned */
  FrictionSolver solver; /* of E, with rows of the unit matrix for the others; owned */
} MasslessStep;

/* SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. To be cleared whatever it is. */
SimStatus massless_step_init(MasslessStep *step, const SimProblem *problem, double tau);
void massless_step_clear(MasslessStep *step);

static inline bool massless_step_has(const MasslessStep *step, int i) { return step->light && step->light[i] > 0; }
/* Of columns, or vectors, [d][width]: 0 in the rows of P; in those of the others. */
void massless_step_clear_light(const MasslessStep *step, int d, int width, double *rows);
void massless_step_clear_heavy(const MasslessStep *step, int d, int width, double *rows);

/* Vectors [d] behind those of the elastic step (ELASTIC_STEP_SCRATCH): the solve's, then those that last through a step, in rows of P: v before it, the mean of w, lambda, and, where
 * surfaces move, x. */
enum { MASSLESS_SOLVE = 3, MASSLESS_SPEED = 10, MASSLESS_MEAN, MASSLESS_LAMBDA, MASSLESS_PLACE, MASSLESS_STEP_SCRATCH };

/* A step begins: keeps v of P, which is 0 until the step's end, and its x. scratch: [MASSLESS_STEP_SCRATCH][d], as below. */
void massless_step_begin(const MasslessStep *step, SimWorkspace *work, double *scratch);
/* The q-th elastic substep of step n, where there is P. work->x: of the ground where surfaces move, work->surface's SHOWN_X and SHOWN_V then their W before and
 * behind the step. Adds to work->energy if watched. SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE, SIM_OUT_OF_RANGE. */
SimStatus massless_step_run(const MasslessStep *step, const SimModel *model, SimWorkspace *work, long n, int q,
                            double *scratch);
/* The step ends: v, lambda and slip of P. */
void massless_step_end(const MasslessStep *step, SimWorkspace *work, const double *scratch);

#endif
