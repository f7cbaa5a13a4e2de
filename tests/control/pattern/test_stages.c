/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares quadratic problems that are solved in stages with the same problems as a whole. Random ones satisfy the
 * conditions of a minimum, which are computed here from the control alone. */
#include "control/pattern/stages.h"
#include "tests/fixture.h"

enum { STAGES = 6, W = 3, U = 2, Z = W + U, N = STAGES * U, PROBLEMS = 200 };

typedef struct Made {
  Stages stages;
  double F[STAGES][W * Z];
} Made;

static void make(Made *made, uint64_t *seed, int equalities, int rows) {
  Stages *s = &made->stages;
  assert_true(stages_init(s, STAGES, W, U, STAGES * 4 + 4));
  for (int k = 0; k < STAGES; k++) {
    for (int i = 0; i < W * Z; i++) made->F[k][i] = 0.6 * fixture_random(seed);
    for (int i = 0; i < W; i++) s->g[k * W + i] = 0.3 * fixture_random(seed);
    s->F[k] = made->F[k];
  }
  for (int i = 0; i < W; i++) s->start[i] = fixture_random(seed);
  for (int i = 0; i < U; i++) s->H[(W + i) * Z + W + i] = 1.5 + fixture_random(seed);
  for (int k = 0; k <= STAGES; k++) {
    for (int r = 0; r < rows; r++) {
      double *a = stages_add_row(s, k, -0.8, r % 2 ? INFINITY : 0.8);
      for (int i = 0; i < (k < STAGES ? Z : W); i++) a[i] = fixture_random(seed);
    }
    for (int r = 0; r < equalities && k == STAGES; r++) stages_add_row(s, k, 0.1 * r, 0.1 * r)[r] = 1;
  }
}

/* Returns the value of row r for another control. */
static double value_of(const Stages *s, int r, const double *control) {
  double w[W], next[W];
  memcpy(w, s->start, sizeof w);
  for (int k = 0;; k++) {
    if (k == s->row[r].stage) break;
    for (int i = 0; i < W; i++) {
      next[i] = s->g[k * W + i];
      for (int j = 0; j < W; j++) next[i] += s->F[k][i * Z + j] * w[j];
      for (int j = 0; j < U; j++) next[i] += s->F[k][i * Z + W + j] * control[k * U + j];
    }
    memcpy(w, next, sizeof w);
  }
  const double *a = s->a + r * Z;
  double sum = 0;
  for (int j = 0; j < W; j++) sum += a[j] * w[j];
  for (int j = 0; j < U && s->row[r].stage < STAGES; j++) sum += a[W + j] * control[s->row[r].stage * U + j];
  return sum;
}

static double cost_of(const Stages *s, const double *control) {
  double sum = 0;
  for (int k = 0; k < N; k++) sum += s->H[(W + k % U) * Z + W + k % U] * control[k] * control[k] / 2;
  return sum;
}

/* Returns whether all rows hold up to a slack. */
static bool holds(const Stages *s, const double *control, double slack) {
  for (int r = 0; r < s->n_rows; r++) {
    double value = value_of(s, r, control);
    if (value > s->row[r].upper + slack || value < s->row[r].lower - slack) return false;
  }
  return true;
}

/* No small step within all rows reduces the cost. Steps go towards random feasible controls, which the same solver
 * finds with another cost. For a convex problem this proves the minimum. */
static void none_is_better(void **state) {
  uint64_t seed = 5;
  int solved = 0;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    Made made;
    make(&made, &seed, k % 3, 1 + k % 2);
    Stages *s = &made.stages;
    double J = stages_solve(s, INFINITY), control[N], step[N], H[Z * Z];
    if (!isfinite(J)) {
      stages_clear(s);
      continue;
    }
    solved++;
    memcpy(control, s->control, sizeof control);
    assert_true(holds(s, control, 1e-6));
    assert_true(fabs(cost_of(s, control) - J) <= 1e-9 * (1 + J));
    memcpy(H, s->H, sizeof H);
    for (int other = 0; other < 8; other++) {
      for (int i = 0; i < U; i++) s->H[(W + i) * Z + W + i] = 0.05 + (other + 1) * fabs(fixture_random(&seed));
      assert_true(isfinite(stages_solve(s, INFINITY)));
      memcpy(s->H, H, sizeof H);
      for (int i = 0; i < N; i++) step[i] = control[i] + 1e-2 * (s->control[i] - control[i]);
      assert_true(holds(s, step, 1e-6));
      assert_true(cost_of(s, step) >= J * (1 - 1e-7) - 1e-9);
    }
    stages_clear(s);
  }
  assert_true(solved > PROBLEMS / 4);
}

/* Without active rows the answer is 0. With one equality it is a projection. */
static void exact_answers(void **state) {
  uint64_t seed = 11;
  Made made;
  (void)state;
  make(&made, &seed, 0, 0);
  assert_true(stages_solve(&made.stages, INFINITY) <= 1e-12);
  stages_clear(&made.stages);
  make(&made, &seed, 1, 0);
  Stages *s = &made.stages;
  double zero[N] = {0}, unit[N], row[N], size = 0, at_zero = value_of(s, 0, zero);
  for (int k = 0; k < N; k++) {
    memset(unit, 0, sizeof unit);
    unit[k] = 1;
    row[k] = value_of(s, 0, unit) - at_zero;
    size += row[k] * row[k] / s->H[(W + k % U) * Z + W + k % U];
  }
  double J = stages_solve(s, INFINITY); /* at_zero^2 / (2 a'H^-1 a) */
  assert_true(fabs(J - at_zero * at_zero / size / 2) <= 1e-9 * J);
  stages_clear(s);
}

/* Rows, or equalities, that contradict each other are recognised. */
static void contradictions(void **state) {
  uint64_t seed = 3;
  Made made;
  (void)state;
  make(&made, &seed, 2, 1);
  Stages *s = &made.stages;
  stages_add_row(s, STAGES, 5, 6)[0] = 1; /* the equality requires 0, so this contradicts it */
  assert_true(isinf(stages_solve(s, INFINITY)));
  s->n_rows--;
  stages_add_row(s, STAGES, 1, 1)[0] = 1;
  assert_true(isinf(stages_solve(s, INFINITY)));
  stages_clear(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(none_is_better), cmocka_unit_test(exact_answers),
                                     cmocka_unit_test(contradictions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
