/* SPDX-License-Identifier: BSD-2-Clause */
/* Motion plans: optimal control beyond least effort at a given time. A problem file has a motion plan if it has one
 * of these keys: control.minimize, limits, initial, periodic, target.via, target.points, target.combinations,
 * intervals of a target, signal.lengths, or a free time.end. These keys are read as variables and quantities of
 * control/plan/plan.h. */
#ifndef SRC_PROBLEM_MOTION_PLAN_H
#define SRC_PROBLEM_MOTION_PLAN_H

#include "control/plan/robust.h"
#include "src/base/problem.h"
#include "src/file/text/document.h"

enum { PLAN_SENTENCE_SIZE = 400 };

/* A function of time t that a motion must follow. */
typedef struct PlanReference {
  Expression *function; /* owned */
  const Node *node;     /* node of the file; borrowed while the file is read */
} PlanReference;

/* A motion plan as read. All members are owned. */
typedef struct MotionPlan {
  int variables;
  CtlVariable *variable; /* [variables] variables of the plan besides u */
  int quantities;
  CtlQuantity *quantity; /* [quantities] objectives, residuals and constraints of the plan */
  double **weights;      /* [n_weights] vectors of weights, to which quantities point */
  size_t n_weights;
  PlanReference *references; /* [n_references] functions of t, to which quantities point */
  size_t n_references;
  struct MechanismPlaces **places; /* [n_places] compiled coordinates of a mechanism's points, which quantities
                                    * borrow */
  size_t n_places;
  bool *initial;   /* [2][d] entries of x(0) and v(0) that control.initial gives or finds; NULL: none */
  double asked[3]; /* if T varies: at_least, at_most and start of time.end, in s; NAN: the file does not give the value,
                    * and it follows from the model */
  bool end_known;  /* whether T is given, or its bounds have been found */
  double step;     /* if T varies: longest step of the motion that is written to files, in s */
  CtlStatistic statistic; /* over scenarios, of control.objective; CtlProblem.statistic is nominal with a plan */
  json_t *written;        /* keys of the section control for the echo, except those that are variables of the plan */
  char sentence[PLAN_SENTENCE_SIZE]; /* description of the problem: "least time, 2 joints, |u| <= 15, speeds <= 0.9" */
} MotionPlan;

void motion_plan_destroy(MotionPlan *plan); /* NULL is allowed */

/* Returns the index of the first variable of a kind; -1 if there is none. */
int motion_plan_first(const MotionPlan *plan, CtlVary what);
/* Whether T is a variable, or the sum of lengths that are variables. */
bool motion_plan_varies_end(const MotionPlan *plan);
/* Whether a quantity is a bound of a variable T that the file does not give, so that it follows from the model. */
bool motion_plan_chose(const MotionPlan *plan, const CtlQuantity *quantity);
/* Whether a scheme can compute the plan. Schemes with steps compute it only at a given T, and without values on the
 * way. */
bool motion_plan_takes(const MotionPlan *plan, const SimScheme *scheme);

/* motion_plan_sign returns the sign of a constraint, "=", "<=" or ">="; "" for objectives and residuals.
 * motion_plan_role returns the word for a role in summary.json. */
const char *motion_plan_sign(CtlRole role);
const char *motion_plan_role(CtlRole role);
/* Returns the statistic of control.objective, of a problem with or without a plan. */
CtlStatistic motion_plan_statistic(const Problem *problem);
/* Returns the word of control.objective: nominal, mean or worst_case. */
const char *motion_plan_objective(const MotionPlan *plan);
/* Creates the control library's plan for a problem that has a motion plan and was read without errors. Returns a
 * status of ctl_plan_create. */
SimStatus motion_plan_create(const Problem *problem, const SimReport *report, CtlPlan **plan);
/* Initialises the search problem of the plan, with the keys of the section search. The caller clears *search. Returns
 * SIM_OK or SIM_NO_MEMORY. */
SimStatus motion_plan_search(const Problem *problem, CtlPlan *plan, CtlProblem *search);
/* Sets point [n] to the first point of a search, the start values of the variables. */
void motion_plan_start(const Problem *problem, double *point);
/* Sets *motion to the motion problem of a point, with steps of at most plan->step. Returns a status of
 * ctl_plan_motion. */
SimStatus motion_plan_motion(const Problem *problem, const CtlPlan *plan, const double *point, SimProblem *motion);

/* Warns if a cost of the plan has no minimum, or if the given data already determine the cost. */
void planned_warn(const Problem *problem, Diagnostics *diagnostics);

/* Returns, for messages, the first key of a document that only motion plans have; NULL if the document has no such
 * key. */
const char *motion_plan_key(const Document *document);
/* Whether a problem file has a motion plan; false for files that cannot be read. */
bool problem_file_has_plan(const char *path, char *const *settings, int n_settings);

#endif
