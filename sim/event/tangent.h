/* Derivatives of a motion with regard to what it depends on, columns X = d(x, v)/dz.
 *
 * Between events the variational equation, by the same powers of time as the motion:
 *
 *     X_x' = X_v,    M_SS X_v,S' = [dg/dz - D X_v - A X_x + C gamma'(v) X_v]_S,    X_v,K = 0
 *
 * Where a sliding dof i comes to rest at tau, a- and a+ being v' before and after:
 *
 *     X_v+ = X_v- + (a- - a+) dtau,    dtau = -(row of v_i in X_v-)/a_i-
 *
 * Where one begins to slide, and at breaks of the force and the control, nothing jumps. */
#ifndef SIM_EVENT_TANGENT_H
#define SIM_EVENT_TANGENT_H

#include "sim/event/event.h"

/* What a motion depends on. */
typedef enum SimDependence {
  SIM_ON_CONTROL,
  SIM_ON_POSITION, /* x0_i */
  SIM_ON_VELOCITY, /* v0_i */
  SIM_ON_FRICTION, /* c_i */
  SIM_ON_MASS,     /* M_ii */
  SIM_ON_DAMPING,  /* D_ii */
  SIM_ON_BETA      /* of gamma */
} SimDependence;

/* What a column is the derivative with regard to. */
typedef struct EventColumn {
  SimDependence on;
  int entry; /* of the control [p segments], else a dof */
} EventColumn;

typedef struct EventTangent EventTangent;
struct EventTangent {
  int n;                      /* columns */
  const EventColumn *columns; /* borrowed */
  double *x, *v;              /* [n][d] each, at motion->at.t; owned, as the rest in one block */
  bool smooth;                /* there is a derivative so far: no dof grazed, no two came to rest at one instant */
  double *series;             /* v of a column under way [TANGENT_ORDER + 2][d] */
  double *slope;              /* gamma'(v) of a segment [POLYNOMIAL_ORDER + 1][d], where gamma is sqrt */
  double *before;             /* [d] v' before an event */
};

enum { TANGENT_ORDER = 80 };

/* n columns, borrowed. SIM_OK, SIM_NO_MEMORY. */
SimStatus tangent_init(const EventSystem *system, int n, const EventColumn *columns, EventTangent *tangent);
void tangent_clear(EventTangent *tangent);

/* At t = 0. */
void tangent_begin(const EventSystem *system, const EventMotion *motion, EventTangent *tangent);
/* To the end of the segment under way. */
void tangent_leave(const EventSystem *system, EventMotion *motion, EventTangent *tangent);
/* What jumps where the next one begins; slip: [d] as it was before. */
void tangent_enter(const EventSystem *system, const EventMotion *motion, EventTangent *tangent,
                   const signed char *slip);

#endif
