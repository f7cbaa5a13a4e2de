/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the exact motion under a control, and compares it with the motion with time steps with which the control was
 * found or simulated.
 *
 * The exact motion is the solution of the equation of motion (1) with lambda in sgn(x'), without time steps. If the
 * kind of model has a scheme `event` that supports the problem, this scheme computes it up to a tolerance. Otherwise
 * the scheme of the problem approximates it, with an unregularized multiplier and with a half, a quarter and an eighth
 * of the time step. The last of these three runs is taken as the exact motion. Its uncertainty is the largest
 * difference of the other two from it. */
#ifndef SRC_VERIFICATION_H
#define SRC_VERIFICATION_H

#include "src/base/progress.h"
#include "src/file/sections/file.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"

#include <math.h>

/* Differences between two motions. */
typedef struct Difference {
  double x_T, v_T; /* largest entries of the differences of x(T), in m, and of v(T), in m/s */
  double x, v;     /* largest entries of the differences of x, in m, and of v, in m/s, at any common time */
  double lambda;   /* largest value over all degrees of freedom (dofs) of the integral over [0, T] of |difference of
                    * lambda|, in s; NAN: the kind of model has no lambda */
  /* Largest distance in time, in s, of corresponding stick and slip events of a dof. NAN: there are no events to
   * compare. */
  double event_time;
  double events[2]; /* number of events of each motion; NAN: not counted */
} Difference;

/* Sets each member of d, except events, to the maximum of this member in d and in `by`. */
static inline void difference_widen(Difference *d, const Difference *by) {
  d->x_T = fmax(d->x_T, by->x_T);
  d->v_T = fmax(d->v_T, by->v_T);
  d->x = fmax(d->x, by->x);
  d->v = fmax(d->v, by->v);
  d->lambda = fmax(d->lambda, by->lambda);
  d->event_time = fmax(d->event_time, by->event_time);
}

/* number of runs with smaller time steps */
enum { FINER_RUNS = 3 };

typedef struct Verification {
  double until; /* time (ctl_seconds) at which the verification is ended without a result; 0: no limit */
  /* Reason why the exact motion is not known; "": it is known. */
  char failure[MOTION_FAILURE_SIZE + 20];
  /* Reason why the exact motion is not trusted. The run then ends with EXIT_UNSOLVED, and no control is refined on this
   * motion. "": it is trusted. */
  char distrust[MOTION_FAILURE_SIZE + 20];
  bool exact;             /* whether the scheme `event` computed the exact motion */
  bool itself;            /* whether the scheme of the problem is `event`, too */
  double tolerance;       /* tolerance of the scheme `event` */
  SimResidual residual;   /* residual of the scheme `event` */
  double events;          /* number of stick and slip events after t = 0; NAN: not counted */
  long grazes;            /* number of grazing contacts, at which several motions are possible (SimFinal), that the
                           * scheme `event` has counted */
  long steps[FINER_RUNS]; /* number of steps of each run with smaller steps */
  bool has_target;
  double misses[2], misses_spread[2]; /* E1 and E2 (distances of the final state from the target) of the exact motion,
                                       * and their uncertainty; set if has_target */
  double *state;                      /* [2][d] x(T), v(T) on the first rank, owned; NULL on other ranks */
  Difference spread;                  /* uncertainty of the exact motion, from the runs with smaller steps */
  bool compared;
  Difference run; /* difference of the run of the problem itself from the exact motion */
} Verification;

/* Computes the exact motion under control [variables] (NULL: 0). compare: the run of the problem itself is also
 * repeated and compared. until: time (ctl_seconds) at which the verification is ended without a result; 0: no limit.
 * Writes trajectory, energies and events of the exact motion to the folder `exact` of the results, if there are up to
 * TRAJECTORY_SMALL degrees of freedom. progress: the progress line on the first rank; on other ranks one without a
 * stream.
 *
 * Collective over the problem's group. Returns on all ranks 0, also if the exact motion is not found (see `failure`);
 * EXIT_STOPPED after a signal; or EXIT_INTERNAL after reporting to results->diagnostics. The caller clears verification
 * in each case. */
int verification_run(const Problem *problem, const double *control, bool compare, double until, const Results *results,
                     Progress *progress, Verification *verification);
/* Ends a verification that signals have stopped and that will not be repeated. */
void verification_give_up(Verification *verification);
/* Reports why the exact motion is not trusted, and returns EXIT_UNSOLVED. Called if `distrust` is not empty. */
int verification_refuse(const Verification *verification, Diagnostics *diagnostics);
void verification_clear(Verification *verification);

/* verification_exact returns the exact motion as a member of summary.json. verification_difference returns the
 * differences of the run from it. The caller owns the references; NULL: no memory. */
json_t *verification_exact(const Verification *verification, const SimProblem *sim);
json_t *verification_difference(const Verification *verification, const SimProblem *sim);

/* Prints the result in one or two lines on standard output. */
void verification_print(const Verification *verification, const Labels *labels);
#endif
