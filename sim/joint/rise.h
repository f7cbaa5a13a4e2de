/* Thresholds that depend on a place, or on the force in a spring: c_i + h_i(e_i), e_i an elongation of SimElongation. Schemes with steps take
 * h at the place that is known where a step begins, so that a step's friction problem stays what it is; `event` has it along the motion. */
#ifndef SIM_JOINT_RISE_H
#define SIM_JOINT_RISE_H

#include "sim/base/curve.h"

static inline Curve rise_law(const SimProblem *p) { return (Curve){p->rise.rows, p->rise.pieces, p->rise.columns}; }

/* The dofs between which the elongation of dof i is: e_i = x_to - x_from; -1: 0. The first dof has no spring before, the last none behind. */
typedef struct RiseSpan {
  int from, to;
} RiseSpan;
static inline RiseSpan rise_span(const SimProblem *p, int i) {
  int from = p->rise_of == SIM_SPRING_BEHIND ? i : i - 1;
  if (p->rise_of == SIM_OWN_PLACE) return (RiseSpan){-1, i};
  return from >= 0 && from + 1 < p->count ? (RiseSpan){from, from + 1} : (RiseSpan){-1, -1};
}

/* e_i of x [count]. */
static inline double rise_elongation(const SimProblem *p, const double *x, int i) {
  const RiseSpan span = rise_span(p, i);
  return (span.to < 0 ? 0 : x[span.to]) - (span.from < 0 ? 0 : x[span.from]);
}

/* h_i and h_i' at x [count], N and N/m; beyond the range they are those of its end, and 0. */
CurvePoint rise_at(const SimProblem *problem, const double *x, int i);
/* The greatest |h_i'| over its range, N/m, as samples of each piece show. */
double rise_steepest(const SimProblem *problem, int i);
/* Whether all e_i are within the range; this rank's. */
bool rise_inside(const SimProblem *problem, const double *x);

/* Whether thresholds change along a motion: with time or with place. */
static inline bool rise_varies(const SimProblem *p) { return p->thresholds || p->rise.pieces > 0; }

#endif
