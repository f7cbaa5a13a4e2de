/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch and bound over all motions that meet the target with J <= effort. A subproblem restricts some x_i, at times
 * where intervals begin, to a range. The subproblems with the lowest bounds are halved, each at the x_i and time at
 * which the motions mixed by its dual solution differ most. Both halves are bounded as tasks on any ranks. The lowest
 * bound of all subproblems holds for all motions. */
#ifndef CONTROL_BOUND_CASES_H
#define CONTROL_BOUND_CASES_H

#include "control/bound.h"
#include "control/bound/setting.h"

enum {
  CASES_CUTS = 48 /* maximum number of restrictions (cuts) of a subproblem */,
  CASES_ROUND = 32 /* maximum number of subproblems that a round halves; a round is a set of tasks */,
  CASES_MOST = 4096
};

typedef struct BoundCase {
  double J, known; /* J: lower bound of the effort J for all controls of the subproblem. known: the same bound for a
                    * target that is the final state of the known motion. */
  int cuts;
  BoundCut cut[CASES_CUTS]; /* restrictions of the subproblem, in ascending order of intervals */
  BoundCut next; /* restriction at which the subproblem is halved, with lower = upper; interval 0 if it cannot be
                  * halved */
} BoundCase;

/* Computes the bound of the subproblem with given cuts, and the cut at which to halve this subproblem. enough: fraction
 * of effort; the computation ends when the bound reaches it. */
SimStatus bound_case_solve(const BoundSetting *setting, double enough, const BoundStop *stop, BoundCase *one,
                           BoundSolved *solved);

struct CtlBoundProver {
  BoundSetting setting;
  double enough; /* fraction of effort at which a bound is sufficient */
  BoundStop stop;
};

typedef struct BoundCases {
  const CtlLowerBoundOptions *options; /* options of the lower bound, with the relaxation for subproblems; borrowed */
  double most, spent;                  /* approximate number of operations: limit and sum so far */
  double task;                         /* approximate number of operations of a recent subproblem */
  bool refused;                        /* whether the function `tries` of the options has refused a subproblem */
  int count, room;
  BoundCase *list; /* owned */
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

/* Initialises an empty list of subproblems. Returns SIM_OK or SIM_NO_MEMORY; clear it in both cases. The caller must
 * not move *cases afterwards, as tasks point to it. */
SimStatus bound_cases_init(const CtlLowerBoundOptions *options, BoundCases *cases);
void bound_cases_clear(BoundCases *cases);

/* Computes the bound of all motions as a single subproblem, in this process. The list of subproblems stays empty if the
 * function `tries` of the options refuses. Returns SIM_OK, SIM_NOT_FINISHED or SIM_NO_MEMORY. */
SimStatus bound_cases_first(BoundCases *cases, const CtlBoundProver *prover);

/* Sets up the first round of halving subproblems. The rounds may take `most` operations in total. Returns false if no
 * subproblem can be halved. Each round sets up the next one. */
bool bound_cases_begin(BoundCases *cases, double most);

/* Returns the lower bound for all motions. *known: the same bound for the final state of the known motion. The list
 * must not be empty. */
double bound_cases_least(const BoundCases *cases, double *known);

#endif
