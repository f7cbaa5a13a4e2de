/* SPDX-License-Identifier: BSD-2-Clause */
/* Local updates for models with many dofs, where each event changes the motion of only a few. The motion of each dof in
 * a segment is a series, a polynomial in time. With local updates a segment is a window, in which each dof has a series
 * that begins at its own time. At an event new series are computed for a region only. The region contains each dof with
 * a motion that the event changes by more than the tolerance before the window ends. */
#ifndef SIM_EVENT_LOCAL_H
#define SIM_EVENT_LOCAL_H

#include "sim/event/region.h"

/* Data of one motion in addition to segment.x, v, lambda. Vectors [d], series [POLYNOMIAL_ORDER + 2][d]. Owned. */
typedef struct EventLocal {
  /* [d] time at which the series of dof i begins, as a fraction of the segment; the series is a polynomial in s -
   * from_i, with s from 0 to limit */
  double *from;
  double limit; /* end of the window, as a fraction of the segment */
  double since; /* fraction of the segment up to which the residual has been examined */
  /* [2 leaves] a binary tree of times, as fractions of the segment. Entry leaves + i: time of the next event of dof i;
   * INFINITY: none. Entries below `leaves`: the minimum of the two nodes below. */
  double *first;
  int leaves;                      /* smallest power of 2 that is at least d */
  double *force;                   /* series of the force f + B u on dof i in N, which begins at from_i; only if
                                    * energies are computed */
  double *resistance;              /* series of the damping and friction force D v + C (lambda - gamma) in N, which
                                    * begins at from_i; only if energies are computed */
  int *sliding;                    /* [d] scratch list */
  double *series[3];               /* scratch for series in time, each used by one function at a time */
  double push;                     /* largest |M_ij|/M_ii between neighbours i and j, with M the mass matrix */
  double coupling;                 /* largest |A_ij|/M_ii between neighbours, in 1/s^2, with A the stiffness matrix */
  double drag;                     /* largest |D_ij|/M_ii between neighbours, in 1/s, with D the damping matrix */
  double reach;                    /* time in s in which the effect of an event spreads to half as many dofs as a region
                                    * may contain */
  double mass, stiffness, damping; /* largest |M_ij| (mass), |A_ij| (stiffness), |D_ij| (damping) between neighbours */
  EventState anchor; /* state at the start of the window, except x and v, which motion->at still contains */
  EventRegion region;
} EventLocal;

/* Allocates the data for local updates. *local is NULL if all dofs get new series at each event. Returns SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus local_create(const EventSystem *system, EventLocal **local);
void local_destroy(EventLocal *local); /* may be NULL */

/* Returns how far the effect of an event of one dof spreads within a given time in s. The result is a number of layers:
 * layer 1 contains the dof's neighbours, layer 2 their neighbours, and so on. The change of force in each layer is
 * estimated, relative to the change of friction at the dof. Layers with a change below EXPANSION_SHARE times the
 * tolerance are not counted. */
int local_layers(const EventSystem *system, const EventLocal *local, double time);

/* Begins a window after the series of its segment have been computed. Sets motion->part and motion->crossing to the
 * next event, or to the end of the window. */
void local_begin(const EventSystem *system, EventMotion *motion);

/* Handles the event at motion->part. *done: set to false if the event changes too many dofs, and therefore ends the
 * window. Returns SIM_OK or SIM_EVENTS_ACCUMULATE. */
SimStatus local_pass(const EventSystem *system, EventMotion *motion, bool *done);

/* Examines the residual of the window from local->since to motion->part (residual.h). */
void local_examine(const EventSystem *system, EventMotion *motion);

/* Evaluates a series of the segment at the fraction `part`: values [d]. */
void local_at(const EventSystem *system, const EventMotion *motion, const double *series, double part, double *values);
/* Adds to spent [SPENT] the energies of all dofs, in J, each from the beginning from_i of its series up to the fraction
 * `part` of the segment. */
void local_spend(const EventSystem *system, const EventMotion *motion, double part, double *spent);

/* Returns the maximum length of a window, in s. */
double local_width(const EventSystem *system, const EventMotion *motion);
/* Updates motion->at.pace, the mean time between events, from which local_width follows. The current window ends at
 * t. */
void local_pace(const EventSystem *system, EventMotion *motion, double t);

/* Returns the time since the start of dof i's series, as a fraction of the segment. */
static inline double local_since(const EventMotion *motion, int i) {
  return motion->part - (event_local(motion) ? motion->local->from[i] : 0);
}

#endif
