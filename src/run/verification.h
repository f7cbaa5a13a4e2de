/* Exact motion under a control, for comparison with a run on a grid that found or used it.
 *
 * The exact motion is that of (1), with lambda in sgn(x'). If the kind has a scheme `event` that supports the problem,
 * it is computed by it up to its tolerance. Otherwise by the problem's own scheme with an unregularized multiplier,
 * with steps of a half, a quarter and an eighth; the last of the three approximates the exact motion, and the largest
 * difference of the other two from it is its uncertainty. */
#ifndef SRC_VERIFICATION_H
#define SRC_VERIFICATION_H

#include "src/base/progress.h"
#include "src/file/sections/file.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"

#include <math.h>

/* Differences between two motions. */
typedef struct Difference {
  double x_T, v_T; /* at T, the largest entry, m, m/s */
  double x, v;     /* at any common time, likewise */
  double lambda;   /* int_0^T |.| dt for the dof where it is largest, s; NAN: the kind has no lambda */
  /* largest time difference of corresponding stick and slip events of each dof, s; NAN: nothing to compare */
  double event_time;
  double events[2]; /* number of events of each motion; NAN: not counted */
} Difference;

/* Sets each member of d to the larger of the two, except events. */
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
  double until; /* ctl_seconds at which it is given up; 0: no limit */
  /* Why the results are unknown; "": they are known. */
  char failure[MOTION_FAILURE_SIZE + 20];
  /* Why the exact motion is not trusted, known or not: the run ends with EXIT_UNSOLVED, and no answer is refined on it;
   * "": it is trusted. */
  char distrust[MOTION_FAILURE_SIZE + 20];
  bool exact;             /* computed by the scheme event */
  bool itself;            /* the problem's own run also uses event */
  double tolerance;       /* of the scheme event */
  SimResidual residual;   /* of the scheme event */
  double events;          /* number of stick and slip events after t = 0; NAN: not counted */
  long grazes;            /* of the scheme event: SimFinal.grazes */
  long steps[FINER_RUNS]; /* numbers of steps of the finer runs */
  bool has_target;
  double misses[2], misses_spread[2]; /* E1, E2 if there is a target, and their uncertainty */
  double *state;                      /* [2][d] x(T), v(T), on the first rank, owned; NULL: elsewhere */
  Difference spread;                  /* uncertainty from the finer runs */
  bool compared;
  Difference run; /* of the problem's own run from the exact motion */
} Verification;

/* Replays control [variables] (NULL: 0). until: as in Verification. compare: also repeats the problem's own run for
 * comparison. Writes the trajectory, energies and events of the exact motion to the folder `exact` of the results, up
 * to TRAJECTORY_SMALL degrees of freedom. progress: of the first rank, or without a stream. Collective over the
 * problem's group; clear verification afterwards. Returns 0, also if the replay fails (failure); EXIT_STOPPED on a
 * signal; or EXIT_INTERNAL after adding to results->diagnostics; on all ranks. */
int verification_run(const Problem *problem, const double *control, bool compare, double until, const Results *results,
                     Progress *progress, Verification *verification);
/* Finishes a verification that was stopped for good. */
void verification_give_up(Verification *verification);
/* For a verification with a distrust: reports it and returns EXIT_UNSOLVED. */
int verification_refuse(const Verification *verification, Diagnostics *diagnostics);
void verification_clear(Verification *verification);

/* Return parts of summary.json: the exact motion, and the run's differences from it. New references; NULL: no
 * memory. */
json_t *verification_exact(const Verification *verification, const SimProblem *sim);
json_t *verification_difference(const Verification *verification, const SimProblem *sim);

/* Prints the same in one or two lines on the standard output. */
void verification_print(const Verification *verification, const Labels *labels);
#endif
