/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares backward Euler for a dash-pot with reference values, exact solutions and first principles. */
#include "tests/sim/dashpot/dashpot.h"
#include "tests/sim/dashpot/reference_dashpot.h"

#define LENGTH(array)                (int)(sizeof(array) / sizeof *(array))
#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Compares runs with the thesis's law and its f_crit with the reference; the values do not depend on how a step is
 * solved. */
static void scheme_values(void **state) {
  (void)state;
  static const struct {
    SimDashpotLaw law;
    bool support;
    const DashpotSample *samples;
    int n;
  } cases[] = {{SIM_BINGHAM, false, bingham_scheme, LENGTH(bingham_scheme)},
               {SIM_COULOMB, false, coulomb_scheme, LENGTH(coulomb_scheme)},
               {SIM_BINGHAM, true, support_scheme, LENGTH(support_scheme)}};
  for (int k = 0; k < LENGTH(cases); k++) {
    SimProblem p;
    dashpot_problem(&p, cases[k].law, 3, 3000);
    if (cases[k].support) dashpot_support(&p, 0.05, 100);
    DashpotRow *rows = dashpot_run(&p, dashpot_f1, 0);
    for (int i = 0; i < cases[k].n; i++) {
      const DashpotSample *sample = &cases[k].samples[i];
      const DashpotRow *row = &rows[lround(sample->t * 1000)];
      assert_near(row->x, sample->x, 1e-12);
      assert_near(row->v, sample->v, 1e-12);
      assert_near(row->f_d, sample->f_d, 1e-12);
      assert_near(row->lambda, sample->lambda, 1e-12);
      assert_true(row->f_s == 100 * row->x);
    }
    free(rows);
  }
}

/* The solver that is used to measure orders agrees with the event-driven references. */
static void exact_values(void **state) {
  (void)state;
  static const struct {
    SimDashpotLaw law;
    double stiffness;
    const DashpotSample *samples;
    int n_samples;
    const DashpotEvent *events;
    int n_events;
  } cases[] = {
      {SIM_BINGHAM, 0, bingham_exact, LENGTH(bingham_exact), bingham_events, LENGTH(bingham_events)},
      {SIM_COULOMB, 0, coulomb_exact, LENGTH(coulomb_exact), coulomb_events, LENGTH(coulomb_events)},
      {SIM_BINGHAM, 100, support_exact, LENGTH(support_exact), support_events, LENGTH(support_events)},
  };
  for (int k = 0; k < LENGTH(cases); k++) {
    DashpotExact s = dashpot_exact_start(cases[k].law, dashpot_f1, 0);
    s.position = 0.05;
    s.stiffness = cases[k].stiffness;
    int sample = 0, event = 1;
    for (int n = 1; n <= 6000; n++) {
      int slip = s.slip, contact = s.contact;
      dashpot_exact_to(&s, n * 0.0005);
      if (sample < cases[k].n_samples && fabs(s.t - cases[k].samples[sample].t) < 1e-9) {
        assert_near(s.x, cases[k].samples[sample].x, 1e-10);
        assert_near(s.v, cases[k].samples[sample].v, 1e-9);
        sample++;
      }
      while (event < cases[k].n_events && cases[k].events[event].t < s.t) { /* the branches must occur in this order */
        slip = cases[k].events[event].slip;
        contact = cases[k].events[event++].contact;
      }
      assert_true(s.slip == slip && s.contact == contact);
    }
    assert_int_equal(sample, cases[k].n_samples);
    assert_int_equal(event, cases[k].n_events);
    assert_near(s.x, cases[k].events[event - 1].x, 1e-10);
    assert_true(s.v == 0);
  }
}

/* A case of the study: a law, or the linear one with a support. */
typedef struct Study {
  const char *name;
  SimDashpotLaw law;
  SimSelection selection;
  double x0; /* initial position; 0: starts at rest, with the force f1 */
  double stiffness;
} Study;

static const Study studies[] = {
    {"viscous, f1", SIM_VISCOUS, 0, 0, 0},
    {"viscous, free", SIM_VISCOUS, 0, 0.5, 0},
    {"bingham, f1", SIM_BINGHAM, 0, 0, 0},
    {"bingham, free", SIM_BINGHAM, 0, 0.5, 0},
    {"bingham_cubic, f1", SIM_BINGHAM_CUBIC, 0, 0, 0},
    {"bingham_cubic, free", SIM_BINGHAM_CUBIC, 0, 0.5, 0},
    {"coulomb, f1", SIM_COULOMB, 0, 0, 0},
    {"coulomb, free", SIM_COULOMB, 0, 0.5, 0},
    {"bingham, f1, ks = 10", SIM_BINGHAM, 0, 0, 10},
    {"bingham, f1, ks = 100", SIM_BINGHAM, 0, 0, 100},
    {"bingham, f1, ks = 1000", SIM_BINGHAM, 0, 0, 1000},
    {"bingham, f1, ks = 10000", SIM_BINGHAM, 0, 0, 10000},
    {"nonmonotone, nearest_velocity, f1", SIM_BINGHAM_NONMONOTONE, SIM_NEAREST_VELOCITY, 0, 0},
    {"nonmonotone, nearest_velocity, free", SIM_BINGHAM_NONMONOTONE, SIM_NEAREST_VELOCITY, 0.5, 0},
    {"nonmonotone, max_dissipation, f1", SIM_BINGHAM_NONMONOTONE, SIM_MAX_DISSIPATION, 0, 0},
    {"nonmonotone, max_dissipation, free", SIM_BINGHAM_NONMONOTONE, SIM_MAX_DISSIPATION, 0.5, 0},
};

static DashpotRow *study_run(const Study *study, double end, long steps) {
  SimProblem p;
  dashpot_problem(&p, study->law, end, steps);
  p.dashpot.selection = study->selection;
  p.x0[0] = study->x0;
  if (study->stiffness > 0) dashpot_support(&p, 0.05, study->stiffness);
  return dashpot_run(&p, study->x0 > 0 ? fixture_no_force : dashpot_f1, 0);
}

enum { COARSE = 1000, LEVELS = 5 };

/* Computes discrete L2 norms over [0, 1] of a - b, where the grid of b is `finer` times as fine. */
static void compare(const DashpotRow *a, long steps, const DashpotRow *b, long finer, double *x, double *v) {
  double sum_x = 0, sum_v = 0;
  for (long n = 1; n <= steps; n++) {
    double dx = a[n].x - b[n * finer].x, dv = a[n].v - b[n * finer].v;
    sum_x += dx * dx;
    sum_v += dv * dv;
  }
  *x = sqrt(sum_x / (double)steps);
  *v = sqrt(sum_v / (double)steps);
}

/* Returns the exact motion on the finest grid; NULL for the non-monotone law, which has no exact solution here. */
static DashpotRow *study_exact(const Study *study, long steps) {
  if (study->law == SIM_BINGHAM_NONMONOTONE) return NULL;
  DashpotRow *rows = calloc((size_t)steps + 1, sizeof *rows);
  DashpotExact s = dashpot_exact_start(study->law, study->x0 > 0 ? fixture_no_force : dashpot_f1, study->x0);
  s.position = 0.05;
  s.stiffness = study->stiffness;
  rows[0].x = study->x0;
  for (long n = 1; n <= steps; n++) {
    dashpot_exact_to(&s, (double)n / (double)steps);
    rows[n].x = s.x;
    rows[n].v = s.v;
  }
  return rows;
}

/* x and v are of first order in L2 over [0, 1]: compared with the exact solution, or each grid with the next finer
 * one. */
static void first_order(void **state) {
  (void)state;
  for (int k = 0; k < LENGTH(studies); k++) {
    double x[LEVELS], v[LEVELS];
    DashpotRow *runs[LEVELS + 1], *exact = study_exact(&studies[k], COARSE << LEVELS);
    for (int i = 0; i <= LEVELS; i++) runs[i] = study_run(&studies[k], 1, COARSE << i);
    for (int i = 0; i < LEVELS; i++)
      compare(runs[i], COARSE << i, exact ? exact : runs[i + 1], exact ? 1L << (LEVELS - i) : 2, &x[i], &v[i]);
    for (int i = 0; i <= LEVELS; i++) free(runs[i]);
    free(exact);
    double order_x = log2(x[0] / x[LEVELS - 1]) / (LEVELS - 1), order_v = log2(v[0] / v[LEVELS - 1]) / (LEVELS - 1);
    print_message("%-36s at 1e-3: x %.2e v %.2e; order %.3f %.3f\n", studies[k].name, x[0], v[0], order_x, order_v);
    assert_true(order_x >= 0.9 && order_x <= 1.1);
    assert_true(order_v >= 0.9 && order_v <= 1.1);
  }
}

/* The times at which the motion ends, the first slip begins and the first impact occurs are right up to O(dt). */
static void instants(void **state) {
  (void)state;
  const DashpotEvent *slip = &support_events[1], *impact = &support_events[2];
  const double rest[] = {bingham_events[LENGTH(bingham_events) - 1].x, coulomb_events[LENGTH(coulomb_events) - 1].x,
                         support_events[LENGTH(support_events) - 1].x};
  DashpotExact s = dashpot_exact_start(SIM_BINGHAM, dashpot_f1, 0); /* the tables list the events of the equations */
  s.position = 0.05;
  s.stiffness = 100;
  for (int k = 1; k <= 2; k++) {
    while (support_events[k].t - s.t > 5e-4) dashpot_exact_to(&s, s.t + 4e-4); /* the integration is of fourth order */
    dashpot_exact_to(&s, support_events[k].t - 1e-9);
    assert_true(s.slip == (k == 2) && !s.contact);
    dashpot_exact_to(&s, support_events[k].t + 1e-9);
    assert_true(s.slip == 1 && s.contact == (k == 2));
  }
  assert_near(s.v, 0.692394470, 1e-8);
  for (int level = 0; level < 3; level++) {
    long steps = 3000L << (2 * level);
    double dt = 3. / (double)steps;
    const int which[] = {2, 6, 9};
    for (int k = 0; k < 3; k++) {
      DashpotRow *rows = study_run(&studies[which[k]], 3, steps);
      assert_near(rows[steps].x, rest[k], 5 * dt);
      assert_true(rows[steps].v == 0 && rows[steps].slip == 0);
      long first = 0, touch = 0;
      while (rows[first].slip == 0) first++;
      assert_true(rows[first].slip == 1);
      assert_near(rows[first].t, slip->t, dt);
      while (k == 2 && !rows[touch].contact) touch++;
      if (k == 2) assert_near(rows[touch].t, impact->t, dt);
      if (k == 2) assert_near(rows[touch].v, impact->v, 25 * dt);
      free(rows);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scheme_values),
      cmocka_unit_test(exact_values),
      cmocka_unit_test(first_order),
      cmocka_unit_test(instants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
