/* SPDX-License-Identifier: BSD-2-Clause */
/* The derivatives of a step of `moreau` for mechanisms (moreau.c) as a linear map. For sliding coordinates the step
 * solves
 *
 *   E (v+ - v) + dt (h + C lambda) = 0, E = M + dt dh/dv + theta^2 dt^2 dh/dq, at q_m = q + theta dt v, v
 *
 * Let D be the change of E (v+ - v) + dt (h + C lambda) due to changes of q_m, v and the parameters, at fixed v+ - v
 * and lambda. Then
 *
 *   E dv+ = E dv - D + dt df, dv+_i = 0 for those that stick, dq+ = dq + dt (theta dv+ + (1-theta) dv)
 *
 * E (v+ - v) is the derivative of h + M q'' along a straight path on which q, v and q'' change at the rates theta^2
 * dt^2 (v+ - v), dt (v+ - v) and v+ - v. The tape's series have this derivative as order 1 (expansion_along), and D
 * follows from the derivatives of that order, so second derivatives need no other code. */
#ifndef SIM_MECHANISM_STEPS_MAP_H
#define SIM_MECHANISM_STEPS_MAP_H

#include "sim/friction/moreau_stops.h"
#include "sim/friction/stops_columns.h"
#include "sim/mechanism/columns.h"
#include "sim/mechanism/steps.h"

/* The map has columns for the derivatives by q [d], v [d], the forces [d], and the parameters. */
typedef struct StepMap {
  int d, n;             /* number of coordinates; number of columns, 3 d + n_parameters */
  int n_parameters;     /* number of parameters of the mechanism; 0: they have no columns */
  int width;            /* length of a row of x and v, n rounded up to whole vectors */
  Expansion *expansion; /* the equations; with parameters as variables if these have columns */
  ExpansionColumns *columns;
  StopsColumns *stops;
  double *x, *v;                   /* [d][width] derivatives of q+ and v+; in one memory block with the next arrays */
  double *load, *threshold, *rate; /* [d][2 d + n_parameters + 1] results of expansion_columns_along */
  double *dq, *dv, *change;        /* [d] direction of the path of expansion_along; change: v+ - v of a solve */
  unsigned char *branch;           /* [d] whether each coordinate sticks or slides in a step without stops */
  double *signs;                   /* [n_kinks] signs of kinks in the step before */
  bool *jumps;                     /* [n_kinks] whether forces may jump where the kink changes its sign */
  bool begun;                      /* whether `signs` are known; the caller sets it to false for a new motion */
  bool smooth;                     /* whether the derivatives of the step are those of the motion, stops aside */
} StepMap;

/* A solved step. All pointers are borrowed. */
typedef struct SolvedStep {
  const MechanismSteps *steps; /* E, dt C and the stops of the step */
  double t, theta;             /* time t_theta of the step, in s; weight theta of its end */
  const double *middle, *v;    /* [d] q_m and v, at which the equations are evaluated */
} SolvedStep;

/* Creates a map. parameters: whether parameters have columns. Returns SIM_OK or SIM_NO_MEMORY; destroy the map in each
 * case. */
SimStatus step_map_create(const SimProblem *problem, bool parameters, StepMap **map);
void step_map_destroy(StepMap *map); /* may be NULL */

/* Computes map->x and map->v of a solved step from its result work->v, lambda and slip. Returns SIM_OK or
 * SIM_BAD_PROBLEM. */
SimStatus step_map_make(StepMap *map, const SimModel *model, const SimWorkspace *work, const SolvedStep *step);

#endif
