/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the projection of a quasistatic chain: comparison with all branches; optimality for any springs and thresholds;
 * symmetry; the variant that always ends; and its cost. */
#include "sim/chain/projection.h"
#include "tests/fixture.h"
#include "tests/sim/chain/chain_branches.h"

#include <float.h>

enum { N_MAX = 2000 };

/* A problem and its answer. */
typedef struct Case {
  int n;
  double *k, *alpha, *z, *d, *g, *scratch;
  signed char *slip;
} Case;

static Case case_create(int n) {
  size_t size = (size_t)n + 1;
  Case c = {.n = n, .k = calloc(7 * size, sizeof(double)), .slip = calloc(size, 1)};
  assert_true(c.k && c.slip);
  c.alpha = c.k + size;
  c.z = c.alpha + size;
  c.d = c.z + size;
  c.g = c.d + size;
  c.scratch = c.g + size;
  return c;
}

static void case_destroy(Case *c) {
  free(c->k);
  free(c->slip);
}

typedef int Project(const ChainProjection *problem, ChainSlide *slide);

static long solve(Case *c, Project *project) {
  ChainProjection problem = {c->n, c->k, c->alpha, c->z};
  ChainSlide slide = {.slip = c->slip, .d = c->d, .g = c->g, .pivot = c->scratch, .carry = c->scratch + c->n};
  assert_int_equal(project(&problem, &slide), 0);
  assert_true(slide.residual < 1e-12);
  return slide.sweeps;
}

/* Returns 10^(spread times a random number in (-1, 1)). */
static double ratio(uint64_t *seed, double spread) { return pow(10, spread * fixture_random(seed)); }

/* Fills springs and thresholds within this many powers of ten around 1. Some thresholds are zero, and each end is free
 * in a third of the cases. */
static void fill(Case *c, uint64_t *seed, double spread) {
  for (int i = 0; i <= c->n; i++) c->k[i] = ratio(seed, spread);
  double loose = fixture_random(seed);
  if (loose < -1. / 3)
    c->k[0] = 0;
  else if (loose > 1. / 3)
    c->k[c->n] = 0;
  double load = ratio(seed, 1);
  for (int i = 0; i < c->n; i++) {
    c->alpha[i] = fixture_random(seed) < -0.7 ? 0 : ratio(seed, spread);
    c->z[i] = load * fixture_random(seed) * (fixture_random(seed) > 0 ? 1 : ratio(seed, spread));
  }
}

/* Fills in random initial branches. */
static void guess(Case *c, uint64_t *seed) {
  for (int i = 0; i < c->n; i++) c->slip[i] = (signed char)(1.5 * fixture_random(seed));
}

/* Checks -G in alpha sgn(d), with G = z + K d, up to the round-off of the terms. */
static void assert_optimal(const Case *c) {
  for (int i = 0; i < c->n; i++) {
    double left = c->k[i] * (c->d[i] - (i ? c->d[i - 1] : 0));
    double right = c->k[i + 1] * ((i + 1 < c->n ? c->d[i + 1] : 0) - c->d[i]);
    double terms = fabs(c->z[i]) + c->alpha[i] + c->k[i] * (fabs(c->d[i]) + (i ? fabs(c->d[i - 1]) : 0)) +
                   c->k[i + 1] * (fabs(c->d[i]) + (i + 1 < c->n ? fabs(c->d[i + 1]) : 0));
    assert_true(fabs(c->z[i] + left - right - c->g[i]) <= 64 * DBL_EPSILON * terms);
    assert_true(fabs(c->g[i]) <= c->alpha[i]);
    assert_int_equal(c->slip[i], (c->d[i] > 0) - (c->d[i] < 0));
    if (c->d[i] != 0) assert_true(c->g[i] == -c->alpha[i] * c->slip[i]);
  }
}

static void all_branches_tried(void **state) {
  (void)state;
  uint64_t seed = 7;
  Project *const ways[] = {chain_project, chain_project_monotone};
  for (int trial = 0; trial < 400; trial++) {
    int n = 1 + trial % EXACT_NODES;
    double found[EXACT_NODES] = {0};
    Case c = case_create(n);
    fill(&c, &seed, 0.7);
    assert_true(branches_project(n, c.k, c.alpha, c.z, found) < 1e-9);
    for (int way = 0; way < 2; way++) {
      guess(&c, &seed);
      solve(&c, ways[way]);
      for (int i = 0; i < n; i++) assert_true(fabs(c.d[i] - found[i]) < 1e-11 * (1 + fabs(found[i])));
      assert_optimal(&c);
    }
    case_destroy(&c);
  }
}

static void optimal_for_any_data(void **state) {
  (void)state;
  uint64_t seed = 3;
  static const double spreads[] = {0.3, 1, 3, 7};
  static const int sizes[] = {1, 2, 3, 10, 50, 300, N_MAX};
  for (int trial = 0; trial < 280; trial++) {
    Case c = case_create(sizes[trial % 7]);
    fill(&c, &seed, spreads[trial / 7 % 4]);
    if (trial % 5 == 0) /* some trials have no friction, or the same threshold everywhere */
      for (int i = 0; i < c.n; i++) c.alpha[i] = trial % 2 ? 0 : c.alpha[0];
    guess(&c, &seed);
    solve(&c, chain_project);
    assert_optimal(&c);
    if (c.n <= 300) {
      guess(&c, &seed);
      solve(&c, chain_project_monotone);
      assert_optimal(&c);
    }
    case_destroy(&c);
  }
}

/* The loads are exactly at the thresholds, or close to them, so that the branches are degenerate. */
static void degenerate_loads(void **state) {
  (void)state;
  Case c = case_create(5);
  for (int i = 0; i <= 5; i++) c.k[i] = 1;
  for (int trial = 0; trial < 243; trial++) {
    for (int i = 0, rest = trial; i < 5; i++, rest /= 3) {
      c.alpha[i] = 0.1;
      c.z[i] = 0.1 * (rest % 3 - 1);
      c.slip[i] = (signed char)(1 - trial % 3);
    }
    solve(&c, chain_project);
    for (int i = 0; i < 5; i++) assert_true(c.d[i] == 0 && c.g[i] == c.z[i]);
    for (int i = 0; i < 5; i++) c.z[i] *= 1 + 1e-9 * (i - 2);
    solve(&c, chain_project);
    assert_optimal(&c);
    for (int i = 0; i < 5; i++) c.slip[i] = (signed char)(trial % 3 - 1);
    solve(&c, chain_project_monotone);
    assert_optimal(&c);
  }
  case_destroy(&c);
}

static void mirrored_bits(void **state) {
  (void)state;
  uint64_t seed = 11;
  Project *const ways[] = {chain_project, chain_project_monotone};
  for (int trial = 0; trial < 100; trial++) {
    Case c = case_create(40), m = case_create(40);
    fill(&c, &seed, 2);
    memcpy(m.k, c.k, 41 * sizeof(double));
    memcpy(m.alpha, c.alpha, 40 * sizeof(double));
    for (int i = 0; i < 40; i++) {
      m.z[i] = -c.z[i];
    }
    for (int way = 0; way < 2; way++) {
      guess(&c, &seed);
      for (int i = 0; i < 40; i++) m.slip[i] = (signed char)-c.slip[i];
      assert_int_equal(solve(&c, ways[way]), solve(&m, ways[way]));
      for (int i = 0; i < 40; i++) assert_true(m.d[i] == -c.d[i] && m.g[i] == -c.g[i] && m.slip[i] == -c.slip[i]);
    }
    case_destroy(&c);
    case_destroy(&m);
  }
}

/* A long chain at rest is pulled at its end until a third of it slips. This takes about as many sweeps as for a short
 * one. */
static void cold_start_of_a_long_chain(void **state) {
  (void)state;
  for (int n = 100; n <= 100000; n *= 1000) {
    Case c = case_create(n);
    for (int i = 0; i < n; i++) {
      c.k[i] = 1000;
      c.alpha[i] = 0.01 * (1 + 0.5 * sin(i));
    }
    for (int pulled = 0; pulled < 2; pulled++) { /* the chain is pulled by a force, or by moving its end */
      c.k[n] = pulled ? 1000 : 0;
      memset(c.slip, 0, (size_t)n);
      c.z[n - 1] = pulled ? -0.002 * (double)n * n / 3 : -0.01 * n / 3;
      assert_true(solve(&c, chain_project) <= 60);
      assert_optimal(&c);
      assert_true(c.d[0] == 0 && c.d[n - 1] > 0);
    }
    case_destroy(&c);
  }
}

static void not_finite(void **state) {
  (void)state;
  double k[2] = {1, 1}, alpha = 1, z = NAN, d, g, scratch[2];
  signed char slip = 0;
  ChainProjection problem = {1, k, &alpha, &z};
  ChainSlide slide = {.slip = &slip, .d = &d, .g = &g, .pivot = scratch, .carry = scratch + 1};
  assert_int_equal(chain_project(&problem, &slide), -1);
  assert_int_equal(chain_project_monotone(&problem, &slide), -1);
  z = 1e308;
  k[0] = k[1] = 1e-10;
  assert_int_equal(chain_project(&problem, &slide), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_branches_tried), cmocka_unit_test(optimal_for_any_data),
      cmocka_unit_test(degenerate_loads),   cmocka_unit_test(mirrored_bits),
      cmocka_unit_test(not_finite),         cmocka_unit_test(cold_start_of_a_long_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
