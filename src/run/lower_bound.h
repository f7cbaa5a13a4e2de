/* SPDX-License-Identifier: BSD-2-Clause */
/* A lower bound of J that holds for all controls: outcome.bound. */
#ifndef SRC_RUN_LOWER_BOUND_H
#define SRC_RUN_LOWER_BOUND_H

#include "control/bound.h"
#include "src/run/refinement.h"

typedef struct LowerBound {
  bool sought;        /* whether a bound was requested or computed */
  const char *reason; /* why there is no bound; NULL: there is one; static */
  /* How a proof contradicts a motion, so that the run ends with EXIT_UNSOLVED; "": it does not. */
  char distrust[MOTION_FAILURE_SIZE];
  double J;    /* J of the answer to which the bound applies; INFINITY: there is no answer */
  double most; /* J of the most expensive control within the bounds of u; INFINITY: u has no bounds, or an answer is
                * known */
  bool beyond; /* it is proven that no control meets the target, not even with J = most; nothing else is reported */
  bool refined, bounded; /* refined: the answer is the refined one; bounded: u has bounds */
  CtlLowerBound bound;
  /* Control from which another search may start, taken from the solution of the relaxation; owned. NULL: no gap was
   * requested. */
  CtlBoundMean start;
  bool near;      /* whether the requested gap is reached, or none was requested */
  bool stopped;   /* whether a second signal stopped the computation, which must not be resumed */
  double seconds; /* time that the computation took in s */
  double until;   /* time (ctl_seconds) at which search.bound.max_seconds is over; 0: no limit */
} LowerBound;

/* Progress of the computation of a bound. A resumed run needs it together with the state of
 * CtlLowerBoundOptions.keep. */
typedef struct LowerBoundLog {
  double J;       /* J of the answer to which the bound applies; INFINITY: there is no answer */
  double seconds; /* time used so far in s */
  double begun;   /* estimated number of operations of all relaxations that have begun */
  int64_t beyond; /* index of the effort that is being tried, if no answer is known */
  int64_t stuck;  /* number of signals that stopped the computation without progress; after 2 it is not tried again */
} LowerBoundLog;

typedef struct LowerBoundKept {
  LowerBoundLog log;
  void *state; /* [size] state of the computation; owned; NULL: there is none to keep yet */
  size_t size;
} LowerBoundKept;

/* Functions that the computation of a bound calls. */
typedef struct LowerBoundRunner {
  void *context;
  /* Evaluates the cases of a bound, as CtlLowerBoundOptions.drive does. problem: the problem with the scheme
   * `event`. */
  int (*drive)(void *context, const Problem *problem, const CtlLowerBoundOptions *cases, CtlTasks *tasks,
               const CtlEvaluator *evaluator);
  bool (*stopped)(void *context); /* returns whether to stop */
  LowerBoundKept *kept;           /* state from which the computation continues */
  void (*keep)(void *context);    /* called after *kept has changed */
  SimReport report;               /* receives the reason why a kept state is refused */
} LowerBoundRunner;

/* Computes the bound that the problem requests or, unless asked_only, the default bound. state, refinement: the
 * answer; a state kept for another answer is discarded.
 *
 * Returns 0, also if there is no bound (reason); EXIT_STOPPED on a signal; EXIT_USAGE if the kept state is refused;
 * or EXIT_INTERNAL after reporting an error to diagnostics. The result has the same bits however often the
 * computation is stopped and resumed. That does not hold with search.bound.max_seconds, which limits all runs
 * together and is checked before each step of a relaxation. */
int lower_bound_run(const Problem *problem, const CtlState *state, const Refinement *refinement, bool asked_only,
                    const LowerBoundRunner *runner, Progress *progress, Diagnostics *diagnostics, LowerBound *bound);
void lower_bound_kept_clear(LowerBoundKept *kept);
void lower_bound_clear(LowerBound *bound);
/* Finishes a computation that was stopped and is not to be resumed, with what has been proven until then. */
void lower_bound_give_up(LowerBound *bound);

/* Returns whether a better control should be searched for: the gap is larger than requested, and time is left. */
bool lower_bound_wants_more(const LowerBound *bound);
/* Returns J of an answer that meets the target on the exact motion; INFINITY if none does. */
double lower_bound_known(const Problem *problem, const CtlState *state, const Refinement *refinement);
/* Compares the bound with another answer. The bound also holds for it. */
void lower_bound_compare(LowerBound *bound, const Problem *problem, const CtlState *state,
                         const Refinement *refinement);

/* Prints for `check` whether a bound is possible and, if not, why. */
void lower_bound_print_prospect(const Problem *problem);

/* Returns outcome.bound: a new reference; NULL if no bound was requested or there is no memory. */
json_t *lower_bound_json(const LowerBound *bound);

/* Prints the bound in a line on standard output; nothing if no bound was requested. */
void lower_bound_print(const LowerBound *bound);

#endif
