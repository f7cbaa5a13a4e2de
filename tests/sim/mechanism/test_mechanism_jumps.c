/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives along the motions of mechanisms through impacts on rigid stops, through kinks where forces jump, and
 * with friction by direction. */
#include "sim/quantity.h"
#include "tests/sim/mechanism/derivatives.h"

/* Adds forces and thresholds that jump at places, at combinations of places and rates, and with parameters and time;
 * and often stops. */
static void add_events(uint64_t seed, RandomMechanism *r) {
  const char *last = names[r->text.d - 1];
  append(r->applied[0], " + (x > %.3f*pa ? -2 : 0.5)", between(&seed, 0, 0.5));
  append(r->applied[r->text.d - 1], " - 1.5*sign(%s + 0.1*x' + 0.2*t - %.3f)", last, between(&seed, -0.3, 0.5));
  append(r->friction[0], "*(x*pb < %.3f ? 1.3 : 0.8)", between(&seed, -0.5, 0.2));
  if (choose(&seed, 3)) r->text.values[0] = between(&seed, 0.5, 1.5);
  if (choose(&seed, 3)) r->text.values[1] = between(&seed, 0.5, 1.5);
  if (choose(&seed, 3) == 0) return;
  r->lower = r->x0[0] - between(&seed, 0.02, 0.3);
  r->upper = r->x0[0] + between(&seed, 0.02, 0.3);
}

static void derivatives_through_impacts_and_jumps_of_forces_are_differences(void **state) {
  (void)state;
  assert_true(compare_with_differences(add_events).impacts > 50);
}

/* A mass, or two masses that do not act on each other, with parameters pa and pb. exists: whether derivatives do. */
typedef struct Case {
  const char *applied[2], *friction;
  double pa, pb;
  bool exists;
} Case;

static const Case cases[] = {
    /* two functions of different parameters that are 0 at the same place; one function, written in two ways */
    {{"-4*(x > pa ? 1 : 0) - 3*(x - pb > 0 ? 1 : 0)"}, "0", 0.3, 0.3, false},
    {{"-4*(x > pa ? 1 : 0) - 3*(x - pb > 0 ? 1 : 0)"}, "0", 0.3, 0.2, true},
    {{"-4*(x > pa ? 1 : 0) - pb*(2*x - 2*pa > 0 ? 1 : 0)"}, "0", 0.3, 0.3, true},
    /* functions with large terms */
    {{"5*sin(4*t) - 3*(pa*200000*(x - 0.01*pb) > 500 ? 1 : 0)"}, "0.1", 1.1, 0.4, true},
    {{"5*sin(4*t) - 3*(pa*200000*(x - 0.01*pb) > 500 ? 1 : 0)"}, "0.1", 1, 0, true},
    {{"5*sin(4*t) - 3*(0.5*1000*pa*x'^2 - 9810*(0.02 + x*pb) > 0 ? 0 : 1)"}, "0.1", 1.1, 0.4, true},
    /* a small jump beside a large acceleration */
    {{"-0.5*(x > pa ? 1 : 0)", "1000000"}, "0", 0.3, 1, true},
    {{"-0.5*(x - pa*x' > pb ? 1 : 0)", "1000000"}, "0", 0, 0, true},
    /* parameters that a choice compares */
    {{"max(pa, pb) - x"}, "0", 0.3, 0.3, false},
    {{"max(pa, pb) - x"}, "0", 0, 0, false},
    {{"max(pa, pb) - x - (x > pa ? 1 : 0)"}, "0", 0.2, 0.3, true},
    {{"(pa > pb ? 2 : 1) - x"}, "0.1*abs(pa - pb)", 1, 1, false},
    {{"(pa > pb ? 2 : 1) - x"}, "0.1*abs(pa - pb)", 1, 0, true},
    /* a parameter of 0 hides a kink, which its derivative needs */
    {{"sin(2*t) + pb - pa*(x > 0.7 ? 1 : 0)"}, "0", 0, 0.3, true},
    {{"sin(2*t) + pb - pa*max(0, x - 0.7)"}, "0", 0, 0.3, true},
    {{"pb - 2*x"}, "0.1*(1 + pa*abs(x - 0.4))", 0, 0.3, true},
    {{"-4*(x > pa ? 1 : 0) - pb*(2*x - 2*pa > 0 ? 1 : 0)"}, "0", 0.3, 0, true},
};

static void make_case(const Case *of, RandomMechanism *r) {
  *r = (RandomMechanism){.text = {.d = of->applied[1] ? 2 : 1, .parameters = {"pa", "pb"}, .values = {of->pa, of->pb}}};
  append(r->kinetic, of->applied[1] ? "0.5*x'^2 + 0.5*y'^2" : "0.5*x'^2");
  append(r->potential, "0");
  for (int i = 0; i < r->text.d; i++) {
    append(r->applied[i], "%s", of->applied[i]);
    append(r->friction[i], "%s", of->friction);
    r->text.coordinates[i] = names[i];
    r->text.applied[i] = r->applied[i];
    r->text.friction[i] = r->friction[i];
  }
  r->text.kinetic = r->kinetic;
  r->text.potential = r->potential;
  r->x0[0] = -0.1;
  r->v0[0] = 1.2;
  for (int k = 0; k < SEGMENTS; k++) r->lengths[k] = 0.3;
}

/* Compares each row by its own size, as coordinates may have different units. Returns the largest difference. */
static double compare_case(const RandomMechanism *r, const Derivatives *of) {
  static const double STEP = 1e-5;
  int d = r->text.d;
  double worst = 0;
  for (int c = 0; c < of->columns; c++) {
    double more[2 * D_MAX], less[2 * D_MAX];
    assert_true(changed(r, c, STEP, more) >= 0 && changed(r, c, -STEP, less) >= 0);
    for (int i = 0; i < 2 * d; i++) {
      double size = 1 + 1e-3 * (fabs(more[i]) + fabs(less[i])), row = of->state[i * of->columns + c];
      worst = fmax(worst, fabs((more[i] - less[i]) / (2 * STEP) - row) / (size + fabs(row)));
    }
  }
  return worst;
}

static void values_of_parameters_do_not_hide_jumps(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    static RandomMechanism r;
    static Derivatives of;
    double apart = 0;
    make_case(&cases[k], &r);
    differentiate(&r, &of);
    if (of.final.status != SIM_OK) fail_msg("%s: status %d", cases[k].applied[0], of.final.status);
    assert_true(try_adjoint(k, &r, &of, &apart));
    double off = of.derivative.smooth ? compare_case(&r, &of) : 0;
    if (of.derivative.smooth != cases[k].exists || off > 1e-5)
      fail_msg("%s, pa = %g, pb = %g: smooth %d, off %.1e", cases[k].applied[0], cases[k].pa, cases[k].pb,
               of.derivative.smooth, off);
  }
}

/* Makes every threshold depend on the direction of its own rate. */
static void add_directions(uint64_t seed, RandomMechanism *r) {
  for (int i = 0; i < r->text.d; i++)
    append(r->friction[i], "*(1 + %.3f*sign(%s'))", between(&seed, -0.4, 0.4), names[i]);
}

static void derivatives_with_thresholds_by_direction_are_differences(void **state) {
  (void)state;
  (void)compare_with_differences(add_directions);
}

enum { INTEGRALS = 3 };

/* Computes integrals of a motion with one number changed, and their rows; column < 0: none is changed, columns: rows
 * are not wanted. Returns the number of the motion's events; -1 if it failed or is not smooth. */
static long integrals_of(const RandomMechanism *r, int column, double by, double *values, double *rows, int *columns) {
  static const double x[D_MAX] = {1, -0.5, 2}, v[D_MAX] = {0.3, 1, -0.7};
  const SimQuantity of[INTEGRALS] = {{.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = x, .v = v},
                                     {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SIZE, .v = v},
                                     {.way = SIM_INTEGRAL, .v = x, .x = v}};
  RandomMechanism other = *r;
  SimSensitivity *sensitivity = NULL;
  Run run;
  double end_x[D_MAX], end_v[D_MAX];
  SimFinal final = {.x = end_x, .v = end_v};
  SimReading reading = {.values = values, .rows = rows};
  if (column >= 0) *number_of(&other, column) += by;
  begin(&run, &other);
  if (rows) assert_int_equal(stiction_sensitivity_create(run.model, 5, on, &sensitivity), SIM_OK);
  if (rows) *columns = stiction_sensitivity_columns(sensitivity);
  SimStatus status =
      sim_rollout_quantities(run.model, run.work, sensitivity, run.u, INTEGRALS, of, &final, NULL, &reading);
  bool smooth = status == SIM_OK && final.grazes == 0 && (!rows || sim_sensitivity_smooth(sensitivity));
  stiction_sensitivity_destroy(sensitivity);
  end(&run);
  return smooth ? final.iterations : -1;
}

/* The integrands jump at these events, the times of which have derivatives. */
static void integrals_through_them_have_derivatives(void **state) {
  static const double STEP = 2e-6; /* with 1e-5 the differences themselves are off 9e-5 */
  double worst = 0;
  long compared = 0;
  (void)state;
  for (uint64_t k = 1; k <= 40; k++) {
    static RandomMechanism r;
    double values[INTEGRALS], rows[INTEGRALS * COLUMNS_MAX], more[INTEGRALS], less[INTEGRALS];
    int n = 0;
    random_mechanism(k * 15485863, &r);
    add_events(k * 15485863, &r);
    long events = integrals_of(&r, -1, 0, values, rows, &n);
    for (int c = 0; c < n && events >= 0; c++) {
      double size = 1;
      bool at_rest = c >= SEGMENTS + r.text.d && c < SEGMENTS + 2 * r.text.d && r.v0[c - SEGMENTS - r.text.d] == 0;
      if (at_rest || integrals_of(&r, c, STEP, more, NULL, NULL) != events ||
          integrals_of(&r, c, -STEP, less, NULL, NULL) != events)
        continue;
      for (int i = 0; i < INTEGRALS; i++) size = fmax(size, fabs(rows[i * n + c]));
      for (int i = 0; i < INTEGRALS; i++, compared++)
        worst = fmax(worst, fabs((more[i] - less[i]) / (2 * STEP) - rows[i * n + c]) / size);
    }
  }
  print_message("%ld integrals, off %.1e\n", compared, worst);
  assert_true(worst < 1e-5 && compared > 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_through_impacts_and_jumps_of_forces_are_differences),
                                     cmocka_unit_test(values_of_parameters_do_not_hide_jumps),
                                     cmocka_unit_test(derivatives_with_thresholds_by_direction_are_differences),
                                     cmocka_unit_test(integrals_through_them_have_derivatives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
