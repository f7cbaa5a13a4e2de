/* SPDX-License-Identifier: BSD-2-Clause */
/* Thresholds that depend on a position, or on the elongation of a spring: c_i + h_i(e_i), with e_i an elongation of
 * SimElongation. Schemes with steps evaluate h at the known position at the start of a step, so that the friction
 * problem of the step is the same as for constant thresholds. For dofs without mass they evaluate h at the step's end,
 * by solving the step again (thresholds_follow). `event` evaluates h along the motion. */
#ifndef SIM_JOINT_RISE_H
#define SIM_JOINT_RISE_H

#include "sim/base/curve.h"

#include <math.h>

static inline Curve rise_law(const SimProblem *p) { return (Curve){p->rise.rows, p->rise.pieces, p->rise.columns}; }

/* The elongation e_i = x_to - x_from on which the threshold of dof i depends. from or to = -1: the fixed ground, with x
 * = 0. The first dof has no spring on its left, the last dof none on its right. */
typedef struct RiseSpan {
  int from, to;
} RiseSpan;
static inline RiseSpan rise_span(const SimProblem *p, int i) {
  int from = p->rise_of == SIM_SPRING_BEHIND ? i : i - 1;
  if (p->rise_of == SIM_OWN_PLACE) return (RiseSpan){-1, i};
  return from >= 0 && from + 1 < p->count ? (RiseSpan){from, from + 1} : (RiseSpan){-1, -1};
}

/* Returns the elongation e_i at x [count], in m. */
static inline double rise_elongation(const SimProblem *p, const double *x, int i) {
  const RiseSpan span = rise_span(p, i);
  return (span.to < 0 ? 0 : x[span.to]) - (span.from < 0 ? 0 : x[span.from]);
}

/* Let E_i be the row of factors in e_i = E_i x, the elongation on which the threshold of dof i depends, E_i' its
 * transpose and `by` a factor. rise_add_columns adds by E_i x to row [n], for n columns of the block x [count][width].
 * rise_add_transposed adds by E_i' row to x. */
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

/* Returns the threshold c_i + h_i, in N, raised to |bias| if necessary, so that the thresholds of both directions are
 * >= 0. */
static inline double rise_threshold(double c, double bias, double h) { return fmax(c + h, fabs(bias)); }

/* Returns h_i, in N, the part of the threshold of dof i that depends on an elongation, and its slope h_i', in N/m, at
 * the position x [count]. Beyond the range of the law, h_i has its value at the range's end, and h_i' is 0. */
CurvePoint rise_at(const SimProblem *problem, const double *x, int i);
/* Returns the largest slope |h_i'| of the threshold of dof i over the range of its law, in N/m, from samples of each
 * piece. */
double rise_steepest(const SimProblem *problem, int i);
/* Whether all elongations on which thresholds of this rank depend are within the range of their law. */
bool rise_inside(const SimProblem *problem, const double *x);

/* Whether thresholds vary along a motion, with time or position. */
static inline bool rise_varies(const SimProblem *p) { return p->thresholds || p->rise.pieces > 0; }

#endif
