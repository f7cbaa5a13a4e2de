/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/impact.h"

#include "sim/event/drop.h"
#include "sim/event/inverse.h"
#include "sim/law/friction_law.h"

#include <float.h>
#include <string.h>

/* Rounding error of an impulse, relative to its terms. */
static const double ROUND_OFF = 64 * DBL_EPSILON;

/* Returns (M_SS)^-1 for the set S of dofs that no stop holds. */
static const double *free_inverse(const EventSystem *s, EventMotion *m) {
  signed char *set = event_marks(s, m, MARKS_FREE);
  for (int i = 0; i < s->d; i++) set[i] = !m->impact.held[i];
  return event_inverse(s, &m->inverses, set);
}

void impact_yield(const EventSystem *s, EventMotion *m, const double *impulse, double *v) {
  const double *inverse = free_inverse(s, m);
  double *answer = event_room(s, m, ROOM_ANSWER);
  inverse_apply(s, inverse, impulse, answer);
  for (int i = 0; i < s->d; i++)
    if (!m->impact.held[i]) v[i] -= answer[i];
}

/* Computes the velocities of the dofs that no stop holds, when those of held dofs change by jump [d]; jump is 0 for
 * dofs that are not held. */
static void follow(const EventSystem *s, EventMotion *m, const double *jump, double *v) {
  double *pull = event_room(s, m, ROOM_PULL);
  if (s->mass_is_diagonal) return;
  for (int i = 0; i < s->d; i++) pull[i] = rows_dot(&s->mass, i, jump);
  impact_yield(s, m, pull, v);
}

void impact_map(const EventSystem *s, EventMotion *m, double *v) {
  const EventImpact *impact = &m->impact;
  double *jump = event_room(s, m, ROOM_JUMP);
  for (int i = 0; i < s->d; i++) {
    jump[i] = 0;
    if (!impact->held[i]) continue;
    jump[i] = -(1 + impact->rebound[i]) * v[i];
    v[i] = stops_rebound(impact->rebound[i], v[i]) + 0.0; /* + 0.0 replaces -0 by 0 */
  }
  follow(s, m, jump, v);
}

/* The derivative by M_ii follows from M (v+ - v) = 0 in the rows of dofs that no stop holds. */
void impact_add_mass(const EventSystem *s, EventMotion *m, int i, double *v) {
  if (s->mass_is_diagonal || m->impact.held[i]) return;
  double *change = event_room(s, m, ROOM_PULL);
  memset(change, 0, (size_t)s->d * sizeof *change);
  change[i] = m->at.v[i] - m->impact.before[i];
  impact_yield(s, m, change, v);
}

/* Returns the impulse on dof i in the impact, entry i of M (v - before), in kg m/s. M is the mass matrix, and v and
 * before are the velocities after and before the impact. *doubt: rounding error of the impulse. */
static double impulse(const EventSystem *s, const EventMotion *m, const double *v, int i, double *doubt) {
  double sum = 0, terms = 0;
  ROWS_EACH(&s->mass, i, k, j) {
    double entry = s->mass.entries.value[k];
    sum += entry * (v[j] - m->impact.before[j]);
    terms += fabs(entry) * (fabs(v[j]) + fabs(m->impact.before[j]));
  }
  *doubt = ROUND_OFF * terms;
  return sum;
}

/* Releases dofs that a stop would have to pull, and holds dofs that would pass their stop. all: whether all such dofs
 * are changed, or only the first one, since that iteration cannot cycle. Returns whether there was such a dof. */
static bool turn(const EventSystem *s, EventMotion *m, const double *v, bool all) {
  const signed char *side = m->impact.side;
  bool any = false;
  for (int i = 0; i < s->d && (all || !any); i++) {
    double doubt, least = stops_rebound(m->impact.rebound[i], m->impact.before[i]);
    if (!side[i]) continue;
    double pull = side[i] * impulse(s, m, v, i, &doubt), passes = side[i] * (v[i] - least) * s->mass.diagonal[i];
    if (!stops_wrong(m->impact.held[i], pull, 0, passes, doubt)) continue;
    m->impact.held[i] = !m->impact.held[i];
    any = true;
  }
  return any;
}

/* Finds the stop that each dof touches, including dofs that are about to leave it, and the coefficient of restitution
 * there. A dof that hits both of its stops at the same time has one impact. */
static void touch(const EventSystem *s, EventMotion *m) {
  EventState *at = &m->at;
  size_t d = (size_t)s->d;
  signed char *side = m->impact.side;
  double *a = event_room(s, m, ROOM_CHANGE);
  m->impact.many = 0;
  m->impact.first = -1;
  memset(m->impact.touched, 0, d);
  memset(m->impact.held, 0, d);
  memset(m->impact.rebound, 0, d * sizeof *m->impact.rebound);
  polynomial_at(m->segment.order, s->d, m->segment.a, m->part, a);
  memcpy(m->impact.before, at->v, d * sizeof *at->v);
  for (int i = 0; i < s->d; i++) at->speed = fmax(at->speed, fabs(at->v[i]));
  for (int i = 0; i < s->d; i++) {
    side[i] = m->meets[i] ? m->meets[i] : at->contact[i];
    if (!side[i] && stops_rigid(s->stops, i)) side[i] = (signed char)stops_touched(s->stops, i, at->x[i], 0);
    if (!side[i]) continue;
    m->impact.touched[i] = m->impact.held[i] = 1;
    if (!m->meets[i]) continue;
    double e = s->stops->restitution[i], speed = side[i] * at->v[i];
    at->x[i] = stops_end(s->stops, i, side[i]);
    bool settles = e * speed <= s->tolerance * at->speed || /* or the remaining bounces would not change x */
                   e * e * speed * speed <= ROUND_OFF * fabs(at->x[i] * a[i]);
    m->impact.rebound[i] = settles ? 0 : e;
    m->impact.many++;
    if (m->impact.first < 0 && speed > 0) m->impact.first = i;
  }
}

/* Sets contact, slip and branch of dof i from its velocity after the impact. */
static void go_on(const EventSystem *s, EventMotion *m, int i, int side) {
  EventState *at = &m->at;
  bool stays = side && at->v[i] == 0; /* includes a dof that stays at its stop without an impulse */
  at->contact[i] = (signed char)(stays ? side : 0);
  if (at->v[i] == m->impact.before[i] && !side) return;
  at->rest_order[i] = 0;
  m->rests[i] = stays || (s->friction[i] > 0 && at->v[i] == 0);
  if (!(s->friction[i] > 0)) return;
  at->slip[i] = (signed char)friction_sign(at->v[i]);
  at->branch[i] = branch_of(s, i, at->v[i]);
}

SimStatus impact_make(const EventSystem *s, EventMotion *m) {
  /* In the first ROUNDS rounds all dofs with a wrong state are changed at once; in up to MORE later rounds one at a
   * time, which cannot cycle. */
  enum { ROUNDS = 8, MORE = 10000 };
  double *v = m->at.v;
  size_t size = (size_t)s->d * sizeof *v;
  int k = 0;
  touch(s, m);
  do {
    memcpy(v, m->impact.before, size);
    impact_map(s, m, v);
  } while (turn(s, m, v, k < ROUNDS) && ++k < ROUNDS + MORE);
  if (k == ROUNDS + MORE) return SIM_NOT_CONVERGED;
  for (int i = 0; i < s->d; i++) {
    double doubt;
    if (m->impact.held[i]) m->at.impacts += stops_loss(impulse(s, m, v, i, &doubt), m->impact.before[i], v[i]);
    if (impact_strikes(m, i)) {
      m->at.struck++;
      m->at.settled += s->stops->restitution[i] > 0 && m->impact.rebound[i] == 0;
    }
    go_on(s, m, i, m->impact.side[i]);
  }
  return SIM_OK;
}

void impact_turn_springs(const EventSystem *s, EventMotion *m) {
  for (int i = 0; i < s->d; i++) {
    int side = m->meets[i];
    if (!side || stops_rigid(s->stops, i)) continue;
    m->at.pressed[i] = (signed char)(m->at.pressed[i] ? 0 : side);
    m->at.x[i] = stops_end(s->stops, i, side);
    m->meets[i] = 0;
  }
}

void impact_show(const EventSystem *s, const EventMotion *m, const double *x, const double *threshold,
                 const double *load, double *lambda, double *reaction) {
  for (int i = 0; i < s->d; i++) {
    double c = threshold[i];
    reaction[i] = stops_push_of(s->stops, i, m->at.pressed[i], x[i]);
    if (!m->at.contact[i]) continue;
    lambda[i] = c > 0 ? friction_project(lambda[i]) : 0;
    reaction[i] = stops_reaction(m->at.contact[i], c * lambda[i] - load[i]);
  }
}
