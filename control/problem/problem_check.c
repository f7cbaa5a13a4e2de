#include "control/pds/matrix_rank.h"
#include "control/pds/template.h"
#include "control/problem/bounds.h"
#include "sim/operator/dense.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define EDGE_MAX 1e100 /* longer edges of a first simplex are mistakes, and their squares would overflow */

/* Sine below which a user simplex counts as flat: its points would be told apart by round-off alone. */
#define FLAT 1e-10

typedef struct Place {
  char text[48];
} Place;

typedef struct Check {
  const CtlProblem *problem;
  const SimReport *report;
  int mistakes;
} Check;

static void complain(Check *check, const char *key, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  check->mistakes++;
  if (check->report) check->report->complain(check->report->context, key, text);
}

/* Returns whether all are finite. */
static bool check_finite(Check *check, const char *key, int count, const double *values) {
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i])) {
      complain(check, key, "entry %d is not finite", i + 1);
      return false;
    }
  return true;
}

static void check_positive(Check *check, const char *key, double value) {
  if (!(value > 0) || !isfinite(value)) complain(check, key, "%g (expected > 0)", value);
}

/* Zero switches these rules off. */
static void check_optional(Check *check, const char *key, double value) {
  if (!(value >= 0) || !isfinite(value)) complain(check, key, "%g (expected >= 0)", value);
}

static void check_weight(Check *check) {
  static const char key[] = "control.weight";
  int n = check->problem->p;
  const double *weight = check->problem->weight;
  double scale = 0, smallest, largest;
  if (!check_finite(check, key, n * n, weight)) return;
  for (int i = 0; i < n * n; i++) scale = fmax(scale, fabs(weight[i]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (fabs(weight[i * n + j] - weight[j * n + i]) > 1e-12 * scale) {
        complain(check, key, "not symmetric: entry (%d,%d) is %g, entry (%d,%d) is %g", i + 1, j + 1, weight[i * n + j],
                 j + 1, i + 1, weight[j * n + i]);
        return;
      }
  if (dense_eigenvalue_range(n, weight, &smallest, &largest))
    complain(check, key, "its eigenvalues could not be computed");
  else if (smallest < -4 * n * DBL_EPSILON * scale)
    complain(check, key, "smallest eigenvalue %.3g (expected positive semi-definite)", smallest);
}

/* " (1 of segment 2)", where there are several, of a search variable. */
static Place place(const CtlProblem *problem, int variable) {
  Place place = {""};
  int p = problem->p;
  if (problem->segments > 1)
    snprintf(place.text, sizeof place.text, " (%d of segment %d)", variable % p + 1, variable / p + 1);
  return place;
}

static void check_bounds(Check *check) {
  const CtlProblem *p = check->problem;
  if (!check_finite(check, "control.start", p->n, p->start)) return;
  for (int i = 0; i < p->n; i++) {
    if (!(p->lower[i] <= p->upper[i]))
      complain(check, "control.bounds", "entry %d: lower %g is not below upper %g", i + 1, p->lower[i], p->upper[i]);
    else if (p->start[i] < p->lower[i] || p->start[i] > p->upper[i])
      complain(check, "control.start", "entry %d%s is %g, outside its bounds %g..%g", i + 1, place(p, i).text,
               p->start[i], p->lower[i], p->upper[i]);
  }
}

static void check_rate(Check *check) {
  const CtlProblem *p = check->problem;
  for (int i = 0; i < p->p; i++) {
    if (p->rate[i] > 0) continue;
    complain(check, "control.bounds.rate", "entry %d is %g (expected > 0)", i + 1, p->rate[i]);
    return;
  }
  for (int i = p->p; i < p->n; i++) { /* else what is moved inside segment by segment may end up outside */
    bool same = p->lower[i] == p->lower[i - p->p] && p->upper[i] == p->upper[i - p->p];
    if (same || isinf(p->rate[i % p->p])) continue;
    complain(check, "control.bounds", "entry %d has a rate, but not the same bounds in all segments", i % p->p + 1);
    return;
  }
  int broken = ctl_bounds_broken(p, p->start);
  if (check->mistakes || broken < 0) return;
  double before, most = ctl_bounds_change(p, p->start, broken, &before);
  complain(check, "control.start", "segment %d: entry %d goes from %g to %g: by more than rate T/segments = %g",
           broken / p->p + 1, broken % p->p + 1, before, p->start[broken], most);
}

/* Returns how many entries are given. */
static int check_target(Check *check, const char *key, const double *target) {
  int given = 0;
  for (int i = 0; i < check->problem->d; i++) {
    given += !isnan(target[i]);
    if (isinf(target[i])) complain(check, key, "entry %d is not finite", i + 1);
  }
  return given;
}

static void check_penalty(Check *check) {
  const CtlProblem *p = check->problem;
  int given = check_target(check, "control.target.position", p->position);
  given += check_target(check, "control.target.velocity", p->velocity);
  if (!given) complain(check, "control.target", "gives no position and no velocity");
  if (p->method == CTL_METHOD_POUNDERS && given > CTL_POUNDERS_TARGETS)
    complain(check, "search.method", "tao:pounders with %d targets (expected at most %d; hybrid takes any number)",
             given, CTL_POUNDERS_TARGETS);
  check_positive(check, "search.rho", p->rho);
  if (p->rho_update == CTL_RHO_DYNAMIC && p->rho > CTL_RHO_MAX)
    complain(check, "search.rho", "%g (expected <= %g, the cap of the dynamic update)", p->rho, CTL_RHO_MAX);
}

static void check_simplex(Check *check) {
  const CtlProblem *p = check->problem;
  long least = 2L * p->n;
  if (p->scheme_size && (p->scheme_size < least || p->scheme_size > CTL_SCHEME_MAX))
    complain(check, "search.scheme_size", "%ld (expected %ld..%d: twice the number of controls at least)",
             p->scheme_size, least, CTL_SCHEME_MAX);
  size_t table = ctl_template_bytes(p->n, ctl_problem_scheme_size(p)), mib = 1 << 20;
  if (table > CTL_TEMPLATE_BYTES && p->scheme_size <= CTL_SCHEME_MAX)
    complain(check, "search.scheme_size",
             "%ld points of %d variables: tables of up to %zu MiB (expected at most %zu MiB)", p->scheme_size, p->n,
             table / mib, CTL_TEMPLATE_BYTES / mib);
  if (p->simplex != CTL_SIMPLEX_USER || p->method != CTL_METHOD_PDS) {
    check_positive(check, "search.step", p->step);
    if (p->step > EDGE_MAX) complain(check, "search.step", "%g (expected at most %g)", p->step, EDGE_MAX);
  }
  if (p->simplex != CTL_SIMPLEX_USER) return;
  if (!check_finite(check, "search.simplex", p->n * p->n, p->edges)) return;
  for (int i = 0; i < p->n * p->n; i++)
    if (fabs(p->edges[i]) > EDGE_MAX) {
      complain(check, "search.simplex", "%g (expected at most %g)", p->edges[i], EDGE_MAX);
      return;
    }
  int rank = ctl_rank(p->n, p->edges, FLAT);
  if (rank < p->n) complain(check, "search.simplex", "a degenerate simplex: rank %d (expected %d)", rank, p->n);
}

static void check_stop(Check *check) {
  const CtlProblem *p = check->problem;
  check_positive(check, "search.tolerance", p->tolerance);
  check_optional(check, "search.relative_tolerance", p->relative_tolerance);
  check_positive(check, "search.accept", p->accept);
  check_optional(check, "search.stop_at", p->stop_at);
  check_optional(check, "search.max_seconds", p->max_seconds);
  check_optional(check, "search.evaluation_timeout", p->evaluation_timeout);
  if (p->max_simplexes < 0) complain(check, "search.max_simplexes", "%ld (expected >= 0)", p->max_simplexes);
  if (p->local_starts < 1 || p->local_starts > CTL_LOCALS_MAX)
    complain(check, "search.local_starts", "%d (expected 1..%d)", p->local_starts, CTL_LOCALS_MAX);
  if (p->restarts < 0) complain(check, "search.restarts", "%d (expected >= 0)", p->restarts);
  if (!ctl_method_has_simplexes(p->method)) return;
  long first = p->n + 1 + ctl_problem_first_size(p); /* its vertices, and its scheme */
  if (p->max_evaluations && p->max_evaluations < first)
    complain(check, "search.max_evaluations", "%ld (expected >= %ld, the first simplex)", p->max_evaluations, first);
}

SimStatus ctl_problem_check(const CtlProblem *problem, const SimReport *report) {
  Check check = {.problem = problem, .report = report};
  if (problem->n < 1 || problem->n > CTL_CONTROLS_MAX) {
    complain(&check, "control.matrix", "%d controls (expected 1..%d)", problem->n, CTL_CONTROLS_MAX);
    return SIM_BAD_PROBLEM;
  }
  check_positive(&check, "time.end", problem->end);
  check_weight(&check);
  check_bounds(&check);
  check_rate(&check);
  check_penalty(&check);
  check_simplex(&check);
  check_stop(&check);
  return check.mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}
