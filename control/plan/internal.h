/* SPDX-License-Identifier: BSD-2-Clause */
/* Internal data of a plan, a motion problem with variables and quantities (control/plan/plan.h), and its evaluation at
 * a point. A point is a value for each of the n variables: the entries of u first, then the further variables, such as
 * the end time, lengths of segments, or the initial state (CtlVary). A quantity is one result of the motion, such as a
 * position at a given time. Each quantity yields one or several values, which are the objectives, residuals and
 * constraints of the search problem. */
#ifndef CONTROL_PLAN_INTERNAL_H
#define CONTROL_PLAN_INTERNAL_H

#include "control/plan/robust.h"

#include <math.h>

struct CtlPlan {
  SimProblem problem; /* copy of CtlPlanSetting.problem */
  int n;              /* number of variables of a point: controls + variables */
  int controls;       /* number of entries of u: p S, with p controls and S segments */
  int m;              /* number of values of all quantities */
  int variables, quantities;
  CtlVariable *variable; /* [variables] the variables besides the entries of u; owned, like all arrays here */
  CtlQuantity *quantity; /* [quantities] quantities of the plan */
  double *weights;       /* [][d] two copies of the weights x, v, from_x, from_v that each quantity has: as given, and
                          * with the sign of plan_side, as the scheme reads them */
  double *numbers;       /* [p][p] matrix N of effort, followed by lower bounds, upper bounds and start of u,
                          * [controls] each, and by the u of effort 0, [p] */
  int end;               /* index in `variable` of the end time T; -1: T is not a variable */
  int lengths;           /* index in `variable` of the length of segment 0; -1: the lengths of segments are not
                          * variables */
  int *first;            /* [quantities + 1] index of the first value of each quantity */
  bool derivatives;      /* whether the scheme can differentiate the motion */
  bool curvature;        /* whether the scheme supplies the complete Hessian of every objective */

  int reads;         /* number of entries of the array `read` */
  SimQuantity *read; /* [reads] quantities that the time-stepping scheme computes from a motion */
  int *read_of;      /* [quantities] index of each quantity in `read`; -1: effort, fuel or lateness, which are not
                      * read from the motion */
  int *column;       /* [n] number of the sensitivity's column, the derivatives of the motion, for each variable; -1:
                      * the variable is the time of a quantity and has no column */

  /* Model of the last evaluation; NULL before the first evaluation. */
  SimModel *model;
  SimProblem motion; /* problem of `model`, which borrows its arrays with sparse storage */
  SimWorkspace *work;
  SimSensitivity *sensitivity; /* NULL without derivatives */
  double *made_for;            /* [variables] values of the variables besides u for which `model` was created */
  bool interrupts;
  SimInterrupt interrupt;

  /* Arrays that each evaluation overwrites. */
  int columns;        /* number of columns of derivatives that the sensitivity computes */
  double *x, *v;      /* [d] final positions and velocities */
  SimReading reading; /* numbers that the scheme has read; the arrays are in one block with the final state x and v */
  SimDerivative derivative;
  double *lengths_now; /* [segments] lengths of the segments in this evaluation, in s */
};

static inline int plan_segments(const CtlPlan *plan) { return plan->problem.segments; }
static inline double *plan_weight(const CtlPlan *plan) { return plan->numbers; }
static inline double *plan_bound(const CtlPlan *plan, int upper) {
  int p = plan->problem.n_control;
  return plan->numbers + p * p + upper * plan->controls;
}
static inline double *plan_start(const CtlPlan *plan) { return plan_bound(plan, 2); }
static inline double *plan_around(const CtlPlan *plan) { return plan_bound(plan, 3); }

/* plan_factor and plan_offset return the numbers in the relation value = factor (quantity - offset) between a quantity
 * and its values in the search problem. */
double plan_factor(const CtlQuantity *quantity);
double plan_offset(const CtlQuantity *quantity);
/* Returns -1 for a quantity that is the smallest value of some y over the motion, since the scheme computes the largest
 * value of -y instead; otherwise 1. */
double plan_side(const CtlQuantity *quantity);
/* Returns whether the plan has a further variable of the kind `what`. */
bool plan_varies(const CtlPlan *plan, CtlVary what);

/* Reports each mistake in the setting of a plan. Returns the number of mistakes. */
int plan_check(const CtlPlanSetting *setting, const SimReport *report);

/* Sets plan->lengths_now to the lengths of the segments at a point, in s. Returns T in s. */
double plan_lengths(CtlPlan *plan, const double *point);
/* Returns the derivative of the length of segment k with respect to further variable number `variable`, from 0. */
double plan_length_change(const CtlPlan *plan, int k, int variable);
/* Destroys plan->model and all that belongs to it. */
void plan_release_model(CtlPlan *plan);
/* Creates the model for the further variables of a point, unless plan->model already has their values. */
SimStatus plan_make(CtlPlan *plan, const double *point);

/* Evaluates a point. values: set to the values [m] of the search problem. rows: set to the derivatives of these values,
 * laid out as CtlOutcome.rows (ctl_row_count); may be NULL. If the status is SIM_OK, plan->reading contains the
 * quantities that the scheme has computed. */
SimStatus plan_evaluate(CtlPlan *plan, const double *point, SimFinal *final, double *values, double *rows);

/* Sets the parts of the Lagrangian's derivative by T and by lengths, from optimality->all. */
void plan_take_pull(const CtlPlan *plan, CtlPlanOptimality *optimality);

/* Robust plans ----------------------------------------------------------------------------------------------------- */

struct CtlRobust {
  int scenarios;
  CtlPlan **plan; /* [scenarios] the plans, which are borrowed; the array is owned */
  CtlStatistic statistic;
  bool derivatives, curvature; /* as in CtlPlan; of all plans */
  bool combined; /* whether what is minimised in a scenario is one value f_s: of the statistic CTL_WORST, if any of it
                  * differs between scenarios */
  bool epigraph; /* whether t is a variable: if `combined`, with derivatives */
  int n, m;      /* numbers of variables and of values of the search problem */
  int first;  /* index of the first value of scenario 0: behind those of shared quantities and, if `combined`, t or the
                  * largest f_s */
  int block;  /* number of values of a scenario; if `epigraph`, the last one is f_s - t */
  int *place; /* [quantities] index of the first value of each quantity, among all values or, unless it is shared, in
                  * the block of its scenario; -1: it is in f_s; owned */
  double *values, *rows; /* values of one scenario's plan, and their derivatives; owned, in one block */
  bool smooth;           /* whether the motions of the last point were smooth in all scenarios */
};

static inline const CtlPlan *robust_like(const CtlRobust *robust) { return robust->plan[0]; }

/* Returns the larger number; NaN if one of them is NaN. */
static inline double robust_larger(double a, double b) { return isnan(a) || a > b ? a : b; }

/* Whether a quantity depends on the variables alone. */
bool robust_is_shared(const CtlQuantity *quantity);
/* Whether a quantity is the velocity of a dof with friction that is to be 0 at T. It has two values a scenario: at most
 * 0, at least 0. */
bool robust_stops(const CtlQuantity *quantity);
/* Return the index of the first value of quantity k in scenario s, -1 if it is in f_s; and that of f_s - t, -1 without
 * t. */
int robust_place(const CtlRobust *robust, int s, int k);
int robust_place_f(const CtlRobust *robust, int s);

/* Evaluates a point in all scenarios, as plan_evaluate does for one. */
SimStatus robust_evaluate(CtlRobust *robust, const double *point, SimFinal *final, double *values, double *rows);

#endif
