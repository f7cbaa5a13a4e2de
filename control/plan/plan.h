/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans: motion problems with variables and quantities. Plans cover optimal control with a free end time, switching
 * times, costs other than effort, limits at all times, via points, free initial states and periodic motions. The scheme
 * `event` supports all of these. Time-stepping schemes support only problems with a given T and without limits and via
 * points (sim/quantity.h).
 *
 *   minimise sum of weight q + sum of weight (q - target)^2 so that q = target, q <= target, q >= target
 *
 * over the entries of u and further variables. A quantity q is one result of the motion: a SimQuantity
 * (sim/quantity.h), the effort or the fuel. From its variables and quantities a CtlPlan creates a CtlProblem with roles
 * (ctl_problem_init_values) and an evaluator with derivatives. Every driver (control/drive), and every search method
 * that supports user-defined values, can solve this problem. Each rank of a pool creates its own plan from the same
 * setting. Values and derivatives have the same bits on all ranks. */
#ifndef CONTROL_PLAN_H
#define CONTROL_PLAN_H

#include "control/evaluator.h"
#include "control/refine.h"
#include "sim/quantity.h"

enum { CTL_NAME_SIZE = 40 /* size of the name of a variable or quantity, in bytes */ };

/* Kind of a further variable of a plan, besides the entries of the control u. */
typedef enum CtlVary {
  CTL_VARY_END,      /* end time T in s; all segments have the length T/S */
  CTL_VARY_LENGTH,   /* length of segment number `entry`, in s; T is the sum of all lengths */
  CTL_VARY_POSITION, /* initial position x0 of dof number `entry`, in m */
  CTL_VARY_VELOCITY, /* initial velocity v0 of dof number `entry`, in m/s. If the dof has friction, a step of the search
                      * keeps the sign of v0, and v0 = 0 stays 0. */
  CTL_VARY_TIME      /* time at which quantities of kind SIM_AT_TIME are evaluated (CtlQuantity.time), in s */
} CtlVary;

typedef struct CtlVariable {
  CtlVary what;
  int entry;    /* index, from 0, of the segment or dof that the variable belongs to; 0 for T and times */
  double lower; /* lower and upper bound. They must be finite for T and times, with lower > 0 for T; lower >= 0 for
                 * lengths and times */
  double upper;
  double start; /* value of the variable at the first initial point of the search, within the bounds */
  double size;  /* typical size of the variable's changes (CtlProblem.size), > 0; 0: the size is computed from start
                 * and bounds */
  char name[CTL_NAME_SIZE];
} CtlVariable;

typedef enum CtlRead {
  CTL_READ_MOTION, /* the quantity described by the field `of`, which the scheme computes from the motion */
  CTL_READ_EFFORT, /* effort: integral of (u - a)'N (u - a) over 0..T, with N and a = around of the setting */
  CTL_READ_FUEL,   /* fuel: integral of the sum of |u_j| over 0..T; only as an objective */
  CTL_READ_LATE    /* lateness: the time of a SIM_AT_TIME quantity (`time` or of.time) minus T, in s; a constraint that
                    * keeps the time before T if T varies */
} CtlRead;

typedef struct CtlQuantity {
  CtlRead read;
  /* Number that CTL_READ_MOTION reads. Its pointers to weights are needed until ctl_plan_create returns, since this
   * function copies the weights. `reference` and `context` of the number must outlive the plan. For an objective the
   * plan sets of.weight. */
  SimQuantity of;
  int time; /* for SIM_AT_TIME and CTL_READ_LATE: 1 + index of the CTL_VARY_TIME variable that is the time; 0: the
             * time is of.time */
  /* Role of the quantity in the search problem. Objective: weight times the value is minimised. Residual: weight (value
   * - target)^2 is minimised. A quantity SIM_LARGEST has one of two roles only. With CTL_ROLE_AT_MOST, y <= target
   * holds at all times. With CTL_ROLE_AT_LEAST the scheme reads the smallest y instead of the largest, so that y >=
   * target holds at all times. */
  CtlRole role;
  double target;    /* target of a constraint or residual, in the unit of the quantity */
  double tolerance; /* tolerance of a constraint, > 0; 0: 1e-6 max(1, |target|) */
  double weight;    /* weight of an objective or residual, > 0 */
  int part;         /* a number for the caller's own use, for example 0 for positions and 1 for velocities; the plan
                     * ignores it */
  char name[CTL_NAME_SIZE];
} CtlQuantity;

/* Returns the tolerance of a constraint, in the unit of the quantity: the given tolerance, or 1e-6 max(1, |target|). */
double ctl_quantity_tolerance(const CtlQuantity *quantity);

/* Data from which ctl_plan_create creates a plan; borrowed until this function returns. */
typedef struct CtlPlanSetting {
  /* Finalized problem with equal segments. If T or lengths vary, `end` must be the largest T
   * that may occur, and f must be defined until then. */
  const SimProblem *problem;
  int variables; /* number of variables besides the p S entries of u. These variables may include either T or the
                  * lengths of all segments. */
  const CtlVariable *variable;
  int quantities; /* number of quantities, at least 1 */
  const CtlQuantity *quantity;
  const double *weight;        /* [p][p] matrix N of effort, symmetric and positive semi-definite; NULL: identity */
  const double *lower, *upper; /* [p S] bounds of u; NULL: none */
  const double *start;         /* [p S] control u at the first initial point of the search; NULL: 0 */
  const double *around;        /* [p] u of effort 0, in N: for example the forces that hold; NULL: 0 */
} CtlPlanSetting;

typedef struct CtlPlan CtlPlan;

/* Creates a plan. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM for mistakes in the setting. report (may be
 * NULL) receives each mistake under the key "variables" or "quantities", with the name. *plan is NULL unless the
 * status is SIM_OK. */
SimStatus ctl_plan_create(const CtlPlanSetting *setting, const SimReport *report, CtlPlan **plan);
void ctl_plan_destroy(CtlPlan *plan); /* may be NULL */

/* Makes evaluations end early when `interrupt` asks for it, like stiction_workspace_interrupt. The interrupt is
 * borrowed; NULL: evaluations are not interrupted. */
void ctl_plan_interrupt(CtlPlan *plan, const SimInterrupt *interrupt);

/* Initialises the search problem of the plan, with derivatives if the scheme can differentiate the motion: variables
 * with bounds, start and sizes, values of the quantities with roles, and random starts (CtlProblem.starts). The caller
 * sets the method, the budgets and the other search options, calls stiction_solve, and clears the problem. The problem
 * borrows the plan. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_plan_problem(CtlPlan *plan, CtlProblem *problem);

/* Replaces the 64 random starts of ctl_plan_problem by `count` >= 1 random starts. Start number k is the same for any
 * count. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_plan_problem_starts(const CtlPlan *plan, CtlProblem *problem, int count);

/* Returns an evaluator for the search problem of ctl_plan_problem. The evaluator borrows the plan. */
CtlEvaluator ctl_plan_evaluator(CtlPlan *plan);

/* Initialises *motion with a copy of the setting's problem that has the T or lengths, the x0 and the v0 of a point [n],
 * and finalizes this copy. The first p S entries of the point are the control. The caller clears *motion. Returns
 * SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus ctl_plan_motion(const CtlPlan *plan, const double *point, SimProblem *motion);

/* Value of one quantity at a point. */
typedef struct CtlQuantityValue {
  double value;      /* value of the quantity itself, before weight and target are applied; for SIM_LARGEST the
                      * largest (or smallest) value over all segments */
  double time;       /* time at which the quantity is read, in s; for SIM_LARGEST the time of the extreme value; the end
                      * time T for integrals */
  double miss;       /* violation of a constraint, >= 0; 0 for other roles */
  double multiplier; /* multiplier -df/d(target) of a constraint, where f is the sum that the search minimises; for
                      * SIM_LARGEST the sum over all segments; NAN: unknown, or the quantity is no constraint */
  bool active;       /* whether the quantity is a constraint that holds with equality, within its tolerance */
} CtlQuantityValue;

/* Reads the values [quantities] of all quantities at a point [n], in the order of the setting. The multipliers are set
 * to NAN. Returns SIM_OK, the status of the motion, or SIM_BAD_PROBLEM if force or thresholds depend on t and T exceeds
 * the end of the setting's problem, since they are known only up to that time. */
SimStatus ctl_plan_read(CtlPlan *plan, const double *point, CtlQuantityValue *values);

/* Optimality of a point of the search problem that meets the constraints. */
typedef struct CtlPlanOptimality {
  CtlOptimality all; /* result of ctl_optimality_find; all.multipliers: [m] one for each of the m values of the
                      * search problem */
  bool vertex;       /* whether there are as many independent active constraints and bounds as variables; then the
                      * signs of multipliers alone decide whether the point is a local minimum */
  /* The derivative of the Lagrangian by T, as a part of all.kkt and with the same relative size; 0 if T is at a bound
   * with a multiplier of the right sign. At a minimum it is 0. This is the condition H(T) = 0 on the Hamiltonian if
   * no constraint is on T, and H(T) = -multiplier of that constraint otherwise. NAN: neither T nor lengths are
   * variables. */
  double hamiltonian;
  /* [S] if lengths are variables: the derivative of the Lagrangian by the length of each segment, scaled as
   * `hamiltonian`; the last one equals `hamiltonian`, since the last segment ends at T. NULL: lengths are no variables.
   * Borrowed from `all`. */
  const double *lengths;
} CtlPlanOptimality;

/* Checks the optimality of a point [n] of the search problem of ctl_plan_problem. values: [quantities] set as by
 * ctl_plan_read, with multipliers. Returns a status of ctl_optimality_find, or SIM_BAD_PROBLEM if the scheme cannot
 * differentiate the motion. *optimality is cleared unless the status is SIM_OK. */
SimStatus ctl_plan_optimality(CtlPlan *plan, const CtlProblem *problem, const double *point,
                              CtlPlanOptimality *optimality, CtlQuantityValue *values);
void ctl_plan_optimality_clear(CtlPlanOptimality *optimality);

/* Computes the Floquet multipliers of a periodic motion: the eigenvalues of the derivatives of (x, v)(T) with respect
 * to (x, v)(0), with u and T constant. multipliers: [2 d][2] real and imaginary parts, by falling modulus. If all
 * moduli are below 1, neighbouring motions converge to this one. A dof has a multiplier 1 if its whole motion may be
 * shifted in position, and a dof that sticks has a multiplier 0. Returns SIM_OK, SIM_NO_MEMORY, SIM_NON_FINITE, or the
 * status of the motion. */
SimStatus ctl_plan_floquet(const CtlPlan *plan, const double *point, double *multipliers);

#endif
