/* Sequential quadratic programming with derivatives through stick and slip:
 *
 *     minimise J(u)   so that   x(T) = x_T,  x'(T) = v_T  (entries given),  and u within its bounds and rates
 *
 * A step solves the problem with the motion's end linear in u (qp.h), inside a box about u. A filter (Fletcher and Leyffer) decides
 * whether it is taken: no earlier point may be better in both the misses and J. Else the box shrinks.
 *
 * Of a target that is a function along a string the L2 norm counts: the rows of what moves are least squares (squares.h), and of the
 * nodes at rest only those have rows that are the first to move on.
 *
 * Of a dof at rest at T whose target is rest, the row is that of its velocity before it stopped, as if it slid on to T, and its
 * target is an inequality: to stop sooner is as good. A row that no part of u acts on, as of what has never moved, is left out. */
#ifndef CONTROL_SQP_H
#define CONTROL_SQP_H

#include "control/base/bytes.h"
#include "control/control.h"
#include "control/sqp/qp.h"
#include "control/sqp/squares.h"

/* Of a node at rest, what effort keeps it from moving on, about. */
typedef struct CtlSqpRest {
  double effort;
  int target;
} CtlSqpRest;

/* What all runs on one problem share. */
typedef struct CtlSqpShared {
  const CtlProblem *problem; /* borrowed */
  int n, m;                  /* variables; entries of x_T, v_T that are given */
  int first[3];              /* of x_T, of v_T, m */
  bool together[2];          /* entries of x_T, of v_T are a function along a string */
  CtlSquares squares;        /* where any are, as the next: */
  CtlSqpRest *rests;         /* [m] owned */
  double *unit;              /* [m] E1, E2 are at most 1 where no miss is more, m, m/s; owned, as the next */
  double *miss, *bend;       /* [m] of a trial; what of it is not linear */
  int *target;   /* [qp.m] whose each row of the linear problem is, of 0..m - 1; -1: of several together; owned */
  CtlQp qp;      /* the linear problem of a step */
  bool singular; /* the weight: some of u costs nothing */
  double *
      proximal; /* [p] what a step costs besides then: this times (z_i - at_i)^2 / 2, of each force; owned, as the next */
  double *diagonal; /* [n] of H without it */
} CtlSqpShared;

/* Returns false when out of memory; to be cleared, too. */
bool ctl_sqp_shared_init(CtlSqpShared *shared, const CtlProblem *problem);
void ctl_sqp_shared_clear(CtlSqpShared *shared);

typedef enum CtlSqpEnd {
  CTL_SQP_RUNNING,
  CTL_SQP_LEAST,  /* a least J that meets the targets, as far as the linear problem tells */
  CTL_SQP_STALLED /* no step leads on, and the targets are not met */
} CtlSqpEnd;

/* How steps are made. */
typedef enum CtlSqpStage {
  CTL_SQP_BOX, /* inside a box about `at`, by the filter */
  /* Of targets that are a function, from a start that nearly meets them: to the point nearest `at` that does, whatever its J. */
  CTL_SQP_MEET,
  /* Once either gets nowhere or has met them: about that nearest point, by what J and the misses cost. */
  CTL_SQP_CENTRE,
  CTL_SQP_RESTORE /* once that gets nowhere: to that point itself, as at first */
} CtlSqpStage;

enum { CTL_SQP_FILTER = 64 };

/* A point and its motion's end, linear about it. */
typedef struct CtlSqpPoint {
  double *at, *miss, *rows; /* [n], [m], [m][ctl_row_size] as in CtlSqp */
  double misses;            /* INFINITY: there is none */
} CtlSqpPoint;

typedef struct CtlSqp {
  CtlSqpShared *shared; /* borrowed */
  double *at, *trial;   /* [n] the point that steps start from; the one wanted; owned, with all else in one block */
  double *centre;       /* [n] of the box */
  double *price;        /* [m] J per miss, by multipliers; of a function, at its first entry, per unit of its norm */
  double *miss, *rows;  /* [m] x(T) - x_T, v(T) - v_T at `at`; [m][ctl_row_size] as in CtlOutcome */
  CtlSqpPoint
      other; /* told before `at`, or after it and not taken: dofs that stop at T may do so by other rows there */
  double (*filter)[2];         /* [filtered] misses and J of points that no later one may be worse than in both */
  double J, misses;            /* at `at`; misses in units of E1 and E2, summed */
  double effort;               /* about what J is at an answer, by the linear problems so far */
  double radius;               /* of the box, N */
  double part;                 /* of the way to the point that meets the targets, at which the centre is */
  double least;                /* J of the answer that steps about centres set out from */
  double owed;                 /* by the prices: J, and what the misses cost, at `at` */
  double promised, remaining;  /* by the linear problem: the fall of J, and what the misses are then */
  double progress, progress_J; /* the misses and J some trials ago */
  double low, low_J;           /* the misses, and J, of the lowest point of a stage about centres */
  double fall;                 /* of J between the last two such looks */
  double tolerance;            /* of each miss, in its unit */
  long tried;                  /* trials told */
  int filtered;
  bool begun;     /* the first trial has been told */
  bool corrected; /* the trial is a second one, for what is not linear */
  CtlSqpStage stage;
  CtlSqpEnd end;
} CtlSqp;

/* Returns false when out of memory; to be cleared, too. */
bool ctl_sqp_init(CtlSqp *sqp, CtlSqpShared *shared);
void ctl_sqp_clear(CtlSqp *sqp);

/* Begins at a control [n], which is moved into the bounds: the first trial. */
void ctl_sqp_start(CtlSqp *sqp, const double *control, double tolerance);

/* The end of the trial's motion: x, v [d], rows as in CtlOutcome; x NULL: it failed. There is a next trial then, or it has ended. */
void ctl_sqp_tell(CtlSqp *sqp, const double *x, const double *v, const double *rows);

/* Takes it, finite, as the point that steps would start from, and takes none. */
void ctl_sqp_look(CtlSqp *sqp, const double *x, const double *v, const double *rows);

/* Whether it may still come to less than J in good time: near the targets its own falls as fast as that takes. */
bool ctl_sqp_may_reach(const CtlSqp *sqp, double J);

/* To bytes, or from any bytes (bytes->bad). */
void ctl_sqp_serialize(CtlSqp *sqp, CtlBytes *bytes);

#endif
