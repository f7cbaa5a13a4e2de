/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of a motion: the final state, and the state at each output time, which an observer receives. Included by
 * sim/sim.h. */
#ifndef SIM_OBSERVER_H
#define SIM_OBSERVER_H

#include "sim/status.h"

#include <stdbool.h>

SIM_API_BEGIN

/* Kinds of residuals of an examined motion. Each residual is relative to a scale of the motion. */
typedef enum SimResidualOf {
  SIM_RESIDUAL_NONE, /* nothing was examined */
  /* residual of a row of the equation of motion: the sum of its terms, divided by the row's largest term, or by 1/100
   * of the largest term of all rows if that is larger */
  SIM_RESIDUAL_EQUATION,
  /* |lambda| > 1, by the excess over 1, or lambda against the sign of x', relative to the largest speed */
  SIM_RESIDUAL_FRICTION,
  SIM_RESIDUAL_PATH, /* x' - v, relative to the largest speed; x beyond a rigid stop, relative to the largest |x| */
  SIM_RESIDUAL_JUMP, /* jump of x or v without an impact, relative to the largest |x| or the largest speed */
  /* for a dash-pot: difference between the speed and the speed by the law at its force, relative to the largest
   * speed */
  SIM_RESIDUAL_LAW
} SimResidualOf;

/* Largest residual of a motion so far. The residual is evaluated at both ends of each piece of the series and at one
 * point in between. Before a dof comes to rest it is also evaluated each time its speed has fallen tenfold. */
typedef struct SimResidual {
  double largest;   /* size of the residual, relative to its scale; NAN: a term is not finite */
  double time;      /* time of the largest residual, in s */
  int dof;          /* degree of freedom with the largest residual, from 0 */
  SimResidualOf of; /* kind of the largest residual */
} SimResidual;

/* Limit of the relative closing error of the energies (SimEnergy) in a rollout with an observer. The error is relative
 * to the sum of |work|, |surface|, |stored|, |numerical|, dissipated and impacts, each at its maximum so far. For
 * `event` the limit is at least 100 times its tolerance. A rollout beyond the limit ends with SIM_ENERGY_OPEN. */
#define SIM_CLOSURE 1e-6

/* Closing error of the energies of a rollout. */
typedef struct SimClosure {
  /* Largest closing error minus its possible rounding error, relative to the sum in SIM_CLOSURE. NAN: there was no
   * observer, the scheme computes no energies, or they are too large for a double. */
  double error;
  double time; /* time of the largest error, in s; with SIM_ENERGY_OPEN the first time beyond the limit */
  /* Largest part of the closing error that rounding may cause, relative to the sum in SIM_CLOSURE. It shows how many
   * digits of the energies are reliable. */
  double rounded;
  double kinetic; /* largest kinetic energy in J; 0 for other kinds than SIM_FRICTION */
} SimClosure;

/* The place at which a motion left the range of a law (SIM_OUT_OF_RANGE). */
typedef struct SimOutside {
  const char *key;   /* key of the law in a problem file; NULL: unknown, as on several ranks */
  int dof;           /* dof or link to which the law belongs, from 0 */
  double elongation; /* elongation beyond the range, or at its end, in m */
  double time;       /* time of the end of the step in which the range was left, in s */
} SimOutside;

/* The place at which a motion ceased to be finite (SIM_NON_FINITE). The dof is the first one with a position or
 * velocity that is not finite; if all are still finite, it is the dof with the largest position or velocity. */
typedef struct SimOverflow {
  int dof;     /* number of the dof, from 0; -1: unknown, as all positions and velocities are 0 */
  double x;    /* position of the dof, in m */
  double v;    /* velocity of the dof, in m/s */
  double time; /* time of the end of the step in which the motion ceased to be finite, in s, with an observer; NAN:
                * unknown, as for `event` without an observer */
} SimOverflow;

/* Final state and statistics of a rollout. */
typedef struct SimFinal {
  double *x; /* [d] position x(T) in m; the caller's storage */
  double *v; /* [d] velocity x'(T), in m/s, as the scheme defines it; the caller's storage */
  /* Iterations of the step solver in all steps together. Solver `exact`: sweeps, or Newton steps with sparse matrices;
   * `fixed_point`: linear systems (1.13) of Glowinski-Kearsley. */
  long iterations;
  /* Largest residual of the friction law in all steps. Solver `exact`: max_i |lambda_i - P(lambda_i + s_i)|, with the
   * sliding velocity s_i and the projection P to [-1, 1]; `fixed_point`: the last relative change (1.15), or for lie
   * and strang the last change of lambda. Dash-pot: residual of its law, m/s. */
  double residual;
  /* for `event`: number of grazing contacts, where a velocity touches 0 or a friction force touches its threshold so
   * closely that rounding leaves open which dofs move afterwards. The motion continues with one of the possible
   * answers. */
  long grazes;
  /* status of the motion: SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE, SIM_EVENTS_ACCUMULATE, SIM_SLIDES_ALONG_KINK,
   * SIM_TOO_LONG, SIM_OUT_OF_RANGE, SIM_ENERGY_OPEN or SIM_RESIDUAL_LARGE. A search treats each of them as the outcome
   * of a point; for a simulation all but SIM_OK are errors. */
  SimStatus status;
  long impacts; /* number of impacts on rigid stops; batches leave it unchanged if the model has no stops */
  /* number of sequences of ever smaller bounces that were ended by setting the velocity to 0; batches leave it
   * unchanged if the model has no stops */
  long settled;
  SimClosure closure;   /* closing error of the energies; batches leave it unchanged */
  SimResidual examined; /* result of sim_workspace_examine; 0 if the motion was not examined; batches leave it
                         * unchanged */
  SimOverflow overflow; /* where the motion ceased to be finite, with SIM_NON_FINITE; batches leave it unchanged */
  SimOutside outside; /* where the motion left the range of a law, with SIM_OUT_OF_RANGE; batches leave it unchanged */
} SimFinal;

/* Energies of the discrete motion since t = 0, in J: work + surface = stored + dissipated + impacts + numerical +
 * closing error. All are NAN if the scheme does not compute them. */
typedef struct SimEnergy {
  double work;   /* work of the external and control forces f + B u, minus the work of a gear box's load */
  double stored; /* kinetic and elastic energy, minus that at t = 0 */
  /* Energy dissipated by friction and damping. It is computed with the velocity for which the scheme solves their laws.
   * It never decreases, except by negative_dissipation. */
  double dissipated;
  /* Energy >= 0 that friction gave to the motion instead of taking it, in steps in which its force drove a dof. Only
   * the regularized and the smooth multiplier and `fixed_point` have it. It is already subtracted from `dissipated`. */
  double negative_dissipation;
  /* Energy lost by the scheme's own errors; < 0 if energy was gained. It is O(dt). For centered with constant surface
   * speeds it is 0. For event it is the energy that remains when the load on nodes without mass jumps. */
  double numerical;
  /* energy that moving surfaces have supplied through their friction force, -w C (lambda - gamma) per second */
  double surface;
  double impacts; /* energy lost in impacts on rigid stops; >= 0 except for errors of the steps */
} SimEnergy;

/* State at one output time of a rollout, passed to an observer. All pointers are borrowed and valid during the call. */
typedef struct SimStep {
  long n;               /* number of the output time, 0..N */
  double t;             /* time, in s */
  const double *x;      /* [d] positions, in m */
  const double *v;      /* [d] velocities, in m/s */
  const double *slide;  /* [d] sliding velocity in m/s: v minus the surface's velocity; exactly 0 for a dof that
                         * sticks */
  const double *lambda; /* [d] friction multipliers, in [-1, 1] */
  /* [d] reaction of the stops on x_i, in N. Schemes with steps pass its mean over the last step, including impacts.
   * NULL: the model has no stops. */
  const double *reaction;
  const double *u;     /* [p] u(t) in N; at a jump the value after it */
  const double *extra; /* [stiction_kind_extras] additional results of the kind of model */
  bool contact;        /* dash-pot: whether the mass touches its support */
  /* [d] -1: slips backward, 0: sticks, 1: slips forward, as the friction law was solved. The smooth law never sticks;
   * for it this is the sign of the velocity. */
  const signed char *slip;
  const SimEnergy *energy; /* energies up to t */
} SimStep;

/* Callbacks for one rollout. */
typedef struct SimObserver {
  void *context;                                    /* argument of step and event; borrowed */
  void (*step)(void *context, const SimStep *step); /* called at each output time n = 0..N */
  /* Called before `step` for each event since the previous output time, by a scheme that locates events. From t, in
   * s, on the dof slips backward (slip -1) or forward (1) or sticks (0); other values are in the next enum. May be
   * NULL. */
  void (*event)(void *context, double t, int dof, int slip);
} SimObserver;

/* Further values of `slip` in SimObserver.event. For an event at a stop, a positive value means the upper stop, and its
 * negative the lower stop. */
enum {
  SIM_MEETS = 2, /* a dash-pot's mass meets its support */
  SIM_LEAVES,    /* a dash-pot's mass leaves its support */
  SIM_BOUNCES,   /* the dof bounces off its stop */
  SIM_TOUCHES,   /* the dof stays at its stop from now on */
  SIM_SETTLES,   /* the dof stays at its stop from now on, after ever smaller bounces */
  SIM_PARTS      /* the dof leaves its stop */
};

SIM_API_END

#endif
