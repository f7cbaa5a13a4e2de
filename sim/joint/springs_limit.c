/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the largest steps for which the iteration for spring laws converges (springs.h). */
#include "sim/joint/springs.h"

#include "sim/group.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

/* Largest allowed ratio of the errors of two successive iterations, if the matrix E of the step contains no stiffness,
 * so that only M and D bound the slopes of springs. */
static const double ROUND_LEAVES = 0.97;

double springs_limit(const Springs *s, OperatorSum step, double rest, double mass_min) {
  double own = operator_weight(step, OPERATOR_STIFFNESS), mass = operator_weight(step, OPERATOR_MASS), sum = 0;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    double most = 0;
    for (int k = 0; k < s->law[place].columns; k++)
      most = fmax(most, rest * s->spread[place][k] - own / mass * s->stiffness[place][k]);
    sum += (place == SIM_LINKS ? 4 : 1) * most; /* for links G'G has eigenvalues below 4, where G x are the
                                                 * elongations */
  }
  return sum > 0 ? s->problem->step * sqrt(mass_min / sum) : INFINITY;
}

/* Subtracts factor G'r G from the matrix a [d][d]. G'r G is the stiffness matrix of springs that have the bounds r of
 * the slopes as their stiffnesses (springs.h). */
static void take_spread(const Springs *s, double factor, double *a) {
  size_t d = (size_t)s->problem->d;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++)
    for (int i = 0; i < springs_of(s->problem, place); i++) {
      double r = factor * s->spread[place][springs_column(s->law[place], i)], *at = a + (size_t)i * (d + 1);
      at[0] -= r;
      if (place != SIM_LINKS) continue;
      at[d + 1] -= r;
      at[1] += r;
      at[d] += r;
    }
}

static SimStatus contracts_dense(const Springs *s, OperatorSum step, double rest, bool *contracts) {
  const SimProblem *p = s->problem;
  size_t square = (size_t)p->d * (size_t)p->d;
  Operator *matrix;
  double *e = malloc(square * sizeof *e);
  SimStatus status = operator_create(p, step, &matrix);
  if (!e) status = SIM_NO_MEMORY;
  for (size_t k = 0; k < square && status == SIM_OK; k++) e[k] = operator_entries(matrix)[k];
  if (status == SIM_OK) {
    dense_symmetric_part(p->d, e, e);
    take_spread(s, rest * operator_weight(step, OPERATOR_MASS) / ROUND_LEAVES, e);
    *contracts = dense_factor(p->d, e) == 0;
  }
  free(e);
  operator_destroy(matrix);
  return status;
}

/* Returns the diagonal entry of row i of a sparse matrix, minus the magnitudes of its other entries. */
static double inner_of(const SimProblem *p, const SimMatrix *m, int i) {
  double inner = 0;
  for (int k = m->start ? m->start[i] : 0; m->start && k < m->start[i + 1]; k++)
    inner += m->column[k] == p->first + i ? m->value[k] : -fabs(m->value[k]);
  return inner;
}

/* Whether the iteration contracts, by a bound that uses only the diagonal dominance of M and A. All springs must be
 * anchors. */
static bool contracts_sparse(const Springs *s, OperatorSum step, double rest) {
  const SimProblem *p = s->problem;
  double mass = operator_weight(step, OPERATOR_MASS), own = operator_weight(step, OPERATOR_STIFFNESS), fails = 0;
  for (int i = 0; i < p->count; i++) {
    double heavy = inner_of(p, &p->system.sparse.mass, i), stiff = inner_of(p, &p->system.sparse.stiffness, i);
    double inner = mass * heavy + own * stiff;
    if (!(inner * ROUND_LEAVES > rest * mass * s->spread[SIM_ANCHORS][0])) fails = 1;
  }
  sim_group_max(p->group, &fails, 1);
  return !(fails > 0);
}

SimStatus springs_contract(const Springs *s, OperatorSum step, double rest, bool *contracts) {
  if (operator_array_size(s->problem)) return contracts_dense(s, step, rest, contracts);
  *contracts = contracts_sparse(s, step, rest);
  return SIM_OK;
}
