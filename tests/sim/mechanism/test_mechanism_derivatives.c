/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares derivatives along the motions of random mechanisms with central differences of motions, and adjoint
 * derivatives with forward ones. */
#include "sim/quantity.h"
#include "tests/sim/mechanism/random.h"

enum { PARAMETERS = 2, COLUMNS_MAX = 2 * SEGMENTS + 2 * D_MAX + PARAMETERS };

/* Adds forces and thresholds that jump at places, at combinations of places and rates, and with parameters and time; and
 * often stops. */
static void add_events(uint64_t seed, RandomMechanism *r) {
  const char *last = names[r->text.d - 1];
  append(r->applied[0], " + (x > %.3f*pa ? -2 : 0.5)", between(&seed, 0, 0.5));
  append(r->applied[r->text.d - 1], " - 1.5*sign(%s + 0.1*x' + 0.2*t - %.3f)", last, between(&seed, -0.3, 0.5));
  append(r->friction[0], "*(x*pb < %.3f ? 1.3 : 0.8)", between(&seed, -0.5, 0.2));
  if (choose(&seed, 3) == 0) return;
  r->lower = r->x0[0] - between(&seed, 0.02, 0.3);
  r->upper = r->x0[0] + between(&seed, 0.02, 0.3);
}

static void set_stops(const RandomMechanism *r, SimProblem *p) {
  if (!(r->lower < r->upper)) return;
  for (int j = 0; j < p->d; j++) {
    p->stops.lower[j] = p->stops.upper[j] = p->stops.stiffness[j] = NAN;
    p->stops.restitution[j] = 0;
  }
  p->stops.present = true;
  p->stops.lower[0] = r->lower;
  p->stops.upper[0] = r->upper;
  p->stops.restitution[0] = 0.6;
}

/* A model of a problem with one workspace. */
typedef struct Run {
  SimProblem problem;
  SimModel *model;
  SimWorkspace *work;
  double u[SEGMENTS];
} Run;

static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_PARAMETER, SIM_ON_LENGTH};

static void begin(Run *run, const RandomMechanism *r) {
  const SimReport report = {.complain = fixture_complain};
  random_problem(r, 1, 1e-12, &run->problem, run->u);
  set_stops(r, &run->problem);
  assert_int_equal(sim_problem_set_lengths(&run->problem, r->lengths), SIM_OK);
  assert_int_equal(stiction_problem_finalize(&run->problem, &report), SIM_OK);
  assert_int_equal(stiction_model_create(&run->problem, &report, &run->model), SIM_OK);
  assert_int_equal(stiction_workspace_create(run->model, &run->work), SIM_OK);
}

static void end(Run *run) {
  stiction_workspace_destroy(run->work);
  stiction_model_destroy(run->model);
  sim_problem_clear(&run->problem);
}

/* Computes the final state [2 d] of a motion with one number changed: of the control, x0, v0, parameters or lengths.
 * Returns the number of its events; -1 if it failed. */
static long changed(const RandomMechanism *r, int column, double by, double *end_state) {
  RandomMechanism other = *r;
  Run run;
  int d = r->text.d;
  int at_x0 = SEGMENTS, at_v0 = at_x0 + d, at_parameters = at_v0 + d, at_lengths = at_parameters + PARAMETERS;
  double *number = column < at_x0           ? &other.u[column]
                   : column < at_v0         ? &other.x0[column - at_x0]
                   : column < at_parameters ? &other.v0[column - at_v0]
                   : column < at_lengths    ? &other.text.values[column - at_parameters]
                                            : &other.lengths[column - at_lengths];
  *number += by;
  begin(&run, &other);
  SimFinal final = {.x = end_state, .v = end_state + d};
  stiction_rollout(run.model, run.work, run.u, NULL, &final);
  end(&run);
  return final.status == SIM_OK ? final.iterations : -1;
}

/* The final state, its derivatives, and whether they exist. */
typedef struct Derivatives {
  double x[D_MAX], v[D_MAX], state[2 * D_MAX * COLUMNS_MAX], stop[D_MAX * COLUMNS_MAX], stop_time[D_MAX],
      stop_acceleration[D_MAX];
  SimFinal final;
  SimDerivative derivative;
  int columns;
} Derivatives;

static void differentiate(const RandomMechanism *r, Derivatives *of) {
  SimSensitivity *columns;
  Run run;
  begin(&run, r);
  assert_int_equal(stiction_sensitivity_create(run.model, 5, on, &columns), SIM_OK);
  of->columns = stiction_sensitivity_columns(columns);
  of->final = (SimFinal){.x = of->x, .v = of->v};
  of->derivative = (SimDerivative){
      .state = of->state, .stop = of->stop, .stop_time = of->stop_time, .stop_acceleration = of->stop_acceleration};
  stiction_rollout_sensitivity(run.model, run.work, columns, run.u, &of->final, &of->derivative);
  assert_int_equal(of->final.status, SIM_OK);
  stiction_sensitivity_destroy(columns);
  end(&run);
}

/* Whether the adjoint derivatives of all entries of the final state, and of stops, equal the forward ones. */
static bool try_adjoint(uint64_t seed, const RandomMechanism *r, const Derivatives *of, double *worst) {
  enum { SUMS = 3 * D_MAX };
  double weights[SUMS * 3 * D_MAX] = {0}, gradients[SUMS * COLUMNS_MAX], x[D_MAX], v[D_MAX];
  int d = r->text.d;
  SimAdjoint *adjoint;
  Run run;
  SimFinal final = {.x = x, .v = v};
  begin(&run, r);
  assert_int_equal(sim_adjoint_create(run.model, 4, on, &adjoint), SIM_OK);
  assert_int_equal(sim_rollout_record(run.model, run.work, adjoint, run.u, &final), SIM_OK);
  for (int k = 0; k < 3 * d; k++) weights[k * 3 * d + k] = 1;
  assert_int_equal(sim_adjoint_sweep(adjoint, 3 * d, weights, gradients), SIM_OK);
  bool good = true;
  for (int k = 0; k < 3 * d && good; k++) {
    const double *row = k < 2 * d ? of->state + k * of->columns : of->stop + (k - 2 * d) * of->columns;
    for (int c = 0; c < SEGMENTS + 2 * d + PARAMETERS && good; c++) {
      double off = fabs(gradients[k * (SEGMENTS + 2 * d + PARAMETERS) + c] - row[c]) / (1 + fabs(row[c]));
      *worst = fmax(*worst, off);
      good = off < 1e-9;
      if (!good)
        print_message("seed %llu, row %d, column %d: adjoint %.10g, forward %.10g\n", (unsigned long long)seed, k, c,
                      gradients[k * (SEGMENTS + 2 * d + PARAMETERS) + c], row[c]);
    }
  }
  sim_adjoint_destroy(adjoint);
  end(&run);
  return good;
}

/* What was compared, and by how much it differs at most. */
typedef struct Compared {
  long derivatives, impacts; /* impacts: in motions with derivatives */
  double worst, apart;       /* from differences; of adjoint derivatives from forward ones */
} Compared;

/* Whether the derivatives of a random mechanism equal differences. */
static bool try(uint64_t seed, bool events, Compared *all) {
  static RandomMechanism r;
  Derivatives of;
  random_mechanism(seed, &r);
  if (events) add_events(seed, &r);
  differentiate(&r, &of);
  int d = r.text.d;
  if (!try_adjoint(seed, &r, &of, &all->apart)) return false;
  if (!of.derivative.smooth || of.final.grazes) return true;
  all->impacts += of.final.impacts;
  for (int c = 0; c < of.columns; c++) {
    static const double STEP = 1e-5;
    double more[2 * D_MAX], less[2 * D_MAX], size = 1;
    bool at_rest = c >= SEGMENTS + d && c < SEGMENTS + 2 * d &&
                   r.v0[c - SEGMENTS - d] == 0; /* there is no derivative by a velocity of 0, where the coordinate
                                                 * sticks or turns */
    if (at_rest || changed(&r, c, STEP, more) != of.final.iterations ||
        changed(&r, c, -STEP, less) != of.final.iterations)
      continue;
    for (int i = 0; i < 2 * d; i++) size = fmax(size, fabs(of.state[i * of.columns + c]));
    for (int i = 0; i < 2 * d; i++) {
      double off = fabs((more[i] - less[i]) / (2 * STEP) - of.state[i * of.columns + c]) / size;
      all->derivatives++;
      all->worst = fmax(all->worst, off);
      if (off <= 1e-5) continue;
      print_message("seed %llu, column %d, row %d: %.10g, by difference %.10g\n", (unsigned long long)seed, c, i,
                    of.state[i * of.columns + c], (more[i] - less[i]) / (2 * STEP));
      return false;
    }
  }
  return true;
}

static Compared compare_with_differences(bool events) {
  enum { MECHANISMS = 60 };
  int wrong = 0;
  Compared all = {.derivatives = 0};
  for (int k = 0; k < MECHANISMS; k++) wrong += !try((uint64_t)(k + 1) * 104729, events, &all);
  print_message("%ld derivatives compared, off %.1e at most, adjoint ones %.1e; %ld impacts\n", all.derivatives,
                all.worst, all.apart, all.impacts);
  assert_int_equal(wrong, 0);
  assert_true(all.derivatives > 10 * MECHANISMS);
  return all;
}

static void derivatives_are_differences(void **state) {
  (void)state;
  (void)compare_with_differences(false);
}

static void derivatives_through_impacts_and_jumps_of_forces_are_differences(void **state) {
  (void)state;
  assert_true(compare_with_differences(true).impacts > 50);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_differences),
      cmocka_unit_test(derivatives_through_impacts_and_jumps_of_forces_are_differences),
      cmocka_unit_test(places_on_the_way_have_derivatives), cmocka_unit_test(extreme_places_are_places_at_their_times)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
