/* Branch and bound over all motions that meet the target with J <= effort. A case restricts some x_i, at times where
 * intervals begin, to a range. The cases with the lowest bounds are halved where their dual mixes motions most, and
 * both halves are bounded as tasks on any ranks. The lowest bound of all cases holds for all motions. */
#ifndef CONTROL_BOUND_CASES_H
#define CONTROL_BOUND_CASES_H

#include "control/bound.h"
#include "control/bound/setting.h"

enum {
  CASES_CUTS = 48 /* maximum number of restrictions of a case */,
  CASES_ROUND = 32 /* maximum number of cases halved at a time */,
  CASES_MOST = 4096
};

typedef struct BoundCase {
  double J, known; /* see CtlLowerBound */
  int cuts;
  BoundCut cut[CASES_CUTS]; /* restrictions in ascending order of intervals */
  BoundCut next;            /* where to halve it: lower = upper; interval 0: cannot be halved */
} BoundCase;

/* Bounds a case with given cuts and finds where to halve it. enough: sufficient bound, relative to effort. */
SimStatus bound_case_solve(const BoundSetting *setting, double enough, const BoundStop *stop, BoundCase *one,
                           BoundSolved *solved);

struct CtlBoundProver {
  BoundSetting setting;
  double enough; /* sufficient bound, relative to effort */
  BoundStop stop;
};

typedef struct BoundCases {
  const CtlLowerBoundOptions *options; /* options with the cases' relaxation; borrowed */
  double most, spent;                  /* approximate operations: limit and total so far */
  double task;                         /* approximate operations of a recent case */
  bool refused;                        /* options' `tries` has returned false */
  int count, room;
  BoundCase *list; /* owned */
  int halved, which[CASES_ROUND];
  BoundCase half[2 * CASES_ROUND];
  bool done[2 * CASES_ROUND];
  long steps;
  CtlTasks tasks;
  void (*taken)(void *context); /* called when a round has been added to the list, before the next one; may be NULL */
  void *context;
} BoundCases;

/* Initialises without cases. SIM_OK, SIM_NO_MEMORY; clear it in any case. Do not move *cases afterwards. */
SimStatus bound_cases_init(const CtlLowerBoundOptions *options, BoundCases *cases);
void bound_cases_clear(BoundCases *cases);

/* Bounds all motions as the first case in this process, or leaves the list empty if `tries` refuses. SIM_OK,
 * SIM_NOT_FINISHED, SIM_NO_MEMORY. */
SimStatus bound_cases_first(BoundCases *cases, const CtlBoundProver *prover);

/* Sets up a round, with at most `most` operations in total. Returns false if there is none. Later rounds are set up
 * at the end of a round. */
bool bound_cases_begin(BoundCases *cases, double most);

/* Returns the lower bound of all motions; *known: the same for the known motion. The list must not be empty. */
double bound_cases_least(const BoundCases *cases, double *known);

#endif
