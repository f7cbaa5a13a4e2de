/* What the motion itself does under a control, beside a run on a grid that has found or taken it.
 *
 * The motion itself is that of (1), with lambda in sgn(x'): by the scheme `event` where the kind has it and it takes the
 * problem, and so good to its tolerance; else the problem's own scheme with an unregularized multiplier, at steps of a half,
 * a quarter and an eighth. The last of the three stands for the motion, and the largest difference of the other two from it
 * is its uncertainty. */
#ifndef SRC_VERIFICATION_H
#define SRC_VERIFICATION_H

#include "src/base/progress.h"
#include "src/file/sections/file.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"

#include <math.h>

/* How far two motions are apart. */
typedef struct Difference {
  double x_T, v_T;   /* at T, the largest entry, m, m/s */
  double x, v;       /* at any common instant, likewise */
  double lambda;     /* int_0^T |.| dt, of the dof where it is largest, s; NAN: not a result of the kind */
  double event_time; /* of the stick and slip events of each dof in their order, the largest, s; NAN: none to compare */
  double events[2];  /* how many of either; NAN: not counted */
} Difference;

/* Makes each field of d the larger of the two, except for the events. */
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
  double until; /* ctl_seconds: it is given up then; 0: no limit */
  /* Why the rest is not known; "": it is. */
  char failure[MOTION_FAILURE_SIZE + 20];
  /* Why the motion, known or not, is not to be trusted: the run ends with EXIT_UNSOLVED, and nothing is refined on it; "": it may be. */
  char distrust[MOTION_FAILURE_SIZE + 20];
  bool exact;             /* by the scheme event */
  bool itself;            /* so is the problem's own run */
  double tolerance;       /* its own */
  SimResidual residual;   /* of the scheme event */
  double events;          /* stick and slip events after t = 0; NAN: not counted */
  long grazes;            /* of the scheme event: SimFinal.grazes */
  long steps[FINER_RUNS]; /* of the finer runs */
  bool has_target;
  double misses[2], misses_spread[2]; /* E1, E2, where there is a target */
  double *state;                      /* [2][d] x(T), v(T), on the first rank, owned; NULL: elsewhere */
  Difference spread;                  /* of finer runs */
  bool compared;
  Difference run; /* of the problem's own run from the motion itself */
} Verification;

/* until: as in Verification. Replays control [variables] (NULL: 0). compare: beside the problem's own run, which is made again. The trajectory, energies and
 * events of the replay go to the folder `exact` of the results, up to TRAJECTORY_SMALL degrees of freedom. progress: the
 * first rank's, or without a stream. Collective over the problem's group; to be cleared. Returns 0, also when the replay
 * fails (failure), EXIT_STOPPED on a signal, or EXIT_INTERNAL after telling results->diagnostics, on all ranks. */
int verification_run(const Problem *problem, const double *control, bool compare, double until, const Results *results,
                     Progress *progress, Verification *verification);
/* Of one that was stopped for good. */
void verification_give_up(Verification *verification);
/* Of one with a distrust: reports it. Returns EXIT_UNSOLVED. */
int verification_refuse(const Verification *verification, Diagnostics *diagnostics);
void verification_clear(Verification *verification);

/* For summary.json: what the motion itself does, and what the run does otherwise. New references; NULL: no memory. */
json_t *verification_exact(const Verification *verification, const SimProblem *sim);
json_t *verification_difference(const Verification *verification, const SimProblem *sim);

/* The same in a line or two on the standard output. */
void verification_print(const Verification *verification, const Labels *labels);
#endif
