/* Sequential quadratic programming with derivatives through stick and slip:
 *     minimise J(u)   so that   x(T) = x_T,  x'(T) = v_T  (entries given),  and u within its bounds and rates
 * A step solves the problem with the motion's end linear in u (qp.h), inside a box about u. A filter (Fletcher and
 * Leyffer) accepts it if no earlier point is better in both the misses and J. Otherwise the box shrinks. A target
 * that is a function along a string counts by its L2 norm. The rows of moving nodes are least squares (squares.h).
 * Of the nodes at rest, only the ones that would move first have rows. A dof at rest at T with target velocity 0 has
 * the row of its velocity before it stopped, as if it slid on to T. Its target is an inequality, since stopping
 * sooner is as good. A row on which u has no effect, as for a dof that never moved, is left out. */
#ifndef CONTROL_SQP_H
#define CONTROL_SQP_H

#include "control/base/bytes.h"
#include "control/internal.h"
#include "control/sqp/filter.h"
#include "control/sqp/qp.h"
#include "control/sqp/squares.h"

/* A node at rest and the approximate effort that sets it in motion. */
typedef struct CtlSqpRest {
  double effort;
  int target;
} CtlSqpRest;

/* Shared by all runs on one problem. */
typedef struct CtlSqpShared {
  const CtlProblem *problem; /* borrowed */
  int n, m;                  /* variables; given entries of x_T, v_T */
  int first[3];              /* first row of x_T, first of v_T, m */
  bool together[2];          /* whether the entries of x_T, of v_T are a function along a string */
  CtlSquares squares;        /* used if any are, like the next */
  CtlSqpRest *rests;         /* [m] owned */
  double *unit;              /* [m] miss of each entry for which E1, E2 = 1, m, m/s; owned, like the next */
  double *miss, *bend;       /* [m] misses of a trial; their nonlinear parts */
  int *target;               /* [qp.m] target 0..m - 1 of each row of the linear problem; -1: several together; owned */
  CtlQp qp;                  /* linear problem of a step */
  bool singular;             /* the weight is singular: some of u costs nothing */
  /* [p] coefficient of the proximal term (z_i - at_i)^2 / 2 of each force, if singular; owned, like the next */
  double *proximal;
  double *diagonal; /* [n] diagonal of H without it */
} CtlSqpShared;

/* Allocates the shared data. Returns false when out of memory; clear it then, too. */
bool ctl_sqp_shared_init(CtlSqpShared *shared, const CtlProblem *problem);
void ctl_sqp_shared_clear(CtlSqpShared *shared);

typedef enum CtlSqpEnd {
  CTL_SQP_RUNNING,
  CTL_SQP_LEAST,  /* a local minimum of J that meets the targets, according to the linear problem */
  CTL_SQP_STALLED /* no step makes progress, and the targets are not met */
} CtlSqpEnd;

/* Stages: how steps are made. */
typedef enum CtlSqpStage {
  CTL_SQP_BOX, /* box about `at`, with the filter */
  /* For targets that are a function, from a start that nearly meets them: moves to the point nearest `at` that meets
   * them, regardless of J. */
  CTL_SQP_MEET,
  /* Follows either of these, when it makes no progress or has met the targets: box about the nearest point; merit: J
   * plus the price of misses. */
  CTL_SQP_CENTRE,
  CTL_SQP_RESTORE /* after a stall of that: to the point itself, as in CTL_SQP_MEET */
} CtlSqpStage;

/* A point with the linearisation of its motion's end. */
typedef struct CtlSqpPoint {
  double *at, *miss, *rows; /* [n], [m], [m][ctl_row_size] as in CtlSqp */
  double misses;            /* sum of the misses; INFINITY: no such point */
} CtlSqpPoint;

typedef struct CtlSqp {
  CtlSqpShared *shared; /* borrowed */
  double *at, *trial;   /* [n] current point; next trial; owned, with all arrays in one block */
  double *centre;       /* [n] centre of the box */
  double *price;        /* [m] J per miss, by multipliers; for a function, at its first entry, per unit of its norm */
  double *miss, *rows;  /* [m] x(T) - x_T, v(T) - v_T at `at`; [m][ctl_row_size] rows as in CtlOutcome */
  /* the point before `at`, or a rejected one after it; dofs that stop at T may have other rows there */
  CtlSqpPoint other;
  double (*filter)[2];         /* [filtered] pairs of misses and J that no later point may be worse than in both */
  double J, misses;            /* J at `at`; sum of its misses in units of E1 and E2 */
  double effort;               /* approximate J of an answer, by the linear problems so far */
  double radius;               /* half-width of the box, N */
  double part;                 /* position of the centre on the way to the point that meets the targets, 0..1 */
  double least;                /* J of the answer from which steps about centres start */
  double owed;                 /* merit at `at`: J and the price of the misses */
  double promised, remaining;  /* predictions of the linear problem: decrease of J, and misses that remain */
  double progress, progress_J; /* misses and J at the last check of progress */
  double low, low_J;           /* lowest misses and J of a stage about centres */
  double fall;                 /* decrease of J between the last two checks */
  double tolerance;            /* tolerance of each miss, in its unit */
  long tried;                  /* number of trials evaluated */
  int filtered;
  bool begun;     /* the first trial has been evaluated */
  bool corrected; /* the trial is a second-order correction */
  CtlSqpStage stage;
  CtlSqpEnd end;
} CtlSqp;

/* Allocates a run. Returns false when out of memory; clear it then, too. */
bool ctl_sqp_init(CtlSqp *sqp, CtlSqpShared *shared);
void ctl_sqp_clear(CtlSqp *sqp);

/* Starts at a control [n], moved into the bounds; it is the first trial. */
void ctl_sqp_start(CtlSqp *sqp, const double *control, double tolerance);

/* Accepts the outcome of the trial: x, v [d], rows as in CtlOutcome; x NULL: it failed. Then there is a next trial,
 * or the run has ended. */
void ctl_sqp_tell(CtlSqp *sqp, const double *x, const double *v, const double *rows);

/* Sets a finite outcome as the current point without a step. */
void ctl_sqp_look(CtlSqp *sqp, const double *x, const double *v, const double *rows);

/* Whether the run can be expected to get below J in reasonable time: near the targets its own J falls fast enough. */
bool ctl_sqp_may_reach(const CtlSqp *sqp, double J);

/* Writes or reads the state; reading is safe against any bytes (bytes->bad). */
void ctl_sqp_serialize(CtlSqp *sqp, CtlBytes *bytes);

#endif
