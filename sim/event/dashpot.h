/* The motion of one mass with a dash-pot,
 *
 *     m v' = f + B u - k x - f_d + lambda_contact,   x' = v,   |v| = V(w),   w = |f_d| - f_crit >= 0
 *
 * from event to event. While the mass slides, with s the sign of v and q = |v|, and with mu = s (f + B u - k x +
 * lambda_contact) - f_crit, what pushes it beyond the threshold,
 *
 *     m q' = mu - w.
 *
 * The law is a polynomial V, so time is no good variable where it turns or starts flat: w then changes ever faster. With
 * dt = |V'(w)| dsigma all is a polynomial of w, and no place is special:
 *
 *     dw/dsigma = +-(mu - w)/m,   dq/dsigma = |V'| (mu - w)/m,   dx/dsigma = s q |V'|,   dt/dsigma = |V'|.
 *
 * A law with folds may allow several w at a speed. The limit of the steps of backward Euler is: of `nearest_velocity` the
 * w nearest to mu at every instant, of `max_dissipation` the largest. Where the motion of either side leads back, it goes on
 * between them: at the speed of a fold, or where two w are equally near. */
#ifndef SIM_EVENT_DASHPOT_H
#define SIM_EVENT_DASHPOT_H

#include "sim/dashpot/law.h"
#include "sim/event/event.h"

typedef struct DashpotSystem {
  EventSystem event;                    /* its problem, tolerance, max_events */
  DashpotLine law;                      /* V itself */
  double level[DASHPOT_DEGREE_MAX - 1]; /* V at its folds, m/s */
  double reach;                         /* the largest w of these speeds, N: at no speed is there another w beyond */
} DashpotSystem;

typedef enum DashpotMode {
  DASHPOT_STICKS,
  DASHPOT_SLIDES,  /* on a branch of the law; Coulomb's: w = 0 */
  DASHPOT_DEPARTS, /* slides from where V' = 0 and w = mu */
  DASHPOT_LEVEL,   /* at the speed of a fold */
  DASHPOT_BETWEEN  /* where the w of two branches are equally near to mu */
} DashpotMode;

/* What a motion is at t; all of this and no more decides how it goes on. Eight bytes each: a checkpoint has them. */
typedef struct DashpotState {
  double t, x, q, w;
  double work, dissipated; /* J */
  long piece, node, events;
  long mode, slip;
  long
      branch; /* of the law, from w = 0 on: the odd ones fall; DASHPOT_LEVEL: the fold; DASHPOT_BETWEEN: the lower one */
  long rest_order;      /* so many derivatives of mu - w, from itself on, vanish at t */
  SimResidual residual; /* of the segments behind, if examined, as the next */
  double fastest;       /* |v|, m/s */
  long ties;            /* so many derivatives of how far mu is from the middle between two branches, likewise */
} DashpotState;

enum { DASHPOT_ROWS = POLYNOMIAL_ORDER + 2 };

/* Coefficients of z = (sigma or time since the segment began)/span in 0..1. */
typedef struct DashpotSegment {
  int order;
  double span;
  double clock[DASHPOT_ROWS]; /* part of the force's width that has passed */
  double x[DASHPOT_ROWS], q[DASHPOT_ROWS], w[DASHPOT_ROWS], mu[DASHPOT_ROWS];
  double force[DASHPOT_ROWS]; /* f + B u, N */
  double rate[DASHPOT_ROWS];  /* |V'| */
  double pull[DASHPOT_ROWS];  /* (mu - w)/m */
  double half[DASHPOT_ROWS];  /* DASHPOT_BETWEEN: the square of half the difference of the two w */
  double nested[SIM_PIECE_ORDER + 1][DASHPOT_ROWS], slope[DASHPOT_DEGREE_MAX][DASHPOT_ROWS]; /* Horner's rule */
} DashpotSegment;

typedef enum DashpotCrossing {
  DASHPOT_GOES_ON, /* to the end of the segment, or of the force's width */
  DASHPOT_PAUSES,  /* no event: another segment */
  DASHPOT_RESTS,   /* v = 0, or what sticks reaches the threshold */
  DASHPOT_CONTACT, /* x passes the support's place */
  DASHPOT_TURNS,   /* a fold is reached, or the speed where a fold's branches begin to be: choose */
  DASHPOT_TIES,    /* another branch becomes as near */
  DASHPOT_LEAVES,  /* DASHPOT_LEVEL, DASHPOT_BETWEEN: one side no longer leads back */
  DASHPOT_JUMPED   /* the force has jumped: choose */
} DashpotCrossing;

/* One motion under way, in a segment from at.t on. */
typedef struct DashpotMotion {
  DashpotState at;
  DashpotSegment segment;
  double part; /* of the segment, up to its event or its end */
  DashpotCrossing crossing;
  long fold;          /* of DASHPOT_TURNS */
  EventMotion driven; /* by the force: its segment.force, control_force, node_force, watched, observer alone */
  double control_force, force[POLYNOMIAL_ORDER + 2];
  const SimOriginals *examined; /* from which its residuals are found; NULL: not; borrowed */
  double most_force;            /* of all pieces, N, if so */
  SimSensitivity *sensitivity;  /* derivatives that go along; NULL: none; borrowed */
  SimAdjoint *adjoint;          /* what is kept for a way back; NULL: nothing; borrowed */
} DashpotMotion;

/* One of a segment's series at z. */
static inline double dashpot_at(const DashpotSegment *segment, const double *series, double z) {
  return polynomial_value(segment->order, 1, series, z);
}

static inline const SimProblem *dashpot_problem_of(const DashpotSystem *system) { return system->event.problem; }

/* What round-off may do to mu in the segment under way, N. */
double dashpot_doubt(const DashpotSystem *system, const DashpotMotion *motion);
/* mu at at.t by the segment's force, or, of what sticks, the load itself, N. */
double dashpot_load(const DashpotSystem *system, const DashpotMotion *motion);
/* Its rate, N/s. */
double dashpot_rise(const DashpotSystem *system, const DashpotMotion *motion);

/* The stiffness of the springs that act in the segment under way, N/m. */
double dashpot_stiffness(const DashpotSystem *system, const DashpotMotion *motion);
/* V'(w) along a part of that segment, m/(N s), of mode DASHPOT_BETWEEN dq/dmu: [DASHPOT_ROWS] by the powers of that part. */
void dashpot_slope(const DashpotSystem *system, const DashpotMotion *motion, double from, double part, double *slope);

/* The segment from at.t on, over a part of the force's width where that is too long for the tolerance. */
void dashpot_expand(const DashpotSystem *system, DashpotMotion *motion);
/* Of mode DASHPOT_BETWEEN: whether the motions on both branches lead back to it. */
bool dashpot_can_be_between(const DashpotSystem *system, DashpotMotion *motion);
/* p = a b up to an order; p may not be a or b. */
void dashpot_multiply(int order, const double *a, const double *b, double *p);

/* The first event within the segment. */
void dashpot_find_crossing(const DashpotSystem *system, DashpotMotion *motion);

/* What happens at the event that the last segment has ended with: sets mode, slip, branch and what goes with them. */
void dashpot_decide(const DashpotSystem *system, DashpotMotion *motion);
/* Where a law with folds has mode LEVEL end, mu in between, N: low, high. */
void dashpot_level_bounds(const DashpotSystem *system, long fold, double bounds[2]);

#endif
