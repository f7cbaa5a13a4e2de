/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/trail.h"

#include "control/sqp/starts.h"

#include <math.h>

static const double TOLERANCE = 1e-12; /* tolerance of the final state's errors E1 and E2, near round-off */
/* tolerance of runs with reduced friction, which only supply initial controls for the next runs */
static const double LESS_FRICTION_TOLERANCE = 1e-3;
/* A run may end at a J below the one that its linear problem (linear.h) predicts. These margins allow for this:
 * COST_SLACK relative to J, MISS_SLACK per unit of the distances from the targets. [0]: for a run from any start; [1]:
 * for a run from a start near an answer. */
static const double COST_SLACK[] = {0.05, 0.02}, MISS_SLACK[] = {0.5, 0.2};

enum {
  MAX_DOUBLINGS = 12,        /* maximum number of times that an initial control is doubled */
  TRIALS_BEFORE_FORECAST = 4 /* number of trials after which the predicted J is compared with that of other answers */
};

static void go_on(CtlTrail *trail, CtlMotion motion, const double *control) {
  trail->motion = motion;
  if (ctl_motion_asks((int)motion)) { /* the entries of a pattern query (control/motion.h) are not forces, so bounds do
                                       * not apply */
    memcpy(trail->sqp.trial, control, (size_t)trail->sqp.shared->n * sizeof *control);
    return;
  }
  ctl_sqp_start(&trail->sqp, control, motion == CTL_MOTION_FILE ? TOLERANCE : LESS_FRICTION_TOLERANCE);
}

void ctl_trail_begin(CtlTrail *trail, CtlMotion motion, const double *control) {
  trail->doubled = 0;
  trail->again = false;
  go_on(trail, motion, control);
}

/* When a run has ended, continues from its result with the next motion, which has more friction. Returns false if the
 * run was already one with the full friction. */
static bool follow_motion(CtlTrail *trail, const double *given) {
  CtlSqp *s = &trail->sqp;
  if (trail->motion == CTL_MOTION_FILE) return false;
  memcpy(s->trial, s->begun ? s->at : given, (size_t)s->shared->n * sizeof *s->trial);
  go_on(trail, ctl_start_after(trail->motion), s->trial);
  return true;
}

/* Whether the final state misses a target on which u has no effect, as the target's dof sticks. */
static bool target_sticks(const CtlSqp *s) {
  const CtlSqpShared *shared = s->shared;
  for (int j = 0; j < shared->m; j++) {
    const double *row = s->rows + (size_t)j * ctl_row_size(shared->n);
    bool acts = false;
    for (int i = 0; i < shared->n; i++) acts = acts || row[i] != 0;
    if (!acts && fabs(s->miss[j]) > shared->problem->accept * shared->unit[j]) return true;
  }
  return false;
}

/* If a dof that must move sticks in the first motion of the run, doubles the initial control and begins the run
 * again. */
static void double_start(CtlTrail *trail) {
  const CtlSqp *s = &trail->sqp;
  double size = 0;
  if (s->tried > 1 || !s->begun || trail->doubled == MAX_DOUBLINGS || !target_sticks(s)) return;
  for (int i = 0; i < s->shared->n; i++) {
    size = fmax(size, fabs(s->at[i]));
    s->trial[i] = 2 * s->at[i];
  }
  if (!(size > 0)) return;
  trail->doubled++;
  go_on(trail, trail->motion, s->trial);
}

bool ctl_trail_tell(CtlTrail *trail, const double *given, const double *x, const double *v, const double *rows) {
  if (ctl_motion_asks((int)trail->motion)) {
    if (x) ctl_trail_begin(trail, CTL_MOTION_FILE, rows);
    if (x) trail->sqp.stage = CTL_SQP_CENTRE;
    return x;
  }
  ctl_sqp_tell(&trail->sqp, x, v, rows);
  double_start(trail);
  return trail->sqp.end == CTL_SQP_RUNNING || follow_motion(trail, given);
}

bool ctl_trail_again(CtlTrail *trail, const double *best, bool box) {
  if (trail->again || trail->motion != CTL_MOTION_FILE) return false;
  trail->again = true;
  ctl_sqp_start(&trail->sqp, best, TOLERANCE);
  if (!box) trail->sqp.stage = CTL_SQP_CENTRE;
  return true;
}

bool ctl_trail_loses(const CtlTrail *trail, bool near, double J) {
  const CtlSqp *s = &trail->sqp;
  double promised = s->J - s->promised;
  if (trail->motion != CTL_MOTION_FILE) return false;
  if (s->tried >= TRIALS_BEFORE_FORECAST && promised > (1 + COST_SLACK[near] + MISS_SLACK[near] * s->misses) * J)
    return true;
  return !ctl_sqp_may_reach(s, J);
}

void ctl_trail_serialize(CtlTrail *trail, CtlBytes *bytes) {
  trail->doubled = (int)ctl_bytes_integer(bytes, trail->doubled, 0, MAX_DOUBLINGS);
  trail->again = ctl_bytes_integer(bytes, trail->again, 0, 1);
  trail->motion = (CtlMotion)ctl_bytes_integer(bytes, trail->motion, 0, CTL_MOTION_WAYS);
  ctl_sqp_serialize(&trail->sqp, bytes);
}
