/* SPDX-License-Identifier: BSD-2-Clause */
/* The simplex with which a direct search begins, and the simplexes of its restarts. */
#ifndef CONTROL_SIMPLEX_H
#define CONTROL_SIMPLEX_H

#include "control/internal.h"

/* The vertex v_0 and the edges v_j - v_0, in N. The struct has no pointers. */
typedef struct CtlSimplex {
  int n;
  double vertex[CTL_SIMPLEX_CONTROLS_MAX]; /* [n] vertex v_0 */
  /* [n][n] edges, stored by rows: row j is v_{j+1} - v_0 */
  double edges[CTL_SIMPLEX_CONTROLS_MAX * CTL_SIMPLEX_CONTROLS_MAX];
} CtlSimplex;

/* Sets *simplex to the first simplex of a problem. With the start v_0, the edge length h and the unit vectors e_j its
 * vertices are, by the kind of simplex:
 *
 *   right    v_j = v_0 + h e_j
 *   regular  v_j = v_0 + (q,..,q,p,q,..,q), p in place j: all edges have length h;
 *            p = h (sqrt(n+1) - 1 + n) / (n sqrt 2), q = h (sqrt(n+1) - 1) / (n sqrt 2)
 *   user     v_j = v_0 + problem->edges[j-1] */
void ctl_simplex_first(const CtlProblem *problem, CtlSimplex *simplex);

/* Computes the simplex of restart number 1, 2, ... from the last simplex, which *simplex contains. The new simplex has
 * v_0 = vertex [n] and the same shape. Its size is doubled, and it is turned by a fixed orthogonal matrix that depends
 * only on n and restart. For n = 1 the sign of the edge changes. */
void ctl_simplex_restart(CtlSimplex *simplex, const double *vertex, int restart);

/* Returns the length of the longest edge, max_{i<j} ||v_i - v_j||_2. */
double ctl_simplex_longest_edge(const CtlSimplex *simplex);

#endif
