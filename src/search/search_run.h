/* Rank 0 of a search: from the problem to the results or, with options->unwritten, to the summary only. */
#ifndef SRC_SEARCH_RUN_H
#define SRC_SEARCH_RUN_H

#include "control/certify.h"
#include "control/pool.h"
#include "src/base/options.h"
#include "src/base/progress.h"
#include "src/file/sections/file.h"
#include "src/file/sections/motion_plan.h"
#include "src/results/search_log.h"
#include "src/run/evaluated_model.h"
#include "src/run/lower_bound.h"
#include "src/run/run_record.h"
#include "src/study/scenario_outcome.h"

/* Progress of a proof, stored in checkpoints beside its state. */
typedef struct ProofLog {
  /* Motions until its last complete attempt to find a better answer; the next is due at 32, 64, 128 .. */
  int64_t looked;
  int64_t motions; /* until the end of its last round */
  double seconds;  /* of earlier runs */
  /* The better answer that is being proven; better: whether there is one. */
  int64_t better;
  double control[CTL_CERTIFY_VARIABLES], J, E1, E2;
  int64_t simulations, boxes; /* of earlier proofs */
} ProofLog;

/* Time used by earlier runs of a search up to their last checkpoints, s. */
typedef struct SearchSpent {
  double wall;               /* from the problem to the results */
  double driven, evaluators; /* as in CtlTimes: of the drives, and the sum over their evaluators */
  double ivps, evaluating, waiting, coordinating;
} SearchSpent;

typedef struct Sequel Sequel; /* search_end.c */

typedef struct SearchRun {
  const Options *options;
  Diagnostics *diagnostics;
  int ranks;    /* including the workers of --elastic */
  double start; /* s, of ctl_seconds */
  Problem problem;
  Results results;
  RunRecord record;
  bool resumed;
  RolloutContext rollout; /* for rank 0's own evaluations and for the trajectory of the answer */
  EvaluatedModel evaluated;
  ModelEvaluator evaluator; /* of rank 0, with the members above */
  ScenarioSet scenarios;    /* if the problem has any */
  CtlProblem stacked;       /* problem of all scenarios together, for an objective over them */
  CtlPlan *plan;            /* for a motion plan, in place of the four members above; NULL: none; owned */
  CtlProblem sought;        /* the plan's problem of values; the search borrows it */
  long easier;              /* evaluations of easier problems, whose answers are starts of the plan */
  CtlSearch *search;
  double seconds_before;
  SearchSpent before; /* of earlier runs */
  SearchLog log;
  Progress progress;
  int evaluators; /* number of ranks that simulate */
  bool warned;    /* a signal arrived, and a checkpoint was written since */
  int busy;       /* number of ranks that are evaluating */
  CtlTimes times;
  CtlPool *pool;     /* NULL: this process alone; borrowed */
  CtlProof *proof;   /* of search.certify, while it runs; borrowed */
  void *proof_saved; /* its state when it was last stopped; NULL: not begun; owned */
  size_t proof_size; /* bytes */
  ProofLog proof_log;
  LowerBoundKept bound; /* state of search.bound over all runs; owned */
  int unkept;           /* exit code of a failed checkpoint of it; 0: none */
  Sequel *sequel;       /* steps after the search so far; owned */
  bool summary_wanted;  /* the summary of a finished run is requested */
  json_t *summary;      /* the summary; owned */
} SearchRun;

/* Reads the problem from the file of the options. run: zero except options, diagnostics, results.diagnostics, ranks and start, and, of a run that
 * is resumed, record (opened) and resumed. Returns 0 or an exit code, with the mistakes reported, as do the next two. */
int search_run_read(SearchRun *run);

/* Everything that can fail before the first evaluation, except the directory. run: likewise, with its problem, read with its control. */
int search_run_prepare(SearchRun *run);

/* Returns the evaluator of this process, and the message from which other ranks build theirs; the caller frees it.
 * NULL: no memory. */
CtlEvaluator search_run_evaluator(SearchRun *run);
void *search_run_message(const SearchRun *run, size_t *size);
/* Whether that message contains the model; a sparse model is read from its file instead. */
bool search_run_is_sent(const SearchRun *run);

/* Creates or reopens the results directory. workers: number of groups that evaluate. */
int search_run_open(SearchRun *run, int workers);

void search_run_release(SearchRun *run);

/* Whether to stop on a signal; writes a checkpoint at once. */
bool search_run_stopped(SearchRun *run);

/* Name of a row of search.csv, in the singular or plural. */
const char *search_run_row(const SearchRun *run, bool several);

/* Returns the times over all runs so far. */
SearchSpent search_run_spent(const SearchRun *run);

/* Whether the objective is a statistic over scenarios. */
bool search_run_is_robust(const SearchRun *run);

/* Returns the listener of the drive. */
CtlListener search_run_listener(SearchRun *run);

/* A search and its evaluators: a pool, or this process alone. All members are borrowed. */
typedef struct SearchDrive {
  CtlPool *pool; /* NULL: this process alone */
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* evaluator of this process */
  const CtlListener *listener;
  double timeout; /* time limit of one evaluation, s; 0: none */
  /* Packs the message from which the workers build their evaluators, to be freed; NULL: no memory. pack NULL: they have
   * them. */
  void *(*pack)(const void *owner, size_t *size);
  const void *owner;
} SearchDrive;

/* Runs the search to its end. Returns as ctl_pool_drive or ctl_drive_serial. */
int search_drive(const SearchDrive *drive, CtlTimes *times);

#endif
