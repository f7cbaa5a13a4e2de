/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/sqp.h"

#include "control/problem/bounds.h"
#include "control/sqp/linear.h"

#include <math.h>
#include <stdlib.h>

enum {
  /* number of trials within which the misses (distances from the targets), or J once the targets are met, must fall by
   * a given fraction */
  STALL_TRIALS = 8,
  FORECAST_LOOKS =
      /* a run is abandoned if J, falling further at its recent rate, would still be too high after this number times
       * STALL_TRIALS trials */
  4
};

/* Constants that decide when a run ends. */
static const double MISS_REDUCTION = 0.5;         /* fraction by which the misses (distances from the targets) must fall
                                                   * in STALL_TRIALS trials */
static const double COST_REDUCTION = 1e-9;        /* fraction by which J must fall in STALL_TRIALS trials */
static const double CENTRE_COST_REDUCTION = 1e-3; /* replaces COST_REDUCTION for steps about a centre (CTL_SQP_CENTRE in
                                                   * sqp.h) */
/* a step is made only if its predicted decrease of J, relative to J and to the run's tolerance, exceeds this */
static const double COST_TOLERANCE = 0.1;
static const double ROUND_OFF = 1e-13;      /* relative round-off of J, and round-off of a distance from a target in its
                                             * unit */
static const double STEP_TOLERANCE = 1e-12; /* the run ends if a step is shorter than this, relative to the largest u */
static const double SAME_COST = 1e-5;       /* relative difference of J below which two answers cost the same */

/* The next four constants are limits of the sum of the misses (distances from the targets), in units of E1 and E2. */
static const double FORECAST_MISS = 0.1;    /* below this, J is close to that of the answer, so that it can be compared
                                             * with other runs */
static const double CORRECTION_MISS = 1e-2; /* below this, a second-order correction is tried */
/* below this, the run first moves its start to the nearest point that meets the targets */
static const double START_MISS = 1e-3;
static const double CENTRE_MISS = 1e-4; /* below this, steps about a centre (CTL_SQP_CENTRE in sqp.h) may decrease J
                                         * instead of the misses */

/* Constants of the filter of pairs (misses, J): Fletcher and Leyffer, Nonlinear programming without a penalty function,
 * Math. Program. 91 (2002). The misses are the sum of the distances from the targets. */
static const double FILTER_MARGIN = 1e-4; /* a new point's misses must be below those of a pair in the filter by this
                                           * fraction */
/* a new point's J must be below that of a pair by this fraction times min(1, misses) */
static const double COST_MARGIN = 1e-3;
/* a step must lower J if the predicted decrease of J, relative to the misses, exceeds this */
static const double SWITCHING = 1e-4;
/* Armijo's condition: fraction of the predicted decrease that a step must achieve */
static const double ARMIJO = 0.1;
/* factor by which an accepted step may increase the misses, above CORRECTION_MISS */
static const double MISS_GROWTH = 10;

/* Constants of the box, which is a trust region. */
static const double GOOD_RATIO = 0.6;  /* the box may grow if the ratio of actual to predicted decrease of J exceeds
                                        * this */
static const double POOR_RATIO = 0.25; /* the box shrinks if that ratio is below this */
static const double GROWTH = 3;        /* factor by which the box grows */
static const double AT_EDGE = 0.9;     /* the box grows only if the step's length, relative to the half-width of the
                                        * box, exceeds this */
/* limits of the half-width of the box after a rejected step, relative to the step's length */
static const double LEAST_SHRINKAGE = 0.05, MOST_SHRINKAGE = 0.5;
/* half-width of the box after a failed motion or a corrected step, relative to the step's length */
static const double FAILED_SHRINKAGE = 0.25;
static const double CENTRE_RADIUS = 0.1; /* half-width of the first box about a centre, relative to the largest u */

/* Returns the size of the block of all arrays of a CtlSqp, in doubles. */
static size_t numbers_of(const CtlSqpShared *shared) {
  size_t n = (size_t)shared->n, m = (size_t)shared->m;
  return 4 * n + m + 2 * m * (ctl_row_size(shared->n) + 1) + 2 * CTL_SQP_FILTER;
}

bool ctl_sqp_init(CtlSqp *s, CtlSqpShared *shared) {
  size_t n = (size_t)shared->n, m = (size_t)shared->m;
  *s = (CtlSqp){.shared = shared, .at = calloc(numbers_of(shared), sizeof(double))};
  if (!s->at) return false;
  s->trial = s->at + n;
  s->centre = s->trial + n;
  s->price = s->centre + n;
  s->miss = s->price + m;
  s->rows = s->miss + m;
  s->other = (CtlSqpPoint){.at = s->rows + m * ctl_row_size(shared->n)};
  s->other.miss = s->other.at + n;
  s->other.rows = s->other.miss + m;
  s->filter = (double(*)[2])(s->other.rows + m * ctl_row_size(shared->n));
  return true;
}

void ctl_sqp_clear(CtlSqp *s) { free(s->at); }

void ctl_sqp_start(CtlSqp *s, const double *control, double tolerance) {
  /* memmove is needed because `control` may be the array s->trial itself */
  memmove(s->trial, control, (size_t)s->shared->n * sizeof *control);
  ctl_bounds_move_inside(s->shared->problem, s->trial);
  s->tolerance = tolerance;
  s->radius = s->progress = s->progress_J = s->fall = s->least = s->other.misses = s->low = s->low_J = INFINITY;
  s->effort = s->owed = 0;
  s->part = 1;
  s->stage = s->shared->together[0] || s->shared->together[1] ? CTL_SQP_CENTRE : CTL_SQP_BOX;
  s->tried = s->filtered = 0;
  s->begun = s->corrected = false;
  s->end = CTL_SQP_RUNNING;
}

static double largest_entry(int n, const double *a) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
  return most;
}

static double farthest_entry(int n, const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* Solves the linear problem (linear.h), which gives the trial. Returns false if there is no solution. */
static bool solve_trial(CtlSqp *s, const double *bend) {
  CtlSqpShared *shared = s->shared;
  ctl_linear_problem(s, bend);
  if (!ctl_qp_solve(&shared->qp)) return false;
  memcpy(s->centre, s->at, (size_t)shared->n * sizeof *s->centre);
  memcpy(s->trial, shared->qp.z, (size_t)shared->n * sizeof *s->trial);
  ctl_bounds_move_inside(shared->problem, s->trial);
  return true;
}

/* Computes the trial of the stages about a centre (CtlSqpStage). Its centre is on the way to the point that meets the
 * targets and is nearest to s->at; the trial is inside a box about the centre, or is that nearest point itself. Returns
 * false if a quadratic problem has no solution. */
static bool solve_centre(CtlSqp *s) {
  CtlSqpShared *shared = s->shared;
  CtlQp *qp = &shared->qp;
  double radius = s->radius;
  s->radius = INFINITY;
  ctl_linear_problem(s, NULL);
  s->radius = radius;
  ctl_linear_set_nearest(s, true);
  if (!ctl_qp_solve(qp)) return false;
  for (int i = 0; i < qp->n; i++) s->centre[i] = s->at[i] + s->part * (qp->z[i] - s->at[i]);
  memcpy(qp->z, s->centre, (size_t)qp->n * sizeof *qp->z);
  if (s->stage == CTL_SQP_CENTRE) {
    ctl_linear_set_nearest(s, false);
    for (int i = 0; i < qp->n; i++) {
      qp->lower[i] = fmax(qp->lower[i], s->centre[i] - radius);
      qp->upper[i] = fmin(qp->upper[i], s->centre[i] + radius);
    }
    if (!ctl_qp_solve(qp)) return false;
  }
  memcpy(s->trial, qp->z, (size_t)qp->n * sizeof *s->trial);
  ctl_bounds_move_inside(shared->problem, s->trial);
  return true;
}

/* Whether steps aim at the nearest point that meets the targets. */
static bool aims_at_targets(const CtlSqp *s) { return s->stage == CTL_SQP_MEET || s->stage == CTL_SQP_RESTORE; }

/* Computes the next trial. Returns false if there is no step. */
static bool next_step(CtlSqp *s) {
  int n = s->shared->n;
  if (!(s->stage == CTL_SQP_BOX ? solve_trial(s, NULL) : solve_centre(s))) return false;
  double J = ctl_cost(s->shared->problem, s->trial);
  if (s->stage == CTL_SQP_BOX) s->effort = fmax(s->effort, J);
  s->remaining = ctl_linear_misses(s);
  s->promised = s->J - J;
  if (s->stage == CTL_SQP_CENTRE) {
    ctl_linear_set_price(s);
    s->owed = s->J + ctl_linear_price(s, s->miss);
    s->promised = s->owed - J - ctl_linear_price(s, s->shared->bend);
  }
  bool met = ctl_linear_meets(s->shared, s->miss, s->tolerance);
  bool still = farthest_entry(n, s->trial, s->at) <= STEP_TOLERANCE * largest_entry(n, s->at);
  return !still &&
         !(met && (aims_at_targets(s) || fabs(s->promised) <= fmax(ROUND_OFF, COST_TOLERANCE * s->tolerance) * s->J));
}

/* Computes the next trial. If there is none or `goes_on` is false, and the targets are not met, continues with the next
 * stage (CtlSqpStage), or ends the run. */
static void propose_trial(CtlSqp *s, bool goes_on) {
  while (!goes_on || !next_step(s)) {
    bool met = ctl_linear_meets(s->shared, s->miss, s->tolerance), first = s->stage < CTL_SQP_CENTRE;
    bool again = met && s->stage != CTL_SQP_BOX && s->J < (1 - CENTRE_COST_REDUCTION) * s->least;
    if ((met && !again) || (!met && (s->stage == CTL_SQP_RESTORE || s->misses > FORECAST_MISS))) {
      s->end = met ? CTL_SQP_LEAST : CTL_SQP_STALLED;
      return;
    }
    if (again) s->least = s->J;
    s->stage = again || first ? CTL_SQP_CENTRE : CTL_SQP_RESTORE;
    s->part = 1;
    s->radius = CENTRE_RADIUS * largest_entry(s->shared->n, s->at);
    s->progress = s->progress_J = s->low = s->low_J = INFINITY;
    goes_on = true;
  }
}

static void keep_other(CtlSqp *s, const double *at, const double *miss, const double *rows, double misses) {
  const CtlSqpShared *shared = s->shared;
  size_t m = (size_t)shared->m;
  memcpy(s->other.at, at, (size_t)shared->n * sizeof *at);
  memcpy(s->other.miss, miss, m * sizeof *miss);
  memcpy(s->other.rows, rows, m * ctl_row_size(shared->n) * sizeof *rows);
  s->other.misses = misses;
}

/* Makes the trial the current point. */
static void move_to_trial(CtlSqp *s, double J, double misses, const double *rows) {
  const CtlSqpShared *shared = s->shared;
  size_t n = (size_t)shared->n, m = (size_t)shared->m;
  memcpy(s->at, s->trial, n * sizeof *s->at);
  memcpy(s->miss, shared->miss, m * sizeof *s->miss);
  memcpy(s->rows, rows, m * ctl_row_size(shared->n) * sizeof *s->rows);
  s->J = J;
  s->misses = misses;
  s->begun = true;
  s->corrected = false;
}

static void accept_trial(CtlSqp *s, double J, double misses, const double *rows) {
  if (s->begun) keep_other(s, s->at, s->miss, s->rows, s->misses);
  move_to_trial(s, J, misses, rows);
  propose_trial(s, true);
}

void ctl_sqp_look(CtlSqp *s, const double *x, const double *v, const double *rows) {
  double misses = ctl_linear_miss(s->shared, x, v, s->shared->miss);
  move_to_trial(s, ctl_cost(s->shared->problem, s->trial), misses, rows);
}

/* Whether the misses (sum of the distances from the targets) or J are below those of another point by the margins of
 * the filter. */
static bool is_better(double misses, double J, const double than[2]) {
  return misses <= (1 - FILTER_MARGIN) * than[0] || J <= than[1] * (1 - COST_MARGIN * fmin(1, misses));
}

/* Whether to accept a step to a point with the given J and misses. If lowers_J, the step must lower J sufficiently,
 * otherwise the misses. No point in the filter may be better in both. */
static bool is_taken(const CtlSqp *s, double J, double misses, bool lowers_J) {
  double noise = ROUND_OFF * s->shared->m, fall = s->misses - s->remaining;
  if (misses > CORRECTION_MISS && misses > MISS_GROWTH * s->misses) return false;
  if (lowers_J && s->J - J < ARMIJO * s->promised) return false;
  if (misses > s->misses - ARMIJO * fall + noise && J > s->J * (1 - COST_MARGIN * fmin(1, misses))) return false;
  for (int k = 0; k < s->filtered; k++)
    if (!is_better(fmax(misses - noise, 0), J, s->filter[k])) return false;
  return true;
}

/* Stores the lowest misses, and the lowest J once the misses are small, in a stage about centres. Its merit function
 * changes from step to step, so steps may cycle; gets_nowhere ends the stage if these numbers do not fall by a
 * fraction. */
static void note_lowest(CtlSqp *s, double J, double misses) {
  double off = fmax(misses, CENTRE_MISS);
  if (!(off < s->low || (off == s->low && J < s->low_J))) return;
  s->low = off;
  s->low_J = J;
}

/* Whether the misses (distances from the targets) have not fallen enough in STALL_TRIALS trials. If the targets are met
 * or nearly met, whether J has not fallen enough. */
static bool gets_nowhere(CtlSqp *s) {
  if (s->tried % STALL_TRIALS != 0) return false;
  bool met = ctl_linear_meets(s->shared, s->miss, s->tolerance), centred = s->stage == CTL_SQP_CENTRE;
  double misses = centred ? s->low : s->misses, J = centred ? s->low_J : s->J;
  bool slow = misses > (1 - MISS_REDUCTION) * s->progress;
  if (met || (centred && slow)) /* the product form of the condition also holds for J = 0 */
    slow = J >= s->progress_J * (1 - (centred ? CENTRE_COST_REDUCTION : COST_REDUCTION));
  s->progress = misses;
  s->fall = s->progress_J - J;
  s->progress_J = J;
  return slow;
}

bool ctl_sqp_may_reach(const CtlSqp *s, double J) {
  return !s->begun || s->misses > FORECAST_MISS || s->J - J <= SAME_COST * J + FORECAST_LOOKS * fmax(0, s->fall);
}

/* Rejects the trial: tries a second-order correction, or a step in a smaller box. */
static void reject_trial(CtlSqp *s, bool good, double misses, const double *rows) {
  CtlSqpShared *shared = s->shared;
  int n = shared->n;
  if (good) keep_other(s, s->trial, shared->miss, rows, misses);
  if (good && !s->corrected && misses <= fmax(s->misses, CORRECTION_MISS)) {
    ctl_linear_bend(s, shared->miss, shared->bend);
    s->corrected = solve_trial(s, shared->bend);
    if (s->corrected) return;
  }
  double back = good && !s->corrected ? s->misses / (2 * misses) : FAILED_SHRINKAGE;
  s->radius = farthest_entry(n, s->trial, s->at) * fmin(fmax(back, LEAST_SHRINKAGE), MOST_SHRINKAGE);
  s->corrected = false;
  propose_trial(s, s->radius > 10 * STEP_TOLERANCE * largest_entry(n, s->at));
}

/* Accepts or rejects a step of the stages about a centre (CtlSqpStage). It is accepted if the merit J + cost of the
 * misses falls or, for a step to the nearest point itself, if the misses fall. Otherwise a smaller step is tried. */
static void judge_centred(CtlSqp *s, double J, double misses, const double *rows) {
  const CtlSqpShared *shared = s->shared;
  bool restored = aims_at_targets(s);
  double kept = (s->misses - misses) / (s->misses - s->remaining);
  if (!restored && isfinite(misses)) kept = (s->owed - J - ctl_linear_price(s, shared->miss)) / s->promised;
  double across = farthest_entry(shared->n, s->trial, s->centre), along = farthest_entry(shared->n, s->centre, s->at);
  bool promises = restored ? s->remaining < s->misses : s->promised > 0;
  if (isfinite(misses) && kept > ARMIJO && promises) {
    if (kept > POOR_RATIO) s->part = fmin(1, 2 * s->part);
    if (across > AT_EDGE * s->radius && kept > GOOD_RATIO) s->radius *= GROWTH;
    if (kept < POOR_RATIO) s->radius = across / 2;
    accept_trial(s, J, misses, rows);
    return;
  }
  if (restored || across <= along / 2) s->part /= 2;
  s->radius = across * fmin(fmax(s->misses / (2 * misses), LEAST_SHRINKAGE), MOST_SHRINKAGE);
  propose_trial(s, fmax(s->radius, s->part * along) > 10 * STEP_TOLERANCE * largest_entry(shared->n, s->at));
}

void ctl_sqp_tell(CtlSqp *s, const double *x, const double *v, const double *rows) {
  CtlSqpShared *shared = s->shared;
  double J = ctl_cost(shared->problem, s->trial), misses = INFINITY,
         length = farthest_entry(shared->n, s->trial, s->at);
  s->tried++;
  if (x) misses = ctl_linear_miss(shared, x, v, shared->miss);
  if (!isfinite(misses)) x = NULL;
  if (!s->begun && x) {
    if (s->stage == CTL_SQP_CENTRE && misses < START_MISS) s->stage = CTL_SQP_MEET;
    accept_trial(s, J, misses, rows);
    return;
  }
  if (!s->begun) {
    s->end = CTL_SQP_STALLED;
    return;
  }
  note_lowest(s, J, misses);
  if (gets_nowhere(s)) {
    propose_trial(s, false);
    return;
  }
  if (s->stage != CTL_SQP_BOX) {
    judge_centred(s, J, misses, rows);
    return;
  }
  bool lowers_J = s->promised > SWITCHING * s->J * fmin(1, s->misses);
  if (!x || !is_taken(s, J, misses, lowers_J)) {
    reject_trial(s, x != NULL, misses, rows);
    return;
  }
  double kept = lowers_J ? (s->J - J) / s->promised : (s->misses - misses) / (s->misses - s->remaining);
  if (!lowers_J) s->filtered = ctl_filter_extend(s->filter, s->filtered, s->misses, s->J);
  if (length > AT_EDGE * s->radius && kept > GOOD_RATIO) s->radius *= GROWTH;
  if (kept < POOR_RATIO && misses > 1e-6) s->radius = fmin(s->radius, length / 2);
  accept_trial(s, J, misses, rows);
}

void ctl_sqp_serialize(CtlSqp *s, CtlBytes *bytes) {
  size_t n = (size_t)s->shared->n;
  double *const numbers[] = {&s->J,        &s->misses,     &s->effort,    &s->radius,       &s->promised, &s->remaining,
                             &s->progress, &s->progress_J, &s->tolerance, &s->other.misses, &s->fall,     &s->part,
                             &s->owed,     &s->least,      &s->low,       &s->low_J};
  ctl_bytes_numbers(bytes, s->at, numbers_of(s->shared));
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) ctl_bytes_numbers(bytes, numbers[k], 1);
  s->tried = ctl_bytes_integer(bytes, s->tried, 0, INT32_MAX);
  s->filtered = (int)ctl_bytes_integer(bytes, s->filtered, 0, CTL_SQP_FILTER);
  s->begun = ctl_bytes_integer(bytes, s->begun, 0, 1);
  s->corrected = ctl_bytes_integer(bytes, s->corrected, 0, 1);
  s->stage = (CtlSqpStage)ctl_bytes_integer(bytes, s->stage, CTL_SQP_BOX, CTL_SQP_RESTORE);
  s->end = (CtlSqpEnd)ctl_bytes_integer(bytes, s->end, CTL_SQP_RUNNING, CTL_SQP_STALLED);
  for (size_t i = 0; i < n; i++) bytes->bad |= !isfinite(s->trial[i]);
}
