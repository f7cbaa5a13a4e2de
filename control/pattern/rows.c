/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets up the quadratic problem of a pattern: its rows (constraints), and the linear motion of each segment. A place is
 * the beginning or end of a piece (motions.h). */
#include "control/pattern/acting.h"
#include "control/pattern/motions.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

/* Computes the friction of the joints that slip in a piece, in N, at its beginning (look 0) or its end (look 1). If
 * friction falls with speed, it is evaluated at the speeds of the last solution or, if there is none, at a typical
 * speed. */
static void slip_friction(const PatternMotions *m, int piece, int look, double *friction) {
  for (int i = 0; i < m->d; i++) {
    int way = m->ways[piece * m->d + i];
    double speed = m->slid[piece * m->d + i];
    double c = way && pattern_may_stick(m, i) ? pattern_threshold(m, i, piece + look, way) : 0;
    double drop = m->falls && way && c > 0 ? acting_drop(m->sim, i, isnan(speed) ? m->speed[i] : speed) : 0;
    friction[i] = way * c * (1 - drop);
  }
}

/* Converts a linear function `there` [2d] of (x, v) at a place to a linear function of z of its segment, by (x, v) =
 * map z + off (motions.h): adds there map to row [z], and there off to *off. */
static void add_there(const PatternMotions *m, const PatternPlace *place, const double *there, double *row,
                      double *off) {
  for (int i = 0; i < 2 * m->d; i++) {
    if (there[i] == 0) continue;
    *off += there[i] * place->off[i];
    for (int j = 0; j < m->z; j++) row[j] += there[i] * place->map[i * m->z + j];
  }
}

/* Computes the load of a joint at the start or end of a piece as a linear function row'z + *off. The load of a sticking
 * joint is the force that friction must balance, in N. The load of a slipping joint is its acceleration, in m/s^2. */
static void load_row(const PatternMotions *m, const Linear *linear, int i, const double *force, const double *friction,
                     const PatternPlace *place, double *row, double *off) {
  int d = m->d, p = m->p;
  const SimSystem *system = &m->sim->system;
  bool is_linear = m->problem->signal == SIM_PIECEWISE_LINEAR, slips = linear->slips >> i & 1;
  double there[2 * PATTERN_D] = {0};
  *off = 0;
  for (int j = 0; j < d; j++) {
    /* coefficients of the load: the force on the joint itself, minus the inertial coupling to slipping joints */
    double share = slips ? linear->inverse[i * d + j] : i == j;
    for (int k = 0; k < d && !slips; k++) share -= system->mass[i * d + k] * linear->inverse[k * d + j];
    *off += share * (force[j] - friction[j]);
    for (int k = 0; k < d; k++) {
      there[k] -= share * system->stiffness[j * d + k];
      there[d + k] -= share * system->damping[j * d + k];
    }
    for (int l = 0; l < p; l++) {
      double b = share * m->sim->control_matrix[j * p + l];
      row[m->w + l] += is_linear ? place->part * b : b;
      if (is_linear) row[2 * d + l] += (1 - place->part) * b;
    }
  }
  add_there(m, place, there, row, off);
}

/* Completes the row that was added last: sets its scale and its limits lower <= row'z + off <= upper. */
static void close_row(PatternMotions *m, double off, double scale, double lower, double upper) {
  Stages *s = &m->stages;
  double *row = s->a + (size_t)(s->n_rows - 1) * (size_t)m->z;
  for (int i = 0; i < m->z; i++) row[i] /= scale;
  s->row[s->n_rows - 1].lower = (lower - off) / scale;
  s->row[s->n_rows - 1].upper = lower == upper ? (lower - off) / scale : (upper - off) / scale;
}

/* Adds rows for the joints that stick in piece k, at its beginning (look 0) or its end (look 1): the magnitude of their
 * load is at most the threshold. */
static void add_holds(PatternMotions *m, int k, int look, const PatternPlace *place, const double *friction) {
  int d = m->d;
  for (int i = 0; i < d; i++) {
    if (m->ways[k * d + i]) continue;
    double off, *row = stages_add_row(&m->stages, k / m->parts, 0, 1);
    double forward = pattern_threshold(m, i, k + look, 1), backward = pattern_threshold(m, i, k + look, -1);
    load_row(m, m->at[k], i, m->force + (k + look) * SUBSTEPS * d, friction, place, row, &off);
    m->held[m->stages.n_rows - 1] = k * d + i;
    double scale = fmax(forward, backward);
    close_row(m, off, scale > 0 ? scale : 1, -backward, forward);
  }
}

/* Adds rows for piecewise linear signals, with which u might push a joint in the wrong direction when it begins or
 * ceases to slip. A joint that begins to slip in piece k must not accelerate against its direction. A joint that ceases
 * to slip there (look 1) must not accelerate along its direction. */
static void add_turns(PatternMotions *m, int k, int look, const PatternPlace *place, const double *friction) {
  int d = m->d, beside = look ? k + 1 : k - 1;
  if (m->problem->signal != SIM_PIECEWISE_LINEAR || beside >= m->pieces) return;
  for (int i = 0; i < d; i++) {
    int way = m->ways[k * d + i], other = beside < 0 ? pattern_way_at_start(m, i) : m->ways[beside * d + i];
    if (!way || other == way || !pattern_may_stick(m, i)) continue;
    double off, *row = stages_add_row(&m->stages, k / m->parts, 0, 1);
    bool along = (way > 0) == !look;
    load_row(m, m->at[k], i, m->force + (k + look) * SUBSTEPS * d, friction, place, row, &off);
    double scale = pattern_threshold(m, i, k + look, way) / m->sim->system.mass[i * d + i];
    close_row(m, off, scale > 0 ? scale : 1, along ? 0 : -INFINITY, along ? INFINITY : 0);
  }
}

static void add_bounds(PatternMotions *m, int k) {
  const CtlProblem *problem = m->problem;
  int merge = problem->segments / m->segments;
  for (int l = 0; l < m->p; l++) {
    double lower = -INFINITY, upper = INFINITY, rise = problem->rate[l] * m->h * m->parts;
    /* a segment here may consist of several segments of the problem, and a piecewise constant u may jump only once
     * within it; the limit of the jump is that between two segments of the problem */
    if (problem->signal != SIM_PIECEWISE_LINEAR) rise /= merge;
    for (int part = 0; part < merge; part++) { /* the bounds of a merged segment are the intersection of the bounds of
                                                * the segments that it consists of */
      lower = fmax(lower, problem->lower[(k * merge + part) * m->p + l]);
      upper = fmin(upper, problem->upper[(k * merge + part) * m->p + l]);
    }
    double scale = fmax(isfinite(lower) ? fabs(lower) : 0, isfinite(upper) ? fabs(upper) : 0);
    if (isfinite(lower) || isfinite(upper)) {
      stages_add_row(&m->stages, k, 0, 1)[m->w + l] = 1;
      close_row(m, 0, scale > 0 ? scale : 1, lower, upper);
    }
    if (!isfinite(rise) || (k == 0 && problem->signal != SIM_PIECEWISE_LINEAR)) continue;
    double *row = stages_add_row(&m->stages, k, 0, 1);
    row[m->w + l] = 1;
    row[2 * m->d + l] = -1;
    close_row(m, 0, rise > 0 ? rise : 1, -rise, rise);
  }
}

/* Adds the row lower <= entry <= upper for one entry of (x, v) at a place of segment k. */
static void add_entry(PatternMotions *m, int k, const PatternPlace *place, int entry, double scale, double lower,
                      double upper) {
  double there[2 * PATTERN_D] = {0}, off = 0, *row = stages_add_row(&m->stages, k, 0, 1);
  there[entry] = 1;
  add_there(m, place, there, row, &off);
  close_row(m, off, scale, lower, upper);
}

/* Adds the rows of the place at the end of piece k - 1, in segment `segment`. Slipping joints must keep their
 * directions. Joints must be at rest where their slip ends. At the final time the targets must be met. */
static void add_node(PatternMotions *m, int k, int segment, const PatternPlace *place) {
  int d = m->d;
  bool last = k == m->pieces;
  for (int i = 0; i < d; i++) {
    int way = m->ways[(k - 1) * d + i], next = last ? way : m->ways[k * d + i];
    double velocity = last ? m->problem->velocity[i] : NAN, position = last ? m->problem->position[i] : NAN;
    if (!isnan(position)) add_entry(m, segment, place, i, m->speed[i] * m->problem->end, position, position);
    if (!way) continue;
    bool friction = pattern_may_stick(m, i), ends = friction && next != way;
    if (ends || !isnan(velocity)) {
      double there = ends ? 0 : velocity;
      add_entry(m, segment, place, d + i, m->speed[i], there, there);
    } else if (friction) {
      add_entry(m, segment, place, d + i, m->speed[i], way > 0 ? 0 : -INFINITY, way > 0 ? INFINITY : 0);
    }
  }
}

/* Computes m->add, the change of (x, v) over piece k due to the force f and friction. Both are linear in time on each
 * substep. friction: [2][PATTERN_D] at the beginning and the end of the piece. */
static void fill_forced(PatternMotions *m, int k, const double *friction) {
  int d = m->d, n = 2 * d;
  const Linear *linear = m->at[k];
  double *at = m->add + k * n, next[2 * PATTERN_D] = {0};
  memset(at, 0, (size_t)n * sizeof *at);
  for (int step = 0; step < SUBSTEPS; step++) {
    const double *force = m->force + (k * SUBSTEPS + step) * d;
    double part = (double)step / SUBSTEPS;
    for (int i = 0; i < n; i++) {
      next[i] = dense_dot(n, linear->state + i * n, at);
      for (int j = 0; j < d; j++) {
        double rise = friction[PATTERN_D + j] - friction[j];
        next[i] += linear->forced[i * d + j] * (force[j] - friction[j] - part * rise) +
                   linear->forced[(n + i) * d + j] * (force[d + j] - force[j] - rise / SUBSTEPS);
      }
    }
    memcpy(at, next, (size_t)n * sizeof *at);
  }
}

/* Sets a place to the beginning of a segment. */
static void begin_segment(const PatternMotions *m, PatternPlace *place) {
  memset(place->map, 0, (size_t)(2 * m->d * m->z) * sizeof *place->map);
  memset(place->off, 0, (size_t)(2 * m->d) * sizeof *place->off);
  for (int i = 0; i < 2 * m->d; i++) place->map[i * m->z + i] = 1;
  place->part = 0;
}

/* Computes the place at the end of piece k from the place at its beginning. */
static void go_along(const PatternMotions *m, int k, const PatternPlace *from, PatternPlace *to) {
  int n = 2 * m->d, z = m->z, p = m->p;
  const Linear *linear = m->at[k];
  bool is_linear = m->problem->signal == SIM_PIECEWISE_LINEAR;
  to->part = (double)(k % m->parts + 1) / m->parts;
  memset(to->map, 0, (size_t)(n * z) * sizeof *to->map);
  for (int i = 0; i < n; i++) {
    double *row = to->map + i * z;
    to->off[i] = m->add[k * n + i] + dense_dot(n, linear->over + i * n, from->off);
    for (int j = 0; j < n; j++)
      for (int c = 0; c < z; c++) row[c] += linear->over[i * n + j] * from->map[j * z + c];
    for (int l = 0; l < p; l++) {
      double there = linear->there[i * p + l], rise = linear->rise[i * p + l];
      double end = is_linear ? from->part * there + (to->part - from->part) * rise : there;
      row[m->w + l] += end;
      if (is_linear) row[n + l] += there - end;
    }
  }
}

/* Sets the transition w_{k+1} = F z_k + g of a segment, a stage of the quadratic problem (stages.h), from the place at
 * its end. */
static void close_segment(PatternMotions *m, int segment, const PatternPlace *end) {
  int n = 2 * m->d, w = m->w, z = m->z;
  double *F = m->F + (size_t)(segment * w) * (size_t)z, *g = m->stages.g + segment * w;
  memset(F, 0, (size_t)(w * z) * sizeof *F);
  memcpy(F, end->map, (size_t)(n * z) * sizeof *F);
  memset(g, 0, (size_t)w * sizeof *g);
  memcpy(g, end->off, (size_t)n * sizeof *g);
  for (int l = 0; l < m->p && m->before; l++) F[(n + l) * z + w + l] = 1;
}

/* Whether all joints have the same directions of slip in a piece as in the piece before. */
static bool goes_on(const PatternMotions *m, int k) {
  return memcmp(m->ways + k * m->d, m->ways + (k - 1) * m->d, (size_t)m->d) == 0;
}

bool pattern_lay_out(PatternMotions *m) {
  Stages *s = &m->stages;
  PatternPlace *place = &m->place[0], *next = &m->place[1];
  s->n_rows = 0;
  for (int r = 0; r < s->rows_most; r++) m->held[r] = -1;
  for (int k = 0; k < m->pieces; k++) {
    uint64_t slips = 0;
    double friction[2 * PATTERN_D];
    for (int i = 0; i < m->d; i++) slips |= (uint64_t)(m->ways[k * m->d + i] != 0) << i;
    m->at[k] = pattern_linear(m, slips);
    if (!m->at[k]) return false;
    for (int look = 0; look < 2; look++) slip_friction(m, k, look, friction + look * PATTERN_D);
    fill_forced(m, k, friction);
    if (k % m->parts == 0) begin_segment(m, place);
    bool same = k % m->parts && goes_on(m, k);
    if (k > 0 && (m->changes || !same)) add_node(m, k, k / m->parts, place);
    if (m->changes || !same) add_holds(m, k, 0, place, friction);
    add_turns(m, k, 0, place, friction);
    go_along(m, k, place, next);
    add_turns(m, k, 1, next, friction + PATTERN_D);
    if (m->changes && !((k + 1) % m->parts && goes_on(m, k + 1))) add_holds(m, k, 1, next, friction + PATTERN_D);
    if (next->part == 1) add_bounds(m, k / m->parts);
    if (next->part == 1) close_segment(m, k / m->parts, next);
    PatternPlace *last = place;
    place = next, next = last;
  }
  begin_segment(m, place);
  add_node(m, m->pieces, m->segments, place);
  return true;
}
