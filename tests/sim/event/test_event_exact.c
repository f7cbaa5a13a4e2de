/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the scheme `event` with the closed forms of the splitting papers' problems: x and v at every time, and the
 * times of all events. */
#include "tests/sim/friction/splitting.h"

static const double CLOSE = 1e-9;

/* An event: at time t the dof begins to slip backward (-1), to stick (0), or to slip forward (1). */
typedef struct Event {
  double t;
  int dof, slip;
} Event;

enum { EVENTS_MAX = 16 };

/* A problem file with two settings, its motion, and its events in 0 < t < T, in the order of t and dof. */
typedef struct Case {
  const char *file;
  char *x0, *v0; /* settings of the initial state; NULL: that of the file */
  ExactSolution *exact;
  int n;
  Event events[EVENTS_MAX];
} Case;

/* Cases. The last time of 6.3 is where the momentum 5 (exp(-4t) - exp(-4s)) - 10 (t - s) of a mass that has slid since
 * s vanishes. */
static const Case cases[] = {
    {"glowinski-2004-5.1", NULL, NULL, exact_51, 3, {{0.5, 0, 0}, {1, 0, 1}, {1.5, 0, 0}}},
    {"glowinski-2004-5.2",
     NULL,
     NULL,
     exact_52,
     6,
     {{1, 0, 1}, {1.25, 0, -1}, {1.5, 0, 0}, {2, 0, 1}, {2.25, 0, -1}, {2.5, 0, 0}}},
    {"shiau-6.2", NULL, NULL, exact_62, 4, {{1, 0, 0}, {2, 0, -1}, {2, 1, 1}, {3, 0, 0}}},
    {"shiau-6.3",
     NULL,
     NULL,
     exact_63,
     3,
     {{0.39840606501001, 0, 0}, {0.39840606501001, 1, 0}, {0.39840606501001, 2, 0}}},
    {"shiau-6.3",
     "model.x0=[1, 3, 5]",
     "model.v0=2",
     exact_63_second,
     5,
     {{0.0731541340376455, 0, -1},
      {0.1617779081961305, 1, -1},
      {0.18497503816253955, 1, 0},
      {0.26987957446859, 2, 0},
      {0.28882973185942706, 0, 0}}},
    {"shiau-6.3",
     "model.x0=[1, 2, 3]",
     "model.v0=1",
     exact_63_third,
     6,
     {{0.03488285221429401, 0, -1},
      {0.0731541340376455, 1, -1},
      {0.11528375995808918, 2, -1},
      {0.23614992354538358, 2, 0},
      {0.28882973185942706, 1, 0},
      {0.34293115456272927, 0, 0}}},
};

typedef struct Watch {
  const Case *c;
  const SimProblem *problem;
  int n;
  Event events[2 * EVENTS_MAX];
} Watch;

/* Events that are reversed within CLOSE do not count: if a force jumps when a dof stops, round-off decides which comes
 * first. */
static void see_event(void *context, double t, int dof, int slip) {
  Watch *w = context;
  if (t >= CLOSE && t <= w->problem->end - CLOSE) {
    int last = w->n - 1;
    while (last >= 0 && w->events[last].dof != dof) last--;
    bool taken_back = last >= 0 && t - w->events[last].t < CLOSE;
    assert_true(taken_back || w->n < 2 * EVENTS_MAX);
    if (!taken_back) last = w->n++;
    w->events[last] = (Event){taken_back ? w->events[last].t : t, dof, slip};
  }
}

static bool near_an_event(const Case *c, double t) {
  for (int k = 0; k < c->n; k++)
    if (fabs(t - c->events[k].t) < 1e-6) return true;
  return false;
}

static void see_step(void *context, const SimStep *step) {
  const Watch *w = context;
  Exact e = w->c->exact(step->t);
  for (int i = 0; i < w->problem->d; i++) {
    if (!(fabs(step->x[i] - e.x[i]) <= CLOSE && fabs(step->v[i] - e.v[i]) <= CLOSE))
      fail_msg("%s: dof %d at %.17g: x %.3e, v %.3e off", w->c->file, i, step->t, step->x[i] - e.x[i],
               step->v[i] - e.v[i]);
    bool inside = step->t > 0 && step->n < w->problem->steps && !near_an_event(w->c, step->t);
    if (inside && !(fabs(step->lambda[i] - e.lambda[i]) <= 1e-8))
      fail_msg("%s: dof %d at %.17g: lambda %.17g, not %.17g", w->c->file, i, step->t, step->lambda[i], e.lambda[i]);
  }
}

static int by_time(const void *a, const void *b) {
  const Event *x = a, *y = b;
  if (fabs(x->t - y->t) > CLOSE) return x->t < y->t ? -1 : 1;
  return x->dof - y->dof;
}

static void exact_motion(const Case *c) {
  Problem problem;
  char *settings[] = {"scheme={name: event}", c->x0, c->v0, NULL};
  double x[3], v[3];
  splitting_read(c->file, settings, &problem);
  Watch watch = {.c = c, .problem = &problem.sim};
  splitting_roll(&problem, &(SimObserver){&watch, see_step, see_event}, x, v);
  problem_clear(&problem);
  qsort(watch.events, (size_t)watch.n, sizeof *watch.events, by_time);
  for (int k = 0; k < watch.n || k < c->n; k++) {
    Event e = watch.events[k];
    if (k < watch.n && k < c->n && e.dof == c->events[k].dof && e.slip == c->events[k].slip &&
        fabs(e.t - c->events[k].t) <= CLOSE)
      continue;
    fail_msg("%s: event %d of %d (expected %d): dof %d slips %d from %.17g on", c->file, k, watch.n, c->n, e.dof,
             e.slip, e.t);
  }
}

static void exact_motions(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) exact_motion(&cases[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(exact_motions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
