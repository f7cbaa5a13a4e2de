/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/proximal.h"

#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

/* Coefficient of the proximal term (proximal.h), relative to the cost of the force or, for a force that costs nothing,
 * to the substitute that ctl_proximal_set computes. The term makes such forces determined. It penalises the step, not
 * the force, so it vanishes when the steps converge. */
static const double PROXIMAL_FACTOR = 1e-4;
static const double PIVOT_MIN = 1e-8; /* the weight is singular if a pivot is below this, after its diagonal has been
                                       * scaled to 1 */

/* Sets shared->singular to whether some forces, or combinations of forces, cost nothing. The result does not depend on
 * the units. Returns false when out of memory. */
static bool find_singular(CtlSqpShared *shared) {
  const CtlProblem *p = shared->problem;
  size_t n = (size_t)p->p;
  double *a = malloc(n * n * sizeof *a + 1);
  if (!a) return false;
  for (size_t i = 0; i < n; i++) {
    shared->singular |= !(p->weight[i * n + i] > 0);
    for (size_t j = 0; j < n; j++)
      a[i * n + j] =
          p->weight[i * n + j] / sqrt(p->weight[i * n + i] * p->weight[j * n + j]) - (i == j ? PIVOT_MIN : 0);
  }
  shared->singular = shared->singular || dense_factor(p->p, a) != 0;
  free(a);
  return true;
}

/* Returns the effect of a force on the targets: the sum over targets j and segments k of (a_jk / unit_j)^2, where a are
 * the derivatives of the final state. */
static double effect_of(const CtlSqp *s, int force) {
  const CtlSqpShared *shared = s->shared;
  double sum = 0;
  for (int j = 0; j < shared->m; j++) {
    const double *row = s->rows + (size_t)j * ctl_row_size(shared->n);
    for (int i = force; i < shared->n; i += shared->problem->p)
      sum += row[i] / shared->unit[j] * (row[i] / shared->unit[j]);
  }
  return sum;
}

void ctl_proximal_set(const CtlSqp *s) {
  CtlSqpShared *shared = s->shared;
  const CtlProblem *problem = shared->problem;
  CtlQp *qp = &shared->qp;
  int p = problem->p, n = shared->n;
  double most = 0;
  if (!shared->singular) return;
  for (int c = 0; c < p; c++) {
    double effect = shared->proximal[c] = effect_of(s, c);
    if (effect > 0) most = fmax(most, problem->weight[c * p + c] / effect);
  }
  double unit = PROXIMAL_FACTOR * 2 * problem->end / problem->segments;
  for (int c = 0; c < p; c++) {
    double cost = problem->weight[c * p + c], like = most * shared->proximal[c];
    shared->proximal[c] = unit * (cost > 0 ? cost : like > 0 ? like : 1);
  }
  for (int i = 0; i < n; i++) qp->H[i * (qp->band + 1) + qp->band] = shared->diagonal[i] + shared->proximal[i % p];
}

bool ctl_proximal_init(CtlSqpShared *shared) {
  const CtlQp *qp = &shared->qp;
  const CtlProblem *p = shared->problem;
  shared->proximal = calloc((size_t)p->p + (size_t)shared->n + 1, sizeof *shared->proximal);
  if (!shared->proximal) return false;
  shared->diagonal = shared->proximal + p->p;
  for (int i = 0; i < qp->n; i++) {
    int force = i % p->p;
    shared->diagonal[i] = p->weight[force * p->p + force] > 0 ? qp->H[i * (qp->band + 1) + qp->band] : 0;
  }
  return find_singular(shared);
}
