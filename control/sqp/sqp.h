/* SPDX-License-Identifier: BSD-2-Clause */
/* Sequential quadratic programming with derivatives through stick and slip:
 *
 *   minimise J(u) so that x(T) = x_T, x'(T) = v_T (entries given), and u within its bounds and rates
 *
 * A step solves a quadratic problem (qp.h) in which the final state is linear in u, inside a box about u. The misses
 * are the distances of the final state from the targets. A filter (Fletcher and Leyffer) accepts the step if no earlier
 * point is better in both the misses and J. Otherwise the box shrinks. A target that is a function along a string is
 * measured by its L2 norm; its moving nodes give rows by least squares (squares.h), and of its nodes at rest only those
 * that would be the first to move have rows. A dof at rest at T with target velocity 0 has the row of its velocity as
 * if it slid on to T. Its target is an inequality, since stopping sooner is as good. A row on which u has no effect, as
 * for a dof that never moved, is omitted. */
#ifndef CONTROL_SQP_H
#define CONTROL_SQP_H

#include "control/base/bytes.h"
#include "control/internal.h"
#include "control/sqp/filter.h"
#include "control/sqp/qp.h"
#include "control/sqp/squares.h"

/* A node of a string that is at rest at T, and an estimate of how hard it is to move. */
typedef struct CtlSqpRest {
  double effort; /* approximately sqrt(2 J(z)) for the smallest change z of u that would make the node move, with the
                  * function J of the effort */
  int target;    /* index 0..m - 1 of the node's target */
} CtlSqpRest;

/* Data that all runs on one problem share. A miss is the difference between an entry of the final state and its
 * target. */
typedef struct CtlSqpShared {
  const CtlProblem *problem; /* borrowed */
  int n, m;                  /* number of variables; number of entries of x_T and v_T that have a target */
  int first[3];              /* index of the first row of x_T, of the first row of v_T, and m */
  bool together[2];          /* whether the targets of x_T ([0]) and of v_T ([1]) are functions along a string */
  CtlSquares squares;        /* least squares for targets that are functions along a string; like `rests` used only if
                              * there are any */
  CtlSqpRest *rests;         /* [m] nodes at rest of a string, those that are easiest to move first; owned */
  double *unit;              /* [m] miss of each entry, m or m/s, that makes E1 or E2 equal to 1; owned, like the arrays
                              * below */
  double *miss, *bend;       /* [m] misses of a trial; [m] their nonlinear parts */
  int *target;   /* [qp.m] target 0..m - 1 of each row of the linear problem; -1: the row combines several; owned */
  CtlQp qp;      /* quadratic problem of a step */
  bool singular; /* whether the weight N is singular, so that some forces cost nothing */
  /* [p] coefficient of the proximal term (z_i - at_i)^2 / 2 of each force, if the weight is singular; owned, like the
   * arrays below */
  double *proximal;
  double *diagonal; /* [n] diagonal of H without the proximal term */
} CtlSqpShared;

/* Allocates the shared data. Returns false when out of memory; clear the data then, too. */
bool ctl_sqp_shared_init(CtlSqpShared *shared, const CtlProblem *problem);
void ctl_sqp_shared_clear(CtlSqpShared *shared);

typedef enum CtlSqpEnd {
  CTL_SQP_RUNNING,
  CTL_SQP_LEAST,  /* the point meets the targets, and the linear problem shows no way to decrease J */
  CTL_SQP_STALLED /* no step makes progress, although the targets are not met */
} CtlSqpEnd;

/* Stages of a run, which differ in how steps are made. */
typedef enum CtlSqpStage {
  CTL_SQP_BOX, /* steps inside a box about `at`, accepted by the filter */
  /* Used for targets that are functions along a string, if the start nearly meets them. Steps go to the point nearest
   * to `at` that meets the targets, regardless of J. */
  CTL_SQP_MEET,
  /* Follows CTL_SQP_BOX or CTL_SQP_MEET when that stage makes no progress or has met the targets. The centre of the box
   * lies between `at` and the nearest point that meets the targets. A step is accepted if it lowers the merit function:
   * J plus the sum of price times miss over the targets. */
  CTL_SQP_CENTRE,
  CTL_SQP_RESTORE /* Follows a stall of CTL_SQP_CENTRE: one step to the nearest point that meets the targets, as in
                   * CTL_SQP_MEET */
} CtlSqpStage;

/* A point with the linearisation of its final state. */
typedef struct CtlSqpPoint {
  double *at, *miss, *rows; /* [n] point, [m] misses x(T) - x_T, v(T) - v_T at it, [m][ctl_row_size] their
                             * derivatives */
  double misses;            /* sum of the misses (distances from the targets); INFINITY: there is no such point */
} CtlSqpPoint;

typedef struct CtlSqp {
  CtlSqpShared *shared; /* borrowed */
  double *at, *trial;   /* [n] current point; [n] next trial; owned, with all arrays in one block */
  double *centre;       /* [n] centre of the box that limits the next step */
  /* [m] increase of J per unit of each miss, from the multipliers; for a function along a string, one number per unit
   * of its norm, at its first entry */
  double *price;
  double *miss, *rows; /* [m] misses x(T) - x_T, v(T) - v_T at `at`; [m][ctl_row_size] derivatives, as
                        * CtlOutcome.rows */
  /* the point before `at`, or a rejected trial after it; if dofs stop at T, the derivatives may differ from those at
   * `at` */
  CtlSqpPoint other;
  /* [filtered] pairs (misses, J) of the filter; a later point must be better than each of them in one of the two
   * numbers */
  double (*filter)[2];
  double J;                    /* effort J at the point `at` */
  double misses;               /* sum of the misses at the point `at`: |x_i - target| for positions, |v_i - target| for
                               * velocities, in units of E1 and E2 */
  double effort;               /* estimate of the effort J of an answer, from the linear problems so far */
  double radius;               /* half-width of the box, in N */
  double part;                 /* position of the centre on the way from `at` (0) to the nearest point that meets the
                                * targets (1), for CTL_SQP_CENTRE */
  double least;                /* effort J of the answer at which the stage CTL_SQP_CENTRE began */
  double owed;                 /* value of the merit function at the point `at`: J plus the cost of the misses at the
                               * prices `price` */
  double promised, remaining;  /* predictions of the linear problem for the trial: decrease of J (promised), and sum of
                                * the misses that remain (remaining) */
  double progress, progress_J; /* sum of the misses and effort J at the last check of progress */
  double low, low_J;           /* lowest sum of misses, and lowest J at such misses, in a stage CTL_SQP_CENTRE */
  double fall;                 /* decrease of J between the last two checks of progress */
  double tolerance;            /* tolerance of each miss, in its unit */
  long tried;                  /* number of trials evaluated so far */
  int filtered;                /* number of pairs in `filter` */
  bool begun;                  /* whether the first trial has been evaluated */
  bool corrected;              /* whether the trial is a second-order correction */
  CtlSqpStage stage;
  CtlSqpEnd end;
} CtlSqp;

/* Allocates a run. Returns false when out of memory; clear the run also then. */
bool ctl_sqp_init(CtlSqp *sqp, CtlSqpShared *shared);
void ctl_sqp_clear(CtlSqp *sqp);

/* Starts at a control [n], which is moved into the bounds and becomes the first trial. */
void ctl_sqp_start(CtlSqp *sqp, const double *control, double tolerance);

/* Accepts the outcome of the trial. x, v: [d] final state of its motion; x is NULL if the motion failed; rows:
 * derivatives of the entries with a target, laid out as CtlOutcome.rows. Afterwards there is a next trial, or the run
 * has ended. */
void ctl_sqp_tell(CtlSqp *sqp, const double *x, const double *v, const double *rows);

/* Sets the current point to the trial, with the outcome of its motion, which must be finite; no step is made. */
void ctl_sqp_look(CtlSqp *sqp, const double *x, const double *v, const double *rows);

/* Whether the run can be expected to reach a J below the given one. Near the targets, this is so if J falls fast
 * enough. */
bool ctl_sqp_may_reach(const CtlSqp *sqp, double J);

/* Writes or reads the state. Reading accepts any bytes and sets bytes->bad for invalid ones. */
void ctl_sqp_serialize(CtlSqp *sqp, CtlBytes *bytes);

#endif
