/* SPDX-License-Identifier: BSD-2-Clause */
/* The linear system of an iteration of the interior-point method for a problem in stages (stages.h). Only equalities
 * remain as constraints: inequalities are added to the cost, with weights from their multipliers. */
#ifndef CONTROL_PATTERN_RICCATI_H
#define CONTROL_PATTERN_RICCATI_H

#include "control/pattern/stages.h"

/* Vectors of one iteration of the interior-point method, stored in s->work. w: state, u: control, z = (w, u). A row is
 * a constraint on a'z. */
typedef struct Iterate {
  int equalities;
  double scale; /* smallest unit of J for relative tolerances, used if J is smaller: a fraction of the least effort that
                 * only meets the equalities */
  /* [rows] each. slack: distances of a row's value a'z from its lower and its upper limit. price: their multipliers;
   * for an equality price[0] is its multiplier, of any sign. d_slack, d_price: steps of these. bend: second-order
   * terms. */
  double *slack[2], *price[2], *d_slack[2], *d_price[2], *bend[2];
  double *value, *d_value; /* [rows] values a'z of the rows at the current point; [rows] their changes a'dz in a step */
  double *gradient;        /* [stages + 1][z] gradient of the Lagrangian */
  double *gain;            /* [stages][u][w] gain K of the recursion du = -K dw + terms independent of dw */
  double *factor;          /* [stages][u][u] Cholesky factor L of the u block of each stage */
  double *P, *next, *Z;    /* [w][w], [w][z], [z][z] matrices of the backward recursion */
  double *dz;              /* [stages + 1][z] step of the states and controls of all stages */
  double *halves;     /* [equalities][stages][u] results of the backward sweep for the row of each equality, multiplied
                       * by L^-1 */
  double *q, *on, *h; /* [w] and [z] vectors of the backward recursion; [stages][u] part of du that does not depend on
                       * dw */
  double *schur, *right; /* [equalities][equalities + 1] factor of the Schur complement; [equalities] right-hand side */
  int *which;            /* [equalities] index of the row of each equality */
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

/* Computes the gains and factors of all stages by the Riccati recursion. Returns false if round-off makes the problem
 * non-convex. */
bool riccati_factor(const Stages *stages, Iterate *it);

/* Computes and factors the Schur complement A K^-1 A' of the equalities A, where K is the matrix of the system without
 * equalities. Returns false if round-off makes the problem non-convex. */
bool riccati_factor_equalities(const Stages *stages, Iterate *it);

/* Sweeps backward from stage `last`, where the gradient is `row` [z]. gradient: [last][z] for the stages before; NULL:
 * 0. half [stages][u]: results for u in each stage, multiplied by L^-1. */
void riccati_sweep_back(const Stages *stages, const Iterate *it, int last, const double *row, const double *gradient,
                        double *half);

/* Sweeps forward: computes the dz [stages + 1][z] that minimises dz'H dz/2 + gradient'dz subject to the linear
 * transitions between stages, from the results `half` of the backward sweep. Overwrites half. */
void riccati_sweep_along(const Stages *stages, const Iterate *it, double *half, double *dz);

/* Computes x = (L L')^-1 x with a Cholesky factor L [n][n]. Consecutive entries of x have the distance `stride` in
 * memory. */
void riccati_substitute(int n, const double *L, double *x, int stride);

#endif
