#include "control/sqp/corner.h"
#include "control/sqp/conditions.h"

#include <math.h>
#include <string.h>

static const double SLIDE = 1e-8;  /* of u, by which a joint's stop is moved about T */
static const double EDGE = 2e-6;   /* of T, between stops one after another */
static const double BESIDE = 1e-8; /* misses beside which derivatives are those of the corner */
static const double FLAT = 1e-4;   /* slope of J, as a part of its own steepest, that is none */

/* From the answer. */
static bool move(CtlRestore *r) {
  memcpy(r->control, r->answer, (size_t)r->shared->n * sizeof *r->control);
  return ctl_restore(r);
}

/* To where all joints slide on to T: a side of 0 each, which only trying shows. */
static bool slide(CtlRestore *r) {
  for (int turn = 0; turn <= r->stops; turn++) {
    int rest = 0;
    if (!move(r)) return false;
    for (int k = 0; k < r->stops; k++) {
      int j = r->stop[k];
      if (!ctl_restore_rests(r, j)) continue;
      r->speed[j] = -r->speed[j];
      rest++;
    }
    if (rest == 0) return true;
  }
  return false;
}

bool ctl_corner_slide(CtlRestore *r) {
  int n = r->shared->n;
  double step = SLIDE * ctl_norm(n, r->answer);
  for (int k = 0; k < r->stops; k++)
    r->speed[r->stop[k]] = step * ctl_norm(n, r->point->rows + (size_t)r->stop[k] * ctl_row_size(n));
  if (!slide(r)) return false;
  for (int k = 0; k < r->stops; k++) { /* each to the other side of 0 by itself */
    int j = r->stop[k];
    r->speed[j] = -r->speed[j];
    if (!move(r)) return false;
    r->deceleration[j] = r->point->rows[(size_t)j * ctl_row_size(n) + (size_t)n + 1];
    r->speed[j] = -r->speed[j];
  }
  return move(r);
}

/* The part `edge` (bits) of all joints that stop, in the order of stops, then the others: their leads. */
static void set_order(CtlRestore *r, unsigned edge) {
  double end = r->shared->problem->end;
  int left = r->stops;
  ctl_restore_meet(r);
  for (int late = 0; late < 2; late++)
    for (int k = 0; k < r->stops; k++) {
      int j = r->stop[k];
      if ((edge >> k & 1) == (unsigned)late || r->deceleration[j] == 0) continue;
      r->lead[j] = end * EDGE * left--;
    }
  r->slack = 0.3 * end * EDGE;
  r->miss = BESIDE;
}

/* By how much J rises along the edge, per second by which its joints stop sooner, as a part of its steepest rise, by derivatives inside a piece
 * at it. NAN: not known. */
static double rise(CtlRestore *r, unsigned edge, double steepest, double *y) {
  int n = r->shared->n;
  double sum = 0, reach = 0;
  set_order(r, edge);
  if (!move(r) || !ctl_restore_multipliers(r, y)) return NAN;
  for (int k = 0; k < r->stops; k++) {
    int j = r->stop[k];
    const double *row = r->point->rows + (size_t)j * ctl_row_size(n);
    if (r->deceleration[j] == 0 && ctl_restore_rests(r, j)) return NAN;
    if (!(edge >> k & 1)) continue;
    sum -= y[j] * row[n + 1];
    reach = fmax(reach, fabs(row[n + 1]) / ctl_norm(n, row));
  }
  return sum / (steepest * reach);
}

/* Whether a control a little along the edge costs less. */
static bool falls(CtlRestore *r, unsigned edge) {
  double end = r->shared->problem->end;
  set_order(r, edge);
  for (int k = 0; k < r->stops; k++)
    if (r->lead[r->stop[k]] > 0 && !(edge >> k & 1)) r->lead[r->stop[k]] = 0;
  r->miss = CTL_RESTORE_MET;
  r->slack = end * EDGE;
  return move(r) && ctl_restore_is_less(r);
}

CtlMinimum ctl_corner_edges(CtlRestore *r, const char **why) {
  double *y = r->shared->bend, steepest;
  unsigned all = 0; /* joints that turn back have no edges: they are at rest but at T */
  ctl_qp_multiply(&r->shared->qp, r->answer, r->gradient);
  steepest = ctl_norm(r->shared->n, r->gradient);
  for (int k = 0; k < r->stops; k++) all |= (unsigned)(r->deceleration[r->stop[k]] != 0) << k;
  for (unsigned edge = all; edge > 0; edge = (edge - 1) & all) {
    double up = rise(r, edge, steepest, y);
    if (up < 0 && falls(r, edge)) return CTL_MINIMUM_NO;
    *why = isnan(up) ? "a joint's stop moves others that stop with it" : "J hardly rises where a joint stops sooner";
    if (!(up > FLAT)) return CTL_MINIMUM_UNKNOWN;
  }
  return CTL_MINIMUM_YES;
}
