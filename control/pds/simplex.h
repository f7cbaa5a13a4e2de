/* First simplices of a direct search. */
#ifndef CONTROL_SIMPLEX_H
#define CONTROL_SIMPLEX_H

#include "control/internal.h"

/* v_0 and the edges v_j - v_0, N. Plain data. */
typedef struct CtlSimplex {
  int n;
  double vertex[CTL_SIMPLEX_CONTROLS_MAX];                           /* [n] v_0 */
  double edges[CTL_SIMPLEX_CONTROLS_MAX * CTL_SIMPLEX_CONTROLS_MAX]; /* [n][n] row-major: row j = v_{j+1} - v_0 */
} CtlSimplex;

/* The problem's first simplex, at its start:
 *     right    v_j = v_0 + h e_j
 *     regular  v_j = v_0 + (q,..,q,p,q,..,q), p in place j: all edges h;
 *              p = h (sqrt(n+1) - 1 + n) / (n sqrt 2),  q = h (sqrt(n+1) - 1) / (n sqrt 2)
 *     user     v_j = v_0 + problem->edges[j-1] */
void ctl_simplex_first(const CtlProblem *problem, CtlSimplex *simplex);

/* A simplex for restart 1, 2, ...: at vertex [n], of the shape of the last one, twice its size and turned by
 * a fixed orthogonal matrix that depends on n and restart alone. n = 1: the edge's sign flips. */
void ctl_simplex_restart(CtlSimplex *simplex, const double *vertex, int restart);

/* max_{i<j} ||v_i - v_j||_2 */
double ctl_simplex_longest_edge(const CtlSimplex *simplex);

#endif
