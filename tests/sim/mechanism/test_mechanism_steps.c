/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives along the steps of `moreau` for mechanisms, stops included: against differences of these steps, those of
 * the linear kind, those of `event` for shorter and shorter steps, and adjoint ones against forward ones. */
#include "tests/sim/mechanism/steps.h"

#include "sim/quantity.h"

enum { PARAMETERS = 2, COLUMNS_MAX = SEGMENTS + 2 * D_MAX + PARAMETERS };

static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_PARAMETER};

/* The final state of a motion, its derivatives, and those of velocities at stops. */
typedef struct Derivatives {
  double end[2 * D_MAX], state[2 * D_MAX * COLUMNS_MAX], stop[D_MAX * COLUMNS_MAX], stop_time[D_MAX],
      stop_acceleration[D_MAX];
  int columns;
  long impacts;
  bool smooth;
} Derivatives;

/* Differs from row to row of the adjoint derivatives at most by this. */
static double adjoint_off(const SimModel *model, SimWorkspace *work, int d, const double *u, int kinds,
                          const Derivatives *of) {
  enum { SUMS = 3 * D_MAX };
  static double weights[SUMS * 3 * D_MAX], gradients[SUMS * COLUMNS_MAX];
  double x[D_MAX], v[D_MAX], worst = 0;
  SimAdjoint *adjoint;
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(sim_adjoint_create(model, kinds, on, &adjoint), SIM_OK);
  assert_int_equal(sim_rollout_record(model, work, adjoint, u, &final), SIM_OK);
  memset(weights, 0, sizeof weights);
  for (int k = 0; k < 3 * d; k++) weights[k * 3 * d + k] = 1;
  assert_int_equal(sim_adjoint_sweep(adjoint, 3 * d, weights, gradients), SIM_OK);
  for (int k = 0; k < 3 * d; k++) {
    const double *row = k < 2 * d ? of->state + k * of->columns : of->stop + (k - 2 * d) * of->columns;
    for (int c = 0; c < of->columns; c++)
      worst = fmax(worst, fabs(gradients[k * of->columns + c] - row[c]) / (1 + fabs(row[c])));
  }
  sim_adjoint_destroy(adjoint);
  return worst;
}

/* Computes the derivatives by the first `kinds` of `on`. Returns by how much the adjoint ones differ. */
static double differentiate(SimProblem *p, const double *u, int kinds, Derivatives *of) {
  const SimReport report = {.complain = fixture_complain};
  SimSensitivity *columns;
  SimModel *model;
  SimWorkspace *work;
  SimFinal final = {.x = of->end, .v = of->end + p->d};
  SimDerivative derivative = {
      .state = of->state, .stop = of->stop, .stop_time = of->stop_time, .stop_acceleration = of->stop_acceleration};
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  assert_int_equal(stiction_sensitivity_create(model, kinds, on, &columns), SIM_OK);
  of->columns = stiction_sensitivity_columns(columns);
  stiction_rollout_sensitivity(model, work, columns, u, &final, &derivative);
  assert_int_equal(final.status, SIM_OK);
  of->smooth = derivative.smooth;
  of->impacts = final.impacts;
  double off = adjoint_off(model, work, p->d, u, kinds, of);
  stiction_sensitivity_destroy(columns);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return off;
}

/* A random mechanism with the steps of `moreau`, and stops in half of the cases. */
static void make(const RandomMechanism *r, uint64_t k, SimProblem *p, double *u) {
  random_problem(r, 1, 1e-10, p, u);
  assert_int_equal(sim_problem_set_scheme(p, "moreau"), SIM_OK);
  sim_problem_set(p, "theta", k % 2 ? 0.5 : 0.75);
  if (k % 4 > 1) set_stops(p, 0, r->upper, k % 8 > 3 ? NAN : 300);
}

/* Computes the final state with one number changed: of the control, x0, v0 or parameters. */
static void changed(const RandomMechanism *r, uint64_t k, int column, double by, double *end) {
  RandomMechanism other = *r;
  int d = r->text.d, at_x0 = SEGMENTS, at_v0 = at_x0 + d, at_parameters = at_v0 + d;
  double u[SEGMENTS], *number = column < at_x0           ? &other.u[column]
                                : column < at_v0         ? &other.x0[column - at_x0]
                                : column < at_parameters ? &other.v0[column - at_v0]
                                                         : &other.text.values[column - at_parameters];
  SimProblem p;
  *number += by;
  make(&other, k, &p, u);
  SimFinal final = mechanism_move(&p, u, NULL, end, end + d);
  assert_int_equal(final.status, SIM_OK);
  sim_problem_clear(&p);
}

/* What was compared, and by how much it differs at most. */
typedef struct Compared {
  long columns, apart; /* columns compared; columns of which a coordinate changes its branch within the difference */
  long impacts;
  double differences, adjoint;
} Compared;

/* Compares with differences. Two differences agree unless the branch of a coordinate changes between them. */
static void compare(const RandomMechanism *r, uint64_t k, const Derivatives *of, Compared *compared) {
  static const double STEP = 1e-6;
  int d = r->text.d;
  for (int c = 0; c < of->columns; c++) {
    double more[2 * D_MAX], less[2 * D_MAX], far[2 * D_MAX], size = 1, off = 0, bent = 0;
    changed(r, k, c, STEP, more);
    changed(r, k, c, -STEP, less);
    changed(r, k, c, 2 * STEP, far);
    for (int i = 0; i < 2 * d; i++) size = fmax(size, fabs(of->state[i * of->columns + c]));
    for (int i = 0; i < 2 * d; i++) {
      off = fmax(off, fabs((more[i] - less[i]) / (2 * STEP) - of->state[i * of->columns + c]) / size);
      bent = fmax(bent, fabs((more[i] - less[i]) / 2 - (far[i] - more[i])) / (STEP * size));
    }
    if (bent > 1e-3) {
      compared->apart++;
      continue;
    }
    compared->columns++;
    compared->differences = fmax(compared->differences, off);
    if (off > 1e-4) print_message("case %llu, column %d: off %g\n", (unsigned long long)k, c, off);
  }
}

/* Compares random mechanisms, with friction by direction if `sided`. */
static Compared compare_all(bool sided) {
  Compared compared = {.columns = 0};
  for (uint64_t k = 1; k <= 48; k++) {
    static RandomMechanism r;
    static Derivatives of;
    SimProblem p;
    double u[SEGMENTS];
    random_mechanism(k * 104729, &r);
    r.upper = fabs(r.x0[0]) + 0.1;
    for (int i = 0; i < r.text.d && sided; i++) append(r.friction[i], "*(1 + 0.3*sign(%s'))", names[i]);
    make(&r, k, &p, u);
    compared.adjoint = fmax(compared.adjoint, differentiate(&p, u, 4, &of));
    sim_problem_clear(&p);
    if (of.smooth) compare(&r, k, &of, &compared);
    if (of.smooth) compared.impacts += of.impacts;
  }
  print_message("%ld columns compared, %ld of a changed branch, off %.1e, adjoint ones %.1e; %ld impacts\n",
                compared.columns, compared.apart, compared.differences, compared.adjoint, compared.impacts);
  return compared;
}

static void derivatives_are_differences(void **state) {
  (void)state;
  Compared compared = compare_all(false);
  assert_true(compared.impacts > 20 && compared.columns > 300 && compared.apart < compared.columns / 5);
  assert_true(compared.differences < 1e-4 && compared.adjoint < 1e-11);
}

static void those_with_friction_by_direction_are_differences(void **state) {
  (void)state;
  Compared compared = compare_all(true);
  assert_true(compared.columns > 300 && compared.apart < compared.columns / 4);
  assert_true(compared.differences < 1e-4 && compared.adjoint < 1e-11);
}

static void linear_models_have_the_same_derivatives(void **state) {
  double worst = 0, apart = 0;
  (void)state;
  for (uint64_t k = 0; k < 96; k++) {
    static const double parts[] = {1, 0, 1.0 / 3};
    static Derivatives ours, like;
    MechanismText text = linear;
    SimProblem p, other;
    double u[SEGMENTS], damping = text.values[0] = (double)(k / 2 % 2), friction = text.values[1] = parts[k % 3];
    mechanism_problem(&text, 1, 4, &p);
    set_matrices(&other, damping, friction);
    set_case(&p, k, u);
    set_case(&other, k, u);
    apart = fmax(apart, differentiate(&p, u, 3, &ours));
    (void)differentiate(&other, u, 3, &like);
    assert_int_equal(ours.columns, like.columns);
    assert_int_equal(ours.smooth, like.smooth);
    for (int c = 0; c < ours.columns; c++) {
      double size = 1;
      for (int i = 0; i < 4; i++) size = fmax(size, fabs(like.state[i * like.columns + c]));
      for (int i = 0; i < 4; i++)
        worst = fmax(worst, fabs(ours.state[i * like.columns + c] - like.state[i * like.columns + c]) / size);
      for (int i = 0; i < 2; i++)
        worst = fmax(worst, fabs(ours.stop[i * like.columns + c] - like.stop[i * like.columns + c]) / size);
    }
    sim_problem_clear(&p);
    sim_problem_clear(&other);
  }
  print_message("off %.1e, adjoint ones %.1e\n", worst, apart);
  assert_true(worst < 1e-9 && apart < 1e-11);
}

/* Computes the derivatives of a motion of 0.5 s from the angle `start`. wall: rigid ends of the first coordinate; 0:
 * none. steps: of `moreau`; 0: by `event`. */
static void derivatives_of(const MechanismText *text, double start, double wall, const double *u, long steps,
                           Derivatives *of) {
  static const double END = 0.5;
  SimProblem p;
  mechanism_problem(text, 1, END, &p);
  fixture_time(&p, END, steps ? steps : 100);
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = SEGMENTS;
  p.x0[text->d - 1] = start;
  if (wall > 0) set_stops(&p, 0, wall, NAN);
  if (steps) assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
  assert_true(differentiate(&p, u, 3, of) < 1e-9);
  sim_problem_clear(&p);
}

/* In these motions no coordinate comes to rest or turns, and an impact makes no other coordinate jump: derivatives of
 * steps lack how this time changes. */
static void derivatives_approach_those_of_the_motion(void **state) {
  enum { FIRST = 400, GRIDS = 4, ANGLES = 16 };
  static const struct {
    const char *name;
    const MechanismText *text;
    double start, wall, u[SEGMENTS];
  } cases[] = {{"pendulum", &pendulum, 2, 0, {1, 0, 2, 1}},
               {"cart-pole", &cart_pole, 2, 0, {7, 8, 9, 10}},
               {"pendulum that bounces", &pendulum, 0.2, 1, {12, 13, 12, 13}}};
  (void)state;
  for (int c = 0; c < 3; c++) {
    double error[GRIDS] = {0};
    for (int a = 0; a < ANGLES; a++) {
      static Derivatives exact, of;
      double start = cases[c].start * (1 + 0.01 * a);
      int size = 2 * cases[c].text->d * (SEGMENTS + 2 * cases[c].text->d);
      derivatives_of(cases[c].text, start, cases[c].wall, cases[c].u, 0, &exact);
      assert_int_equal(exact.impacts, cases[c].wall > 0);
      for (int g = 0; g < GRIDS; g++) {
        derivatives_of(cases[c].text, start, cases[c].wall, cases[c].u, (long)FIRST << (2 * g), &of);
        for (int k = 0; k < size; k++) error[g] += fabs(of.state[k] - exact.state[k]) / (ANGLES * size);
      }
    }
    print_message("%s: off %.2e %.2e %.2e %.2e\n", cases[c].name, error[0], error[1], error[2], error[3]);
    for (int g = 1; g < GRIDS; g++) assert_true(error[g] < error[g - 1] / 2);
  }
}

/* A force may jump between two steps, and their derivatives lack how the time of this changes. */
static void jumps_of_forces_are_reported(void **state) {
  static const char *const forces[] = {"x > 0.1 ? -3 : 0", "-5*max(0, x - 0.1)", "x > 10 ? -3 : 0"};
  (void)state;
  for (int k = 0; k < 3; k++) {
    const MechanismText text = {
        .d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .applied = {forces[k]}, .friction = {"0.5"}};
    static Derivatives of;
    SimProblem p;
    const double u = 2;
    mechanism_problem(&text, 1, 1, &p);
    assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
    assert_true(differentiate(&p, &u, 1, &of) < 1e-12);
    assert_true(of.end[0] > 0.1);
    assert_int_equal(of.smooth, k > 0);
    sim_problem_clear(&p);
  }
}

/* Derivatives by parameters that a choice compares are one-sided where these are equal. */
static void equal_parameters_have_no_derivatives(void **state) {
  static const struct {
    const char *force;
    double pa, pb;
    bool smooth;
  } cases[] = {{"max(pa, pb) - x", 0.3, 0.3, false},
               {"max(pa, pb) - x", 0.3, 0.2, true},
               {"abs(pa - pb) - x", 0, 0, false},
               {"pa + pb - x", 0.3, 0.3, true}};
  (void)state;
  for (int k = 0; k < 8; k++) {
    const MechanismText text = {.d = 1,
                                .coordinates = {"x"},
                                .kinetic = "x'^2/2",
                                .applied = {cases[k / 2].force},
                                .friction = {"0.1"},
                                .parameters = {"pa", "pb"},
                                .values = {cases[k / 2].pa, cases[k / 2].pb}};
    static Derivatives of;
    SimProblem p;
    const double u = 0.5;
    mechanism_problem(&text, 1, 1, &p);
    assert_int_equal(sim_problem_set_scheme(&p, "moreau"), SIM_OK);
    assert_true(differentiate(&p, &u, k % 2 ? 4 : 3, &of) < 1e-12);
    assert_int_equal(of.smooth, k % 2 == 0 || cases[k / 2].smooth);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_models_have_the_same_derivatives),
                                     cmocka_unit_test(derivatives_are_differences),
                                     cmocka_unit_test(those_with_friction_by_direction_are_differences),
                                     cmocka_unit_test(equal_parameters_have_no_derivatives),
                                     cmocka_unit_test(derivatives_approach_those_of_the_motion),
                                     cmocka_unit_test(jumps_of_forces_are_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
