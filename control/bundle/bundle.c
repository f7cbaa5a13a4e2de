/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bundle/bundle.h"

#include "control/outcome/penalty.h"
#include "control/problem/bounds.h"
#include "control/sqp/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PROGRESS_TRIALS = 8, /* number of trials between two checks of a run's progress */
  FORECAST_LOOKS =
      4 /* number of further checks within which the merit P must become low enough if it continues to decrease at its
         * recent rate; otherwise the run is given up */
};

/* Ratios of actual to predicted decrease: a step is accepted above the first, the box shrinks below the second and
 * grows above the third. */
static const double ACCEPT_RATIO = 0.1, POOR_RATIO = 0.25, GOOD_RATIO = 0.75;
/* half-width of the smallest trust region (box) about the current point, relative to the size of u; with a smaller box
 * the run ends */
static const double RADIUS_MIN = 1e-9;

/* Lists the rows of one half of the target (k = 0: x_T, k = 1: v_T), one for each of its given entries, for all
 * scenarios, beginning with row `row`. Returns the number of the row after the last one. */
static int list_rows(CtlBundleShared *shared, int k, const double *target, const double *scale, int row) {
  int d = shared->problem->d / shared->scenarios, *first = shared->first + k * (shared->scenarios + 1);
  double size = ctl_target_size(d, target, 0);
  for (int s = 0; s < shared->scenarios; s++) {
    first[s] = row;
    for (int i = s * d; i < (s + 1) * d; i++) {
      if (isnan(target[i])) continue;
      shared->entry[row] = i;
      shared->unit[row++] = isnan(scale[i]) ? size : scale[i];
    }
  }
  first[shared->scenarios] = row;
  return row;
}

bool ctl_bundle_shared_init(CtlBundleShared *shared, const CtlProblem *problem) {
  /* approximate number of linear pieces (bundle.h) per scenario; minimum number of pieces */
  enum { PIECES_PER_SCENARIO = 2, PIECES_MIN = 64 };
  int m = ctl_target_count(problem), S = problem->scenarios, tops = problem->statistic == CTL_MEAN ? S : 1;
  int pieces = PIECES_PER_SCENARIO * S > PIECES_MIN ? PIECES_PER_SCENARIO * S : PIECES_MIN, n = problem->n;
  *shared = (CtlBundleShared){.problem = problem, .n = n, .m = m, .scenarios = S, .tops = tops};
  shared->rho = ctl_problem_rho(problem);
  shared->entry = calloc((size_t)m + 2 * (size_t)(S + 1), sizeof *shared->entry);
  shared->unit = calloc(2 * (size_t)m + (size_t)S + (size_t)n, sizeof *shared->unit);
  if (!shared->entry || !shared->unit ||
      !ctl_qp_init(&shared->qp, n + tops, tops, pieces, problem->p, ctl_linear_band(problem)))
    return false;
  shared->first = shared->entry + m;
  shared->miss = shared->unit + m;
  shared->error = shared->miss + m;
  shared->point = shared->error + S;
  list_rows(shared, 1, problem->velocity, problem->velocity_scale,
            list_rows(shared, 0, problem->position, problem->position_scale, 0));
  return true;
}

void ctl_bundle_shared_clear(CtlBundleShared *shared) {
  free(shared->entry);
  free(shared->unit);
  ctl_qp_clear(&shared->qp);
  *shared = (CtlBundleShared){0};
}

static size_t numbers_of(const CtlBundleShared *shared) {
  size_t n = (size_t)shared->n, m = (size_t)shared->m;
  return 2 * n + m + m * n;
}

bool ctl_bundle_init(CtlBundle *bundle, CtlBundleShared *shared) {
  *bundle = (CtlBundle){.shared = shared, .at = calloc(numbers_of(shared), sizeof *bundle->at)};
  if (!bundle->at) return false;
  bundle->trial = bundle->at + shared->n;
  bundle->miss = bundle->trial + shared->n;
  bundle->rows = bundle->miss + shared->m;
  return true;
}

void ctl_bundle_clear(CtlBundle *bundle) {
  free(bundle->at);
  *bundle = (CtlBundle){0};
}

static double size_of(const CtlBundle *bundle, const double *control) {
  double size = bundle->shared->problem->step;
  for (int i = 0; i < bundle->shared->n; i++) size = fmax(size, fabs(control[i]));
  return size;
}

/* Moves the trial control towards the problem's start, which satisfies the effort limit effort_at_most, until the trial
 * control satisfies it, too. */
static void reduce_effort(CtlBundle *bundle) {
  const CtlProblem *p = bundle->shared->problem;
  double low = 0, high = 1; /* position between the problem's start (0) and the trial (1) */
  memcpy(bundle->at, bundle->trial, (size_t)p->n * sizeof *bundle->at);
  for (int halving = 0; halving < 50 && ctl_bounds_too_dear(p, bundle->at); halving++) {
    double part = 0.5 * (low + high);
    for (int i = 0; i < p->n; i++) bundle->trial[i] = p->start[i] + part * (bundle->at[i] - p->start[i]);
    *(ctl_bounds_too_dear(p, bundle->trial) ? &high : &low) = part;
  }
  for (int i = 0; i < p->n && high < 1; i++) bundle->trial[i] = p->start[i] + low * (bundle->at[i] - p->start[i]);
}

void ctl_bundle_start(CtlBundle *bundle, CtlBundleShared *shared, const double *control, double enough) {
  const CtlProblem *p = shared->problem;
  bundle->shared = shared;
  memmove(bundle->trial, control, (size_t)p->n * sizeof *control);
  ctl_bounds_move_inside(p, bundle->trial);
  reduce_effort(bundle);
  bundle->radius = 2 * size_of(bundle, bundle->trial);
  bundle->P = bundle->looked = bundle->fall = INFINITY;
  bundle->tried = 0;
  bundle->price = 0;
  bundle->enough = enough;
  bundle->begun = bundle->due = bundle->ended = false;
}

static double merit_of(const CtlBundleShared *shared, const double *control, const double *x, const double *v) {
  const CtlProblem *p = shared->problem;
  double P = x ? ctl_cost(p, control) + shared->rho * ctl_statistic(p, x, v) : INFINITY;
  return isfinite(P) && !ctl_bounds_too_dear(p, control) ? P : INFINITY;
}

/* Makes the trial the current point. Derivatives for dofs that stopped before T are set to zero, as these dofs stay at
 * rest under small changes of u. */
static void accept_trial(CtlBundle *bundle, double P, const double *x, const double *v, const double *rows) {
  const CtlBundleShared *shared = bundle->shared;
  const CtlProblem *p = shared->problem;
  int velocities = shared->first[shared->scenarios + 1];
  size_t n = (size_t)shared->n;
  bundle->P = P;
  memcpy(bundle->at, bundle->trial, n * sizeof *bundle->at);
  for (int j = 0; j < shared->m; j++, rows += ctl_row_size(shared->n)) {
    int i = shared->entry[j];
    bool stopped = rows[n] != 0 || rows[n + 1] != 0;
    bundle->miss[j] = j < velocities ? x[i] - p->position[i] : v[i] - p->velocity[i];
    if (stopped)
      memset(bundle->rows + (size_t)j * n, 0, n * sizeof *rows);
    else
      memcpy(bundle->rows + (size_t)j * n, rows, n * sizeof *rows);
  }
}

static double step_size(const CtlBundle *bundle) {
  double most = 0;
  for (int i = 0; i < bundle->shared->n; i++) most = fmax(most, fabs(bundle->trial[i] - bundle->at[i]));
  return most;
}

void ctl_bundle_go_on(CtlBundle *bundle) {
  bundle->ended = !(bundle->radius > RADIUS_MIN * size_of(bundle, bundle->at));
  if (!bundle->ended) bundle->promised = bundle->P - ctl_bundle_step(bundle);
  bundle->due = !bundle->ended && !(bundle->promised > bundle->enough * fabs(bundle->P));
  if (bundle->due) bundle->radius /= 4;
}

void ctl_bundle_tell(CtlBundle *bundle, const double *x, const double *v, const double *rows) {
  double P = merit_of(bundle->shared, bundle->trial, x, v), kept = (bundle->P - P) / bundle->promised;
  if (!bundle->begun) {
    bundle->begun = isfinite(P);
    bundle->ended = !bundle->begun;
    if (bundle->begun) accept_trial(bundle, P, x, v, rows);
  } else {
    double step = step_size(bundle);
    if (kept >= GOOD_RATIO) bundle->radius = fmax(bundle->radius, 2 * step);
    if (!(kept >= POOR_RATIO)) bundle->radius = step / 4;
    if (kept >= ACCEPT_RATIO) accept_trial(bundle, P, x, v, rows);
  }
  if (++bundle->tried % PROGRESS_TRIALS == 0) {
    bundle->fall = bundle->looked - bundle->P;
    bundle->looked = bundle->P;
  }
  bundle->due = !bundle->ended;
}

bool ctl_bundle_may_reach(const CtlBundle *bundle, double P) {
  return bundle->P <= P || bundle->fall * FORECAST_LOOKS >= bundle->P - P;
}

void ctl_bundle_serialize(CtlBundle *bundle, CtlBytes *bytes) {
  bundle->begun = ctl_bytes_integer(bytes, bundle->begun, 0, 1);
  bundle->due = ctl_bytes_integer(bytes, bundle->due, 0, 1);
  bundle->ended = ctl_bytes_integer(bytes, bundle->ended, 0, 1);
  bundle->tried = ctl_bytes_integer(bytes, bundle->tried, 0, INT32_MAX);
  ctl_bytes_numbers(bytes, bundle->at, numbers_of(bundle->shared));
  double *const numbers[] = {&bundle->P,      &bundle->promised, &bundle->radius, &bundle->price,
                             &bundle->enough, &bundle->looked,   &bundle->fall};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) ctl_bytes_numbers(bytes, numbers[k], 1);
}
