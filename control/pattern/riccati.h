/* Linear system of an interior-point iteration of a problem in stages: the problem without inequalities, weighted by
 * their multipliers. */
#ifndef CONTROL_PATTERN_RICCATI_H
#define CONTROL_PATTERN_RICCATI_H

#include "control/pattern/stages.h"

/* Vectors of one iteration, in s->work. */
typedef struct Iterate {
  int equalities;
  double scale; /* least effort without inequalities, or a fraction of it; replaces a J of 0 */
  /* [rows] distances to the upper and lower side, multipliers; for an equality price[0] is its multiplier, of any
   * sign */
  double *slack[2], *price[2], *d_slack[2], *d_price[2], *bend[2];
  double *value, *d_value; /* [rows] a'z; a'dz */
  double *gradient;        /* [stages + 1][z] */
  double *gain;            /* [stages][u][w] gain K of the recursion du = -K dw - .. */
  double *factor;          /* [stages][u][u] Cholesky factor of its u block */
  double *P, *next, *Z;    /* [w][w], [w][z], [z][z] */
  double *dz;              /* [stages + 1][z] */
  double *halves;        /* [equalities][stages][u] result of the backward sweep for each equality's row, times L^-1 */
  double *q, *on, *h;    /* [w], [z] of the backward recursion, and [stages][u] its contribution to du */
  double *schur, *right; /* [equalities][equalities + 1], [equalities] */
  int *which;            /* [equalities] */
} Iterate;

static inline bool is_equality(const Stages *s, int r) { return s->row[r].lower == s->row[r].upper; }

static inline double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static inline void add(int n, double factor, const double *a, double *b) {
  for (int i = 0; i < n; i++) b[i] += factor * a[i];
}

/* Riccati recursion: gains and factors of all stages. Returns false if the problem is not convex by round-off. */
bool riccati_factor(const Stages *stages, Iterate *it);

/* Computes and factors A K^-1 A' of the equalities A. Returns false likewise. */
bool riccati_factor_equalities(const Stages *stages, Iterate *it);

/* Backward sweep from stage `last` with gradient `row`, [z], and gradient [last][z] of the stages before (NULL: 0).
 * half [stages][u]: contributions to u in each stage, times L^-1. */
void riccati_sweep_back(const Stages *stages, const Iterate *it, int last, const double *row, const double *gradient,
                        double *half);

/* Forward sweep: dz [stages + 1][z] that minimises dz'H dz/2 + gradient'dz along the linear motion. Overwrites half. */
void riccati_sweep_along(const Stages *stages, const Iterate *it, double *half, double *dz);

/* x = (L L')^-1 x for every stride-th entry, L [n][n] a Cholesky factor. */
void riccati_substitute(int n, const double *L, double *x, int stride);

#endif
