/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares derivatives along the motions of random mechanisms with central differences of motions, and adjoint
 * derivatives with forward ones. */
#include "sim/quantity.h"
#include "tests/sim/mechanism/derivatives.h"

static void derivatives_are_differences(void **state) {
  (void)state;
  (void)compare_with_differences(NULL);
}

/* sin(x_1) + t x_d^2 */
static double bent(void *context, double t, const double *x, double *slopes) {
  int d = *(const int *)context;
  memset(slopes, 0, ((size_t)d + 1) * sizeof *slopes);
  slopes[0] = cos(x[0]);
  slopes[d - 1] += 2 * t * x[d - 1];
  slopes[d] = x[d - 1] * x[d - 1];
  return sin(x[0]) + t * x[d - 1] * x[d - 1];
}

/* Their derivatives are those of the coordinates at the same time, by the chain rule. */
static void places_on_the_way_have_derivatives(void **state) {
  enum { TIMES = 3, MOST = TIMES * (D_MAX + 1) };
  static const double unit[D_MAX][D_MAX] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double worst = 0;
  (void)state;
  for (uint64_t k = 1; k <= 60; k++) {
    static RandomMechanism r;
    static double values[MOST], rows[MOST * COLUMNS_MAX];
    SimQuantity of[MOST];
    SimSensitivity *columns;
    Run run;
    double x[D_MAX], v[D_MAX];
    SimFinal final = {.x = x, .v = v};
    SimReading reading = {.values = values, .rows = rows};
    random_mechanism(k * 15485863, &r);
    begin(&run, &r);
    int d = r.text.d, n = 0;
    for (int a = 0; a < TIMES; a++)
      for (int i = 0; i <= d; i++) {
        SimWay way = a ? SIM_AT_TIME : SIM_AT_END;
        of[n] = (SimQuantity){.way = way, .time = a * 0.31 * run.problem.end, .x = i < d ? unit[i] : NULL};
        if (i == d) of[n].place = bent;
        if (i == d) of[n].context = &d;
        n++;
      }
    assert_int_equal(stiction_sensitivity_create(run.model, 5, on, &columns), SIM_OK);
    int width = stiction_sensitivity_columns(columns);
    assert_int_equal(sim_rollout_quantities(run.model, run.work, columns, run.u, n, of, &final, NULL, &reading),
                     SIM_OK);
    for (int a = 0; a < TIMES; a++) {
      const double *at = values + a * (d + 1), *first = rows + a * (d + 1) * width;
      double slopes[D_MAX + 1], t = a ? of[a * (d + 1)].time : run.problem.end;
      worst = fmax(worst, fabs(at[d] - bent(&d, t, at, slopes)));
      for (int c = 0; c < width; c++) {
        double sum = !a && c >= width - SEGMENTS ? slopes[d] : 0; /* T is the sum of the lengths */
        for (int i = 0; i < d; i++) sum += slopes[i] * first[i * width + c];
        worst = fmax(worst, fabs(first[d * width + c] - sum) / (1 + fabs(sum)));
      }
    }
    stiction_sensitivity_destroy(columns);
    end(&run);
  }
  print_message("off %.1e\n", worst);
  assert_true(worst < 1e-12);
}

enum { EXTREMES = 2 * SEGMENTS, SAMPLES = 200 };

/* Largest and least places of a motion's segments, and the same places read at the times of these. */
typedef struct Extremes {
  double values[EXTREMES], rows[EXTREMES * COLUMNS_MAX], times[EXTREMES];
  double then[EXTREMES], then_rows[EXTREMES * COLUMNS_MAX], rates[EXTREMES];
} Extremes;

static void read_extremes(const Run *run, SimSensitivity *columns, int *d, Extremes *e) {
  double x[D_MAX], v[D_MAX];
  SimQuantity of[EXTREMES];
  SimFinal final = {.x = x, .v = v};
  SimReading reading = {.values = e->values, .rows = e->rows, .times = e->times};
  for (int a = 0; a < 2; a++) of[a] = (SimQuantity){.way = SIM_LARGEST, .place = bent, .context = d, .negative = a};
  assert_int_equal(sim_rollout_quantities(run->model, run->work, columns, run->u, 2, of, &final, NULL, &reading),
                   SIM_OK);
  for (int a = 0; a < EXTREMES; a++) {
    of[a] = of[0];
    of[a].way = SIM_AT_TIME;
    of[a].negative = a >= SEGMENTS;
    of[a].time = e->times[a];
  }
  reading = (SimReading){.values = e->then, .rows = e->then_rows, .rates = e->rates};
  assert_int_equal(sim_rollout_quantities(run->model, run->work, columns, run->u, EXTREMES, of, &final, NULL, &reading),
                   SIM_OK);
}

/* Compares extreme places with places at their times. Returns how many lie inside a segment. A time at an end of a
 * segment moves with lengths: there the derivative at a fixed time and the rate are its derivative. */
static long compare_extremes(const RandomMechanism *r, int width, const Extremes *e, double *worst) {
  long inside = 0;
  for (int a = 0; a < EXTREMES; a++) {
    int segment = a % SEGMENTS;
    double start = 0;
    for (int c = 0; c < segment; c++) start += r->lengths[c];
    bool at_end = fabs(e->times[a] - start - r->lengths[segment]) < 1e-9, at_start = fabs(e->times[a] - start) < 1e-9;
    inside += !at_end && !at_start;
    *worst = fmax(*worst, fabs(e->values[a] - e->then[a]));
    for (int c = 0; c < width; c++) {
      int length = c - (width - SEGMENTS);
      bool moves = length >= 0 && (at_end ? length <= segment : length < segment);
      double expected = e->then_rows[a * width + c] + (moves ? e->rates[a] : 0);
      *worst = fmax(*worst, fabs(e->rows[a * width + c] - expected) / (1 + fabs(expected)));
    }
  }
  return inside;
}

/* Checks that no time has a larger or lesser place. */
static void nothing_is_beyond(const Run *run, int *d, const Extremes *e) {
  double values[SAMPLES], x[D_MAX], v[D_MAX], most = -INFINITY, least = INFINITY;
  SimQuantity of[SAMPLES];
  SimFinal final = {.x = x, .v = v};
  SimReading reading = {.values = values};
  for (int a = 0; a < SAMPLES; a++)
    of[a] =
        (SimQuantity){.way = SIM_AT_TIME, .place = bent, .context = d, .time = run->problem.end * (a + 0.5) / SAMPLES};
  assert_int_equal(sim_rollout_quantities(run->model, run->work, NULL, run->u, SAMPLES, of, &final, NULL, &reading),
                   SIM_OK);
  for (int c = 0; c < SEGMENTS; c++) {
    most = fmax(most, e->values[c]);
    least = fmin(least, -e->values[SEGMENTS + c]);
  }
  for (int a = 0; a < SAMPLES; a++) assert_true(values[a] <= most + 1e-12 && values[a] >= least - 1e-12);
}

static void extreme_places_are_places_at_their_times(void **state) {
  static Extremes extremes;
  double worst = 0;
  long inside = 0;
  (void)state;
  for (uint64_t k = 1; k <= 40; k++) {
    static RandomMechanism r;
    SimSensitivity *columns;
    Run run;
    random_mechanism(k * 15485863, &r);
    begin(&run, &r);
    assert_int_equal(stiction_sensitivity_create(run.model, 5, on, &columns), SIM_OK);
    read_extremes(&run, columns, &r.text.d, &extremes);
    inside += compare_extremes(&r, stiction_sensitivity_columns(columns), &extremes, &worst);
    nothing_is_beyond(&run, &r.text.d, &extremes);
    stiction_sensitivity_destroy(columns);
    end(&run);
  }
  print_message("%ld of them inside a segment, off %.1e\n", inside, worst);
  assert_true(worst < 1e-8 && inside > 40);
}

/* A parameter that is 0 lets the graph of numbers fold a kink away, at which derivatives by the parameter jump. */
static void parameters_that_are_0_have_derivatives(void **state) {
  static const struct {
    const char *applied, *friction;
    double v0;
  } cases[] = {{"sin(2*t) + pb - pa*max(0, x - 0.7)", "0", 0.5},
               {"sin(2*t) + pb - pa*(x > 0.7 ? 1 : 0)", "0", 0.5},
               {"pb - 2*x", "0.1*(1 + pa*abs(x - 0.4))", 1.5}};
  const double small = 1e-5;
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    static Derivatives of;
    RandomMechanism r = {.text = {.d = 1, .coordinates = {"x"}, .kinetic = "x'^2/2", .potential = "0"},
                         .v0 = {cases[k].v0},
                         .lengths = {0.5, 0.5, 0.5, 0.5}};
    double up[2], down[2];
    int column = SEGMENTS + 2;
    r.text.applied[0] = cases[k].applied;
    r.text.friction[0] = cases[k].friction;
    r.text.parameters[0] = "pa";
    r.text.parameters[1] = "pb";
    r.text.values[1] = 0.3;
    differentiate(&r, &of);
    assert_true(of.final.status == SIM_OK && of.derivative.smooth);
    assert_true(changed(&r, column, small, up) >= 0 && changed(&r, column, -small, down) >= 0);
    for (int i = 0; i < 2; i++)
      assert_true(fabs(of.state[i * of.columns + column] - (up[i] - down[i]) / (2 * small)) < 1e-7);
  }
}

/* Two kinks coincide where two parameters are equal, and the time of each changes by its own parameter only. */
static void equal_parameters_have_no_derivatives(void **state) {
  static Derivatives of;
  const RandomMechanism r = {.text = {.d = 1,
                                      .coordinates = {"x"},
                                      .kinetic = "x'^2/2",
                                      .potential = "0",
                                      .applied = {"0.3 - 4*(x > pa ? 1 : 0) - 3*(x - pb > 0 ? 1 : 0)"},
                                      .friction = {"0"},
                                      .parameters = {"pa", "pb"},
                                      .values = {0.3, 0.3}},
                             .v0 = {1.5},
                             .lengths = {0.5, 0.5, 0.5, 0.5}};
  (void)state;
  differentiate(&r, &of);
  assert_true(of.final.status == SIM_OK && !of.derivative.smooth);
}

/* Motions where a parameter is an exponent, in 2 s from rest. The force is a power of t or of t - 1, so derivatives of
 * x'(2) and x(2) by the exponent are integrals of a^n ln|a| and of (2 - t) a^n ln|a|. */
static void exponents_have_derivatives(void **state) {
  const double ln2 = 0.69314718055994531;
  const struct {
    const char *force;
    double n, x, v;
  } cases[] = {{"(t - 1)^pa", 2, -2.0 / 9, -2.0 / 9},
               {"(t - 1)^pa", 3, 2.0 / 25, 0},
               {"t^pa", 1, 4 * ln2 - 2 - (8 * ln2 / 3 - 8.0 / 9), 2 * ln2 - 1},
               {"t^pa", 2, 16 * ln2 / 3 - 16.0 / 9 - (4 * ln2 - 1), 8 * ln2 / 3 - 8.0 / 9}};
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    static Derivatives of;
    RandomMechanism r = {.text = {.d = 1,
                                  .coordinates = {"x"},
                                  .kinetic = "x'^2/2",
                                  .potential = "0",
                                  .applied = {cases[k].force},
                                  .friction = {"0"},
                                  .parameters = {"pa", "pb"},
                                  .values = {cases[k].n, 0}},
                         .lengths = {0.5, 0.5, 0.5, 0.5}};
    const double *by = of.state + SEGMENTS + 2;
    differentiate(&r, &of);
    assert_true(of.final.status == SIM_OK && of.derivative.smooth);
    print_message("%s, n = %g: off %.1e %.1e\n", cases[k].force, cases[k].n, by[0] - cases[k].x,
                  by[of.columns] - cases[k].v);
    assert_true(fabs(by[0] - cases[k].x) < 1e-10 && fabs(by[of.columns] - cases[k].v) < 1e-10);
  }
}

/* Where an exponent is a parameter, derivatives by other numbers exist at rest and for negative bases, too. */
static void exponents_leave_other_derivatives(void **state) {
  static const struct {
    const char *force, *friction;
    double x0, v0;
  } cases[] = {{"pb - x^pa", "0", -0.1, 1.2},
               {"1 + pb - 2*abs(x)^pa", "0.1", 0, 0},
               {"1 + pb", "0.5*(0.6 + 0.4*exp(-abs(x'/0.1)^pa))", 0, 0}};
  const double small = 1e-5;
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int n = 1; n < 3; n++) {
      static Derivatives of;
      RandomMechanism r = {.text = {.d = 1,
                                    .coordinates = {"x"},
                                    .kinetic = "x'^2/2",
                                    .potential = "0",
                                    .applied = {cases[k].force},
                                    .friction = {cases[k].friction},
                                    .parameters = {"pa", "pb"},
                                    .values = {n, 0.3}},
                           .x0 = {cases[k].x0},
                           .v0 = {cases[k].v0},
                           .lengths = {0.2, 0.2, 0.2, 0.2}};
      const int columns[] = {0, SEGMENTS + 3, SEGMENTS}; /* of u, of pb, and of x0 unless it is at the kink */
      differentiate(&r, &of);
      assert_true(of.final.status == SIM_OK && of.derivative.smooth);
      for (int c = 0; c < (cases[k].x0 != 0 ? 3 : 2); c++) {
        double up[2], down[2];
        assert_true(changed(&r, columns[c], small, up) >= 0 && changed(&r, columns[c], -small, down) >= 0);
        for (int i = 0; i < 2; i++)
          assert_true(fabs(of.state[i * of.columns + columns[c]] - (up[i] - down[i]) / (2 * small)) < 1e-7);
      }
    }
}

/* Differentiates a motion of one coordinate by the parameters pa, an exponent, and pb. */
static void differentiate_power(const char *force, double exponent, double factor, double x0, double v0,
                                RandomMechanism *r, Derivatives *of) {
  *r = (RandomMechanism){.text = {.d = 1,
                                  .coordinates = {"x"},
                                  .kinetic = "x'^2/2",
                                  .potential = "0",
                                  .applied = {force},
                                  .friction = {"0"},
                                  .parameters = {"pa", "pb"},
                                  .values = {exponent, factor}},
                         .x0 = {x0},
                         .v0 = {v0},
                         .lengths = {0.5, 0.5, 0.5, 0.5}};
  differentiate(r, of);
  assert_int_equal(of->final.status, SIM_OK);
}

/* x'' = -pb x^pa, where x is small and positive. */
static void exponents_of_small_bases_have_derivatives(void **state) {
  static Derivatives of;
  RandomMechanism r;
  (void)state;
  for (int n = 1; n < 4; n++)
    for (double x0 = 1e-4; x0 > 0.9e-7; x0 /= 10) {
      const double small = 1e-6;
      double up[2], down[2];
      int column = SEGMENTS + 2;
      differentiate_power("-0.1*pb*x^pa", n, pow(x0, 1 - n), x0, 0, &r, &of);
      assert_true(of.derivative.smooth);
      assert_true(changed(&r, column, small, up) >= 0 && changed(&r, column, -small, down) >= 0);
      for (int i = 0; i < 2; i++) {
        double by = (up[i] - down[i]) / (2 * small), off = fabs(of.state[i * of.columns + column] / by - 1);
        if (off >= 1e-5) print_message("n %d, x0 %g: off %.1e\n", n, x0, off);
        assert_true(off < 1e-5);
      }
    }
}

/* The force -pb (k max(0, x))^pa / k^2 with pa = 2 does not depend on k. Its derivative by pa changes by ln(k) times that
 * by pb. High orders of its series overflow where x passes 0. */
static void exponents_of_fast_bases_have_derivatives(void **state) {
  static const char *const forces[] = {"-pb*max(0,x)^pa", "-pb*(max(0,x)*1e8)^pa*1e-16",
                                       "-pb*(max(0,x)*1e10)^pa*1e-20"};
  static const double k[] = {1, 1e8, 1e10};
  static Derivatives first, of;
  RandomMechanism r;
  (void)state;
  differentiate_power(forces[0], 2, 1, -0.5, 1, &r, &first);
  for (int j = 1; j < 3; j++) {
    differentiate_power(forces[j], 2, 1, -0.5, 1, &r, &of);
    assert_true(of.derivative.smooth);
    for (int i = 0; i < 2; i++) {
      const double *by = first.state + i * of.columns + SEGMENTS + 2;
      double off = of.state[i * of.columns + SEGMENTS + 2] - (by[0] + log(k[j]) * by[1]);
      print_message("k %g: off %.1e\n", k[j], off);
      assert_true(fabs(off) < 1e-8);
    }
  }
}

/* Where a base passes 0 inside a segment, derivatives are right, or the motion is said to have none. */
static void exponents_of_bases_that_pass_0_have_derivatives_or_none(void **state) {
  static const struct {
    const char *force;
    double k;
    bool smooth;
  } cases[] = {
      {"pb*(t - 0.7)^pa", 1, true}, {"pb*(1e6*(t - 0.7))^pa", 1e6, true}, {"pb*(1e10*(t - 0.7))^pa", 1e10, false}};
  static Derivatives of;
  RandomMechanism r;
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    double k = cases[c].k, exact = 0;
    differentiate_power(cases[c].force, 2, pow(k, -2), 0, 0, &r, &of);
    assert_int_equal(of.derivative.smooth, cases[c].smooth);
    for (double a = -0.7; a < 2; a += 2) /* the integral of a^2 ln|k a| from -0.7 to 1.3 */
      exact += (a > 0 ? 1 : -1) * a * a * a / 3 * (log(fabs(k * a)) - 1.0 / 3);
    double v = of.state[of.columns + SEGMENTS + 2];
    assert_true(isfinite(v) && isfinite(of.state[SEGMENTS + 2]));
    assert_true(!cases[c].smooth || fabs(v - exact) < 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_are_differences),
                                     cmocka_unit_test(exponents_have_derivatives),
                                     cmocka_unit_test(exponents_of_small_bases_have_derivatives),
                                     cmocka_unit_test(exponents_of_fast_bases_have_derivatives),
                                     cmocka_unit_test(exponents_of_bases_that_pass_0_have_derivatives_or_none),
                                     cmocka_unit_test(exponents_leave_other_derivatives),
                                     cmocka_unit_test(parameters_that_are_0_have_derivatives),
                                     cmocka_unit_test(equal_parameters_have_no_derivatives),
                                     cmocka_unit_test(places_on_the_way_have_derivatives),
                                     cmocka_unit_test(extreme_places_are_places_at_their_times)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
