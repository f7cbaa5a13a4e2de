/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the scheme `event` for a dash-pot's mass with exact solutions, and with the limit of backward Euler. */
#include "sim/dashpot/law.h"
#include "tests/sim/dashpot/dashpot.h"
#include "tests/sim/dashpot/reference_dashpot.h"
#include "tests/sim/event/event.h"

#define LENGTH(array) (int)(sizeof(array) / sizeof *(array))

enum { SEEN_MAX = 64 };

/* What was observed: the rows of a run and its events. */
typedef struct Seen {
  DashpotRow *rows;
  double times[SEEN_MAX];
  int what[SEEN_MAX], n;
} Seen;

static void see_step(void *context, const SimStep *step) { dashpot_see(((Seen *)context)->rows, step); }
static void see_event(void *context, double t, int dof, int what) {
  Seen *seen = context;
  assert_int_equal(dof, 0);
  if (seen->n == SEEN_MAX) return;
  seen->times[seen->n] = t;
  seen->what[seen->n++] = what;
}

/* Runs a problem and clears it. The caller frees the rows. */
static SimFinal watch(SimProblem *p, FixtureForce *force, Seen *seen, double *x, double *v) {
  const SimObserver observer = {seen, see_step, see_event};
  seen->n = 0;
  seen->rows = calloc((size_t)p->steps + 1, sizeof *seen->rows);
  return fixture_run(p, force, NULL, &observer, x, v);
}

static void event_problem(SimProblem *p, SimDashpotLaw law, double end, long steps) {
  dashpot_problem(p, law, end, steps);
  fixture_scheme(p, "event");
}

/* Force f1 of the thesis. dashpot_f1, which is for time steps, shifts the jump to a rounded time; this one does not. */
static double push(int i, double t) {
  (void)i;
  return t < 1 ? 10 * sin(5 * FIXTURE_PI * t) : 0;
}

/* Compares with values and times of events computed by matrix exponentials, independently of this code. */
static void references(void **state) {
  static const struct {
    SimDashpotLaw law;
    bool support;
    const DashpotEvent *events;
    int n_events;
    const DashpotSample *samples;
    int n_samples;
  } cases[] = {{SIM_BINGHAM, false, bingham_events, LENGTH(bingham_events), bingham_exact, LENGTH(bingham_exact)},
               {SIM_COULOMB, false, coulomb_events, LENGTH(coulomb_events), coulomb_exact, LENGTH(coulomb_exact)},
               {SIM_BINGHAM, true, support_events, LENGTH(support_events), support_exact, LENGTH(support_exact)}};
  (void)state;
  for (int k = 0; k < LENGTH(cases); k++) {
    SimProblem p;
    Seen seen;
    double x, v;
    int n = 0;
    event_problem(&p, cases[k].law, 3, 300);
    if (cases[k].support) dashpot_support(&p, 0.05, 100);
    watch(&p, push, &seen, &x, &v);
    for (int i = 0; i < cases[k].n_events; i++) {
      const DashpotEvent *before = &cases[k].events[i > 0 ? i - 1 : 0], *event = &cases[k].events[i];
      if (i > 0 && event->slip == before->slip && event->contact == before->contact)
        continue; /* the force has a break here, so that no comparison is possible */
      int what = i > 0 && event->contact != before->contact ? (event->contact ? SIM_MEETS : SIM_LEAVES) : event->slip;
      assert_in_range(n, 0, seen.n - 1);
      assert_near(seen.times[n], event->t, 1e-11);
      assert_int_equal(seen.what[n++], what);
    }
    assert_int_equal(n, seen.n);
    for (int i = 0; i < cases[k].n_samples; i++) {
      const DashpotSample *sample = &cases[k].samples[i];
      const DashpotRow *row = &seen.rows[lround(sample->t * 100)];
      assert_near(row->x, sample->x, 1e-11);
      assert_near(row->v, sample->v, 1e-11);
      assert_near(row->f_d, sample->f_d, 1e-10);
      assert_near(row->lambda, cases[k].support ? -100 * fmax(0, sample->x - 0.05) : 0, 1e-9);
    }
    assert_near(x, cases[k].events[cases[k].n_events - 1].x, 1e-11);
    assert_true(v == 0);
    free(seen.rows);
  }
}

/* Compares with fourth-order integration of the branches, with a step for which it is accurate to 1e-10. */
static void by_runge_kutta(void **state) {
  enum { PARTS = 20000 };
  static const SimDashpotLaw laws[] = {SIM_VISCOUS, SIM_BINGHAM, SIM_BINGHAM_CUBIC, SIM_COULOMB};
  (void)state;
  for (int k = 0; k < 2 * LENGTH(laws); k++)
    for (int support = 0; support < 2; support++) {
      SimProblem p;
      Seen seen;
      double x, v;
      bool pushed = k % 2;
      event_problem(&p, laws[k / 2], 1, 10);
      if (support) dashpot_support(&p, 0.05, 1000);
      p.x0[0] = pushed ? 0 : -0.3;
      DashpotExact exact = dashpot_exact_start(laws[k / 2], pushed ? push : fixture_no_force, p.x0[0]);
      exact.position = 0.05;
      exact.stiffness = support ? 1000 : 0;
      watch(&p, pushed ? push : fixture_no_force, &seen, &x, &v);
      for (int n = 1; n <= PARTS; n++) {
        dashpot_exact_to(&exact, (double)n / PARTS);
        if (n % (PARTS / 10)) continue;
        const DashpotRow *row = &seen.rows[n * 10 / PARTS];
        assert_near(row->x, exact.x, 1e-9);
        assert_near(row->v, exact.v, 1e-9);
        assert_near(row->f_d, dashpot_exact_f_d(&exact), laws[k / 2] == SIM_BINGHAM_CUBIC ? 1e-7 : 1e-8);
      }
      free(seen.rows);
    }
}

/* The steps of backward Euler converge to the motion by `event` with first order, with every law and selection. */
static void limit_of_steps(void **state) {
  static const struct {
    SimDashpotLaw law;
    SimSelection selection;
    double stiffness;
  } cases[] = {{SIM_VISCOUS, 0, 0},
               {SIM_BINGHAM, 0, 0},
               {SIM_BINGHAM, 0, 1000},
               {SIM_BINGHAM_CUBIC, 0, 0},
               {SIM_COULOMB, 0, 0},
               {SIM_BINGHAM_NONMONOTONE, SIM_NEAREST_VELOCITY, 0},
               {SIM_BINGHAM_NONMONOTONE, SIM_MAX_DISSIPATION, 0},
               {SIM_BINGHAM_NONMONOTONE, SIM_NEAREST_VELOCITY, 100}};
  enum { LEVELS = 3, COARSE = 4000, ROWS = 50 };
  (void)state;
  for (int k = 0; k < 2 * LENGTH(cases); k++) {
    DashpotRow *rows[LEVELS + 1];
    double error[LEVELS] = {0};
    for (int level = 0; level <= LEVELS; level++) {
      SimProblem p;
      dashpot_problem(&p, cases[k / 2].law, 1, level < LEVELS ? COARSE << (2 * level) : ROWS);
      if (level == LEVELS) fixture_scheme(&p, "event");
      p.dashpot.selection = cases[k / 2].selection;
      if (cases[k / 2].stiffness > 0) dashpot_support(&p, 0.05, cases[k / 2].stiffness);
      p.x0[0] = k % 2 ? 0.5 : 0;
      rows[level] = dashpot_run(&p, k % 2 ? fixture_no_force : push, 0);
    }
    for (int level = 0; level < LEVELS; level++)
      for (int n = 1; n <= ROWS; n++) {
        const DashpotRow *row = &rows[level][(long)n * (COARSE << (2 * level)) / ROWS], *exact = &rows[LEVELS][n];
        error[level] = fmax(error[level], fmax(10 * fabs(row->x - exact->x), fabs(row->v - exact->v)));
      }
    for (int level = 0; level <= LEVELS; level++) free(rows[level]);
    double order = log(error[0] / error[LEVELS - 1]) / log(4) / (LEVELS - 1);
    print_message("law %d, case %d: %.2e .. %.2e, order %.3f\n", (int)cases[k / 2].law, k, error[0], error[LEVELS - 1],
                  order);
    assert_true(order > 0.85 && order < 1.15);
  }
}

/* Neither observing nor a pause nor a batch changes a bit. */
static void rows_do_not_matter(void **state) {
  double x[4], v[4];
  static const double controls[2] = {0, 3.5};
  (void)state;
  for (int k = 0; k < 3; k++) {
    SimProblem p;
    SimWorkspace *work, *other;
    SimFinal final = {.x = &x[k], .v = &v[k]};
    DashpotRow rows[378];
    const SimObserver observer = {rows, dashpot_see, NULL};
    event_problem(&p, SIM_BINGHAM_NONMONOTONE, 3, k == 0 ? 1 : 377);
    dashpot_support(&p, 0.05, 100);
    SimModel *model = fixture_model(&p, push, &work);
    assert_int_equal(stiction_workspace_create(model, &other), SIM_OK);
    if (k < 2) {
      assert_int_equal(stiction_rollout(model, work, &controls[1], k ? &observer : NULL, &final), SIM_OK);
    } else {
      size_t size = sim_workspace_saved_size(model);
      void *bytes = malloc(size);
      sim_rollout_begin(model, work, &controls[1], &observer);
      sim_rollout_run_to(model, work, &observer, 55);
      sim_workspace_save(model, work, bytes);
      assert_int_equal(sim_workspace_load(model, other, bytes, size), SIM_OK);
      sim_rollout_run_to(model, other, &observer, 377);
      assert_int_equal(sim_rollout_end(model, other, &final), SIM_OK);
      free(bytes);
      SimFinal finals[2] = {{.x = &x[3], .v = &v[3]}, {.x = &x[3], .v = &v[3]}};
      stiction_batch(model, work, 2, controls, finals);
      assert_int_equal(finals[1].status, SIM_OK);
    }
    stiction_workspace_destroy(work);
    stiction_workspace_destroy(other);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  for (int k = 1; k < 4; k++) assert_true(x[0] == x[k] && v[0] == v[k]);
}

/* A control that varies in time gives the same motion as a force with the same values. */
static void signals(void **state) {
  (void)state;
  for (event_signal = SIM_PIECEWISE_CONSTANT; event_signal <= SIM_PIECEWISE_LINEAR; event_signal++) {
    double x[2], v[2];
    for (int as_force = 0; as_force < 2; as_force++) {
      SimProblem p;
      event_problem(&p, SIM_BINGHAM_CUBIC, 2, 16);
      event_set_signal(&p, as_force);
      fixture_run(&p, as_force ? event_signal_force : fixture_no_force, as_force ? NULL : event_signal_values, NULL,
                  &x[as_force], &v[as_force]);
    }
    assert_near(x[0], x[1], 1e-10);
    assert_near(v[0], v[1], 1e-9);
  }
}

static double rising(int i, double t) {
  (void)i;
  return 3 * t;
}

/* With m = 1, f_crit = 1, f = 3 t and no spring, the mass sticks until t = 1/3. Then v' = 3 t - 1 - v by Bingham's law,
 * 3 t - 1 by Coulomb's. */
static void leaves_the_threshold(void **state) {
  (void)state;
  for (int coulomb = 0; coulomb < 2; coulomb++) {
    SimProblem p;
    Seen seen;
    double x, v, s = 2 - 1.0 / 3;
    event_problem(&p, coulomb ? SIM_COULOMB : SIM_BINGHAM, 2, 5);
    p.dashpot.stiffness = 0;
    watch(&p, rising, &seen, &x, &v);
    assert_int_equal(seen.n, 2);
    assert_int_equal(seen.what[0], 0);
    assert_int_equal(seen.what[1], 1);
    assert_near(seen.times[1], 1.0 / 3, 1e-13);
    assert_near(v, coulomb ? 1.5 * s * s : 3 * (s - 1 + exp(-s)), 1e-12);
    assert_near(x, coulomb ? 0.5 * s * s * s : 3 * (s * s / 2 - s + 1 - exp(-s)), 1e-12);
    free(seen.rows);
  }
}

static double constant_push;
static double steady(int i, double t) {
  (void)i;
  (void)t;
  return constant_push;
}

/* Uses the non-monotone law without a spring, pushed by the force 1 + mu. w is the force by the law above the threshold
 * of 1 N. At the speed 0.19 two more branches of the law begin, both with w = 1.50.
 *   - With mu = 1.2 both branches lead back to this speed.
 *   - With mu = 1.7 the upper branch is followed to its speed V(mu).
 *   - With mu = 0.8 the speed is that at which w of the two branches is 0.8 - h and 0.8 + h, for some h.
 * By max_dissipation the mass stays at the speed 0.19 in the first and last case. */
static void between_branches(void **state) {
  static const double mu[] = {1.2, 1.7, 0.8};
  (void)state;
  for (int k = 0; k < 6; k++) {
    SimProblem p;
    Seen seen;
    double x, v, w = mu[k % 3], low = 0, high = 0.7, expected = v_min;
    event_problem(&p, SIM_BINGHAM_NONMONOTONE, 80, 10);
    p.dashpot.stiffness = 0;
    p.dashpot.selection = k < 3 ? SIM_NEAREST_VELOCITY : SIM_MAX_DISSIPATION;
    constant_push = 1 + w;
    watch(&p, steady, &seen, &x, &v);
    DashpotLine law = dashpot_line(&(SimDashpot){.law = SIM_BINGHAM_NONMONOTONE, .g = 1}, 1, 0);
    if (k % 3 == 1) expected = dashpot_line_value(&law, w);
    for (int i = 0; k == 2 && i < 60; i++) { /* h from 0.1 to 0.7 */
      double h = i ? (low + high) / 2 : (low = 0.1);
      expected = dashpot_line_value(&law, w - h);
      if (dashpot_line_value(&law, w + h) < expected)
        low = h;
      else
        high = h;
    }
    assert_near(v, expected, 1e-11);
    assert_near(seen.rows[10].f_d, 1 + w, 1e-9);
    assert_near(seen.rows[10].x - seen.rows[9].x, 8 * expected, 1e-9);
    free(seen.rows);
  }
}

/* With a fast dash-pot, m v' = - k x - v/g where 1/(g m) = 1e6 1/s, the mass follows x0 exp(-r t). */
static void fast_dashpot(void **state) {
  SimProblem p;
  double x, v, m = 1e-3, c = 1e3, k = 2e3;
  (void)state;
  event_problem(&p, SIM_VISCOUS, 2, 10);
  p.dashpot.mass = m;
  p.dashpot.g = 1 / c;
  p.dashpot.stiffness = k;
  p.x0[0] = 1;
  double root = sqrt(c * c - 4 * k * m), slow = 2 * k / (c + root), fast = (c + root) / (2 * m);
  fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
  assert_near(x, fast / (fast - slow) * exp(-slow * 2), 1e-10);
  assert_near(v, -slow * fast / (fast - slow) * exp(-slow * 2), 1e-10);
}

static void too_many_events(void **state) {
  SimProblem p;
  (void)state;
  event_problem(&p, SIM_BINGHAM, 3, 30);
  event_gives_up(&p, push);
}

/* The loads are millions of times the threshold, so the motion is that of a spring and a mass. The speed passes all
 * folds of the law. */
static void far_beyond_the_law(void **state) {
  SimProblem p;
  double x, v, omega;
  (void)state;
  event_problem(&p, SIM_BINGHAM_NONMONOTONE, 0.04, 38);
  p.dashpot.mass = 3000;
  p.dashpot.stiffness = 4.3e7;
  p.dashpot.g = 0.237;
  p.x0[0] = -1;
  omega = sqrt(p.dashpot.stiffness / p.dashpot.mass);
  fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
  assert_near(x, -cos(0.04 * omega), 2e-6);
  assert_near(v, omega * sin(0.04 * omega), 2e-6 * omega);
}

/* Under such loads terms of high order overflow in the first attempt at a segment: the segment is then made shorter,
 * whichever series overflows. Friction is 1e-11 of the spring's force. */
static void series_that_overflow(void **state) {
  static const double stiffness[] = {2.5e11, 2.70705e11, 3e11, 1e13, 1e14};
  static const SimDashpotLaw laws[] = {SIM_BINGHAM_CUBIC, SIM_BINGHAM_NONMONOTONE};
  (void)state;
  for (int k = 0; k < 2 * LENGTH(stiffness); k++) {
    SimProblem p;
    SimWorkspace *work;
    double x, v, omega = sqrt(stiffness[k / 2] / 4000), cycles = 17.5;
    SimFinal final = {.x = &x, .v = &v};
    event_problem(&p, laws[k % 2], cycles / omega, 245);
    p.dashpot.mass = 4000;
    p.dashpot.stiffness = stiffness[k / 2];
    p.dashpot.g = 0.495217;
    p.dashpot.selection = SIM_MAX_DISSIPATION;
    p.x0[0] = 50;
    SimModel *model = fixture_model(&p, fixture_no_force, &work);
    assert_int_equal(sim_workspace_examine(work, &(SimOriginals){.force = NULL}), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
    assert_true(final.examined.largest < 1e-10);
    assert_near(x, 50 * cos(cycles), 1e-7);
    assert_near(v, -50 * omega * sin(cycles), 1e-7 * omega);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* Only the control moves the mass, first in one direction and then in the other. The law's speed grows as the fifth
 * power of its force. */
static void thrown_far_beyond_the_law(void **state) {
  const double control[] = {-4.5e11, 1.6e12}, half = 1.5e-3;
  SimProblem p;
  double x, v;
  (void)state;
  event_problem(&p, SIM_BINGHAM_NONMONOTONE, 2 * half, 2);
  p.dashpot.mass = 8000;
  p.dashpot.stiffness = 0;
  p.dashpot.g = 5.4;
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = 2;
  double a = control[0] / p.dashpot.mass, b = control[1] / p.dashpot.mass;
  fixture_run(&p, fixture_no_force, control, NULL, &x, &v);
  assert_near(x, (a + b) / 2 * half * half + a * half * half, 1e-8);
  assert_near(v, (a + b) * half, 1e-5); /* effect of friction: 20 N for 3 ms on 8000 kg */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(references),
      cmocka_unit_test(far_beyond_the_law),
      cmocka_unit_test(by_runge_kutta),
      cmocka_unit_test(limit_of_steps),
      cmocka_unit_test(rows_do_not_matter),
      cmocka_unit_test(signals),
      cmocka_unit_test(leaves_the_threshold),
      cmocka_unit_test(between_branches),
      cmocka_unit_test(fast_dashpot),
      cmocka_unit_test(too_many_events),
      cmocka_unit_test(thrown_far_beyond_the_law),
      cmocka_unit_test(series_that_overflow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
