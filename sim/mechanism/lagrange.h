/* Equations of motion of energies, as nodes: Lagrange's
 *
 *     r_i = d/dt (dT/dq'_i) - dT/dq_i + dV/dq_i,      i < d
 *
 * linear in q'', with M = dr/dq'' symmetric. */
#ifndef SIM_MECHANISM_LAGRANGE_H
#define SIM_MECHANISM_LAGRANGE_H

#include "sim/graph/graph.h"

/* Variables of a mechanism's graph: q [d], q' [d], q'' [d], then t, then others (forces, parameters), which are constant. */
typedef struct MechanismVariables {
  int d;
  const int *q, *v, *a; /* [d] nodes each */
  int t;                /* node */
} MechanismVariables;

/* Makes all of these variables, with numbers 0 to 3 d; nodes: room for [3 d], which the result borrows. Returns false without memory. */
bool mechanism_variables(Graph *graph, int d, int *nodes, MechanismVariables *variables);

/* residuals [d] of the nodes T and V. Returns false without memory. */
bool mechanism_lagrange(Graph *graph, const MechanismVariables *variables, int kinetic, int potential, int *residuals);

/* m |d/dt at|^2/2 of a point mass; at: [n] nodes of its coordinates. -1 without memory. */
int mechanism_point_energy(Graph *graph, const MechanismVariables *variables, int mass, int n, const int *at);

#endif
