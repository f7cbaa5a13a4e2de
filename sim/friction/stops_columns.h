/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives of a step of the Moreau-Jean scheme in which a stop holds or pushes a dof, from the trace of the step
 * (stops_trace.h). They follow from the derivatives of each solve of the trace, with dv_i = dg_i for held dofs and 0
 * for dofs that stick. The derivatives of the position after the step are
 *
 *   dx+ = by_part ds + by_speed dv+ for dofs that met a stop, dx + dt (theta dv+ + (1-theta) dv) for others
 *
 * with s, g of moreau_stops.h and by_part, by_speed of StopsMeeting. */
#ifndef SIM_FRICTION_STOPS_COLUMNS_H
#define SIM_FRICTION_STOPS_COLUMNS_H

#include "sim/friction/form.h"
#include "sim/friction/stops_trace.h"
#include "sim/friction/tangent.h"
#include "sim/joint/stops.h"

/* Scratch for the derivatives of a step with stops. Blocks are [d][width], matrices [d][d]; all are owned. */
typedef struct StopsColumns {
  /* blocks: derivatives of s (time of the contact) and g (rebound velocity, moreau_stops.h); in an adjoint sweep
   * derivatives of J by s and g */
  double *part, *speed;
  double *right, *v;     /* blocks [count][width]: right side and solution of a linear system */
  double *matrix, *room; /* matrix E of the step with the stiffness of elastic stops; scratch for the submatrix of
                          * the moving dofs */
  double *inverse;       /* inverse of the submatrix of `matrix` for moving dofs; 0 in the other rows and columns */
  int *members;          /* [2 d] list of the moving dofs; the last d entries are scratch */
  unsigned char *branch; /* [d] STOPS_.. bits (stops_trace.h) of each dof for which `inverse` was computed */
  bool known;            /* whether `inverse` is valid */
  bool transposed;       /* whether `matrix` is the transpose of E; set by the caller for adjoint sweeps */
} StopsColumns;

/* Creates the scratch for d dofs and blocks of this width; NULL: no memory. */
StopsColumns *stops_columns_create(int d, int width);
void stops_columns_destroy(StopsColumns *columns); /* may be NULL */

/* Computes columns->inverse for the bits branch [d]. plain: solver with E of the step; ahead: theta dt, in s. Returns
 * SIM_OK or SIM_BAD_PROBLEM. */
SimStatus stops_columns_take(StopsColumns *columns, const DenseSolver *plain, const SimStops *stops, double ahead,
                             const unsigned char *branch);

/* The derivatives of a step, for any equations of motion. All pointers are borrowed. */
typedef struct StopsTangent {
  const StopsTrace *trace;
  const DenseSolver *plain; /* solver with the matrix E */
  const SimStops *stops;
  double step, theta, ahead, behind; /* dt, theta, theta dt and (1-theta) dt */
  int begun, width;                  /* number of columns that are not 0; width of the blocks */
  double *x, *v;                     /* [d][width] derivatives of x and v before the step, then after it */
  void *context;
  /* Sets right [d][width] to the derivatives of b - E v - dt C lambda in solve k of the trace, at fixed v and lambda,
   * without the terms of stops. */
  void (*right)(void *context, int k, double *right);
  /* Adds to speed [width] the derivatives of the rebound velocity g by numbers of the model, at fixed x, v, v_f and
   * lambda_f. */
  void (*rebound)(void *context, const StopsMeeting *met, double *speed);
} StopsTangent;

/* Advances the derivatives of x and v over the step. Returns SIM_OK or SIM_BAD_PROBLEM. */
SimStatus stops_columns_advance(StopsColumns *columns, const StopsTangent *tangent);

/* Advances the x and v of a sensitivity in the same way. FrictionTangent.right must have the right side of the step
 * without stops, with the same terms. Returns SIM_OK or SIM_BAD_PROBLEM. */
SimStatus stops_columns_step(const SimModel *model, SimWorkspace *work, const StepTerms *terms);

/* Returns the derivative, by -x_i, of the impulse that dof i's elastic stop adds to the right side b, in kg/s; 0 if no
 * elastic stop pushes. The derivative by -v_i is (1-theta) theta dt times this. */
static inline double stops_columns_press(const SimStops *stops, double step, int i, unsigned char branch) {
  return step * stops_slope(stops, i, branch & STOPS_PRESSED);
}

#endif
