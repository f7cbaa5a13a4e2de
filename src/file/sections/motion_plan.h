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

/* A motion plan as read from the file. All members are owned. */
typedef struct MotionPlan {
  int variables;
  CtlVariable *variable; /* [variables] variables of the plan besides u */
  int quantities;
  CtlQuantity *quantity; /* [quantities] objectives, residuals and constraints of the plan */
  double **weights;      /* [n_weights] vectors of weights; members of quantities point to them */
  size_t n_weights;
  PlanReference *references; /* [n_references] functions of t; members of quantities point to them */
  size_t n_references;
  struct MechanismPlaces **places; /* [n_places] compiled coordinates of a mechanism's points; quantities borrow them */
  size_t n_places;
  double *around;  /* [p] u of effort 0 (CtlPlanSetting.around); NULL: 0 */
  bool *initial;   /* [2][d] whether control.initial sets the entry of x(0) or v(0) or makes it a variable; NULL: the
                    * key is absent */
  double asked[3]; /* if T varies: at_least, at_most and start of time.end, in s; NAN: the file does not give the value,
                    * so it is derived from the model */
  bool end_known;  /* whether T is given, or its bounds have been derived */
  double step;     /* if T varies: longest step of the motion that is written to files, in s */
  CtlStatistic statistic; /* over scenarios, of control.objective; CtlProblem.statistic is nominal with a plan */
  json_t *written; /* keys of the section control as written, for the resolved problem; keys of which the values became
                    * variables are left out */
  char sentence[PLAN_SENTENCE_SIZE]; /* description of the problem, such as "least time, 2 joints, |u| <= 15, speeds <=
                                      * 0.9" */
} MotionPlan;

void motion_plan_destroy(MotionPlan *plan); /* NULL is allowed */

/* Returns the index of the first variable of this kind; -1 if there is none. */
int motion_plan_first(const MotionPlan *plan, CtlVary what);
/* Returns whether T is a variable, or the sum of lengths that are variables. */
bool motion_plan_varies_end(const MotionPlan *plan);
/* Returns whether a scheme can compute the plan. Schemes with time steps compute only plans with a given T and without
 * quantities at times before T. */
bool motion_plan_takes(const MotionPlan *plan, const SimScheme *scheme);

/* motion_plan_sign returns the sign of a constraint, "=", "<=" or ">="; for objectives and residuals it returns "".
 * motion_plan_role returns the word for a role in summary.json. */
const char *motion_plan_sign(CtlRole role);
const char *motion_plan_role(CtlRole role);
/* Returns the statistic of control.objective, of a problem with or without a plan. */
CtlStatistic motion_plan_statistic(const Problem *problem);
/* Returns the word of control.objective: nominal, mean or worst_case. */
const char *motion_plan_objective(const MotionPlan *plan);
/* Creates the plan of the control library for a problem that has a motion plan and was read without errors. Returns a
 * status of ctl_plan_create. */
SimStatus motion_plan_create(const Problem *problem, const SimReport *report, CtlPlan **plan);
/* Initialises the search problem of the plan, with the keys of the section search. The caller clears *search. Returns
 * SIM_OK or SIM_NO_MEMORY. */
SimStatus motion_plan_search(const Problem *problem, CtlPlan *plan, CtlProblem *search);
/* Sets point [n] to the start values of the variables, the first point of a search. */
void motion_plan_start(const Problem *problem, double *point);
/* Sets *motion to the motion problem at a point of the search, with steps of at most plan->step. Returns a status of
 * ctl_plan_motion. */
SimStatus motion_plan_motion(const Problem *problem, const CtlPlan *plan, const double *point, SimProblem *motion);

/* Warns if a cost of the plan has no minimum, or is already determined by the given data, so that nothing can be
 * minimised. */
void planned_warn(const Problem *problem, Diagnostics *diagnostics);

/* Returns the first key of a document that only motion plans have, for use in messages; NULL if there is none. */
const char *motion_plan_key(const Document *document);
/* Returns whether a problem file has a motion plan; false for a file that cannot be read. */
bool problem_file_has_plan(const char *path, char *const *settings, int n_settings);

#endif
