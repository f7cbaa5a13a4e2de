/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/splitting/maps.h"

#include "sim/joint/springs.h"
#include "sim/operator/columns.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Computes the matrices of the exact elastic step, by applying the step to unit vectors. */
static void find_exact(SplittingMaps *m, const ElasticStep *step, bool backward) {
  int d = step->d;
  double *end[2] = {m->right, m->change};
  const ElasticRows at = {lane_rows(end[0]), lane_rows(end[1]), lane_rows(m->spare), lane_rows(m->spare + d)};
  for (int from = 0; from < 2; from++)
    for (int j = 0; j < d; j++) {
      memset(end[0], 0, (size_t)d * sizeof *end[0]);
      memset(end[1], 0, (size_t)d * sizeof *end[1]);
      end[from][j] = 1;
      elastic_exact(d, step, at);
      for (int to = 0; to < 2; to++)
        for (int i = 0; i < d; i++)
          *(backward ? m->exact[from][to] + j * d + i : m->exact[to][from] + i * d + j) = end[to][i];
    }
}

SimStatus splitting_maps_init(SplittingMaps *m, const SimModel *model, int width, bool backward) {
  const SplittingPlan *plan = model->plan;
  const ElasticStep *elastic = &plan->elastic;
  const double *damping = model->problem.system.damping;
  size_t d = (size_t)model->problem.d, square = d * d, block = d * (size_t)width;
  *m = (SplittingMaps){.model = model, .mass = {.dense = plan->friction.solver}, .balance = plan->massless.solver};
  double *next = m->room = calloc(4 * square + 4 * block, sizeof *next);
  if (!next) return SIM_NO_MEMORY;
  m->right = next;
  m->change = next += block;
  m->spare = next += block;
  m->mean = next += block;
  m->damping = m->exact[0][0] = next += block;
  m->inverse = m->exact[0][1] = next += square;
  m->exact[1][0] = next += square;
  m->exact[1][1] = next + square;
  if (elastic->substeps == 0) {
    find_exact(m, elastic, backward);
  } else if (backward) {
    dense_transpose((int)d, damping, m->damping);
    dense_transpose((int)d, elastic->inverse, m->inverse);
  } else {
    memcpy(m->damping, damping, square * sizeof *damping);
    memcpy(m->inverse, elastic->inverse, square * sizeof *damping);
  }
  SimStatus status = friction_branches_init(&m->mass, &m->branches);
  if (status == SIM_OK) status = friction_branches_init(&m->balance, &m->balanced);
  m->balanced.transposed = backward;
  return status;
}

void splitting_maps_clear(SplittingMaps *m) {
  friction_branches_clear(&m->branches);
  friction_branches_clear(&m->balanced);
  free(m->room);
}

SimStatus splitting_solve_friction(SplittingMaps *m, const FrictionTrace *f, int n, int width, double *y) {
  const SplittingPlan *plan = m->model->plan;
  const DenseSolver *s = &plan->friction.solver;
  if (!plan->friction.closed) {
    m->branches.smooth = f->stiffness;
    return friction_branches_solve(&m->mass, NULL, &m->branches, f->slip, n, width, m->right, y);
  }
  for (int i = 0; i < s->d; i++) {
    bool held = !f->stiffness && f->slip[i] == 0 && s->threshold[i] > 0;
    double mobility = held ? 0 : 1 / (s->matrix[i * s->d + i] + (f->stiffness ? f->stiffness[i] : 0));
    double *restrict to = y + (size_t)i * (size_t)width;
    const double *restrict from = m->right + (size_t)i * (size_t)width;
    COLUMNS_EACH(k, n) to[k] = mobility * from[k];
  }
  return SIM_OK;
}

SimStatus splitting_solve_massless(SplittingMaps *m, const FrictionTrace *f, int n, int width, double *y) {
  m->balanced.smooth = f->stiffness;
  return friction_branches_solve(&m->balance, NULL, &m->balanced, f->slip, n, width, m->right, y);
}

void splitting_add_force(const SplittingMaps *m, const ElasticTrace *at, int n, int width, const double *x, double *y) {
  const SimProblem *p = springs_alone(m->model->springs, &m->model->problem);
  columns_multiply_add(p->d, 1, p->system.stiffness, n, width, x, y);
  if (at->springs) springs_add_columns(m->model->springs, at->springs, 1, n, width, x, y);
  for (int i = 0; i < p->d && at->ends; i++)
    if (at->ends[i] != 0) columns_add(n, at->ends[i], x + (size_t)i * (size_t)width, y + (size_t)i * (size_t)width);
}

void splitting_move_exactly(const SplittingMaps *m, int n, int width, double *x, double *v) {
  int d = m->model->problem.d;
  columns_multiply(d, m->exact[0][0], n, width, x, m->right);
  columns_multiply_add(d, 1, m->exact[0][1], n, width, v, m->right);
  columns_multiply(d, m->exact[1][1], n, width, v, m->change);
  columns_multiply_add(d, 1, m->exact[1][0], n, width, x, m->change);
  for (size_t row = 0; row < (size_t)d * (size_t)width; row += (size_t)width) {
    memcpy(x + row, m->right + row, (size_t)n * sizeof *x);
    memcpy(v + row, m->change + row, (size_t)n * sizeof *v);
  }
}

void splitting_move_struck(const ElasticTrace *at, int d, int n, int width, double *x) {
  for (int i = 0; i < d; i++) COLUMNS_EACH(k, n) x[(size_t)i * (size_t)width + (size_t)k] *= at->moved[i];
}

SimStatus splitting_solve_free(SplittingMaps *m, const ElasticTrace *at, int n, int width, const double *x, double *y) {
  const SimProblem *p = &m->model->problem;
  const double *light = ((const SplittingPlan *)m->model->plan)->massless.light;
  FrictionBranches *room = &m->branches;
  int members = 0;
  for (int i = 0; i < p->d; i++)
    if (isnan(at->turned[i]) && !(light && light[i] > 0)) room->members[members++] = i;
  room->known = false;
  if (dense_invert_part(p->d, p->system.mass, members, room->members, room->part, room->inverse))
    return SIM_BAD_PROBLEM;
  columns_multiply(p->d, room->inverse, n, width, x, y);
  return SIM_OK;
}
