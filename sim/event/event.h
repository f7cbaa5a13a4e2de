/* The motion of
 *
 *     M v' + D v + A x + C (lambda - gamma(v)) = f + B u,   x' = v,   lambda_i in sgn(v_i)
 *
 * from event to event. A mode says who slides, and which way: slip_i = sign(v_i), 0 of a dof that sticks. Within a mode the
 * motion is analytic, and a segment of it is a polynomial of s = (t - t0)/width in 0..1; all of d side by side, as in
 * polynomial.h. */
#ifndef SIM_EVENT_EVENT_H
#define SIM_EVENT_EVENT_H

#include "sim/base/pieces.h"
#include "sim/event/polynomial.h"
#include "sim/event/rows.h"
#include "sim/joint/rise.h"

#include <stdint.h>

/* By what part of it a threshold may be passed before a dof counts as beyond: room for round-off. */
static const double EVENT_DOUBT = 1e-13;

/* What no motion changes. Borrowed, but for the matrices. Vectors [d]. */
typedef struct EventSystem {
  int d;
  const struct EventField *field; /* field.h */
  EventRows mass, stiffness, damping;
  EventRows damping_transposed; /* the same where damping is symmetric */
  bool damped;                  /* else damping is not there */
  EventRows
      form; /* what decides who slides: mass, with stiffness of dofs without mass in place of their rows of 0; of a chain mass */
  int massless;          /* so many rows of mass are 0, massless.h: */
  bool *light;           /* [d] which; NULL: the first. Owned */
  const double *springs; /* [d+1] of a chain, N/m; else NULL */
  const double *friction, *beta, *epsilon;
  const double *bias;             /* of thresholds that differ by direction, N; NULL: they do not */
  const struct LawSeries *series; /* of the friction law, law_series.h; NULL: gamma is 0 */
  const SimFrictionTable *table;  /* of a law that is one */
  const SimStops *stops;          /* NULL: none */
  bool mass_is_diagonal;
  int mass_width;             /* of a banded M of many dofs, else 0: inverse.h */
  const struct Springs *laws; /* with a law, spring_series.h; NULL: none has */
  const SimProblem *problem;  /* for its pieces, the control's signal, the end */
  double tolerance;           /* of a segment's polynomials, as a part of their largest coefficient */
  long max_events;
} EventSystem;

enum { ENERGY_ORDER = 2 * POLYNOMIAL_ORDER + 1, ENERGY_ROWS = POLYNOMIAL_ORDER + 2 };
/* Energies that a motion takes and gives: SimEnergy's of these names. */
enum { SPENT_WORK, SPENT_DISSIPATED, SPENT_SURFACE, SPENT };

/* Coefficients of a segment: [POLYNOMIAL_ORDER + 2][d] each. */
typedef struct EventSegment {
  int order;
  double until; /* end of the force's piece or of the control's segment, s */
  double width; /* s, until then at most */
  double *x, *v;
  int force_order;
  double *force;       /* f + B u, N; less the bias of thresholds by direction */
  int threshold_order; /* of the next two; 0 where thresholds do not change */
  double *threshold;   /* c, N */
  int course_order;
  double *course;        /* what of c is a function of time alone, N: of thresholds that change */
  double *bias;          /* of thresholds that change, N, else 0: EventSystem.bias */
  double *gamma;         /* of the law, where thresholds change */
  double *load;          /* f + B u - D v - A x + C gamma(v), less the friction of dofs that slide, N */
  double *a;             /* v', m/s^2 */
  double *lambda;        /* of dofs that stick; where thresholds change c lambda, N; so at an end without friction */
  double *doubt;         /* [d] what round-off may do to it at most */
  double *square, *root; /* what the law's series keeps, law_series.c */
  int energy_order;      /* of velocities and forces */
  double spent[SPENT][ENERGY_ORDER + 1]; /* [2 energy_order + 2] since the segment began, J; if watched */
} EventSegment;

/* Of more dofs the next of all events comes soon: segments are no longer than that asks for. */
enum { EVENT_FEW_DOFS = 64 };

enum { INVERSES = 16 };

/* (M_SS)^-1 of sets S of dofs, the last few: inverse.h. Owned. */
typedef struct EventInverses {
  uint64_t *set; /* [slots][words] a bit a dof */
  int words, slots;
  size_t size; /* numbers of one */
  bool known[INVERSES];
  double *inverse; /* [slots][size] */
  double *part;    /* [size] */
  int *members;    /* [2d] */
} EventInverses;

/* What a motion is at t; all of this and no more decides how it goes on. */
typedef struct EventState {
  double t;            /* s */
  long piece;          /* of the force; all of them: the end has been reached */
  long node;           /* of the control's signal: its segment */
  long *spring;        /* [3d] piece of its law in which an elongation is, of those that have one: spring_series.h */
  long *branch;        /* [d] of gamma ramp 1 where |v_i| > epsilon_i, else 0; of a table the row that holds */
  double *x;           /* m */
  double *v;           /* m/s */
  double pace;         /* of many dofs: about how long it is from event to event, s */
  double speed;        /* largest |v_i| so far, or what thresholds make of a mass until the end, m/s */
  double *fastest;     /* [d] largest |v_i| since dof i began to slide, m/s */
  double spent[SPENT]; /* J */
  double lost;         /* by jumps of dofs without mass, J */
  double impacts;      /* by impacts on stops, J */
  long events, grazes;
  SimResidual residual; /* of the segments behind, if examined */
  long struck, settled; /* SimFinal's impacts, settled */
  bool whole;           /* at an event all dofs get new series, whatever local.h says: derivatives need that */
  signed char *slip;
  signed char *contact;    /* the end that dof i rests on, and cannot go beyond: -1 lower, 1 upper; 0: on none */
  signed char *pressed;    /* the elastic end that pushes dof i, likewise */
  signed char *rest_order; /* derivatives of v_i, from v_i itself on, that vanish at t where dof i begins to slide */
} EventState;

/* What dofs have met an end where the segment under way begins: impact.h. */
typedef struct EventImpact {
  int many;             /* so many */
  int who;              /* the first of them that came at a speed; -1: none has */
  signed char *touched; /* [d], as all below: whether it meets an end, or rests on one */
  signed char *held;    /* whether an end has given it its speed */
  signed char *side;    /* the end that it touches: -1, 1; 0: none */
  double *before;       /* v before it */
  double *rebound;      /* e of what is held; 0 of what stays at the end */
} EventImpact;

/* Vectors [d] of one function each, while it runs, and of marks likewise: no stack has room for them. */
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
  ROOM_WHEN_LINK, /* behind ROOM_WHEN, as the next */
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

/* One motion under way, in a segment from at.t to at.t + part width. */
typedef struct EventMotion {
  EventState at;
  EventSegment segment;
  double part;        /* of the segment, up to its event or its end */
  int crossing;       /* there: Crossing */
  bool *rests;        /* v_i = 0, and a decision is due; without mass: it has reached its threshold or v_i = 0 */
  signed char *meets; /* there dof i meets its lower end, -1, or its upper one, 1; else 0 */
  signed char *told;  /* the end that held or pressed dof i when the observer was last told */
  EventImpact impact;
  signed char *changes_branch;    /* by so many at.branch changes there: -1, 0, 1 */
  double *control_force;          /* B u of a constant, N */
  const double *node_force;       /* [signal_nodes][d] B u at the nodes of sim/core/signal_mix.h, else; borrowed */
  bool watched;                   /* energies are wanted */
  const SimObserver *observer;    /* who learns of events; NULL: none; borrowed */
  struct Interrupt *interrupt;    /* borrowed; NULL: nothing ends it */
  struct EventTangent *tangent;   /* derivatives that go along; NULL: none; borrowed */
  struct EventRecord *record;     /* what is kept for a way back; NULL: nothing; borrowed */
  struct SpringSeries *springs;   /* NULL: no elongation has a law; owned */
  struct EventResidual *residual; /* what is examined; NULL: nothing; owned */
  EventInverses inverses;
  struct Candidate *candidates; /* [d] of crossing.h */
  struct EventLocal *local;     /* NULL: at an event all dofs get new series; owned */
  double *drive;                /* [3][ENERGY_ROWS][d] of surfaces that move, energy.c; NULL: none does */
  double *rooms;                /* [EVENT_ROOMS][d] */
  signed char *marks;           /* [EVENT_MARKS][d] */
  struct EventForce {
    double *series; /* [POLYNOMIAL_ORDER + 2][d] of many dofs: f in a part of its piece, expansion.c */
    long piece;
    int part, order;
    double start, end; /* s */
  } force_part;
  double *mobility;                        /* 1/M_ii, where M is diagonal */
  double *mobility_sliding;                /* the same of dofs that slide, 0 of others */
  double most_friction;                    /* largest c_i, N */
  double *y, *b, *reaction, *doubt, *size; /* of a decision */
} EventMotion;

static inline double *event_room(const EventSystem *system, const EventMotion *motion, EventRoom room) {
  return motion->rooms + (size_t)room * (size_t)system->d;
}
static inline signed char *event_marks(const EventSystem *system, const EventMotion *motion, EventMarks marks) {
  return motion->marks + (size_t)marks * (size_t)system->d;
}

/* Whether dofs have series from different instants: local.h. */
static inline bool event_local(const EventMotion *motion) { return motion->local && !motion->at.whole; }

/* To t, where the next piece of the force and the next segment of the control begin if they do so there. */
void event_state_pass(const EventSystem *system, EventState *at, double t);

static inline bool event_massless(const EventSystem *system, int i) {
  return system->light ? system->light[i] : i < system->massless;
}

static inline bool event_slides(const EventSystem *system, const EventMotion *motion, int i) {
  return motion->at.slip[i] != 0 || (!(system->friction[i] > 0) && motion->at.contact[i] == 0);
}

/* Whether thresholds change, in time or with place. */
static inline bool event_varies(const EventSystem *system) { return rise_varies(system->problem); }

/* The threshold of the way that dof i slides, N, where it does not change. */
static inline double event_threshold(const EventSystem *system, const EventMotion *motion, int i) {
  return system->friction[i] + (system->bias ? motion->at.slip[i] * system->bias[i] : 0);
}

/* Its coefficient of an order in the segment, where it does. */
static inline double event_course(const EventSystem *system, const EventMotion *motion, int i, int order) {
  const EventSegment *g = &motion->segment;
  int at = order * system->d + i;
  return order > g->threshold_order ? 0 : g->threshold[at] + motion->at.slip[i] * g->bias[at];
}

/* Stiffness of the elastic end that pushes dof i, N/m; 0: none does. */
static inline double event_spring(const EventSystem *system, const EventMotion *motion, int i) {
  return system->stops && motion->at.pressed[i] ? system->stops->stiffness[i] : 0;
}
/* What it pushes with, of an order, N. */
static inline double event_push(const EventSystem *system, const EventMotion *motion, int i, int order) {
  double k = event_spring(system, motion, i), x = motion->segment.x[order * system->d + i];
  if (k == 0) return 0;
  return -k * (order ? x : x - (motion->at.pressed[i] < 0 ? system->stops->lower : system->stops->upper)[i]);
}

SimStatus event_motion_init(const EventSystem *system, EventMotion *motion);
void event_motion_clear(EventMotion *motion);

/* To t = 0 with control_force or node_force, watched, observer set. */
SimStatus event_motion_begin(const EventSystem *system, EventMotion *motion, const double *x0, const double *v0);
/* Until the segment under way holds t. SIM_OK; SIM_EVENTS_ACCUMULATE: more than max_events; SIM_OUT_OF_RANGE; SIM_CANCELLED, SIM_TOO_LONG;
 * SIM_NOT_CONVERGED: who moves after an event was not found. Allocates nothing. */
SimStatus event_motion_reach(const EventSystem *system, EventMotion *motion, double t);
/* Makes the segment that motion->at begins, again, and goes on to t, s, without reports. */
void event_motion_resume(const EventSystem *system, EventMotion *motion, double t);
/* What a saved motion goes on from: no later than what has been shown last. */
const EventState *event_motion_saved(const EventSystem *system, const EventMotion *motion);
/* The fastest speed of dof i since it began to slide, with that of its series up to motion->part, m/s. */
double event_motion_fastest(const EventSystem *system, const EventMotion *motion, int i);
/* Lets dofs rest that are as slow as round-off, and decides who slides. SIM_OK, SIM_NOT_CONVERGED. */
SimStatus event_motion_decide(const EventSystem *system, EventMotion *motion);
/* What stands at t in the segment under way, or at the end; lambda: of dofs that slide slip_i; reaction [d]: of stops, if there are
 * any. spent [SPENT]: if watched. */
void event_motion_show(const EventSystem *system, const EventMotion *motion, double t, double *x, double *v,
                       double *lambda, double *reaction, double *spent);

#endif
