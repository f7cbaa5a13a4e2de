/* The Taylor series of a motion
 *
 *     r_i(q, q', q'', t, p) + c_i(q, q', t, p) s_i = 0    for i in S,      q''_i = 0    for all others,
 *
 * about an instant: S slides, in the directions s_i = 1 or -1; the others stick. r is linear in q''. Order after order: r_k and c_k of
 * all nodes with q''_k = 0, then M_SS q''_k = -(r_k + c_k s), with M = dr/dq''. */
#ifndef SIM_MECHANISM_EXPANSION_H
#define SIM_MECHANISM_EXPANSION_H

#include "sim/graph/series.h"
#include "sim/mechanism/lagrange.h"

typedef struct Expansion {
  int d, n_constants, n_forces;
  GraphTape *tape; /* outputs: r [d], c [d], then others */
  GraphSeries *series;
  double *mass;   /* [d][d] of all */
  double *factor; /* [d][d] of S, L of M_SS = L L', 1/L_ii in the diagonal */
  double *load;   /* [d] */
  int *sliding;   /* [n_sliding] S */
  double *slips;  /* [n_sliding] */
  int n_sliding, order;
  bool has_friction;
  bool settled; /* by expansion_make: the signs of kinks agree with what the series do next */
  signed char
      *zeros; /* [d] number of derivatives of v, itself among them, that are 0 at t0; the caller's, at first 0 */
  bool *differentiated; /* [n_constants] */
} Expansion;

/* Equations as nodes of a graph with the variables of mechanism_variables, and after t constants, then forces with
 * series from the caller. */
typedef struct MechanismEquations {
  int d, n_constants, n_forces;
  const bool
      *differentiated;   /* [n_constants] of which ExpansionColumns take derivatives: each costs time; NULL: none */
  const int *residuals;  /* [d] r */
  const int *thresholds; /* [d] c, which may not depend on q''; NULL: no friction */
  int n_others;
  const int *others; /* [n_others] nodes that are expanded as well, say sums of energies */
} MechanismEquations;

/* Returns NULL where a node has no series, and `why` says so; or without memory, with `why` NULL. The equations are borrowed for
 * this call alone. */
Expansion *expansion_create(const Graph *graph, const MechanismEquations *equations, const char **why);
void expansion_destroy(Expansion *expansion); /* NULL: nothing */

/* Expands about t, q [d], v [d], with constants [n_constants]. slips: [d] 1 or -1 of S, 0 of others, which are taken to have v = 0. look:
 * graph_series_begin. order: at most GRAPH_ORDER_MAX - 2. Returns false where M_SS is not positive definite. */
bool expansion_make(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                    const double *slips, int order, bool look);

/* The same in parts, for a caller that finds accelerations itself: order 0 with accelerations 0, and M; then for k = 0, 1, .. with
 * expansion_next before all k > 0, accelerations [d] of order k of all coordinates. */
void expansion_order_0(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                       bool look);
void expansion_next(Expansion *expansion, int k);
void expansion_take(Expansion *expansion, int k, const double *a);
/* Whether M, of all coordinates, is positive definite. */
bool expansion_mass_is_positive(Expansion *expansion);
/* Sets the coefficient of (t - t0)^k of a force, before the order is used. */
static inline void expansion_push(Expansion *expansion, int force, int k, double value) {
  graph_series_set(expansion->series, 3 * expansion->d + 1 + expansion->n_constants + force, k, value);
}
static inline double expansion_force(const Expansion *expansion, int force, int k) {
  const GraphSeries *series = expansion->series;
  int variable = 3 * expansion->d + 1 + expansion->n_constants + force;
  return series->c[(size_t)k * (size_t)series->tape->rows + (size_t)series->tape->variable[variable]];
}

/* The coefficient of (t - t0)^k of a coordinate, k up to order + 2, of its rate, up to order + 1, of output number i. */
static inline double expansion_place(const Expansion *expansion, int i, int k) {
  return expansion->series->c[(size_t)k * (size_t)expansion->tape->rows + (size_t)expansion->tape->variable[i]];
}
static inline double expansion_speed(const Expansion *expansion, int i, int k) {
  return expansion_place(expansion, expansion->d + i, k);
}
static inline double expansion_output(const Expansion *expansion, int i, int k) {
  return graph_series_get(expansion->series, i, k);
}

/* The time at which the terms of the last two orders of the rates are `tolerance` times that of the first order that is not 0, or of the next if this is
 * later; s, infinite where the terms vanish. The largest coordinate counts. */
double expansion_reach(const Expansion *expansion, double tolerance);
/* The same of any terms [order + 1]. */
double expansion_terms_reach(int order, const double *terms, double tolerance);
/* The same of one row of the tape. */
double expansion_row_reach(const Expansion *expansion, int row, double tolerance);
/* q [d] and v [d] a time after t0; NULL: not wanted. */
void expansion_state(const Expansion *expansion, double after, double *q, double *v);

#endif
