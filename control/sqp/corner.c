/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/corner.h"
#include "control/sqp/beside.h"
#include "control/sqp/conditions.h"

#include <math.h>
#include <string.h>

static const double SLIDE_SIZE = 1e-8;   /* factor in the size of the velocities at T with which joints are made to
                                          * slide on to T: the velocity is this times the norm of u times the norm of
                                          * the joint's row of derivatives */
static const double STOP_SPACING = 2e-6; /* time between the stops of two joints when an order of stops is prescribed,
                                          * relative to T */
/* The derivatives at a point near the corner are used as those of the corner if the sum of the point's misses
 * (distances from the targets) is at most this, in units of E1 and E2. */
static const double CORNER_MISS = 1e-8;
/* A test moves the stops of all joints of the corner to an earlier time, by this relative to T. Joints that reverse at
 * T are excepted. */
static const double STOP_SHIFT = 2e-9;
static const double SLOPE_TOLERANCE = 1e-4; /* a slope of J along an edge counts as 0 below this, relative to the
                                             * steepest slope that is possible there */

/* Sets the control to the answer, then moves it until the joints stop at the times, or have the velocities, that r
 * prescribes. Returns whether this succeeded. */
static bool move_from_answer(CtlRestore *r) {
  memcpy(r->control, r->answer, (size_t)r->shared->n * sizeof *r->control);
  return ctl_restore(r);
}

/* Moves the control so that all joints of the corner still slide at T. The sign of each velocity at T is found by
 * trial. */
static bool slide_joints(CtlRestore *r) {
  for (int turn = 0; turn <= 2 * r->stops; turn++) {
    bool there = move_from_answer(r);
    int rest = 0;
    for (int k = 0; k < r->stops; k++) {
      int j = r->stop[k];
      if (!ctl_restore_rests(r, j)) continue;
      r->speed[j] = -r->speed[j];
      rest++;
    }
    if (rest == 0) return there;
  }
  return false;
}

bool ctl_corner_slide(CtlRestore *r) {
  int n = r->shared->n;
  double step = SLIDE_SIZE * ctl_norm(n, r->answer);
  for (int k = 0; k < r->stops; k++)
    r->speed[r->stop[k]] = step * ctl_norm(n, r->point->rows + (size_t)r->stop[k] * ctl_row_size(n));
  if (!slide_joints(r)) return false;
  for (int k = 0; k < r->stops; k++) { /* with the other sign of one velocity at a time, the joint's deceleration is
                                        * found */
    int j = r->stop[k];
    r->speed[j] = -r->speed[j];
    if (!move_from_answer(r)) return false;
    r->deceleration[j] = r->point->rows[(size_t)j * ctl_row_size(n) + (size_t)n + 1];
    r->speed[j] = -r->speed[j];
  }
  return move_from_answer(r);
}

/* Prescribes the times at which the joints of a corner stop. Joints in the bit set `edge` stop shortly before T, one
 * after another, beginning with joint `first`. The others would stop shortly after T. A joint that reverses stops at
 * T. */
static void set_order(CtlRestore *r, unsigned edge, int first) {
  double apart = STOP_SPACING * r->shared->problem->end;
  ctl_restore_meet(r);
  for (int k = 0; k < r->stops; k++) {
    int at = (first + k) % r->stops, j = r->stop[at];
    if (edge >> at & 1)
      r->lead[j] = apart * (r->stops - k);
    else if (r->deceleration[j] != 0)
      r->speed[j] = -r->deceleration[j] * apart;
  }
  r->slack = 0.3 * apart;
  r->miss = CORNER_MISS;
}

/* Whether some joint in the bit set `edge` still moves at T at the current point. */
static bool is_loose(const CtlRestore *r, unsigned edge) {
  for (int k = 0; k < r->stops; k++)
    if ((edge >> k & 1) && !ctl_restore_rests(r, r->stop[k])) return true;
  return false;
}

/* Moves the control to a point near the edge at which the order of the stops is known. Returns CTL_MINIMUM_NO if the
 * edge does not exist, because the stop of one joint makes another joint of the edge move again. */
static CtlMinimum move_beside(CtlRestore *r, unsigned edge) {
  bool loose = true;
  for (int first = 0; first < r->stops; first++) {
    set_order(r, edge, first);
    if (move_from_answer(r)) return CTL_MINIMUM_YES;
    loose = loose && is_loose(r, edge);
  }
  return loose ? CTL_MINIMUM_NO : CTL_MINIMUM_UNKNOWN;
}

/* Returns the slope of J along the edge, relative to the steepest slope that is possible: the change of J per second by
 * which the joints of the edge stop sooner. It is computed at a point near the edge. NAN: unknown. */
static double edge_slope(CtlRestore *r, unsigned edge, double *y) {
  int n = r->shared->n;
  double sum = 0, reach = 0;
  if (!ctl_restore_multipliers(r, y)) return NAN;
  for (int k = 0; k < r->stops; k++) {
    int j = r->stop[k];
    const double *row = r->point->rows + (size_t)j * ctl_row_size(n);
    if (r->deceleration[j] == 0 && ctl_restore_rests(r, j)) return NAN;
    if (!(edge >> k & 1)) continue;
    sum -= y[j] * row[n + 1];
    reach = fmax(reach, fabs(row[n + 1]) / ctl_norm(n, row));
  }
  return sum / (ctl_norm(n, r->gradient) * reach);
}

/* Whether a control near the answer, in the direction of the edge, costs less than the answer. */
static bool edge_falls(CtlRestore *r, unsigned edge) {
  for (int first = 0; first < r->stops; first++) {
    set_order(r, edge, first);
    for (int k = 0; k < r->stops; k++) r->speed[r->stop[k]] = NAN;
    r->miss = CTL_RESTORE_MET;
    if (move_from_answer(r)) return ctl_restore_is_less(r);
  }
  return false;
}

/* Whether a control with slightly earlier stops of all joints that stop exactly at T costs less than the answer. */
static bool is_off(CtlRestore *r) {
  ctl_restore_meet(r);
  r->slack = STOP_SHIFT * r->shared->problem->end / 2;
  for (int k = 0; k < r->stops; k++)
    if (r->deceleration[r->stop[k]] != 0) r->lead[r->stop[k]] = 2 * r->slack;
  return move_from_answer(r) && ctl_restore_is_less(r);
}

static CtlMinimum look_at_edges(CtlRestore *r, const char **why) {
  unsigned all = 0; /* bit set of the joints with an edge; joints that reverse at T have none, since they are at rest
                     * only at T */
  bool loose = false;
  if (is_off(r)) return CTL_MINIMUM_NO;
  for (int k = 0; k < r->stops; k++) all |= (unsigned)(r->deceleration[r->stop[k]] != 0) << k;
  for (unsigned edge = all; edge > 0; edge = (edge - 1) & all) {
    CtlMinimum there = move_beside(r, edge);
    loose = loose || there == CTL_MINIMUM_NO;
    if (there == CTL_MINIMUM_NO) continue;
    double up = there == CTL_MINIMUM_YES ? edge_slope(r, edge, r->shared->bend) : NAN;
    if (up < 0 && edge_falls(r, edge)) return CTL_MINIMUM_NO;
    *why = isnan(up) ? "several joints stop exactly at T, in an order that was not found"
                     : "J hardly rises where a joint stops sooner";
    if (!(up > SLOPE_TOLERANCE)) return CTL_MINIMUM_UNKNOWN;
  }
  return loose && ctl_beside_falls_at_random(r) ? CTL_MINIMUM_NO : CTL_MINIMUM_YES;
}

CtlMinimum ctl_corner_edges(CtlRestore *r, const char **why) {
  CtlMinimum there = look_at_edges(r, why);
  if (there != CTL_MINIMUM_YES || !r->failed) return there;
  *why = "a motion beside the answer failed, or time was over";
  return CTL_MINIMUM_UNKNOWN;
}
