/* One problem of bench-plans: read from a text, searched from random starts, its answer computed again. */
#ifndef BENCH_PLANS_TRIAL_H
#define BENCH_PLANS_TRIAL_H

#include "src/file/sections/motion_plan.h"

enum { PLAN_STARTS = 20, PLAN_TEXT_SIZE = 8192 };

/* A problem that has been read. All members are owned. */
typedef struct Trial {
  Problem problem;
  CtlPlan *plan;
  CtlProblem search;
} Trial;

/* Reads a problem file's text with settings [n]. Returns 0 or, reported, an exit code; unless 0, the trial is closed. */
int trial_open(const char *name, const char *text, char *const *settings, int n, Diagnostics *diagnostics,
               Trial *trial);
/* The same for a file. */
int trial_open_file(const char *path, char *const *settings, int n, Diagnostics *diagnostics, Trial *trial);
void trial_close(Trial *trial);

/* What was found from random starts, one search each. */
typedef struct Found {
  int starts, met;
  int near;         /* answers that meet the conditions and have an f at most 1 % above the least */
  long evaluations; /* of all starts */
  double median;    /* of the evaluations of a start */
  double f;         /* least of the answers that meet the conditions; NAN: none does */
  double excess;    /* median of their f over the least: relative, or as it is where |f| < 1 */
  double *point;    /* [n] the answer with the least f; owned; NULL: none */
  int failed;       /* searches without any motion */
} Found;

/* Searches from the first random starts of the problem. false: no memory. */
bool trial_search(const Trial *trial, int starts, Found *found);
void found_clear(Found *found);

/* How an answer compares with a motion in steps (retrace.h). */
typedef struct Verdict {
  double miss;       /* largest miss of a condition in its tolerance, read by `event` */
  double difference; /* largest difference of a value between `event` and the steps, over 1 + |value| */
  const char *name;  /* of the value that differs most; borrowed from the plan */
  double f;          /* f of the values by steps */
  bool vertex;
  CtlMinimum local_minimum;
} Verdict;

/* Reads all quantities of a point in both ways. Returns the status of the motion. */
SimStatus trial_judge(const Trial *trial, const double *point, Verdict *verdict);

#endif
