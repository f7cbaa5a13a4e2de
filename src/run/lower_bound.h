/* A lower bound of J over all controls: outcome.bound. */
#ifndef SRC_RUN_LOWER_BOUND_H
#define SRC_RUN_LOWER_BOUND_H

#include "control/bound.h"
#include "src/run/refinement.h"

typedef struct LowerBound {
  bool sought;        /* a bound was requested or computed */
  const char *reason; /* why there is no bound; NULL: there is one; static */
  /* Contradiction between a proof and a motion, in which case the run ends with EXIT_UNSOLVED; "": none. */
  char distrust[MOTION_FAILURE_SIZE];
  double J;    /* of the answer to which the bound applies; INFINITY: no answer */
  double most; /* J of the most expensive control within the bounds of u; INFINITY: u has none, or an answer is known */
  bool beyond; /* no control with this J meets the target: it is out of reach, and nothing else is reported */
  bool refined, bounded; /* the answer is the refined one; u has bounds */
  CtlLowerBound bound;
  /* Control from which another search may start, from the relaxation's solution; owned; NULL: no gap was requested. */
  CtlBoundMean start;
  bool near;      /* the requested gap is reached, or none was requested */
  bool stopped;   /* stopped by a second signal, and not to be resumed */
  double seconds; /* time it took */
  double until;   /* ctl_seconds at which search.bound.max_seconds is over; 0: never */
} LowerBound;

/* Progress of a bound in addition to the state of CtlLowerBoundOptions.keep, for a resumed run. */
typedef struct LowerBoundLog {
  double J;       /* of the answer to which the bound applies; INFINITY: none */
  double seconds; /* time so far */
  double begun;   /* estimated operations of all relaxations */
  int64_t beyond; /* index of the current effort, if no answer is known */
  int64_t stuck;  /* number of signals that stopped it without progress; at 2 it is not tried again */
} LowerBoundLog;

typedef struct LowerBoundKept {
  LowerBoundLog log;
  void *state; /* [size]; owned; NULL: nothing to keep yet */
  size_t size;
} LowerBoundKept;

/* Functions that a bound's computation uses. */
typedef struct LowerBoundRunner {
  void *context;
  /* Evaluates its cases, as CtlLowerBoundOptions.drive; problem: with scheme `event`. */
  int (*drive)(void *context, const Problem *problem, const CtlLowerBoundOptions *cases, CtlTasks *tasks,
               const CtlEvaluator *evaluator);
  bool (*stopped)(void *context); /* whether to stop */
  LowerBoundKept *kept;           /* state to continue from */
  void (*keep)(void *context);    /* called after *kept was updated */
  SimReport report;               /* receives the reason why a kept state is refused */
} LowerBoundRunner;

/* Computes the bound that the problem requests or, unless asked_only, the default bound. state, refinement: the answer;
 * a state kept for another answer is discarded. Returns 0, also if there is no bound (reason); EXIT_STOPPED on a
 * signal; EXIT_USAGE if the kept state is refused; or EXIT_INTERNAL after adding to diagnostics. The result has the
 * same bits however often it is stopped and resumed, except with search.bound.max_seconds, which limits all runs
 * together and is checked before each step of a relaxation. */
int lower_bound_run(const Problem *problem, const CtlState *state, const Refinement *refinement, bool asked_only,
                    const LowerBoundRunner *runner, Progress *progress, Diagnostics *diagnostics, LowerBound *bound);
void lower_bound_kept_clear(LowerBoundKept *kept);
void lower_bound_clear(LowerBound *bound);
/* Finishes a bound that was stopped for good: keeps what has been proven. */
void lower_bound_give_up(LowerBound *bound);

/* Whether the gap is larger than requested and time is left, so that a better control may be found. */
bool lower_bound_wants_more(const LowerBound *bound);
/* Returns J of an answer that meets the target on the exact motion; INFINITY if none does. */
double lower_bound_known(const Problem *problem, const CtlState *state, const Refinement *refinement);
/* Compares the bound with another answer, to which it also applies. */
void lower_bound_compare(LowerBound *bound, const Problem *problem, const CtlState *state,
                         const Refinement *refinement);

/* For `check`: prints a line that says whether a bound is possible, and why not. */
void lower_bound_print_prospect(const Problem *problem);

/* Returns a new reference; NULL: no bound was requested, or no memory. */
json_t *lower_bound_json(const LowerBound *bound);

/* Prints a line on the standard output; nothing if no bound was requested. */
void lower_bound_print(const LowerBound *bound);

#endif
