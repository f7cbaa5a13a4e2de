/* Thresholds that depend on a position, or on the elongation of a spring: c_i + h_i(e_i), with e_i an elongation of
 * SimElongation. Schemes with steps evaluate h at the known position at the start of a step, so the friction problem of
 * the step keeps its form; but of dofs without mass at its end, by solving it again (thresholds_follow). `event` evaluates h along the motion. */
#ifndef SIM_JOINT_RISE_H
#define SIM_JOINT_RISE_H

#include "sim/base/curve.h"

#include <math.h>

static inline Curve rise_law(const SimProblem *p) { return (Curve){p->rise.rows, p->rise.pieces, p->rise.columns}; }

/* The dofs that define the elongation of dof i: e_i = x_to - x_from; for -1 the term is 0. The first dof has no spring
 * before it, the last none behind it. */
typedef struct RiseSpan {
  int from, to;
} RiseSpan;
static inline RiseSpan rise_span(const SimProblem *p, int i) {
  int from = p->rise_of == SIM_SPRING_BEHIND ? i : i - 1;
  if (p->rise_of == SIM_OWN_PLACE) return (RiseSpan){-1, i};
  return from >= 0 && from + 1 < p->count ? (RiseSpan){from, from + 1} : (RiseSpan){-1, -1};
}

/* e_i at x [count]. */
static inline double rise_elongation(const SimProblem *p, const double *x, int i) {
  const RiseSpan span = rise_span(p, i);
  return (span.to < 0 ? 0 : x[span.to]) - (span.from < 0 ? 0 : x[span.from]);
}

/* row [n] += by E_i x for n columns of blocks [count][width], E_i the row of e_i = E_i x; and the transpose: x += by
 * E_i' row. */
static inline void rise_add_columns(int n, double by, const double *restrict x, double *restrict y) {
  for (int c = 0; c < n; c++) y[c] += by * x[c];
}
static inline void rise_add_row(const SimProblem *p, int i, double by, int n, int width, const double *x, double *row) {
  const RiseSpan span = rise_span(p, i);
  if (span.to >= 0) rise_add_columns(n, by, x + (long)span.to * width, row);
  if (span.from >= 0) rise_add_columns(n, -by, x + (long)span.from * width, row);
}
static inline void rise_add_transposed(const SimProblem *p, int i, double by, int n, int width, const double *row,
                                       double *x) {
  const RiseSpan span = rise_span(p, i);
  if (span.to >= 0) rise_add_columns(n, by, row, x + (long)span.to * width);
  if (span.from >= 0) rise_add_columns(n, -by, row, x + (long)span.from * width);
}

/* The threshold c_i + h_i, N, from c_i and h_i; not below the bias, so that no direction has a negative one. */
static inline double rise_threshold(double c, double bias, double h) { return fmax(c + h, fabs(bias)); }

/* h_i and h_i' at x [count], N and N/m. Beyond the range h_i is the value at its end, and h_i' 0. */
CurvePoint rise_at(const SimProblem *problem, const double *x, int i);
/* The greatest |h_i'| over its range, N/m, from samples of each piece. */
double rise_steepest(const SimProblem *problem, int i);
/* Whether all e_i of this rank are within the range. */
bool rise_inside(const SimProblem *problem, const double *x);

/* Whether thresholds vary along a motion, with time or position. */
static inline bool rise_varies(const SimProblem *p) { return p->thresholds || p->rise.pieces > 0; }

#endif
