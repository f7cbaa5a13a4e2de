/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pds/simplex.h"

#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

/* number of restarts after which the size of the simplex is no longer doubled; 2^16 covers any reasonable scale and is
 * far from overflow */
enum { DOUBLINGS = 16 };

void ctl_simplex_first(const CtlProblem *problem, CtlSimplex *simplex) {
  int n = problem->n;
  double h = problem->step;
  double q = h * (sqrt(n + 1.0) - 1) / (n * sqrt(2)), p = q + h / sqrt(2);
  *simplex = (CtlSimplex){.n = n};
  memcpy(simplex->vertex, problem->start, (size_t)n * sizeof(double));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double *entry = &simplex->edges[j * n + i];
      switch (problem->simplex) {
      case CTL_SIMPLEX_RIGHT: *entry = i == j ? h : 0; break;
      case CTL_SIMPLEX_REGULAR: *entry = i == j ? p : q; break;
      case CTL_SIMPLEX_USER: *entry = problem->edges[j * n + i]; break;
      }
    }
}

/* Returns number k of an evenly distributed sequence in (-1/2, 1/2): multiples of the golden ratio modulo 1, minus
 * 1/2. */
static double spread_number(int k) {
  double multiple = (k + 1) * 0.61803398874989485;
  return multiple - floor(multiple) - 0.5;
}

void ctl_simplex_restart(CtlSimplex *simplex, const double *vertex, int restart) {
  int n = simplex->n;
  double w[CTL_SIMPLEX_CONTROLS_MAX];
  memcpy(simplex->vertex, vertex, (size_t)n * sizeof(double));
  double growth = restart <= DOUBLINGS ? 2 : 1;
  for (int i = 0; i < n * n; i++) simplex->edges[i] *= growth;
  /* The simplex is turned by n reflections, since a single one would hardly change the edges for large n. */
  for (int r = 0; r < n; r++) {
    for (int i = 0; i < n; i++) w[i] = spread_number((restart * n + r) * n + i);
    double length2 = dense_dot(n, w, w);
    for (int j = 0; j < n; j++) {
      double *edge = simplex->edges + j * n;
      double factor = 2 * dense_dot(n, w, edge) / length2;
      for (int i = 0; i < n; i++) edge[i] -= factor * w[i];
    }
  }
}

double ctl_simplex_longest_edge(const CtlSimplex *simplex) {
  int n = simplex->n;
  double longest2 = 0, difference[CTL_SIMPLEX_CONTROLS_MAX];
  for (int j = 0; j < n; j++) {
    const double *edge = simplex->edges + j * n;
    longest2 = fmax(longest2, dense_dot(n, edge, edge));
    for (int k = 0; k < j; k++) {
      for (int i = 0; i < n; i++) difference[i] = edge[i] - simplex->edges[k * n + i];
      longest2 = fmax(longest2, dense_dot(n, difference, difference));
    }
  }
  return sqrt(longest2);
}
