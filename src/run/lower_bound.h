/* How much cheaper any control whatever could be: outcome.bound. */
#ifndef SRC_RUN_LOWER_BOUND_H
#define SRC_RUN_LOWER_BOUND_H

#include "control/bound.h"
#include "src/run/refinement.h"

typedef struct LowerBound {
  bool sought;        /* there is something to tell */
  const char *reason; /* why there is none; NULL: there is one; static */
  /* Why a proof and a motion contradict each other, for which the run ends with EXIT_UNSOLVED; "": they do not. */
  char distrust[MOTION_FAILURE_SIZE];
  double J;    /* of the answer that it is of; INFINITY: there is none */
  double most; /* J of the dearest control within the bounds of u; INFINITY: u has none, or an answer is known */
  bool beyond; /* no control of so much J meets the target: it is out of reach, and nothing else is reported */
  bool refined, bounded; /* that is the refined one; u has bounds */
  CtlLowerBound bound;
  CtlBoundMean
      start; /* where a search may begin again, until a bound is found as the problem has it; owned; NULL: no gap was wanted */
  bool near;      /* to the gap wanted; no gap was: true */
  bool stopped;   /* for good, by a second signal */
  double seconds; /* it took */
  double until;   /* ctl_seconds: when search.bound.max_seconds are over; 0: never */
} LowerBound;

/* How far one has come, besides what CtlLowerBoundOptions.keep says, for a run that goes on with it. */
typedef struct LowerBoundLog {
  double J;       /* of the answer that it is of; INFINITY: there was none */
  double seconds; /* it has taken */
  double begun;   /* operations of all relaxations, by their estimates */
  int64_t beyond; /* which effort is under way, where no answer is known */
  int64_t stuck;  /* how often a signal has stopped it since it came so far; 2: it is tried no more */
} LowerBoundLog;

typedef struct LowerBoundKept {
  LowerBoundLog log;
  void *state; /* [size]; owned; NULL: it has not come far enough to be kept */
  size_t size;
} LowerBoundKept;

/* What a bound is run by. */
typedef struct LowerBoundRunner {
  void *context;
  /* Who carries out its cases: as CtlLowerBoundOptions.drive; problem: by `event`. */
  int (*drive)(void *context, const Problem *problem, const CtlLowerBoundOptions *cases, CtlTasks *tasks,
               const CtlEvaluator *evaluator);
  bool (*stopped)(void *context); /* whether to leave off */
  LowerBoundKept *kept;           /* it goes on from there */
  void (*keep)(void *context);    /* that has been renewed */
  SimReport report;               /* why what is kept is refused */
} LowerBoundRunner;

/* What the problem wants, or, unless asked_only, what it may have by default. state, refinement: the answer's; what is kept of another's is begun anew.
 * Returns 0, also when there is none (reason), EXIT_STOPPED on a signal, EXIT_USAGE where what is kept is refused, or EXIT_INTERNAL after telling
 * diagnostics. The same bits each time, however often it is stopped and goes on, but for search.bound.max_seconds, of all runs together, which is
 * looked at before each step of a relaxation. */
int lower_bound_run(const Problem *problem, const CtlState *state, const Refinement *refinement, bool asked_only,
                    const LowerBoundRunner *runner, Progress *progress, Diagnostics *diagnostics, LowerBound *bound);
void lower_bound_kept_clear(LowerBoundKept *kept);
void lower_bound_clear(LowerBound *bound);
/* Of one that was stopped for good: it keeps what has been proven. */
void lower_bound_give_up(LowerBound *bound);

/* Whether more of J is left than wanted, and time is, too: a better control may be found. */
bool lower_bound_wants_more(const LowerBound *bound);
/* J of an answer that meets the target on the motion itself; INFINITY: it does not. */
double lower_bound_known(const Problem *problem, const CtlState *state, const Refinement *refinement);
/* Compares it with another answer, which it holds of, too. */
void lower_bound_compare(LowerBound *bound, const Problem *problem, const CtlState *state,
                         const Refinement *refinement);

/* Of `check`, in a line on the standard output: whether there can be one, and why not. */
void lower_bound_print_prospect(const Problem *problem);

/* A new reference; NULL: none was sought, or no memory. */
json_t *lower_bound_json(const LowerBound *bound);

/* In a line on the standard output; none where none was sought. */
void lower_bound_print(const LowerBound *bound);

#endif
