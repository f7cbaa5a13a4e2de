/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/map.h"

#include "sim/event/readings.h"
#include "sim/mechanism/motion.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = GRAPH_ORDER_MAX + 1 };

/* Accepted error of the series of derivatives, relative to their largest terms. */
static const double DERIVATIVES_TOLERANCE = 1e-9;

static bool drives(const SimProblem *p, int i) {
  for (int j = 0; j < p->n_control; j++)
    if (p->control_matrix[i * p->n_control + j] != 0) return true;
  return false;
}

/* Counts the columns of each kind that the map has at most. */
static void count_columns(const SimProblem *p, bool parameters, MechanismMap *map) {
  map->d = p->d;
  for (int i = 0; i < p->d; i++)
    if (drives(p, i)) map->force[map->n_forces++] = i;
  map->n_slopes = p->signal == SIM_PIECEWISE_LINEAR ? map->n_forces : 0;
  map->n_parameters = parameters ? p->equations.parameters : 0;
  mechanism_map_set_timed(map, true);
}

/* Allocates the arrays of the map, for n columns. */
static SimStatus allocate(MechanismMap *map) {
  size_t d = (size_t)map->d, n = (size_t)map->n, series = ORDERS * d, seeds = 2 * d + (size_t)map->n_parameters;
  map->block = calloc(seeds + 1, sizeof(GraphColumn));
  map->state = calloc(2 * d * n + n * series + 2 * n + series, sizeof *map->state);
  if (!map->block || !map->state) return SIM_NO_MEMORY;
  uintptr_t unit = sizeof(GraphColumn), start = (uintptr_t)map->block;
  map->seeds = (GraphColumn *)((start + unit - 1) / unit * unit);
  map->rates = map->state + 2 * d * n;
  map->weights = map->rates + n * series;
  map->later = map->weights + n;
  map->series = map->later + n;
  return SIM_OK;
}

SimStatus mechanism_map_create(const SimProblem *p, const Expansion *expansion, bool parameters, MechanismMap **out) {
  MechanismMap *map = *out = calloc(1, sizeof *map);
  if (!map) return SIM_NO_MEMORY;
  map->force = calloc((size_t)p->d, sizeof *map->force);
  if (!map->force) return SIM_NO_MEMORY;
  count_columns(p, parameters, map);
  SimStatus status = parameters ? mechanism_motion_vary(p, true, &map->own) : SIM_OK;
  map->same_kinks = !map->own || graph_tape_same_kinks(expansion->tape, map->own->tape);
  if (status == SIM_OK && (p->stops.present || expansion->tape->n_kinks > 0))
    status = mechanism_jump_create(p, expansion, parameters, &map->jump);
  if (status != SIM_OK) return status;
  map->columns = expansion_columns_create(parameters ? map->own : expansion);
  return map->columns ? allocate(map) : SIM_NO_MEMORY;
}

void mechanism_map_set_timed(MechanismMap *map, bool timed) {
  map->timed = timed;
  map->n = mechanism_map_parameters(map) + map->n_parameters + timed;
}

void mechanism_map_destroy(MechanismMap *map) {
  if (!map) return;
  expansion_columns_destroy(map->columns);
  expansion_destroy(map->own);
  mechanism_jump_destroy(map->jump);
  free(map->force);
  free(map->block);
  free(map->state);
  free(map);
}

/* Sets the derivatives at the start of the piece for the columns first .. first + GRAPH_COLUMNS - 1. Column first + k
 * differentiates by its own variable, so that variable's derivative is 1 in lane k of a vector. */
static void seed(MechanismMap *map, int first) {
  const GraphColumn zero = {0};
  GraphColumn shift = zero, one[GRAPH_COLUMNS];
  int d = map->d;
  for (int k = 0; k < GRAPH_COLUMNS; k++) {
    one[k] = zero;
    one[k][k] = 1;
  }
  for (int i = 0; i < 2 * d + map->n_parameters; i++) {
    int lane = (i < 2 * d ? i : mechanism_map_parameters(map) + i - 2 * d) - first;
    map->seeds[i] = lane >= 0 && lane < GRAPH_COLUMNS ? one[lane] : zero;
  }
  for (int i = 0; i < map->n_forces + map->n_slopes; i++) {
    int lane = 2 * d + i - first;
    expansion_columns_push(map->columns, map->force[i % map->n_forces], i / map->n_forces,
                           lane >= 0 && lane < GRAPH_COLUMNS ? &one[lane] : &zero);
  }
  if (map->timed && map->n - 1 - first < GRAPH_COLUMNS) shift = one[map->n - 1 - first];
  expansion_columns_shift(map->columns, &shift);
}

/* Returns the time after the expansion's t0, in s, at most `limit`, up to which the series of one column are accurate.
 * Where a derivative changes fast, as that of a power by its exponent near a base 0, high orders may overflow. They are
 * set to 0, and the orders before them are used. The result is 0 if these are too few. */
static double reach_of(const MechanismMap *map, int order, double *rates, double limit) {
  enum { FEWEST = 4 };
  double terms[ORDERS];
  int last = order, d = map->d;
  for (int k = 0; k <= last; k++) {
    terms[k] = 0;
    for (int i = 0; i < d; i++)
      terms[k] = isfinite(rates[k * d + i]) ? fmax(terms[k], fabs(rates[k * d + i])) : INFINITY;
    if (isinf(terms[k])) last = k - 1;
  }
  for (int k = (last + 1) * d; k < (order + 1) * d; k++) rates[k] = 0;
  return last == order || last >= FEWEST ? expansion_terms_reach(last, terms, DERIVATIVES_TOLERANCE, limit) : 0;
}

/* Whether the switching function of a kink is 0 in all orders, so that the motion stays at the kink. */
static bool stays_at(const Expansion *expansion, int kink) {
  for (int k = 0; k <= expansion->order; k++)
    if (graph_series_kink(expansion->series, kink, k) != 0) return false;
  return true;
}

/* Whether a kink at which the motion stays, as that of max(a, b) with a = b, changes with a parameter among the columns
 * first .. first + GRAPH_COLUMNS - 1. The motion then has only one-sided derivatives by this parameter. */
static bool rests_on_kink(const MechanismMap *map, int first) {
  const Expansion *expansion = map->columns->expansion;
  int from = mechanism_map_parameters(map) - first, end = from + map->n_parameters;
  bool changes = false;
  for (int j = 0; j < expansion->tape->n_kinks && end > 0 && from < GRAPH_COLUMNS; j++) {
    if (!stays_at(expansion, j)) continue;
    for (int k = 0; k <= expansion->order; k++) {
      const GraphColumn *by = graph_columns_row(map->columns->columns, expansion->tape->kink_row[j], k);
      for (int lane = from > 0 ? from : 0; lane < end && lane < GRAPH_COLUMNS; lane++)
        changes = changes || (*by)[lane] != 0;
    }
  }
  return changes;
}

/* Computes map->rates, the series of all columns, about the expansion's t0. Returns the time in s up to which they are
 * accurate, at most `limit`. */
static double find_rates(MechanismMap *map, double limit) {
  const Expansion *expansion = map->columns->expansion;
  int d = map->d, last = expansion->order + 1;
  double reach = limit;
  for (int first = 0; first < map->n; first += GRAPH_COLUMNS) {
    seed(map, first);
    expansion_columns_make(map->columns, map->seeds, map->seeds + d, map->n_parameters ? map->seeds + 2 * d : NULL);
    map->smooth = map->smooth && !rests_on_kink(map, first);
    for (int lane = 0; lane < GRAPH_COLUMNS && first + lane < map->n; lane++) {
      double *rates = map->rates + (size_t)(first + lane) * (size_t)(ORDERS * d);
      for (int k = 0; k <= last; k++)
        for (int i = 0; i < d; i++) rates[k * d + i] = (*expansion_columns_speed(map->columns, i, k))[lane];
      reach = reach_of(map, last, rates, reach);
    }
  }
  return reach;
}

/* Computes map->state, the derivatives of q and v at the time t0 + after, where t0 is the expansion's time. Returns
 * whether they are finite. */
static bool find_state(MechanismMap *map, double after) {
  int d = map->d, n = map->n, last = map->columns->expansion->order + 1;
  bool finite = true;
  for (int c = 0; c < n; c++) {
    const double *rates = map->rates + (size_t)c * (size_t)(ORDERS * d);
    for (int i = 0; i < d; i++) {
      double q = 0, v = 0;
      for (int k = last; k >= 0; k--) {
        q = q * after + rates[k * d + i] / (k + 1);
        v = v * after + rates[k * d + i];
      }
      map->state[i * n + c] = q * after + (c == i);
      map->state[(d + i) * n + c] = v;
      finite = finite && isfinite(q) && isfinite(v);
    }
  }
  return finite;
}

/* Expands the motion in series about the fraction `part` of the segment, for the derivatives. */
static SimStatus expand_at(const EventSystem *s, EventMotion *m, double part) {
  MechanismMap *map = m->mechanism->map;
  Expansion *expansion = map->own ? map->own : m->mechanism->expansion;
  return mechanism_motion_expand(s, m, expansion, part);
}

SimStatus mechanism_map_pieces(const EventSystem *s, EventMotion *m, double part, MechanismPieces take, void *context) {
  MechanismMap *map = m->mechanism->map;
  double all = part * m->segment.width, from = 0;
  bool moved = false;
  map->smooth = map->same_kinks;
  if (map->own) mechanism_motion_look(s, m, map->own, part / 2);
  SimStatus status = map->own ? expand_at(s, m, 0) : SIM_OK;
  while (status == SIM_OK && from < all) {
    double left = all - from, reach = find_rates(map, left), width = reach < left ? reach : left;
    if (!(from + width > from) || !find_state(map, width)) return SIM_NON_FINITE;
    status = take(context, s, m, from, width);
    from = width < left ? from + width : all;
    if (status != SIM_OK || !(from < all)) break;
    status = expand_at(s, m, from / m->segment.width);
    moved = !map->own;
  }
  return moved && status == SIM_OK ? expand_at(s, m, 0) : status;
}

/* Sets map->weights, the factors in the combination of the map's columns that equals column c of the derivatives. These
 * factors are the derivatives by column c of the piece's start: of q, v, forces, rates, parameters and time. */
static void find_weights(const EventSystem *s, EventMotion *m, EventTangent *t, int c, double from) {
  MechanismMap *map = m->mechanism->map;
  int d = s->d, n = t->columns->width;
  double part = from / m->segment.width;
  for (int i = 0; i < d; i++) {
    map->weights[i] = t->columns->x[i * n + c];
    map->weights[d + i] = t->columns->v[i * n + c];
  }
  tangent_forcing(s, m, &t->columns->columns[c], NULL, t->forcing);
  for (int k = 0; k < map->n_forces; k++) {
    double value = t->forcing[map->force[k]], slope = t->forcing[d + map->force[k]];
    map->weights[2 * d + k] = value + part * slope;
    if (map->n_slopes) map->weights[2 * d + map->n_forces + k] = slope / m->segment.width;
  }
  for (int k = 0; k < map->n_parameters; k++)
    map->weights[mechanism_map_parameters(map) + k] =
        t->columns->columns[c].on == SIM_ON_PARAMETER && t->columns->columns[c].entry == k;
  if (map->timed) map->weights[map->n - 1] = variation_begin(s->problem, &t->columns->columns[c], m->at.node);
}

/* Sets map->series to the series of the velocities' derivatives: the map's columns combined with map->weights. */
static void find_series(MechanismMap *map, double width) {
  int d = map->d, last = map->columns->expansion->order + 1;
  memset(map->series, 0, (size_t)(ORDERS * d) * sizeof *map->series);
  for (int c = 0; c < map->n; c++) {
    const double *rates = map->rates + (size_t)c * (size_t)(ORDERS * d);
    for (int k = 0; k < (last + 1) * d && map->weights[c] != 0; k++) map->series[k] += map->weights[c] * rates[k];
  }
  polynomial_part(last, d, map->series, 0, width);
}

/* Sets column c of the derivatives to the map's columns combined with map->weights. */
static void combine(const MechanismMap *map, const SimSensitivity *columns, int c) {
  int d = map->d, n = columns->width;
  for (int i = 0; i < d; i++) {
    double q = 0, v = 0;
    for (int k = 0; k < map->n; k++) {
      q += map->state[i * map->n + k] * map->weights[k];
      v += map->state[(d + i) * map->n + k] * map->weights[k];
    }
    columns->x[i * n + c] = q;
    columns->v[i * n + c] = v;
  }
}

static SimStatus take_piece(void *context, const EventSystem *s, EventMotion *m, double from, double width) {
  EventTangent *t = context;
  MechanismMap *map = m->mechanism->map;
  int last = map->columns->expansion->order + 1;
  for (int c = 0; c < t->columns->n; c++) {
    find_weights(s, m, t, c, from);
    if (m->readings) {
      find_series(map, width);
      readings_column(s, m, c, last, map->series, width);
    }
    combine(map, t->columns, c);
  }
  if (m->readings) readings_piece(s, m, from / m->segment.width, width / m->segment.width);
  return SIM_OK;
}

void mechanism_map_advance(const EventSystem *s, EventMotion *m, EventTangent *t, double part) {
  bool good = mechanism_map_pieces(s, m, part, take_piece, t) == SIM_OK && m->mechanism->map->smooth;
  t->columns->smooth = t->columns->smooth && good;
}

/* Returns the index in MechanismJump's rows of column c of the map; -1 if c is a force or a force's rate, by which
 * jumps are not differentiated. */
static int column_of(const MechanismMap *map, int c) {
  int first = mechanism_map_parameters(map), d = map->d;
  if (c < 2 * d) return c;
  if (c < first) return -1;
  return c < first + map->n_parameters ? 2 * d + c - first : map->jump->n - 1;
}

bool mechanism_map_jump(const EventSystem *s, EventMotion *m, const double *before, bool stops, bool *smooth) {
  MechanismMap *map = m->mechanism->map;
  MechanismJump *jump = map->jump;
  if (!jump || !mechanism_jump_find(jump, s, m, before, stops, smooth)) return false;
  for (int c = 0; c < map->n; c++) {
    int k = column_of(map, c);
    map->later[c] = k < 0 ? 0 : jump->later[k];
    for (int i = 0; i < 2 * map->d; i++) map->state[i * map->n + c] = k < 0 ? 0 : jump->state[i * jump->n + k];
  }
  return true;
}

void mechanism_map_cross(const EventSystem *s, EventMotion *m, EventTangent *t, bool stops) {
  MechanismMap *map = m->mechanism->map;
  if (!mechanism_map_jump(s, m, t->before, stops, &t->columns->smooth)) return;
  for (int c = 0; c < t->columns->n; c++) {
    double later = 0;
    find_weights(s, m, t, c, 0);
    for (int k = 0; k < map->n; k++) later += map->later[k] * map->weights[k];
    if (m->readings) m->readings->later[c] = later;
    combine(map, t->columns, c);
  }
}
