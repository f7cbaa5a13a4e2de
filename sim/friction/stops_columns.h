/* Derivatives of a step of the Moreau-Jean scheme in which an end holds or pushes a dof, from its trace
 * (stops_trace.h). They repeat each solve, with dv_i = dg_i for held dofs and 0 for dofs that stick, and
 *
 *     dx+ = by_part ds + by_speed dv+ for dofs that met an end,    dx + dt (theta dv+ + (1-theta) dv) for others */
#ifndef SIM_FRICTION_STOPS_COLUMNS_H
#define SIM_FRICTION_STOPS_COLUMNS_H

#include "sim/friction/form.h"
#include "sim/friction/stops_trace.h"
#include "sim/friction/tangent.h"
#include "sim/joint/stops.h"

/* Scratch for these. Blocks [d][width] and matrices [d][d], owned. */
typedef struct StopsColumns {
  double *part, *speed;  /* derivatives of s and g; in a sweep derivatives of J by them */
  double *right, *v;     /* right side and solution of a solve */
  double *matrix, *room; /* E with elastic ends, and its part for moving dofs */
  double *inverse;       /* inverse for moving dofs, else 0 */
  int *members;          /* [2 d], of which the last d are scratch */
  unsigned char *branch; /* [d] branches of inverse */
  bool known;            /* inverse is valid */
  bool transposed;       /* transpose of E, set by the caller for adjoint sweeps */
} StopsColumns;

/* Creates the scratch; NULL: no memory. */
StopsColumns *stops_columns_create(int d, int width);
void stops_columns_destroy(StopsColumns *columns); /* NULL: nothing */

/* Computes columns->inverse for branches [d]. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus stops_columns_take(StopsColumns *columns, const SimModel *model, const unsigned char *branch);

/* Advances a sensitivity's x and v over the step. Its tangent's `right` is that of the step without stops, with these
 * terms. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus stops_columns_step(const SimModel *model, SimWorkspace *work, const StepTerms *terms);

/* Derivative of the force of dof i's elastic end in b by -x, kg/s; 0 on a branch without it. That by -v is (1-theta)
 * theta dt times this. */
static inline double stops_columns_press(const SimModel *model, int i, unsigned char branch) {
  return model->problem.step * stops_slope(&model->problem.stops, i, branch & STOPS_PRESSED);
}

#endif
