/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent solution of a chain: fourth-order Runge-Kutta for the nodes with mass on each branch of slip and
 * stick, force balance for the other nodes, and bisection for the times between branches. It shares no code with
 * sim/. */
#ifndef BENCH_CHAIN_EXACT_H
#define BENCH_CHAIN_EXACT_H

#include "sim/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_NODES = 6 };

/* Returns (K x)_i, where K is the stiffness matrix of the n+1 springs k. */
static inline double chain_exact_pull(int n, const double *k, const double *x, int i) {
  return (k[i] + k[i + 1]) * x[i] - (i ? k[i] * x[i - 1] : 0) - (i + 1 < n ? k[i + 1] * x[i + 1] : 0);
}

/* Solves (K x)_i = b_i for the positions of the nodes that neither stick nor have mass, with those of the other nodes
 * fixed. Dense Gauss elimination. */
static inline void chain_exact_solve(int n, const double *k, const bool *loose, const double *b, double *x) {
  double a[EXACT_NODES][EXACT_NODES + 1] = {{0}};
  for (int i = 0; i < n; i++) {
    a[i][i] = loose[i] ? k[i] + k[i + 1] : 1;
    if (loose[i] && i) a[i][i - 1] = -k[i];
    if (loose[i] && i + 1 < n) a[i][i + 1] = -k[i + 1];
    a[i][n] = loose[i] ? b[i] : x[i];
  }
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      double factor = a[j][i] / a[i][i];
      for (int m = i; m <= n; m++) a[j][m] -= factor * a[i][m];
    }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = a[i][n];
    for (int j = i + 1; j < n; j++) x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
}

/* A chain and its state. The force on each node is amplitude sin(omega t); the last entry is the force on the chain's
 * end. */
typedef struct ChainExact {
  int n, massless;
  double k[EXACT_NODES + 1], alpha[EXACT_NODES], mass[EXACT_NODES];
  /* share: weight with which the end's force acts on node n */
  double amplitude[EXACT_NODES + 1], omega[EXACT_NODES + 1], share;
  double t, x[EXACT_NODES], v[EXACT_NODES];
  int slip[EXACT_NODES], events;
} ChainExact;

/* Initialises the state from a problem in which all but the force is set. */
static inline ChainExact chain_exact_start(const SimProblem *p, const double *amplitude, const double *omega) {
  ChainExact s = {.n = p->d};
  size_t size = (size_t)p->d * sizeof(double);
  memcpy(s.k, p->chain.springs, size + sizeof(double));
  memcpy(s.alpha, p->friction, size);
  memcpy(s.mass, p->chain.node_mass, size);
  memcpy(s.amplitude, amplitude, size + sizeof(double));
  memcpy(s.omega, omega, size + sizeof(double));
  memcpy(s.x, p->x0, size);
  memcpy(s.v, p->v0, size);
  while (s.massless < s.n && s.mass[s.massless] == 0) s.massless++;
  for (int i = 0; i < s.n; i++) s.slip[i] = (s.v[i] > 0) - (s.v[i] < 0);
  s.share = p->chain.end == SIM_END_FREE ? -1 : p->chain.end == SIM_END_DISPLACEMENT ? s.k[s.n] : 0;
  if (p->chain.end == SIM_END_FREE) s.k[s.n] = 0;
  return s;
}

static inline double chain_exact_force(const ChainExact *s, int i) {
  double end = i == s->n - 1 ? s->share * s->amplitude[s->n] * sin(s->omega[s->n] * s->t) : 0;
  return s->amplitude[i] * sin(s->omega[i] * s->t) + end;
}

static inline double chain_exact_force_rate(const ChainExact *s, int i) {
  double end = i == s->n - 1 ? s->share * s->amplitude[s->n] * s->omega[s->n] * cos(s->omega[s->n] * s->t) : 0;
  return s->amplitude[i] * s->omega[i] * cos(s->omega[i] * s->t) + end;
}

/* Returns G_i = (K V - F)_i, where V are the nodes' velocities and F the forces. */
static inline double chain_exact_g(const ChainExact *s, int i) {
  return chain_exact_pull(s->n, s->k, s->x, i) - chain_exact_force(s, i);
}

static inline double chain_exact_lambda(const ChainExact *s, int i) {
  return s->slip[i] ? s->slip[i] : -chain_exact_g(s, i) / s->alpha[i];
}

/* Sets the velocities V of nodes without mass that slip, by force balance: K V = F - alpha slip, and K V' = F'. alpha:
 * thresholds; slip: directions. The velocities of other nodes are fixed. */
static inline void chain_exact_balance(ChainExact *s) {
  bool loose[EXACT_NODES];
  double place[EXACT_NODES], rate[EXACT_NODES];
  if (s->massless == 0) return;
  for (int i = 0; i < s->n; i++) {
    loose[i] = i < s->massless && s->slip[i];
    place[i] = chain_exact_force(s, i) - s->alpha[i] * s->slip[i];
    rate[i] = chain_exact_force_rate(s, i);
    if (!s->slip[i]) s->v[i] = 0;
  }
  chain_exact_solve(s->n, s->k, loose, place, s->x);
  chain_exact_solve(s->n, s->k, loose, rate, s->v);
}

typedef struct ChainRate {
  double v[EXACT_NODES], a[EXACT_NODES];
} ChainRate;

/* Returns the rate of change of the state `from` plus h times a rate. */
static inline ChainRate chain_exact_stage(const ChainExact *from, double h, const ChainRate *rate, ChainExact *at) {
  ChainRate here = {{0}, {0}};
  *at = *from;
  at->t += h;
  for (int i = at->massless; i < at->n; i++) {
    at->x[i] += h * rate->v[i];
    at->v[i] += h * rate->a[i];
  }
  chain_exact_balance(at);
  for (int i = at->massless; i < at->n; i++) {
    if (!at->slip[i]) continue;
    here.v[i] = at->v[i];
    here.a[i] = (-chain_exact_g(at, i) - at->alpha[i] * at->slip[i]) / at->mass[i];
  }
  return here;
}

/* Advances by h on the current branch. */
static inline ChainExact chain_exact_step(const ChainExact *s, double h) {
  ChainExact at;
  ChainRate r1 = chain_exact_stage(s, 0, &(ChainRate){{0}, {0}}, &at), r2 = chain_exact_stage(s, h / 2, &r1, &at),
            r3 = chain_exact_stage(s, h / 2, &r2, &at), r4 = chain_exact_stage(s, h, &r3, &at), mean;
  for (int i = 0; i < s->n; i++) {
    mean.v[i] = (r1.v[i] + 2 * r2.v[i] + 2 * r3.v[i] + r4.v[i]) / 6;
    mean.a[i] = (r1.a[i] + 2 * r2.a[i] + 2 * r3.a[i] + r4.a[i]) / 6;
  }
  chain_exact_stage(s, h, &mean, &at);
  return at;
}

static inline bool chain_exact_held(const ChainExact *s, int i) {
  return fabs(chain_exact_g(s, i)) <= s->alpha[i] + 1e-13; /* the tolerance keeps round-off from starting a slip */
}

/* Returns the first node at the end of its branch; -1 if there is none. */
static inline int chain_exact_ended(const ChainExact *s) {
  for (int i = 0; i < s->n; i++)
    if (s->slip[i] ? s->slip[i] * s->v[i] < 0 : !chain_exact_held(s, i)) return i;
  return -1;
}

static inline void chain_exact_to(ChainExact *s, double end) {
  while (end - s->t > 1e-15 * end) {
    double low = 0, high = fmin(end - s->t, 4e-3);
    ChainExact next = chain_exact_step(s, high);
    if (chain_exact_ended(&next) < 0) {
      *s = next;
      continue;
    }
    for (int i = 0; i < 60; i++) {
      double h = low + (high - low) / 2;
      next = chain_exact_step(s, h);
      if (chain_exact_ended(&next) < 0)
        low = h;
      else
        high = h;
    }
    *s = chain_exact_step(s, high);
    int i = chain_exact_ended(s);
    bool stops = s->slip[i] && chain_exact_held(s, i);
    s->slip[i] = stops ? 0 : chain_exact_g(s, i) < 0 ? 1 : -1;
    s->v[i] = 0;
    chain_exact_balance(s);
    if (++s->events >= 1000) abort(); /* so many branches of length zero mean that there is no solution */
  }
  s->t = end;
}

#endif
