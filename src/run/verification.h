/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the exact motion under a control, to compare it with the motion on a grid with which the control was
 * found or used.
 *
 * The exact motion is that of equation (1), with lambda in sgn(x'). If the kind of model has a scheme `event` that
 * supports the problem, that scheme computes it up to its tolerance. Otherwise the problem's own scheme approximates
 * it, with an unregularized multiplier and steps of a half, a quarter and an eighth. The last of the three is taken
 * as the exact motion, and the largest difference of the other two from it is its uncertainty. */
#ifndef SRC_VERIFICATION_H
#define SRC_VERIFICATION_H

#include "src/base/progress.h"
#include "src/file/sections/file.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"

#include <math.h>

/* Differences between two motions. */
typedef struct Difference {
  double x_T, v_T; /* largest entry of the difference of x(T) and v(T), in m and m/s */
  double x, v;     /* largest entry of the difference of x and v at any common time, in m and m/s */
  double lambda;   /* largest integral over [0, T] of |difference of lambda| of a degree of freedom, in s; NAN: the kind
                    * of model has no lambda */
  /* Largest distance in time of corresponding stick and slip events of a dof, in s; NAN: there is nothing to
   * compare. */
  double event_time;
  double events[2]; /* number of events of each motion; NAN: not counted */
} Difference;

/* Sets each member of d, except events, to the larger of the two. */
static inline void difference_widen(Difference *d, const Difference *by) {
  d->x_T = fmax(d->x_T, by->x_T);
  d->v_T = fmax(d->v_T, by->v_T);
  d->x = fmax(d->x, by->x);
  d->v = fmax(d->v, by->v);
  d->lambda = fmax(d->lambda, by->lambda);
  d->event_time = fmax(d->event_time, by->event_time);
}

enum { FINER_RUNS = 3 };

typedef struct Verification {
  double until; /* time (ctl_seconds) at which the verification is given up; 0: no limit */
  /* Why the exact motion is not known; "": it is known. */
  char failure[MOTION_FAILURE_SIZE + 20];
  /* Why the exact motion is not trusted, so that the run ends with EXIT_UNSOLVED and no answer is refined on this
   * motion; "": it is trusted. */
  char distrust[MOTION_FAILURE_SIZE + 20];
  bool exact;             /* whether the scheme `event` computed the exact motion */
  bool itself;            /* whether the problem's own run uses `event`, too */
  double tolerance;       /* tolerance of the scheme `event` */
  SimResidual residual;   /* residual of the scheme `event` */
  double events;          /* number of stick and slip events after t = 0; NAN: not counted */
  long grazes;            /* number of grazes (SimFinal) of the scheme `event` */
  long steps[FINER_RUNS]; /* number of steps of each finer run */
  bool has_target;
  double misses[2], misses_spread[2]; /* E1 and E2 (distances of the final state from the target) of the exact
                                       * motion, and their uncertainty; used if there is a target */
  double *state;                      /* [2][d] x(T), v(T), owned, on the first rank; NULL elsewhere */
  Difference spread;                  /* uncertainty of the exact motion, from the finer runs */
  bool compared;
  Difference run; /* difference of the problem's own run from the exact motion */
} Verification;

/* Computes the exact motion under control [variables] (NULL: 0). until: as in Verification. compare: also repeats
 * the problem's own run, and compares it. Writes trajectory, energies and events of the exact motion to the folder
 * `exact` of the results, up to TRAJECTORY_SMALL degrees of freedom. progress: that of the first rank, or one
 * without a stream.
 *
 * Collective over the problem's group. Returns on all ranks 0, also if the exact motion is not found (failure);
 * EXIT_STOPPED on a signal; or EXIT_INTERNAL after reporting to results->diagnostics. Clear verification afterwards. */
int verification_run(const Problem *problem, const double *control, bool compare, double until, const Results *results,
                     Progress *progress, Verification *verification);
/* Finishes a verification that signals have stopped for good. */
void verification_give_up(Verification *verification);
/* Reports why the exact motion is not trusted, and returns EXIT_UNSOLVED. To be called if `distrust` is not empty. */
int verification_refuse(const Verification *verification, Diagnostics *diagnostics);
void verification_clear(Verification *verification);

/* verification_exact returns the exact motion as a part of summary.json; the next function returns the run's
 * differences from it. New references; NULL: no memory. */
json_t *verification_exact(const Verification *verification, const SimProblem *sim);
json_t *verification_difference(const Verification *verification, const SimProblem *sim);

/* Prints the result in one or two lines on standard output. */
void verification_print(const Verification *verification, const Labels *labels);
#endif
