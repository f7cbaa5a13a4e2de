/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/region.h"

#include "sim/event/drop.h"

#include <stdlib.h>
#include <string.h>

enum { ALL = ROWS_FEW * ROWS_FEW /* number of entries of a small matrix */ };

/* Positions of a region's vectors in r->numbers, in units of REGION_DOFS. AT_ALL is the number of these vectors;
 * MATRICES small full matrices follow them. */
enum { AT_FRICTION, AT_BETA, AT_EPSILON, AT_BIAS, AT_ALL, MATRICES = 3 };

static SimStatus rows_room(EventRows *rows) {
  enum { ENTRIES = REGION_DOFS * REGION_ENTRIES };
  *rows = (EventRows){0};
  rows->entries = (SimMatrix){.start = calloc(REGION_DOFS + 1, sizeof *rows->entries.start),
                              .column = calloc(ENTRIES + 1, sizeof *rows->entries.column),
                              .value = calloc(ENTRIES, sizeof *rows->entries.value)};
  rows->diagonal = calloc(REGION_DOFS, sizeof *rows->diagonal);
  bool room = rows->entries.start && rows->entries.column && rows->entries.value && rows->diagonal;
  return room ? SIM_OK : SIM_NO_MEMORY;
}

SimStatus region_init(const EventSystem *s, EventRegion *r) {
  EventSystem *own = &r->system;
  *own = *s;
  own->d = REGION_DOFS;
  own->springs = NULL;
  SimStatus status = event_motion_init(own, &r->motion);
  const SimStatus rooms[] = {rows_room(&own->mass), rows_room(&own->stiffness), rows_room(&own->damping)};
  for (size_t k = 0; k < sizeof rooms / sizeof *rooms && status == SIM_OK; k++) status = rooms[k];
  r->numbers = calloc(AT_ALL * REGION_DOFS + MATRICES * ALL, sizeof *r->numbers);
  r->place = calloc((size_t)s->d + REGION_DOFS + MATRICES * REGION_DOFS * REGION_ENTRIES, sizeof *r->place);
  own->damping_transposed = own->damping;
  own->form = own->mass;
  if (status != SIM_OK || !r->numbers || !r->place) return SIM_NO_MEMORY;
  r->dof = r->place + s->d;
  r->neighbour = r->dof + REGION_DOFS;
  own->friction = r->numbers + AT_FRICTION * REGION_DOFS;
  if (s->beta) own->beta = r->numbers + AT_BETA * REGION_DOFS;
  if (s->epsilon) own->epsilon = r->numbers + AT_EPSILON * REGION_DOFS;
  if (s->bias) own->bias = r->numbers + AT_BIAS * REGION_DOFS;
  return SIM_OK;
}

void region_clear(EventRegion *r) {
  event_motion_clear(&r->motion);
  /* these matrices are stored in r->numbers */
  r->system.mass.dense = r->system.stiffness.dense = r->system.damping.dense = NULL;
  rows_clear(&r->system.mass);
  rows_clear(&r->system.stiffness);
  rows_clear(&r->system.damping);
  free(r->numbers);
  free(r->place);
}

void region_empty(EventRegion *r) {
  for (int k = 0; k < r->count; k++) r->place[r->dof[k]] = 0;
  for (int k = 0; k < r->border; k++) r->place[r->neighbour[k]] = 0;
  r->count = r->border = 0;
}

bool region_add(EventRegion *r, int i) {
  if (r->place[i] > 0) return true;
  if (r->count == REGION_DOFS) return false;
  r->dof[r->count++] = i;
  r->place[i] = r->count;
  return true;
}

bool region_add_neighbours(const EventSystem *s, EventRegion *r) {
  bool room = true;
  for (int q = 0, n = r->count; q < n && room; q++) {
    int i = r->dof[q];
    ROWS_EACH(&s->stiffness, i, k, j) room = room && region_add(r, j);
    ROWS_EACH(&s->mass, i, k, j) room = room && region_add(r, j);
    if (!s->damped) continue;
    ROWS_EACH(&s->damping, i, k, j) room = room && region_add(r, j);
  }
  return room;
}

bool region_add_coupled(const EventSystem *s, const EventMotion *m, EventRegion *r) {
  bool room = true;
  for (int q = 0, n = r->count; q < n && room; q++) {
    if (!event_slides(s, m, r->dof[q])) continue;
    ROWS_EACH(&s->mass, r->dof[q], k, j) room = room && region_add(r, j);
  }
  return room;
}

/* Adds to r->neighbour those dofs outside the region that a matrix couples to the region's dofs, and marks these dofs
 * of the region in r->edge. */
static void note_border(const EventRows *rows, EventRegion *r) {
  for (int q = 0; q < r->count; q++) ROWS_EACH(rows, r->dof[q], k, j) {
      if (r->place[j] > 0) continue;
      r->edge[q] = true;
      if (r->place[j] == 0) r->neighbour[r->border++] = j;
      r->place[j] = -1;
    }
}

static void take_rows(const EventRows *whole, const EventRegion *r, double *all, EventRows *own) {
  SimMatrix *m = &own->entries;
  int n = r->count, filled = 0;
  own->dense = n <= ROWS_FEW ? all : NULL;
  if (own->dense) memset(all, 0, (size_t)(n * n) * sizeof *all);
  for (int q = 0; q < n; q++) {
    ROWS_EACH(whole, r->dof[q], k, j) {
      int column = r->place[j] - 1;
      if (column < 0) continue;
      m->column[filled] = column;
      m->value[filled++] = whole->entries.value[k];
      if (own->dense) all[q * n + column] = whole->entries.value[k];
    }
    own->diagonal[q] = whole->diagonal[r->dof[q]];
    m->start[q + 1] = filled;
  }
}

static void sort(int n, int *values) {
  for (int k = 1; k < n; k++) {
    int value = values[k], q = k;
    for (; q > 0 && values[q - 1] > value; q--) values[q] = values[q - 1];
    values[q] = value;
  }
}

/* Copies the constants and the state of each dof of the region, except x and v. */
static void take_dofs(const EventSystem *s, const EventMotion *m, EventRegion *r) {
  const double *const whole[AT_ALL] = {s->friction, s->beta, s->epsilon, s->bias};
  EventMotion *own = &r->motion;
  for (int k = 0; k < AT_ALL; k++)
    for (int q = 0; q < r->count && whole[k]; q++) r->numbers[k * REGION_DOFS + q] = whole[k][r->dof[q]];
  for (int q = 0; q < r->count; q++) {
    int i = r->dof[q];
    own->mobility[q] = m->mobility[i];
    own->segment.threshold[q] = s->friction[i];
    own->at.slip[q] = m->at.slip[i];
    own->at.branch[q] = m->at.branch[i];
  }
  own->at.speed = m->at.speed;
  own->most_friction = m->most_friction;
  own->segment.order = -1; /* no series yet */
}

void region_take(const EventSystem *s, const EventMotion *m, EventRegion *r) {
  double *all = r->numbers + AT_ALL * REGION_DOFS;
  for (int k = 0; k < r->border; k++) r->place[r->neighbour[k]] = 0;
  r->border = 0;
  sort(r->count, r->dof);
  for (int q = 0; q < r->count; q++) r->place[r->dof[q]] = q + 1;
  memset(r->edge, 0, sizeof r->edge);
  note_border(&s->stiffness, r);
  note_border(&s->mass, r);
  if (s->damped) note_border(&s->damping, r);
  r->system.d = r->count;
  drop_bind(&r->system, &r->motion);
  take_rows(&s->stiffness, r, all, &r->system.stiffness);
  if (s->damped) take_rows(&s->damping, r, all + ALL, &r->system.damping);
  take_rows(&s->mass, r, all + 2 * ALL, &r->system.mass);
  r->system.form = r->system.mass;
  r->system.mass_width = r->count > ROWS_FEW ? s->mass_width : 0; /* with few dofs the inverse is a full matrix */
  memset(r->motion.inverses.known, 0, sizeof r->motion.inverses.known);
  take_dofs(s, m, r);
}

/* Subtracts the effect of a neighbour j outside the region from the region's force: column j of a matrix times the
 * series c [order + 1] of the neighbour. */
static void subtract(const EventRows *rows, const EventRegion *r, int j, int order, const double *c) {
  int n = r->count;
  for (int q = 0; q < n; q++) {
    if (!r->edge[q]) continue;
    ROWS_EACH(rows, r->dof[q], k, column) {
      double *force = r->motion.segment.force + q;
      for (int o = 0; o <= order && column == j; o++) force[o * n] -= rows->entries.value[k] * c[o];
    }
  }
}

void region_pull(const EventSystem *s, EventRegion *r, int k, int order, const double *x) {
  subtract(&s->stiffness, r, r->neighbour[k], order, x);
}

void region_push(const EventSystem *s, EventRegion *r, int k, int order, const double *x) {
  double a[POLYNOMIAL_ORDER + 1], width = r->motion.segment.width;
  if (s->mass_is_diagonal) return;
  for (int o = 0; o <= order - 2; o++) a[o] = (o + 2) * (o + 1) * x[o + 2] / (width * width);
  subtract(&s->mass, r, r->neighbour[k], order - 2, a);
}

void region_drag(const EventSystem *s, EventRegion *r, int k, int order, const double *x) {
  double v[POLYNOMIAL_ORDER + 1];
  for (int o = 0; o < order; o++) v[o] = (o + 1) * x[o + 1] / r->motion.segment.width;
  subtract(&s->damping, r, r->neighbour[k], order - 1, v);
}
