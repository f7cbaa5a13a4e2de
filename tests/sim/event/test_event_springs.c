/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests exact motions of springs with a nonlinear law: closed forms, energy, convergence of `moreau`, pieces of laws,
 * pauses. */
#include "tests/sim/event/event.h"
#include "tests/sim/friction/springs.h"

/* After whole periods a free mass is where it started. After a quarter more it is at 0, with all its energy kinetic. */
static void test_duffing(void **state) {
  (void)state;
  double square = DUFFING_START * DUFFING_START, x, v;
  SimProblem p;
  springs_make_duffing(&p, "event", 7, 10);
  fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
  assert_near(x, DUFFING_START, 1e-9);
  assert_near(v, 0, 1e-9);
  springs_make_duffing(&p, "event", 3.25, 10);
  fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
  assert_near(x, 0, 1e-9);
  assert_near(v, -sqrt(square * (DUFFING_K + DUFFING_K3 * square / 2)), 1e-9);
}

/* With friction c the mass turns where friction and the potential have taken its energy: from the turning point x to
 * the next one y on the other side, V(x) - c x = V(y) + c y with V = k x^2/2 + k3 x^4/4. It ends where c holds it. */
static double law_potential(double x) { return x * x * (DUFFING_K / 2.0 + DUFFING_K3 * x * x / 4.0); }

static double turning_point(double from, double c) {
  double low = -from, high = from; /* interval that contains the solution y of V(y) + c (from - y) = V(from), -from <
                                    * y < from, and excludes y = from */
  for (int k = 0; k < 200; k++) {
    double y = (low + high) / 2;
    if (law_potential(y) + c * (from - y) > law_potential(from))
      low = y;
    else
      high = y;
    if (k == 0 && y > 0) high = 0;
  }
  return low;
}

static void test_rest(void **state) {
  (void)state;
  const double c = 1;
  double at = DUFFING_START, x, v;
  SimProblem p;
  int turns = 0;
  while (springs_duffing(0, at) > c) {
    at = -turning_point(at, c);
    turns++;
  }
  assert_true(turns > 3);
  springs_make_duffing(&p, "event", 12, 10);
  p.friction[0] = c;
  fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
  assert_near(x, turns % 2 ? -at : at, 1e-9);
  assert_true(v == 0);
}

typedef struct Watch {
  double closure;
  long stuck;
} Watch;

static void see_energy(void *context, const SimStep *step) {
  Watch *w = context;
  const SimEnergy *e = step->energy;
  double scale = fabs(e->work) + fabs(e->stored) + fabs(e->dissipated) + 1;
  w->closure = fixture_max(w->closure, fabs(e->work - e->stored - e->dissipated - e->numerical) / scale);
  for (int i = 0; i < D; i++) w->stuck += step->slip[i] == 0;
}

static void run_any(int k, const char *scheme, long steps, Watch *watch, double *ends) {
  SimProblem p;
  SimWorkspace *work;
  double control[VARIABLES];
  springs_make_any(&p, k, scheme, steps, control);
  SimModel *model = fixture_model(&p, tangent_swinging, &work);
  const SimObserver observer = {.context = watch, .step = see_energy};
  SimFinal final = {.x = ends, .v = ends + D};
  assert_int_equal(stiction_rollout(model, work, control, watch ? &observer : NULL, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

static double walls(int i, double e) { return (void)i, 1000 * (fmax(e, 0) + fmin(e + 1, 0)); }
static double walls_turned(int i, double e) { return -walls(i, -e); }
static double pulled_down(int i, double t) { return (void)i, (void)t, -10; }
static double pulled_up(int i, double t) { return (void)i, (void)t, 10; }

static void test_any(void **state) {
  (void)state;
  enum { PROBLEMS = 8 };
  double far[2] = {0};
  Watch watch = {0};
  for (int k = 0; k < PROBLEMS; k++) {
    double exact[2 * D], alone[2 * D], ends[2 * D];
    run_any(k, "event", 40, &watch, exact);
    run_any(k, "event", 7, NULL, alone);
    assert_memory_equal(exact, alone, sizeof exact);
    for (int fine = 0; fine < 2; fine++) {
      run_any(k, "moreau", fine ? 3200 : 800, NULL, ends);
      for (int i = 0; i < D; i++) far[fine] += fabs(ends[i] - exact[i]) / (D * PROBLEMS);
    }
  }
  assert_true(watch.closure < 1e-9);
  assert_true(watch.stuck > 50);
  assert_true(far[0] < 0.02 && far[1] < far[0] / 2.5);
}

/* A mass moves between two walls. Its spring law leaves the piece between the walls at one end. The series would leave
 * it at the other end as well, if the wall there did not repel the mass. */
static void test_walls(void **state) {
  (void)state;
  double ends[2][2];
  for (int way = 0; way < 2; way++) {
    SimProblem p;
    double where, sign = way ? -1 : 1;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
    p.system.mass[0] = 1;
    p.x0[0] = -0.5 * sign;
    p.v0[0] = 5 * sign;
    fixture_time(&p, 1.2, 10);
    fixture_scheme(&p, "event");
    assert_int_equal(springs_set(&p, SIM_ANCHORS, false, way ? walls_turned : walls, 1.5, &where), SIM_OK);
    fixture_run(&p, way ? pulled_up : pulled_down, NULL, NULL, &ends[way][0], &ends[way][1]);
    double x = sign * ends[way][0], v = ends[way][1], above = fmax(x, 0), below = fmin(x + 1, 0);
    assert_near(v * v / 2 + 10 * x + 500 * (above * above + below * below), 7.5, 1e-9);
  }
  for (int q = 0; q < 2; q++) assert_near(ends[0][q], -ends[1][q], 1e-9);
}

/* A rollout continues in another workspace, in the same pieces of the laws, with the same bits. */
static void test_pause(void **state) {
  (void)state;
  SimProblem p;
  SimWorkspace *work, *other;
  double control[VARIABLES], ends[2][2 * D];
  springs_make_any(&p, 1, "event", 40, control);
  SimModel *model = fixture_model(&p, tangent_swinging, &work);
  size_t size = sim_workspace_saved_size(model);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  assert_int_equal(stiction_workspace_create(model, &other), SIM_OK);
  for (int k = 0; k < 2; k++) {
    SimFinal final = {.x = ends[k], .v = ends[k] + D};
    SimWorkspace *last = k ? other : work;
    sim_rollout_begin(model, work, control, NULL);
    sim_rollout_run_to(model, work, NULL, 17);
    if (k) {
      sim_workspace_save(model, work, bytes);
      assert_int_equal(sim_workspace_load(model, other, bytes, size), SIM_OK);
    }
    sim_rollout_run_to(model, last, NULL, 40);
    assert_int_equal(sim_rollout_end(model, last, &final), SIM_OK);
  }
  assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
  free(bytes);
  stiction_workspace_destroy(other);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

static void test_range(void **state) {
  (void)state;
  springs_leave_range("event", 10);
}

static void test_derivatives(void **state) {
  (void)state;
  springs_check_all_derivatives("event", 10, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_duffing),     cmocka_unit_test(test_rest),  cmocka_unit_test(test_any),
      cmocka_unit_test(test_walls),       cmocka_unit_test(test_pause), cmocka_unit_test(test_range),
      cmocka_unit_test(test_derivatives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
