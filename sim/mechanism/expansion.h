/* SPDX-License-Identifier: BSD-2-Clause */
/* The Taylor series of a motion of a mechanism about a time t0. The coordinates in the set S slide, in the directions
 * s_i = 1 or -1; the others stick:
 *
 *   r_i(q, q', q'', t, p) + c_i(q, q', t, p) s_i = 0 for i in S, q''_i = 0 for all others
 *
 * r are the equations without friction, linear in q'', c the friction thresholds and p the parameters. The series are
 * computed order after order. First r_k and c_k, the coefficients of (t - t0)^k, are computed with q''_k = 0. Then M_SS
 * q''_k = -(r_k + c_k s) gives the accelerations, with the mass matrix M = dr/dq''. */
#ifndef SIM_MECHANISM_EXPANSION_H
#define SIM_MECHANISM_EXPANSION_H

#include "sim/graph/lanes.h"
#include "sim/mechanism/lagrange.h"

/* How much of the next expansion_make is done. */
typedef enum ExpansionStage {
  EXPANSION_NONE,
  EXPANSION_STARTED, /* expansion_start has been called */
  EXPANSION_MADE     /* expansion_make_together has computed the orders */
} ExpansionStage;

typedef struct Expansion {
  int d, n_constants, n_forces;
  GraphTape *tape; /* series of the outputs: r [d], c [d], the other outputs, then those of `sides` */
  int sides;       /* number of the first output of the thresholds at rest, [2][d] */
  GraphSeries *series;
  double *mass;   /* [d][d] mass matrix M of all coordinates */
  double *factor; /* [d][d] Cholesky factor L of M_SS = L L', the mass matrix of the sliding coordinates; its
                   * diagonal contains 1/L_ii */
  double *load;   /* [d] scratch: right sides */
  double *first;  /* [2 d] r_0 and c_0, with accelerations 0 */
  bool placed;    /* Set by the caller, initially false: whether the caller has already called expansion_order_0 for the
                   * state of the next expansion_make, which then does not repeat it and sets `placed` to false. */
  bool kept;      /* set by expansion_make: whether the order 0 that the caller computed is still valid, as no kink's
                   * sign has changed */
  int *sliding;   /* [n_sliding] numbers of the sliding coordinates, the set S */
  double *slips;  /* [n_sliding] directions s of slip, 1 or -1 */
  int n_sliding;
  int order, most; /* highest order of the last series, and the highest one that it might have had */
  ExpansionStage stage;
  /* Set by the caller, initially NULL. From order `least` on, expansion_make calls this function after every third
   * order. If it returns true, the orders 0 .. expansion->order suffice, and no further ones are computed. */
  bool (*enough)(void *context, const struct Expansion *expansion);
  void *context;
  int least;
  bool has_friction;
  bool settled; /* set by expansion_make: whether each kink's sign is the one that its switching function has just after
                 * t0 */
  signed char
      *zeros; /* [d] number of derivatives of v, from v itself on, that are 0 at t0; set by the caller, initially 0 */
  bool *differentiated; /* [n_constants] whether ExpansionColumns differentiates by the constant */
} Expansion;

/* The equations as nodes of a graph. Its variables are those of MechanismVariables (lagrange.h). After t come constants
 * and then forces; the caller supplies the series of the forces. */
typedef struct MechanismEquations {
  int d, n_constants, n_forces;
  const bool *differentiated; /* [n_constants] the constants by which ExpansionColumns differentiates; each takes time.
                               * NULL: none */
  const int *residuals;       /* [d] nodes of the residuals r of the equations of motion */
  const int *thresholds;      /* [d] nodes of the thresholds c, which may not depend on q''; NULL: no friction */
  int n_others;
  const int *others; /* [n_others] further nodes that are expanded in series, for example energies */
  const int *sides;  /* [2][d] nodes of the thresholds at rest in both directions (sides.h); NULL: none */
} MechanismEquations;

/* Creates an expansion. The equations are borrowed for this call only. Returns NULL if a node has no Taylor series,
 * with the reason in *why, or if there is no memory, with *why NULL. */
Expansion *expansion_create(const Graph *graph, const MechanismEquations *equations, const char **why);
void expansion_destroy(Expansion *expansion); /* may be NULL */

/* Computes the series about the time t, with q [d], v [d] and the constants [n_constants]. slips: [d] direction 1 or -1
 * of the sliding coordinates, 0 for those that stick, with v taken as 0. look: see graph_series_begin. order: the
 * highest order, at most GRAPH_ORDER_MAX - 2. Returns false if the mass matrix of the sliding coordinates is not
 * positive definite. */
bool expansion_make(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                    const double *slips, int order, bool look);

/* expansion_start is the first part of expansion_make, which has the same arguments and then does not repeat it. In
 * between, expansion_make_together may compute the orders of several started expansions of the same equations side by
 * side; expansions: [GRAPH_LANES], NULL for lanes that are not used. The bits are those of each expansion alone. */
void expansion_start(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                     const double *slips, int order, bool look);
void expansion_make_together(GraphLanes *lanes, Expansion *const *expansions);

/* These functions compute the same series in steps, for a caller that finds the accelerations itself. expansion_order_0
 * computes order 0 with accelerations 0, and M. Then, for k = 0, 1, .., the caller calls expansion_next (only for k >
 * 0), and expansion_take with the accelerations [d] of order k of all coordinates. */
void expansion_order_0(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                       bool look);
void expansion_next(Expansion *expansion, int k);
void expansion_take(Expansion *expansion, int k, const double *a);
/* After expansion_order_0: computes the derivatives by s, at s = 0, of all rows along the straight path q + s dq, v + s
 * dv, q'' = s da, t + s dt, with constants and forces fixed. They are stored as order 1; for dq = dv = 0, dt = 0 that
 * of the residual is M da. dq, dv, da: [d]. */
void expansion_along(Expansion *expansion, const double *dq, const double *dv, const double *da, double dt);
/* Whether the mass matrix M of all coordinates is positive definite. */
bool expansion_mass_is_positive(Expansion *expansion);
/* Sets the coefficient of (t - t0)^k of a force. It must be set before order k is computed. */
static inline void expansion_push(Expansion *expansion, int force, int k, double value) {
  graph_series_set(expansion->series, 3 * expansion->d + 1 + expansion->n_constants + force, k, value);
}
static inline double expansion_force(const Expansion *expansion, int force, int k) {
  const GraphSeries *series = expansion->series;
  int variable = 3 * expansion->d + 1 + expansion->n_constants + force;
  return series->c[(size_t)k * (size_t)series->tape->rows + (size_t)series->tape->variable[variable]];
}

/* These functions return the coefficient of (t - t0)^k of coordinate i (k up to order + 2), of its velocity (k up to
 * order + 1), and of output number i. */
static inline double expansion_place(const Expansion *expansion, int i, int k) {
  return expansion->series->c[(size_t)k * (size_t)expansion->tape->rows + (size_t)expansion->tape->variable[i]];
}
static inline double expansion_speed(const Expansion *expansion, int i, int k) {
  return expansion_place(expansion, expansion->d + i, k);
}
static inline double expansion_output(const Expansion *expansion, int i, int k) {
  return graph_series_get(expansion->series, i, k);
}

/* Returns the time after t0, in s, at most `limit`, up to which the series of the velocities are accurate. At this time
 * the terms of the last two orders are `tolerance` times the first nonzero term, or the term after it if this gives a
 * later time. In each order the largest coordinate counts. */
double expansion_reach(const Expansion *expansion, double tolerance, double limit);
/* Computes the accurate time as expansion_reach does, for a series that is given by the magnitudes of its terms [order
 * + 1]. */
double expansion_terms_reach(int order, const double *terms, double tolerance, double limit);
/* Computes the accurate time as expansion_reach does, for one row of the tape. */
double expansion_row_reach(const Expansion *expansion, int row, double tolerance, double limit);
/* Computes q [d] and v [d] at the time t0 + after. q or v may be NULL if it is not needed. */
void expansion_state(const Expansion *expansion, double after, double *q, double *v);

#endif
