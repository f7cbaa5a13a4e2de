/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares batches of motions by every kernel with those by the kernel `ref`, bit for bit, and makes random problems
 * for this. */
#ifndef TESTS_BATCH_H
#define TESTS_BATCH_H

#include "tests/fixture.h"

enum { D_MAX = 10, N_MAX = 70 };

typedef struct Batch {
  double u[N_MAX][D_MAX], x[N_MAX][D_MAX], v[N_MAX][D_MAX];
  SimFinal final[N_MAX];
} Batch;

static inline void batch_run(const SimModel *model, SimWorkspace *work, int kernel, int n, Batch *batch) {
  double packed[N_MAX * D_MAX];
  int p = stiction_model_controls(model);
  for (int i = 0; i < n; i++) {
    memcpy(packed + i * p, batch->u[i], (size_t)p * sizeof(double));
    batch->final[i] = (SimFinal){.x = batch->x[i], .v = batch->v[i]};
  }
  sim_workspace_set_kernel(work, kernel);
  stiction_batch(model, work, n, packed, batch->final);
}

static inline void assert_same(const SimModel *model, const Batch *a, int i, const Batch *b, int k) {
  size_t size = (size_t)stiction_model_size(model) * sizeof(double);
  assert_int_equal(a->final[i].status, b->final[k].status);
  assert_int_equal(a->final[i].iterations, b->final[k].iterations);
  assert_int_equal(a->final[i].impacts, b->final[k].impacts);
  assert_int_equal(a->final[i].settled, b->final[k].settled);
  assert_memory_equal(&a->final[i].residual, &b->final[k].residual, sizeof(double));
  if (a->final[i].status == SIM_NON_FINITE) return; /* NaN has many bit patterns */
  assert_memory_equal(a->x[i], b->x[k], size);
  assert_memory_equal(a->v[i], b->v[k], size);
}

/* Runs n controls with `ref` and with every other kernel. serve: whether the other kernels must evaluate the model in
 * vector lanes; otherwise they may leave it to `ref`. */
static inline void compare(const SimModel *model, SimWorkspace *work, int n, bool serve, Batch *ref) {
  static Batch wide;
  memcpy(wide.u, ref->u, sizeof wide.u);
  batch_run(model, work, 0, n, ref);
  for (int k = 1; sim_kernel_name(k); k++) {
    if (!sim_kernel_runs(k)) continue;
    batch_run(model, work, k, n, &wide);
    assert_string_equal(sim_batch_kernel(model, work), sim_kernel_name(serve ? k : 0));
    for (int i = 0; i < n; i++) assert_same(model, ref, i, &wide, i);
  }
}

static inline void randomise(Batch *batch, double size, uint64_t *seed) {
  for (int i = 0; i < N_MAX; i++)
    for (int j = 0; j < D_MAX; j++) batch->u[i][j] = size * fixture_random(seed);
}

/* Makes the matrix G G'/d + shift I with random G. */
static inline void random_matrix(int d, double shift, double *a, uint64_t *seed) {
  double g[D_MAX * D_MAX];
  for (int i = 0; i < d * d; i++) g[i] = fixture_random(seed);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      a[i * d + j] = i == j ? shift : 0;
      for (int k = 0; k < d; k++) a[i * d + j] += g[i * d + k] * g[j * d + k] / d;
    }
}

typedef struct Trial {
  const char *scheme;
  SimMultiplier multiplier;
  SimSolver solver;
  bool full_mass, damped, eigen;
  SimStribeck stribeck;
  bool exact; /* no law has general exponents, as kernels compute such powers with different round-off */
} Trial;

static inline void random_problem(SimProblem *p, int d, const Trial *trial, uint64_t *seed) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, d), SIM_OK);
  random_matrix(d, 1, p->system.stiffness, seed);
  for (int i = 0; i < d * d; i++) p->system.stiffness[i] *= 4;
  if (trial->full_mass)
    random_matrix(d, 0.3, p->system.mass, seed); /* coupling is strong, so that lanes sometimes continue in the
                                                  * scalar solver */
  for (int i = 0; i < d; i++) {
    if (!trial->full_mass) p->system.mass[i * d + i] = 1.5 + fixture_random(seed);
    if (trial->damped) p->system.damping[i * d + i] = 0.2;
    p->friction[i] = i % 4 == 3 ? 0 : 1.2 + fixture_random(seed);
    p->x0[i] = fixture_random(seed);
    p->v0[i] = i % 3 == 1 ? 0 : fixture_random(seed);
    p->system.stribeck_beta[i] = 0.3;
    p->system.stribeck_epsilon[i] = 0.1;
    p->friction_bias[i] = p->friction[i] * fixture_random(seed);
  }
  p->by_direction = d % 2;
  p->system.stribeck = trial->stribeck;
  if (trial->stribeck == SIM_STRIBECK_TABLE) fixture_table(p);
  if (trial->stribeck == SIM_STRIBECK_EXPONENTIAL)
    p->system.stribeck_exponent = d % 3 == 0 && !trial->exact ? 1.7 : d % 3;
  fixture_time(p, 1, 60);
  fixture_scheme(p, trial->scheme);
  sim_problem_set(p, "multiplier", trial->multiplier);
  sim_problem_set(p, "solver", trial->solver);
  sim_problem_set(p, "tolerance", 1e-9);
  sim_problem_set(p, "eta", 1e-3);
  sim_problem_set(p, "alpha", 0.25);
  sim_problem_set(p, "friction_substeps", 3);
  sim_problem_set(p, "elastic_substeps", 4);
  sim_problem_set(p, "elastic", trial->eigen);
}

/* Ignores errors; the caller handles them. */
static inline void refuse(void *context, const char *key, const char *text) {
  (void)context;
  (void)key;
  (void)text;
}

#endif
