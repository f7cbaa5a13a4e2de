/* Work after a search has ended: measures the optimality of its answer and refines it by SQP if there are derivatives.
 * The search's own answer is unchanged. */
#ifndef SRC_RUN_REFINEMENT_H
#define SRC_RUN_REFINEMENT_H

#include "src/file/sections/with.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"
#include "src/run/refined_motion.h"

/* failure: there was no time left */
#define REFINEMENT_LATE "out of time (search.max_seconds)"

/* The answer with a given number of segments. */
typedef struct TimeLevel {
  int segments;
  long steps; /* of the motion */
  double J, E1, E2;
  long evaluations; /* number of evaluations used */
} TimeLevel;

/* Refinement to control.signal.refine_to segments. */
typedef struct TimeRefinement {
  TimeLevel levels[13]; /* [n] the first is the answer before it; at most 4096 segments */
  int n;
} TimeRefinement;

typedef struct Refinement {
  double until;       /* ctl_seconds at which it ends with its current result; 0: no limit */
  Optimality found;   /* of the search's answer, with the problem's scheme */
  bool left_out;      /* not refined because it was not requested */
  const char *motion; /* scheme used for refining; NULL: not refined */
  bool itself;        /* this is the exact motion */
  /* Why there is no refined answer or, with time refinement, none with more segments; "": nothing is missing. */
  char failure[MOTION_FAILURE_SIZE];
  /* Why the answer's motion is not trusted, in which case the run ends with EXIT_UNSOLVED; "": it is trusted. */
  char distrust[MOTION_FAILURE_SIZE];
  bool beyond;           /* SQP continued from controls near its first result */
  CtlRefined answer;     /* owned; its x, v are NULL if it is the search's */
  Optimality optimality; /* of the refined answer, on its motion */
  TimeRefinement time;   /* if used, the answer is that of its last level */
} Refinement;

/* Refines the answer of a search that has ended, as search.refine requests; in this process alone. rollout: of the
 * problem's model. start [n]: where SQP begins, in which case the search's own answer is not measured; NULL: the
 * search's answer. until: as in Refinement. Clear refinement afterwards. Returns 0, also if there is no refined answer
 * (failure); EXIT_STOPPED on a signal; or EXIT_INTERNAL after adding to diagnostics. */
int refinement_run(const Problem *problem, const RolloutContext *rollout, const CtlState *state, const double *start,
                   double until, Progress *progress, Diagnostics *diagnostics, Refinement *refinement);
/* Finishes a refinement that was stopped for good. */
void refinement_give_up(Refinement *refinement);
void refinement_clear(Refinement *refinement);
/* Replaces the answer by that of another refinement with a different start; data about the search's own answer are
 * kept. The caller clears other. */
void refinement_replace(Refinement *refinement, Refinement *other);

/* Whether there is a refined answer, which then meets the target. */
bool refinement_met(const Refinement *refinement);

/* outcome.optimality and outcome.refined: new references; NULL: absent, or no memory. */
json_t *refinement_optimality(const Refinement *refinement);
json_t *refinement_answer(const Refinement *refinement, const SimProblem *sim);

/* Prints one or two lines on the standard output. */
void refinement_print(const Refinement *refinement);

/* Prints J of the answer that meets the target, refined or not; whether it is a local minimum; how many starts led to
 * it; and what to do if this is uncertain. met: the search's own answer meets the target. */
void refinement_conclude(const Refinement *refinement, const CtlProblem *problem, const CtlState *state, bool met);
/* Returns a larger value of search.local_starts to suggest; 0: the search has no such key, or it is at its maximum. */
long refinement_more_starts(const CtlProblem *problem, const CtlState *state);

/* Writes the refined answer's motion to files, in addition to the motion on the search's grid. */

/* Simulates the refined answer on the motion on which it was refined, and writes trajectory, energies and events to the folder `refined` of
 * the results, up to TRAJECTORY_SMALL degrees of freedom. Does nothing without a refined answer, or if nothing is written. Runs in this
 * process alone; if `whole`, signals do not end it. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting to
 * results->diagnostics. */
int refined_trajectory_write(const Problem *problem, const Refinement *refinement, const Results *results, bool whole);

/* Refines a control's signal in time: control.signal.refine_to. */

/* Doubles the segments of the answer, on the motion by this scheme, and refines it (ctl_refine_finer), until it has refine_to segments or
 * the next refinement fails. If there would be more segments than steps of a grid, the steps are doubled, too. Sets time and optimality of
 * the refinement. Returns 0, EXIT_STOPPED on a signal or, without a report, EXIT_INTERNAL. */
int time_refinement_run(const Problem *problem, ProblemScheme scheme, Progress *progress, Refinement *refinement);

#endif
