/* What follows on a search that has ended: how near its answer is to a least effort, and the answer refined by SQP, where there are
 * derivatives. Of the answer itself nothing changes. */
#ifndef SRC_RUN_REFINEMENT_H
#define SRC_RUN_REFINEMENT_H

#include "src/file/sections/with.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"
#include "src/run/refined_motion.h"

/* A failure: there was no time left for it. */
#define REFINEMENT_LATE "out of time (search.max_seconds)"

/* An answer in so many segments. */
typedef struct TimeLevel {
  int segments;
  long steps; /* of the motion */
  double J, E1, E2;
  long evaluations; /* that it took */
} TimeLevel;

/* Of control.signal.refine_to. */
typedef struct TimeRefinement {
  TimeLevel levels[13]; /* [n] the first is the answer before; 4096 segments at most */
  int n;
} TimeRefinement;

typedef struct Refinement {
  double until;       /* ctl_seconds: it ends then, as it stands; 0: no limit */
  Optimality found;   /* of the search's answer, by the problem's scheme */
  bool left_out;      /* it was not refined, for nobody wanted that */
  const char *motion; /* scheme on whose motion the answer was to be refined; NULL: not at all */
  bool itself;        /* that is the motion itself */
  /* Why there is no refined answer, or, in time, none in more segments; "": nothing is missing. */
  char failure[MOTION_FAILURE_SIZE];
  /* Why the answer's motion is not to be trusted, for which the run ends with EXIT_UNSOLVED; "": it may be. */
  char distrust[MOTION_FAILURE_SIZE];
  bool beyond;           /* SQP has gone on from beside what the search's answer led to */
  CtlRefined answer;     /* owned; its x, v are NULL where it is the search's */
  Optimality optimality; /* of that, on its motion */
  TimeRefinement time;   /* the answer is that of its last level, if there is one */
} Refinement;

/* until: as in Refinement. Of a search of the problem that has ended so, as search.refine says; by this process alone. rollout: the problem's model. start [n]:
 * where SQP begins, and the search's own answer is not measured; NULL: at the search's answer. To be
 * cleared. Returns 0, also when there is no refined answer (failure), EXIT_STOPPED on a signal, or EXIT_INTERNAL after telling
 * diagnostics. */
int refinement_run(const Problem *problem, const RolloutContext *rollout, const CtlState *state, const double *start,
                   double until, Progress *progress, Diagnostics *diagnostics, Refinement *refinement);
/* Of one that was stopped for good. */
void refinement_give_up(Refinement *refinement);
void refinement_clear(Refinement *refinement);
/* The other's answer, which was begun elsewhere, takes the place of this one's; what is known of the search's own answer stays. other: left to be cleared. */
void refinement_replace(Refinement *refinement, Refinement *other);

/* Whether there is a refined answer; it meets the target. */
bool refinement_met(const Refinement *refinement);

/* outcome.optimality, outcome.refined: new references; NULL: there is none, or no memory. */
json_t *refinement_optimality(const Refinement *refinement);
json_t *refinement_answer(const Refinement *refinement, const SimProblem *sim);

/* In a line or two on the standard output. */
void refinement_print(const Refinement *refinement);

/* J of the answer, refined or not, that meets the target; whether it is a local minimum; how many starts have led to it (met: the search's own
 * answer meets the target); and what to do where that is not sure. */
void refinement_conclude(const Refinement *refinement, const CtlProblem *problem, const CtlState *state, bool met);
/* A value of search.local_starts for more starts than there were; 0: the search has none, or as many as may be. */
long refinement_more_starts(const CtlProblem *problem, const CtlState *state);

/* The refined answer's motion as files, beside those of the search's own. */

/* Runs the refined answer on the motion that it was refined on, and writes trajectory, energies and events to the folder `refined` of the
 * results, up to TRAJECTORY_SMALL degrees of freedom; nothing where there is no refined answer, or results go nowhere. By this process alone; signals
 * do not end it where `whole` is true. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting to results->diagnostics. */
int refined_trajectory_write(const Problem *problem, const Refinement *refinement, const Results *results, bool whole);

/* A control's signal refined in time: control.signal.refine_to. */

/* Doubles the segments of told->answer, on the motion by that scheme, and refines it (ctl_refine_finer), until it has refine_to or the
 * next is not found. Where there would be more segments than steps of a grid, there are twice as many steps. Fills told->time, and
 * told->optimality anew. Returns 0, EXIT_STOPPED on a signal, or, untold, EXIT_INTERNAL. */
int time_refinement_run(const Problem *problem, ProblemScheme scheme, Progress *progress, Refinement *told);

#endif
