/* SPDX-License-Identifier: BSD-2-Clause */
/* The friction problem of a row of springs k_0..k_n through n nodes, held at both ends:
 *
 *     d = argmin d'K d / 2 + z'd + sum_i alpha_i |d_i|,   K = tridiag(-k_{i-1}, k_{i-1} + k_i, -k_i),
 *     G = z + K d = Proj(z), the projection onto the box |G_i| <= alpha_i in the metric of K^-1,
 *
 * that is -G_i in alpha_i sgn(d_i). Here d are the displacements of the nodes in a step, K the stiffness matrix, z the
 * forces of the springs before the displacement, minus the external forces, G these forces after it, and alpha_i the
 * friction thresholds. K is never stored or inverted; one sweep solves a linear system in O(n). Local; allocates
 * nothing. */
#ifndef SIM_CHAIN_PROJECTION_H
#define SIM_CHAIN_PROJECTION_H

/* Data of the friction problem. All arrays are borrowed. k_i >= 0, k_1..k_{n-1} > 0, and k_0 > 0 or k_n > 0, so that
 * K is positive definite. */
typedef struct ChainProjection {
  int n;               /* number of nodes, >= 1 */
  const double *k;     /* [n+1] stiffness of the springs, in N/m */
  const double *alpha; /* [n] thresholds of friction, in N, >= 0 */
  const double *z;     /* [n] forces z before the displacement, in N */
} ChainProjection;

/* Solution of a problem, stored in arrays of the caller. */
typedef struct ChainSlide {
  signed char *slip;     /* [n] on entry a guess; on return -1, 0, 1, the sign of d */
  double *d;             /* [n] displacement in m; exactly 0 for a node that sticks */
  double *g;             /* [n] force G in N; exactly -alpha sign(d) for a node that slips; always |G| <= alpha */
  double *pivot, *carry; /* [n] scratch */
  long sweeps;           /* number of linear systems solved */
  /* largest excess of a sticking node's force over its threshold, relative to the threshold; it is due to rounding */
  double residual;
} ChainSlide;

/* Computes y = K x, with the stiffness matrix K of a row of springs k [n+1]. */
void chain_multiply(int n, const double *k, const double *x, double *y);

/* Solves K x = b for the nodes that slip or have no friction, with x = 0 for the others. alpha, slip: [n]; slip NULL:
 * all nodes slip. x may be b. pivot, carry: [n] scratch. */
void chain_solve_loose(int n, const double *k, const double *alpha, const signed char *slip, const double *b, double *x,
                       double *pivot, double *carry);

/* Solves by a primal-dual active set method from the guess, and by chain_project_monotone if that has not converged
 * after 20 sweeps. Returns 0, or -1 if z or d is not finite. */
int chain_project(const ChainProjection *problem, ChainSlide *slide);

/* Computes the same solution by a method that ends for any data and guess, after at most O(n^2) sweeps; usually few are
 * needed. */
int chain_project_monotone(const ChainProjection *problem, ChainSlide *slide);

#endif
