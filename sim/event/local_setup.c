/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates the data of a motion with local updates. */
#include "sim/event/local.h"

#include "sim/event/drop.h"
#include "sim/event/expansion.h"

#include <math.h>
#include <stdlib.h>

enum { HALVINGS = 60 };

/* Whether a system supports local updates: M is banded, rows of M, D and A are short, and the friction of a dof depends
 * on its own motion only. */
static bool suits(const EventSystem *s) {
  bool plain = !s->stops && !s->laws && !event_varies(s) && !s->problem->surface_pieces;
  bool table = s->series && s->series->law == SIM_STRIBECK_TABLE, few = true;
  for (int i = 0; i < s->d && few; i++) {
    const int *stiff = s->stiffness.entries.start + i, *damped = s->damping.entries.start + i;
    const int *mass = s->mass.entries.start + i;
    few = mass[1] - mass[0] <= REGION_ENTRIES && stiff[1] - stiff[0] <= REGION_ENTRIES &&
          (!s->damped || damped[1] - damped[0] <= REGION_ENTRIES);
  }
  return s->d > EVENT_FEW_DOFS && (s->mass_is_diagonal || s->mass_width > 0) && s->massless == 0 && plain && !table &&
         few;
}

/* Raises *largest to the largest |off-diagonal entry|, and *by_mass to the largest |off-diagonal entry|/M_ii, with i
 * its row. */
static void find_largest(const EventSystem *s, const EventRows *rows, double *largest, double *by_mass) {
  for (int i = 0; i < s->d; i++) ROWS_EACH(rows, i, k, j) {
      double size = i == j ? 0 : fabs(rows->entries.value[k]);
      *largest = fmax(*largest, size);
      *by_mass = fmax(*by_mass, size / s->mass.diagonal[i]);
    }
}

/* Sets the pointers of l into its two blocks of memory. */
static void divide(size_t d, EventLocal *l) {
  double *const next = l->from;
  size_t rows = (POLYNOMIAL_ORDER + 2) * d;
  double **const series[] = {&l->force, &l->resistance, &l->series[0], &l->series[1], &l->series[2]};
  l->first = next + d;
  l->anchor.fastest = l->first + 2 * l->leaves;
  for (size_t k = 0; k < sizeof series / sizeof *series; k++) *series[k] = l->anchor.fastest + d + k * rows;
  l->anchor.rest_order = l->anchor.slip + d;
}

int local_layers(const EventSystem *s, const EventLocal *l, double time) {
  double pull = l->coupling * time * time, drag = l->drag * time, change = pull / 2 + drag;
  int n = 0;
  for (; n < REGION_DOFS && change > EXPANSION_SHARE * s->tolerance; n++)
    change *= pull / ((2 * n + 3) * (2 * n + 4)) + drag / (2 * n + 3);
  return n;
}

/* Returns the number of layers of neighbours, around any dof of the system, that fit into half a region. */
static int layers_with_room(const EventSystem *s, EventRegion *r) {
  int least = REGION_DOFS;
  for (int i = 0; i < s->d; i++) {
    int n = 0, before = 0;
    region_empty(r);
    region_add(r, i);
    for (; n < least && before < r->count && region_add_neighbours(s, r) && r->count <= REGION_DOFS / 2; n++)
      before = r->count;
    if (before < r->count) least = n;
  }
  region_empty(r);
  return least;
}

static double find_reach(const EventSystem *s, EventLocal *l) {
  double reach = s->problem->end;
  int layers = layers_with_room(s, &l->region);
  for (int k = 0; k < HALVINGS && local_layers(s, l, reach) > layers; k++) reach /= 2;
  return reach;
}

SimStatus local_create(const EventSystem *s, EventLocal **local) {
  enum { SERIES = 5 };
  size_t d = (size_t)s->d;
  *local = NULL;
  if (!suits(s)) return SIM_OK;
  EventLocal *l = *local = calloc(1, sizeof *l);
  if (!l) return SIM_NO_MEMORY;
  for (l->leaves = 1; l->leaves < s->d; l->leaves *= 2) {
  }
  l->from = calloc(2 * d + 2 * (size_t)l->leaves + SERIES * (POLYNOMIAL_ORDER + 2) * d, sizeof *l->from);
  l->sliding = calloc(d, sizeof *l->sliding);
  l->anchor.slip = calloc(2 * d, sizeof *l->anchor.slip);
  l->anchor.branch = calloc(d, sizeof *l->anchor.branch);
  SimStatus status = region_init(s, &l->region);
  if (!l->from || !l->sliding || !l->anchor.slip || !l->anchor.branch) return SIM_NO_MEMORY;
  divide(d, l);
  find_largest(s, &s->stiffness, &l->stiffness, &l->coupling);
  find_largest(s, &s->mass, &l->mass, &l->push);
  if (s->damped) find_largest(s, &s->damping, &l->damping, &l->drag);
  if (status == SIM_OK) l->reach = find_reach(s, l);
  return status;
}

void local_destroy(EventLocal *l) {
  if (!l) return;
  region_clear(&l->region);
  free(l->from);
  free(l->sliding);
  free(l->anchor.slip);
  free(l->anchor.branch);
  free(l);
}
