/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the least effort of a pattern. */
#include "control/base/mix.h"
#include "control/pattern/motions.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

/* maximum number of quadratic problems that are solved one after the other if friction falls with speed. Each problem
 * uses the speeds of the preceding solution */
enum { STRIBECK_ITERATIONS = 4 };

/* Sets m->ways, the directions of slip in each piece, from the pattern. Returns whether the pattern is possible.
 * Conditions: a joint that moves at t = 0 must slip in the direction of its velocity; a joint with a target other than
 * its start must slip at some time; a joint may slip at T only if its target permits it. */
static bool lay_out_ways(PatternMotions *m, const Pattern *pattern) {
  int d = m->d;
  bool slips[PATTERN_D] = {false};
  pattern_ways(pattern, d, m->ways);
  for (int k = 0; k < pattern->n; k++) slips[pattern->slips[k].joint] = true;
  for (int i = 0; i < d; i++) {
    int start = pattern_way_at_start(m, i), end = m->ways[(m->pieces - 1) * d + i];
    double velocity = m->problem->velocity[i];
    bool free = !pattern_may_stick(m, i);
    for (int piece = 0; piece < m->pieces && free; piece++) m->ways[piece * d + i] = 1;
    if (free) continue;
    if (start && m->ways[i] != start) return false;
    if (!slips[i] && !pattern_is_free(m, i) && pattern_way_to_target(m, i)) return false;
    if (!isnan(velocity) && velocity != 0 && sign_of(velocity) != end) return false;
  }
  return true;
}

/* Computes m->path, the motion (x, v) at the ends of all pieces, for the control that was found last. */
static void follow_path(PatternMotions *m) {
  int n = 2 * m->d, p = m->p;
  bool is_linear = m->problem->signal == SIM_PIECEWISE_LINEAR;
  memcpy(m->path, m->stages.start, (size_t)n * sizeof *m->path);
  for (int k = 0; k < m->pieces; k++) {
    const Linear *linear = m->at[k];
    const double *from = m->path + k * n, *u = m->stages.control + k / m->parts * p;
    /* u of the previous segment; in the state of a stage it follows (x, v) */
    const double *last = m->stages.states + k / m->parts * m->w + n;
    double part = (double)(k % m->parts) / m->parts;
    for (int i = 0; i < n; i++) {
      double sum = m->add[k * n + i] + dense_dot(n, linear->over + i * n, from);
      for (int l = 0; l < p; l++) {
        double start = is_linear ? last[l] + part * (u[l] - last[l]) : u[l];
        double change = is_linear ? (u[l] - last[l]) / m->parts : 0;
        sum += linear->there[i * p + l] * start + linear->rise[i * p + l] * change;
      }
      m->path[(k + 1) * n + i] = sum;
    }
  }
}

/* Computes m->room, the distance of each joint from a change between stick and slip, for the control that was found
 * last. */
static void note_room(PatternMotions *m) {
  const Stages *s = &m->stages;
  int d = m->d;
  for (int i = 0; i < d; i++) {
    double most = 0;
    for (int k = 1; k <= m->pieces; k++) most = fmax(most, fabs(m->path[2 * k * d + d + i]));
    for (int k = 0; k < m->pieces; k++)
      m->room[k * d + i] = m->ways[k * d + i] ? fabs(m->path[2 * (k + 1) * d + d + i]) / fmax(most, 1e-300) : INFINITY;
  }
  for (int r = 0; r < s->n_rows; r++) {
    if (m->held[r] < 0) continue;
    const double *row = s->a + (size_t)r * (size_t)m->z;
    int k = s->row[r].stage;
    double value = dense_dot(m->w, row, s->states + k * m->w) + dense_dot(m->p, row + m->w, s->control + k * m->p);
    double room = fmin(s->row[r].upper - value, value - s->row[r].lower);
    m->room[m->held[r]] = fmin(m->room[m->held[r]], room);
  }
}

double pattern_room(const PatternMotions *m, int joint, int piece) { return m->room[piece * m->d + joint]; }

/* Stores the mean speed of each joint in each piece, for the control that was found last. */
static void note_speeds(PatternMotions *m) {
  for (int k = 0; k < m->pieces; k++)
    for (int i = 0; i < m->d; i++) {
      const double *at = m->path + 2 * k * m->d, *next = at + 2 * m->d;
      m->slid[k * m->d + i] = fabs(next[i] - at[i]) / m->h;
    }
}

/* Returns the least effort J of a pattern; INFINITY if no control has this pattern or if J exceeds `enough`. control:
 * set to the control of least effort; may be NULL. */
static double solve_effort(PatternMotions *m, const Pattern *pattern, double enough, double *control) {
  if (m->status == SIM_OK && m->interrupt && m->interrupt->stops && m->interrupt->stops(m->interrupt->context))
    m->status = SIM_CANCELLED;
  if (m->status != SIM_OK || pattern->pieces != m->pieces || !lay_out_ways(m, pattern)) return INFINITY;
  for (int k = 0; k < m->pieces * m->d; k++) m->slid[k] = NAN;
  static const double COST_TOLERANCE = 1e-4; /* the speeds have converged if the relative change of J is below this */
  double J = INFINITY, last = INFINITY;
  for (int k = 0; k < (m->falls ? STRIBECK_ITERATIONS : 1) && !(fabs(J - last) <= COST_TOLERANCE * J); k++) {
    if (!pattern_lay_out(m)) return INFINITY;
    last = J;
    J = stages_solve(&m->stages, m->falls ? INFINITY : enough);
    if (isnan(J)) m->status = SIM_NO_MEMORY;
    if (!isfinite(J)) return INFINITY;
    follow_path(m);
    note_speeds(m);
  }
  note_room(m);
  if (control) memcpy(control, m->stages.control, (size_t)(m->segments * m->p) * sizeof *control);
  return J;
}

bool pattern_go_free(PatternMotions *m) {
  /* a joint counts as slow in a piece if it moves less than this fraction of its largest displacement in any piece */
  static const double SLOW_RATIO = 0.02;
  const Pattern none = {.pieces = m->pieces};
  m->free = true;
  bool found = isfinite(solve_effort(m, &none, INFINITY, NULL));
  m->free = false;
  for (int i = 0; i < m->d; i++) {
    const double *x = m->path + i;
    double most = 0;
    int w = 2 * m->d;
    for (int k = 0; k < m->pieces; k++) most = fmax(most, fabs(x[(k + 1) * w] - x[k * w]));
    m->drift[i] = found ? x[m->pieces * w] - x[0] : 0;
    for (int k = 0; k < m->pieces; k++) {
      double way = found ? x[(k + 1) * w] - x[k * w] : 0;
      m->ways[k * m->d + i] = (signed char)(fabs(way) > SLOW_RATIO * most ? sign_of(way) : 0);
    }
  }
  return found;
}

bool pattern_without_friction(PatternMotions *m, Pattern *pattern) {
  bool found = pattern_go_free(m);
  for (int i = 0; i < m->d; i++)
    if (pattern_first(m, i)) m->ways[i] = 0;
  pattern_from_ways(m->d, m->ways, pattern);
  return found;
}

double pattern_effort(PatternMotions *m, const Pattern *pattern, double *control) {
  m->looked++;
  return solve_effort(m, pattern, INFINITY, control);
}

/* Least efforts of patterns that are already known ----------------------------------------------------------------- */

double pattern_less_effort(PatternMotions *m, const Pattern *pattern, double enough) {
  m->looked++;
  uint64_t key[2] = {1, 2};
  for (int k = 0; k < pattern->n; k++) {
    const PatternSlip *slip = &pattern->slips[k];
    uint64_t ends = (uint64_t)slip->from << 32 | (uint64_t)slip->to,
             joint = (uint64_t)slip->joint << 2 | (uint64_t)(slip->way + 1);
    for (int i = 0; i < 2; i++) key[i] = ctl_mix(ctl_mix(key[i] ^ ends) ^ joint);
  }
  Known *known = &m->known[key[0] % KNOWN];
  bool is_known = known->key[0] == key[0] && known->key[1] == key[1];
  if (is_known && !(isinf(known->J) && enough > known->enough)) return known->J;
  double J = solve_effort(m, pattern, enough, NULL);
  if (m->status == SIM_OK) *known = (Known){{key[0], key[1]}, J, enough};
  return J;
}
