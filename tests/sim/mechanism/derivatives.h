/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives of motions of mechanisms by `event`, for tests: against differences, and adjoint against forward ones. */
#ifndef TESTS_MECHANISM_DERIVATIVES_H
#define TESTS_MECHANISM_DERIVATIVES_H

#include "tests/sim/mechanism/random.h"

enum { PARAMETERS = 2, COLUMNS_MAX = 2 * SEGMENTS + 2 * D_MAX + PARAMETERS };

static inline void set_stops(const RandomMechanism *r, SimProblem *p) {
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

static inline void begin(Run *run, const RandomMechanism *r) {
  const SimReport report = {.complain = fixture_complain};
  random_problem(r, 1, 1e-12, &run->problem, run->u);
  set_stops(r, &run->problem);
  assert_int_equal(sim_problem_set_lengths(&run->problem, r->lengths), SIM_OK);
  assert_int_equal(stiction_problem_finalize(&run->problem, &report), SIM_OK);
  assert_int_equal(stiction_model_create(&run->problem, &report, &run->model), SIM_OK);
  assert_int_equal(stiction_workspace_create(run->model, &run->work), SIM_OK);
}

static inline void end(Run *run) {
  stiction_workspace_destroy(run->work);
  stiction_model_destroy(run->model);
  sim_problem_clear(&run->problem);
}

/* Returns the number by which a column of the derivatives differentiates: of the control, x0, v0, parameters or
 * lengths. */
static inline double *number_of(RandomMechanism *r, int column) {
  int d = r->text.d, at_x0 = SEGMENTS, at_v0 = at_x0 + d, at_parameters = at_v0 + d,
      at_lengths = at_parameters + PARAMETERS;
  return column < at_x0           ? &r->u[column]
         : column < at_v0         ? &r->x0[column - at_x0]
         : column < at_parameters ? &r->v0[column - at_v0]
         : column < at_lengths    ? &r->text.values[column - at_parameters]
                                  : &r->lengths[column - at_lengths];
}

/* Computes the final state [2 d] of a motion with one number changed. Returns the number of its events; -1 if it
 * failed. */
static inline long changed(const RandomMechanism *r, int column, double by, double *end_state) {
  RandomMechanism other = *r;
  Run run;
  int d = r->text.d;
  *number_of(&other, column) += by;
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

static inline void differentiate(const RandomMechanism *r, Derivatives *of) {
  SimSensitivity *columns;
  Run run;
  begin(&run, r);
  assert_int_equal(stiction_sensitivity_create(run.model, 5, on, &columns), SIM_OK);
  of->columns = stiction_sensitivity_columns(columns);
  of->final = (SimFinal){.x = of->x, .v = of->v};
  of->derivative = (SimDerivative){
      .state = of->state, .stop = of->stop, .stop_time = of->stop_time, .stop_acceleration = of->stop_acceleration};
  stiction_rollout_sensitivity(run.model, run.work, columns, run.u, &of->final, &of->derivative);
  stiction_sensitivity_destroy(columns);
  end(&run);
}

/* Whether the adjoint derivatives of all entries of the final state, and of stops, equal the forward ones. */
static inline bool try_adjoint(uint64_t seed, const RandomMechanism *r, const Derivatives *of, double *worst) {
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

/* Adds to a random mechanism. */
typedef void AddEvents(uint64_t seed, RandomMechanism *r);

/* Whether the derivatives of a random mechanism equal differences. add: NULL: nothing is added. */
static inline bool try(uint64_t seed, AddEvents *add, Compared *all) {
  static RandomMechanism r;
  Derivatives of;
  random_mechanism(seed, &r);
  if (add) add(seed, &r);
  differentiate(&r, &of);
  int d = r.text.d;
  if (add && of.final.status == SIM_SLIDES_ALONG_KINK) return true;
  assert_int_equal(of.final.status, SIM_OK);
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

static inline Compared compare_with_differences(AddEvents *add) {
  enum { MECHANISMS = 60 };
  int wrong = 0;
  Compared all = {.derivatives = 0};
  for (int k = 0; k < MECHANISMS; k++) wrong += !try((uint64_t)(k + 1) * 104729, add, &all);
  print_message("%ld derivatives compared, off %.1e at most, adjoint ones %.1e; %ld impacts\n", all.derivatives,
                all.worst, all.apart, all.impacts);
  assert_int_equal(wrong, 0);
  assert_true(all.derivatives > 10 * MECHANISMS);
  return all;
}

#endif
