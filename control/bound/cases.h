/* All motions that meet the target with J <= effort, split into cases: in each x_i at some times, where intervals begin, is between limits. Best first: of
 * the cases with the least bounds each is halved where its dual mixes motions most, and both halves are bounded, as tasks for any ranks. The least
 * bound of all cases holds of all motions. */
#ifndef CONTROL_BOUND_CASES_H
#define CONTROL_BOUND_CASES_H

#include "control/bound.h"
#include "control/bound/setting.h"

enum { CASES_CUTS = 48 /* of a case */, CASES_ROUND = 32 /* that are halved at a time, at most */, CASES_MOST = 4096 };

typedef struct BoundCase {
  double J, known; /* as CtlLowerBound */
  int cuts;
  BoundCut cut[CASES_CUTS]; /* by ascending intervals */
  BoundCut next;            /* where it is to be halved: lower = upper; interval 0: nowhere */
} BoundCase;

/* Bounds a case, whose cuts are given, and finds where it is to be halved. enough: of effort. */
SimStatus bound_case_solve(const BoundSetting *setting, double enough, const BoundStop *stop, BoundCase *one,
                           BoundSolved *solved);

struct CtlBoundProver {
  BoundSetting setting;
  double enough; /* of effort */
  BoundStop stop;
};

typedef struct BoundCases {
  const CtlLowerBoundOptions *options; /* with those of the cases' relaxation; borrowed */
  double most, spent;                  /* operations, about: until when it goes on, and so far */
  double task;                         /* of one case, lately */
  bool refused;                        /* options' tries has said no */
  int count, room;
  BoundCase *list; /* owned */
  int halved, which[CASES_ROUND];
  BoundCase half[2 * CASES_ROUND];
  bool done[2 * CASES_ROUND];
  long steps;
  CtlTasks tasks;
  void (*taken)(void *context); /* each round is in the list: before the next is laid out; may be NULL */
  void *context;
} BoundCases;

/* None yet. SIM_OK, SIM_NO_MEMORY; to be cleared in any case. cases: stays where it is. */
SimStatus bound_cases_init(const CtlLowerBoundOptions *options, BoundCases *cases);
void bound_cases_clear(BoundCases *cases);

/* The whole as one case, bounded here; or none, refused. SIM_OK, SIM_NOT_FINISHED, SIM_NO_MEMORY. */
SimStatus bound_cases_first(BoundCases *cases, const CtlBoundProver *prover);

/* Lays out a round until `most` operations; false: there is none. It lays out those that follow by
 * itself. */
bool bound_cases_begin(BoundCases *cases, double most);

/* What holds of all motions; known: likewise. There is a case. */
double bound_cases_least(const BoundCases *cases, double *known);

#endif
