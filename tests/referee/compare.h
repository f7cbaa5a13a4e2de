/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares two answers to one draw (a random problem), by the library and by the referee, an independent integrator.
 * Also measures how much the referee's answer changes if its data change. */
#ifndef TESTS_REFEREE_COMPARE_H
#define TESTS_REFEREE_COMPARE_H

#include "tests/referee/library.h"
#include "tests/referee/make.h"
#include "tests/referee/referee.h"

typedef struct Answer {
  WalkInstant instant[INSTANTS + 1];
  int events;
  Listed event[LISTED_MAX];
} Answer;

/* Sizes of a motion to which differences are relative. */
typedef struct Sizes {
  double x, v, force;
} Sizes;

/* Largest relative differences of two answers: of x and v; of the multipliers, as forces, of dofs that stick in both
 * answers; and of the times at which a dof begins to stick or slip. */
typedef struct Apart {
  double x, v, lambda, times, most;
} Apart;

/* Lists the events of each dof, without intervals of length zero. Lists none for draws with rigid stops. There the
 * bounces are infinitely many, each shakes the other dofs, and the two programs end them at different times. */
static inline void list_events(const Draw *w, int n, const Listed *from, Answer *a) {
  double moment = 1e-7 * w->end;
  a->events = 0;
  if (has(w, HAS_RIGID)) return;
  for (int i = 0; i < w->d; i++) {
    int first = a->events;
    for (int e = 0; e < n; e++) {
      if (from[e].dof != i || !rubs(w, i) || from[e].t > w->end - moment) continue;
      bool over = a->events > first && from[e].t - a->event[a->events - 1].t < moment;
      if (over) a->events--;
      if (a->events > first && a->event[a->events - 1].slip == from[e].slip) continue;
      a->event[a->events++] = from[e];
    }
  }
}

static inline void answer_of_walk(const Walk *k, Answer *a) {
  static Listed list[EVENTS_MAX];
  memcpy(a->instant, k->instant, sizeof a->instant);
  for (int e = 0; e < k->events; e++) list[e] = (Listed){k->event[e].t, k->event[e].dof, k->event[e].slip};
  list_events(k->w, k->events, list, a);
}

static inline void answer_of_ours(const Ours *o, Answer *a) {
  for (int row = 0; row <= INSTANTS; row++)
    for (int i = 0; i < o->w->d; i++) {
      a->instant[row].x[i] = o->at_x[row][i];
      a->instant[row].v[i] = o->at_v[row][i];
      a->instant[row].lambda[i] = o->at_lambda[row][i];
      a->instant[row].mode[i] = o->at_slip[row][i];
    }
  list_events(o->w, o->events, o->event, a);
}

static inline Sizes sizes_of(const Walk *k) {
  const Draw *w = k->w;
  Sizes s = {k->far, k->fast, 0};
  for (int i = 0; i < w->d; i++) {
    double stop = isnan(w->stop_stiffness[i]) ? 0 : w->stop_stiffness[i], load[D_MAX], y[2 * D_MAX] = {0};
    load_of(w, k->inside, w->end, y, load);
    s.force = fmax(s.force, fabs(load[i]) + w->forward[i] + w->backward[i] + k->far * (w->stiffness[i][i] + stop) +
                                k->fast * (w->damping[i][i] + w->viscous[i] + w->mass[i][i] / w->end));
  }
  return s;
}

static inline double larger(double a, double b) { return isnan(a) || b <= a ? a : b; }

static inline Apart apart(const Draw *w, const Sizes *s, const Answer *a, const Answer *b) {
  Apart m = {0};
  for (int row = 0; row <= INSTANTS; row++) {
    const WalkInstant *p = &a->instant[row], *q = &b->instant[row];
    bool alike = true; /* whether both answers are on the same side of a jump of the force, as such an instant is not
                        * compared otherwise */
    for (int i = 0; i < w->d; i++) alike = alike && (!rubs(w, i) || p->mode[i] == q->mode[i]);
    for (int i = 0; i < w->d; i++) {
      double c = fmax(w->forward[i], w->backward[i]);
      m.x = larger(m.x, fabs(p->x[i] - q->x[i]) / s->x);
      m.v = larger(m.v, fabs(p->v[i] - q->v[i]) / s->v);
      if (row && alike && rubs(w, i) && !p->mode[i])
        m.lambda = larger(m.lambda, c * fabs(p->lambda[i] - q->lambda[i]) / s->force);
    }
  }
  for (int e = 0; e < a->events || e < b->events; e++) {
    bool same =
        e < a->events && e < b->events && a->event[e].dof == b->event[e].dof && a->event[e].slip == b->event[e].slip;
    m.times = larger(m.times, same ? fabs(a->event[e].t - b->event[e].t) / w->end : 1);
  }
  m.most = larger(larger(m.x, m.v), larger(m.lambda, m.times));
  return m;
}

/* Returns a draw in which every number is changed by a relative amount. */
static inline Draw disturbed(const Draw *w, double part, int turn) {
  Draw other = *w;
  Random r = random_of(w, 1000 + turn);
  for (int i = 0; i < w->d; i++) {
    for (int j = 0; j <= i; j++) {
      double by = 1 + part * uniform(&r, -1, 1);
      other.mass[i][j] = other.mass[j][i] = w->mass[i][j] * by;
      other.damping[i][j] = w->damping[i][j] * by;
      other.damping[j][i] = w->damping[j][i] * by;
      other.stiffness[i][j] = other.stiffness[j][i] = w->stiffness[i][j] * by;
    }
    double c = 1 + part * uniform(&r, -1, 1);
    other.forward[i] *= c;
    other.backward[i] *= c;
    other.epsilon[i] *= 1 + part * uniform(&r, -1, 1);
    if (w->x0[i] != w->lower[i] && w->x0[i] != w->upper[i]) other.x0[i] += part * w->length * uniform(&r, -0.1, 0);
    other.v0[i] *= 1 + part * uniform(&r, -1, 1);
    other.lower[i] *= 1 + part * uniform(&r, 0, 1);
    other.upper[i] *= 1 + part * uniform(&r, 0, 1);
    for (int k = 0; k < w->force[i].n; k++) other.force[i].term[k].size *= 1 + part * uniform(&r, -1, 1);
    for (int k = 0; k < SEGMENTS; k++) other.control[k][i] *= 1 + part * uniform(&r, -1, 1);
  }
  return other;
}

#endif
