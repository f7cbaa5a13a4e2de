/* What a search for a motion plan has found: its motion, its quantities, its optimality; as files and as text. */
#ifndef SRC_PLAN_RESULTS_H
#define SRC_PLAN_RESULTS_H

#include "src/file/sections/motion_plan.h"
#include "src/search/search_run.h"

enum { PLAN_ADVICE_SIZE = 600 };

/* An answer. */
typedef struct PlanAnswer {
  CtlState state;           /* borrows from the search */
  SimProblem motion;        /* of the best point; owned */
  bool there;               /* there is a motion */
  double J;                 /* effort of its control */
  CtlQuantityValue *values; /* [quantities] owned */
  CtlPlanOptimality optimality;
  double *floquet;  /* [2 d][2] of a periodic motion; NULL: none; owned */
  SimStatus judged; /* whether the optimality is known: SIM_OK, or why not */
} PlanAnswer;

/* Finds it from the state of the run's search. Returns 0 or, reported, an exit code. */
int plan_answer_find(const SearchRun *run, PlanAnswer *answer);
void plan_answer_clear(PlanAnswer *answer);

/* Writes trajectory, energy, events and summary.json. Returns 0 or, reported, an exit code. */
int plan_answer_write(SearchRun *run, PlanAnswer *answer);
void plan_answer_print(const SearchRun *run, const PlanAnswer *answer);
/* The exit code, after reporting what is wrong. */
int plan_answer_verdict(const SearchRun *run, const PlanAnswer *answer);

/* The condition that is missed by most of its tolerance; -1: none. */
int plan_answer_worst(const SearchRun *run, const PlanAnswer *answer);
/* Settings that may help where conditions are missed, the most promising first. */
void plan_advice(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]);

#endif
