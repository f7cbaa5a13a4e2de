/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests properties of any motion of a dash-pot's mass by the scheme `event`. */
#include "tests/sim/dashpot/dashpot.h"
#include "tests/sim/event/event.h"

#ifndef PROBLEMS
#define PROBLEMS 300
#endif

static double terms[4]; /* constant, amplitude, frequency and phase of the force */

static double random_force(int i, double t) {
  (void)i;
  return terms[0] + terms[1] * sin(terms[2] * t + terms[3]);
}

/* Makes a random problem: any law, thresholds over six decades and zero, starts at rest, at the threshold or on the
 * support. */
static void random_problem(uint64_t *seed, SimProblem *p, double sign) {
  int law = (int)(5 * event_uniform(seed));
  bool at_threshold = event_uniform(seed) < 0.15;
  dashpot_problem(p, (SimDashpotLaw)law, 0.5 + 2 * event_uniform(seed), 40);
  SimDashpot *d = &p->dashpot;
  d->selection = event_uniform(seed) < 0.5 ? SIM_NEAREST_VELOCITY : SIM_MAX_DISSIPATION;
  d->mass = pow(10, fixture_random(seed));
  d->stiffness = event_uniform(seed) < 0.2 ? 0 : pow(10, 1.5 + 1.5 * fixture_random(seed));
  d->g = pow(10, fixture_random(seed));
  double c = event_uniform(seed) < 0.15 ? 0 : pow(10, -3 + 6 * event_uniform(seed));
  p->friction[0] = law == SIM_VISCOUS ? 0 : law == SIM_BINGHAM_NONMONOTONE ? (c = 1) : c;
  p->x0[0] = at_threshold ? 0 : sign * 0.3 * fixture_random(seed);
  p->v0[0] = at_threshold || event_uniform(seed) < 0.3 ? 0 : sign * 2 * fixture_random(seed);
  terms[0] = sign * (at_threshold ? (event_uniform(seed) < 0.5 ? -c : c) : 3 * fixture_random(seed));
  terms[1] =
      sign *
      (at_threshold && event_uniform(seed) < 0.5 ? 0 : 3 * fmin(c, 30) * fixture_random(seed) + fixture_random(seed));
  terms[2] = 20 * event_uniform(seed);
  terms[3] = at_threshold ? 0 : 6 * event_uniform(seed);
  fixture_scheme(p, "event");
  sim_problem_set(p, "max_events", 3000);
}

static void random_support(uint64_t *seed, SimProblem *p) {
  double where = event_uniform(seed), stiffness = pow(10, 1.5 + 1.5 * fixture_random(seed));
  if (event_uniform(seed) < 0.5) dashpot_support(p, where < 0.2 ? p->x0[0] : where - 0.4, stiffness);
}

typedef struct Watch {
  double dissipated, closing, scale, x;
  bool stuck;
} Watch;

static void check_step(void *context, const SimStep *step) {
  Watch *w = context;
  const SimEnergy *e = step->energy;
  assert_true(isfinite(step->x[0]) && isfinite(step->v[0]) && isfinite(step->extra[0]));
  assert_true(fabs(step->lambda[0]) <= 1 + 1e-9);
  if (step->slip[0] == 0) assert_true(step->v[0] == 0);
  if (step->slip[0] != 0) assert_true(step->v[0] * step->slip[0] >= 0);
  /* the mass has not moved in between, or has returned */
  if (step->slip[0] == 0 && w->stuck) assert_true(step->x[0] == w->x);
  w->scale = fmax(w->scale, fmax(fabs(e->work), fmax(fabs(e->stored), e->dissipated)));
  assert_true(e->dissipated >= w->dissipated - 1e-9 * fmax(w->scale, 1));
  w->dissipated = e->dissipated;
  w->closing = fmax(w->closing, fabs(e->work - e->stored - e->dissipated));
}

static void see_slip(void *context, double t, int dof, int what) {
  Watch *w = context;
  (void)t;
  (void)dof;
  if (what <= 1) w->stuck = false;
}

static void see_stuck(void *context, const SimStep *step) {
  Watch *w = context;
  check_step(context, step);
  w->stuck = step->slip[0] == 0;
  w->x = step->x[0];
}

static SimStatus random_run(uint64_t seed, double sign, bool supported, Watch *w, double *x, double *v) {
  SimProblem p;
  SimWorkspace *work;
  random_problem(&seed, &p, sign);
  if (supported) random_support(&seed, &p);
  SimModel *model = fixture_model(&p, random_force, &work);
  const SimObserver observer = {w, see_stuck, see_slip};
  SimFinal final = {.x = x, .v = v};
  SimStatus status = stiction_rollout(model, work, NULL, &observer, &final);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return status;
}

/* Energies close, a mass that sticks does not move, and without a support the mirrored motion has the same bits. */
static void random_motions(void **state) {
  int given_up = 0, loose = 0;
  double worst = 0;
  (void)state;
  for (uint64_t k = 1; k <= PROBLEMS; k++) {
    double x[2], v[2];
    bool supported = k % 2;
    SimStatus status[2];
    for (int side = 0; side < 2; side++) {
      Watch w = {0};
      status[side] = random_run(k * 7919, side ? -1 : 1, supported, &w, &x[side], &v[side]);
      assert_true(status[side] == SIM_OK || status[side] == SIM_EVENTS_ACCUMULATE);
      if (status[side] != SIM_OK) continue;
      double closing = w.closing / fmax(w.scale, 1e-3);
      worst = fmax(worst, closing);
      loose += closing > 1e-9;
      if (!(closing <= 1e-8)) fail_msg("problem %d: energy closes to %g of %g", (int)k, w.closing, w.scale);
    }
    given_up += status[0] != SIM_OK;
    if (supported) continue;
    assert_int_equal(status[0], status[1]);
    if (status[0] == SIM_OK) assert_true(x[0] == -x[1] && v[0] == -v[1]);
  }
  print_message("%d problems: %d given up; energy closes to %.1e, %d of %d runs beyond 1e-9\n", PROBLEMS, given_up,
                worst, loose, 2 * PROBLEMS);
  assert_in_range(given_up, 0, PROBLEMS / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_motions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
