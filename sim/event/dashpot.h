/* The motion of one mass with a dash-pot,
 *
 *     m v' = f + B u - k x - f_d + lambda_contact,   x' = v,   |v| = V(w),   w = |f_d| - f_crit >= 0
 *
 * from event to event. While the mass slides, let s be the sign of v, q = |v|, and mu = s (f + B u - k x +
 * lambda_contact) - f_crit the load beyond the threshold. Then
 *
 *     m q' = mu - w.
 *
 * V is a polynomial. Where V' is 0, w has an infinite rate in time, so time is not a good variable. With dt = |V'(w)|
 * dsigma everything is a polynomial of w, without singular points:
 *
 *     dw/dsigma = +-(mu - w)/m,   dq/dsigma = |V'| (mu - w)/m,   dx/dsigma = s q |V'|,   dt/dsigma = |V'|.
 *
 * A law with folds may have several w at one speed. The motion is the limit of steps of backward Euler: with
 * `nearest_velocity` the w nearest to mu at each instant, with `max_dissipation` the largest. Where the motions on both
 * sides of a jump lead back to it, the motion stays between them: at the speed of a fold, or where two w are equally
 * near. */
#ifndef SIM_EVENT_DASHPOT_H
#define SIM_EVENT_DASHPOT_H

#include "sim/dashpot/law.h"
#include "sim/event/event.h"

typedef struct DashpotSystem {
  EventSystem event;                    /* problem, tolerance, max_events */
  DashpotLine law;                      /* V itself */
  double level[DASHPOT_DEGREE_MAX - 1]; /* V at its folds, m/s */
  double reach;                         /* N: largest w at the fold speeds; no speed has a solution beyond */
} DashpotSystem;

typedef enum DashpotMode {
  DASHPOT_STICKS,
  DASHPOT_SLIDES,  /* on a branch of the law; w = 0 for Coulomb's */
  DASHPOT_DEPARTS, /* begins to slide where V' = 0 and w = mu */
  DASHPOT_LEVEL,   /* at the speed of a fold */
  DASHPOT_BETWEEN  /* where the w of two branches are equally near to mu */
} DashpotMode;

/* State of a motion at t, which determines the rest of the motion completely. All members have eight bytes, for
 * checkpoints. */
typedef struct DashpotState {
  double t, x, q, w;
  double work, dissipated; /* J */
  long piece, node, events;
  long mode, slip;
  /* branch of the law, counted from w = 0 on, where odd ones fall; DASHPOT_LEVEL: the fold; DASHPOT_BETWEEN: the lower
   * branch */
  long branch;
  long rest_order;      /* number of derivatives of mu - w, including itself, that are 0 at t */
  SimResidual residual; /* largest residual of the segments before, if examined, like the next */
  double fastest;       /* |v|, m/s */
  /* number of derivatives of mu's distance from the midpoint of two branches that are 0 at t, likewise */
  long ties;
} DashpotState;

enum { DASHPOT_ROWS = POLYNOMIAL_ORDER + 2 };

/* Coefficients of a segment by powers of z in 0..1; z = (sigma or time since the segment began)/span. */
typedef struct DashpotSegment {
  int order;
  double span;
  double clock[DASHPOT_ROWS]; /* elapsed fraction of the force's piece */
  double x[DASHPOT_ROWS], q[DASHPOT_ROWS], w[DASHPOT_ROWS], mu[DASHPOT_ROWS];
  double force[DASHPOT_ROWS]; /* f + B u, N */
  double rate[DASHPOT_ROWS];  /* |V'| */
  double pull[DASHPOT_ROWS];  /* (mu - w)/m */
  double half[DASHPOT_ROWS];  /* DASHPOT_BETWEEN: square of half the difference of the two w */
  double nested[SIM_PIECE_ORDER + 1][DASHPOT_ROWS], slope[DASHPOT_DEGREE_MAX][DASHPOT_ROWS]; /* Horner's rule */
} DashpotSegment;

typedef enum DashpotCrossing {
  DASHPOT_GOES_ON, /* no event up to the end of the segment, or of the force's piece */
  DASHPOT_PAUSES,  /* no event: a new segment begins */
  DASHPOT_RESTS,   /* v = 0, or the load on a stuck mass reaches the threshold */
  DASHPOT_CONTACT, /* x passes the position of the support */
  DASHPOT_TURNS,   /* a fold is reached, or the speed at which the branches of a fold begin: a branch must be chosen */
  DASHPOT_TIES,    /* another branch becomes equally near to mu */
  DASHPOT_LEAVES,  /* DASHPOT_LEVEL, DASHPOT_BETWEEN: one side no longer leads back */
  DASHPOT_JUMPED   /* the force has jumped: a branch must be chosen */
} DashpotCrossing;

/* A motion in progress, in a segment from at.t on. */
typedef struct DashpotMotion {
  DashpotState at;
  DashpotSegment segment;
  double part; /* fraction of the segment up to its event or end */
  DashpotCrossing crossing;
  long fold;          /* fold of DASHPOT_TURNS */
  EventMotion driven; /* data of the force; uses only segment.force, control_force, node_force, watched, observer */
  double control_force, force[POLYNOMIAL_ORDER + 2];
  const SimOriginals *examined; /* functions for its residuals; NULL: not examined; borrowed */
  double most_force;            /* largest force of all pieces, N, if examined */
  SimSensitivity *sensitivity;  /* forward derivatives; NULL: none; borrowed */
  SimAdjoint *adjoint;          /* record for adjoint derivatives; NULL: none; borrowed */
} DashpotMotion;

/* Value of one of a segment's series at z. */
static inline double dashpot_at(const DashpotSegment *segment, const double *series, double z) {
  return polynomial_value(segment->order, 1, series, z);
}

static inline const SimProblem *dashpot_problem_of(const DashpotSystem *system) { return system->event.problem; }

/* Largest rounding error of mu in the current segment, N. */
double dashpot_doubt(const DashpotSystem *system, const DashpotMotion *motion);
/* mu at at.t by the segment's force; for a stuck mass the load itself, N. */
double dashpot_load(const DashpotSystem *system, const DashpotMotion *motion);
/* Rate of mu, N/s. */
double dashpot_rise(const DashpotSystem *system, const DashpotMotion *motion);

/* Stiffness of the springs that act in the current segment, N/m. */
double dashpot_stiffness(const DashpotSystem *system, const DashpotMotion *motion);
/* V'(w) along a part of that segment, m/(N s); in mode DASHPOT_BETWEEN dq/dmu. [DASHPOT_ROWS] by powers of the fraction
 * of that part. */
void dashpot_slope(const DashpotSystem *system, const DashpotMotion *motion, double from, double part, double *slope);

/* Computes the segment from at.t on. It covers a part of the force's piece if the tolerance requires it. */
void dashpot_expand(const DashpotSystem *system, DashpotMotion *motion);
/* For mode DASHPOT_BETWEEN: whether the motions on both branches lead back to it. */
bool dashpot_can_be_between(const DashpotSystem *system, DashpotMotion *motion);
/* p = a b up to an order; p may not be a or b. */
void dashpot_multiply(int order, const double *a, const double *b, double *p);

/* Finds the first event in the segment. */
void dashpot_find_crossing(const DashpotSystem *system, DashpotMotion *motion);

/* Decides what follows the event at the end of the last segment: sets mode, slip, branch and the data that depend on
 * them. */
void dashpot_decide(const DashpotSystem *system, DashpotMotion *motion);
/* Bounds of mu in mode LEVEL at a fold, N: low, high. */
void dashpot_level_bounds(const DashpotSystem *system, long fold, double bounds[2]);

#endif
