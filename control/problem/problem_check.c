/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/problem/problem_check.h"

#include "control/problem/bounds.h"
#include "sim/operator/dense.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void ctl_check_complain(CtlCheck *check, const char *key, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  check->mistakes++;
  if (check->report) check->report->complain(check->report->context, key, text);
}

void ctl_check_features(CtlCheck *check, const char *key, int n, const CtlFeatureReason *reasons, SimFeatures lacking) {
  for (int k = 0; k < n; k++) {
    if (lacking & reasons[k].features) ctl_check_complain(check, reasons[k].key, "with %s (%s)", key, reasons[k].text);
    lacking &= ~reasons[k].features;
  }
  for (int k = 0; k < SIM_FEATURE_COUNT; k++)
    if (lacking >> k & 1)
      ctl_check_complain(check, sim_feature_key(k), "%s with %s (expected none: not proven)", sim_feature_name(k), key);
}

bool ctl_check_finite(CtlCheck *check, const char *key, int count, const double *values) {
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i])) {
      ctl_check_complain(check, key, "entry %d is not finite", i + 1);
      return false;
    }
  return true;
}

/* Computes the smallest and largest eigenvalue of a symmetric matrix. LAPACK is not needed for diagonal matrices, which
 * may be large. */
static SimStatus find_eigenvalues(int n, const double *a, double *smallest, double *largest) {
  bool diagonal = true;
  *smallest = INFINITY;
  *largest = -INFINITY;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i && diagonal; j++) diagonal = a[i * n + j] == 0 && a[j * n + i] == 0;
    *smallest = fmin(*smallest, a[i * n + i]);
    *largest = fmax(*largest, a[i * n + i]);
  }
  return diagonal ? SIM_OK : dense_eigenvalue_range(n, a, smallest, largest);
}

static void check_weight(CtlCheck *check) {
  static const char key[] = "control.weight";
  int n = check->problem->p;
  const double *weight = check->problem->weight;
  double scale = 0, smallest, largest;
  if (!ctl_check_finite(check, key, n * n, weight)) return;
  for (int i = 0; i < n * n; i++) scale = fmax(scale, fabs(weight[i]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (fabs(weight[i * n + j] - weight[j * n + i]) > 1e-12 * scale) {
        ctl_check_complain(check, key, "not symmetric: entry (%d,%d) is %g, entry (%d,%d) is %g", i + 1, j + 1,
                           weight[i * n + j], j + 1, i + 1, weight[j * n + i]);
        return;
      }
  SimStatus status = find_eigenvalues(n, weight, &smallest, &largest);
  if (status == SIM_NO_MEMORY)
    check->no_memory = true;
  else if (status != SIM_OK)
    ctl_check_complain(check, key, "its eigenvalues could not be computed");
  else if (smallest < -4 * n * DBL_EPSILON * scale)
    ctl_check_complain(check, key, "smallest eigenvalue %.3g (expected positive semi-definite)", smallest);
}

static const char variables_key[] = "evaluator.variables",
                  /* key under which errors of values are reported in problems with roles */
    values_key[] = "evaluator.values";

static void check_bounds(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  const char *start = p->roles ? variables_key : "control.start", *bounds = p->roles ? variables_key : "control.bounds";
  if (!ctl_check_finite(check, start, p->n, p->start)) return;
  for (int i = 0; i < p->n && p->roles; i++)
    if (!(p->size[i] > 0 && isfinite(p->size[i])))
      ctl_check_complain(check, start, "entry %d: size %g (expected > 0)", i + 1, p->size[i]);
  for (int i = 0; i < p->n; i++) {
    char where[48] = "";
    if (p->segments > 1) snprintf(where, sizeof where, " (%d of segment %d)", i % p->p + 1, i / p->p + 1);
    if (!(p->lower[i] <= p->upper[i]))
      ctl_check_complain(check, bounds, "entry %d: lower %g is not below upper %g", i + 1, p->lower[i], p->upper[i]);
    else if (p->start[i] < p->lower[i] || p->start[i] > p->upper[i])
      ctl_check_complain(check, start, "entry %d%s is %g, outside its bounds %g..%g", i + 1, where, p->start[i],
                         p->lower[i], p->upper[i]);
  }
}

static void check_rate(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  for (int i = 0; i < p->p; i++) {
    if (p->rate[i] > 0) continue;
    ctl_check_complain(check, "control.bounds.rate", "entry %d is %g (expected > 0)", i + 1, p->rate[i]);
    return;
  }
  /* otherwise ctl_bounds_move_inside, which proceeds from segment to segment, could end outside the bounds */
  for (int i = p->p; i < p->n; i++) {
    bool same = p->lower[i] == p->lower[i - p->p] && p->upper[i] == p->upper[i - p->p];
    if (same || isinf(p->rate[i % p->p])) continue;
    ctl_check_complain(check, "control.bounds", "entry %d has a rate, but not the same bounds in all segments",
                       i % p->p + 1);
    return;
  }
  int broken = ctl_bounds_broken(p, p->start);
  if (check->mistakes || broken < 0) return;
  double before, most = ctl_bounds_change(p, p->start, broken, &before);
  ctl_check_complain(check, "control.start",
                     "segment %d: entry %d goes from %g to %g: by more than rate T/segments = %g", broken / p->p + 1,
                     broken % p->p + 1, before, p->start[broken], most);
}

static void check_target(CtlCheck *check, const char *key, const double *target) {
  for (int i = 0; i < check->problem->d; i++)
    if (isinf(target[i])) ctl_check_complain(check, key, "entry %d is not finite", i + 1);
}

/* Checks the scale of the distances from a target. key: key of the scale. of: key of the target. */
static void check_scale(CtlCheck *check, const char *key, const char *of, const double *target, const double *scale) {
  bool any = false;
  for (int i = 0; i < check->problem->d; i++) any |= !isnan(target[i]);
  for (int i = 0; i < check->problem->d; i++) {
    if (isnan(scale[i]) || (any && scale[i] > 0 && isfinite(scale[i]))) continue;
    if (any)
      ctl_check_complain(check, key, "entry %d is %g (expected > 0)", i + 1, scale[i]);
    else
      ctl_check_complain(check, key, "a scale, but %s gives no entry", of);
    return;
  }
}

static void check_effort(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  if (p->effort_at_most > 0 && p->statistic == CTL_NOMINAL)
    ctl_check_complain(
        check, "control.effort_at_most",
        "with the objective nominal, which has the least effort (expected mean, worst_case or a quantile)");
  else if (!check->mistakes && ctl_bounds_too_dear(p, p->start))
    ctl_check_complain(check, "control.effort_at_most",
                       "%g, but that of the start is %.10g (expected at least as much)", p->effort_at_most,
                       ctl_cost(p, p->start));
}

/* Checks roles, targets and tolerances. */
static void check_values(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  for (int i = 0; i < p->d; i++) {
    CtlRole role = p->roles[i];
    double target = p->position[i], tolerance = p->position_scale[i];
    bool constraint = role >= CTL_ROLE_EQUAL;
    if (role < CTL_ROLE_OBJECTIVE || role > CTL_ROLE_AT_LEAST)
      ctl_check_complain(check, values_key, "entry %d: no role %d", i + 1, (int)role);
    else if (constraint && !isfinite(target))
      ctl_check_complain(check, values_key, "entry %d: its target is not finite", i + 1);
    else if (constraint && !(tolerance > 0 && isfinite(tolerance)))
      ctl_check_complain(check, values_key, "entry %d: tolerance %g (expected > 0)", i + 1, tolerance);
  }
}

void ctl_check_control(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  double end = p->end;
  if (p->roles) {
    check_bounds(check);
    check_values(check);
    return;
  }
  if (!(end > 0) || !isfinite(end)) ctl_check_complain(check, "time.end", "%g (expected > 0)", end);
  check_weight(check);
  check_bounds(check);
  check_rate(check);
  check_target(check, "control.target.position", p->position);
  check_target(check, "control.target.velocity", p->velocity);
  check_scale(check, "control.target.scale.position", "control.target.position", p->position, p->position_scale);
  check_scale(check, "control.target.scale.velocity", "control.target.velocity", p->velocity, p->velocity_scale);
  check_effort(check);
}
