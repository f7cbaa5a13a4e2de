/* SPDX-License-Identifier: BSD-2-Clause */
/* The motion of one mass with a dash-pot,
 *
 *   m v' = f + B u - k x - f_d + lambda_contact, x' = v, |v| = V(w), w = |f_d| - f_crit >= 0
 *
 * from event to event. While the mass slides, let s be the sign of v, q = |v|, and mu = s (f + B u - k x +
 * lambda_contact) - f_crit the load beyond the threshold. Then
 *
 *   m q' = mu - w.
 *
 * V is a polynomial. Where V' is 0, w has an infinite rate in time, so time is not a good variable. With dt = |V'(w)|
 * dsigma everything is a polynomial of w, without singular points:
 *
 *   dw/dsigma = +-(mu - w)/m, dq/dsigma = |V'| (mu - w)/m, dx/dsigma = s q |V'|, dt/dsigma = |V'|.
 *
 * A law with folds (extrema of V) may have several w at one speed. The motion is the limit of steps of backward Euler:
 * with the selection `nearest_velocity` w is the solution nearest to mu at each time, with `max_dissipation` the
 * largest one. If the motions on both sides of a jump of w lead back to the jump, the motion stays between them: at the
 * speed of a fold, or where two solutions w are equally near to mu. */
#ifndef SIM_EVENT_DASHPOT_H
#define SIM_EVENT_DASHPOT_H

#include "sim/dashpot/law.h"
#include "sim/event/event.h"

typedef struct DashpotSystem {
  EventSystem event;                    /* of this EventSystem only the members problem, tolerance and max_events are
                                         * used */
  DashpotLine law;                      /* the law V(w) of the dash-pot */
  double level[DASHPOT_DEGREE_MAX - 1]; /* speeds V(w) at the folds of the law, in m/s */
  double reach; /* largest w, in N, at which V(w) is the speed of a fold (an extremum of V); for larger w the speed
                 * determines w */
} DashpotSystem;

typedef enum DashpotMode {
  DASHPOT_STICKS,
  /* slides on a branch of the law V(w), the speed at a force w above the threshold; w = 0 by Coulomb's law */
  DASHPOT_SLIDES,
  DASHPOT_DEPARTS, /* begins to slide at a point of the law where V'(w) = 0 and w = mu (dashpot.h) */
  DASHPOT_LEVEL,   /* slides at the constant speed of a fold (an extremum of V) */
  DASHPOT_BETWEEN  /* slides so that the w of two branches of the law stay equally near to mu */
} DashpotMode;

/* State of a motion at time t, in s: position x in m; speed q in m/s; excess w of the dash-pot's force in N. This
 * state determines the rest of the motion completely. All members have eight bytes, because checkpoints contain the
 * struct. */
typedef struct DashpotState {
  double t, x, q, w;
  double work, dissipated; /* work of f + B u, and dissipated energy, in J */
  long piece, node, events;
  long mode, slip;
  /* index of the branch of the law, from w = 0 on; V decreases on branches with an odd index. In mode DASHPOT_LEVEL:
   * index of the fold. In mode DASHPOT_BETWEEN: index of the lower branch. */
  long branch;
  long rest_order;      /* number of leading derivatives of mu - w at t that are 0, counting mu - w itself */
  SimResidual residual; /* largest residual of the segments before t, if the motion is examined */
  double fastest;       /* largest |v| so far, in m/s, if the motion is examined */
  /* A branch is a monotone part of the law V(w). While the mass slides on one branch, another branch may have a
   * solution w of V(w) = q that is as near to the load mu as the present w; the two are then tied. ties: 0 if there is
   * no such solution at t; 1 if the motion has just changed to the other branch because of a tie; 2 if it has just left
   * mode DASHPOT_BETWEEN. It is the number of leading orders, from 0 on, that are 0 at t in the series that is positive
   * while the present w is the nearer one. */
  long ties;
} DashpotState;

/* maximum number of coefficients of a series: orders 0 to POLYNOMIAL_ORDER + 1 */
enum { DASHPOT_ROWS = POLYNOMIAL_ORDER + 2 };

/* Coefficients of the quantities of a segment by powers of z in 0..1. z is sigma, or the time since the segment began,
 * divided by its value at the end of the segment (span). */
typedef struct DashpotSegment {
  int order; /* order of all series */
  double span;
  double clock[DASHPOT_ROWS]; /* time since the segment began, as a fraction of driven.segment.width */
  double x[DASHPOT_ROWS], q[DASHPOT_ROWS], w[DASHPOT_ROWS], mu[DASHPOT_ROWS];
  double force[DASHPOT_ROWS]; /* f + B u in N */
  double rate[DASHPOT_ROWS];  /* |V'(w)|, m/(N s) */
  double pull[DASHPOT_ROWS];  /* (mu - w)/m, m/s^2 */
  double half[DASHPOT_ROWS];  /* for mode DASHPOT_BETWEEN: square of half the difference of the two w, N^2 */
  /* intermediate results of Horner's rule for V(w(z)), as series in z */
  double nested[SIM_PIECE_ORDER + 1][DASHPOT_ROWS], slope[DASHPOT_DEGREE_MAX][DASHPOT_ROWS];
} DashpotSegment;

typedef enum DashpotCrossing {
  DASHPOT_GOES_ON, /* no event up to the end of the segment, or of the force's piece */
  DASHPOT_PAUSES,  /* no event: a new segment begins */
  DASHPOT_RESTS,   /* v = 0, or the load on a stuck mass reaches the threshold */
  DASHPOT_CONTACT, /* x passes the position of the support: contact begins or ends */
  DASHPOT_TURNS,   /* w reaches a fold, or q the speed of a fold, where branches begin: a branch must be chosen */
  DASHPOT_TIES,    /* the w of another branch becomes as near to mu as the current w */
  DASHPOT_LEAVES,  /* in modes DASHPOT_LEVEL and DASHPOT_BETWEEN: the motion on one side no longer leads back, so the
                    * mode ends */
  DASHPOT_JUMPED   /* the force has jumped: a branch must be chosen */
} DashpotCrossing;

/* A motion in progress, in a segment from at.t on. */
typedef struct DashpotMotion {
  DashpotState at;
  DashpotSegment segment;
  double part; /* fraction of the segment up to its event, or 1 */
  DashpotCrossing crossing;
  long fold; /* index of the fold that w or q has reached, if the event is DASHPOT_TURNS */
  /* data of the force, in the struct that other motions of this scheme use; only its members segment.force,
   * control_force, node_force, watched and observer are used */
  EventMotion driven;
  double control_force, force[POLYNOMIAL_ORDER + 2];
  /* the problem's functions, with which residuals are computed; NULL: the motion is not examined; borrowed */
  const SimOriginals *examined;
  double most_force;           /* largest |f| of all pieces, in N, if the motion is examined */
  SimSensitivity *sensitivity; /* forward derivatives; NULL: none; borrowed */
  SimAdjoint *adjoint;         /* record for adjoint derivatives; NULL: none; borrowed */
} DashpotMotion;

/* Returns the value at z of one of the segment's series, a row of coefficients. */
static inline double dashpot_at(const DashpotSegment *segment, const double *series, double z) {
  return polynomial_value(segment->order, 1, series, z);
}

static inline const SimProblem *dashpot_problem_of(const DashpotSystem *system) { return system->event.problem; }

/* Returns the sign s of v (dashpot.h); 1 for a mass at rest. */
static inline double dashpot_sign(const DashpotMotion *motion) {
  return motion->at.mode == DASHPOT_STICKS ? 1 : (double)motion->at.slip;
}

/* Returns the largest rounding error of the load mu in the current segment, in N. */
double dashpot_doubt(const DashpotSystem *system, const DashpotMotion *motion);
/* Returns the load mu at the time at.t, in N. For a mass at rest this is f + B u - k x + lambda_contact. */
double dashpot_load(const DashpotSystem *system, const DashpotMotion *motion);
/* Returns the time derivative of the load mu, N/s. */
double dashpot_rise(const DashpotSystem *system, const DashpotMotion *motion);

/* Returns the stiffness of the springs that act in the current segment, in N/m. */
double dashpot_stiffness(const DashpotSystem *system, const DashpotMotion *motion);
/* Computes the derivative of q by w, V'(w), m/(N s), or dq/dmu in mode DASHPOT_BETWEEN, as a series over the part
 * [from, from + part] of the current segment. slope [DASHPOT_ROWS]: coefficients by powers of the fraction of that
 * part. */
void dashpot_slope(const DashpotSystem *system, const DashpotMotion *motion, double from, double part, double *slope);

/* Computes the segment from at.t on. The segment ends before the force's piece if the tolerance requires it. */
void dashpot_expand(const DashpotSystem *system, DashpotMotion *motion);
/* Whether mode DASHPOT_BETWEEN is possible: if mu leaves the midpoint between the w of two branches, the motions on
 * both branches lead it back. */
bool dashpot_can_be_between(const DashpotSystem *system, DashpotMotion *motion);
/* Computes the product p = a b of two series up to an order; p may not be a or b. */
void dashpot_multiply(int order, const double *a, const double *b, double *p);

/* Finds the first event in the segment. */
void dashpot_find_crossing(const DashpotSystem *system, DashpotMotion *motion);

/* Decides what follows the event at the end of the last segment: sets mode, slip, branch and the data that depend on
 * them. */
void dashpot_decide(const DashpotSystem *system, DashpotMotion *motion);
/* Computes the lowest and the highest load mu, in N, for which the mass stays at the speed of a fold (mode
 * DASHPOT_LEVEL). */
void dashpot_level_bounds(const DashpotSystem *system, long fold, double bounds[2]);

#endif
