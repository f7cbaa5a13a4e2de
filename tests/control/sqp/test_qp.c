/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the quadratic problem of a step: its answer satisfies its bounds, and no other feasible point is better. */
#include "control/sqp/qp.h"
#include "tests/fixture.h"

#include <math.h>
#include <string.h>

enum { N_MOST = 24, M_MOST = 6, PROBLEMS = 300, POINTS = 200 };

static double objective(const CtlQp *qp, const double *z) {
  double sum = 0;
  for (int i = 0; i < qp->n; i++) {
    sum -= qp->g[i] * z[i];
    for (int j = i > qp->band ? i - qp->band : 0; j <= i; j++)
      sum += (i == j ? 0.5 : 1) * qp->H[i * (qp->band + 1) + qp->band + j - i] * z[i] * z[j];
  }
  for (int j = 0; j < qp->m; j++) {
    double r = qp->b[j];
    for (int i = 0; i < qp->n; i++) r += qp->rows[j * qp->n + i] * z[i];
    sum += qp->weight[j] * (qp->equality[j] ? fabs(r) : fmax(0, r));
  }
  return sum;
}

static bool is_inside(const CtlQp *qp, const double *z, double slack) {
  for (int i = 0; i < qp->n; i++) {
    double before = i >= qp->apart ? z[i - qp->apart] : 0;
    if (!(z[i] >= qp->lower[i] && z[i] <= qp->upper[i])) return false;
    if (!(fabs(z[i] - before) <= qp->rise[i] + slack)) return false;
  }
  return true;
}

/* Makes a random problem. bounds: 0 for none, 1 for bounds of some variables, 2 for rates as well, 3 for some fixed
 * variables as well. dependent: the last row is the sum of the others. */
static void random_qp(uint64_t *seed, int bounds, bool dependent, CtlQp *qp) {
  int apart = 1 + (int)(1.5 + 1.49 * fixture_random(seed)), n = apart * 4,
      m = dependent ? 3 : 1 + (int)(2.5 + 2.49 * fixture_random(seed));
  assert_true(ctl_qp_init(qp, n, 0, M_MOST, apart, apart));
  qp->m = m;
  for (int i = 0; i < n; i++) {
    double *row = qp->H + i * (qp->band + 1) + qp->band - i;
    for (int j = i > qp->band ? i - qp->band : 0; j < i; j++) row[j] = 0.3 * fixture_random(seed);
    row[i] = 2 + fixture_random(seed);
    qp->g[i] = fixture_random(seed);
    bool some = bounds && fixture_random(seed) > 0;
    qp->lower[i] = some ? -0.5 + 0.4 * fixture_random(seed) : -INFINITY;
    qp->upper[i] = some ? 0.5 + 0.4 * fixture_random(seed) : INFINITY;
    if (bounds == 3 && fixture_random(seed) > 0.6) qp->lower[i] = qp->upper[i] = 0.1 * fixture_random(seed);
    qp->rise[i] = bounds >= 2 && i >= apart ? 0.4 : INFINITY;
    qp->z[i] = fixture_random(seed);
  }
  for (int j = 0; j < m; j++) {
    qp->b[j] = 2 * fixture_random(seed);
    qp->weight[j] = pow(10, 2 * fixture_random(seed) + 1);
    qp->equality[j] = fixture_random(seed) > -0.3;
    for (int i = 0; i < n; i++) {
      qp->rows[j * n + i] = fixture_random(seed);
      if (dependent && j == m - 1) qp->rows[j * n + i] = qp->rows[i] + qp->rows[n + i];
    }
  }
}

/* Makes a random feasible point, segment by segment. Each is as far from the one before as allowed. */
static void random_point(uint64_t *seed, const CtlQp *qp, double *z) {
  for (int i = 0; i < qp->n; i++) {
    double before = i >= qp->apart ? z[i - qp->apart] : 0, most = fmin(qp->rise[i], 3);
    double low = fmax(qp->lower[i], before - most), high = fmin(qp->upper[i], before + most);
    z[i] = low + (high - low) * (1 + fixture_random(seed)) / 2;
  }
}

static void no_point_is_better(void **state) {
  uint64_t seed = 3;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    CtlQp qp;
    double z[N_MOST], other[N_MOST], least;
    random_qp(&seed, k % 4, k % 5 == 0, &qp);
    assert_true(ctl_qp_solve(&qp));
    memcpy(z, qp.z, (size_t)qp.n * sizeof *z);
    assert_true(is_inside(&qp, z, 1e-9));
    least = objective(&qp, z);
    for (int p = 0; p < POINTS; p++) {
      random_point(&seed, &qp, other);
      if (!is_inside(&qp, other, 0))
        continue; /* a fixed variable may be out of reach of the variable before it, as
                                                * their difference is limited */
      double part = p % 2 ? 1e-3 : 1;
      for (int i = 0; i < qp.n; i++) other[i] = z[i] + part * (other[i] - z[i]);
      assert_true(objective(&qp, other) >= least - 1e-9 * (1 + fabs(least)));
    }
    for (int j = 0; j < qp.m; j++) assert_true(fabs(qp.y[j]) <= qp.weight[j] && (qp.equality[j] || qp.y[j] >= 0));
    ctl_qp_clear(&qp);
  }
}

/* The problem with two unknowns and one row has the solution z = (1, 1)/2 with the multiplier y = -1/2. A row that
 * cannot be met is penalised by its weight. */
static void known_answers(void **state) {
  (void)state;
  for (int dear = 0; dear < 2; dear++) {
    CtlQp qp;
    assert_true(ctl_qp_init(&qp, 2, 0, 1, 1, 1));
    for (int i = 0; i < 2; i++) {
      qp.H[i * 2 + 1] = 1;
      qp.lower[i] = -INFINITY;
      qp.upper[i] = qp.rise[i] = INFINITY;
      qp.rows[i] = 1;
    }
    qp.m = 1;
    qp.b[0] = -1;
    qp.weight[0] = dear ? 10 : 0.1;
    qp.equality[0] = true;
    assert_true(ctl_qp_solve(&qp));
    for (int i = 0; i < 2; i++) assert_true(fabs(qp.z[i] - (dear ? 0.5 : 0.1)) < 1e-10);
    assert_true(fabs(qp.y[0] + (dear ? 0.5 : 0.1)) < 1e-10);
    ctl_qp_clear(&qp);
  }
}

enum { WIDE = 4, TOPS = 5, MANY = 24 };

/* Makes a problem with tops: variables >= 0 at the end of z that rows only subtract. apart: the tops are stored apart
 * from the rows (CtlQp.top), so that they are eliminated in a special way; otherwise they are ordinary variables of the
 * rows. */
static void open_tops(uint64_t seed, bool apart, CtlQp *qp) {
  int n = WIDE + TOPS, columns = apart ? WIDE : n;
  assert_true(ctl_qp_init(qp, n, apart ? TOPS : 0, MANY, 1, 1));
  qp->m = MANY;
  for (int i = 0; i < n; i++) {
    bool top = i >= WIDE;
    qp->H[2 * i + 1] = top ? 1e-6 : 2 + fixture_random(&seed);
    qp->H[2 * i] = top || !i ? 0 : 0.3 * fixture_random(&seed);
    qp->g[i] = top ? -1 : fixture_random(&seed);
    qp->lower[i] = top ? 0 : -1;
    qp->upper[i] = top ? INFINITY : 1;
    qp->rise[i] = top ? INFINITY : 0.7;
  }
  for (int j = 0; j < MANY; j++) {
    int t = j % TOPS;
    qp->b[j] = 2 * fixture_random(&seed);
    qp->weight[j] = 3;
    for (int i = 0; i < WIDE; i++) qp->rows[j * columns + i] = fixture_random(&seed);
    if (apart)
      qp->top[j] = t;
    else
      qp->rows[j * columns + WIDE + t] = -1;
  }
}

/* Many rows with tops are eliminated by columns. The answer is the same as by rows. */
static void tops_by_columns(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    CtlQp qp[2];
    for (int k = 0; k < 2; k++) {
      open_tops(seed, k, &qp[k]);
      assert_true(ctl_qp_solve(&qp[k]));
    }
    for (int i = 0; i < qp->n; i++) assert_true(fabs(qp[0].z[i] - qp[1].z[i]) < 1e-5);
    double least = objective(&qp[0], qp[0].z);
    assert_true(fabs(objective(&qp[0], qp[1].z) - least) < 1e-9 * (1 + fabs(least)));
    for (int k = 0; k < 2; k++) ctl_qp_clear(&qp[k]);
  }
}

enum { SEGMENTS = 40, LIMITS = 39 };

/* Many inequalities are mostly inactive. The answer with working sets equals that with all of them at once. */
static void working_sets_have_the_answer_of_all(void **state) {
  (void)state;
  for (uint64_t k = 1; k <= 40; k++) {
    CtlQp qp[2];
    int hold = 0;
    for (int all = 0; all < 2; all++) {
      uint64_t seed = k;
      assert_true(ctl_qp_init(&qp[all], SEGMENTS, 0, LIMITS + 1, 1, 1));
      for (int i = 0; i < SEGMENTS; i++) {
        qp[all].H[2 * i + 1] = 2 + fixture_random(&seed);
        qp[all].lower[i] = -3;
        qp[all].upper[i] = 3;
        qp[all].rise[i] = INFINITY;
      }
      qp[all].m = LIMITS + 1;
      for (int j = 0; j <= LIMITS; j++) { /* the sum of the first j entries is at most 3, that of all at most 4 */
        for (int i = 0; i < SEGMENTS; i++)
          qp[all].rows[j * SEGMENTS + i] = i <= j ? 1 + 0.5 * fixture_random(&seed) : 0;
        qp[all].b[j] = j == LIMITS ? -4 : -3 + fixture_random(&seed);
        qp[all].weight[j] = 1e3;
        qp[all].equality[j] = j == LIMITS;
      }
      assert_true(all ? ctl_qp_solve_rows(&qp[all]) : ctl_qp_solve(&qp[all]));
    }
    for (int i = 0; i < SEGMENTS; i++) assert_true(fabs(qp[0].z[i] - qp[1].z[i]) < 1e-8);
    for (int j = 0; j <= LIMITS; j++) {
      assert_true(fabs(qp[0].y[j] - qp[1].y[j]) < 1e-6);
      hold += qp[0].y[j] > 1e-6;
    }
    assert_in_range(hold, 1, LIMITS / 2);
    for (int all = 0; all < 2; all++) ctl_qp_clear(&qp[all]);
  }
}

enum { SPEEDS = 8, COPIES = 40, ROWS_MOST = COPIES * (2 + 2 * SPEEDS) };

/* Blocks that all move alike under the same force have the same rows. The answer with many of them is that with one,
 * although their equalities are linearly dependent. */
static void many_equal_rows(void **state) {
  (void)state;
  CtlQp qp[2];
  for (int many = 0; many < 2; many++) {
    CtlQp *q = &qp[many];
    int copies = many ? COPIES : 1;
    assert_true(ctl_qp_init(q, SPEEDS, 0, ROWS_MOST, 1, 1));
    for (int i = 0; i < SPEEDS; i++) {
      q->H[2 * i + 1] = 1;
      q->lower[i] = -INFINITY;
      q->upper[i] = q->rise[i] = INFINITY;
    }
    for (int copy = 0; copy < copies; copy++)
      for (int k = 0; k < 2 + SPEEDS; k++, q->m++) {
        /* the place and the speed at the end, then the speed behind each segment */
        q->equality[q->m] = k < 2;
        q->b[q->m] = k == 0 ? -8 : k == 1 ? 0 : -1.4;
        q->weight[q->m] = 1e3;
        for (int i = 0; i < SPEEDS; i++)
          q->rows[q->m * SPEEDS + i] = k == 0 ? SPEEDS - 0.5 - i : k == 1 ? 1 : i <= k - 2;
      }
    assert_true(ctl_qp_solve_rows(q));
    for (int j = 0; j < q->m; j++) {
      double r = q->b[j];
      for (int i = 0; i < SPEEDS; i++) r += q->rows[j * SPEEDS + i] * q->z[i];
      assert_true(q->equality[j] ? fabs(r) < 1e-9 : r < 1e-9);
    }
  }
  for (int i = 0; i < SPEEDS; i++) assert_true(fabs(qp[0].z[i] - qp[1].z[i]) < 1e-8);
  for (int many = 0; many < 2; many++) ctl_qp_clear(&qp[many]);
}

/* With one unknown and no active bounds or rows, z = g/H. */
static void one_unknown(void **state) {
  CtlQp qp;
  (void)state;
  assert_true(ctl_qp_init(&qp, 1, 0, 1, 1, 1));
  qp.H[1] = 2;
  qp.g[0] = 3;
  qp.lower[0] = -INFINITY;
  qp.upper[0] = qp.rise[0] = INFINITY;
  qp.z[0] = -7;
  assert_true(ctl_qp_solve(&qp));
  assert_true(fabs(qp.z[0] - 1.5) < 1e-10);
  ctl_qp_clear(&qp);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers),
                                     cmocka_unit_test(one_unknown),
                                     cmocka_unit_test(no_point_is_better),
                                     cmocka_unit_test(tops_by_columns),
                                     cmocka_unit_test(working_sets_have_the_answer_of_all),
                                     cmocka_unit_test(many_equal_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
