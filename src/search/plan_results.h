/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of a search for a motion plan: its motion, its quantities and its optimality. They are written to files and
 * printed. */
#ifndef SRC_PLAN_RESULTS_H
#define SRC_PLAN_RESULTS_H

#include "src/file/sections/motion_plan.h"
#include "src/search/search_run.h"
#include "src/study/plan_scenarios.h"
#include "src/study/robust_answer.h"

enum { PLAN_ADVICE_SIZE = 600 };

/* The answer of a search for a motion plan: the best point and its motion. */
typedef struct PlanAnswer {
  CtlState state;            /* state of the search; it borrows arrays from the search */
  SimProblem motion;         /* motion of the best point; owned; valid if `there` */
  bool moves;                /* whether any joint moves during the motion */
  bool there;                /* whether the best point has a motion */
  double rest;               /* time until which nothing moves, accurate to a time step, in s */
  double J;                  /* effort of the control of the best point */
  CtlQuantityValue *values;  /* [quantities] values of the quantities, of a robust plan as robust_answer_find sets them;
                             * owned, in one block with the next array */
  CtlQuantityValue *nominal; /* [quantities] values with the numbers of the file */
  RobustAnswer robust;       /* the scenarios that determine the answer, with control.objective */
  CtlPlanOptimality optimality;
  double *floquet;         /* [2 d][2] Floquet multipliers of a periodic motion; NULL: none; owned */
  PlanScenarios scenarios; /* the motion in all scenarios, if the problem has scenarios */
  SimStatus judged;        /* SIM_OK if the optimality is known; otherwise the status with which computing it failed */
} PlanAnswer;

/* Returns whether the best point meets all constraints. */
bool plan_answer_met(const SearchRun *run, const PlanAnswer *answer);

/* Finds the answer from the final state of the run's search, and simulates it in all scenarios. Returns 0, or an exit
 * code after reporting an error. */
int plan_answer_find(SearchRun *run, PlanAnswer *answer);
void plan_answer_clear(PlanAnswer *answer);

/* Writes the trajectory, energy, events and summary.json. Returns 0, or an exit code after reporting an error. */
int plan_answer_write(SearchRun *run, PlanAnswer *answer);
void plan_answer_print(const SearchRun *run, const PlanAnswer *answer);
/* Returns the exit code of the search. Unless it is 0, reports the reason. */
int plan_answer_verdict(const SearchRun *run, const PlanAnswer *answer);

/* Returns the index of the constraint that is violated most, relative to its tolerance; -1 if all are met. */
int plan_answer_worst(const SearchRun *run, const PlanAnswer *answer);
/* Returns whether the search met all constraints but it is not proven that f is a minimum: its method uses no
 * derivatives, and the check of optimality gives no proof. If so, writes what the user can do. */
bool plan_unproven(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]);
/* Writes settings that may help to meet the constraints, the most promising first. */
void plan_advice(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]);
/* Returns whether the answer meets all constraints and f can fall near it. If so, writes what may find a lower f. A time that is a variable of the search
 * may have stopped near a time at which u jumps. f has a kink there, near which the search makes only short steps. */
bool plan_descends(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]);

#endif
