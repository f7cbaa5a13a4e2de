/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/certify/bound.h"
#include "control/base/argument.h"

#include "control/certify/forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void bound_from_control(const CtlBound *bound, const double *control, double w[BOUND_N]) {
  for (int i = 0; i < bound->n; i++) {
    w[i] = 0;
    for (int j = i; j < bound->n; j++) w[i] += bound->L[j][i] * control[j];
  }
}

void bound_to_control(const CtlBound *bound, const double w[BOUND_N], double *control) {
  for (int i = bound->n - 1; i >= 0; i--) {
    double rest = w[i];
    for (int j = i + 1; j < bound->n; j++) rest -= bound->L[j][i] * control[j];
    control[i] = rest / bound->L[i][i];
  }
}

/* Computes the vector m of inequality (5) in bound.h: the difference of two final states in the entries that have a
 * target. If y is NULL, computes the difference of one final state and the target. */
static void state_difference(const CtlBound *bound, const double *const from[2], const double *const y[2], double *m) {
  for (int i = 0; i < bound->m; i++) {
    int part = bound->given[i] >= bound->d, at = bound->given[i] - part * bound->d;
    m[i] = (y ? y[part][at] : bound->target[i]) - from[part][at];
  }
}

double bound_depth(const CtlBound *bound, const BoundForm *form, const double *m, double slope[BOUND_N]) {
  /* relative round-off of the sums in this file, some hundred ulps of their terms */
  static const double ROUND_OFF = 1e-13;
  double half = 0, terms = 0, slack = 0;
  for (int i = 0; i < bound->m; i++) {
    double row = 0, size = 0;
    for (int j = 0; j < bound->m; j++) {
      row += form->S[i * bound->m + j] * m[j];
      size += fabs(form->S[i * bound->m + j] * m[j]);
    }
    half += row * m[i] / 2;
    terms += size * fabs(m[i]);
    slack += fabs(row) * bound->off[i] + form->rounded[i] * m[i] * m[i] / 2;
  }
  for (int k = 0; k < bound->n; k++) {
    slope[k] = 0;
    for (int j = 0; j < bound->m; j++) {
      slope[k] += form->G[k * bound->m + j] * m[j];
      slack += (bound->upper[k] - bound->lower[k]) * fabs(form->slope_rounded[k * bound->m + j] * m[j]);
    }
  }
  return half - slack - ROUND_OFF * terms;
}

double bound_miss(const CtlBound *bound, const double *x, const double *v) {
  const double *const end[2] = {x, v};
  double most = 0;
  state_difference(bound, end, NULL, bound->work);
  for (int i = 0; i < bound->m; i++) most = fmax(most, fabs(bound->work[i]) / bound->off[i]);
  return most;
}

Cut bound_cut(const CtlBound *bound, int form, const double at[BOUND_N], const double *x, const double *v) {
  Cut cut = {.form = form};
  const double *const end[2] = {x, v};
  memcpy(cut.at, at, sizeof cut.at);
  state_difference(bound, end, NULL, bound->work);
  cut.depth = bound_depth(bound, &bound->forms[form], bound->work, cut.slope);
  return cut;
}

bool ctl_bound_holds(const CtlBound *bound, const double *const control[2], const double *const x[2],
                     const double *const v[2]) {
  if (!bound || !control || !x || !v) return false;
  const double *const from[2] = {x[0], v[0]}, *const to[2] = {x[1], v[1]};
  double w[2][BOUND_N], slope[BOUND_N];
  bound_from_control(bound, control[0], w[0]);
  bound_from_control(bound, control[1], w[1]);
  state_difference(bound, from, to, bound->work);
  bool holds = true;
  for (int f = 0; f < bound->n_forms; f++) {
    const BoundForm *form = &bound->forms[f];
    double value = bound_depth(bound, form, bound->work, slope);
    for (int k = 0; k < bound->n; k++) {
      double dw = w[1][k] - w[0][k];
      value -= slope[k] * dw + form->off[k] * fabs(dw);
      for (int l = 0; l < bound->n; l++) value -= dw * form->H[k][l] * (w[1][l] - w[0][l]) / 2;
    }
    holds = holds && value <= 0;
  }
  return holds;
}

const double *ctl_bound_errors(const CtlBound *bound) { return bound ? bound->errors : NULL; }

void ctl_bound_destroy(CtlBound *bound) {
  if (!bound) return;
  for (int f = 0; f < bound->n_forms; f++) free(bound->forms[f].S);
  free(bound->forms);
  free(bound->given);
  free(bound->target);
  free(bound);
}

/* Saving and loading the progress ----------------------------------------------------------------------------- */

/* Allocates the arrays for sizes n, m and d. Returns SIM_OK or SIM_NO_MEMORY. */
static SimStatus reserve_arrays(CtlBound *bound) {
  size_t m = (size_t)bound->m, d = (size_t)bound->d;
  bound->given = calloc(m + 1, sizeof *bound->given);
  bound->target = calloc(4 * m + 2 * d, sizeof *bound->target);
  if (!bound->given || !bound->target) return SIM_NO_MEMORY;
  bound->off = bound->target + m;
  bound->work = bound->off + m;
  bound->errors = bound->work + 2 * m;
  return SIM_OK;
}

SimStatus bound_add_form(CtlBound *bound, BoundForm **added) {
  size_t m = (size_t)bound->m, n = (size_t)bound->n, numbers = bound_form_numbers(bound);
  BoundForm *form = &bound->forms[bound->n_forms];
  *added = NULL;
  if (!form->S) form->S = calloc(numbers + 1, sizeof *form->S);
  if (!form->S) return SIM_NO_MEMORY;
  memset(form->S, 0, numbers * sizeof *form->S);
  form->G = form->S + m * m;
  form->rounded = form->G + n * m;
  form->slope_rounded = form->rounded + m;
  *added = form;
  return SIM_OK;
}

static void serialize_form(const CtlBound *bound, BoundForm *form, CtlBytes *bytes) {
  ctl_bytes_numbers(bytes, form->S, bound_form_numbers(bound));
  ctl_bytes_numbers(bytes, &form->H[0][0], sizeof form->H / sizeof(double));
  ctl_bytes_numbers(bytes, form->above, BOUND_N);
  ctl_bytes_numbers(bytes, form->off, BOUND_N);
}

/* Writes or reads a bound. Returns SIM_OK; when reading it may also return SIM_NO_MEMORY. */
static SimStatus serialize_bound(CtlBound *bound, CtlBytes *bytes) {
  bound->n = (int)ctl_bytes_integer(bytes, bound->n, 1, BOUND_N);
  bound->d = (int)ctl_bytes_integer(bytes, bound->d, 1, BOUND_D);
  bound->m = (int)ctl_bytes_integer(bytes, bound->m, 1, 2 * bound->d);
  long n_forms = ctl_bytes_integer(bytes, bound->n_forms, 0, BOUND_FORMS);
  if (bytes->from && (reserve_arrays(bound) != SIM_OK || !(bound->forms = calloc(BOUND_FORMS, sizeof *bound->forms))))
    return SIM_NO_MEMORY;
  ctl_bytes_numbers(bytes, &bound->L[0][0], sizeof bound->L / sizeof(double));
  ctl_bytes_numbers(bytes, bound->lower, BOUND_N);
  ctl_bytes_numbers(bytes, bound->upper, BOUND_N);
  ctl_bytes_numbers(bytes, &bound->near, 1);
  for (int i = 0; i < bound->m; i++)
    bound->given[i] = (int)ctl_bytes_integer(bytes, bound->given[i], 0, 2 * bound->d - 1);
  ctl_bytes_numbers(bytes, bound->target, 4 * (size_t)bound->m + 2 * (size_t)bound->d);
  for (int f = 0; f < n_forms; f++) {
    BoundForm *form = &bound->forms[f];
    if (bytes->from && bound_add_form(bound, &form) != SIM_OK) return SIM_NO_MEMORY;
    serialize_form(bound, form, bytes);
    bound->n_forms = bytes->from ? f + 1 : bound->n_forms;
  }
  return SIM_OK;
}

size_t ctl_bound_packed_size(const CtlBound *bound) {
  if (!bound) return 0;
  CtlBytes bytes = {0};
  /* writing does not change the bound, so that the cast is safe, here and below */
  serialize_bound((CtlBound *)bound, &bytes);
  return bytes.done;
}

void ctl_bound_pack(const CtlBound *bound, void *to) {
  if (!bound || !to) return;
  CtlBytes bytes = {.to = to};
  serialize_bound((CtlBound *)bound, &bytes);
}

SimStatus ctl_bound_unpack(const void *from, size_t size, CtlBound **result) {
  ARGUMENT(result != NULL, "bound", "is NULL");
  *result = NULL;
  ARGUMENT(from != NULL, "bytes", "is NULL");
  CtlBytes bytes = {.from = from, .left = size};
  CtlBound *bound = calloc(1, sizeof *bound);
  if (!bound) return SIM_NO_MEMORY;
  SimStatus status = serialize_bound(bound, &bytes);
  if (status == SIM_OK && (bytes.bad || bytes.left)) status = SIM_BAD_PROBLEM;
  if (status == SIM_OK)
    *result = bound;
  else
    ctl_bound_destroy(bound);
  return status;
}

/* Creating and destroying the proof ---------------------------------------------------------------------------- */

/* Computes the factor L of J(u) = u'L L'u. Returns false if J is not positive definite. */
static bool factor_cost(CtlBound *bound, const CtlProblem *problem) {
  int n = bound->n;
  double cost[BOUND_N * BOUND_N], one[BOUND_N], unit[BOUND_N] = {0};
  for (int i = 0; i < n; i++) {
    unit[i] = 1;
    one[i] = ctl_cost(problem, unit);
    unit[i] = 0;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      unit[i] += 1;
      unit[j] += 1;
      cost[i * n + j] = i == j ? one[i] : (ctl_cost(problem, unit) - one[i] - one[j]) / 2;
      unit[i] = unit[j] = 0;
    }
  if (dense_factor(n, cost)) return false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) bound->L[i][j] = cost[i * n + j];
  return true;
}

static bool is_diagonal(const CtlBound *bound) {
  for (int i = 0; i < bound->n; i++)
    for (int j = 0; j < i; j++)
      if (bound->L[i][j] != 0) return false;
  return true;
}

static void enclose_controls(CtlBound *bound, const CtlProblem *problem, double effort) {
  bool own = is_diagonal(bound);
  for (int i = 0; i < bound->n; i++) {
    double size = bound->L[i][i];
    bound->lower[i] = fmax(-sqrt(effort), own ? size * problem->lower[i] : -INFINITY);
    bound->upper[i] = fmin(sqrt(effort), own ? size * problem->upper[i] : INFINITY);
  }
}

/* Stores the given entries of one half of the target (part 0: x_T, part 1: v_T), from index `at` on, with their
 * tolerances. Returns the number of these entries. */
static int take_target(CtlBound *bound, const CtlProblem *problem, int part, int at) {
  const double *target = part ? problem->velocity : problem->position;
  const double *scale = part ? problem->velocity_scale : problem->position_scale;
  double size = 1;
  int count = 0;
  for (int i = 0; i < bound->d; i++)
    if (!isnan(target[i])) size = fmax(size, fabs(target[i]));
  for (int i = 0; i < bound->d; i++) {
    if (isnan(target[i])) continue;
    int k = at + count++;
    bound->given[k] = part * bound->d + i;
    bound->target[k] = target[i];
    bound->off[k] = problem->accept * (isnan(scale[i]) ? size : scale[i]) + bound->errors[bound->given[k]];
  }
  return count;
}

static SimStatus fill_bound(CtlBound *bound, const CtlProblem *problem, const SimProblem *sim, double effort) {
  /* NEAR_MIN: smallest value of bound->near. ACCEPTED: bound->near in units of the tolerance `accept`. */
  static const double NEAR_MIN = 1e-5, ACCEPTED = 10;
  bound->near = fmax(NEAR_MIN, ACCEPTED * problem->accept);
  if (!factor_cost(bound, problem)) return SIM_BAD_PROBLEM;
  enclose_controls(bound, problem, effort);
  SimStatus status = forms_errors(bound, sim, effort);
  if (status != SIM_OK) return status;
  int positions = take_target(bound, problem, 0, 0);
  take_target(bound, problem, 1, positions);
  return forms_create(bound, problem, sim, positions);
}

SimStatus ctl_bound_create(const CtlProblem *problem, const SimProblem *sim, double effort, CtlBound **result) {
  ARGUMENT(result != NULL, "bound", "is NULL");
  *result = NULL;
  ARGUMENT_PROBLEM(problem);
  ARGUMENT(sim && sim->scheme && sim->d == problem->d, "sim", "is NULL, not initialised, or has another d");
  ARGUMENT(effort >= 0 && isfinite(effort), "effort", "is below 0, or not finite");
  int m = 0;
  if (ctl_certify_check(problem, sim, NULL)) return SIM_BAD_PROBLEM;
  for (int i = 0; i < problem->d; i++) m += !isnan(problem->position[i]) + !isnan(problem->velocity[i]);
  CtlBound *bound = calloc(1, sizeof *bound);
  if (!bound) return SIM_NO_MEMORY;
  bound->n = problem->n;
  bound->m = m;
  bound->d = problem->d;
  SimStatus status = reserve_arrays(bound);
  if (status == SIM_OK) status = fill_bound(bound, problem, sim, effort);
  if (status == SIM_OK)
    *result = bound;
  else
    ctl_bound_destroy(bound);
  return status;
}
