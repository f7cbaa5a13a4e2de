/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch and bound over all motions that meet the target with J <= effort. A subproblem (case) restricts some x_i to a
 * range, at times where intervals begin. The subproblems with the lowest bounds are split into halves, each at the x_i
 * and the time at which the motions mixed by its dual solution differ most. The bounds of both halves are computed as
 * tasks, on any ranks. The lowest bound of all subproblems holds for all motions. */
#ifndef CONTROL_BOUND_CASES_H
#define CONTROL_BOUND_CASES_H

#include "control/bound.h"
#include "control/bound/setting.h"

enum {
  CASES_CUTS = 48 /* maximum number of restrictions (cuts) of a subproblem */,
  CASES_ROUND = 32 /* maximum number of subproblems that a round splits; a round is a set of tasks */,
  CASES_MOST = 4096
};

typedef struct BoundCase {
  double J, known; /* J: lower bound of the effort for all controls of the subproblem. known: the same bound if the
                    * target is replaced by the final state of the known motion. */
  int cuts;
  BoundCut cut[CASES_CUTS]; /* restrictions of the subproblem, in ascending order of intervals */
  BoundCut next; /* restriction at which the subproblem is split, with lower = upper; its interval is 0 if the
                  * subproblem cannot be split */
} BoundCase;

/* Computes the bound of the subproblem with the given cuts, and the cut at which to split it. enough: fraction of
 * effort; the computation ends when the bound reaches it. */
SimStatus bound_case_solve(const BoundSetting *setting, double enough, const BoundStop *stop, BoundCase *one,
                           BoundSolved *solved);

struct CtlBoundProver {
  BoundSetting setting;
  double enough; /* fraction of effort at which a bound is sufficient */
  BoundStop stop;
};

typedef struct BoundCases {
  const CtlLowerBoundOptions *options; /* options of the lower bound that choose the relaxation for subproblems;
                                        * borrowed */
  double most, spent;                  /* approximate number of operations: limit, and sum so far */
  double task;                         /* approximate number of operations for one subproblem, the largest of recent
                                        * ones */
  bool refused;                        /* whether the function `tries` of the options has refused a subproblem */
  int count, room;
  BoundCase *list; /* subproblems; owned */
  int halved, which[CASES_ROUND];
  BoundCase half[2 * CASES_ROUND];
  bool done[2 * CASES_ROUND];
  long steps;
  CtlTasks tasks;
  /* called after the results of a round have been added to the list of subproblems, before the next round; may be
   * NULL */
  void (*taken)(void *context);
  void *context;
} BoundCases;

/* Initialises an empty list of subproblems. Returns SIM_OK or SIM_NO_MEMORY; the list must be cleared in both cases.
 * The caller must not move *cases afterwards, as tasks point to it. */
SimStatus bound_cases_init(const CtlLowerBoundOptions *options, BoundCases *cases);
void bound_cases_clear(BoundCases *cases);

/* Computes the bound of the set of all motions, as a single subproblem, in this process. The list of subproblems stays
 * empty if the function `tries` of the options refuses. Returns SIM_OK, SIM_NOT_FINISHED or SIM_NO_MEMORY. */
SimStatus bound_cases_first(BoundCases *cases, const CtlBoundProver *prover);

/* Sets up the first round of splits. All rounds together may take `most` operations. Returns false if no subproblem can
 * be split. Each round, when it ends, sets up the next one. */
bool bound_cases_begin(BoundCases *cases, double most);

/* Returns the lower bound for all motions. *known: the same bound if the target is replaced by the final state of the
 * known motion. The list must not be empty. */
double bound_cases_least(const BoundCases *cases, double *known);

#endif
