/* One iteration of a problem in stages, and its linear system: the problem without its inequalities, weighed by their prices. */
#ifndef CONTROL_PATTERN_RICCATI_H
#define CONTROL_PATTERN_RICCATI_H

#include "control/pattern/stages.h"

/* One iteration's vectors, in s->work. */
typedef struct Iterate {
  int equalities;
  double scale; /* what the least effort without inequalities comes to, or a part of it, for a J of 0 */
  double *slack[2], *price[2], *d_slack[2], *d_price[2], *bend[2]; /* [rows] below the upper, above the lower side; of
                                                                    * an equality price[0] is its multiplier, of any sign */
  double *value, *d_value;                                         /* [rows] a'z; a'dz */
  double *gradient;                                                /* [stages + 1][z] */
  double *gain;          /* [stages][u][w] K of the recursion du = -K dw - .. */
  double *factor;        /* [stages][u][u] Cholesky factor of its u block */
  double *P, *next, *Z;  /* [w][w], [w][z], [z][z] */
  double *dz;            /* [stages + 1][z] */
  double *halves;        /* [equalities][stages][u] what each equality's row leaves on the way back, by L^-1 */
  double *q, *on, *h;    /* [w], [z] of the recursion backwards, and [stages][u] what it leaves to du */
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

/* The Riccati recursion: gains and factors of all stages. Returns false where the problem is not convex, by round-off. */
bool riccati_factor(const Stages *stages, Iterate *it);

/* A K^-1 A' of the equalities A, factored. Returns false likewise. */
bool riccati_factor_equalities(const Stages *stages, Iterate *it);

/* The way back from stage `last`, whose gradient is `row`, [z], and all before, whose are gradient [last][z] (NULL: 0): what is left to u in
 * each stage, by L^-1: half [stages][u]. */
void riccati_sweep_back(const Stages *stages, const Iterate *it, int last, const double *row, const double *gradient,
                        double *half);

/* The way along: dz [stages + 1][z] of the least dz'H dz/2 + gradient'dz along the linear motion. half is spent. */
void riccati_sweep_along(const Stages *stages, const Iterate *it, double *half, double *dz);

/* x = (L L')^-1 x, of every stride-th entry, by a factor L [n][n]. */
void riccati_substitute(int n, const double *L, double *x, int stride);

#endif
