/* SPDX-License-Identifier: BSD-2-Clause */
/* Optimal control problems with closed-form answers, as motion plans. */
#ifndef TESTS_PLAN_FORMS_H
#define TESTS_PLAN_FORMS_H

#include "control/plan/plan.h"
#include "tests/fixture.h"

enum { FORM_D = 2, FORM_VARIABLES = 64, FORM_QUANTITIES = 16, FORM_CONTROLS = 256 };

typedef struct Form {
  SimProblem problem;
  CtlVariable variable[FORM_VARIABLES];
  CtlQuantity quantity[FORM_QUANTITIES];
  double weights[FORM_QUANTITIES][4][FORM_D];
  double lower[FORM_CONTROLS], upper[FORM_CONTROLS];
  double N[FORM_D * FORM_D], around[FORM_D];
  CtlPlanSetting setting;
} Form;

/* Begins with d blocks of mass 1 with these thresholds, at rest. */
static inline void form_begin(Form *f, int d, int p, double friction, double end, int segments) {
  static double unit[FORM_CONTROLS];
  (void)unit;
  *f = (Form){0};
  assert_int_equal(sim_problem_init(&f->problem, SIM_FRICTION, d, p), SIM_OK);
  fixture_scheme(&f->problem, "event");
  for (int i = 0; i < d; i++) {
    f->problem.system.mass[i * (d + 1)] = 1;
    f->problem.friction[i] = friction;
  }
  f->problem.signal = SIM_PIECEWISE_CONSTANT;
  f->problem.segments = segments;
  fixture_time(&f->problem, end, 100);
  for (int i = 0; i < p * segments; i++) {
    f->lower[i] = -INFINITY;
    f->upper[i] = INFINITY;
  }
  f->setting = (CtlPlanSetting){
      .problem = &f->problem, .variable = f->variable, .quantity = f->quantity, .lower = f->lower, .upper = f->upper};
}

static inline void form_bound(Form *f, double most) {
  for (int i = 0; i < f->problem.n_control * f->problem.segments; i++) {
    f->lower[i] = -most;
    f->upper[i] = most;
  }
}

static inline void form_vary(Form *f, CtlVary what, int entry, double lower, double upper, double start) {
  f->variable[f->setting.variables++] =
      (CtlVariable){.what = what, .entry = entry, .lower = lower, .upper = upper, .start = start};
}

static inline void form_vary_lengths(Form *f, double upper, double end) {
  int segments = f->problem.segments;
  for (int k = 0; k < segments; k++) form_vary(f, CTL_VARY_LENGTH, k, 0, upper, end / segments);
}

/* Adds a quantity with the weights x, v of a dof. */
static inline CtlQuantity *form_add(Form *f, CtlRead read, SimWay way, int dof, double x, double v, CtlRole role,
                                    double target) {
  int k = f->setting.quantities++;
  CtlQuantity *q = &f->quantity[k];
  *q = (CtlQuantity){.read = read, .of = {.way = way}, .role = role, .target = target, .weight = 1};
  if (read == CTL_READ_MOTION && way != SIM_END_TIME) {
    f->weights[k][0][dof] = x;
    f->weights[k][1][dof] = v;
    q->of.x = f->weights[k][0];
    q->of.v = f->weights[k][1];
  }
  snprintf(q->name, sizeof q->name, "q%d", k);
  return q;
}

/* Adds the targets of a block that moves from rest at 0 to rest at x. */
static inline void form_to(Form *f, int dof, double x) {
  form_add(f, CTL_READ_MOTION, SIM_AT_END, dof, 1, 0, CTL_ROLE_EQUAL, x);
  form_add(f, CTL_READ_MOTION, SIM_AT_END, dof, 0, 1, CTL_ROLE_EQUAL, 0);
}

static inline void form_least_time(Form *f, int segments) {
  form_begin(f, 1, 1, 1, 20, segments);
  form_bound(f, 2);
  form_vary(f, CTL_VARY_END, 0, 0.1, 20, 2.5);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 1);
}

static inline void form_least_time_lengths(Form *f, int segments) {
  form_begin(f, 1, 1, 1, 20, segments);
  form_bound(f, 2);
  form_vary_lengths(f, 20, 2.5);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 1);
}

static inline void form_speed(Form *f, int segments) {
  form_least_time(f, segments);
  form_add(f, CTL_READ_MOTION, SIM_LARGEST, 0, 0, 1, CTL_ROLE_AT_MOST, 0.6);
}

static inline void form_speed_lengths(Form *f, int segments) {
  form_least_time_lengths(f, segments);
  form_add(f, CTL_READ_MOTION, SIM_LARGEST, 0, 0, 1, CTL_ROLE_AT_MOST, 0.6);
}

static inline void form_oscillator_rest(Form *f) {
  f->problem.system.stiffness[0] = 1;
  f->problem.x0[0] = 1.5;
  form_bound(f, 1);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 0);
}

static inline void form_oscillator(Form *f, int segments) {
  form_begin(f, 1, 1, 0.2, 20, segments);
  form_vary(f, CTL_VARY_END, 0, 0.1, 20, 2.5);
  form_oscillator_rest(f);
}

static inline void form_oscillator_lengths(Form *f, int segments) {
  form_begin(f, 1, 1, 0.2, 20, segments);
  form_vary_lengths(f, 20, 2.5);
  form_oscillator_rest(f);
}

static inline void form_effort_time(Form *f, int segments) {
  form_begin(f, 1, 1, 1, 20, segments);
  form_vary(f, CTL_VARY_END, 0, 0.1, 20, 2.5);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 1);
}

static inline void form_via(Form *f, int segments) {
  form_begin(f, 1, 1, 1, 2, segments);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 1);
  form_add(f, CTL_READ_MOTION, SIM_AT_TIME, 0, 1, 0, CTL_ROLE_EQUAL, 0.6)->of.time = 0.8;
}

/* A block passes x = 0.6 m at a time that is free, so J is the same as without this condition. */
static inline void form_free_via(Form *f, int segments) {
  form_begin(f, 1, 1, 1, 2, segments);
  form_vary(f, CTL_VARY_TIME, 0, 0.1, 1.9, 0.8);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 1);
  form_add(f, CTL_READ_MOTION, SIM_AT_TIME, 0, 1, 0, CTL_ROLE_EQUAL, 0.6)->time = 1;
}

/* Bryson and Denham's problem: from (0, 1) to (0, -1) in 1 s with x <= 0.1 and half of the effort as the cost. */
static inline void form_bryson(Form *f, int segments) {
  form_begin(f, 1, 1, 0, 1, segments);
  f->problem.v0[0] = 1;
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0)->weight = 0.5;
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 1, 0, CTL_ROLE_EQUAL, 0);
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 0, 1, CTL_ROLE_EQUAL, -1);
  form_add(f, CTL_READ_MOTION, SIM_LARGEST, 0, 1, 0, CTL_ROLE_AT_MOST, 0.1);
}

static inline void form_fuel(Form *f, int segments) {
  form_begin(f, 1, 1, 1, 3, segments);
  form_bound(f, 2);
  form_add(f, CTL_READ_FUEL, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 1);
}

static inline void form_period(Form *f, int dof, double advance) {
  CtlQuantity *x = form_add(f, CTL_READ_MOTION, SIM_AT_END, dof, 1, 0, CTL_ROLE_EQUAL, advance),
              *v = form_add(f, CTL_READ_MOTION, SIM_AT_END, dof, 0, 1, CTL_ROLE_EQUAL, 0);
  x->of.from_x = x->of.x;
  v->of.from_v = v->of.v;
}

/* A block advances by 0.1 m every 2 s; v(0) = v(T) is free. */
static inline void form_periodic(Form *f, int segments) {
  form_begin(f, 1, 1, 1, 2, segments);
  form_vary(f, CTL_VARY_VELOCITY, 0, -10, 10, 0);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_period(f, 0, 0.1);
}

/* An inner mass drives a body on the ground by 5 cm every second. */
static inline void form_inertia(Form *f, int segments) {
  form_begin(f, 2, 1, 0, 1, segments);
  f->problem.friction[0] = 1;
  f->problem.control_matrix[0] = -1;
  f->problem.control_matrix[1] = 1;
  form_vary(f, CTL_VARY_VELOCITY, 1, -10, 10, 0);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_period(f, 0, 0.05);
  form_period(f, 1, 0.05);
}

/* Published problem: x'' = u - sgn x' from (0, 1) to (-1, 0) with |u| <= 2. */
static inline void form_published(Form *f, int segments) {
  form_begin(f, 1, 1, 1, 20, segments);
  f->problem.v0[0] = 1;
  form_bound(f, 2);
  form_vary_lengths(f, 20, 2.5);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, -1);
}

/* Two masses with springs between them are moved by two forces in the least time. */
static inline void form_masses(Form *f, int segments) {
  static const double mass[] = {1.1, 0, 0, 1.2}, stiffness[] = {1.8, -0.85, -0.85, 0.85};
  form_begin(f, 2, 2, 1, 20, segments);
  memcpy(f->problem.system.mass, mass, sizeof mass);
  memcpy(f->problem.system.stiffness, stiffness, sizeof stiffness);
  f->problem.v0[0] = -1;
  f->problem.v0[1] = -2;
  form_bound(f, 4);
  form_vary(f, CTL_VARY_END, 0, 0.1, 20, 2.5);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 1);
  form_to(f, 1, 2);
}

/* An arm of two joints moves in the least time. */
static inline void form_arm(Form *f, int segments) {
  static const double mass[] = {3, 1, 1, 2};
  form_begin(f, 2, 2, 4, 20, segments);
  memcpy(f->problem.system.mass, mass, sizeof mass);
  f->problem.friction[1] = 3;
  form_bound(f, 15);
  form_vary(f, CTL_VARY_END, 0, 0.1, 20, 1.5);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(f, 0, 1);
  form_to(f, 1, 0.5);
}

/* As form_arm, but the first joint is no faster than 0.9 rad/s. */
static inline void form_arm_speed(Form *f, int segments) {
  form_arm(f, segments);
  form_add(f, CTL_READ_MOTION, SIM_LARGEST, 0, 0, 1, CTL_ROLE_AT_MOST, 0.9);
  form_add(f, CTL_READ_MOTION, SIM_LARGEST, 0, 0, 1, CTL_ROLE_AT_LEAST, -0.9);
}

static inline CtlPlan *form_plan(Form *f) {
  const SimReport report = {NULL, fixture_complain};
  CtlPlan *plan;
  assert_int_equal(stiction_problem_finalize(&f->problem, &report), SIM_OK);
  assert_int_equal(ctl_plan_create(&f->setting, &report, &plan), SIM_OK);
  sim_problem_clear(&f->problem);
  return plan;
}

/* Searches in this process. point: [n] set to the answer. */
static inline CtlState form_search(CtlPlan *plan, const CtlProblem *p, double *point) {
  CtlSearch *search;
  CtlEvaluator evaluator = ctl_plan_evaluator(plan);
  const SimReport report = {NULL, fixture_complain};
  CtlState found;
  assert_int_equal(stiction_control_check(p, &report), SIM_OK);
  assert_int_equal(stiction_asktell_create(p, &search), SIM_OK);
  assert_int_equal(ctl_drive_serial(search, &evaluator, NULL, NULL), 0);
  stiction_asktell_state(search, &found);
  memcpy(point, found.control, (size_t)p->n * sizeof *point);
  stiction_asktell_destroy(search);
  return found;
}

#endif
