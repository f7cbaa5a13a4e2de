/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a motion, between events and at events. Which joints slide and which stick is found by trying every
 * mode. */
#ifndef TESTS_REFEREE_WALK_H
#define TESTS_REFEREE_WALK_H

#include "tests/referee/forces.h"

enum { EVENTS_MAX = 600, GUARDS_MAX = 60 };

/* An event of slip, as in SimObserver.event. Impacts are not listed. */
typedef struct WalkEvent {
  double t;
  int dof, slip;
} WalkEvent;

typedef struct WalkInstant {
  double x[D_MAX], v[D_MAX], lambda[D_MAX];
  Mode mode[D_MAX];
} WalkInstant;

/* The kinds of guards. A guard is a function that is positive until an event happens. */
typedef enum GuardKind { STOPS_SLIDING, BEGINS_FORWARD, BEGINS_BACKWARD, MEETS_UPPER, MEETS_LOWER, KINK } GuardKind;
typedef struct Guard {
  GuardKind kind;
  int dof;
  double at; /* position of a kink, as a value of |slip| (place 0), x_i (1) or x_{i+1} - x_i (2) */
  int place, side;
  bool armed;
} Guard;

typedef struct Walk {
  const Draw *w;
  double tolerance; /* error of a step */
  long work, most;  /* number of evaluations so far, and its limit */
  double t, inside, y[2 * D_MAX];
  Mode mode[D_MAX];
  int contact[D_MAX]; /* -1 or 1: the dof rests at its lower or upper stop; 0: at none */
  int guards;
  Guard guard[GUARDS_MAX];
  double far, fast;                  /* largest |x| and |v| so far */
  double h;                          /* length of the last step */
  int events, impacts, ties, doubts; /* ties: how often two modes were possible; doubts: how often no mode was
                                      * possible, or a guard was missed */
  WalkEvent event[EVENTS_MAX];
  WalkInstant instant[INSTANTS + 1];
  double struck; /* time of the last impact */
  bool given_up;
} Walk;

static inline double surface_speed(const Walk *k, int i, double t) {
  return has(k->w, HAS_SURFACE) ? course_at(&k->w->surface[i], k->inside, t) : 0;
}

static inline bool rubs(const Draw *w, int i) { return w->forward[i] > 0 || w->backward[i] > 0; }

static inline void note(Walk *k, int dof, int slip) {
  if (k->events == EVENTS_MAX) {
    k->given_up = true;
    return;
  }
  k->event[k->events++] = (WalkEvent){k->t, dof, slip};
}

/* Modes by enumeration ---------------------------------------------------------------------------------------- */

/* Returns how much a mode violates the friction law for the resting dofs, relative to the forces. */
static inline double contradiction(const Walk *k, const Mode *mode, const bool *rests) {
  const Draw *w = k->w;
  double a[D_MAX], hold[D_MAX], load[D_MAX], most = 0;
  accelerate(w, mode, k->inside, k->t, k->y, a, hold);
  load_of(w, k->inside, k->t, k->y, load);
  for (int i = 0; i < w->d; i++) {
    double up = k->contact[i] > 0 ? INFINITY : threshold(w, i, 1, k->inside, k->t),
           down = k->contact[i] < 0 ? INFINITY : threshold(w, i, -1, k->inside, k->t), rate = 0;
    double size = fabs(load[i]) + w->forward[i] + w->backward[i] + 1e-300;
    if (!rests[i]) continue;
    if (has(w, HAS_SURFACE)) course_value(&w->surface[i], k->inside, k->t, &rate);
    double forward = (a[i] - rate) * w->mass[i][i];
    if (!mode[i])
      most = fmax(most, fmax(hold[i] - up, -hold[i] - down) / size);
    else if (mode[i] == GOES)
      most = fmax(most, k->contact[i] * forward / size);
    else
      most = fmax(most, -mode[i] * forward / size);
  }
  return most;
}

/* Decides which of the resting joints slide from now on. */
static inline void decide(Walk *k) {
  const Draw *w = k->w;
  Mode best[D_MAX] = {0}, mode[D_MAX], before[D_MAX];
  bool rests[D_MAX];
  double least = INFINITY, second = INFINITY;
  int trials = 1;
  memcpy(before, k->mode, sizeof before);
  /* A dof rests at its stop if its bounce ends nearer to the stop than round-off. */
  for (int i = 0; i < w->d; i++) {
    double slack = 1e-13 * k->far;
    if (!isnan(w->stop_stiffness[i]) || k->y[w->d + i] != 0 || k->contact[i]) continue;
    if (fabs(k->y[i] - w->upper[i]) <= slack) k->contact[i] = 1;
    if (fabs(k->y[i] - w->lower[i]) <= slack) k->contact[i] = -1;
    if (!k->contact[i]) continue;
    double end = k->contact[i] > 0 ? w->upper[i] : w->lower[i];
    /* the dof is put onto its stop slightly earlier than it comes to rest there */
    k->doubts += fabs(k->y[i] - end) > 1e-15 * k->far;
    k->y[i] = end;
  }
  for (int i = 0; i < w->d; i++) {
    double s = k->y[w->d + i] - surface_speed(k, i, k->t);
    rests[i] = rubs(w, i) ? s == 0 : k->contact[i] != 0;
    if (rests[i]) trials *= 3;
    mode[i] = !rubs(w, i) ? GOES : s > 0 ? 1 : -1;
  }
  for (int trial = 0; trial < trials; trial++) {
    bool possible = true;
    for (int i = 0, rest = trial; i < w->d; i++) {
      if (!rests[i]) continue;
      mode[i] = (Mode)(rest % 3 ? 3 - 2 * (rest % 3) : 0); /* digits 0, 1, 2 give the modes 0, 1, -1 */
      rest /= 3;
      if (!rubs(w, i) && mode[i]) {
        possible = possible && mode[i] == 1; /* a dof at a stop can only move away from it */
        mode[i] = GOES;
      } else if (mode[i] && mode[i] == k->contact[i]) {
        possible = false;
      }
    }
    if (!possible) continue;
    double now = contradiction(k, mode, rests);
    if (now < least) {
      second = least;
      least = now;
      memcpy(best, mode, sizeof best);
    } else if (now < second) {
      second = now;
    }
  }
  k->ties += second < 1e-11;
  k->doubts += !(least < 1e-9);
  memcpy(k->mode, best, sizeof best);
  for (int i = 0; i < w->d; i++) {
    if (best[i]) k->contact[i] = 0;
    if (k->t > 0 && best[i] != before[i] && best[i] != GOES && before[i] != GOES) note(k, i, best[i]);
  }
}

/* Computes the impacts v+ = v- + M^-1 P with the impulses P. An impulse P_i >= 0 pushes dof i back with v+_i = -e_i
 * v-_i. P_i = 0 if v+_i is faster than that. */

static inline void impact(Walk *k, const int *side) {
  const Draw *w = k->w;
  int d = w->d, touched[D_MAX], n = 0;
  double least = INFINITY, after[D_MAX] = {0};
  const double *v = k->y + d;
  for (int i = 0; i < d; i++)
    if (side[i]) touched[n++] = i;
  for (int set = 0; set < 1 << n; set++) {
    double inverse[D_MAX][D_MAX], block[D_MAX][D_MAX], p[D_MAX], now[D_MAX], wrong = 0;
    int in[D_MAX], m = 0;
    for (int j = 0; j < n; j++)
      if (set >> j & 1) in[m++] = touched[j];
    for (int j = 0; j < d; j++) { /* computes M^-1 by columns */
      double matrix[D_MAX][D_MAX], unit[D_MAX] = {0};
      memcpy(matrix, w->mass, sizeof matrix);
      unit[j] = 1;
      solve(d, matrix, unit);
      for (int i = 0; i < d; i++) inverse[i][j] = unit[i];
    }
    for (int a = 0; a < m; a++) {
      p[a] = -(1 + w->restitution[in[a]]) * v[in[a]];
      for (int b = 0; b < m; b++) block[a][b] = inverse[in[a]][in[b]];
    }
    solve(m, block, p);
    for (int i = 0; i < d; i++) {
      now[i] = v[i];
      for (int a = 0; a < m; a++) now[i] += inverse[i][in[a]] * p[a];
    }
    for (int a = 0; a < m; a++) {
      wrong = fmax(wrong, side[in[a]] * p[a] * inverse[in[a]][in[a]]);
      now[in[a]] = -w->restitution[in[a]] * v[in[a]];
    }
    for (int j = 0; j < n; j++) {
      int i = touched[j];
      if (!(set >> j & 1)) wrong = fmax(wrong, side[i] * (now[i] + w->restitution[i] * v[i]));
    }
    if (wrong < least) {
      least = wrong;
      memcpy(after, now, sizeof after);
    }
  }
  k->doubts += !(least <= 1e-9 * k->fast);
  k->impacts++;
  for (int i = 0; i < d; i++) {
    bool slow = fabs(after[i]) <= 1e-11 * k->fast;
    if (side[i] && slow) after[i] = 0; /* the bounces that follow are so small that they are neglected */
    k->contact[i] = side[i] && after[i] == 0 ? side[i] : 0;
    k->y[d + i] = after[i];
  }
}

/* Handles the impacts of all dofs that are at a stop, up to round-off, and move into it. */
static inline void strike(Walk *k) {
  const Draw *w = k->w;
  for (int turn = 0; turn < 20; turn++) {
    int side[D_MAX] = {0};
    bool hits = false;
    for (int i = 0; i < w->d; i++) {
      double slack = 1e-13 * k->far, v = k->y[w->d + i];
      if (!isnan(w->stop_stiffness[i])) continue;
      side[i] = w->upper[i] - k->y[i] <= slack ? 1 : k->y[i] - w->lower[i] <= slack ? -1 : 0;
      hits = hits || side[i] * v > 0;
      double gap = side[i] > 0 ? w->upper[i] - k->y[i] : k->y[i] - w->lower[i];
      /* The impulse is so small that this is too early: the dof alternates between two stops. */
      if (side[i] * v > 0 && gap > 1e-15 * k->far) k->doubts++;
    }
    if (!hits) return;
    /* Several stops are struck in turn without end, at speeds that are not small. Round-off has ended this, so the next
     * mode is not determined. */
    for (int i = 0; i < w->d && k->impacts && k->t - k->struck < 1e-9 * w->end; i++)
      if (side[i] * k->y[w->d + i] > 1e-9 * k->fast) k->doubts++;
    k->struck = k->t;
    for (int i = 0; i < w->d; i++)
      if (side[i]) k->y[i] = side[i] > 0 ? w->upper[i] : w->lower[i];
    impact(k, side);
  }
  k->doubts++;
}

/* Guards ----------------------------------------------------------------------------------------------------- */

static inline double guard_value(const Walk *k, const Guard *g, double t, const double *y, const double *hold) {
  const Draw *w = k->w;
  int i = g->dof, d = w->d;
  double e;
  switch (g->kind) {
  case STOPS_SLIDING: return k->mode[i] * (y[d + i] - surface_speed(k, i, t));
  case BEGINS_FORWARD: return threshold(w, i, 1, k->inside, t) - hold[i];
  case BEGINS_BACKWARD: return threshold(w, i, -1, k->inside, t) + hold[i];
  case MEETS_UPPER: return w->upper[i] - y[i];
  case MEETS_LOWER: return y[i] - w->lower[i];
  default:
    e = g->place == 0 ? fabs(y[d + i] - surface_speed(k, i, t)) : g->place == 1 ? y[i] : y[i + 1] - y[i];
    return g->side * (e - g->at);
  }
}

static inline void add_guard(Walk *k, GuardKind kind, int dof, int place, double at) {
  if (k->guards < GUARDS_MAX)
    k->guard[k->guards++] = (Guard){.kind = kind, .dof = dof, .place = place, .at = at, .side = 1};
}

/* Computes all guards at t, y. */
static inline void guard_values(Walk *k, double t, const double *y, double *g) {
  double a[D_MAX], hold[D_MAX];
  accelerate(k->w, k->mode, k->inside, t, y, a, hold);
  k->work++;
  for (int j = 0; j < k->guards; j++) g[j] = guard_value(k, &k->guard[j], t, y, hold);
}

static inline void law_kinks(Walk *k, const SpringLaw *law, int i, int place) {
  for (int p = 1; p < POINTS - 1 && law->kind == HAS_LAW_TABLE; p++) add_guard(k, KINK, i, place, law->at[p]);
}

static inline void make_guards(Walk *k) {
  const Draw *w = k->w;
  double g[GUARDS_MAX];
  k->guards = 0;
  for (int i = 0; i < w->d; i++) {
    bool rigid = isnan(w->stop_stiffness[i]), slips = k->mode[i] == 1 || k->mode[i] == -1;
    if (slips) add_guard(k, STOPS_SLIDING, i, 0, 0);
    if (!k->mode[i] && k->contact[i] <= 0) add_guard(k, BEGINS_FORWARD, i, 0, 0);
    if (!k->mode[i] && k->contact[i] >= 0) add_guard(k, BEGINS_BACKWARD, i, 0, 0);
    if (!isnan(w->upper[i]) && k->mode[i]) add_guard(k, rigid ? MEETS_UPPER : KINK, i, 1, w->upper[i]);
    if (!isnan(w->lower[i]) && k->mode[i]) add_guard(k, rigid ? MEETS_LOWER : KINK, i, 1, w->lower[i]);
    if (slips && has(w, HAS_RAMP)) add_guard(k, KINK, i, 0, w->epsilon[i]);
    for (int p = 0; p < POINTS && slips && has(w, HAS_TABLE); p++)
      if (w->table_speed[p] > 0) add_guard(k, KINK, i, 0, w->table_speed[p]);
    law_kinks(k, &w->anchor, i, 1);
    if (i + 1 < w->d) law_kinks(k, &w->link, i, 2);
  }
  guard_values(k, k->t, k->y, g);
  for (int j = 0; j < k->guards; j++) {
    k->guard[j].armed = g[j] > 0;
    if (k->guard[j].kind == KINK && g[j] < 0) {
      k->guard[j].side = -1;
      k->guard[j].armed = true;
    }
  }
}

/* Handles guard j. A dof that begins to slide does so even if round-off puts it below its threshold. */
static inline void pass(Walk *k, int j) {
  const Guard g = k->guard[j];
  int d = k->w->d, i = g.dof;
  switch (g.kind) {
  case STOPS_SLIDING:
    k->y[d + i] = surface_speed(k, i, k->t);
    strike(k);
    decide(k);
    break;
  case BEGINS_FORWARD:
  case BEGINS_BACKWARD:
    k->mode[i] = rubs(k->w, i) ? (g.kind == BEGINS_FORWARD ? 1 : -1) : GOES;
    k->contact[i] = 0;
    if (rubs(k->w, i)) note(k, i, k->mode[i]);
    break;
  case MEETS_UPPER:
  case MEETS_LOWER:
    strike(k);
    decide(k);
    break;
  default: k->guard[j].side = -g.side; return;
  }
}

#endif
