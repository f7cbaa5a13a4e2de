/* A row of springs k_0..k_n through n nodes, held at both ends, and the friction problem that it poses:
 *
 *     d = argmin d'K d / 2 + z'd + sum_i alpha_i |d_i|,   K = tridiag(-k_{i-1}, k_{i-1} + k_i, -k_i),
 *     G = z + K d = Proj(z), the projection onto the box |G_i| <= alpha_i in the metric of K^-1,
 *
 * that is -G_i in alpha_i sgn(d_i). K is never formed or inverted; one sweep is one solution in O(n). Local; nothing is
 * allocated. */
#ifndef SIM_CHAIN_PROJECTION_H
#define SIM_CHAIN_PROJECTION_H

/* One problem; all borrowed. k_i >= 0, k_1..k_{n-1} > 0, and k_0 > 0 or k_n > 0, so that K is positive definite. */
typedef struct ChainProjection {
  int n;               /* >= 1 */
  const double *k;     /* [n+1] N/m */
  const double *alpha; /* [n] N, >= 0 */
  const double *z;     /* [n] N */
} ChainProjection;

/* Where it is solved; the caller's storage. */
typedef struct ChainSlide {
  signed char *slip;     /* [n] in: a guess; out: -1, 0, 1, the sign of d */
  double *d;             /* [n] m; exactly 0 where a node sticks */
  double *g;             /* [n] N; exactly -alpha sign(d) where it slips, |G| <= alpha in any case */
  double *pivot, *carry; /* [n] scratch */
  long sweeps;           /* solutions of the linear system that it took */
  double residual;       /* by how much a sticking node's force passes its threshold (round-off), as a part of it */
} ChainSlide;

/* y = K x */
void chain_multiply(int n, const double *k, const double *x, double *y);

/* K x = b on the nodes that slip or have no friction, x = 0 on the others; alpha, slip: [n]; slip NULL: on all. x may be b. pivot, carry:
 * [n] scratch. */
void chain_solve_loose(int n, const double *k, const double *alpha, const signed char *slip, const double *b, double *x,
                       double *pivot, double *carry);

/* Primal-dual active set from the guess; if that has not settled after 20 sweeps, chain_project_monotone.
 * Returns 0, or -1 when z or d is not finite. */
int chain_project(const ChainProjection *problem, ChainSlide *slide);

/* The same answer by a method that always ends, whatever data and guess, after at most O(n^2) sweeps; mostly few. */
int chain_project_monotone(const ChainProjection *problem, ChainSlide *slide);

#endif
