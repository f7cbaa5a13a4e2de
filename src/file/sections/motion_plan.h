/* Optimal control beyond least effort at a given time: what control.minimize, limits, initial, periodic, target.via,
 * target.combinations, intervals of a target, signal.lengths and a free time.end ask for, as variables and quantities of
 * control/plan/plan.h. A problem file with one of these keys has a motion plan. */
#ifndef SRC_PROBLEM_MOTION_PLAN_H
#define SRC_PROBLEM_MOTION_PLAN_H

#include "control/plan/plan.h"
#include "src/base/problem.h"
#include "src/file/text/document.h"

enum { PLAN_SENTENCE_SIZE = 400 };

/* All members are owned. */
typedef struct MotionPlan {
  int variables;
  CtlVariable *variable; /* [variables] */
  int quantities;
  CtlQuantity *quantity; /* [quantities] */
  double **weights;      /* [n_weights] vectors that quantities borrow */
  size_t n_weights;
  struct PlanReference {
    Expression *function; /* of t, which quantities borrow */
    const Node *node;     /* where it is given; borrowed while the file is read */
  } * references;         /* [n_references] */
  size_t n_references;
  double asked[3]; /* at_least, at_most and start of time.end, s, if T varies; NAN: left open, found from the model */
  bool end_known;  /* T is given, or what is left open of its bounds has been found */
  double step;     /* longest step of the motion that is written, s, if T varies */
  json_t *written; /* keys of the section control as the echo has them, but for variables */
  char sentence[PLAN_SENTENCE_SIZE]; /* what the problem is: "least time, 2 joints, |u| <= 15, speeds <= 0.9" */
} MotionPlan;

void motion_plan_destroy(MotionPlan *plan); /* NULL: nothing */

/* Index of the first variable of a kind; -1: none. */
int motion_plan_first(const MotionPlan *plan, CtlVary what);
/* Whether T is a variable, or the sum of such. */
bool motion_plan_varies_end(const MotionPlan *plan);

/* Creates the plan of a problem that has one and was read without mistakes. Statuses as ctl_plan_create. */
SimStatus motion_plan_create(const Problem *problem, const SimReport *report, CtlPlan **plan);
/* Initialises its search problem with the keys of the section search; the caller clears it. SIM_OK, SIM_NO_MEMORY. */
SimStatus motion_plan_search(const Problem *problem, const CtlPlan *plan, CtlProblem *search);
/* Sets [n] the point at which searches begin. */
void motion_plan_start(const Problem *problem, double *point);
/* Sets `motion` to the motion of a point, in steps of at most plan->step. Statuses as ctl_plan_motion. */
SimStatus motion_plan_motion(const Problem *problem, const CtlPlan *plan, const double *point, SimProblem *motion);

/* Warns of what has no least value, or is given already. */
void planned_warn(const Problem *problem, Diagnostics *diagnostics);

/* The first key of a document that asks for a motion plan, for messages; NULL: none does. */
const char *motion_plan_key(const Document *document);
/* Whether a problem file asks for a motion plan; false for files that cannot be read. */
bool problem_file_has_plan(const char *path, char *const *settings, int n_settings);

#endif
