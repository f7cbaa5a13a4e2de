/* SPDX-License-Identifier: BSD-2-Clause */
/* Equations of motion from energies, as nodes of a graph. With the kinetic energy T and the potential energy V,
 * Lagrange's equations are
 *
 *     r_i = d/dt (dT/dq'_i) - dT/dq_i + dV/dq_i = 0,      i < d
 *
 * r is linear in q'', and the mass matrix M = dr/dq'' is symmetric. */
#ifndef SIM_MECHANISM_LAGRANGE_H
#define SIM_MECHANISM_LAGRANGE_H

#include "sim/graph/graph.h"

/* Variables of a mechanism's graph, in the order q [d], q' [d], q'' [d], t, and then other variables (forces,
 * parameters), which are taken as constant in time. */
typedef struct MechanismVariables {
  int d;
  const int *q, *v, *a; /* [d] nodes of q, of v = q' and of a = q'' */
  int t;                /* node of the time t */
} MechanismVariables;

/* Creates the variables q, q', q'' and t as the nodes with the numbers 0 to 3 d. nodes: array [3 d], which `variables`
 * borrows. Returns false without memory. */
bool mechanism_variables(Graph *graph, int d, int *nodes, MechanismVariables *variables);

/* Creates the nodes `residuals` [d] of Lagrange's equations r from the nodes of T (kinetic) and V (potential). Returns
 * false without memory. */
bool mechanism_lagrange(Graph *graph, const MechanismVariables *variables, int kinetic, int potential, int *residuals);

/* Returns the node of the kinetic energy (m/2) |d/dt at|^2 of a point mass m. mass: node of m; at: [n] nodes of the
 * Cartesian coordinates. Returns -1 without memory. */
int mechanism_point_energy(Graph *graph, const MechanismVariables *variables, int mass, int n, const int *at);

#endif
