/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of a search for a motion plan: its motion, its quantities and its optimality, as files and as text. */
#ifndef SRC_PLAN_RESULTS_H
#define SRC_PLAN_RESULTS_H

#include "src/file/sections/motion_plan.h"
#include "src/search/search_run.h"
#include "src/study/plan_scenarios.h"
#include "src/study/robust_answer.h"

enum { PLAN_ADVICE_SIZE = 600 };

/* The answer of a search for a motion plan. */
typedef struct PlanAnswer {
  CtlState state;            /* state of the search; it borrows arrays from the search */
  SimProblem motion;         /* motion of the best point; owned */
  bool moves;                /* whether anything moves */
  bool there;                /* whether the best point has a motion */
  double rest;               /* time until which nothing moves, to a time step, in s */
  double J;                  /* effort of the best point's control */
  CtlQuantityValue *values;  /* [quantities] values of the quantities, of a robust plan as robust_answer_find sets them;
                             * owned, in one block with the next array */
  CtlQuantityValue *nominal; /* [quantities] values with the numbers of the file */
  RobustAnswer robust;       /* the scenarios that determine the answer, with control.objective */
  CtlPlanOptimality optimality;
  double *floquet;         /* [2 d][2] Floquet multipliers of a periodic motion; NULL: none; owned */
  PlanScenarios scenarios; /* the answer in all scenarios, if the problem has any */
  SimStatus judged;        /* SIM_OK if the optimality is known; otherwise the status with which its check failed */
} PlanAnswer;

/* Whether the best point meets all constraints. */
bool plan_answer_met(const SearchRun *run, const PlanAnswer *answer);

/* Computes the answer from the state of the run's search, and simulates it in all scenarios. Returns 0, or an exit
 * code after reporting an error. */
int plan_answer_find(SearchRun *run, PlanAnswer *answer);
void plan_answer_clear(PlanAnswer *answer);

/* Writes the trajectory, energy, events and summary.json. Returns 0, or an exit code after reporting an error. */
int plan_answer_write(SearchRun *run, PlanAnswer *answer);
void plan_answer_print(const SearchRun *run, const PlanAnswer *answer);
/* Returns the exit code of the search. Unless it is 0, reports the reason. */
int plan_answer_verdict(const SearchRun *run, const PlanAnswer *answer);

/* Returns the index of the constraint with the largest miss relative to its tolerance; -1 if all are met. */
int plan_answer_worst(const SearchRun *run, const PlanAnswer *answer);
/* Whether the search met all constraints, but neither its method, which uses no derivatives, nor the check of
 * optimality shows that f is a minimum. Writes what to do. */
bool plan_unproven(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]);
/* Writes settings that may help if constraints are missed, the most promising first. */
void plan_advice(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]);
/* Writes, for an answer beside which f can fall, what may find a lower f. A time that the search varies may have
 * stopped beside a time at which u jumps: there f has a kink, at which the search makes short steps only. */
void plan_descent_advice(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]);

#endif
