/* SPDX-License-Identifier: BSD-2-Clause */
/* A model with moving surfaces (sim/joint/surface.h): friction acts on x' - w(t). Let W(t) be the integral of w from 0
 * to t, and y = x - W. Then equation (1) of sim/sim.h becomes
 *
 *   M y'' + D y' + A y + C (lambda - gamma(y')) = f + B u - g, y(0) = x0, y'(0) = v0 - w(0)
 *   g = M w' + (D - b) w + A W
 *
 * where b is the part of D that is viscous friction. This is the same equation with another force, so model and schemes
 * compute y, and observers get x = y + W and x' = y' + w. (A splitting scheme treats D w and A W, but not b w, in its
 * elastic part.) A dof that sticks has y' = 0. With the schemes event and moreau, which hold this velocity exactly, its
 * y does not change by one bit. */
#ifndef SIM_CORE_SURFACE_MODEL_H
#define SIM_CORE_SURFACE_MODEL_H

#include "sim/joint/surface.h"

/* The moving surfaces of a model. A model never changes them. */
typedef struct Surface {
  /* force g as piecewise polynomials in time, as in SimProblem.surface but without the integrals; a row has the start,
   * the width and the order of its piece, and the coefficients of all dofs */
  double *reaction;
  /* for sparse matrices: initial velocity y'(0) and table of the force f - g, which replace borrowed arrays; otherwise
   * NULL */
  double *v0, *force;
  SimLoad load;              /* for sparse matrices: the force f of the problem; otherwise unused */
  const SimProblem *problem; /* problem of the model; borrowed */
} Surface;

/* Vectors of work->surface, [count] each: x and x' for observers, and path, speed and force at two times, which
 * energies need. */
enum { SHOWN_X, SHOWN_V, SURFACE_PATH, SURFACE_VECTORS = SURFACE_PATH + 6 };

/* The surfaces at one time. Each array is [count]; NULL means 0, because no surface moves. */
typedef struct SurfaceInstant {
  const double *path;  /* displacement W of the surface, in m */
  const double *speed; /* velocity w of the surface, in m/s */
  const double *force; /* force g of the surface in the equation for y, in N */
} SurfaceInstant;

/* Replaces the problem of a model with moving surfaces by the problem for y = x - W, and creates model->surface.
 * Collective. Returns SIM_OK, SIM_NO_MEMORY, or SIM_NON_FINITE if g is not finite. */
SimStatus surface_apply(SimModel *model);
void surface_destroy(SimModel *model);

/* Computes x and x' from y and y' at time t. */
void surface_show(const SimModel *model, double t, const double *y, const double *speed, double *x, double *v);
/* Computes displacement W, velocity w and force g of the surfaces at time t, in vectors of work->surface. which: 0 or
 * 1, the place where they are stored, as values at two times can be stored. */
SurfaceInstant surface_instant(const SimModel *model, SimWorkspace *work, double t, int which);
/* Returns the values W, w and g that surface_instant last stored at the place `which`. */
SurfaceInstant surface_kept(const SimModel *model, const SimWorkspace *work, int which);

#endif
