/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings for tests: a plucked string of unit length, with sparse rows or as dense matrices. */
#ifndef TESTS_STRING_H
#define TESTS_STRING_H

#include "sim/parameter.h"
#include "tests/fixture.h"

/* Parameters of a string; SI units. */
typedef struct StringCase {
  int d;
  double end;
  long steps;
  const char *scheme;
  SimMultiplier multiplier;
  SimSolver solver;
  double friction; /* friction per length of a string with unit tension and density; it is multiplied by (1 + s) */
  double pluck;    /* height of x0 at s = 0.3 */
  double force;    /* amplitude of the force per length; it is multiplied by (1 - s) cos 3t */
  bool uneven;     /* whether tension and density vary along the string */
  double damping;  /* D = damping M + damping^2 A */
  SimStribeck stribeck;
} StringCase;

static inline double string_node(const StringCase *c, double row) { return (row + 1) / (c->d + 1.0); }
static inline double string_shape(double s) { return s < 0.3 ? s / 0.3 : (1 - s) / 0.7; }

typedef struct StringLoad {
  const StringCase *c;
  int first, count;
} StringLoad;

static inline void string_force(void *context, double t, double *f) {
  const StringLoad *l = context;
  double h = 1 / (l->c->d + 1.0);
  for (int i = 0; i < l->count; i++) f[i] = l->c->force * (1 - string_node(l->c, l->first + i)) * cos(3 * t) * h;
}

static inline void string_damp(SimProblem *p, double damping) {
  SimMatrix *d = &p->system.sparse.damping;
  const SimMatrix *a = &p->system.sparse.stiffness;
  long entries = a->start[p->count];
  assert_int_equal(sim_matrix_alloc(d, p->count, entries), SIM_OK);
  memcpy(d->start, a->start, ((size_t)p->count + 1) * sizeof(int));
  memcpy(d->column, a->column, (size_t)entries * sizeof(int));
  for (int i = 0; i < p->count; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      d->value[k] = damping * damping * a->value[k] +
                    (a->column[k] == p->first + i ? damping * p->system.sparse.mass.value[i] : 0);
}

static inline void string_common(SimProblem *p, const StringCase *c, int first, int count) {
  p->system.stribeck = c->stribeck;
  for (int i = 0; i < count; i++) {
    p->system.stribeck_beta[i] = 0.3 + 0.4 * string_node(c, first + i);
    p->system.stribeck_epsilon[i] = 0.05;
  }
  for (int i = 0; i < count; i++) p->x0[i] = c->pluck * string_shape(string_node(c, first + i));
  fixture_time(p, c->end, c->steps);
  fixture_scheme(p, c->scheme);
  sim_problem_set(p, "multiplier", c->multiplier);
  sim_problem_set(p, "solver", c->solver);
  sim_problem_set(p, "tolerance", 1e-14);
}

/* Makes the rows first .. first + count - 1 of a string. load must outlive the problem. */
static inline void string_problem(SimProblem *p, const StringCase *c, SimGroup *group, int first, int count,
                                  StringLoad *load) {
  double *density = calloc((size_t)count, sizeof(double)), *tension = calloc((size_t)count + 1, sizeof(double));
  double *friction = calloc((size_t)count, sizeof(double));
  assert_int_equal(sim_problem_init_sparse(p, group, c->d, first, count, 1), SIM_OK);
  for (int i = 0; i <= count; i++) {
    double s = string_node(c, first + i);
    tension[i] = c->uneven ? 1 + 0.5 * string_node(c, first + i - 0.5) : 1;
    if (i == count) break;
    density[i] = c->uneven ? 2 - s : 1;
    friction[i] = c->friction * (1 + s);
    p->control_matrix[i] = exp(-20 * (s - 0.5) * (s - 0.5)) / (c->d + 1.0);
  }
  assert_int_equal(sim_string_fill(p, 1, density, tension, friction), SIM_OK);
  if (c->damping > 0) string_damp(p, c->damping);
  string_common(p, c, first, count);
  *load = (StringLoad){c, first, count};
  if (c->force != 0) p->load = (SimLoad){.context = load, .at = string_force};
  free(density);
  free(tension);
  free(friction);
}

static inline void string_scatter(const SimMatrix *m, int d, double *dense) {
  for (int i = 0; m->start && i < d; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) dense[i * d + m->column[k]] = m->value[k];
}

/* Makes a dense friction model of a sparse one, which is on one rank. */
static inline void string_dense(SimProblem *p, const SimProblem *sparse) {
  int d = sparse->d;
  size_t size = (size_t)d * sizeof(double);
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, sparse->n_control), SIM_OK);
  string_scatter(&sparse->system.sparse.mass, d, p->system.mass);
  string_scatter(&sparse->system.sparse.stiffness, d, p->system.stiffness);
  string_scatter(&sparse->system.sparse.damping, d, p->system.damping);
  memcpy(p->friction, sparse->friction, size);
  p->system.stribeck = sparse->system.stribeck;
  memcpy(p->system.stribeck_beta, sparse->system.stribeck_beta, size);
  memcpy(p->system.stribeck_epsilon, sparse->system.stribeck_epsilon, size);
  memcpy(p->x0, sparse->x0, size);
  memcpy(p->v0, sparse->v0, size);
  memcpy(p->control_matrix, sparse->control_matrix, size * (size_t)sparse->n_control);
  fixture_time(p, sparse->end, sparse->steps);
  fixture_scheme(p, sim_scheme_name(sparse->scheme));
  for (const SimParameter *row = sim_scheme_parameters(p->scheme); row->key; row++)
    sim_problem_set(p, row->key, sim_problem_get(sparse, row->key));
}

/* Checks the problem, sets r and epsilon, and creates model and workspace. Collective over the problem's group. */
static inline SimModel *string_model(SimProblem *p, SimWorkspace **work) {
  const SimReport report = {NULL, fixture_complain};
  SimModel *model;
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, work), SIM_OK);
  return model;
}

#endif
