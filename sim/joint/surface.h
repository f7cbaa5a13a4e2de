/* SPDX-License-Identifier: BSD-2-Clause */
/* Moving surfaces: friction acts on x' - w(t), where the surface's velocity w is a piecewise polynomial of time. W is
 * the integral of w from 0 to t, the surface's displacement. */
#ifndef SIM_JOINT_SURFACE_H
#define SIM_JOINT_SURFACE_H

#include "sim/base/curve.h"

/* These functions return parts of SimProblem.surface: the number of doubles in a row, the column of dof i, and the
 * coefficients of the velocity w in a row. */
static inline size_t surface_row_size(const SimProblem *p) { return sim_curve_size(p->surface_columns); }
static inline int surface_column(const SimProblem *p, int i) { return p->surface_columns == 1 ? 0 : i; }
static inline const double *surface_coefficients(const SimProblem *p, const double *row) {
  return curve_coefficients(row, p->surface_columns);
}

/* Computes the power series of the velocity w and the displacement W of moving surfaces over t..t + width, in powers of
 * the fraction of width, from the piece of time that begins at t or contains it: speed [order + 1][count], path [order
 * + 2][count]. speed may be path + count; then W overwrites w. Returns the order. */
int surface_series(const SimProblem *problem, double t, double width, double *speed, double *path);

static inline double surface_entry(const double *vector, int i) { return vector ? vector[i] : 0; }

/* Computes, at the time t, the velocities w (speed) of the moving surfaces and their displacements W (path), the
 * integrals of w from 0 to t; [count] each; either may be NULL. */
void surface_at(const SimProblem *problem, double t, double *path, double *speed);
/* Returns the row of SimProblem.surface that is valid from t on; its first two values are the start and the width of
 * its piece of time in s. */
const double *surface_piece(const SimProblem *problem, double t);
/* Returns the time t_n, in s. */
static inline double surface_time(const SimProblem *p, long n) { return n == p->steps ? p->end : (double)n * p->step; }

#endif
