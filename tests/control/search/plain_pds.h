/* SPDX-License-Identifier: BSD-2-Clause */
/* Implements parallel direct search as its definition is written, for comparison: the template has all its duplicates,
 * and a simplex is stored by its vertices. Also has functions to minimise. */
#ifndef TESTS_PLAIN_PDS_H
#define TESTS_PLAIN_PDS_H

#include "control/pds/pds.h"

#include <math.h>
#include <string.h>

/* A node of the template's expansion, as defined. Several nodes may be the same point. */
typedef struct PlainNode {
  double tau[CTL_SIMPLEX_CONTROLS_MAX], alpha;
  int base, depth;
} PlainNode;

static inline bool same_point(int n, const double *a, const double *b) {
  for (int i = 0; i < n; i++)
    if (a[i] != b[i]) return false;
  return true;
}

static inline bool plain_is_vertex(int n, const double *tau) {
  double one[CTL_SIMPLEX_CONTROLS_MAX] = {0};
  if (same_point(n, tau, one)) return true;
  for (int i = 0; i < n; i++) {
    one[i] = 1;
    if (same_point(n, tau, one)) return true;
    one[i] = 0;
  }
  return false;
}

/* Generates the nodes of all levels up to depth, in order. Returns their number. */
static inline long plain_expand(int n, int depth, PlainNode *nodes) {
  static const double factors[] = {-1, 0.5, -2};
  long count = 1;
  nodes[0] = (PlainNode){.alpha = 1};
  for (long parent = 0; nodes[parent].depth < depth; parent++)
    for (int kind = 0; kind < 3; kind++)
      for (int i = 0; i <= n; i++) {
        PlainNode child = nodes[parent];
        if (kind != 1 && i == child.base) continue;
        child.alpha *= factors[kind];
        if (i) child.tau[i - 1] += child.alpha;
        if (child.base) child.tau[child.base - 1] -= child.alpha;
        child.base = i;
        child.depth++;
        nodes[count++] = child;
      }
  return count;
}

/* Keeps the first node of each point that is not a vertex. Returns their number. */
static inline long plain_unique(int n, PlainNode *nodes, long count) {
  long kept = 0;
  for (long k = 0; k < count; k++) {
    bool known = plain_is_vertex(n, nodes[k].tau);
    for (long j = 0; j < kept && !known; j++) known = same_point(n, nodes[j].tau, nodes[k].tau);
    if (!known) nodes[kept++] = nodes[k];
  }
  return kept;
}

/* Functions to minimise -------------------------------------------------------------------------------------- */

typedef double Function(int n, const double *u);

static inline double rosenbrock(int n, const double *u) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) sum += 100 * pow(u[i + 1] - u[i] * u[i], 2) + pow(1 - u[i], 2);
  return sum;
}

static inline double powell_singular(int n, const double *u) {
  (void)n;
  return pow(u[0] + 10 * u[1], 2) + 5 * pow(u[2] - u[3], 2) + pow(u[1] - 2 * u[2], 4) + 10 * pow(u[0] - u[3], 4);
}

/* Returns max_i (i+1)|u_i - 1|, which is not smooth. Its minimum is 0 at (1,..,1). */
static inline double weighted_max(int n, const double *u) {
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, (i + 1) * fabs(u[i] - 1));
  return largest;
}

/* Returns a function with values that lead to every branch of the method: at some points it fails (NAN, infinities). */
static inline double patchy(int n, const double *u) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (u[i] - 3.3) * (u[i] - 3.3) * (1 + i) + 0.3 * sin(9 * u[i]);
  if (sin(5 * sum) > 0.9) return NAN;
  return sin(3 * sum) > 0.9 ? -INFINITY : sum;
}

/* The simplex, stored by its vertices ------------------------------------------------------------------------ */

static inline void vertex_of(const CtlSimplex *simplex, int j, double *v) {
  for (int i = 0; i < simplex->n; i++) v[i] = simplex->vertex[i] + (j ? simplex->edges[(j - 1) * simplex->n + i] : 0);
}

static inline double distance(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

typedef struct PlainSimplex {
  int n;
  double v[CTL_SIMPLEX_CONTROLS_MAX + 1][CTL_SIMPLEX_CONTROLS_MAX];
} PlainSimplex;

static inline void plain_swap(PlainSimplex *plain, int a, int b) {
  double kept[CTL_SIMPLEX_CONTROLS_MAX];
  memcpy(kept, plain->v[a], sizeof kept);
  memcpy(plain->v[a], plain->v[b], sizeof kept);
  memcpy(plain->v[b], kept, sizeof kept);
}

static inline void plain_start(PlainSimplex *plain, const CtlSimplex *simplex, int best) {
  *plain = (PlainSimplex){.n = simplex->n};
  for (int j = 0; j <= simplex->n; j++) vertex_of(simplex, j, plain->v[j]);
  plain_swap(plain, 0, best);
}

/* Computes a point of the template: v_0 + sum_k tau_k (v_k - v_0), where v_k are the vertices and tau its
 * coordinates. */
static inline void plain_point(const PlainSimplex *plain, const double *tau, double *at) {
  memcpy(at, plain->v[0], sizeof plain->v[0]);
  for (int j = 1; j <= plain->n; j++)
    for (int i = 0; i < plain->n; i++) at[i] += tau[j - 1] * (plain->v[j][i] - plain->v[0][i]);
}

/* Moves the simplex by the factor alpha, if c is the best point and v_b the best vertex: v_j <- c + alpha (v_j - v_b)
 * for j != b, and v_b <- c, which is swapped to index 0. */
static inline void plain_move(PlainSimplex *plain, const double *tau, double alpha, int b) {
  double c[CTL_SIMPLEX_CONTROLS_MAX], old[CTL_SIMPLEX_CONTROLS_MAX];
  plain_point(plain, tau, c);
  memcpy(old, plain->v[b], sizeof old);
  for (int j = 0; j <= plain->n; j++)
    for (int i = 0; i < plain->n; i++) plain->v[j][i] = c[i] + alpha * (plain->v[j][i] - old[i]);
  plain_swap(plain, 0, b);
}

static inline void plain_contract(PlainSimplex *plain, double factor) {
  for (int j = 1; j <= plain->n; j++)
    for (int i = 0; i < plain->n; i++) plain->v[j][i] = plain->v[0][i] + factor * (plain->v[j][i] - plain->v[0][i]);
}

static inline double plain_longest(const PlainSimplex *plain) {
  double longest = 0;
  for (int j = 0; j <= plain->n; j++)
    for (int i = 0; i < j; i++) longest = fmax(longest, distance(plain->n, plain->v[i], plain->v[j]));
  return longest;
}

static inline double plain_relative_size(const PlainSimplex *plain) {
  const double origin[CTL_SIMPLEX_CONTROLS_MAX] = {0};
  double longest = 0;
  for (int j = 1; j <= plain->n; j++) longest = fmax(longest, distance(plain->n, plain->v[0], plain->v[j]));
  return longest / fmax(1, distance(plain->n, plain->v[0], origin));
}

#endif
