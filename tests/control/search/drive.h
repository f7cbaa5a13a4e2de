/* SPDX-License-Identifier: BSD-2-Clause */
/* Drives a search with analytic models, in which x(T) is a function of u, and records its course. */
#ifndef TESTS_DRIVE_H
#define TESTS_DRIVE_H

#include "tests/fixture.h"

#include "control/internal.h"

enum { N_MAX = 4, SIMPLEXES = 4000, BATCH_MAX = 64 };

typedef SimStatus Model(int n, const double *u, double *x, double *v);

/* The results of driving a search. */
typedef struct Drive {
  long rounds;
  CtlState last, states[SIMPLEXES]; /* state at the end, and after each simplex */
  double u[N_MAX];
  long asked;
  double (*points)[N_MAX]; /* [asked] */
} Drive;

static Drive drive;

static int drive_end(void **state) {
  (void)state;
  free(drive.points);
  drive.points = NULL;
  return 0;
}

static bool is_inside(const CtlProblem *p, const double *u) {
  for (int i = 0; i < p->n; i++)
    if (!(u[i] >= p->lower[i] && u[i] <= p->upper[i])) return false;
  return true;
}

/* Drives a search. Passes outcomes in a random order given by seed; 0: in the order of asking. second: elapsed time per
 * outcome, s. */
static void run(const CtlProblem *p, Model *model, int batch, uint64_t seed, double second) {
  const SimReport report = {NULL, fixture_complain};
  CtlSearch *search;
  double controls[BATCH_MAX * N_MAX], x[2][N_MAX];
  long tickets[BATCH_MAX], outcomes = 0;
  int count, order[BATCH_MAX];
  assert_int_equal(stiction_control_check(p, &report), CTL_OK);
  assert_int_equal(stiction_asktell_create(p, &search), CTL_OK);
  free(drive.points);
  memset(&drive, 0, sizeof drive);
  while ((count = stiction_asktell_ask(search, batch, tickets, controls, NULL)) > 0) {
    drive.points = realloc(drive.points, (size_t)(drive.asked + count) * sizeof *drive.points);
    assert_non_null(drive.points);
    for (int i = 0; i < count; i++) {
      assert_true(is_inside(p, controls + i * p->n));
      memset(drive.points[drive.asked], 0, sizeof *drive.points);
      memcpy(drive.points[drive.asked++], controls + i * p->n, (size_t)p->n * sizeof(double));
      order[i] = i;
    }
    for (int i = count - 1; seed && i > 0; i--) {
      int j = (int)(fabs(fixture_random(&seed)) * (i + 1)), swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    for (int i = 0; i < count; i++) {
      int k = order[i];
      CtlOutcome outcome = {.x = x[0], .v = x[1], .iterations = tickets[k]};
      outcome.status = model(p->n, controls + k * p->n, x[0], x[1]);
      for (bool ended = stiction_asktell_tell(search, tickets[k], &outcome, second * (double)++outcomes); ended;
           ended = stiction_asktell_advance(search)) {
        assert_true(drive.rounds < SIMPLEXES);
        stiction_asktell_state(search, &drive.states[drive.rounds++]);
      }
    }
  }
  stiction_asktell_state(search, &drive.last);
  memcpy(drive.u, drive.last.control, (size_t)p->n * sizeof(double));
  assert_true(drive.last.reason != CTL_RUNNING);
  assert_int_equal(drive.last.rounds, drive.rounds);
  /* Points after the last one that counts have no effect, whether their outcomes have come or not. */
  if (drive.last.reason == CTL_REASON_TOO_LONG)
    assert_true(drive.last.ivps <= drive.asked);
  else
    assert_int_equal(drive.last.ivps, drive.asked);
  assert_int_equal(drive.last.iterations, drive.last.ivps * (drive.last.ivps - 1) / 2);
  assert_int_equal(drive.last.evaluations, drive.last.ivps + drive.last.cache_hits);
  stiction_asktell_destroy(search);
}

/* Checks that the answer is the same for any batch size and `orders` random orders of outcomes, with two variables. */
static inline void run_in_any_order(const CtlProblem *p, Model *model, int orders) {
  run(p, model, 1, 0, 0);
  CtlState one = drive.last;
  double u[N_MAX];
  memcpy(u, drive.u, sizeof u);
  for (int seed = 1; seed <= orders; seed++) {
    run(p, model, 3 + seed, (uint64_t)seed, 0);
    assert_int_equal(drive.last.evaluations, one.evaluations);
    assert_memory_equal(drive.u, u, 2 * sizeof *u);
  }
}

/* Returns a problem for pds with n = d. The target of positions is 0, so ||x(T)|| is minimised. There is no cost unless
 * a test sets one. */
static inline CtlProblem plain_problem(int n) {
  CtlProblem p;
  assert_int_equal(ctl_problem_init(&p, n, n), SIM_OK);
  p.method = ctl_method_find("pds");
  p.end = 1;
  for (int i = 0; i < n * n; i++) p.weight[i] = 0;
  for (int i = 0; i < n; i++) p.position[i] = 0;
  return p;
}

/* The model x = A (u - c), where A is well conditioned, and the solution c is not on the lattice of pds. */
static inline SimStatus linear(int n, const double *u, double *x, double *v) {
  for (int i = 0; i < n; i++) {
    x[i] = v[i] = 0;
    for (int j = 0; j < n; j++) x[i] += (i == j ? 2 : 0.3 * (i - j)) * (u[j] - 1.2345 - j / 3.0);
  }
  return SIM_OK;
}

static inline SimStatus rosenbrock(int n, const double *u, double *x, double *v) {
  (void)n;
  x[0] = 10 * (u[1] - u[0] * u[0]);
  x[1] = 1 - u[0];
  v[0] = v[1] = 0;
  return SIM_OK;
}

static inline SimStatus unreachable(int n, const double *u, double *x, double *v) {
  linear(n, u, x, v);
  x[0] = 1 + fabs(x[0]);
  return SIM_OK;
}

static inline SimStatus always_fails(int n, const double *u, double *x, double *v) {
  (void)n, (void)u, (void)x, (void)v; /* the results are not set, as they must not be read */
  return SIM_NOT_CONVERGED;
}

/* A model that fails in three ways in the half plane on the left, which includes the start. */
static inline SimStatus fails_on_the_left(int n, const double *u, double *x, double *v) {
  linear(n, u, x, v);
  if (u[0] >= 0.25) return SIM_OK;
  if (u[1] > 0) return SIM_NON_FINITE;
  x[0] = u[1] < 0 ? NAN : INFINITY;
  return SIM_OK;
}

/* Models in which some motions take too long: distant trial points of a search from 0 with target 1.2345; all points
 * but those near the start; all points. */
static inline SimStatus wild_ones_take_too_long(int n, const double *u, double *x, double *v) {
  return u[0] < -0.5 ? SIM_TOO_LONG : linear(n, u, x, v);
}

static inline SimStatus far_ones_take_too_long(int n, const double *u, double *x, double *v) {
  return u[0] > 0.3 ? SIM_TOO_LONG : linear(n, u, x, v);
}

static inline SimStatus all_take_too_long(int n, const double *u, double *x, double *v) {
  (void)n, (void)u, (void)x, (void)v;
  return SIM_TOO_LONG;
}

/* A model that with n = 1 has a local minimum at 0, in which a local search stays; its target is at 3. */
static inline SimStatus two_valleys(int n, const double *u, double *x, double *v) {
  (void)n;
  x[0] = fmin(fabs(u[0]) + 0.5, fabs(u[0] - 3));
  v[0] = 0;
  return SIM_OK;
}

/* Returns a problem with objectives and constraints of the user's own; the constraints must be 0. */
static inline CtlProblem values_problem(const char *method, int n, int m, CtlRole role) {
  CtlProblem p;
  assert_int_equal(ctl_problem_init_values(&p, n, m), SIM_OK);
  p.method = ctl_method_find(method);
  assert_true(p.method >= 0);
  for (int i = 0; i < m; i++) assert_int_equal(stiction_control_set_role(&p, i, role, 0, 0), SIM_OK);
  return p;
}

/* Objective f = (u_1 - 2)^2 + (u_2 - 1)^2 with two constraints, u_1^2 - u_2 <= 0 and u_1 + u_2 <= 2. The minimum is 1
 * at (1, 1). */
static inline SimStatus corner(int n, const double *u, double *y, double *v) {
  (void)n, (void)v;
  y[0] = (u[0] - 2) * (u[0] - 2) + (u[1] - 1) * (u[1] - 1);
  y[1] = u[0] * u[0] - u[1];
  y[2] = u[0] + u[1];
  return SIM_OK;
}

/* Compares the states of two searches, except their points. */
static inline void assert_same_state(const CtlState *state, const CtlState *other) {
  assert_int_equal(state->reason, other->reason);
  assert_int_equal(state->rounds, other->rounds);
  assert_int_equal(state->evaluations, other->evaluations);
  assert_int_equal(state->ivps, other->ivps);
  assert_int_equal(state->cache_hits, other->cache_hits);
  assert_int_equal(state->non_finite, other->non_finite);
  assert_int_equal(state->too_long, other->too_long);
  assert_int_equal(state->restarts, other->restarts);
  assert_int_equal(state->scheme_size, other->scheme_size);
  const double mine[] = {state->best, state->J, state->E1, state->E2, state->edge};
  const double theirs[] = {other->best, other->J, other->E1, other->E2, other->edge};
  assert_memory_equal(mine, theirs, sizeof mine);
  assert_memory_equal(state->rho, other->rho, sizeof state->rho);
}

#endif
