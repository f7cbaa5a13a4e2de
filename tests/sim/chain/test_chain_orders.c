/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the schemes of a chain with its exact motion: orders of convergence over the whole motion. */
#include "src/study/orders.h"
#include "tests/sim/chain/study.h"

/* Errors: X and V, sqrt(h sum |q^n - q(t_n)|^2) for x and for v of nodes with mass; LAMBDA and SLIDE, h sum |.|_1 for
 * lambda and for velocities of massless nodes, which jump. */
enum { X, V, LAMBDA, SLIDE, QUANTITIES };
static const char *const quantities[] = {"x", "v", "lambda", "massless v"};

typedef struct Errors {
  ChainExact exact;
  double step, sum[QUANTITIES];
} Errors;

static void compare(void *context, const SimStep *step) {
  Errors *e = context;
  ChainExact *now = &e->exact;
  if (step->n == 0) return;
  chain_exact_to(now, step->t);
  for (int i = 0; i < now->n; i++) {
    double velocity = fabs(step->v[i] - now->v[i]);
    e->sum[X] += e->step * pow(step->x[i] - now->x[i], 2);
    e->sum[V] += now->mass[i] > 0 ? e->step * velocity * velocity : 0;
    e->sum[SLIDE] += now->mass[i] > 0 ? 0 : e->step * velocity;
    e->sum[LAMBDA] += e->step * fabs(step->lambda[i] - chain_exact_lambda(now, i));
  }
}

static Errors errors(const Study *s, const char *scheme, long steps) {
  SimProblem p;
  double x[EXACT_NODES], v[EXACT_NODES];
  study_pose(&p, s, scheme, steps);
  Errors e = {.exact = chain_exact_start(&p, s->amplitude, s->omega), .step = p.step};
  chain_run(&p, NULL, &(SimObserver){.context = &e, .step = compare}, x, v);
  return e;
}

typedef struct Convergence {
  const Study *study;
  const char *scheme;
} Convergence;

static int norms(void *context, long steps, double *error) {
  const Convergence *c = context;
  Errors e = errors(c->study, c->scheme, steps);
  for (int q = 0; q < QUANTITIES; q++) error[q] = q == X || q == V ? sqrt(e.sum[q]) : e.sum[q];
  return 0;
}

/* On the grid, slip starts and ends a fraction of a step late. For `symplectic` this fraction is most of the error in
 * x: its positions are those of the leapfrog method, of second order except at these times. So error/h varies between
 * 0.15 and 0.8 without a trend, and several grids are needed. Its velocities are also half a step late. */
static void orders(const char *name, const Study *s, const char *scheme, int grids, double least, double most) {
  Convergence c = {s, scheme};
  OrderResult r;
  order_measure(&(OrderStudy){norms, &c, QUANTITIES, 640, 4, grids, 1}, &r);
  print_message("%-13s n = %d %-14s", name, s->n, scheme);
  for (int q = 0; q < QUANTITIES; q++) {
    if (q == V && s->chain_case == SIM_CHAIN_QUASISTATIC) continue;
    if (q == SLIDE && s->chain_case == SIM_CHAIN_DYNAMICAL) continue;
    print_message("  %s %.1e order %.3f", quantities[q], r.finest[q], r.order[q]);
    /* the velocity in the output is d/h, the mean over the step that ends */
    double low = q == SLIDE ? 0.9 : least, high = q == SLIDE ? 1.1 : most;
    if (!(r.order[q] >= low && r.order[q] <= high)) fail_msg("expected %g to %g", low, high);
  }
  print_message("\n");
}

static void every_scheme(const char *name, const Study *s) {
  orders(name, s, "implicit_euler", 1, 0.9, 1.1);
  if (s->chain_case == SIM_CHAIN_QUASISTATIC)
    orders(name, s, "increment", 12, 1.8, 2.2);
  else
    orders(name, s, "symplectic", 12, 0.9, 1.1);
}

static void two_nodes(void **state) {
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    Study s = study_of(&chain_reference[c]);
    every_scheme(chain_reference[c].name, &s);
  }
}

/* With masses, loads have different phases. Without masses all act in the same direction at the same time;
 * loads_against_each_other shows why. */
static void more_nodes(void **state) {
  (void)state;
  for (int c = SIM_CHAIN_DYNAMICAL; c <= SIM_CHAIN_QUASISTATIC; c++) {
    Study s[] = {larger_study((SimChainCase)c, 0), larger_study((SimChainCase)c, 1)};
    for (int k = 0; k < 2; k++) {
      for (int i = 0; c == SIM_CHAIN_QUASISTATIC && i <= s[k].n; i++) {
        s[k].amplitude[i] = fabs(s[k].amplitude[i]) * (k == 0 && i == s[k].n ? -1 : 1);
        s[k].omega[i] = 1;
      }
      every_scheme(k ? "displaced" : "free", &s[k]);
    }
  }
}

/* A node that begins to slip may stop another one that moves in the opposite direction. The velocity of the latter
 * jumps: on the grid it moves until the end of the step, or stops at its beginning, and `increment` is of first
 * order. */
static void loads_against_each_other(void **state) {
  (void)state;
  const Study s = {3,   SIM_CHAIN_QUASISTATIC, SIM_END_FREE,    12, {2, 1, 3, 1}, {0.4, 0.3, 0.5},
                   {0}, {1.2, 0, -0.9, 0.8},   {1, 0, 1.3, 0.7}};
  orders("opposed", &s, "increment", 12, 0.9, 1.1);
  orders("opposed", &s, "implicit_euler", 1, 0.9, 1.1);
}

/* With the paper's step, the errors of the velocity-first scheme are several times smaller. */
static void symplectic_is_better(void **state) {
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    const ChainReference *r = &chain_reference[c];
    Study s = study_of(r);
    if (r->chain_case == SIM_CHAIN_QUASISTATIC) continue;
    Errors paper = errors(&s, "implicit_euler", 2000), symplectic = errors(&s, "symplectic", 2000);
    for (int q = X; q <= V; q++) {
      double gain = sqrt(paper.sum[q] / symplectic.sum[q]);
      if (!(gain > (r->chain_case == SIM_CHAIN_DYNAMICAL ? 3 : 2)))
        fail_msg("%s: errors in %s only %g times smaller", r->name, quantities[q], gain);
    }
  }
}

/* The reference motion for errors agrees with the reference values, and has many branches. */
static void exact_motion(void **state) {
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    const ChainReference *r = &chain_reference[c];
    Study s = study_of(r);
    SimProblem p;
    study_pose(&p, &s, "implicit_euler", 1);
    ChainExact e = chain_exact_start(&p, s.amplitude, s.omega);
    sim_problem_clear(&p);
    for (int k = 1; k < CHAIN_SAMPLES; k++) {
      chain_exact_to(&e, r->time * k / (CHAIN_SAMPLES - 1));
      for (int i = 0; i < 2; i++) {
        assert_true(fabs(e.x[i] - r->exact[k][i]) < 1e-10);
        if (r->mass[i] > 0) assert_true(fabs(e.v[i] - r->exact[k][2 + i]) < 1e-10);
      }
    }
    assert_true(e.events > 10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_motion),
      cmocka_unit_test(two_nodes),
      cmocka_unit_test(more_nodes),
      cmocka_unit_test(symplectic_is_better),
      cmocka_unit_test(loads_against_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
