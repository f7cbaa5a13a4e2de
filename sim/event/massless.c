#include "sim/event/massless.h"

#include "sim/chain/projection.h"
#include "sim/event/doubt.h"
#include "sim/event/expansion.h"
#include "sim/law/friction_law.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

/* In doubts, from its threshold: within what a dof counts as there; and where its load has jumped. */
static const double NEAR = 4, JUMP = 1000;

/* A x - f - B u, N, and what round-off may do to it. */
static void find_forces(const EventSystem *s, EventMotion *m, double *z, double *doubt) {
  int d = s->d;
  memcpy(m->segment.x, m->at.x, (size_t)d * sizeof(double));
  memset(m->size, 0, (size_t)d * sizeof *m->size);
  doubt_raise(s, m, 0, m->size);
  doubt_find(s, NULL, m->size, doubt);
  for (int i = 0; i < s->massless; i++) z[i] = dense_dot(d, s->stiffness + i * d, m->at.x) - m->segment.force[i];
}

/* The energies of a motion by y that takes no time, under the load as it is after its jump. */
static void add_energies(const EventSystem *s, EventMotion *m, const double *y) {
  int q = s->massless;
  double stretch[EVENT_SIZE_MAX];
  chain_multiply(q, s->springs, y, stretch);
  for (int i = 0; i < q; i++) m->at.spent[SPENT_DISSIPATED] += s->friction[i] * fabs(y[i]);
  m->at.spent[SPENT_WORK] += dense_dot(q, m->segment.force, y);
  m->at.lost += dense_dot(q, stretch, y) / 2;
}

/* The motion where the load has jumped; z becomes what it leaves. */
static SimStatus jump(const EventSystem *s, EventMotion *m, double *z, const double *doubt) {
  int q = s->massless;
  double y[EVENT_SIZE_MAX] = {0}, left[EVENT_SIZE_MAX] = {0}, pivot[EVENT_SIZE_MAX], carry[EVENT_SIZE_MAX];
  for (int i = 0; i < q; i++)
    if (fabs(z[i]) <= s->friction[i] + JUMP * doubt[i]) z[i] = fmax(-s->friction[i], fmin(s->friction[i], z[i]));
  const ChainProjection problem = {q, s->springs, s->friction, z};
  ChainSlide slide = {.slip = m->at.slip, .d = y, .g = left, .pivot = pivot, .carry = carry};
  if (chain_project(&problem, &slide)) return SIM_NON_FINITE;
  if (m->watched) add_energies(s, m, y);
  for (int i = 0; i < q; i++) {
    m->at.x[i] += y[i];
    z[i] = left[i];
  }
  return SIM_OK;
}

/* Brings those that slide back to their balance, which sums of round-off have left. */
static void balance(const EventSystem *s, EventMotion *m, const double *z) {
  int q = s->massless;
  double y[EVENT_SIZE_MAX], pivot[EVENT_SIZE_MAX], carry[EVENT_SIZE_MAX];
  for (int i = 0; i < q; i++) y[i] = -z[i] - s->friction[i] * m->at.slip[i];
  chain_solve_loose(q, s->springs, s->friction, m->at.slip, y, y, pivot, carry);
  for (int i = 0; i < q; i++) m->at.x[i] += y[i];
}

SimStatus massless_settle(const EventSystem *s, EventMotion *m) {
  double z[EVENT_SIZE_MAX], doubt[EVENT_SIZE_MAX];
  bool jumps = false;
  find_forces(s, m, z, doubt);
  for (int i = 0; i < s->massless; i++) {
    double beyond = fabs(z[i]) - s->friction[i], room = JUMP * doubt[i];
    jumps = jumps || !(beyond <= room) || (m->at.slip[i] && beyond < -room);
  }
  if (jumps) {
    SimStatus status = jump(s, m, z, doubt);
    if (status != SIM_OK) return status;
  } else {
    balance(s, m, z);
    find_forces(s, m, z, doubt);
  }
  for (int i = 0; i < s->massless; i++) {
    double c = s->friction[i];
    bool there = fabs(z[i]) >= c - NEAR * doubt[i] || (m->rests[i] && !jumps);
    m->at.slip[i] = (signed char)(c > 0 && there ? -friction_sign(z[i]) : 0);
  }
  return SIM_OK;
}

/* The right side of massless.h, N. size: the largest sum of its terms' sizes up to this order, and of the load itself, whose
 * round-off all orders have. */
static void find_load(const EventSystem *s, const EventMotion *m, int order, double *b, double *size) {
  const EventSegment *g = &m->segment;
  int d = s->d, q = s->massless;
  for (int i = 0; i < q; i++) {
    double force = order < g->force_order ? g->force[(order + 1) * d + i] : 0, pull = 0;
    if (i == q - 1 && q < d) pull = s->springs[q] * g->width / (order + 1) * g->v[order * d + q];
    b[i] = force + pull;
    size[i] = fmax(order ? size[i] : fabs(g->force[i]), fabs(force) + fabs(pull));
  }
}

/* Who moves: A y = b where go_i != 0, else y_i = 0. */
typedef struct Rates {
  const EventSystem *system;
  const Decision *decision;
  const double *b;
  signed char go[EVENT_SIZE_MAX];
  double y[EVENT_SIZE_MAX], pivot[EVENT_SIZE_MAX], carry[EVENT_SIZE_MAX];
} Rates;

enum { FOR_GOOD = 2 /* times the way: it has been held and let go, and is not held again */ };

static void solve(Rates *r) {
  const EventSystem *s = r->system;
  chain_solve_loose(s->massless, s->springs, s->friction, r->go, r->b, r->y, r->pivot, r->carry);
}

static bool may_go(const Rates *r, int i, int way) {
  return r->decision->part[i] == ONE_WAY && r->decision->way[i] == way;
}

/* (b - A y)_i of one that is held. */
static double left_at(const Rates *r, int i) {
  const double *k = r->system->springs;
  return r->b[i] + (i ? k[i] * r->y[i - 1] : 0) + (i + 1 < r->system->massless ? k[i + 1] * r->y[i + 1] : 0);
}

/* With those that go backward given: policy iteration on min(A y - b, y) = 0 of those that may go forward. A is an M-matrix, so
 * that after the first sweep y only grows, and this ends. */
static void go_forward(Rates *r, int turn) {
  for (bool changed = true; changed;) {
    signed char next[EVENT_SIZE_MAX];
    changed = false;
    memcpy(next, r->go, sizeof next);
    solve(r);
    for (int i = 0; i < r->system->massless; i++) {
      if (!may_go(r, i, turn)) continue;
      if (r->go[i] == turn && r->y[i] * turn < 0) next[i] = 0;
      if (r->go[i] == 0 && left_at(r, i) * turn > 0) next[i] = (signed char)(FOR_GOOD * turn);
      changed = changed || next[i] != r->go[i];
    }
    memcpy(r->go, next, sizeof next);
  }
}

/* The unique y with y_i way_i >= 0, (b - A y)_i way_i <= 0, one of them 0, where part_i is ONE_WAY; in stages: of those that go
 * backward there are only more. Forward is the way of the first load, so that the mirrored problem has the same bits. */
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

/* What round-off in b, and a little of each threshold, do to loads: y is wrong by A^-1 of them, which has no negative entries. */
static void find_doubts(Rates *r, const double *size, double *doubt) {
  const EventSystem *s = r->system;
  double wrong[EVENT_SIZE_MAX];
  int q = s->massless;
  for (int i = 0; i < q; i++) wrong[i] = DOUBT_ROUND_OFF * size[i] + EVENT_DOUBT * s->friction[i];
  r->b = wrong;
  solve(r);
  for (int i = 0; i < q; i++) doubt[i] = left_at(r, i) + (s->springs[i] + s->springs[i + 1]) * r->y[i];
  r->b = NULL;
}

void massless_rates(const EventSystem *s, EventMotion *m, const Decision *decision, int order) {
  Rates r = {.system = s, .decision = decision, .b = m->b};
  if (s->massless == 0) return;
  find_load(s, m, order, m->b, m->size);
  find_rates(&r);
  for (int i = 0; i < s->massless; i++) {
    m->y[i] = r.y[i];
    m->reaction[i] = r.go[i] ? 0 : left_at(&r, i);
  }
  find_doubts(&r, m->size, m->doubt);
}

void massless_advance(const EventSystem *s, EventMotion *m, int order, const double *y) {
  EventSegment *g = &m->segment;
  for (int i = 0; i < s->massless; i++) g->v[order * s->d + i] = (order + 1) / g->width * y[i];
}

static bool is_small(int d, const double *c, double small, double *most) {
  double largest = 0;
  for (int i = 0; i < d; i++) largest = fmax(largest, fabs(c[i]));
  *most = fmax(*most, largest);
  return largest <= small * *most;
}

bool massless_expand(const EventSystem *s, EventMotion *m, double small) {
  EventSegment *g = &m->segment;
  int d = s->d, q = s->massless;
  double b[EVENT_SIZE_MAX], y[EVENT_SIZE_MAX], size[EVENT_SIZE_MAX], pivot[EVENT_SIZE_MAX], carry[EVENT_SIZE_MAX];
  double most_x = 0, most_v = 0, most_load = m->most_friction;
  bool before = false;
  for (int k = 0;; k++) {
    double *load = g->load + k * d, *a = g->a + k * d;
    expansion_load(s, m, k);
    for (int i = 0; i < d && k == 0; i++) load[i] -= s->friction[i] * m->at.slip[i];
    find_load(s, m, k, b, size);
    chain_solve_loose(q, s->springs, s->friction, m->at.slip, b, y, pivot, carry);
    for (int i = q; i < d; i++) y[i] = m->mobility_sliding[i] * load[i];
    for (int i = 0; i < d; i++) {
      if (k + (i >= q) < m->at.rest_order[i]) y[i] = 0; /* as decided */
      a[i] = i < q ? 0 : y[i];
    }
    massless_advance(s, m, k, y);
    bool small_x = is_small(d, g->x + k * d, small, &most_x), small_v = is_small(d, g->v + k * d, small, &most_v);
    bool now = is_small(d, load, small, &most_load) && small_x && small_v && k >= g->force_order;
    g->order = k;
    if (k == POLYNOMIAL_ORDER || (now && before)) return now && before;
    before = now;
    expansion_advance(s, m, k, y);
  }
}
