/* A motion problem of variables and quantities (control/plan/plan.h): what it is made of, and one evaluation. */
#ifndef CONTROL_PLAN_INTERNAL_H
#define CONTROL_PLAN_INTERNAL_H

#include "control/plan/plan.h"

struct CtlPlan {
  SimProblem problem; /* copy of the setting's */
  int n;              /* variables: controls + variables */
  int controls;       /* p S */
  int m;              /* values */
  int variables, quantities;
  CtlVariable *variable; /* [variables] owned, like all arrays */
  CtlQuantity *quantity; /* [quantities] */
  double *weights;       /* [quantities][4][d] storage of their weights x, v, from_x, from_v */
  double *numbers;       /* [p][p] N, then lower, upper, start [controls] */
  int end;               /* variable that is T, from 0; -1: none */
  int lengths;           /* variable that is the first length; -1: none */
  int *first;            /* [quantities + 1] first value of each */
  bool curvature;        /* every objective has its part of the matrix */

  int reads;         /* quantities that the scheme reads */
  SimQuantity *read; /* [reads] */
  int *read_of;      /* [quantities] index in read; -1: effort, fuel */
  int *column;       /* [n] column of the sensitivity; -1: a time */

  /* Model of the last evaluation, and the variables that it was made for; NULL: none. */
  SimModel *model;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  double *made_for; /* [variables] */
  bool interrupts;
  SimInterrupt interrupt;

  /* Room of one evaluation. */
  int columns;        /* of the sensitivity */
  double *x, *v;      /* [d] */
  SimReading reading; /* arrays in one block with x, v */
  SimDerivative derivative;
  double *lengths_now; /* [segments] s */
};

static inline int plan_segments(const CtlPlan *plan) { return plan->problem.segments; }
static inline double *plan_weight(const CtlPlan *plan) { return plan->numbers; }
static inline double *plan_bound(const CtlPlan *plan, int upper) {
  int p = plan->problem.n_control;
  return plan->numbers + p * p + upper * plan->controls;
}
static inline double *plan_start(const CtlPlan *plan) { return plan_bound(plan, 2); }

/* Factor and offset of its values in those of the problem: factor (value - offset). */
double plan_factor(const CtlQuantity *quantity);
double plan_offset(const CtlQuantity *quantity);
/* -1 for a smallest y, which is read as the largest -y; else 1. */
double plan_side(const CtlQuantity *quantity);
/* Variable k, from 0 among all n, is of this kind. */
bool plan_varies(const CtlPlan *plan, CtlVary what);

/* Reports mistakes of a setting. Returns their number. */
int plan_check(const CtlPlanSetting *setting, const SimReport *report);

/* Lengths of the segments at a point, s, into plan->lengths_now. Returns T. */
double plan_lengths(CtlPlan *plan, const double *point);
/* Derivative of the length of segment k by variable `variable`, from 0 behind the controls. */
double plan_length_change(const CtlPlan *plan, int k, int variable);
/* Makes the model of a point current. */
SimStatus plan_make(CtlPlan *plan, const double *point);

/* Evaluates a point: values [m] of the problem and, unless NULL, its rows (ctl_row_count) as in CtlOutcome.rows. With
 * status SIM_OK plan->reading has what was read. */
SimStatus plan_evaluate(CtlPlan *plan, const double *point, SimFinal *final, double *values, double *rows);

#endif
