/* SPDX-License-Identifier: BSD-2-Clause */
/* The derivatives of a step of `moreau` for mechanisms (moreau.c) as a linear map. The step solves, for coordinates
 * that slide,
 *
 *     E (v+ - v) + dt (h + C lambda) = 0,    E = M + dt dh/dv + theta^2 dt^2 dh/dq,    at q_m = q + theta dt v, v
 *
 * so with the change D = d[E (v+ - v) + dt (h + C lambda)] of q_m, v and parameters at fixed v+ - v, v+ - v as in
 * the step, and lambda,
 *
 *     E dv+ = E dv - D + dt df,    dv+_i = 0 for those that stick,    dq+ = dq + dt (theta dv+ + (1-theta) dv)
 *
 * E (v+ - v) is the derivative of h + M q'' along the path with the rates theta^2 dt^2 (v+ - v), dt (v+ - v) and v+
 * - v of q, v and q''. It is order 1 of the tape's series (expansion_along), and D has the columns of that order, so
 * second derivatives need no other code. */
#ifndef SIM_MECHANISM_STEPS_MAP_H
#define SIM_MECHANISM_STEPS_MAP_H

#include "sim/friction/moreau_stops.h"
#include "sim/friction/stops_columns.h"
#include "sim/mechanism/columns.h"
#include "sim/mechanism/steps.h"

/* The columns of the map are derivatives by q [d], v [d], the forces [d], and the parameters. */
typedef struct StepMap {
  int d, n;             /* number of coordinates; number of columns, 3 d + n_parameters */
  int n_parameters;     /* number of parameters of the mechanism; 0: they have no columns */
  int width;            /* length of a row of x and v, n rounded up to whole vectors */
  Expansion *expansion; /* the equations; with parameters as variables if these have columns */
  ExpansionColumns *columns;
  StopsColumns *stops;
  double *x, *v;                   /* [d][width] blocks: derivatives of q+ and v+; one block of memory with the next */
  double *load, *threshold, *rate; /* [d][3 d + ..] results of expansion_columns_along */
  double *dq, *dv, *change;        /* [d] path of expansion_along; change: v+ - v of a solve */
  unsigned char *branch;           /* [d] branches of a step without stops */
  double *signs;                   /* [n_kinks] signs of kinks in the step before */
  bool *jumps;                     /* [n_kinks] whether forces may jump where the kink changes its sign */
  bool begun;                      /* whether `signs` are known; the caller sets it to false for a new motion */
  bool smooth;                     /* whether the derivatives of the step are those of the motion, stops aside */
} StepMap;

/* A solved step. All pointers are borrowed. */
typedef struct SolvedStep {
  const MechanismSteps *steps; /* its E, dt C and stops */
  double t, theta;             /* time t_theta of the step; weight of its end */
  const double *middle, *v;    /* [d] q_m and v, at which the equations are evaluated */
} SolvedStep;

/* Creates a map. parameters: whether they have columns. SIM_OK, SIM_NO_MEMORY; destroy the map in each case. */
SimStatus step_map_create(const SimProblem *problem, bool parameters, StepMap **map);
void step_map_destroy(StepMap *map); /* NULL: nothing */

/* Computes map->x and v from a step with the result work->v, lambda, slip. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus step_map_make(StepMap *map, const SimModel *model, const SimWorkspace *work, const SolvedStep *step);

#endif
