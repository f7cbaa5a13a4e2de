/* SPDX-License-Identifier: BSD-2-Clause */
/* Refines the answer of a search that has ended. It measures how near the answer is to a local minimum and, if there
 * are derivatives, improves it by SQP. The answer of the search itself is unchanged. */
#ifndef SRC_RUN_REFINEMENT_H
#define SRC_RUN_REFINEMENT_H

#include "src/file/sections/with.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"
#include "src/run/refined_motion.h"

/* Value of `failure` if no time was left. */
#define REFINEMENT_LATE "out of time (search.max_seconds)"

/* The answer with one number of segments. */
typedef struct TimeLevel {
  int segments;
  long steps; /* number of steps of the motion */
  double J, E1, E2;
  long evaluations; /* number of evaluations with this number of segments */
} TimeLevel;

/* Result of refining the answer to control.signal.refine_to segments. */
typedef struct TimeRefinement {
  TimeLevel levels[13]; /* [n] answers with more and more segments, at most 4096; the first is the answer before
                         * segments were added */
  int n;
} TimeRefinement;

typedef struct Refinement {
  double until;       /* time (ctl_seconds) at which refining ends with its present result; 0: no limit */
  Optimality found;   /* optimality of the search's answer, with the problem's scheme */
  bool left_out;      /* the answer was not refined, as that was not requested */
  const char *motion; /* scheme on which the answer was refined; NULL: it was not refined */
  bool itself;        /* whether this scheme gives the exact motion, instead of one with time steps */
  /* Reason why there is no refined answer, or none with more segments if these are requested; "": there is one. */
  char failure[MOTION_FAILURE_SIZE];
  /* Why the motion of the answer is not trusted, so that the run ends with EXIT_UNSOLVED; "": it is trusted. */
  char distrust[MOTION_FAILURE_SIZE];
  bool beyond;           /* whether SQP was continued from controls near its first result */
  CtlRefined answer;     /* refined answer; owned. Its x and v are NULL if it is the answer of the search, unchanged */
  Optimality optimality; /* optimality of the refined answer, on the motion of its scheme */
  TimeRefinement time;   /* result with more segments; if it is used, `answer` is that of its last level */
} Refinement;

/* Refines the answer of a search that has ended, as search.refine requests. Runs in this process alone. rollout:
 * rollout of the problem's model. start [n]: control from which SQP begins; then the optimality of the search's own
 * answer is not measured. NULL: the search's answer. until: as in Refinement.
 *
 * Returns 0, also if there is no refined answer (failure); EXIT_STOPPED on a signal; or EXIT_INTERNAL after
 * reporting an error. Clear refinement afterwards. */
int refinement_run(const Problem *problem, const RolloutContext *rollout, const CtlState *state, const double *start,
                   double until, Progress *progress, Diagnostics *diagnostics, Refinement *refinement);
/* Finishes a refinement that a signal has stopped for good. */
void refinement_give_up(Refinement *refinement);
void refinement_clear(Refinement *refinement);
/* Replaces the answer by that of another refinement, which had another start. Data about the search's own answer are
 * kept. The caller clears `other`. */
void refinement_replace(Refinement *refinement, Refinement *other);

/* Returns whether an optimality is known and says this about a local minimum. */
static inline bool optimality_is(const Optimality *optimality, CtlMinimum minimum) {
  return optimality->sought && optimality->status == SIM_OK && optimality->is.local_minimum == minimum;
}

/* Returns whether there is a refined answer. It then meets the target. */
bool refinement_met(const Refinement *refinement);

/* Return outcome.optimality and outcome.refined: new references; NULL if there is none, or no memory. */
json_t *refinement_optimality(const Refinement *refinement);
json_t *refinement_answer(const Refinement *refinement, const SimProblem *sim);

/* Prints the refinement in one or two lines on standard output. */
void refinement_print(const Refinement *refinement);

/* Prints J of the answer that meets the target, refined or not; whether it is a local minimum; how many starts have led
 * to it; and what to do if this is uncertain. met: whether the search's own answer meets the target. */
void refinement_conclude(const Refinement *refinement, const CtlProblem *problem, const CtlState *state, bool met);
/* Returns a larger value of search.local_starts to try; 0 if the method has no such key, or it has its largest
 * value. */
long refinement_more_starts(const CtlProblem *problem, const CtlState *state);
/* Writes this value and its cost to text, "search.local_starts=256 (about 24000 evaluations; this run: 4700)", which
 * assumes as many evaluations per start as in this run. Returns false, and an empty text, if the value is 0. */
enum { REFINEMENT_ADVICE_SIZE = 96 };
bool refinement_advise_starts(const CtlProblem *problem, const CtlState *state, char text[REFINEMENT_ADVICE_SIZE]);

/* Simulates the refined answer on the motion on which it was refined, and writes trajectory, energies and events to the
 * folder `refined` of the results. Does so only for up to TRAJECTORY_SMALL degrees of freedom. Does nothing without a
 * refined answer, or if the run stores no results. Runs in this process alone. whole: signals do not end it. Returns 0,
 * EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting to results->diagnostics. */
int refined_trajectory_write(const Problem *problem, const Refinement *refinement, const Results *results, bool whole);

/* Doubles the segments of the answer and refines it by this scheme (ctl_refine_finer), again and again. It ends at
 * refine_to segments (control.signal.refine_to), or when refining fails. If there would be more segments than steps of
 * a grid, the steps are doubled, too. Sets time and optimality of the refinement. Returns 0, EXIT_STOPPED on a signal,
 * or EXIT_INTERNAL, not reported. */
int time_refinement_run(const Problem *problem, ProblemScheme scheme, Progress *progress, Refinement *refinement);

#endif
