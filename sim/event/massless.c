/* SPDX-License-Identifier: BSD-2-Clause */
/* Dofs without mass: in a chain the first `massless` ones, in friction models any set P with A_PP positive definite.
 * They obey a balance of forces,
 *
 *   f + B u - A x in c_i sgn(v_i).
 *
 * A sliding dof without mass has (A x)_i = (f + B u)_i - c_i slip_i, so x is a function of time and of the positions of
 * the set M of dofs with mass. Its coefficients are computed one order ahead of those of dofs with mass; in a chain in
 * O(d) and without subtractions (chain_solve_loose),
 *
 *   A_PP x_{k+1} = b = (f + B u)_{k+1} - A_PM (x_{k+1} of dofs with mass).
 *
 * Velocities decide which dofs slide, and they jump at events. A dof at its threshold may move in one direction only.
 * The coefficients y = x_{k+1} minimise y'A y/2 - b'y under these constraints. In friction models this is part of the
 * minimisation for dofs with mass, as EventSystem.form contains A_PP. If the load jumps, dofs without mass jump to the
 * minimum of d'A d/2 + (A x - f - B u)'d + sum c_i |d_i| over displacements d. */
#include "sim/base/many.h"
#include "sim/chain/projection.h"
#include "sim/event/doubt.h"
#include "sim/event/energy.h"
#include "sim/event/expansion.h"
#include "sim/event/field.h"
#include "sim/event/inverse.h"
#include "sim/event/tangent.h"
#include "sim/joint/surface.h"
#include "sim/law/friction_law.h"

#include <math.h>
#include <string.h>

/* NEAR: a load equals the threshold if both differ by at most this times the load's rounding error. JUMP: a force has
 * jumped if the load exceeds the threshold by more than this times its rounding error. */
static const double NEAR = 4, JUMP = 1000;

static bool is_loose(const EventSystem *s, const signed char *go, int i) {
  return event_massless(s, i) && (go[i] || !(s->friction[i] > 0));
}

/* Computes y_i = (A_SS^-1 b)_i for the set S of dofs without mass that have no friction or go_i != 0, and y_i = 0 for
 * all other dofs; y and b may be the same array. inverse: inverse (inverse.h) of the submatrix of `form` for a set that
 * contains S; used for friction models if `form` is not diagonal. */
static void solve_loose(const EventSystem *s, const EventMotion *m, const double *inverse, const signed char *go,
                        const double *b, double *y) {
  double *right = event_room(s, m, ROOM_RIGHT), *answer = event_room(s, m, ROOM_ANSWER);
  if (s->springs) {
    chain_solve_loose(s->massless, s->springs, s->friction, go, b, y, event_room(s, m, ROOM_PIVOT),
                      event_room(s, m, ROOM_CARRY));
    return;
  }
  for (int i = 0; i < s->d; i++) right[i] = is_loose(s, go, i) ? b[i] : 0;
  if (!s->mass_is_diagonal) inverse_apply(s, inverse, right, answer);
  for (int i = 0; i < s->d; i++)
    if (event_massless(s, i)) y[i] = s->mass_is_diagonal ? right[i] / s->form.diagonal[i] : answer[i];
}

/* Computes the unbalanced force z = A x - f - B u of dofs without mass, in N, and its rounding error in N. */
static void find_forces(const EventSystem *s, EventMotion *m, double *z, double *doubt) {
  int d = s->d;
  memcpy(m->segment.x, m->at.x, (size_t)d * sizeof(double));
  memset(m->size, 0, (size_t)d * sizeof *m->size);
  doubt_raise(s, m, 0, m->size);
  for (int i = 0; i < d; i++) {
    if (!event_massless(s, i)) continue;
    z[i] = rows_dot(&s->stiffness, i, m->at.x) - m->segment.force[i];
    doubt[i] = EVENT_DOUBT * s->friction[i] + DOUBT_ROUND_OFF * m->size[i];
  }
}

/* Computes stretch = A_PP y, the change of the spring forces by displacements y, in N, with P the dofs without mass. */
static void find_stretch(const EventSystem *s, const double *y, double *stretch) {
  if (s->springs) {
    chain_multiply(s->massless, s->springs, y, stretch);
    return;
  }
  for (int i = 0; i < s->d; i++) {
    stretch[i] = 0;
    ROWS_EACH(&s->stiffness, i, k, j) stretch[i] += event_massless(s, j) ? s->stiffness.entries.value[k] * y[j] : 0;
  }
}

/* Adds the energies of a sudden displacement y of dofs without mass, under the load after its jump. f + B u is the
 * segment's force plus the bias of friction and the force of a moving surface, which were subtracted from it. */
static void add_energies(const EventSystem *s, EventMotion *m, const double *y) {
  const EventSegment *g = &m->segment;
  int d = s->d;
  double *path = event_room(s, m, ROOM_PATH), *stretch = event_room(s, m, ROOM_STRETCH), work = 0, lost = 0;
  if (s->problem->surface_pieces) surface_at(s->problem, m->at.t, path, NULL);
  find_stretch(s, y, stretch);
  for (int i = 0; i < d; i++) {
    if (!event_massless(s, i)) continue;
    double bias = event_varies(s) ? g->bias[i] : s->bias ? s->bias[i] : 0, force = g->force[i] + bias;
    if (s->problem->surface_pieces) force += rows_dot(&s->stiffness, i, path);
    m->at.spent[SPENT_DISSIPATED] += g->threshold[i] * fabs(y[i]) + bias * y[i];
    work += force * y[i];
    lost += stretch[i] * y[i];
  }
  m->at.spent[SPENT_WORK] += work;
  m->at.lost += lost / 2;
}

/* Computes the displacement y of dofs without mass after a jump of the load, and `left`, the unbalanced force z = A x -
 * f - B u after it, in N. */
static SimStatus project(const EventSystem *s, EventMotion *m, const double *z, double *y, double *left) {
  const Decision any = {event_marks(s, m, MARKS_PART), event_marks(s, m, MARKS_WAY)};
  if (s->springs) {
    const ChainProjection problem = {s->massless, s->springs, s->friction, z};
    ChainSlide slide = {.slip = m->at.slip,
                        .d = y,
                        .g = left,
                        .pivot = event_room(s, m, ROOM_PIVOT),
                        .carry = event_room(s, m, ROOM_CARRY)};
    return chain_project(&problem, &slide) ? SIM_NON_FINITE : SIM_OK;
  }
  for (int i = 0; i < s->d; i++) {
    any.part[i] = !event_massless(s, i) ? STICKS : s->friction[i] > 0 ? RESTS : SLIDES;
    any.way[i] = 0;
    m->b[i] = any.part[i] == STICKS ? 0 : -z[i];
  }
  SimStatus status = decision_minimise(s, m, &any);
  for (int i = 0; i < s->d; i++) {
    y[i] = m->y[i];
    left[i] = -m->reaction[i];
  }
  return status;
}

/* Moves dofs without mass after a jump of the load. z becomes the unbalanced force A x - f - B u after the
 * displacement, in N. */
static SimStatus jump(const EventSystem *s, EventMotion *m, double *z, const double *doubt) {
  double *y = event_room(s, m, ROOM_SHIFT), *left = event_room(s, m, ROOM_LEFT);
  const double *c = m->segment.threshold;
  memset(y, 0, (size_t)s->d * sizeof *y);
  memset(left, 0, (size_t)s->d * sizeof *left);
  for (int i = 0; i < s->d; i++)
    if (event_massless(s, i) && fabs(z[i]) <= c[i] + JUMP * doubt[i]) z[i] = fmax(-c[i], fmin(c[i], z[i]));
  SimStatus status = project(s, m, z, y, left);
  if (status != SIM_OK) return status;
  if (m->watched) add_energies(s, m, y);
  for (int i = 0; i < s->d; i++) {
    if (!event_massless(s, i)) continue;
    m->at.x[i] += y[i];
    z[i] = left[i];
  }
  return SIM_OK;
}

/* Moves sliding dofs without mass back to the balance of forces, from which rounding errors have moved them. */
static void balance(const EventSystem *s, EventMotion *m, const double *z) {
  double *y = event_room(s, m, ROOM_SHIFT);
  signed char *set = event_marks(s, m, MARKS_GO);
  for (int i = 0; i < s->d; i++) {
    if (event_massless(s, i)) y[i] = -z[i] - m->segment.threshold[i] * m->at.slip[i];
    set[i] = is_loose(s, m->at.slip, i);
  }
  solve_loose(s, m, s->mass_is_diagonal ? NULL : event_inverse(s, &m->inverses, set), m->at.slip, y, y);
  for (int i = 0; i < s->d; i++)
    if (event_massless(s, i)) m->at.x[i] += y[i];
}

/* Begins a segment at motion->at.t: moves dofs without mass if the load has jumped. Sets the slip of each dof at its
 * threshold to the direction in which it can move, and that of all others to 0. */
static SimStatus begin(const EventSystem *s, EventMotion *m) {
  double *z = event_room(s, m, ROOM_BALANCE), *doubt = event_room(s, m, ROOM_BALANCE_DOUBT);
  const double *c = m->segment.threshold;
  bool jumps = false;
  find_forces(s, m, z, doubt);
  for (int i = 0; i < s->d; i++) {
    if (!event_massless(s, i)) continue;
    /* A sliding dof has z = -c slip. A load that jumps by 2 c leaves |z| = c with the other sign. */
    double beyond = m->at.slip[i] ? fabs(z[i] + c[i] * m->at.slip[i]) : fabs(z[i]) - c[i];
    jumps = jumps || !(beyond <= JUMP * doubt[i]);
  }
  if (jumps) {
    SimStatus status = jump(s, m, z, doubt);
    if (status != SIM_OK) return status;
  } else {
    balance(s, m, z);
    find_forces(s, m, z, doubt);
  }
  for (int i = 0; i < s->d; i++) {
    if (!event_massless(s, i)) continue;
    bool there = fabs(z[i]) >= c[i] - NEAR * doubt[i] || (m->rests[i] && !jumps);
    m->at.slip[i] = (signed char)(s->friction[i] > 0 && there ? -friction_sign(z[i]) : 0);
  }
  return SIM_OK;
}

/* Computes b (see the start of this file), in N, for dofs that move in direction `way`. size: the maximum over all
 * orders so far of the sum of the magnitudes of b's terms, and of the load itself, because its rounding error affects
 * all orders. */
static void find_load(const EventSystem *s, const EventMotion *m, const signed char *way, int order, double *b,
                      double *size) {
  const EventSegment *g = &m->segment;
  int d = s->d;
  for (int i = 0; i < d; i++) {
    if (!event_massless(s, i)) continue;
    double force = order < g->force_order ? g->force[(order + 1) * d + i] : 0, pull = 0, terms = 0;
    if (order < g->threshold_order) force -= way[i] * g->threshold[(order + 1) * d + i];
    ROWS_EACH(&s->stiffness, i, k, j) {
      if (event_massless(s, j)) continue;
      double term = -s->stiffness.entries.value[k] * g->width / (order + 1) * g->v[order * d + j];
      pull += term;
      terms += fabs(term);
    }
    b[i] = force + pull;
    size[i] = fmax(order ? size[i] : fabs(g->force[i]), fabs(force) + terms);
  }
}

static void load(const EventSystem *s, EventMotion *m, const Decision *decision, int order) {
  signed char *way = event_marks(s, m, MARKS_GO);
  decision_load(s, m, decision, order);
  for (int i = 0; i < s->d; i++)
    way[i] = (signed char)(decision->part[i] == SLIDES    ? m->at.slip[i]
                           : decision->part[i] == ONE_WAY ? decision->way[i]
                                                          : 0);
  find_load(s, m, way, order, m->b, m->size);
}

/* Data for the decision which nodes of a chain move. The solution y satisfies (A y)_i = b_i if go_i != 0, and y_i = 0
 * otherwise. */
typedef struct Rates {
  const EventSystem *system; /* the system, which is a chain */
  const Decision *decision;
  const double *b;
  signed char *go, *next; /* go_i: direction in which node i moves; 0: it is held; next: values for the next sweep */
  double *y, *pivot, *carry;
} Rates;

enum {
  FOR_GOOD = 2 /* FOR_GOOD times a direction: node i has been released after being held, and is never held again */
};

static void solve(Rates *r) {
  const EventSystem *s = r->system;
  chain_solve_loose(s->massless, s->springs, s->friction, r->go, r->b, r->y, r->pivot, r->carry);
}

static bool may_go(const Rates *r, int i, int way) {
  return r->decision->part[i] == ONE_WAY && r->decision->way[i] == way;
}

/* Returns the reaction (b - A y)_i of a held node of the chain, in N. */
static double left_at(const Rates *r, int i) {
  const double *k = r->system->springs;
  return r->b[i] + (i ? k[i] * r->y[i - 1] : 0) + (i + 1 < r->system->massless ? k[i + 1] * r->y[i + 1] : 0);
}

/* Finds the nodes that move forward, given those that move backward, by policy iteration on min(A y - b, y) = 0. A is
 * an M-matrix, so y increases after the first sweep, and the iteration ends. */
static void go_forward(Rates *r, int turn) {
  for (bool changed = true; changed;) {
    signed char *next = r->next;
    size_t size = (size_t)r->system->massless;
    changed = false;
    memcpy(next, r->go, size);
    solve(r);
    for (int i = 0; i < r->system->massless; i++) {
      if (!may_go(r, i, turn)) continue;
      if (r->go[i] == turn && r->y[i] * turn < 0) next[i] = 0;
      if (r->go[i] == 0 && left_at(r, i) * turn > 0) next[i] = (signed char)(FOR_GOOD * turn);
      changed = changed || next[i] != r->go[i];
    }
    memcpy(r->go, next, size);
  }
}

/* Finds the unique y with y_i way_i >= 0, (b - A y)_i way_i <= 0 and one of both equal to 0, for nodes with the role
 * ONE_WAY. The set of nodes that move backward only grows from stage to stage. Forward is the direction of the first
 * nonzero b_i, so that the mirrored problem has mirrored bits. */
static void find_rates(Rates *r) {
  int turn = 1, q = r->system->massless;
  for (int i = q - 1; i >= 0; i--)
    if (r->b[i] != 0) turn = (int)friction_sign(r->b[i]);
  for (int i = 0; i < q; i++)
    r->go[i] = (signed char)(r->decision->part[i] == SLIDES ? FOR_GOOD : may_go(r, i, turn) ? turn : 0);
  for (bool more = true; more;) {
    more = false;
    go_forward(r, turn);
    for (int i = 0; i < q; i++) {
      if (may_go(r, i, turn) && r->go[i]) r->go[i] = (signed char)turn;
      if (!may_go(r, i, -turn) || r->go[i] || !(left_at(r, i) * -turn > 0)) continue;
      r->go[i] = (signed char)-turn;
      more = true;
    }
  }
}

/* Computes doubt [massless], in N, the rounding errors of the loads on the chain's nodes, due to errors of b and of
 * thresholds. The error of y is A^-1 times these errors, where A^-1 has no negative entries. */
static void find_doubts(Rates *r, const double *size, double *wrong, double *doubt) {
  const EventSystem *s = r->system;
  int q = s->massless;
  for (int i = 0; i < q; i++) wrong[i] = DOUBT_ROUND_OFF * size[i] + EVENT_DOUBT * s->friction[i];
  r->b = wrong;
  solve(r);
  for (int i = 0; i < q; i++) doubt[i] = left_at(r, i) + (s->springs[i] + s->springs[i + 1]) * r->y[i];
  r->b = NULL;
}

/* Computes the rates y (accelerations or, without mass, velocities) of all dofs. For a chain, find_rates first computes
 * those of the nodes without mass. */
static SimStatus rates(const EventSystem *s, EventMotion *m, const Decision *decision) {
  Rates r = {.system = s,
             .decision = decision,
             .b = m->b,
             .go = event_marks(s, m, MARKS_GO),
             .next = event_marks(s, m, MARKS_NEXT),
             .y = event_room(s, m, ROOM_RATE),
             .pivot = event_room(s, m, ROOM_PIVOT),
             .carry = event_room(s, m, ROOM_CARRY)};
  SimStatus status = decision_minimise(s, m, decision);
  if (status != SIM_OK || !s->springs) return status;
  find_rates(&r);
  for (int i = 0; i < s->massless; i++) {
    m->y[i] = r.y[i];
    m->reaction[i] = r.go[i] ? 0 : left_at(&r, i);
  }
  find_doubts(&r, m->size, event_room(s, m, ROOM_BALANCE), m->doubt);
  return SIM_OK;
}

/* Sets coefficient `order` of v of dofs without mass from y, which is coefficient order + 1 of their x. Then computes
 * the next coefficients of x and v of all dofs. */
static void take(const EventSystem *s, EventMotion *m, int order, const double *y) {
  EventSegment *g = &m->segment;
  for (int i = 0; i < s->d; i++)
    if (event_massless(s, i)) g->v[order * s->d + i] = (order + 1) / g->width * y[i];
  expansion_advance(s, m, order, y);
}

static bool is_small(int d, const double *c, double small, double *most) {
  double largest = many_largest(d, c);
  *most = fmax(*most, largest);
  return largest <= small * *most;
}

/* Implements EventField.expand: computes the segment order by order until two consecutive orders are small. Returns
 * false if the maximum order is reached before. */
static bool expand(const EventSystem *s, EventMotion *m, int row, double small, const double *inverse) {
  EventSegment *g = &m->segment;
  (void)row;
  int d = s->d;
  double *b = event_room(s, m, ROOM_BALANCE), *y = event_room(s, m, ROOM_RATE), *size = event_room(s, m, ROOM_SIZE);
  double *answer = event_room(s, m, ROOM_ACCELERATION);
  double most_x = 0, most_v = 0, most_load = m->most_friction;
  bool before = false;
  for (int k = 0;; k++) {
    double *load = g->load + k * d, *a = g->a + k * d;
    expansion_load(s, m, k);
    for (int i = 0; i < d && k <= g->threshold_order; i++) load[i] -= g->threshold[k * d + i] * m->at.slip[i];
    find_load(s, m, m->at.slip, k, b, size);
    solve_loose(s, m, inverse, m->at.slip, b, y);
    inverse_apply(s, inverse, load, answer);
    for (int i = 0; i < d; i++) {
      bool light = event_massless(s, i);
      if (!light) y[i] = answer[i];
      if (k + !light < m->at.rest_order[i])
        y[i] = 0; /* a decision has found that the derivatives below rest_order are 0 */
      a[i] = light ? 0 : y[i];
    }
    take(s, m, k, y);
    bool small_x = is_small(d, g->x + k * d, small, &most_x), small_v = is_small(d, g->v + k * d, small, &most_v);
    bool now =
        is_small(d, load, small, &most_load) && small_x && small_v && k >= g->force_order && k >= g->threshold_order;
    g->order = k;
    if (k == POLYNOMIAL_ORDER || (now && before)) return now && before;
    before = now;
  }
}

const EventField event_field_massless = {.always_decides = true,
                                         .begin = begin,
                                         .load = load,
                                         .rates = rates,
                                         .take = take,
                                         .complete = expansion_by_orders,
                                         .spend = energy_expand,
                                         .advance = tangent_advance,
                                         .expand = expand};
