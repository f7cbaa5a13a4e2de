/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares plans with closed forms: the least f from 20 starts, the number of evaluations, and optimality. */
#include "tests/control/plan/forms.h"

typedef void FormMaker(Form *form, int segments);

typedef struct Case {
  const char *name;
  FormMaker *make;
  int segments;
  double form;  /* least objective f by the closed form */
  double above; /* largest excess of the answer over the closed form, as a fraction of it; 0: round-off only */
  int reached;  /* least number of the 20 starts that lead to the answer */
  long most;    /* largest number of evaluations of all starts */
  bool vertex;  /* whether the answer is a vertex, so that signs decide whether it is a local minimum */
} Case;

static const double LEAST_TIME = 1.6329931618554521; /* sqrt(2 L (a1 + a2)/(a1 a2)) for the distance L = 1 m, the
                                                      * acceleration a1 = 1 and the deceleration a2 = 3 m/s^2 */
static const double SPEED = 31.0 / 15;               /* the speed rises linearly, stays constant at its limit, and
                                                      * falls linearly */
static const double OSCILLATOR = 2.088130842868521;  /* the motion consists of two arcs in the phase plane (x, v) */
static const double PUBLISHED = 2.0971675407097293;  /* 1/3 + sqrt(28/9) */
static const double EFFORT_TIME = 5.4927124785;      /* 12/T^3 + 2 T with T^4 = 18, the sum of effort and time */
static const double VIA = 4.961257088874;            /* the motion consists of two cubics, and is at rest from 1.685
                                                      * s on */
static const double STICK_SLIP = 1.0327955589886444; /* 4/3 c^2 sqrt(6 m L/c) for the mass m, the threshold c and the
                                                      * distance L */
static const double INERTIA = 1.128976862898;        /* c^2 s T/(T - s) + 12 L^2/s^3 with the time of slip s =
                                                      * 0.417891 */

/* For the two masses and the arm, `form` is the least T that is known. Lengths of segments may not fall to 0 in one
 * step: without this limit, 12 of 20 starts led to the answer of `lengths` with S = 3 segments and of `block, moving at
 * first`. */
static const Case cases[] = {
    {"least time", form_least_time, 10, LEAST_TIME, 6.8e-3, 8, 300, true},
    {"least time", form_least_time, 20, LEAST_TIME, 0, 8, 300, true},
    {"least time", form_least_time, 50, LEAST_TIME, 2.7e-4, 8, 350, true},
    {"lengths", form_least_time_lengths, 2, LEAST_TIME, 0, 8, 300, true},
    {"lengths", form_least_time_lengths, 3, LEAST_TIME, 0, 14, 300, false},
    {"lengths", form_least_time_lengths, 5, LEAST_TIME, 0, 8, 400, false},
    {"speed limit", form_speed, 10, SPEED, 3.5e-3, 5, 350, true},
    {"speed limit", form_speed, 20, SPEED, 1.6e-3, 5, 400, true},
    {"speed limit", form_speed, 50, SPEED, 4.6e-4, 4, 400, true},
    {"speed limit, lengths", form_speed_lengths, 3, SPEED, 0, 9, 650, true},
    {"oscillator", form_oscillator, 10, OSCILLATOR, 4.2e-3, 16, 200, true},
    {"oscillator", form_oscillator, 20, OSCILLATOR, 8.3e-4, 16, 200, true},
    {"oscillator", form_oscillator, 50, OSCILLATOR, 8.2e-5, 16, 200, true},
    {"oscillator, lengths", form_oscillator_lengths, 2, OSCILLATOR, 0, 14, 300, true},
    {"block, moving at first", form_published, 3, PUBLISHED, 0, 18, 300, false},
    {"block, moving at first", form_published, 5, PUBLISHED, 0, 17, 300, false},
    {"two masses", form_masses, 10, 2.116710640, 0, 12, 350, true},
    {"two masses", form_masses, 40, 2.114832259, 0, 12, 350, true},
    {"arm", form_arm, 8, 1.004494405, 0, 14, 400, false},
    {"arm", form_arm, 16, 1.003365124, 0, 10, 500, false},
    {"arm", form_arm, 32, 1.002801911, 0, 10, 500, false},
    {"effort + time", form_effort_time, 10, EFFORT_TIME, 2.6e-3, 8, 500, false},
    {"effort + time", form_effort_time, 40, EFFORT_TIME, 1.7e-4, 8, 500, false},
    {"via", form_via, 10, VIA, 1.7e-2, 6, 550, false},
    {"via", form_via, 40, VIA, 1.1e-3, 6, 400, false},
    {"via at a free time", form_free_via, 40, 3.5, 2.8e-4, 6, 400, false},
    {"Bryson-Denham", form_bryson, 10, 40.0 / 9, 3.1e-2, 16, 300, false},
    {"Bryson-Denham", form_bryson, 40, 40.0 / 9, 1.8e-3, 16, 500, false},
    {"fuel", form_fuel, 15, 2, 0, 6, 250, false},
    {"fuel", form_fuel, 60, 2, 0, 6, 250, false},
    {"periodic", form_periodic, 10, STICK_SLIP, 1.7e-2, 2, 700, false},
    {"periodic", form_periodic, 40, STICK_SLIP, 1.1e-3, 2, 600, false},
    {"inertia drive", form_inertia, 20, INERTIA, 5.2e-3, 5, 800, false},
    {"inertia drive", form_inertia, 40, INERTIA, 1.4e-3, 5, 800, false},
};

typedef struct Found {
  CtlState state;
  double point[FORM_CONTROLS + FORM_VARIABLES];
} Found;

/* Searches with the default number of starts. */
static Found search(CtlPlan *plan, const CtlProblem *p) {
  CtlSearch *search;
  CtlEvaluator evaluator = ctl_plan_evaluator(plan);
  const SimReport report = {NULL, fixture_complain};
  Found found = {0};
  assert_int_equal(stiction_control_check(p, &report), SIM_OK);
  assert_int_equal(stiction_asktell_create(p, &search), SIM_OK);
  assert_int_equal(ctl_drive_serial(search, &evaluator, NULL, NULL), 0);
  stiction_asktell_state(search, &found.state);
  memcpy(found.point, found.state.control, (size_t)p->n * sizeof *found.point);
  stiction_asktell_destroy(search);
  return found;
}

static void check(const Case *c) {
  Form f;
  CtlProblem p;
  CtlPlanOptimality o;
  CtlQuantityValue values[FORM_QUANTITIES];
  c->make(&f, c->segments);
  CtlPlan *plan = form_plan(&f);
  assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
  Found found = search(plan, &p);
  assert_int_equal(ctl_plan_optimality(plan, &p, found.point, &o, values), SIM_OK);
  double above = found.state.J / c->form - 1;
  print_message("%-20s S = %2d: %.9f, above %9.2e; %ld of %ld starts, %ld evaluations; kkt %.1e, H(T) %.1e, vertex %d, "
                "minimum %d %s\n",
                c->name, c->segments, found.state.J, above, found.state.reached, found.state.starts, found.state.ivps,
                o.all.kkt, o.hamiltonian, o.vertex, o.all.local_minimum, o.all.why ? o.all.why : "");
  assert_true(found.state.reason == CTL_REASON_TOLERANCE && found.state.E1 <= 1);
  assert_true(above >= -1e-9 && above <= fmax(c->above, 1e-9));
  assert_true(found.state.starts == 20 && found.state.reached >= c->reached && found.state.ivps <= c->most);
  assert_true(o.all.kkt <= 1e-4 && !(fabs(o.hamiltonian) > 1e-6) && o.all.local_minimum != CTL_MINIMUM_NO);
  if (c->vertex) assert_true(o.vertex && o.all.local_minimum == CTL_MINIMUM_YES);
  ctl_plan_optimality_clear(&o);
  ctl_problem_clear(&p);
  ctl_plan_destroy(plan);
}

static void closed_forms(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) check(&cases[k]);
}

/* Two pieces of free lengths move a block by L = 1 m in T = 2 s: with the speed V = 2 L/T where u changes,
 * J = T + V^2 (1/h1 + 1/h2), least for h1 = h2, where dJ/dT = 1 - 48 L^2/T^4 = -2. So the multiplier of T is 2. */
static void lengths_at_a_minimum(void **state) {
  const double point[] = {2, 0, 1, 1};
  Form f;
  CtlProblem p;
  CtlPlanOptimality o;
  CtlQuantityValue values[FORM_QUANTITIES];
  (void)state;
  form_begin(&f, 1, 1, 1, 2, 2);
  form_vary_lengths(&f, 2, 2);
  form_add(&f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(&f, 0, 1);
  form_add(&f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_EQUAL, 2);
  CtlPlan *plan = form_plan(&f);
  assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
  assert_int_equal(ctl_plan_optimality(plan, &p, point, &o, values), SIM_OK);
  assert_true(fabs(values[0].value - 4) <= 1e-12 && fabs(values[3].multiplier - 2) <= 1e-9);
  assert_true(o.lengths[0] <= 1e-10 && o.lengths[1] <= 1e-10 && o.hamiltonian == o.lengths[1]);
  ctl_plan_optimality_clear(&o);
  ctl_problem_clear(&p);
  ctl_plan_destroy(plan);
}

/* Effort alone: it changes with the length of segment k by u_k^2, which is no minimum. */
static void lengths_beside_a_minimum(void **state) {
  const double point[] = {1.5, 3, 1, 0.7};
  Form f;
  CtlProblem p;
  CtlPlanOptimality o;
  CtlQuantityValue values[FORM_QUANTITIES];
  (void)state;
  form_begin(&f, 1, 1, 1, 2, 2);
  form_vary_lengths(&f, 2, 2);
  form_add(&f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  CtlPlan *plan = form_plan(&f);
  assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
  assert_int_equal(ctl_plan_optimality(plan, &p, point, &o, values), SIM_OK);
  assert_true(fabs(o.lengths[1] / o.lengths[0] - 4) <= 1e-12 && o.hamiltonian == o.lengths[1] && o.hamiltonian > 0.01);
  ctl_plan_optimality_clear(&o);
  ctl_problem_clear(&p);
  ctl_plan_destroy(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(lengths_at_a_minimum),
                                     cmocka_unit_test(lengths_beside_a_minimum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
