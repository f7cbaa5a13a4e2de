/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/beside.h"

#include "control/base/mix.h"
#include "control/problem/bounds.h"
#include "control/refine.h"
#include "control/sqp/conditions.h"

#include <math.h>
#include <string.h>

enum {
  SAMPLES = 64, /* number of random directions that are tried */
  RUNS = 4      /* number of SQP runs that are tried */
};

static const double STEP_MAX = 1e-2, STEP_MIN = 0.9e-5; /* longest and shortest step from the answer, relative to the
                                                         * norm of the answer u */
static const double SQP_DISTANCE = 1e-3;    /* distance between the answer and the start of an SQP run, relative to
                                             * the norm of the answer u */
static const double RESULT_DISTANCE = 0.05; /* an SQP result farther than this from the answer, relative to the norm
                                             * of the answer u, is not used */

/* Sets the control to the answer plus a step along the direction `way`, and moves it into the bounds. The length of the
 * step is `part` times the norm of the answer. */
static void set_out(CtlRestore *r, const double *way, double part) {
  int n = r->shared->n;
  double size = part * ctl_norm(n, r->answer) / ctl_norm(n, way);
  for (int i = 0; i < n; i++) r->control[i] = r->answer[i] + size * way[i];
  ctl_bounds_move_inside(r->shared->problem, r->control);
  ctl_restore_meet(r);
}

static bool try_step(CtlRestore *r, const double *way, double part) {
  set_out(r, way, part);
  return ctl_restore(r) && ctl_restore_is_less(r);
}

bool ctl_beside_falls(CtlRestore *r, const double *way) {
  if (!(ctl_norm(r->shared->n, way) > 0)) return false;
  for (double part = STEP_MAX; part >= STEP_MIN; part /= 10)
    if (try_step(r, way, part) || try_step(r, way, -part)) return true;
  return false;
}

/* Returns a random number in 0..1. The sequence is the same on every machine. */
static double random_next(uint64_t *state) { return (double)(ctl_mix((*state)++) >> 11) * 0x1p-53; }

static void make_way(const CtlRestore *r, uint64_t *state) {
  for (int i = 0; i < r->shared->n; i++) r->gradient[i] = 2 * random_next(state) - 1;
}

bool ctl_beside_falls_at_random(CtlRestore *r) {
  uint64_t state = 1;
  for (int k = 0; k < SAMPLES && !r->no_memory; k++) {
    make_way(r, &state);
    if (try_step(r, r->gradient, STEP_MAX * pow(10, -2 * random_next(&state)))) return true;
  }
  return false;
}

static bool is_nearby(const CtlRestore *r) {
  double sum = 0;
  for (int i = 0; i < r->shared->n; i++) sum += pow(r->control[i] - r->answer[i], 2);
  return sqrt(sum) <= RESULT_DISTANCE * ctl_norm(r->shared->n, r->answer);
}

bool ctl_beside_leads_on(CtlRestore *r) {
  uint64_t state = 2;
  bool less = false;
  for (int k = 0; k < RUNS && !less && !r->no_memory; k++) {
    CtlRefined refined;
    make_way(r, &state);
    set_out(r, r->gradient, SQP_DISTANCE);
    SimStatus status = ctl_refine(r->shared->problem, r->point->evaluator, r->control, NULL, NULL, &refined);
    r->no_memory |= status == SIM_NO_MEMORY;
    if (status != SIM_OK) continue;
    memcpy(r->control, refined.control, (size_t)r->shared->n * sizeof *r->control);
    ctl_refined_clear(&refined);
    less = ctl_restore(r) && ctl_restore_is_less(r) && is_nearby(r);
  }
  return less;
}
