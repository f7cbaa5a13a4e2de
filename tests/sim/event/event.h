/* SPDX-License-Identifier: BSD-2-Clause */
/* A control that varies in time, a force with the same values, and random numbers, for tests of the scheme `event`. */
#ifndef TESTS_EVENT_H
#define TESTS_EVENT_H

#include "tests/fixture.h"

static inline void assert_near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g to %g", a, b, tolerance);
}

/* Returns a number uniform in (0, 1). */
static inline double event_uniform(uint64_t *seed) { return (1 + fixture_random(seed)) / 2; }

/* Values of u in four segments of 0.5 s. */
static const double event_signal_values[4] = {9, -14, 12, 5};
static SimSignal event_signal;

/* The same u(t), as a force. */
static inline double event_signal_force(int i, double t) {
  (void)i;
  int k = t < 0.5 ? 0 : t < 1 ? 1 : t < 1.5 ? 2 : 3;
  double before = k ? event_signal_values[k - 1] : 0;
  return event_signal == SIM_PIECEWISE_CONSTANT ? event_signal_values[k]
                                                : before + (event_signal_values[k] - before) * (t - 0.5 * k) / 0.5;
}

/* Sets a problem of 2 s to this signal, as a control or as a force. */
static inline void event_set_signal(SimProblem *p, bool as_force) {
  p->signal = as_force ? SIM_CONSTANT : event_signal;
  p->segments = as_force ? 1 : 4;
}

static inline void event_count(void *context, double t, int dof, int slip) {
  (void)dof, (void)slip;
  *(long *)context += t > 0;
}
static inline void event_pass_step(void *context, const SimStep *step) { (void)context, (void)step; }

/* Counts the events of a motion with at most 3 dofs. With this limit of events the motion ends; with one less it is
 * given up. Clears the problem. */
static inline void event_gives_up(SimProblem *p, FixtureForce *force) {
  long events = 0;
  const SimObserver counts = {&events, event_pass_step, event_count};
  double x[3], v[3];
  for (int less = -1; less < 2; less++) { /* with -1 the events are counted */
    SimWorkspace *work;
    SimFinal final = {.x = x, .v = v};
    if (less >= 0) sim_problem_set(p, "max_events", (double)(events - less));
    SimModel *model = fixture_model(p, force, &work);
    assert_int_equal(stiction_rollout(model, work, NULL, less < 0 ? &counts : NULL, &final),
                     less > 0 ? SIM_EVENTS_ACCUMULATE : SIM_OK);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
  }
  assert_true(events > 3);
  sim_problem_clear(p);
}

#endif
