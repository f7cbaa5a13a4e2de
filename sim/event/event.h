/* SPDX-License-Identifier: BSD-2-Clause */
/* The motion of
 *
 *     M v' + D v + A x + C (lambda - gamma(v)) = f + B u,   x' = v,   lambda_i in sgn(v_i)
 *
 * from event to event. A mode is the set of dofs that slide, with their directions: slip_i = sign(v_i), 0 for a dof
 * that sticks. Within a mode the motion is analytic. Words of this folder:
 *
 *     segment   an interval from t0 to t0 + width without events, x and v are polynomials of s = (t - t0)/width
 *     series    the coefficients [order + 1][d] of such polynomials, for all d dofs side by side as in polynomial.h
 *     part      a fraction of a segment, 0..1
 *     piece     an interval in which the force f is one polynomial
 *     node      the number of an interval of the control
 *     order     the index of a coefficient: that of s^k has order k
 *     end       the lower or the upper limit of x_i by a stop, rigid or elastic
 *     doubt     an upper bound of a rounding error */
#ifndef SIM_EVENT_EVENT_H
#define SIM_EVENT_EVENT_H

#include "sim/base/pieces.h"
#include "sim/base/polynomial.h"
#include "sim/event/rows.h"
#include "sim/joint/rise.h"
#include "sim/joint/stops.h"
#include "sim/law/friction_series.h"

#include <stdint.h>

/* A friction force that exceeds its threshold by at most this, relatively, does so by rounding. */
static const double EVENT_DOUBT = 1e-13;

/* Data of a model, which its motions do not change. Borrowed, except the matrices. Vectors are [d]. */
typedef struct EventSystem {
  int d;
  const struct EventField *field; /* the equation of motion: functions that compute the series (field.h) */
  EventRows mass, stiffness, damping;
  EventRows damping_transposed; /* transpose of damping; the same rows if damping is symmetric */
  bool damped;                  /* whether D is not 0; if false, damping is empty */
  /* matrix H of decision.h: the mass matrix plus, for friction models, the stiffness between dofs without mass */
  EventRows form;
  int massless;          /* number of dofs without mass (massless.c) */
  bool *light;           /* [d] whether a dof has no mass; NULL: the first `massless` dofs have none. Owned */
  const double *springs; /* [d+1] springs of a chain, in N/m; NULL: no chain */
  const double *friction, *beta, *epsilon;
  const double *bias;            /* half the difference of the thresholds of both directions, in N; NULL: thresholds do
                                  * not depend on direction */
  const FrictionSeries *series;  /* series of the friction law (sim/law/friction_series.h); NULL: gamma is 0 */
  const SimFrictionTable *table; /* friction table of a measured law */
  const SimStops *stops;         /* NULL: none */
  bool mass_is_diagonal;
  int mass_width;             /* bandwidth of M if M is banded and there are many dofs, otherwise 0 (inverse.h) */
  const struct Springs *laws; /* springs with a law (spring_series.h); NULL: none */
  const SimProblem *problem;  /* the problem, for the pieces of its force, the control's signal and the end time */
  bool varies;                /* whether thresholds vary with time or position */
  double tolerance;           /* tolerance of a segment's polynomials, relative to their largest coefficients */
  long max_events;
} EventSystem;

/* ENERGY_ORDER: order of the polynomials of energies, which are integrals of products of two series. ENERGY_ROWS:
 * maximum number of coefficients of the series of moving surfaces. */
enum { ENERGY_ORDER = 2 * POLYNOMIAL_ORDER + 1, ENERGY_ROWS = POLYNOMIAL_ORDER + 2 };
/* Indices of the energies that a motion sums up; they are members of SimEnergy. */
enum { SPENT_WORK, SPENT_DISSIPATED, SPENT_SURFACE, SPENT };

/* A segment of a motion, with series [POLYNOMIAL_ORDER + 2][d]. */
typedef struct EventSegment {
  int order;
  double until; /* end of the force's piece or of the control's segment, whichever is earlier, in s */
  double width; /* length of the segment, in s; it ends at `until` or earlier */
  double *x, *v;
  int force_order;
  double *force;       /* f + B u, minus the bias of thresholds by direction, in N */
  int threshold_order; /* order of the polynomials threshold and bias; 0 for constant thresholds */
  double *threshold;   /* threshold c_i in N */
  int course_order;
  double *course; /* for varying thresholds: the part of c_i that depends on time only, in N, of order course_order */
  double *bias;   /* bias of varying thresholds, in N; 0 if thresholds do not depend on direction, or do not vary */
  double *gamma;  /* series of gamma(v_i), if thresholds vary */
  double *load;   /* f + B u - D v - A x + C gamma(v), minus the friction of dofs that slide, in N; it accelerates the
                   * mass */
  double *a;      /* acceleration v' in m/s^2 */
  /* for dofs that stick or rest at a stop: lambda_i. If thresholds vary or dof i has no friction, lambda contains the
   * holding force c_i lambda_i, in N, since there is no constant divisor c_i */
  double *lambda;
  double *doubt;         /* [d] largest rounding error of lambda, in the unit of lambda */
  FrictionPath path;     /* pointers to arrays of the segment and of `at`, for the law's series (drop.h) */
  double *square, *root; /* intermediate series of the friction law (sim/law/friction_series.h) */
  int energy_order;      /* order of the velocities and forces from which energies are computed */
  /* series of the energies since the segment's start, in J, of order 2 energy_order + 1; only if energies are
   * computed */
  double spent[SPENT][ENERGY_ORDER + 1];
} EventSegment;

/* A model with more dofs than this has "many dofs". In such a model the next event comes so soon that segments are
 * limited to the expected time of the next event. */
enum { EVENT_FEW_DOFS = 64 };

/* maximum number of sets S with a stored inverse */
enum { INVERSES = 16 };

/* (M_SS)^-1 for the last few sets S of dofs (inverse.h). All arrays are owned. */
typedef struct EventInverses {
  uint64_t *set; /* [slots][words] set S of each slot, one bit for each dof */
  int words, slots;
  size_t size;          /* number of doubles of one inverse */
  bool known[INVERSES]; /* whether the inverse in each slot has been computed */
  double *inverse;      /* [slots][size] inverse (M_SS)^-1 of each slot */
  double *part;         /* [size] scratch for a submatrix */
  int *members;         /* [2d] scratch for lists of dofs */
} EventInverses;

/* State of a motion at time t, which determines the rest of the motion completely. */
typedef struct EventState {
  double t;   /* time, in s */
  long piece; /* index of the force's piece; equal to the number of pieces after the end of the motion */
  long node;  /* index of the segment of the control */
  /* [3d] for each law of an elongation (spring_series.h): index of the piece in which the elongation is */
  long *spring;
  /* [d] index of the branch of gamma, an interval of speeds: for the law `ramp` 1 if |v_i| > epsilon_i, else 0; for a
   * table the row that contains v_i */
  long *branch;
  double *x;   /* positions, in m */
  double *v;   /* velocities, in m/s */
  double pace; /* for many dofs: estimated time between two events of the motion, in s */
  /* largest |v_i| so far, in m/s, but at least the speed that the force of a threshold could give a mass in the whole
   * time */
  double speed;
  double *fastest;     /* [d] largest |v_i| since dof i began to slide, in m/s */
  double spent[SPENT]; /* energies up to t, in J */
  double lost;         /* energy lost in jumps of dofs without mass, in J */
  double impacts;      /* energy lost in impacts on stops, in J */
  long events, grazes;
  SimResidual residual; /* largest residual of the segments before t, if the motion is examined (residual.h) */
  long struck, settled; /* number of impacts (SimFinal.impacts), and number of times that a dof came to rest at a stop
                         * after ever smaller bounces (SimFinal.settled) */
  /* whether all dofs get new series at each event, without local updates (local.h); derivatives require this */
  bool whole;
  signed char *slip;
  signed char *contact; /* the rigid stop at which dof i rests: -1 lower, 1 upper; 0: none */
  signed char *pressed; /* the elastic stop that pushes dof i: -1 lower, 1 upper; 0: none */
  /* number of leading derivatives of v_i, from v_i itself on, that are 0 at t when dof i begins to slide */
  signed char *rest_order;
} EventState;

/* Impact at the start of the current segment (impact.h). */
typedef struct EventImpact {
  int many;             /* number of dofs that met a stop */
  int first;            /* index of the first of these dofs with a nonzero speed; -1: none */
  signed char *touched; /* [d], like all arrays below: whether dof i reaches a stop, or rests at one */
  signed char *held;    /* whether a stop determines the speed of dof i after the impact */
  signed char *side;    /* the stop that dof i touches: -1 lower, 1 upper; 0: none */
  double *before;       /* v_i before the impact, in m/s */
  double *rebound;      /* coefficient of restitution e of dof i; 0 if it stays at the stop */
} EventImpact;

/* Indices of scratch vectors [d] and of scratch marks [d], each used by one function at a time. Such vectors would be
 * too large for the stack. */
typedef enum EventRoom {
  ROOM_EXACT,
  ROOM_WAY,
  ROOM_ACCELERATION,
  ROOM_DIVISOR,
  ROOM_PULL,
  ROOM_ANSWER,
  ROOM_JUMP,
  ROOM_CHANGE,
  ROOM_THRESHOLD,
  ROOM_LOAD,
  ROOM_MOVED,
  ROOM_FORCE,
  ROOM_WHEN,
  ROOM_WHEN_LINK, /* ROOM_WHEN_LINK, ROOM_WHEN_RISE and the vector before them are used as one array [3d] */
  ROOM_WHEN_RISE,
  ROOM_LOST,
  ROOM_CHANGE_OF_V,
  ROOM_CHANGE_OF_LAMBDA,
  ROOM_RUB,
  ROOM_DAMPER,
  ROOM_STEEPEST,
  ROOM_LAWS,
  ROOM_OF_A,
  ROOM_OF_B,
  ROOM_BALANCE,
  ROOM_BALANCE_DOUBT,
  ROOM_STRETCH,
  ROOM_SHIFT,
  ROOM_LEFT,
  ROOM_RATE,
  ROOM_SIZE,
  ROOM_PIVOT,
  ROOM_CARRY,
  ROOM_RIGHT,
  ROOM_PATH,
  EVENT_ROOMS
} EventRoom;
typedef enum EventMarks {
  MARKS_MOVING,
  MARKS_SLIDING,
  MARKS_FREE,
  MARKS_BEFORE,
  MARKS_PART,
  MARKS_WAY,
  MARKS_GO,
  MARKS_NEXT,
  EVENT_MARKS
} EventMarks;

/* A motion in progress, in a segment from at.t to at.t + part * width. */
typedef struct EventMotion {
  EventState at;
  EventSegment segment;
  double part;  /* fraction of the segment at which its first event is; 1 if it has none */
  int crossing; /* type of this event, a value of Crossing (crossing.h) */
  /* [d] dofs for which a decision must find whether they slide: v_i is 0 or, for a dof without mass, its threshold is
   * reached */
  bool *rests;
  signed char *meets; /* [d] the stop that dof i meets at the event: -1 lower, 1 upper; 0: none */
  /* [d] the stop that held or pushed dof i when the observer last received an event: -1 lower, 1 upper; 0: none */
  signed char *reported;
  EventImpact impact;
  signed char *changes_branch; /* [d] change of at.branch at the event: -1, 0, 1 */
  double *control_force;       /* B u of a constant control, in N */
  /* [signal_nodes][d] B u of a time-varying control, at the nodes of sim/core/signal_mix.h; borrowed */
  const double *node_force;
  /* whether the motion waits at the start of each segment, before its series are computed; event_motion_begin and
   * event_motion_reach then return with `waits` set, and event_motion_continue goes on */
  bool pauses, waits;
  bool watched;                   /* whether energies are computed, for an observer or for the energy balance */
  const SimObserver *observer;    /* receives the events of the motion; NULL: none; borrowed */
  struct Interrupt *interrupt;    /* limits of work and stop requests; NULL: no limits; borrowed */
  struct EventTangent *tangent;   /* forward derivatives (tangent.h); NULL: none; borrowed */
  struct EventReadings *readings; /* quantities to compute along the motion (readings.h); NULL: none; borrowed */
  struct EventRecord *record;     /* record for adjoint derivatives (record.h); NULL: none; borrowed */
  struct SpringSeries *springs;   /* series of spring laws (spring_series.h); NULL: no elongation has a law; owned */
  struct EventResidual *residual; /* independent check of the motion (residual.h); NULL: none; owned */
  EventInverses inverses;
  struct Candidate *candidates; /* [d] first event of each dof in the segment (crossing.h) */
  struct EventLocal *local;     /* data of local updates (local.h); NULL: at each event all dofs get new series;
                                 * owned */
  double *drive;                /* [3][ENERGY_ROWS][d] series of moving surfaces (energy.c); NULL: no surface moves */
  double *rooms;                /* [EVENT_ROOMS][d] scratch vectors */
  signed char *marks;           /* [EVENT_MARKS][d] scratch marks */
  struct EventForce {
    double *series; /* for many dofs: series of the force f in a part of its piece (expansion.c), [POLYNOMIAL_ORDER +
                     * 2][d] */
    long piece;
    int part, order;
    double start, end; /* start and end of this part, in s */
  } force_part;
  double *mobility;         /* 1/M_ii if M is diagonal */
  double *mobility_sliding; /* 1/M_ii for dofs that slide, 0 for others, if M is diagonal */
  double most_friction;     /* largest threshold c_i in N */
  /* data of a mechanism's equation of motion (field.h); owned; NULL: the model is no mechanism */
  struct MechanismMotion *mechanism;
  /* copy of the system for this motion alone, because its matrices change during the motion; owned; NULL: the model's
   * system is used */
  EventSystem *system;
  double *y, *b, *reaction, *doubt, *size; /* [d] scratch of a decision (decision.h) */
} EventMotion;

static inline double *event_room(const EventSystem *system, const EventMotion *motion, EventRoom room) {
  return motion->rooms + (size_t)room * (size_t)system->d;
}
static inline signed char *event_marks(const EventSystem *system, const EventMotion *motion, EventMarks marks) {
  return motion->marks + (size_t)marks * (size_t)system->d;
}

/* Whether the series of different dofs may begin at different times (local.h). */
static inline bool event_local(const EventMotion *motion) { return motion->local && !motion->at.whole; }

/* Advances the state to t, including the next piece of the force and the next segment of the control if they begin
 * there. */
void event_state_pass(const EventSystem *system, EventState *at, double t);

static inline bool event_massless(const EventSystem *system, int i) {
  return system->light ? system->light[i] : i < system->massless;
}

static inline bool event_slides(const EventSystem *system, const EventMotion *motion, int i) {
  return motion->at.slip[i] != 0 || (!(system->friction[i] > 0) && motion->at.contact[i] == 0);
}

/* Whether thresholds vary with time or position. */
static inline bool event_varies(const EventSystem *system) { return system->varies; }

/* Returns the constant threshold of dof i in its sliding direction, in N. */
static inline double event_threshold(const EventSystem *system, const EventMotion *motion, int i) {
  return system->friction[i] + (system->bias ? motion->at.slip[i] * system->bias[i] : 0);
}

/* Returns coefficient `order` of the varying threshold of dof i in its sliding direction, in N. */
static inline double event_course(const EventSystem *system, const EventMotion *motion, int i, int order) {
  const EventSegment *g = &motion->segment;
  int at = order * system->d + i;
  return order > g->threshold_order ? 0 : g->threshold[at] + motion->at.slip[i] * g->bias[at];
}

/* Returns the stiffness of the elastic stop that pushes dof i, in N/m; 0: none does. */
static inline double event_spring(const EventSystem *system, const EventMotion *motion, int i) {
  return system->stops ? stops_slope(system->stops, i, motion->at.pressed[i]) : 0;
}
/* Returns coefficient `order` of the force of the elastic stop that pushes dof i, in N. */
static inline double event_push(const EventSystem *system, const EventMotion *motion, int i, int order) {
  if (!system->stops || !motion->at.pressed[i]) return 0;
  return stops_push_term(system->stops, i, motion->at.pressed[i], order, motion->segment.x[order * system->d + i]);
}

/* Returns the end of the current segment, in s: the time of the segment's event, or the end of the interval on which
 * the segment's polynomials hold. */
static inline double event_segment_end(const EventMotion *m) {
  const EventSegment *g = &m->segment;
  double t = m->at.t + g->width * m->part;
  bool whole = m->part == 1 && m->crossing == 0 && g->width == g->until - m->at.t;
  return whole || t >= g->until ? g->until : t;
}

SimStatus event_motion_init(const EventSystem *system, EventMotion *motion);
void event_motion_clear(EventMotion *motion);

/* Starts a motion at t = 0. The caller must have set control_force or node_force, watched and observer. */
SimStatus event_motion_begin(const EventSystem *system, EventMotion *motion, const double *x0, const double *v0);
/* Advances until the current segment contains t. Allocates nothing. Returns SIM_OK; SIM_EVENTS_ACCUMULATE: more than
 * max_events; SIM_OUT_OF_RANGE; SIM_CANCELLED; SIM_TOO_LONG; or SIM_NOT_CONVERGED: the dofs that move after an event
 * were not found. */
SimStatus event_motion_reach(const EventSystem *system, EventMotion *motion, double t);
/* Computes the series of the segment before which the motion waits, and the event of the segment. */
SimStatus event_motion_continue(const EventSystem *system, EventMotion *motion);
/* Computes the segment that begins at motion->at again, and continues to t, in s, without reporting events. */
void event_motion_resume(const EventSystem *system, EventMotion *motion, double t);
/* Returns the state that a checkpoint saves. It is not later than the last output time. */
const EventState *event_motion_saved(const EventSystem *system, const EventMotion *motion);
/* Returns the largest speed of dof i since it began to slide, in m/s, including the current segment up to
 * motion->part. */
double event_motion_fastest(const EventSystem *system, const EventMotion *motion, int i);
/* Sets dofs to rest if their velocity is rounding error, and decides which dofs slide. Returns SIM_OK or
 * SIM_NOT_CONVERGED. */
SimStatus event_motion_decide(const EventSystem *system, EventMotion *motion);
/* Computes the state at time t in the current segment, or at the end of the motion: x, v and lambda [d], where lambda_i
 * is slip_i for dofs that slide; the reactions of stops [d], in N, if there are stops; and the energies spent [SPENT],
 * in J, if energies are computed. */
void event_motion_show(const EventSystem *system, const EventMotion *motion, double t, double *x, double *v,
                       double *lambda, double *reaction, double *spent);

#endif
