/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/smooth.h"

#include "control/outcome/penalty.h"
#include "control/outcome/values.h"
#include "control/problem/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  STALL_TRIALS = 20, /* number of trials within which the constraint violations or the objective f must fall by a given
                      * fraction */
  MOST_TRIALS = 1000 /* maximum number of trials of a phase, since the constraint violations and the objective f may
                      * fall alternately for ever */
};

/* Constants that decide when a run ends. */
static const double MISS_REDUCTION = 0.5;  /* fraction by which the constraint violations must fall in STALL_TRIALS
                                            * trials */
static const double COST_REDUCTION = 1e-9; /* fraction by which the objective f must fall in STALL_TRIALS trials */
/* The decrease of f in STALL_TRIALS trials is slow below this fraction. B then loses the curvature that it has learned
 * (smooth.h) or, if the constraints have been restored before, the run ends. */
static const double SLOW_REDUCTION = 1e-3;
/* a step is made only if its predicted decrease of the objective f, relative to f, is at least this */
static const double COST_TOLERANCE = 1e-13;
/* replaces COST_TOLERANCE if the evaluator supplies second derivatives (CtlProblem.curvature): at the kinks of such
 * problems the last digits would take many trials */
static const double COST_TOLERANCE_CURVED = 1e-11;
static const double LEAST_COST = 1e-6; /* the objective f counts as 0 below this fraction of its value at the first
                                        * point */
/* The run ends if a step is shorter than this times max(1, largest variable), both in units of CtlProblem.size. */
static const double STEP_TOLERANCE = 1e-11;
static const double MET = 1e-3;        /* the constraints count as met if their error is at most this, relative to
                                        * their tolerances */
static const double ROUND_OFF = 1e-14; /* relative round-off of the objective f and of the constraint violations */

/* Constants of the filter and of the box (trust region); sqp.c explains each of them. */
static const double FILTER_MARGIN = 1e-4, COST_MARGIN = 1e-3, SWITCHING = 1e-4, ARMIJO = 0.1, MISS_GROWTH = 10;
static const double GOOD_RATIO = 0.75, POOR_RATIO = 0.25, GROWTH = 3, AT_EDGE = 0.9, SHRINKAGE = 0.5,
                    FAILED_SHRINKAGE = 0.25;
/* A step may not lead to constraint violations above these limits, unless the current point has nearly the same. FIRST:
 * at first; LATER: after the run has returned to a point that meets the constraints. */
static const double FIRST_MISSES = 1, LATER_MISSES = 1.0 / 32;
/* the Gauss-Newton matrix is used again if a step lowers the objective f by at least this fraction */
static const double FAST_FALL = 0.2;

static size_t numbers_of(const CtlSmooth *s) {
  size_t n = (size_t)s->n, m = (size_t)s->m;
  return 5 * n + 4 * m + m * n + 2 * n * n + 2 * CTL_SQP_FILTER;
}

bool ctl_smooth_init(CtlSmooth *s, const CtlProblem *problem) {
  int constraints = 0; /* number of constraints and magnitudes, which each have a row in the quadratic problem of a
                        * step */
  for (int i = 0; i < problem->d; i++) constraints += problem->roles[i] >= CTL_ROLE_MAGNITUDE;
  *s = (CtlSmooth){.problem = problem, .n = problem->n, .m = problem->d};
  size_t n = (size_t)s->n, m = (size_t)s->m;
  s->at = calloc(numbers_of(s), sizeof *s->at);
  s->room = calloc(3 * n + m + m * n, sizeof *s->room);
  s->of = calloc(m, sizeof *s->of);
  if (!ctl_qp_init(&s->qp, s->n, 0, constraints, s->n, s->n - 1) || !s->at || !s->room || !s->of) return false;
  s->trial = s->at + n;
  s->step = s->trial + n;
  s->nearest = s->step + n;
  s->gradient = s->nearest + n;
  s->values = s->gradient + n;
  s->ahead = s->values + m;
  s->y = s->ahead + m;
  s->next = s->y + m;
  s->rows = s->next + m;
  s->B = s->rows + m * n;
  s->extra = s->B + n * n;
  s->filter = (double(*)[2])(s->extra + n * n);
  return true;
}

void ctl_smooth_clear(CtlSmooth *s) {
  free(s->at);
  free(s->room);
  free(s->of);
  ctl_qp_clear(&s->qp);
}

void ctl_smooth_start(CtlSmooth *s, const double *point) {
  memmove(s->trial, point, (size_t)s->n * sizeof *point); /* memmove is needed because `point` may be the array s->trial
                                                           * itself */
  ctl_bounds_move_inside(s->problem, s->trial);
  memset(s->y, 0, (size_t)s->m * sizeof *s->y);
  s->radius = s->problem->step;
  s->progress = s->lowest = s->least = INFINITY;
  s->tried = s->filtered = 0;
  s->begun = s->corrected = s->ended = s->scaled = s->restores = s->restored = s->meets = s->returned = false;
}

/* Returns the largest entry of a point, in units of CtlProblem.size. */
static double largest_entry(const CtlSmooth *s, const double *point) {
  double most = 0;
  for (int i = 0; i < s->n; i++) most = fmax(most, fabs(point[i]) / s->problem->size[i]);
  return most;
}

static double longest_step(const CtlSmooth *s) {
  double most = 0;
  for (int i = 0; i < s->n; i++) most = fmax(most, fabs(s->step[i]));
  return most;
}

/* Returns the length below which a step changes nothing, in units of CtlProblem.size. */
static double shortest_step(const CtlSmooth *s) { return STEP_TOLERANCE * fmax(1, largest_entry(s, s->at)); }

/* Begins a phase: resets the filter, the multipliers, the measures of progress and the count of trials. Earlier steps
 * then have no influence. */
static void begin_anew(CtlSmooth *s) {
  memset(s->y, 0, (size_t)s->m * sizeof *s->y);
  s->radius = s->problem->step;
  s->progress = s->lowest = INFINITY;
  s->tried = s->filtered = 0;
  s->corrected = false;
}

/* Stores the current point in s->nearest if it is better than the stored one. If the run ends with violated constraints
 * it returns to that point. It is the point with the lowest objective f that meets the constraints. While there is
 * none, it is the point with the smallest violations from which a step can halve them; at a point where no joint moves,
 * no step can. */
static void keep_nearest(CtlSmooth *s) {
  bool met = ctl_values_error(s->problem, s->values) <= s->problem->accept;
  if (met ? s->meets && s->f >= s->least
          : s->meets || s->misses >= s->least || s->remaining > MISS_REDUCTION * s->misses)
    return;
  s->least = met ? s->f : s->misses;
  s->meets = met;
  memcpy(s->nearest, s->at, (size_t)s->n * sizeof *s->nearest);
}

/* Computes the next trial, or ends the run. Once the constraints have been restored (smooth.h), steps minimise f
 * again. */
static void propose_trial(CtlSmooth *s) {
  if (s->restores && ctl_values_error(s->problem, s->values) <= MET) {
    s->restores = false;
    begin_anew(s);
    ctl_smooth_begin_matrix(s);
  }
  bool found = ctl_smooth_solve(s, NULL);
  if (!found) {
    ctl_smooth_begin_matrix(s);
    found = ctl_smooth_solve(s, NULL);
  }
  if (found) {
    ctl_smooth_predict(s);
    keep_nearest(s);
  }
  bool met = ctl_values_error(s->problem, s->values) <= MET;
  double tolerance = s->problem->curvature ? COST_TOLERANCE_CURVED : COST_TOLERANCE;
  s->ended =
      !found || longest_step(s) <= shortest_step(s) ||
      (met && fabs(s->promised) <= tolerance * fmax(fabs(s->f), LEAST_COST * s->first) && s->remaining <= s->misses);
}

/* Makes the trial the current point. f, misses: its objective and sum of constraint violations. */
static void accept_trial(CtlSmooth *s, double f, double misses, const double *values, const double *rows) {
  bool first = !s->begun, fell = f <= (1 - FAST_FALL) * s->f;
  double *change = s->room, *after = change + s->n;
  if (!first) ctl_smooth_lagrangian(s->problem, s->gradient, s->rows, s->next, change);
  memcpy(s->at, s->trial, (size_t)s->n * sizeof *s->at);
  memcpy(s->values, values, (size_t)s->m * sizeof *s->values);
  ctl_smooth_rows(s->problem, rows, s->rows);
  for (int i = 0; i < s->m; i++) s->ahead[i] = rows[(size_t)i * ctl_row_size(s->n) + (size_t)s->n];
  ctl_smooth_gradient(s->problem, s->values, s->rows, s->gradient);
  s->f = f;
  s->misses = misses;
  s->corrected = false;
  s->begun = true;
  if (first) {
    s->first = fabs(f);
    memset(s->extra, 0, (size_t)s->n * (size_t)s->n * sizeof *s->extra); /* B is reset, so that what an earlier phase
                                                                          * has learned is discarded */
  }
  if (s->problem->curvature) ctl_smooth_take_matrix(s, rows);
  if (first)
    ctl_smooth_begin_matrix(s);
  else {
    memcpy(s->y, s->next, (size_t)s->m * sizeof *s->y);
    ctl_smooth_lagrangian(s->problem, s->gradient, s->rows, s->y, after);
    for (int i = 0; i < s->n; i++) change[i] = after[i] - change[i];
    ctl_smooth_update_matrix(s, change, fell);
  }
  propose_trial(s);
}

/* Whether a point is better than another one, by the margins of the filter, in its violations or in f. */
static bool is_better(double misses, double f, double than_misses, double than_f) {
  return misses <= (1 - FILTER_MARGIN) * than_misses ||
         f <= than_f - COST_MARGIN * fabs(than_f) * fmin(1, misses) + ROUND_OFF * fabs(than_f);
}

/* Whether to accept a step to a point with objective f and sum of constraint violations `misses`. If lowers_f, the step
 * must lower f sufficiently, otherwise the violations. No point in the filter may be better in both numbers. */
static bool is_taken(const CtlSmooth *s, double f, double misses, bool lowers_f) {
  double off = fmax(misses - ROUND_OFF * s->m, 0);
  if (s->restores) return misses <= s->misses - ARMIJO * (s->misses - s->remaining);
  if (misses > fmax(s->returned ? LATER_MISSES : FIRST_MISSES, MISS_GROWTH * s->misses)) return false;
  if (lowers_f && s->f - f < ARMIJO * s->promised - ROUND_OFF * fabs(s->f)) return false;
  if (!lowers_f && off > s->misses - ARMIJO * (s->misses - s->remaining) && !is_better(INFINITY, f, 0, s->f))
    return false;
  if (!is_better(off, f, s->misses, s->f)) return false;
  for (int k = 0; k < s->filtered; k++)
    if (!is_better(off, f, s->filter[k][0], s->filter[k][1])) return false;
  return true;
}

/* Rejects the trial: tries a second-order correction, or a step in a smaller box. */
static void reject_trial(CtlSmooth *s, const double *values, const double *rows) {
  double length = longest_step(s);
  if (values) ctl_smooth_learn(s, values, rows);
  if (values && !s->corrected && ctl_smooth_misses(s->problem, values) > 0) {
    double *bend = s->room + 3 * s->n;
    ctl_smooth_bend(s, values, rows, bend);
    s->corrected = ctl_smooth_solve(s, bend);
    if (s->corrected) return;
  }
  s->radius = fmin(s->radius, length) * (values ? SHRINKAGE : FAILED_SHRINKAGE);
  s->corrected = false;
  if (s->radius > shortest_step(s))
    propose_trial(s);
  else
    s->ended = true;
}

/* Returns whether the objective f has decreased by the given fraction since the last check of progress. */
static bool has_fallen(const CtlSmooth *s, double fraction) {
  return s->f < s->lowest - fraction * fabs(s->lowest) || isinf(s->lowest);
}

/* Returns whether the run makes no progress, which is checked every STALL_TRIALS trials. If the constraints are met,
 * this means that f has not fallen enough. Otherwise it means that the violations have not, and that f has not either;
 * f is ignored during restoration. If f falls slowly, the curvature learned in B is discarded, as it may be that of
 * earlier points and make the steps short. It is kept if the constraints are missed and B has no other curvature, as
 * for a least time: without any, the steps go from corner to corner of the limits. */
static bool gets_nowhere(CtlSmooth *s) {
  if (s->tried >= MOST_TRIALS) return true;
  if (s->tried % STALL_TRIALS != 0) return false;
  bool met = ctl_values_error(s->problem, s->values) <= MET;
  bool same = !has_fallen(s, s->restored ? SLOW_REDUCTION : COST_REDUCTION);
  bool missed = !met && s->misses > (1 - MISS_REDUCTION) * s->progress;
  bool stale = s->problem->curvature && (met || (missed && ctl_smooth_has_matrix(s)));
  if (stale && !has_fallen(s, SLOW_REDUCTION)) ctl_smooth_begin_matrix(s);
  s->progress = s->misses;
  s->lowest = s->f;
  return met ? same : missed && (same || s->restores);
}

/* Decides, from the values at a trial point, whether to accept it, to reject it, or to end the run. */
static void judge_trial(CtlSmooth *s, const double *values, const double *rows) {
  double f = INFINITY, misses = INFINITY, sum = 0, length = longest_step(s);
  s->tried++;
  for (size_t i = 0; values && i < (size_t)ctl_row_count(s->problem) * ctl_row_size(s->n); i++) sum += fabs(rows[i]);
  if (values && isfinite(sum)) {
    f = ctl_values_f(s->problem, values);
    misses = ctl_smooth_misses(s->problem, values);
  }
  if (!isfinite(f) || !isfinite(misses)) values = NULL;
  if (!s->begun && values) {
    accept_trial(s, f, misses, values, rows);
    return;
  }
  if (!s->begun || gets_nowhere(s)) {
    s->ended = true;
    return;
  }
  bool lowers_f = s->promised > SWITCHING * fabs(s->f) * fmin(1, s->misses);
  if (!values || !is_taken(s, f, misses, lowers_f)) {
    reject_trial(s, values, rows);
    return;
  }
  double kept = lowers_f ? (s->f - f) / s->promised : (s->misses - misses) / (s->misses - s->remaining);
  if (!lowers_f && !s->restores) s->filtered = ctl_filter_extend(s->filter, s->filtered, s->misses, s->f);
  if (length > AT_EDGE * s->radius && kept > GOOD_RATIO) s->radius *= GROWTH;
  if (kept < POOR_RATIO && misses > 0) s->radius = fmin(s->radius, length * SHRINKAGE);
  accept_trial(s, f, misses, values, rows);
}

void ctl_smooth_tell(CtlSmooth *s, const double *values, const double *rows) {
  judge_trial(s, values, rows);
  bool met = s->begun && ctl_values_error(s->problem, s->values) <= s->problem->accept;
  if (!s->ended || met || !isfinite(s->least) || (s->meets ? s->returned : s->restored)) return;
  begin_anew(s);
  memcpy(s->trial, s->nearest, (size_t)s->n * sizeof *s->trial);
  s->begun = s->ended = false;
  if (s->meets)
    s->returned = true;
  else
    s->restores = s->restored = true;
}

bool ctl_smooth_is_cut(const CtlSmooth *s) { return s->ended && s->tried >= MOST_TRIALS; }

void ctl_smooth_serialize(CtlSmooth *s, CtlBytes *bytes) {
  double *const numbers[] = {&s->first,     &s->f,        &s->misses, &s->radius, &s->promised,
                             &s->remaining, &s->progress, &s->lowest, &s->least};
  bool *const flags[] = {&s->begun,    &s->scaled,   &s->corrected, &s->ended,
                         &s->restores, &s->restored, &s->meets,     &s->returned};
  ctl_bytes_numbers(bytes, s->at, numbers_of(s));
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) ctl_bytes_numbers(bytes, numbers[k], 1);
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) *flags[k] = ctl_bytes_integer(bytes, *flags[k], 0, 1);
  s->tried = ctl_bytes_integer(bytes, s->tried, 0, INT32_MAX);
  s->filtered = (int)ctl_bytes_integer(bytes, s->filtered, 0, CTL_SQP_FILTER);
  for (int i = 0; i < s->n; i++) bytes->bad |= !isfinite(s->trial[i]);
}
