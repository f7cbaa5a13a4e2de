/* Sequential quadratic programming for user-defined values y(u) with derivatives (CtlProblem.roles):
 *     minimise  f = sum of objectives + sum of squared residuals + sum of magnitudes   so that  constraints and bounds hold
 * A step z, in units of CtlProblem.size, minimises g'z + z'B z/2 with the constraints linear in z, inside a box (qp.h).
 * Constraints that cannot be met in the box are met as far as possible. A filter accepts a step if no earlier point is
 * better in both the misses and f; otherwise it is corrected for the constraints' curvature, or the box shrinks.
 * A run that would end with constraints missed goes back to the point nearest to meeting them, takes steps of least
 * length that do, and goes on from there, once.
 *
 * Magnitudes |y_i| are rows |y_i + a_i'z| of the quadratic problem, without smoothing. The value of a dof that has come
 * to rest before T has a row of how it would go on, and two numbers beside it (CtlOutcome.rows): a target that it meets
 * at rest is an inequality then, since stopping sooner is as good.
 *
 * B approximates the Hessian of the Lagrangian. With CtlProblem.curvature it is the evaluator's matrix plus 2 sum r'r',
 * with a small diagonal. Otherwise, with residuals and no objectives, it is Gauss and Newton's 2 sum r'r' as
 * long as f falls fast (Fletcher and Xu, IMA J. Numer. Anal. 7, 1987), else it is updated by the BFGS formula with
 * Powell's damping. */
#ifndef CONTROL_SMOOTH_H
#define CONTROL_SMOOTH_H

#include "control/base/bytes.h"
#include "control/refine.h"
#include "control/sqp/filter.h"
#include "control/sqp/qp.h"

typedef struct CtlSmooth {
  const CtlProblem *problem; /* borrowed */
  int n, m;                  /* variables, values */
  /* [n] current point; next trial, and its distance from the current point in units of CtlProblem.size; owned, with
   * all numbers up to `filter` in one block */
  double *at, *trial, *step;
  double *nearest;         /* [n] point of the least misses, of those from where a step could halve them */
  double *values, *rows;   /* [m] values at `at`; [m][n] their derivatives per unit of CtlProblem.size */
  double *gradient;        /* [n] that of f */
  double *ahead;           /* [m] how far a value would go on from rest; 0: it is not at rest */
  double *y, *next;        /* [m] multipliers of the constraints, 0 for other roles: at `at`, and of the trial's step */
  double *B;               /* [n][n] */
  double *extra;           /* [n][n] with CtlProblem.curvature: the part of B that the evaluator's matrix lacks */
  double (*filter)[2];     /* [filtered] */
  double first;            /* |f| of the first point */
  double f, misses;        /* f and the sum of the misses in their units at `at` */
  double radius;           /* half-width of the box, in units of CtlProblem.size */
  double promised;         /* predicted decrease of f */
  double remaining;        /* predicted misses */
  double progress, lowest; /* misses and f at the last check of progress */
  double least;            /* misses at `nearest`; INFINITY: there is none */
  long tried;              /* number of trials evaluated */
  int filtered;
  bool begun;     /* the first trial has been evaluated */
  bool scaled;    /* B has the scale of f's curvature */
  bool corrected; /* the trial is a second-order correction */
  bool restores;  /* steps are the shortest that meet the constraints, whatever f is */
  bool restored;  /* and they have been so once */
  bool ended;
  CtlQp qp;     /* problem of a step */
  int *of;      /* [qp.m] value of each row; owned */
  double *room; /* [3 n + m] workspace; owned */
} CtlSmooth;

/* Allocates a run. Returns false when out of memory; clear it then, too. */
bool ctl_smooth_init(CtlSmooth *smooth, const CtlProblem *problem);
void ctl_smooth_clear(CtlSmooth *smooth);

/* Starts at a point [n], moved into the bounds; it is the first trial. */
void ctl_smooth_start(CtlSmooth *smooth, const double *point);

/* Accepts the outcome of the trial: values [m], rows [ctl_row_count] as in CtlOutcome; values NULL: it failed. Then there is a next
 * trial, or the run has ended. */
void ctl_smooth_tell(CtlSmooth *smooth, const double *values, const double *rows);

/* Writes or reads the state; reading is safe against any bytes (bytes->bad). */
void ctl_smooth_serialize(CtlSmooth *smooth, CtlBytes *bytes);

/* ctl_optimality_find of control/refine.h for user-defined values. */
SimStatus ctl_smooth_optimality(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *point,
                                CtlOptimality *optimality);

/* Of smooth_model.c ------------------------------------------------------------------------------------------------ */

/* Takes the rows of CtlOutcome into rows [m][n] per unit of CtlProblem.size. Returns whether all are finite. */
bool ctl_smooth_rows(const CtlProblem *problem, const double *from, double *rows);

/* Sign of a constraint's residual in terms of its value: at_least is at_most of the negative. */
double ctl_smooth_sign(const CtlProblem *problem, int i);

/* Gradient [n] of f. */
void ctl_smooth_gradient(const CtlProblem *problem, const double *values, const double *rows, double *gradient);

/* out = gradient + sum y_i rows_i, [n]. */
void ctl_smooth_lagrangian(const CtlProblem *problem, const double *gradient, const double *rows, const double *y,
                           double *out);

/* Sum of the constraints' misses in units of 1e6 tolerances, so that the default tolerance is 1e-6; INFINITY if one is
 * not finite. */
double ctl_smooth_misses(const CtlProblem *problem, const double *values);

/* With CtlProblem.curvature: sets B from the outcome's rows. */
void ctl_smooth_take_matrix(CtlSmooth *smooth, const double *rows);
/* Sets B at the first point, or again after a step could not be found. */
void ctl_smooth_begin_matrix(CtlSmooth *smooth);
/* Updates B after a step; change: [n] of the Lagrangian's gradient, overwritten; fell: f has fallen fast. */
void ctl_smooth_update_matrix(CtlSmooth *smooth, double *change, bool fell);

/* Finds the next trial; bend: [m] nonlinear parts of the constraints, added; NULL: none. Returns false if the
 * quadratic problem has no answer. */
bool ctl_smooth_solve(CtlSmooth *smooth, const double *bend);
/* Predictions of the trial's step: promised, remaining. */
void ctl_smooth_predict(CtlSmooth *smooth);
/* bend [m] = nonlinear part of the values at the trial with these values and rows. */
void ctl_smooth_bend(const CtlSmooth *smooth, const double *values, const double *rows, double *bend);

#endif
