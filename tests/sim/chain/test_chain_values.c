/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the schemes of a chain with three and five nodes, step by step, with a direct implementation of the same
 * formulas. It has full matrices, and projects by trying every sign of slip. */
#include "tests/sim/chain/chain.h"
#include "tests/sim/chain/chain_branches.h"

enum { N = 5, STEPS = 400 };

static const double springs[N + 1] = {3, 1, 2, 0.5, 4, 2}, thresholds[N] = {0.2, 0.35, 0.5, 0.3, 0.4};
static const double amplitude[N + 1] = {1.4, -0.9, 1.2, 0.6, -0.7, 1.3}, omega[N + 1] = {1, 1.7, 0.6, 2.1, 1.3, 0.9};
static const double masses[N] = {1, 1.5, 0.8, 2, 1.2}, push[N] = {0.2, -0.1, 0.15, 0, 0.1};

/* State of a chain in which massless nodes come first, up to node q. */
typedef struct Plain {
  const SimProblem *p;
  int n, q;
  double k[N + 1], x[N], v[N], g[N], lambda[N];
} Plain;

static Plain plain_start(const SimProblem *p) {
  Plain s = {.p = p, .n = p->d};
  memcpy(s.k, p->chain.springs, ((size_t)p->d + 1) * sizeof(double));
  if (p->chain.end == SIM_END_FREE) s.k[s.n] = 0;
  while (s.q < s.n && p->chain.node_mass[s.q] == 0) s.q++;
  memcpy(s.x, p->x0, (size_t)s.n * sizeof(double));
  memcpy(s.v, p->v0, (size_t)s.n * sizeof(double));
  for (int i = 0; i < s.q; i++) s.g[i] = chain_exact_pull(s.n, s.k, s.x, i) - p->force[i] - push[i];
  return s;
}

/* Computes W+ = soft(W + h (F - K V)/m, h alpha/m) for the nodes with mass, where soft(a, b) moves a towards 0 by at
 * most b. */
static void plain_kick(Plain *s, const double *force) {
  double h = s->p->step, next[N];
  for (int i = s->q; i < s->n; i++) {
    double m = s->p->chain.node_mass[i];
    double w = s->v[i] + h * (force[i] + push[i] - chain_exact_pull(s->n, s->k, s->x, i)) / m;
    double most = h * s->p->friction[i] / m;
    next[i] = w > most ? w - most : w < -most ? w + most : 0;
    s->lambda[i] = w > most ? 1 : w < -most ? -1 : w / most;
  }
  for (int i = s->q; i < s->n; i++) s->v[i] = next[i];
}

/* Computes G+ = Proj(z), and d, the resulting displacement of massless nodes. */
static void plain_slide(Plain *s, const double *z, double *d) {
  assert_true(branches_project(s->q, s->k, s->p->friction, z, d) < 1e-12);
  for (int i = 0; i < s->q; i++) {
    s->g[i] = z[i] + chain_exact_pull(s->q, s->k, d, i);
    s->lambda[i] = -s->g[i] / s->p->friction[i];
    s->v[i] = d[i] / s->p->step;
  }
}

/* Makes a step by (5.1), (5.2) of the paper; then V = K^-1 (G + F), dense. */
static void plain_implicit_euler(Plain *s, long step) {
  const double *before = s->p->force + (step - 1) * s->n, *now = before + s->n;
  const double *rate = s->p->chain.force_rate ? s->p->chain.force_rate + (step - 1) * s->n : NULL;
  double h = s->p->step, z[N], d[N], b[N], v[N];
  bool loose[N];
  memcpy(v, s->v, sizeof v);
  for (int i = 0; i < s->q; i++)
    z[i] = s->g[i] - h * (rate[i] + (i == s->n - 2 && s->q < s->n ? s->k[i + 1] * v[i + 1] : 0));
  plain_kick(s, before);
  for (int i = s->q; i < s->n; i++) s->x[i] += h * v[i];
  if (s->q == 0) return;
  plain_slide(s, z, d);
  for (int i = 0; i < s->n; i++) {
    loose[i] = i < s->q;
    b[i] = s->g[i] + now[i] + push[i];
  }
  chain_exact_solve(s->n, s->k, loose, b, s->x);
}

/* Makes a step of the scheme `symplectic` with masses, and of `increment` without. */
static void plain_increment(Plain *s, long step) {
  const double *before = s->p->force + (step - 1) * s->n, *now = before + s->n;
  double h = s->p->step, z[N], d[N];
  plain_kick(s, before);
  for (int i = s->q; i < s->n; i++) s->x[i] += h * s->v[i];
  if (s->q == 0) return;
  for (int i = 0; i < s->q; i++) z[i] = s->g[i] - (now[i] - before[i]);
  if (s->q < s->n) z[s->q - 1] -= s->k[s->q] * h * s->v[s->q];
  plain_slide(s, z, d);
  for (int i = 0; i < s->q; i++) s->x[i] += d[i];
}

typedef struct Watch {
  Plain plain;
  bool paper;
  double worst, worst_lambda; /* largest errors of x, v (worst) and of lambda, which for a sticking node has
                               * round-off relative to h alpha */
  int changes, moved[N];      /* changes: how often slip starts or ends; moved: whether each node has slipped */
  signed char slip[N];
} Watch;

static void see(void *context, const SimStep *step) {
  Watch *w = context;
  Plain *s = &w->plain;
  if (step->n > 0) (w->paper ? plain_implicit_euler : plain_increment)(s, step->n);
  for (int i = 0; i < s->n; i++) {
    w->worst = fixture_max(w->worst, fabs(step->x[i] - s->x[i]));
    w->worst = fixture_max(w->worst, fabs(step->v[i] - s->v[i]));
    if (step->n > 0) w->worst_lambda = fixture_max(w->worst_lambda, fabs(step->lambda[i] - s->lambda[i]));
    w->changes += step->slip[i] != w->slip[i];
    w->moved[i] |= step->slip[i] != 0;
    w->slip[i] = step->slip[i];
  }
}

static void pose(SimProblem *p, int n, SimChainCase chain_case, SimChainEnd end, const char *scheme) {
  chain_init(p, n, chain_case, end, scheme);
  memcpy(p->chain.springs, springs, ((size_t)n + 1) * sizeof(double));
  memcpy(p->friction, thresholds, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) p->chain.node_mass[i] *= masses[i];
  if (chain_case != SIM_CHAIN_QUASISTATIC) p->v0[n - 1] = -0.6;
  if (chain_case == SIM_CHAIN_DYNAMICAL) p->v0[0] = 0.8;
  fixture_time(p, 12, STEPS);
  assert_int_equal(sim_problem_alloc_force(p), SIM_OK);
  for (int i = 0; i < n; i++) chain_add_force(p, i, amplitude[i], omega[i]);
  chain_add_end(p, amplitude[n], omega[n]);
}

static void plain_formulae(void **state) {
  (void)state;
  for (int k = 0; k < 2 * 3 * 3 * 2; k++) {
    int n = k % 2 ? 5 : 3;
    SimChainEnd end = (SimChainEnd)(k / 2 % 3);
    SimChainCase chain_case = (SimChainCase)(k / 6 % 3);
    bool paper = k / 18;
    const char *scheme = paper ? "implicit_euler" : chain_case == SIM_CHAIN_QUASISTATIC ? "increment" : "symplectic";
    SimProblem p, plain;
    double x[N], v[N];
    pose(&p, n, chain_case, end, scheme);
    pose(&plain, n, chain_case, end, scheme);
    Watch w = {.plain = plain_start(&plain), .paper = paper};
    chain_run(&p, push, &(SimObserver){.context = &w, .step = see}, x, v);
    sim_problem_clear(&plain);
    if (!(w.worst < 1e-12 && w.worst_lambda < 5e-12))
      fail_msg("%s, %d nodes, case %d, end %d: off by %g, lambda by %g", scheme, n, chain_case, end, w.worst,
               w.worst_lambda);
    for (int i = 0; i < n; i++) assert_true(w.moved[i]);
    assert_true(w.changes > 2 * n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_formulae),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
