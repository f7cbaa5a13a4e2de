/* SPDX-License-Identifier: BSD-2-Clause */
/* A problem of bench-plans: it is read from a text and searched from random starts, and its answer is checked by a
 * second simulation. */
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

/* Reads the text of a problem file with settings [n]. Returns 0, or an exit code after reporting an error; the trial is
 * then closed. */
int trial_open(const char *name, const char *text, char *const *settings, int n, Diagnostics *diagnostics,
               Trial *trial);
/* Reads a problem file; otherwise as trial_open. */
int trial_open_file(const char *path, char *const *settings, int n, Diagnostics *diagnostics, Trial *trial);
void trial_close(Trial *trial);

/* Results of searches from random starts, one search from each. */
typedef struct Found {
  int starts, met;
  int near;         /* number of answers that meet the conditions with an objective f at most 1 % above the least one */
  long evaluations; /* of all starts */
  double median;    /* median number of evaluations of a search */
  double f;         /* least objective of the answers that meet the conditions; NAN: none does */
  double excess;    /* median, over these answers, of the excess of f over the least f: relative, or absolute if |f|
                     * < 1 */
  double *point;    /* [n] answer with the least f; owned; NULL: no answer meets the conditions */
  int failed;       /* number of searches in which no motion could be computed */
} Found;

/* Searches the problem from its first `starts` random starts. Returns false if there is no memory. */
bool trial_search(const Trial *trial, int starts, Found *found);
void found_clear(Found *found);

/* Comparison of an answer with the same motion in small time steps (retrace.h). */
typedef struct Verdict {
  double miss;       /* largest miss of a condition by the scheme `event`, in units of its tolerance */
  double difference; /* largest difference of a value between `event` and the small steps, divided by 1 + |value| */
  const char *name;  /* name of the value that differs most; borrowed from the plan */
  double f;          /* objective computed from the small steps */
  bool vertex;
  CtlMinimum local_minimum;
} Verdict;

/* Computes all quantities of a point in both ways, by `event` and in small steps, and compares them. Returns the status
 * of the motion. */
SimStatus trial_judge(const Trial *trial, const double *point, Verdict *verdict);

#endif
