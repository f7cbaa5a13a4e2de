/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/energy.h"

#include "sim/base/many.h"
#include "sim/event/spring_series.h"
#include "sim/joint/surface.h"
#include "sim/joint/viscous.h"

#include <string.h>

/* Series in a segment of the moving surfaces' speed w, path W and force g (sim/core/surface_model.h). Coefficients are
 * [order + 1][d]; order -1: no surface moves. */
typedef struct Drive {
  int order;
  double *speed, *path, *force;
} Drive;

static void multiply_add(int d, double factor, const EventRows *matrix, const double *x, double *y) {
  for (int i = 0; i < d; i++) y[i] = rows_add(matrix, i, factor, x, y[i]);
}

/* Adds to y the force of damping relative to the ground, which is damping without viscous friction b: y += factor (D -
 * diag(b)) v. */
static void add_damping(const EventSystem *s, double factor, const double *v, double *y) {
  if (s->damped) multiply_add(s->d, factor, &s->damping, v, y);
  for (int i = 0; i < s->d; i++) y[i] -= factor * viscous_force(s->problem, i, v[i]);
}

static void find_drive(const EventSystem *s, const EventMotion *m, Drive *drive) {
  const SimProblem *p = s->problem;
  int d = s->d;
  double width = m->segment.width;
  *drive = (Drive){.order = -1};
  if (!p->surface_pieces) return;
  drive->speed = m->drive;
  drive->path = drive->speed + ENERGY_ROWS * d;
  drive->force = drive->path + ENERGY_ROWS * d;
  int order = surface_series(p, m->at.t, width, drive->speed, drive->path);
  drive->order = order + 1;
  memset(drive->force, 0, (size_t)(order + 2) * (size_t)d * sizeof *drive->force);
  memset(drive->speed + (order + 1) * d, 0, (size_t)d * sizeof *drive->speed);
  for (int k = 0; k <= order + 1; k++) {
    double *speed = drive->speed + k * d, *force = drive->force + k * d;
    if (k <= order) multiply_add(d, (k + 1) / width, &s->mass, speed + d, force);
    add_damping(s, 1, speed, force);
    multiply_add(d, 1, &s->stiffness, drive->path + k * d, force);
  }
}

void energy_add(int d, double width, int last, const double *velocity, int order, const double *force, double *into) {
  for (int j = 0; j <= last; j++) {
    double power = d > EVENT_FEW_DOFS ? many_dot(d, velocity + j * d, force) : 0;
    for (int i = 0; i < d && d <= EVENT_FEW_DOFS; i++) power += velocity[j * d + i] * force[i];
    into[order + j + 1] += width * power / (order + j + 1);
  }
}

/* Returns coefficient `order` of the bias of thresholds that differ by direction: the friction force at lambda = 0, in
 * N. */
static double bias_of(const EventSystem *s, const EventSegment *g, int i, int order) {
  if (event_varies(s)) return order <= g->threshold_order ? g->bias[order * s->d + i] : 0;
  return s->bias && order == 0 ? s->bias[i] : 0;
}

/* Returns coefficient `order` of f + B u, in N. The segment's force is f + B u minus the bias of thresholds, so the
 * bias is added. */
static double applied(const EventSystem *s, const EventSegment *g, int i, int order) {
  return (order <= g->force_order ? g->force[order * s->d + i] : 0) + bias_of(s, g, i, order);
}

void energy_force(const EventSystem *s, const EventMotion *m, int k, double *force) {
  for (int i = 0; i < s->d; i++) force[i] = applied(s, &m->segment, i, k);
}

/* Computes coefficient k of the resistance: for moving dofs D v + C (lambda - gamma), which is f + B u - A x - G'h -
 * load + forces of elastic stops; for dofs that stick D v. G'h are the forces of springs with a law. */
void energy_resistance(const EventSystem *s, const EventMotion *m, int k, double *lost) {
  const EventSegment *g = &m->segment;
  int d = s->d;
  for (int i = 0; i < d; i++) {
    lost[i] = applied(s, g, i, k) + event_push(s, m, i, k) - g->load[k * d + i];
    lost[i] = rows_add(&s->stiffness, i, -1, g->x + k * d, lost[i]);
    if (m->springs) lost[i] -= m->springs->force[k * d + i];
  }
}

/* Adds the work of moving surfaces, and corrects the work and dissipation of energy_expand. With moving surfaces the
 * applied force is f + B u = force + g, where `force` is that of the segment and g the force of the surfaces
 * (surface_model.h). The velocity is x' = v + w, and dampers dissipate x' D x'. */
static void add_drive(const EventSystem *s, EventMotion *m, const Drive *drive) {
  EventSegment *g = &m->segment;
  int d = s->d, top = g->energy_order;
  double *work = g->spent[SPENT_WORK], *dissipated = g->spent[SPENT_DISSIPATED], width = g->width;
  double *force = event_room(s, m, ROOM_FORCE), *rub = event_room(s, m, ROOM_RUB);
  double *damper = event_room(s, m, ROOM_DAMPER);
  for (int k = 0; k <= top; k++) {
    memset(rub, 0, (size_t)d * sizeof *rub);
    memset(damper, 0, (size_t)d * sizeof *damper);
    bool moves = k <= g->order, driven = k <= drive->order;
    if (moves) energy_resistance(s, m, k, rub);
    if (moves) add_damping(s, -1, g->v + k * d, rub);
    for (int i = 0; i < d; i++) {
      if (moves && !event_slides(s, m, i))
        rub[i] = (event_varies(s) ? 1 : s->friction[i]) * g->lambda[k * d + i] + bias_of(s, g, i, k);
      force[i] = applied(s, g, i, k);
      rub[i] = -rub[i];
    }
    if (driven) energy_add(d, width, g->order, g->v, k, drive->force + k * d, work);
    for (int i = 0; i < d && driven; i++) force[i] += drive->force[k * d + i];
    energy_add(d, width, drive->order, drive->speed, k, force, work);
    energy_add(d, width, drive->order, drive->speed, k, rub, g->spent[SPENT_SURFACE]);
    if (driven) add_damping(s, 1, drive->speed + k * d, damper);
    energy_add(d, width, g->order, g->v, k, damper, dissipated);
    if (moves) add_damping(s, 1, g->v + k * d, damper);
    energy_add(d, width, drive->order, drive->speed, k, damper, dissipated);
  }
}

void energy_expand(const EventSystem *s, EventMotion *m) {
  EventSegment *g = &m->segment;
  Drive drive;
  int d = s->d;
  double *lost = event_room(s, m, ROOM_LOST), *force = event_room(s, m, ROOM_FORCE);
  memset(g->spent, 0, sizeof g->spent);
  g->energy_order = g->order;
  for (int k = 0; k <= g->order; k++) {
    energy_resistance(s, m, k, lost);
    energy_force(s, m, k, force);
    if (k <= g->force_order) energy_add(d, g->width, g->order, g->v, k, force, g->spent[SPENT_WORK]);
    energy_add(d, g->width, g->order, g->v, k, lost, g->spent[SPENT_DISSIPATED]);
  }
  find_drive(s, m, &drive);
  if (drive.order > g->order) g->energy_order = drive.order;
  if (drive.order >= 0) add_drive(s, m, &drive);
}
