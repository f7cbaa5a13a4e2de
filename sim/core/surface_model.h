/* A model whose surfaces move (sim/joint/surface.h): friction acts on x' - w(t). With y = x - W, W(t) the integral of w from 0 on, (1) is
 *
 *     M y'' + D y' + A y + C (lambda - gamma(y')) = f + B u - g,   g = M w' + (D - b) w + A W,   y(0) = x0,  y'(0) = v0 - w(0)
 *
 * b the part of D that is viscous friction: the same equation with another force. So a model and all of its schemes are those of y, and what is shown is x = y + W and
 * x' = y' + w. (A scheme that splits leaves D w and A W to its elastic part, not b w.) What sticks has y' = 0: of schemes that
 * hold it there (event, moreau) its y, x less W, does not change by one bit. */
#ifndef SIM_CORE_SURFACE_MODEL_H
#define SIM_CORE_SURFACE_MODEL_H

#include "sim/joint/surface.h"

/* Of a model; immutable. */
typedef struct Surface {
  double *reaction; /* g: pieces as of SimProblem.surface, rows of start, width, order and coefficients, of all rows */
  double *v0, *force;        /* sparse: y'(0) and the table of f - g, in place of what is borrowed; else NULL */
  SimLoad load;              /* sparse: f */
  const SimProblem *problem; /* the model's */
} Surface;

/* Vectors of work->surface, [count] each: what is shown, and what energies need to know of two instants. */
enum { SHOWN_X, SHOWN_V, SURFACE_PATH, SURFACE_VECTORS = SURFACE_PATH + 6 };

/* One instant of the surfaces; each [count], NULL where none moves: then 0. */
typedef struct SurfaceInstant {
  const double *path;  /* W, m */
  const double *speed; /* w, m/s */
  const double *force; /* g, N */
} SurfaceInstant;

/* Makes of a model's problem, whose surfaces move, that of y: model->surface. Collective. SIM_OK,
 * SIM_NO_MEMORY, SIM_NON_FINITE: g is not finite. */
SimStatus surface_apply(SimModel *model);
void surface_destroy(SimModel *model);

/* x and x' of y and y' at t. */
void surface_show(const SimModel *model, double t, const double *y, const double *speed, double *x, double *v);
/* The instant t, in the vectors of work->surface; which: 0 or 1. */
SurfaceInstant surface_instant(const SimModel *model, SimWorkspace *work, double t, int which);
/* The one that was last put there. */
SurfaceInstant surface_kept(const SimModel *model, const SimWorkspace *work, int which);

#endif
