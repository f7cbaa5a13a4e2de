/* Motion problems of variables and quantities: optimal control with a free end time, switching times, other costs than
 * effort, limits at all times, via points, free initial states and periodic motions. For the scheme `event`.
 *
 *     minimise  sum of weight q + sum of weight (q - target)^2   so that   q = target, q <= target, q >= target
 *
 * over the entries of u and further variables. A quantity q is one number of the motion: sim/quantity.h, or effort or
 * fuel. A CtlPlan makes of them a CtlProblem with roles (ctl_problem_init_values) and its evaluator, with derivatives.
 * All drives and search methods of user-defined values solve it. Every rank of a pool creates its own plan from the
 * same setting; values and derivatives have the same bits on each. */
#ifndef CONTROL_PLAN_H
#define CONTROL_PLAN_H

#include "control/evaluator.h"
#include "control/refine.h"
#include "sim/quantity.h"

enum { CTL_NAME_SIZE = 40 /* bytes of the name of a variable or quantity */ };

/* What a variable behind the entries of u is. */
typedef enum CtlVary {
  CTL_VARY_END,      /* T, s; all segments have the length T/S */
  CTL_VARY_LENGTH,   /* length of segment `entry`, s; T is the sum of all lengths */
  CTL_VARY_POSITION, /* x0 of dof `entry`, m */
  CTL_VARY_VELOCITY, /* v0 of dof `entry`, m/s. A step keeps its sign if the dof has friction; 0 stays 0 */
  CTL_VARY_TIME      /* the time of quantities SIM_AT_TIME (CtlQuantity.time), s */
} CtlVary;

typedef struct CtlVariable {
  CtlVary what;
  int entry;    /* segment or dof, from 0; else 0 */
  double lower; /* bounds; T and times need finite ones, lower > 0 for T, lower >= 0 for lengths and times */
  double upper;
  double start; /* value at the first start, within the bounds */
  double size;  /* > 0: size of its changes (CtlProblem.size); 0: found from its start and bounds */
  char name[CTL_NAME_SIZE];
} CtlVariable;

typedef enum CtlRead {
  CTL_READ_MOTION, /* as sim/quantity.h reads `of` */
  CTL_READ_EFFORT, /* integral of u'N u over 0..T, with N of the setting */
  CTL_READ_FUEL,   /* integral of the sum of |u_j| over 0..T; an objective */
  CTL_READ_LATE    /* the time of SIM_AT_TIME (`time`, or of.time) less T, s: at most 0 where T varies; a constraint */
} CtlRead;

typedef struct CtlQuantity {
  CtlRead read;
  /* For CTL_READ_MOTION. Pointers are borrowed during ctl_plan_create, which copies the weights; `reference` and
   * `context` outlive the plan. For an objective the plan sets of.weight. */
  SimQuantity of;
  int time; /* of SIM_AT_TIME and CTL_READ_LATE: 1 + index of the CTL_VARY_TIME variable; 0: of.time */
  /* Objective: `weight` times the value is minimised. Residual: weight (value - target)^2. A SIM_LARGEST with
   * CTL_ROLE_AT_MOST holds at all times; with CTL_ROLE_AT_LEAST the smallest y is read in place of the largest, so that
   * y >= target at all times. SIM_LARGEST has no other roles. */
  CtlRole role;
  double target;    /* of constraints and residuals */
  double tolerance; /* of constraints, > 0; 0: 1e-6 max(1, |target|) */
  double weight;    /* of objectives and residuals, > 0 */
  int part;         /* for the caller: 0 position, 1 velocity; unused here */
  char name[CTL_NAME_SIZE];
} CtlQuantity;

/* Everything that a plan is made of; borrowed during ctl_plan_create. */
typedef struct CtlPlanSetting {
  /* Finalized, by `event`, with equal segments. If T or lengths vary, x0, v0 and all else are as usual, but `end` must be
   * the largest T that may occur, and f is given until then. */
  const SimProblem *problem;
  int variables; /* behind the p S entries of u; either T, or the lengths of all segments, or neither */
  const CtlVariable *variable;
  int quantities; /* >= 1 */
  const CtlQuantity *quantity;
  const double *weight;        /* [p][p] N of effort, symmetric and positive semi-definite; NULL: identity */
  const double *lower, *upper; /* [p S] bounds of u; NULL: none */
  const double *start;         /* [p S] u of the first start; NULL: 0 */
} CtlPlanSetting;

typedef struct CtlPlan CtlPlan;

/* Creates a plan. SIM_OK; SIM_NO_MEMORY; SIM_BAD_PROBLEM: report (may be NULL) gets each mistake by its key,
 * "variables" or "quantities" with the name. *plan is NULL unless SIM_OK. */
SimStatus ctl_plan_create(const CtlPlanSetting *setting, const SimReport *report, CtlPlan **plan);
void ctl_plan_destroy(CtlPlan *plan); /* may be NULL */

/* Lets evaluations end early, as stiction_workspace_interrupt; borrowed, NULL: never. */
void ctl_plan_interrupt(CtlPlan *plan, const SimInterrupt *interrupt);

/* Initialises the problem: variables with bounds, start and sizes, values with roles, random starts
 * (CtlProblem.starts). The caller sets what a search needs beyond that (method, budgets) and clears it. SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus ctl_plan_problem(const CtlPlan *plan, CtlProblem *problem);

/* Makes `count` >= 1 random starts in place of the 64 of ctl_plan_problem, equal as far as these go. SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_plan_problem_starts(const CtlPlan *plan, CtlProblem *problem, int count);

/* The plan as an evaluator for that problem; borrows it. */
CtlEvaluator ctl_plan_evaluator(CtlPlan *plan);

/* Sets a copy of the setting's problem to the motion of a point [n]: T or lengths, x0, v0, finalized. The first p S
 * entries of the point are its control. The caller clears it. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus ctl_plan_motion(const CtlPlan *plan, const double *point, SimProblem *motion);

/* One quantity at a point. */
typedef struct CtlQuantityValue {
  double value;      /* as its role has it, without weight; of SIM_LARGEST the largest (or smallest) of all segments */
  double time;       /* s, where it is read: of SIM_LARGEST that of the extreme; T of integrals */
  double miss;       /* of constraints, >= 0; 0 for other roles */
  double multiplier; /* -df/d(target), of SIM_LARGEST the sum over all segments; NAN: unknown, or no constraint */
  bool active;       /* a constraint that holds with equality, to its tolerance */
} CtlQuantityValue;

/* Reads all quantities [quantities] at a point [n], in the order of the setting, with multipliers NAN. SIM_OK, or the
 * status of the motion. */
SimStatus ctl_plan_read(CtlPlan *plan, const double *point, CtlQuantityValue *values);

/* Optimality of a point that meets the constraints. */
typedef struct CtlPlanOptimality {
  CtlOptimality all; /* as ctl_optimality_find; multipliers are of the problem's values */
  bool vertex;       /* as many independent active constraints and bounds as variables: decided by signs alone */
  /* With T a variable: the part of kkt in the direction of T, relative as kkt. It is the condition H(T) = 0 of the
   * Hamiltonian; 0 for T at a bound that holds it. NAN: T is no variable. */
  double hamiltonian;
} CtlPlanOptimality;

/* Checks a point [n] of ctl_plan_problem, and fills the values [quantities] of ctl_plan_read with multipliers. Statuses
 * as ctl_optimality_find; cleared unless SIM_OK. */
SimStatus ctl_plan_optimality(CtlPlan *plan, const CtlProblem *problem, const double *point,
                              CtlPlanOptimality *optimality, CtlQuantityValue *values);
void ctl_plan_optimality_clear(CtlPlanOptimality *optimality);

/* Floquet multipliers of a periodic motion: eigenvalues of the derivatives of (x, v)(T) by (x, v)(0), with u and T as they
 * are. multipliers: [2 d][2] real and imaginary parts, by falling modulus. A motion that all are below 1 of attracts its
 * neighbours; a dof that may shift as a whole has 1, one that sticks 0. SIM_OK, SIM_NO_MEMORY, SIM_NON_FINITE, or the
 * status of the motion. */
SimStatus ctl_plan_floquet(const CtlPlan *plan, const double *point, double *multipliers);

#endif
