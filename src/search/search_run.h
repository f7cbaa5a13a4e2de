/* SPDX-License-Identifier: BSD-2-Clause */
/* A search on rank 0: from the problem to the results or, with options->unwritten, to the summary only. */
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
#include "src/study/robust_plan.h"
#include "src/study/scenario_outcome.h"

/* How far a proof has come. Checkpoints have it beside the state of the proof. */
typedef struct ProofLog {
  /* Number of motions at the last complete attempt to find a better answer. Further attempts follow after 32, 64, 128,
   * .. motions. */
  int64_t looked;
  int64_t motions; /* number of motions until the end of the last round */
  double seconds;  /* time used by earlier runs, in s */
  /* 1 if the proof is for a better answer than that of the search, which was found by the proof; otherwise 0. The
   * better answer follows. */
  int64_t better;
  double control[CTL_CERTIFY_VARIABLES], J, E1, E2;
  int64_t simulations, boxes; /* numbers of simulations and boxes of earlier proofs */
} ProofLog;

/* Time that earlier runs of a search used up to their last checkpoints, in s. */
typedef struct SearchSpent {
  double wall;               /* elapsed time, from the problem to the results */
  double driven, evaluators; /* driven: elapsed time of the drives of the search; evaluators: that time times the
                              * number of evaluators (CtlTimes) */
  double ivps, evaluating, waiting, coordinating;
} SearchSpent;

typedef struct Sequel Sequel; /* search_end.c */

typedef struct SearchRun {
  const Options *options;
  Diagnostics *diagnostics;
  int ranks;    /* number of ranks, including the workers of --elastic */
  double start; /* time of the start (ctl_seconds) */
  Problem problem;
  Results results;
  RunRecord record;
  bool resumed;
  RolloutContext rollout; /* simulates for rank 0's own evaluations, and for the trajectory of the answer */
  EvaluatedModel evaluated;
  ModelEvaluator evaluator; /* evaluator of rank 0, which uses the members above */
  ScenarioSet scenarios;    /* the scenarios, if the problem has any */
  CtlProblem stacked;       /* problem of all scenarios together, for an objective over them */
  CtlPlan *plan;            /* the motion plan; its evaluator replaces the four members above; NULL: the problem
                             * has no plan; owned */
  RobustPlan robust; /* the plans of all scenarios, with control.objective; their evaluator then replaces `plan` */
  CtlProblem sought; /* search problem of the plan, or of the robust one; borrowed by the search */
  long easier;       /* number of evaluations of easier problems; their solutions are starts of the plan */
  CtlSearch *search;
  double seconds_before;
  SearchSpent before; /* time used by earlier runs */
  SearchLog log;
  Progress progress;
  int evaluators; /* number of ranks that simulate */
  bool announced; /* whether search_run_announce has printed its line */
  bool warned;    /* whether a checkpoint has been written since the last signal */
  int busy;       /* number of ranks that are evaluating now */
  CtlTimes times;
  CtlPool *pool;     /* the pool; NULL: this process alone evaluates; borrowed */
  CtlProof *proof;   /* proof of search.certify while it runs; borrowed */
  void *proof_saved; /* [proof_size] state of the proof when it was last stopped; NULL: it has not begun; owned */
  size_t proof_size; /* bytes of proof_saved */
  ProofLog proof_log;
  LowerBoundKept bound; /* state of the lower bound of search.bound, over all runs; owned */
  int unkept;           /* exit code if a checkpoint of the bound could not be written; 0: there was no such error */
  Sequel *sequel;       /* state of the steps after the search; owned */
  bool summary_wanted;  /* whether the summary of a finished run is to be kept in `summary` */
  json_t *summary;      /* the summary; owned */
} SearchRun;

/* Reads the problem from the file in the options. Before, run must be zero except options, diagnostics,
 * results.diagnostics, ranks and start and, if a run is resumed, record (opened) and resumed. Returns 0, or an exit
 * code after reporting errors, as the next two functions. */
int search_run_read(SearchRun *run);

/* Does everything that can fail before the first evaluation, except creating the directory. The run has its problem,
 * with its control. */
int search_run_prepare(SearchRun *run);

/* search_run_evaluator returns the evaluator of this process. search_run_message returns the message from which other
 * ranks make theirs; the caller frees it; NULL: no memory. */
CtlEvaluator search_run_evaluator(SearchRun *run);
void *search_run_message(const SearchRun *run, size_t *size);
/* Returns whether that message has the model. A sparse model is read from its file instead. */
bool search_run_is_sent(const SearchRun *run);

/* Creates or reopens the results directory. workers: number of groups that evaluate. */
int search_run_open(SearchRun *run, int workers);

void search_run_release(SearchRun *run);

/* Returns whether a signal has arrived, so that the search must stop. The first time, writes a checkpoint at once. */
bool search_run_stopped(SearchRun *run);

/* Returns the name of what a row of search.csv stands for, in the singular or (several) the plural. */
const char *search_run_row(const SearchRun *run, bool several);

/* Returns the times of all runs so far. */
SearchSpent search_run_spent(const SearchRun *run);

/* Returns whether the objective is a statistic over scenarios. */
bool search_run_is_robust(const SearchRun *run);

/* Prints one line if a search without a progress line takes long, so that a pipe shows that it is under way. */
void search_run_announce(SearchRun *run);

/* Returns the listener of the drive. */
CtlListener search_run_listener(SearchRun *run);

/* A search and what evaluates it: a pool, or this process alone. All members are borrowed. */
typedef struct SearchDrive {
  CtlPool *pool; /* the pool; NULL: this process alone evaluates */
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* evaluator of this process */
  const CtlListener *listener;
  double timeout; /* time limit of one evaluation, in s; 0: no limit */
  /* Packs the message from which the workers make their evaluators; it is freed after use. Returns NULL if there is no
   * memory. pack NULL: the workers have their evaluators. */
  void *(*pack)(const void *owner, size_t *size);
  const void *owner;
} SearchDrive;

/* Runs the search to its end. Returns as ctl_pool_drive or ctl_drive_serial. */
int search_drive(const SearchDrive *drive, CtlTimes *times);

#endif
