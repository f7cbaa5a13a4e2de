/* SPDX-License-Identifier: BSD-2-Clause */
/* A lower bound of the effort J that holds for all controls which meet the target. summary.json has it as
 * outcome.bound. The control that the search has found is called the answer. */
#ifndef SRC_RUN_LOWER_BOUND_H
#define SRC_RUN_LOWER_BOUND_H

#include "control/bound.h"
#include "src/run/refinement.h"

typedef struct LowerBound {
  bool sought;        /* whether a bound was requested or computed */
  const char *reason; /* reason why there is no bound; NULL: there is a bound; static */
  /* Text on how a proof contradicts a motion; the run then ends with EXIT_UNSOLVED. "": there is no contradiction. */
  char distrust[MOTION_FAILURE_SIZE];
  double J;    /* J of the answer with which the bound is compared; INFINITY: there is no answer */
  double most; /* J of the most expensive control within the bounds of u; INFINITY: u has no bounds, or an answer is
                * known */
  bool beyond; /* true: it is proven that no control within the bounds of u meets the target; nothing else is reported
                * then */
  bool refined, bounded; /* refined: whether the answer is the refined one; bounded: whether u has bounds */
  CtlLowerBound bound;
  /* Control from which another search may start. It comes from the solution of the relaxation; owned. NULL: no gap was
   * requested. */
  CtlBoundMean start;
  bool near;      /* whether the requested gap is reached, or no gap was requested */
  bool stopped;   /* whether the computation was stopped by a second signal, after which it must not be resumed */
  double seconds; /* time that the computation took in s */
  double until;   /* time (ctl_seconds) at which search.bound.max_seconds is over; 0: no limit */
} LowerBound;

/* Progress of the computation of a bound. A resumed run needs it, together with the state that
 * CtlLowerBoundOptions.keep stores. */
typedef struct LowerBoundLog {
  double J;       /* J of the answer with which the bound is compared; INFINITY: there is no answer */
  double seconds; /* time used so far in s */
  double begun;   /* estimated number of operations of all relaxations that have begun */
  int64_t beyond; /* if no answer is known: index of the effort that is being tried */
  int64_t stuck;  /* number of signals that stopped the computation before it made progress; after two of them it is not
                   * resumed */
} LowerBoundLog;

typedef struct LowerBoundKept {
  LowerBoundLog log;
  void *state; /* [size] stored state of the computation; owned; NULL: no state has been stored */
  size_t size;
} LowerBoundKept;

/* Functions that the computation of a bound calls. */
typedef struct LowerBoundRunner {
  void *context;
  /* Evaluates the cases of a bound on all ranks, in the same way as CtlLowerBoundOptions.drive. problem: the problem
   * with the scheme `event`. */
  int (*drive)(void *context, const Problem *problem, const CtlLowerBoundOptions *cases, CtlTasks *tasks,
               const CtlEvaluator *evaluator);
  bool (*stopped)(void *context); /* returns whether to stop */
  LowerBoundKept *kept;           /* stored state from which the computation continues */
  void (*keep)(void *context);    /* called after *kept has changed */
  SimReport report;               /* receives the reason why a stored state is refused */
} LowerBoundRunner;

/* Computes the bound that the problem requests. If the problem requests none, computes the default bound, unless
 * asked_only. state, refinement: results of the search, with the answer. A state that was stored for another answer is
 * discarded.
 *
 * Returns 0, also if there is no bound (see `reason`); EXIT_STOPPED after a signal; EXIT_USAGE if the stored state is
 * refused; or EXIT_INTERNAL after reporting an error to diagnostics. The result has the same bits however often the
 * computation is stopped and resumed. This does not hold with search.bound.max_seconds, which limits the time of all
 * runs together and is checked before each step of a relaxation. */
int lower_bound_run(const Problem *problem, const CtlState *state, const Refinement *refinement, bool asked_only,
                    const LowerBoundRunner *runner, Progress *progress, Diagnostics *diagnostics, LowerBound *bound);
void lower_bound_kept_clear(LowerBoundKept *kept);
void lower_bound_clear(LowerBound *bound);
/* Ends a computation that was stopped and will not be resumed. The result is what has been proven until then. */
void lower_bound_give_up(LowerBound *bound);

/* Returns whether the search should look for a better control: the gap is larger than requested, and time is left. */
bool lower_bound_wants_more(const LowerBound *bound);
/* Returns J of the answer, if it meets the target on the exact motion; otherwise INFINITY. */
double lower_bound_known(const Problem *problem, const CtlState *state, const Refinement *refinement);
/* Compares the bound, which holds for all controls, with another answer. */
void lower_bound_compare(LowerBound *bound, const Problem *problem, const CtlState *state,
                         const Refinement *refinement);

/* Prints, for the command check, whether a bound can be computed and, if not, the reason. */
void lower_bound_print_prospect(const Problem *problem);

/* Returns outcome.bound. The caller owns the reference; NULL if no bound was requested, or there is no memory. */
json_t *lower_bound_json(const LowerBound *bound);

/* Prints the bound in a line on standard output. Prints nothing if no bound was requested. */
void lower_bound_print(const LowerBound *bound);

#endif
