/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/chain/projection.h"

#include "sim/law/friction_law.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Marks of a node while the sets of sticking and slipping nodes change. PINNED_NOW: the node slipped against its
 * friction and now sticks. RELEASED_NOW, times the direction: the node stuck beyond its threshold and now slips.
 * Between sweeps a node has -1, 0 or 1. A sweep is the solution of one linear system. */
enum { PINNED_NOW = 3, RELEASED_NOW = 2 /* RELEASED_NOW is multiplied by the direction of slip */, MAX_SWEEPS = 20 };

/* An excess of a force over its threshold is ignored as rounding error if it is below this, relative to its terms. */
static const double ROUND_OFF = 16 * DBL_EPSILON;

void chain_multiply(int n, const double *k, const double *x, double *y) {
  double pull = k[0] * x[0]; /* pull: force of the spring to the left of the node */
  for (int i = 0; i < n; i++) {
    double next = k[i + 1] * ((i + 1 < n ? x[i + 1] : 0) - x[i]);
    y[i] = pull - next;
    pull = next;
  }
}

/* Elimination from the left. The nodes left of node i act on it like one spring to the wall: first k_0, then springs in
 * series, s_{i+1} = s_i k_i / (s_i + k_i). So no stiffness is ever computed by subtraction, and springs may have any
 * ratio. */
typedef struct Elimination {
  double ground; /* stiffness s_i of that spring, in N/m */
  double carry;  /* force that the nodes to the left transmit, in N */
} Elimination;

static Elimination eliminate(Elimination from, double k, double b, double *pivot, double *carry) {
  *pivot = from.ground + k;
  *carry = b + from.carry;
  double share = k / *pivot;
  return (Elimination){from.ground * share, *carry * share};
}

static bool is_held(const double *alpha, const signed char *slip, int i) { return slip && !slip[i] && alpha[i] > 0; }

void chain_solve_loose(int n, const double *k, const double *alpha, const signed char *slip, const double *b, double *x,
                       double *pivot, double *carry) {
  Elimination left = {k[0], 0};
  for (int i = 0; i < n; i++)
    left = is_held(alpha, slip, i) ? (Elimination){k[i + 1], 0} : eliminate(left, k[i + 1], b[i], &pivot[i], &carry[i]);
  double next = 0;
  for (int i = n - 1; i >= 0; i--) next = x[i] = is_held(alpha, slip, i) ? 0 : (carry[i] + k[i + 1] * next) / pivot[i];
}

/* Solves K d = -z - alpha sign(slip) for the nodes that slip or have no friction, with d = 0 for the others. Returns
 * whether d is finite. */
static bool sweep(const ChainProjection *p, ChainSlide *s) {
  double sum = 0;
  for (int i = 0; i < p->n; i++) s->d[i] = -p->z[i] - p->alpha[i] * friction_sign(s->slip[i]);
  chain_solve_loose(p->n, p->k, p->alpha, s->slip, s->d, s->d, s->pivot, s->carry);
  for (int i = 0; i < p->n; i++) sum += fabs(s->d[i]);
  s->sweeps++;
  return isfinite(sum);
}

/* Returns the force G_i that holds a sticking node, in N. *slack: bound of the rounding error of this force, in N. */
static double force_at(const ChainProjection *p, const ChainSlide *s, int i, double *slack) {
  double left = i > 0 ? p->k[i] * s->d[i - 1] : 0, right = i + 1 < p->n ? p->k[i + 1] * s->d[i + 1] : 0;
  *slack = ROUND_OFF * (fabs(p->z[i]) + fabs(left) + fabs(right) + p->alpha[i]);
  return p->z[i] - left - right;
}

/* Marks nodes as pinned if they slip against their friction, and computes the force G of sticking nodes. Returns
 * whether a node was marked. */
static bool pin(const ChainProjection *p, ChainSlide *s) {
  bool changed = false;
  for (int i = 0; i < p->n; i++) {
    double slack;
    if (!(p->alpha[i] > 0)) continue;
    if (!s->slip[i]) {
      s->g[i] = force_at(p, s, i, &slack);
    } else if (!(s->d[i] * s->slip[i] > 0)) {
      s->slip[i] = PINNED_NOW;
      changed = true;
    }
  }
  return changed;
}

/* Releases each sticking node with a force above its threshold. Also releases up to `reach` next nodes in the direction
 * `way`, as long as their thresholds cannot hold the excess of the force; the slipping zone ends there if forces are
 * given. If each sweep released a single node, n sweeps would be needed. Returns whether a node was released. */
static bool release(const ChainProjection *p, ChainSlide *s, int way, int reach) {
  bool changed = false;
  double excess = 0;
  int run = 0;
  for (int i = way > 0 ? 0 : p->n - 1; i >= 0 && i < p->n; i += way) {
    bool stuck = p->alpha[i] > 0 && (s->slip[i] == 0 || s->slip[i] == RELEASED_NOW || s->slip[i] == -RELEASED_NOW);
    double slack = 0, drive = 0;
    if (stuck) force_at(p, s, i, &slack);
    bool own = stuck && fabs(s->g[i]) > p->alpha[i] + slack;
    if (own) run = 0;
    if (stuck && (own || (excess != 0 && run < reach))) drive = excess - s->g[i];
    excess = 0;
    if (!(fabs(drive) > p->alpha[i])) continue;
    s->slip[i] = (signed char)(RELEASED_NOW * friction_sign(drive));
    excess = drive - friction_sign(drive) * p->alpha[i];
    run++;
    changed = true;
  }
  return changed;
}

/* Sets the force G of slipping nodes, and limits G of sticking nodes to their thresholds. */
static void finish(const ChainProjection *p, ChainSlide *s) {
  for (int i = 0; i < p->n; i++) {
    double alpha = p->alpha[i];
    if (!(alpha > 0)) s->slip[i] = (signed char)friction_sign(s->d[i]);
    if (s->slip[i] || !(alpha > 0)) {
      s->g[i] = 0 - alpha * s->slip[i];
    } else if (fabs(s->g[i]) > alpha) {
      s->residual = fmax(s->residual, fabs(s->g[i]) / alpha - 1);
      s->g[i] = s->g[i] > 0 ? alpha : -alpha;
    }
  }
}

static bool data_finite(const ChainProjection *p, ChainSlide *s) {
  double sum = 0;
  for (int i = 0; i < p->n; i++) sum += fabs(p->z[i]);
  s->sweeps = 0;
  s->residual = 0;
  return isfinite(sum);
}

int chain_project(const ChainProjection *p, ChainSlide *s) {
  if (!data_finite(p, s)) return -1;
  for (int reach = p->n; s->sweeps<MAX_SWEEPS; reach = reach> 1 ? reach / 2 : 1) {
    if (!sweep(p, s)) return -1;
    bool pinned = pin(p, s), released = release(p, s, 1, reach);
    released = release(p, s, -1, reach) || released;
    for (int i = 0; i < p->n; i++) {
      if (s->slip[i] == PINNED_NOW) s->slip[i] = 0;
      if (s->slip[i] == RELEASED_NOW || s->slip[i] == -RELEASED_NOW) s->slip[i] /= RELEASED_NOW;
    }
    if (!pinned && !released) {
      finish(p, s);
      return 0;
    }
  }
  long sweeps = s->sweeps;
  int failed = chain_project_monotone(p, s);
  s->sweeps += sweeps;
  return failed;
}

/* One stage of policy iteration for a given set of nodes that move backward (slip < 0). It solves min(G + alpha, d) = 0
 * for the others, with the force G, threshold alpha and displacement d of each. K is an M-matrix, so d only increases
 * after the first sweep. A node that was pinned and then released is never pinned again (its mark is doubled). The
 * stage ends after at most 2n + 1 sweeps, even with rounding. */
static bool slide_forward(const ChainProjection *p, ChainSlide *s, double turn) {
  signed char forward = (signed char)turn, for_good = (signed char)(RELEASED_NOW * forward);
  for (int i = 0; i < p->n; i++)
    if (s->slip[i] == for_good) s->slip[i] = forward;
  for (bool changed = true; changed;) {
    changed = false;
    if (!sweep(p, s)) return false;
    for (int i = 0; i < p->n; i++) {
      double slack;
      if (!(p->alpha[i] > 0)) continue;
      if (s->slip[i] == forward && s->d[i] * turn < 0) {
        s->slip[i] = PINNED_NOW;
        changed = true;
      } else if (s->slip[i] == 0) {
        s->g[i] = force_at(p, s, i, &slack);
        if (!(turn * s->g[i] < -p->alpha[i] - slack)) continue;
        s->slip[i] = for_good;
        changed = true;
      }
    }
    for (int i = 0; i < p->n; i++)
      if (s->slip[i] == PINNED_NOW) s->slip[i] = 0;
  }
  return true;
}

/* Changes the set of nodes that move backward; all others are at rest or move forward. Returns whether the set has
 * changed. */
static bool send_backward(const ChainProjection *p, ChainSlide *s, double turn, bool first) {
  bool changed = false;
  for (int i = 0; i < p->n; i++) {
    double slack;
    if (!(p->alpha[i] > 0)) continue;
    if (first && s->slip[i] * turn < 0 && s->d[i] * turn > 0) {
      s->slip[i] = (signed char)turn;
      changed = true;
    } else if (s->slip[i] == 0) {
      force_at(p, s, i, &slack);
      if (!(turn * s->g[i] > p->alpha[i] + slack)) continue;
      s->slip[i] = (signed char)-turn;
      changed = true;
    }
  }
  return changed;
}

/* Solves by policy iteration for the friction law max(G - alpha, min(G + alpha, d)) = 0 in each component. From stage
 * to stage d only decreases. So a node that is set to move backward continues to do so. Nodes that the initial guess
 * sets to move backward although they need not are released after the first stage or never. There are at most n + 2
 * stages. "Forward" is the direction of the first force, so the mirrored problem has the mirrored solution, bit for
 * bit. */
int chain_project_monotone(const ChainProjection *p, ChainSlide *s) {
  double turn = 1;
  if (!data_finite(p, s)) return -1;
  for (int i = p->n - 1; i >= 0; i--)
    if (p->z[i] != 0) turn = -friction_sign(p->z[i]);
  for (bool first = true, changed = true; changed; first = false) {
    if (!slide_forward(p, s, turn)) return -1;
    changed = send_backward(p, s, turn, first);
  }
  for (int i = 0; i < p->n; i++) {
    double slack;
    s->slip[i] = (signed char)friction_sign(s->slip[i]);
    if (!(p->alpha[i] > 0) || s->d[i] * s->slip[i] > 0) continue;
    if (s->slip[i]) s->g[i] = force_at(p, s, i, &slack) + (p->k[i] + p->k[i + 1]) * s->d[i];
    s->slip[i] = 0;
    s->d[i] = 0;
  }
  finish(p, s);
  return 0;
}
