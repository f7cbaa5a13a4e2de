/* SPDX-License-Identifier: BSD-2-Clause */
/* Refines the answer of a search that has ended, i.e. the control that it has found. Computes how near the answer is to
 * a local minimum and, if there are derivatives, improves it by SQP (sequential quadratic programming). The answer of
 * the search itself is kept unchanged. */
#ifndef SRC_RUN_REFINEMENT_H
#define SRC_RUN_REFINEMENT_H

#include "src/file/sections/with.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"
#include "src/run/refined_motion.h"

/* Value of the member `failure` if there was no time left. */
#define REFINEMENT_LATE "out of time (search.max_seconds)"

/* The refined answer with a certain number of segments. */
typedef struct TimeLevel {
  int segments;
  long steps; /* number of time steps of the motion */
  double J, E1, E2;
  long evaluations; /* number of evaluations with this number of segments */
} TimeLevel;

/* Result of refining the answer with more and more segments, up to control.signal.refine_to. */
typedef struct TimeRefinement {
  TimeLevel levels[13]; /* [n] answers, each with twice as many segments as the one before, at most 4096; the first is
                         * the answer before segments were added */
  int n;
} TimeRefinement;

typedef struct Refinement {
  double until;       /* time (ctl_seconds) at which refining ends with its present result; 0: no limit */
  Optimality found;   /* optimality of the answer of the search, with the scheme of the problem */
  bool left_out;      /* true: the problem does not request refining, so the answer was not refined */
  const char *motion; /* name of the scheme on which the answer was refined; NULL: it was not refined */
  bool itself;        /* whether this scheme gives the exact motion rather than a motion with time steps */
  /* Reason why there is no refined answer, or none with more segments if more are requested; "": there is one. */
  char failure[MOTION_FAILURE_SIZE];
  /* Reason why the motion of the answer is not trusted; the run then ends with EXIT_UNSOLVED. "": it is trusted. */
  char distrust[MOTION_FAILURE_SIZE];
  bool beyond;           /* whether SQP has reached the refined answer not from its start but from another control, for
                          * example one near its first result */
  CtlRefined answer;     /* refined answer; owned. Its members x and v are NULL if its control is that of the search's
                          * answer, unchanged */
  Optimality optimality; /* optimality of the refined answer, on the motion of its scheme */
  TimeRefinement time;   /* result with more segments; if there is one, `answer` is that with the most segments */
} Refinement;

/* Refines the answer of a search that has ended, as search.refine requests. Runs in this process alone. rollout:
 * rollout of the problem's model. start [n]: control from which SQP begins; the optimality of the answer of the search
 * is then not computed. NULL: SQP begins from the answer of the search. until: time (ctl_seconds) at which refining
 * ends with its present result; 0: no limit.
 *
 * Returns 0, also if there is no refined answer (see `failure`); EXIT_STOPPED after a signal; or EXIT_INTERNAL after
 * reporting an error. The caller clears the refinement in each case. */
int refinement_run(const Problem *problem, const RolloutContext *rollout, const CtlState *state, const double *start,
                   double until, Progress *progress, Diagnostics *diagnostics, Refinement *refinement);
/* Ends a refinement that a signal has stopped and that will not be resumed. */
void refinement_give_up(Refinement *refinement);
void refinement_clear(Refinement *refinement);
/* Replaces the refined answer by that of another refinement, which had another start. Data about the answer of the
 * search are kept. The caller clears `other`. */
void refinement_replace(Refinement *refinement, Refinement *other);

/* Returns whether the optimality is known and its verdict on a local minimum is `minimum`. */
static inline bool optimality_is(const Optimality *optimality, CtlMinimum minimum) {
  return optimality->sought && optimality->status == SIM_OK && optimality->is.local_minimum == minimum;
}

/* Returns whether there is a refined answer. Every refined answer meets the target. */
bool refinement_met(const Refinement *refinement);

/* Return outcome.optimality and outcome.refined. The caller owns the references; NULL if there is no such result, or no
 * memory. */
json_t *refinement_optimality(const Refinement *refinement);
json_t *refinement_answer(const Refinement *refinement, const SimProblem *sim);

/* Prints the refinement in one or two lines on standard output. */
void refinement_print(const Refinement *refinement);

/* Prints a summary: effort J of the answer that meets the target, refined or not; whether it is a local minimum; how
 * many starts of the search have led to it; and what to do if this is uncertain. met: whether the answer of the search
 * itself meets the target. */
void refinement_conclude(const Refinement *refinement, const CtlProblem *problem, const CtlState *state, bool met);
/* Returns a larger value of search.local_starts to try. Returns 0 if the method does not have this key, or it has its
 * largest value already. */
long refinement_more_starts(const CtlProblem *problem, const CtlState *state);
/* Writes the value of refinement_more_starts and its cost to text, as in "search.local_starts=256 (about 24000
 * evaluations; this run: 4700)". The cost assumes as many evaluations per start as in this run. Returns false, and an
 * empty text, if the value is 0. */
enum { REFINEMENT_ADVICE_SIZE = 96 };
bool refinement_advise_starts(const CtlProblem *problem, const CtlState *state, char text[REFINEMENT_ADVICE_SIZE]);

/* Simulates the refined answer on the motion on which it was refined. Writes trajectory, energies and events to the
 * folder `refined` of the results, if there are up to TRAJECTORY_SMALL degrees of freedom. Does nothing if there is no
 * refined answer, or the run stores no results. Runs in this process alone. whole: signals do not stop it. Returns 0,
 * EXIT_STOPPED after a signal, or EXIT_INTERNAL after reporting to results->diagnostics. */
int refined_trajectory_write(const Problem *problem, const Refinement *refinement, const Results *results, bool whole);

/* Doubles the number of segments of the answer and refines it with this scheme (ctl_refine_finer), repeatedly, until
 * the number is control.signal.refine_to or refining fails. If there would be more segments than time steps, the number
 * of steps is doubled, too. Sets time and optimality of the refinement. Returns 0, EXIT_STOPPED after a signal, or
 * EXIT_INTERNAL, which is not reported. */
int time_refinement_run(const Problem *problem, ProblemScheme scheme, Progress *progress, Refinement *refinement);

#endif
