/* Derivatives of a step of the Moreau-Jean scheme in which an end holds or presses somebody, from its trace (stops_trace.h): solve by
 * solve, with dv_i = dg_i of who is held and 0 of who sticks, and
 *
 *     dx+ = by_part ds + by_speed dv+ of who has met an end,    dx + dt (theta dv+ + (1-theta) dv) of the others          */
#ifndef SIM_FRICTION_STOPS_COLUMNS_H
#define SIM_FRICTION_STOPS_COLUMNS_H

#include "sim/friction/form.h"
#include "sim/friction/stops_trace.h"
#include "sim/friction/tangent.h"

/* Room for it. Blocks [d][width] and matrices [d][d], owned. */
typedef struct StopsColumns {
  double *part, *speed;  /* of s and g: derivatives, or backwards what J has of them */
  double *right, *v;     /* of a solve */
  double *matrix, *room; /* E with what presses, and that of who moves */
  double *inverse;       /* of who moves, else 0 */
  int *members;          /* [2 d], of which the last d are room */
  unsigned char *branch; /* [d] that inverse is of */
  bool known;            /* there are such */
  bool transposed;       /* of E': to be set by who goes backwards */
} StopsColumns;

/* NULL: no memory. */
StopsColumns *stops_columns_create(int d, int width);
void stops_columns_destroy(StopsColumns *columns); /* NULL: nothing */

/* columns->inverse on these branches [d]. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus stops_columns_take(StopsColumns *columns, const SimModel *model, const unsigned char *branch);

/* A sensitivity's x and v, before the step, become those behind it; its tangent's right is that of the step without stops, with these
 * terms. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus stops_columns_step(const SimModel *model, SimWorkspace *work, const StepTerms *terms);

/* What presses dof i to its elastic end: by how much of x less b falls, kg/s. Of v: (1-theta) theta dt of it. */
static inline double stops_columns_press(const SimModel *model, int i) {
  return model->problem.step * model->problem.stops.stiffness[i];
}

#endif
