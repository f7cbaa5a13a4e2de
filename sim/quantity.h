/* SPDX-License-Identifier: BSD-2-Clause */
/* Quantities of a motion, and their derivatives. A quantity is a weighted sum y of x and v at the end or at a given
 * time, its largest value in each segment of the control, or its integral. For the scheme `event` the values are exact
 * for its piecewise polynomials; largest values between two output times are found, too. Schemes with steps compute
 * y(T), T and integrals only. Their integrals are sums over their own steps (the formula is in core/quantity_steps.h),
 * so they have the scheme's order, and their derivatives are exact for the discrete motion.
 *
 *   y(t) = u_j(t) (x . x(t) + v . v(t) - from_x . x(0) - from_v . v(0)) - reference(t)
 *
 * u_j is the entry j = control - 1 of u; with control = 0 this factor is omitted. x, v, from_x and from_v are weights
 * [d], and . is the scalar product. Alternatively, except for integrals, y is any function of x: place(t, x(t)). */
#ifndef SIM_QUANTITY_H
#define SIM_QUANTITY_H

#include "sim/internal.h"

/* How the value of a quantity is computed from y(t). */
typedef enum SimWay {
  SIM_AT_END,         /* y(T) */
  SIM_AT_TIME,        /* y at the given `time`, or y(T) if time > T */
  SIM_LARGEST,        /* the largest y in each segment of the control: S values; one value for a constant control */
  SIM_INTEGRAL,       /* integral of F(y) over 0..T, with F = `shape`; its unit is that of F(y) times s */
  SIM_END_TIME,       /* T in s; y is ignored */
  SIM_SEGMENT_STARTS, /* y at the start of each segment of the control: S values; y(0) for a constant control */
  SIM_SEGMENT_ENDS    /* y at the end of each segment of the control, with the factor u of that segment: S values */
} SimWay;

/* Whether the quantity has a value for each segment of the control. */
static inline bool sim_way_is_of_segments(SimWay way) { return way == SIM_LARGEST || way >= SIM_SEGMENT_STARTS; }

/* Function F(y) that SIM_INTEGRAL integrates. */
typedef enum SimShape {
  SIM_SHAPE_PLAIN,   /* y */
  SIM_SHAPE_SQUARE,  /* y^2 */
  SIM_SHAPE_SIZE,    /* |y| */
  SIM_SHAPE_POSITIVE /* max(0, y) */
} SimShape;

/* One quantity y(t), and its value. Members that are 0 or NULL have no effect. */
typedef struct SimQuantity {
  SimWay way;           /* how the value is computed from y(t) */
  SimShape shape;       /* for SIM_INTEGRAL; otherwise SIM_SHAPE_PLAIN */
  const double *x;      /* [d] weights of x; NULL: 0. All pointers are borrowed during a call */
  const double *v;      /* [d] weights of v; NULL: 0 */
  const double *from_x; /* [d] weights of the problem's x(0); NULL: 0 */
  const double *from_v; /* [d] weights of the problem's v(0); NULL: 0 */
  /* 1..p: multiplies the sum by this entry of u (power, work), which must be constant in segments; 0: no factor */
  int control;
  /* Returns the reference at t, in s, and sets *slope to its derivative. It is smooth within segments. It is not
   * allowed for quantities with a value for each segment, nor for SIM_SHAPE_SIZE and SIM_SHAPE_POSITIVE. NULL: 0. */
  double (*reference)(void *context, double t, double *slope);
  /* Returns y at t, in s, for x [d], and sets slopes [d + 1] to its derivatives by the entries of x, then by t. y must
   * be smooth within segments of the motion. The function is not allowed for SIM_INTEGRAL, nor together with the
   * members above. NULL: y is the weighted sum. */
  double (*place)(void *context, double t, const double *x, double *slopes);
  bool negative; /* whether y is -place(t, x), so that SIM_LARGEST finds the smallest value of place; only with
                  * `place` */
  void *context; /* argument of reference or place */
  double time;   /* time of SIM_AT_TIME, in s, >= 0 */
  double weight; /* factor of this quantity's contribution to the Gauss-Newton matrix SimReading.matrix, for
                  * SIM_SHAPE_SQUARE */
} SimQuantity;

/* Values of quantities and their derivatives. The caller owns the arrays. */
typedef struct SimReading {
  double *values; /* [m], m = sim_quantity_values: the values of one quantity after another */
  double *rows;   /* [m][columns of the sensitivity] derivatives of the values; NULL: not needed */
  /* [m] time of each value, in s: for SIM_LARGEST the time of the largest y, for integrals T; NULL: not needed */
  double *times;
  /* [columns][columns] Gauss-Newton matrix: the sum, over all quantities that are integrals of squares, of weight times
   * the integral of 2 (dy)'(dy), where dy are the derivatives of y; NULL: not needed */
  double *matrix;
  double *rates; /* [m] rate y' of each SIM_AT_TIME value before T, in 1/s; 0 for the other values; NULL: not needed */
} SimReading;

/* Returns the number m of values of n quantities; 0 if some `way` or `shape` is not a value of its enum. */
int sim_quantity_values(const SimModel *model, int n, const SimQuantity *quantities);

/* Reports each quantity that is not supported, with a remedy. Not supported are a value before T for a scheme with
 * steps, a dash-pot by `event`, a place with moving surfaces, a group of ranks, and members that contradict each other.
 * Returns SIM_OK; SIM_BAD_PROBLEM if there is such a quantity; SIM_BAD_ARGUMENT. */
SimStatus sim_quantities_check(const SimModel *model, int n, const SimQuantity *quantities, const SimReport *report);

/* Simulates as stiction_rollout does, with the same bits, and computes n quantities with derivatives by the columns of
 * the sensitivity. If a quantity is not differentiable (SimDerivative.smooth is false, or the time of a largest value
 * jumps), its row is a one-sided derivative. A dof that sticks at T has a row of zeros for its velocity; see
 * SimDerivative.stop. Allocates memory. sensitivity: of the model; NULL: values only, and rows and matrix are not used.
 * derivative: as for stiction_rollout_sensitivity; NULL: not needed. Returns final->status, SIM_NO_MEMORY, or
 * SIM_BAD_PROBLEM if sim_quantities_check refuses a quantity. The results are valid only with SIM_OK. */
SimStatus sim_rollout_quantities(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity,
                                 const double *control, int n, const SimQuantity *quantities, SimFinal *final,
                                 SimDerivative *derivative, SimReading *reading);

#endif
