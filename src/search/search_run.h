/* SPDX-License-Identifier: BSD-2-Clause */
/* A search on rank 0, from the problem to the results. With options->unwritten only the summary is made. */
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

/* Progress of a proof. Checkpoints store it together with the state of the proof. */
typedef struct ProofLog {
  /* Number of motions at the last complete attempt to find a better answer. An attempt is made after 32, 64, 128, ..
   * motions. */
  int64_t looked;
  int64_t motions; /* number of motions that the proof had used at the end of its last round (set of tasks) */
  double seconds;  /* time used by earlier runs, in s */
  /* 1 if the proof is about a better answer that an earlier proof has found, instead of the answer of the search;
   * otherwise 0. The next members describe this better answer. */
  int64_t better;
  double control[CTL_CERTIFY_VARIABLES], J, E1, E2;
  int64_t simulations, boxes; /* numbers of simulations and of boxes (sets of controls) that earlier proofs have used */
} ProofLog;

/* Times that earlier runs of a search have used up to their last checkpoints, in s. */
typedef struct SearchSpent {
  double wall;               /* elapsed time of the whole runs */
  double driven, evaluators; /* driven: elapsed time in which points were evaluated; evaluators: this time multiplied by
                              * the number of evaluators (CtlTimes) */
  double ivps, evaluating, waiting, coordinating;
} SearchSpent;

typedef struct Sequel Sequel; /* defined in search_end.c */

typedef struct SearchRun {
  const Options *options;
  Diagnostics *diagnostics;
  int ranks;    /* number of ranks, including workers of --elastic */
  double start; /* time of the start (ctl_seconds) */
  Problem problem;
  Results results;
  RunRecord record;
  bool resumed;
  RolloutContext rollout; /* rollout for evaluations on rank 0, and for the trajectory of the answer */
  EvaluatedModel evaluated;
  ModelEvaluator evaluator; /* evaluator of rank 0, which uses the members above */
  ScenarioSet scenarios;    /* the scenarios, if the problem has scenarios */
  CtlProblem stacked;       /* problem of all scenarios together, if the objective is a statistic over them */
  CtlPlan *plan;            /* the motion plan; the evaluator made from it is used in place of the four members above;
                             * NULL: the problem has no plan; owned */
  RobustPlan robust; /* the plans of all scenarios, with control.objective; their evaluator then replaces `plan` */
  CtlProblem sought; /* search problem of the plan, or of the robust one; borrowed by the search */
  long easier;       /* number of evaluations for easier problems, of which the solutions are starts for the
                             * search of the plan */
  CtlSearch *search;
  double seconds_before;
  SearchSpent before; /* times used by earlier runs */
  SearchLog log;
  Progress progress;
  int evaluators; /* number of ranks or groups of ranks that evaluate */
  bool announced; /* whether search_run_announce has printed its line */
  bool warned;    /* whether a checkpoint has been written since the last signal */
  int busy;       /* number of ranks that are evaluating now */
  CtlTimes times;
  CtlPool *pool;     /* the pool; NULL: only this process evaluates; borrowed */
  CtlProof *proof;   /* proof of search.certify while it runs; borrowed */
  void *proof_saved; /* [proof_size] state of the proof when it was last stopped; NULL: it has not begun; owned */
  size_t proof_size; /* size of proof_saved in bytes */
  ProofLog proof_log;
  LowerBoundKept bound; /* state of the lower bound search.bound, which is continued over all runs; owned */
  int unkept;           /* exit code of an error in writing a checkpoint of the bound; 0: there was no such error */
  Sequel *sequel;       /* data of the steps after the search; owned */
  bool summary_wanted;  /* whether the caller needs the summary of a finished run */
  json_t *summary;      /* the summary, if it is needed; owned */
} SearchRun;

/* Reads the problem from the file in the options. Before the call, run must be zero except for options, diagnostics,
 * results.diagnostics, ranks and start and, if a run is resumed, record (opened) and resumed. Like the next two
 * functions, returns 0, or an exit code after reporting errors. */
int search_run_read(SearchRun *run);

/* Makes all preparations that can fail before the first evaluation, except creating the results directory. Before the
 * call, run must have its problem with its control. */
int search_run_prepare(SearchRun *run);

/* search_run_evaluator returns the evaluator of this process. search_run_message returns the message from which other
 * ranks make their evaluators; the caller frees it; NULL: no memory. */
CtlEvaluator search_run_evaluator(SearchRun *run);
void *search_run_message(const SearchRun *run, size_t *size);
/* Returns whether the message of search_run_message contains the model. It does not if the model is sparse and read
 * from its file. */
bool search_run_is_sent(const SearchRun *run);

/* Creates the results directory, or reopens that of a run to resume. workers: number of groups that evaluate. */
int search_run_open(SearchRun *run, int workers);

void search_run_release(SearchRun *run);

/* Returns whether a signal has arrived, so that the search must stop. The first time, writes a checkpoint at once. */
bool search_run_stopped(SearchRun *run);

/* Returns what a row of search.csv stands for, as a word in the singular or, if several, in the plural. */
const char *search_run_row(const SearchRun *run, bool several);

/* Returns the times of all runs so far. */
SearchSpent search_run_spent(const SearchRun *run);

/* Returns whether the objective is a statistic over scenarios. */
bool search_run_is_robust(const SearchRun *run);

/* Prints one line if a search without a progress line takes long, so that a pipe shows that it is under way. */
void search_run_announce(SearchRun *run);

/* Returns the listener to use while points are evaluated. */
CtlListener search_run_listener(SearchRun *run);

/* A search and its evaluators: a pool, or this process alone. All members are borrowed. */
typedef struct SearchDrive {
  CtlPool *pool; /* the pool; NULL: only this process evaluates */
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* evaluator of this process */
  const CtlListener *listener;
  double timeout; /* time limit of one evaluation, in s; 0: no limit */
  /* Packs the message from which workers make their evaluators; it is freed after use. Returns NULL if there is no
   * memory. pack NULL: the workers already have their evaluators. */
  void *(*pack)(const void *owner, size_t *size);
  const void *owner;
} SearchDrive;

/* Runs the search to its end. Returns the same codes as ctl_pool_drive or ctl_drive_serial. */
int search_drive(const SearchDrive *drive, CtlTimes *times);

#endif
