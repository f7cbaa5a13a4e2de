/* Rank 0 of a search: from the problem to the results, or, if they are to go nowhere (options->unwritten), to the summary alone. */
#ifndef SRC_SEARCH_RUN_H
#define SRC_SEARCH_RUN_H

#include "control/certify.h"
#include "control/pool.h"
#include "src/base/options.h"
#include "src/base/progress.h"
#include "src/file/sections/file.h"
#include "src/results/search_log.h"
#include "src/run/evaluated_model.h"
#include "src/run/lower_bound.h"
#include "src/run/run_record.h"
#include "src/study/scenario_outcome.h"

/* How far a proof has come, as its checkpoints tell besides it. */
typedef struct ProofLog {
  int64_t
      looked; /* motions until its last look for a better answer that was not stopped: the next is due at 32, 64, 128 .. */
  int64_t motions; /* until the end of its last round */
  double seconds;  /* of the runs before */
  /* The better answer that the proof goes on from; better: whether there is one. */
  int64_t better;
  double control[CTL_CERTIFY_VARIABLES], J, E1, E2;
  int64_t simulations, boxes; /* of the proofs before it */
} ProofLog;

/* What a search has taken, s: its runs before this one, each up to its last checkpoint. The drives' as in CtlTimes. */
typedef struct SearchSpent {
  double wall;               /* from the problem to the results */
  double driven, evaluators; /* of the drives; of these that of each evaluator, summed */
  double ivps, evaluating, waiting, coordinating;
} SearchSpent;

typedef struct Sequel Sequel; /* search_end.c */

typedef struct SearchRun {
  const Options *options;
  Diagnostics *diagnostics;
  int ranks;    /* with the workers of --elastic */
  double start; /* s, of ctl_seconds */
  Problem problem;
  Results results;
  RunRecord record;
  bool resumed;
  RolloutContext rollout; /* the model: for rank 0's own evaluations and for the trajectory of the optimum */
  EvaluatedModel evaluated;
  ModelEvaluator evaluator; /* rank 0's, by these and the model */
  ScenarioSet scenarios;    /* if the problem has some */
  CtlProblem stacked;       /* that of all scenarios together, of an objective over them */
  CtlSearch *search;
  double seconds_before;
  SearchSpent before; /* by the runs before */
  SearchLog log;
  Progress progress;
  int evaluators; /* ranks that simulate */
  bool warned;    /* by a signal: there is a checkpoint since */
  int busy;       /* ranks with work in hand, lately */
  CtlTimes times;
  CtlPool *pool;     /* NULL: this process alone; borrowed */
  CtlProof *proof;   /* search.certify's, while it is under way; borrowed */
  void *proof_saved; /* it, as it was when the run before, or this one, left it off; NULL: it has not begun; owned */
  size_t proof_size; /* bytes */
  ProofLog proof_log;
  LowerBoundKept bound; /* search.bound's, of this run and those before; owned */
  int unkept;           /* the exit code with which a checkpoint of it has failed; 0: none has */
  Sequel *sequel;       /* what has followed on the search so far; owned */
  bool told;            /* the summary of one that has ended is wanted */
  json_t *summary;      /* it; owned */
} SearchRun;

/* Reads the problem from the file of the options. run: zero except options, diagnostics, results.diagnostics, ranks and start, and, of a run that
 * is resumed, record (opened) and resumed. Returns 0 or an exit code, with the mistakes reported, as do the next two. */
int search_run_read(SearchRun *run);

/* Everything that can fail before the first evaluation, except the directory. run: likewise, with its problem, read with its control. */
int search_run_prepare(SearchRun *run);

/* Makes, or opens again, the results directory. workers: groups of ranks that evaluate. */
int search_run_open(SearchRun *run, int workers);

void search_run_release(SearchRun *run);

/* Whether to stop, on a signal: with a checkpoint at once. */
bool search_run_stopped(SearchRun *run);

/* What a row of search.csv is called, and what several are. */
const char *search_run_row(const SearchRun *run, bool several);

/* Of all runs until now. */
SearchSpent search_run_spent(const SearchRun *run);

/* Whether the control is for a statistic of the scenarios. */
bool search_run_is_robust(const SearchRun *run);

/* What the drive calls. */
CtlListener search_run_listener(SearchRun *run);

/* A search and its evaluators: a pool, or this process alone. All members are borrowed. */
typedef struct SearchDrive {
  CtlPool *pool; /* NULL: this process alone */
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* this process's */
  const CtlListener *listener;
  double timeout;             /* s, of one evaluation; 0: none */
  const EvaluatedModel *sent; /* what the workers build theirs of; NULL: they have it */
  const char *path;           /* where it was read */
} SearchDrive;

/* Drives it from beginning to end. Returns as ctl_pool_drive or ctl_drive_serial. */
int search_drive(const SearchDrive *drive, CtlTimes *times);

#endif
