/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the scheme `event` with an integrator that shares no code with it: CVODE with its root finding. It finds
 * the joints that slide and stick by trying all combinations of signs. With the set S of joints that slide with the
 * signs m, and the set K of those that stick,
 *
 *     M_SS v_S' = [f - D v - A x - C (m - gamma(v))]_S,   v_K = 0,   lambda_K = C_K^-1 [f - D v - A x - M_KS v_S']_K */
#include "tests/sim/event/random_systems.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { PEAKS = 24, EVENTS_MAX = 400 };

/* Makes system k of those that repeatedly come to rest from up to 60 epsilon: d = 1..4, Stribeck peaks with exponent 1
 * and 2 in turn. */
static void random_peaks(int k, SimProblem *p) {
  uint64_t seed = 71 + 1009 * (uint64_t)k;
  int d = 1 + k / 2 % 4;
  for (int i = 0; i < 9; i++) fixture_random(&seed);
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 1), SIM_OK);
  add_square(&seed, d, 0.3, p->system.mass);
  add_square(&seed, d, 1.5, p->system.stiffness);
  p->system.stribeck = SIM_STRIBECK_EXPONENTIAL;
  p->system.stribeck_exponent = 1 + k % 2;
  for (int i = 0; i < d; i++) {
    double *term = random_terms[i];
    p->system.mass[i * d + i] += 0.8;
    p->friction[i] = 1.75 + fixture_random(&seed);
    p->x0[i] = fixture_random(&seed);
    p->v0[i] = 3 * fixture_random(&seed);
    p->system.stribeck_beta[i] = 0.45 + 0.2 * fixture_random(&seed);
    p->system.stribeck_epsilon[i] = 0.05 * pow(20, (1 + fixture_random(&seed)) / 2);
    term[0] = fixture_random(&seed);
    term[1] = 3 + 2 * fixture_random(&seed);
    term[2] = 2.5 + 1.5 * fixture_random(&seed);
    term[3] = 3 * fixture_random(&seed);
  }
}

/* ---- the other integrator ---- */

typedef struct Event {
  double t;
  int dof, slip;
} Event;

typedef struct Events {
  int n;
  Event list[EVENTS_MAX];
} Events;

typedef struct Other {
  const SimProblem *p;
  int slip[D_MAX]; /* slip of all dofs, as all have friction */
} Other;

static double gamma_of(const SimProblem *p, int i, double v) {
  double beta = p->system.stribeck_beta[i], epsilon = p->system.stribeck_epsilon[i];
  if (p->system.stribeck == SIM_STRIBECK_NONE) return 0;
  if (p->system.stribeck == SIM_STRIBECK_EXPONENTIAL)
    return (v < 0 ? -beta : beta) * -expm1(-pow(fabs(v) / epsilon, p->system.stribeck_exponent));
  if (p->system.stribeck == SIM_STRIBECK_SQRT) return beta * v / sqrt(epsilon * epsilon + v * v);
  return beta * (v > epsilon ? 1 : v < -epsilon ? -1 : v / epsilon);
}

/* Solves a system by Gaussian elimination with pivoting. b: the right side, replaced by the solution. */
static void solve(int n, double (*matrix)[D_MAX], double *b) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(matrix[i][k]) > fabs(matrix[pivot][k])) pivot = i;
    for (int j = 0; j < n; j++) {
      double other = matrix[k][j];
      matrix[k][j] = matrix[pivot][j];
      matrix[pivot][j] = other;
    }
    double other = b[k];
    b[k] = b[pivot];
    b[pivot] = other;
    for (int i = k + 1; i < n; i++) {
      double factor = matrix[i][k] / matrix[k][k];
      for (int j = k; j < n; j++) matrix[i][j] -= factor * matrix[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= matrix[i][j] * b[j];
    b[i] /= matrix[i][i];
  }
}

/* y: x, then v. */
static void accelerate(const SimProblem *p, const int *slip, double t, const double *y, double *a, double *lambda) {
  int d = p->d, n = 0, sliding[D_MAX];
  double load[D_MAX], matrix[D_MAX][D_MAX], b[D_MAX];
  for (int i = 0; i < d; i++) {
    load[i] = random_force(i, t);
    for (int j = 0; j < d; j++)
      load[i] -= p->system.stiffness[i * d + j] * y[j] + p->system.damping[i * d + j] * y[d + j];
    if (slip[i]) sliding[n++] = i;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) matrix[i][j] = p->system.mass[sliding[i] * d + sliding[j]];
    b[i] = load[sliding[i]] - p->friction[sliding[i]] * (slip[sliding[i]] - gamma_of(p, sliding[i], y[d + sliding[i]]));
  }
  solve(n, matrix, b);
  for (int i = 0; i < d; i++) {
    a[i] = 0;
    lambda[i] = slip[i];
  }
  for (int j = 0; j < n; j++) a[sliding[j]] = b[j];
  for (int i = 0; i < d; i++) {
    if (slip[i]) continue;
    for (int j = 0; j < d; j++) load[i] -= p->system.mass[i * d + j] * a[j];
    lambda[i] = load[i] / p->friction[i];
  }
}

static int right_side(double t, N_Vector y, N_Vector rate, void *context) {
  const Other *o = context;
  int d = o->p->d;
  double lambda[D_MAX], *to = N_VGetArrayPointer(rate);
  const double *from = N_VGetArrayPointer(y);
  memcpy(to, from + d, (size_t)d * sizeof *to);
  accelerate(o->p, o->slip, t, from, to + d, lambda);
  return 0;
}

/* Root functions of dof i. [i]: v_i if it slides, 1 - lambda_i^2 if it sticks. [d + i]: changes its sign at a kink of
 * gamma. */
static int roots(double t, N_Vector y, double *g, void *context) {
  const Other *o = context;
  int d = o->p->d;
  double a[D_MAX], lambda[D_MAX];
  const double *v = N_VGetArrayPointer(y) + d;
  accelerate(o->p, o->slip, t, v - d, a, lambda);
  for (int i = 0; i < d; i++) {
    bool ramp = o->p->system.stribeck == SIM_STRIBECK_RAMP && o->slip[i];
    g[i] = o->slip[i] ? v[i] : 1 - lambda[i] * lambda[i];
    g[d + i] = ramp ? fabs(v[i]) - o->p->system.stribeck_epsilon[i] : 1;
  }
  return 0;
}

/* Decides which resting joints slide from now on: of all combinations of signs, the one that violates the law least. */
static void decide(Other *o, double t, const double *y, const bool *rests) {
  int d = o->p->d, best[D_MAX] = {0}, trials = 1;
  double least = INFINITY;
  for (int i = 0; i < d; i++)
    if (rests[i]) trials *= 3;
  for (int trial = 0; trial < trials; trial++) {
    double a[D_MAX], lambda[D_MAX], contradiction = 0;
    for (int i = 0, rest = trial; i < d; i++) {
      if (!rests[i]) continue;
      o->slip[i] = rest % 3 - 1;
      rest /= 3;
    }
    accelerate(o->p, o->slip, t, y, a, lambda);
    for (int i = 0; i < d; i++) {
      if (!rests[i]) continue;
      contradiction = fmax(contradiction, o->slip[i] ? -o->slip[i] * a[i] : fabs(lambda[i]) - 1);
    }
    if (contradiction < least) {
      least = contradiction;
      memcpy(best, o->slip, sizeof best);
    }
  }
  assert_true(least < 1e-9);
  memcpy(o->slip, best, sizeof best);
}

static void note(Events *events, double t, int dof, int slip) {
  assert_true(events->n < EVENTS_MAX);
  events->list[events->n++] = (Event){t, dof, slip};
}

/* Handles roots. Stopped and resting dofs may slide on; dofs at their threshold begin to slide. */
static void pass_event(Other *o, double t, double *y, const int *which, Events *events) {
  int d = o->p->d, before[D_MAX];
  bool rests[D_MAX], stops = false;
  double a[D_MAX], lambda[D_MAX];
  accelerate(o->p, o->slip, t, y, a, lambda);
  memcpy(before, o->slip, sizeof before);
  for (int i = 0; i < d; i++) {
    bool stopped = before[i] && which[i];
    if (!before[i] && which[i]) o->slip[i] = lambda[i] > 0 ? 1 : -1;
    rests[i] = stopped || o->slip[i] == 0;
    if (stopped) y[d + i] = 0;
    stops = stops || stopped;
  }
  if (stops) decide(o, t, y, rests);
  for (int i = 0; i < d; i++)
    if (o->slip[i] != before[i]) note(events, t, i, o->slip[i]);
}

static void require(bool held) { assert_true(held); }

/* Computes x(T), v(T) [2d] and the events in 0 < t < T by CVODE. */
static void integrate(const SimProblem *p, double *result, Events *events) {
  Other o = {.p = p};
  SUNContext context;
  int d = p->d, code = CV_ROOT_RETURN;
  bool rests[D_MAX];
  double t = 0;
  require(SUNContext_Create(NULL, &context) == 0);
  N_Vector state = N_VNew_Serial(2 * d, context);
  void *cvode = CVodeCreate(CV_ADAMS, context);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(state, 0, context);
  double *y = N_VGetArrayPointer(state);
  for (int i = 0; i < d; i++) {
    y[i] = p->x0[i];
    y[d + i] = p->v0[i];
    o.slip[i] = (p->v0[i] > 0) - (p->v0[i] < 0);
    rests[i] = p->v0[i] == 0;
  }
  decide(&o, 0, y, rests);
  require(CVodeInit(cvode, right_side, 0, state) == 0);
  require(CVodeSStolerances(cvode, 1e-13, 1e-14) == 0 && CVodeSetUserData(cvode, &o) == 0);
  require(CVodeSetNonlinearSolver(cvode, solver) == 0 && CVodeRootInit(cvode, 2 * d, roots) == 0);
  require(CVodeSetMaxStep(cvode, p->end / 1000) == 0 && CVodeSetMaxNumSteps(cvode, 1000000) == 0);
  require(CVodeSetStopTime(cvode, p->end) == 0);
  while (t < p->end) {
    int which[2 * D_MAX];
    code = CVode(cvode, p->end, state, &t, CV_NORMAL);
    require(code >= 0);
    if (code != CV_ROOT_RETURN) continue;
    require(CVodeGetRootInfo(cvode, which) == 0);
    pass_event(&o, t, y, which, events);
    require(CVodeReInit(cvode, t, state) == 0);
  }
  memcpy(result, y, 2 * (size_t)d * sizeof *y);
  CVodeFree(&cvode);
  SUNNonlinSolFree(solver);
  N_VDestroy(state);
  SUNContext_Free(&context);
}

/* ---- comparisons ---- */

static void see_step(void *context, const SimStep *step) { (void)context, (void)step; }

static void see_event(void *context, double t, int dof, int slip) {
  if (t > 0) note(context, t, dof, slip);
}

static void same_motion(void **state) {
  int sticks = 0, turns = 0;
  (void)state;
  for (int k = 0; k < SYSTEMS; k++) {
    SimProblem p;
    static Events other, ours;
    double y[2 * D_MAX], x[D_MAX], v[D_MAX];
    other.n = ours.n = 0;
    random_system(k, &p);
    int d = p.d;
    fixture_time(&p, END, 40);
    integrate(&p, y, &other);
    fixture_scheme(&p, "event");
    fixture_run(&p, random_force, NULL, &(SimObserver){&ours, see_step, see_event}, x, v);
    for (int i = 0; i < d; i++)
      if (!(fabs(x[i] - y[i]) <= 1e-8 && fabs(v[i] - y[d + i]) <= 1e-8))
        fail_msg("system %d: dof %d: x %.3e, v %.3e off", k, i, x[i] - y[i], v[i] - y[d + i]);
    for (int e = 0; e < ours.n || e < other.n; e++) {
      const Event *a = &ours.list[e], *b = &other.list[e];
      if (e >= ours.n || e >= other.n || a->dof != b->dof || a->slip != b->slip || !(fabs(a->t - b->t) <= 1e-8))
        fail_msg("system %d: event %d of %d, %d: %.12g %d %d, %.12g %d %d", k, e, ours.n, other.n, a->t, a->dof,
                 a->slip, b->t, b->dof, b->slip);
      sticks += a->slip == 0;
      turns += a->slip != 0;
    }
  }
  print_message("%d sticks and %d slips of %d systems begin at the same times\n", sticks, turns, SYSTEMS);
  assert_in_range(sticks, 40, 4000);
  assert_in_range(turns, 40, 4000);
}

/* Compares x(T), v(T) of PEAKS systems by both methods. The variable STICTION_PEAKS sets another number. */
static void same_motion_over_peaks(void **state) {
  const char *wanted = getenv("STICTION_PEAKS");
  int systems = wanted ? atoi(wanted) : PEAKS, wrong = 0;
  long stops = 0;
  double worst = 0;
  (void)state;
  for (int k = 0; k < systems; k++) {
    SimProblem p;
    static Events other;
    double y[2 * D_MAX], x[D_MAX], v[D_MAX], off = 0;
    other.n = 0;
    random_peaks(k, &p);
    int d = p.d;
    fixture_time(&p, END, 4);
    integrate(&p, y, &other);
    fixture_scheme(&p, "event");
    fixture_run(&p, random_force, NULL, NULL, x, v);
    for (int i = 0; i < d; i++) off = fmax(off, fmax(fabs(x[i] - y[i]), fabs(v[i] - y[d + i])));
    for (int e = 0; e < other.n; e++) stops += other.list[e].slip == 0;
    if (!(off <= 1e-8)) print_message("system %d of exponent %d: %.3e off\n", k, 1 + k % 2, off);
    wrong += !(off <= 1e-8);
    worst = fmax(worst, off);
  }
  print_message("%ld stops of %d systems over Stribeck's peak; x, v differ by %.1e at most\n", stops, systems, worst);
  assert_int_equal(wrong, 0);
  assert_true(stops > systems);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_motion), cmocka_unit_test(same_motion_over_peaks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
