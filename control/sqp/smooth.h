/* SPDX-License-Identifier: BSD-2-Clause */
/* Sequential quadratic programming for user-defined values y(u) with derivatives (CtlProblem.roles):
 *
 *   minimise f = sum of objectives + sum of squared residuals + sum of magnitudes so that constraints and bounds hold
 *
 * A step z, in units of CtlProblem.size, minimises g'z + z'B z/2 with the constraints linear in z, inside a box (qp.h).
 * Constraints that cannot be satisfied in the box are violated as little as possible. The sum of violations of the
 * constraints is called misses. A filter accepts a step if no earlier point is better in both the misses and f;
 * otherwise the step is corrected for the constraints' curvature, or the box shrinks. If a run would end with
 * constraints violated, it is continued once. If it has met them before, it returns to the best such point, and smaller
 * misses are allowed from then on. Otherwise it returns to the point with the smallest misses, takes the shortest steps
 * that meet the constraints, and then goes on as before.
 *
 * Magnitudes |y_i| are rows |y_i + a_i'z| of the quadratic problem, without smoothing. If a dof has come to rest before
 * T, the row of a value that depends on it contains the derivatives of the motion without coming to rest, followed by
 * two numbers (CtlOutcome.rows). If such a value meets its target, the target becomes an inequality, since the dof may
 * also stop sooner.
 *
 * B approximates the Hessian of the Lagrangian. With CtlProblem.curvature, B is the evaluator's matrix plus 2 sum r'r'
 * over the gradients r' of residuals, plus a small diagonal, plus a BFGS update by the remaining change of the gradient
 * along the steps, also rejected ones. Otherwise, if there are residuals and no objectives, B is the Gauss-Newton
 * matrix 2 sum r'r' as long as f falls fast (Fletcher and Xu, IMA J. Numer. Anal. 7, 1987), else it is updated by the
 * BFGS formula with Powell's damping. */
#ifndef CONTROL_SMOOTH_H
#define CONTROL_SMOOTH_H

#include "control/base/bytes.h"
#include "control/refine.h"
#include "control/sqp/filter.h"
#include "control/sqp/qp.h"

typedef struct CtlSmooth {
  const CtlProblem *problem; /* borrowed */
  int n, m;                  /* n: number of variables. m: number of values. */
  /* [n] current point; [n] next trial; [n] their difference, in units of CtlProblem.size; owned, with all numbers up to
   * `filter` in one block */
  double *at, *trial, *step;
  double
      *nearest; /* [n] point with the lowest objective f among those that meet the constraints; while there is none, the
                          * one with the smallest misses from which a step can halve them */
  double *values, *rows; /* [m] values at `at`; [m][n] their derivatives per unit of CtlProblem.size */
  double *gradient;      /* [n] gradient of the objective f */
  double *ahead;         /* [m] for a value that depends on a dof that has come to rest before T: the value that the
                          * motion would give if the dof slid on through rest, minus the actual value; 0 for others */
  /* [m] each: multipliers at the current point (y), and those of the trial's step (next); 0 for values that are not
   * constraints */
  double *y, *next;
  double *B;               /* [n][n] approximate Hessian of the Lagrangian */
  double *extra;           /* [n][n] with CtlProblem.curvature: the part of B from BFGS updates, which is not in the
                            * evaluator's matrix */
  double (*filter)[2];     /* [filtered] pairs (misses, f) of the filter; misses: sum of constraint violations */
  double first;            /* absolute value of the objective f at the first point */
  double f, misses;        /* objective f, and sum of the constraint violations in their units, at the current point */
  double radius;           /* half-width of the box, in units of CtlProblem.size */
  double promised;         /* decrease of the objective f that the quadratic problem predicts */
  double remaining;        /* sum of constraint violations that the quadratic problem predicts after the step */
  double progress, lowest; /* sum of constraint violations, and lowest objective f, at the last check of progress */
  double least;            /* objective f, or sum of constraint violations, at `nearest`; INFINITY: there is no such
                            * point yet */
  long tried;              /* number of trials evaluated in this phase: before, during or after restoration */
  int filtered;            /* number of pairs in `filter` */
  bool begun;              /* whether the first trial has been evaluated */
  bool scaled;             /* whether B has been scaled to the curvature of the objective f */
  bool corrected;          /* whether the trial is a second-order correction */
  bool restores; /* whether the run is in restoration: steps are the shortest that meet the constraints, regardless of
                   * the objective */
  bool restored; /* whether a restoration has been tried; it is tried once only */
  bool meets;    /* whether `nearest` meets the constraints */
  bool returned; /* whether the run has returned to a point `nearest` that meets the constraints; it does so once
                   * only */
  bool ended;
  CtlQp qp;     /* quadratic problem of a step */
  int *of;      /* [qp.m] index of the value to which each row belongs; owned */
  double *room; /* [3 n + m + m n] workspace; owned */
} CtlSmooth;

/* Allocates a run. Returns false when out of memory; clear the run also then. */
bool ctl_smooth_init(CtlSmooth *smooth, const CtlProblem *problem);
void ctl_smooth_clear(CtlSmooth *smooth);

/* Starts at a point [n], which is moved into the bounds and becomes the first trial. */
void ctl_smooth_start(CtlSmooth *smooth, const double *point);

/* Accepts the outcome of the trial. values: [m] the values y(u), NULL if the evaluation failed; rows: [ctl_row_count]
 * their derivatives, laid out as CtlOutcome.rows. Afterwards there is a next trial, or the run has ended. */
void ctl_smooth_tell(CtlSmooth *smooth, const double *values, const double *rows);

/* Whether the run ended because a phase reached the limit of 1000 trials, before it converged. */
bool ctl_smooth_is_cut(const CtlSmooth *smooth);

/* Writes or reads the state. Reading accepts any bytes and sets bytes->bad for invalid ones. */
void ctl_smooth_serialize(CtlSmooth *smooth, CtlBytes *bytes);

/* Checks optimality as ctl_optimality_find (control/refine.h) does, for problems with user-defined values. */
SimStatus ctl_smooth_optimality(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *point,
                                CtlOptimality *optimality);

/* Functions of the file smooth_model.c ------------------------------------------------------------------------- */

/* Converts the derivatives CtlOutcome.rows to rows [m][n] per unit of CtlProblem.size. Returns whether all are
 * finite. */
bool ctl_smooth_rows(const CtlProblem *problem, const double *from, double *rows);

/* Returns the sign of a constraint's residual with respect to its value: -1 for at_least, which is treated as at_most
 * of the negative value. */
double ctl_smooth_sign(const CtlProblem *problem, int i);

/* Computes the gradient [n] of the objective f. */
void ctl_smooth_gradient(const CtlProblem *problem, const double *values, const double *rows, double *gradient);

/* Computes the gradient of the Lagrangian, out [n] = gradient of f + sum y_i rows_i, with the multipliers y. */
void ctl_smooth_lagrangian(const CtlProblem *problem, const double *gradient, const double *rows, const double *y,
                           double *out);

/* Returns the sum of the constraint violations, in units of 1e6 tolerances. With the default tolerance 1e-6 this unit
 * is 1. Returns INFINITY if a violation is not finite. */
double ctl_smooth_misses(const CtlProblem *problem, const double *values);

/* For problems with CtlProblem.curvature: sets B from the matrix in the outcome's rows. */
void ctl_smooth_take_matrix(CtlSmooth *smooth, const double *rows);
/* Resets B to its initial form, without BFGS updates: at the first point, if no step could be found, or if f and the
 * constraint violations fall slowly. */
void ctl_smooth_begin_matrix(CtlSmooth *smooth);
/* Updates B, which approximates the Hessian of the Lagrangian, after an accepted step. change: [n] change of the
 * Lagrangian's gradient; overwritten. fell: whether f has fallen fast. */
void ctl_smooth_update_matrix(CtlSmooth *smooth, double *change, bool fell);

/* Returns whether B has a part that is not learned, i.e. whether the evaluator's matrix plus 2 sum r'r' is not 0. */
bool ctl_smooth_has_matrix(const CtlSmooth *smooth);

/* Updates B after a rejected trial by the change of the Lagrangian's gradient along its step. values, rows: the trial's
 * values and their derivatives (CtlOutcome). B stays unchanged without ctl_smooth_has_matrix, as for a problem of least
 * time: the solution is then often a vertex, for which curvature only makes the steps shorter. */
void ctl_smooth_learn(CtlSmooth *smooth, const double *values, const double *rows);

/* Computes the next trial. bend: [m] nonlinear parts of the constraints, which are added to the linear ones; NULL:
 * none. Returns false if the quadratic problem has no solution. */
bool ctl_smooth_solve(CtlSmooth *smooth, const double *bend);
/* Predicts the effect of the trial's step: sets smooth->promised and smooth->remaining. */
void ctl_smooth_predict(CtlSmooth *smooth);
/* Computes bend [m], the nonlinear part of the values at the trial, from the values and rows there. */
void ctl_smooth_bend(const CtlSmooth *smooth, const double *values, const double *rows, double *bend);

#endif
