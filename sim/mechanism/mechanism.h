/* SPDX-License-Identifier: BSD-2-Clause */
/* A mechanism as data: a graph with the nodes of its equations of motion. mechanism.c makes it from bodies, energies
 * and texts. With coordinates q, parameters p, control forces B u and friction thresholds c, the equations are
 *
 *   r_i(q, q', q'', t, p) - Q_i(q, q', t, p) - (B u)_i + c_i(q, q', t, p) lambda_i = 0, lambda_i in sgn(q'_i)
 *
 * r is the left side of Lagrange's equations (lagrange.h) or of joined rigid bodies (tree.h); Q are the applied
 * forces. */
#ifndef SIM_MECHANISM_MECHANISM_H
#define SIM_MECHANISM_MECHANISM_H

#include "sim/mechanism/tree.h"

typedef struct SimMechanism {
  Graph graph; /* graph made with GRAPH_TIDY; its variables are q, q', q'' [d each], t, then the parameters:
                * parameter k has the number 3 d + 1 + k */
  int d;
  int n_parameters;
  int *nodes;                   /* [3 d] nodes of q, q', q'' */
  MechanismVariables variables; /* q, q', q'' and t as nodes; borrows `nodes` */
  int *parameters;              /* [n_parameters] nodes of the parameters */
  double *values;               /* [n_parameters] values of the parameters */
  char **parameter_names;       /* [n_parameters] names of the parameters */
  char **names;                 /* [d] names of the coordinates */
  int *residuals;               /* [d] nodes of r */
  int *applied;                 /* [d] nodes of Q: forces given as text, and viscous friction -b q'; each may be the
                                 * number 0 */
  int *thresholds;              /* [d] nodes of the friction thresholds c >= 0 */
  int energy;                   /* node of the energy E = q'.dT/dq' - T + V, in J; its rate is dE/dt = q'.r + power */
  int power;                    /* node of the power, in W, that enters E because T or V depend on t explicitly: -dL/dt
                                 * with L = T - V; mostly the number 0 */
} SimMechanism;

/* Creates a mechanism with d coordinates called `names` and no equations yet: r, Q, c, the energy and the power are 0.
 * Its parameters have the given names and values [n_parameters]. All texts and numbers are copied. Returns NULL without
 * memory. */
SimMechanism *mechanism_create(int d, const char *const *names, int n_parameters, const char *const *parameter_names,
                               const double *values);
void mechanism_destroy(SimMechanism *mechanism); /* may be NULL */

/* The functions below add terms to the equations, so a mechanism may have both bodies and energies. They return false
 * without memory, or if a node passed to them is -1. */

/* Adds to r, to the energy and to the power the terms of the kinetic and potential energies T and V, which are nodes of
 * q, q', t. */
bool mechanism_add_energies(SimMechanism *mechanism, int kinetic, int potential);
/* Adds d rigid bodies that are joined as a tree; body i moves with coordinate i. gravity: [3] m/s^2. */
bool mechanism_add_tree(SimMechanism *mechanism, const MechanismBody *bodies, const double *gravity);
/* Adds a force to Q_i. force: a node of q, q', t, N or N m. */
bool mechanism_add_force(SimMechanism *mechanism, int i, int force);
/* Adds viscous friction -b q'_i to Q_i. b: a node of q, q', t; N s/m or N m s. */
bool mechanism_add_viscous(SimMechanism *mechanism, int i, int b);

#endif
