/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bundle/nominal.h"

#include "control/sqp/starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* E1 + E2 of a control, below which the control is accurate enough as an initial control */
static const double START_MISS = 1e-3;

bool ctl_nominal_init(CtlNominal *nominal, const CtlProblem *problem) {
  size_t n = (size_t)problem->n;
  *nominal = (CtlNominal){.problem = *problem, .scenarios = problem->scenarios};
  CtlProblem *one = &nominal->problem;
  one->d /= one->scenarios;
  one->scenarios = 0;
  one->statistic = CTL_NOMINAL;
  one->effort_at_most = 0;
  if (!ctl_sqp_shared_init(&nominal->shared, one)) return false;
  for (int k = 0; k < CTL_NOMINAL_STARTS; k++)
    if (!ctl_sqp_init(&nominal->trails[k].sqp, &nominal->shared)) return false;
  nominal->given = calloc(3 * n + (size_t)nominal->shared.m * ctl_row_size(one->n), sizeof *nominal->given);
  if (!nominal->given) return false;
  nominal->free = nominal->given + n;
  nominal->best = nominal->free + n;
  nominal->rows = nominal->best + n;
  nominal->misses = nominal->J = INFINITY;
  return true;
}

void ctl_nominal_clear(CtlNominal *nominal) {
  for (int k = 0; k < CTL_NOMINAL_STARTS; k++) ctl_sqp_clear(&nominal->trails[k].sqp);
  ctl_sqp_shared_clear(&nominal->shared);
  free(nominal->given);
  *nominal = (CtlNominal){0};
}

static void begin_trail(CtlNominalTrail *trail, CtlMotion motion, const double *control) {
  trail->motion = motion;
  ctl_sqp_start(&trail->sqp, control, START_MISS);
}

/* Begins all starts that have not begun and for which the control is known. */
static void begin_starts(CtlNominal *nominal) {
  for (; nominal->begun < CTL_NOMINAL_STARTS && (nominal->begun < 2 || nominal->free_known); nominal->begun++) {
    CtlNominalTrail *trail = &nominal->trails[nominal->active++];
    double *control = trail->sqp.trial;
    begin_trail(trail, ctl_start(&nominal->problem, nominal->given, nominal->free, nominal->begun, control), control);
  }
}

void ctl_nominal_start(CtlNominal *nominal, const double *given) {
  memcpy(nominal->given, given, (size_t)nominal->problem.n * sizeof *given);
  begin_starts(nominal);
}

/* Whether the current point of a run is better than the best point so far. */
static bool is_better(const CtlNominal *nominal, const CtlSqp *sqp) {
  bool meets = sqp->misses <= START_MISS;
  if (meets != (nominal->misses <= START_MISS)) return meets;
  return meets ? sqp->J < nominal->J : sqp->misses < nominal->misses;
}

void ctl_nominal_tell(CtlNominal *nominal, int trail, const double *x, const double *v, const double *rows) {
  CtlNominalTrail *t = &nominal->trails[trail];
  size_t n = (size_t)nominal->problem.n, size = ctl_row_size(nominal->problem.n);
  size_t positions = (size_t)nominal->shared.first[1], m = (size_t)nominal->shared.m;
  if (rows) {
    memcpy(nominal->rows, rows, positions * size * sizeof *rows);
    memcpy(nominal->rows + positions * size, rows + (size_t)nominal->scenarios * positions * size,
           (m - positions) * size * sizeof *rows);
  }
  ctl_sqp_tell(&t->sqp, x, v, rows ? nominal->rows : NULL);
  if (t->motion != CTL_MOTION_FILE || !t->sqp.begun || !is_better(nominal, &t->sqp)) return;
  memcpy(nominal->best, t->sqp.at, n * sizeof *nominal->best);
  nominal->misses = t->sqp.misses;
  nominal->J = t->sqp.J;
}

/* Continues a run that has ended with the next motion of its sequence, which has more friction. Returns false if the
 * sequence has no further motion. */
static bool follow_trail(CtlNominal *nominal, CtlNominalTrail *trail) {
  size_t size = (size_t)nominal->problem.n * sizeof(double);
  if (trail->motion == CTL_MOTION_FILE) return false;
  memcpy(trail->sqp.trial, trail->sqp.begun ? trail->sqp.at : nominal->given, size);
  if (trail->motion == CTL_MOTION_FREE) {
    memcpy(nominal->free, trail->sqp.trial, size);
    nominal->free_known = true;
  }
  begin_trail(trail, ctl_start_after(trail->motion), trail->sqp.trial);
  return true;
}

void ctl_nominal_go_on(CtlNominal *nominal) {
  int left = 0;
  for (int k = 0; k < nominal->active; k++) {
    if (nominal->trails[k].sqp.end != CTL_SQP_RUNNING && !follow_trail(nominal, &nominal->trails[k])) continue;
    CtlNominalTrail kept = nominal->trails[k];
    nominal->trails[k] = nominal->trails[left];
    nominal->trails[left++] = kept;
  }
  nominal->active = left;
  begin_starts(nominal);
}

void ctl_nominal_serialize(CtlNominal *nominal, CtlBytes *bytes) {
  nominal->begun = ctl_bytes_integer(bytes, nominal->begun, 0, CTL_NOMINAL_STARTS);
  nominal->free_known = ctl_bytes_integer(bytes, nominal->free_known, 0, 1);
  nominal->active = (int)ctl_bytes_integer(bytes, nominal->active, 0, nominal->begun);
  ctl_bytes_numbers(bytes, nominal->given, 3 * (size_t)nominal->problem.n);
  ctl_bytes_numbers(bytes, &nominal->misses, 1);
  ctl_bytes_numbers(bytes, &nominal->J, 1);
  for (int k = 0; k < nominal->active && !bytes->bad; k++) {
    CtlNominalTrail *trail = &nominal->trails[k];
    trail->motion = (CtlMotion)ctl_bytes_integer(bytes, trail->motion, 0, CTL_MOTIONS - 1);
    ctl_sqp_serialize(&trail->sqp, bytes);
  }
}
