/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/speed/dop853.h"
#include "bench/speed/modes_motion.h"

#include <math.h>
#include <string.h>

/* Event in the last step: coordinate i comes to rest, or begins to slide towards `way`. i < 0: there is none. */
typedef struct Event {
  int i, way;
  double part;
} Event;

static void rates(void *context, double t, const double *y, double *made) { modes_rates(context, t, y, made); }

/* Returns the function of coordinate i's event at a fraction of the step. */
static double room_at(Modes *modes, const Dop *dop, int i, int way, double part) {
  double y[DOP_N], made[DOP_N];
  dop_at(dop, part, y);
  if (modes->slip[i] == 0) modes_rates(modes, dop->t + part * dop->h, y, made);
  return modes_room(modes, i, way, y);
}

/* Finds the fraction of the step at which the function becomes negative, by false position. end: its value at the end
 * of the step. */
static double first_root(Modes *modes, const Dop *dop, int i, int way, double end) {
  enum { ROUNDS = 100 };
  static const double AFTER = 1e-3, CLOSE = 1e-15;
  double low = modes->begins[i] ? AFTER : 0; /* where a coordinate begins to slide, its velocity is 0 */
  double high = 1, at_low = room_at(modes, dop, i, way, low), at_high = end;
  int side = 0;
  for (int k = 0; k < ROUNDS && high - low > CLOSE; k++) {
    double next = (low * at_high - high * at_low) / (at_high - at_low);
    if (!(next > low && next < high)) next = (low + high) / 2;
    double value = room_at(modes, dop, i, way, next);
    bool above = value > 0, done = fabs(next - (above ? low : high)) < CLOSE;
    if (above) {
      low = next;
      at_low = value;
      if (side > 0) at_high /= 2;
    } else {
      high = next;
      at_high = value;
      if (side < 0) at_low /= 2;
    }
    side = above ? 1 : -1;
    if (done || value == 0) break;
  }
  return high;
}

/* Finds the first event in the last step, after which the equations were evaluated at its end. */
static Event find_event(Modes *modes, Dop *dop) {
  Event events[MODES_D], first = {.i = -1, .part = 2};
  double end[MODES_D];
  int n = 0;
  for (int i = 0; i < modes->d; i++) {
    int way = modes_way(modes, i);
    double room = modes_room(modes, i, way, dop->end);
    if (!modes_rubs(modes, i) || !(room < 0)) continue;
    end[n] = room;
    events[n++] = (Event){i, way, 1};
  }
  if (n) dop_prepare(dop);
  for (int k = 0; k < n; k++) {
    events[k].part = first_root(modes, dop, events[k].i, events[k].way, end[k]);
    if (events[k].part < first.part) first = events[k];
  }
  return first;
}

bool modes_dop853(Modes *modes, double tolerance, double *y) {
  const SimProblem *p = modes->problem;
  Dop dop = {.n = 2 * p->d, .rates = rates, .context = modes, .tolerance = tolerance};
  modes_begin(modes, y);
  for (int k = 0; k < p->segments; k++) {
    double from = p->end * k / p->segments, until = p->end * (k + 1) / p->segments;
    modes_enter(modes, k, from, y);
    dop_begin(&dop, from, y);
    for (bool last = false; !last;) {
      if (!dop_step(&dop, until)) return false;
      Event event = find_event(modes, &dop);
      last = event.i < 0 && dop.h == until - dop.t;
      if (event.i < 0) {
        dop_accept(&dop);
        memset(modes->begins, 0, sizeof modes->begins);
        continue;
      }
      double t = dop.t + event.part * dop.h;
      dop_at(&dop, event.part, y);
      modes_pass(modes, event.i, event.way, t, y);
      dop_begin(&dop, t, y);
    }
    memcpy(y, dop.y, 2 * (size_t)p->d * sizeof *y);
  }
  return true;
}
