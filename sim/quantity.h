/* Numbers of a motion: a line of x and v, read at the end, at a time, as the largest in each segment of the control, or integrated; and their
 * derivatives. For the scheme `event`, exact on its polynomials: largest values are found between rows of a trajectory, too.
 *
 *     y(t) = u_j(t) (x . x(t) + v . v(t) - from_x . x(0) - from_v . v(0)) - reference(t),    j + 1 = control; without u_j where control is 0 */
#ifndef SIM_QUANTITY_H
#define SIM_QUANTITY_H

#include "sim/sim.h"

SIM_API_BEGIN

/* How y is read. */
typedef enum SimWay {
  SIM_AT_END,   /* y(T) */
  SIM_AT_TIME,  /* y(time), where time is beyond T y(T) */
  SIM_LARGEST,  /* the largest y in each segment of the control: S values, of a constant control one */
  SIM_INTEGRAL, /* of a shape of y over 0..T, times s */
  SIM_END_TIME  /* T, s, whatever y is */
} SimWay;

/* What of y is integrated. */
typedef enum SimShape {
  SIM_SHAPE_PLAIN,   /* y */
  SIM_SHAPE_SQUARE,  /* y^2 */
  SIM_SHAPE_SIZE,    /* |y| */
  SIM_SHAPE_POSITIVE /* max(0, y) */
} SimShape;

/* One quantity. All that is 0 or NULL is not there. */
typedef struct SimQuantity {
  SimWay way;
  SimShape shape;                /* of SIM_INTEGRAL; else SIM_SHAPE_PLAIN */
  const double *x, *v;           /* [d] weights of x and v; NULL: 0; borrowed, as all of it, while a call runs */
  const double *from_x, *from_v; /* [d] weights of x(0) and v(0) as the problem has them; NULL: 0 */
  int control; /* 1..p: the line is multiplied with this entry of u (power, work), which is then constant in segments; 0: with none */
  /* Returns the reference at t, s, with its slope in *slope; smooth within segments; of all but SIM_LARGEST, and of the shapes SIM_SHAPE_PLAIN and
   * SIM_SHAPE_SQUARE. NULL: 0. */
  double (*reference)(void *context, double t, double *slope);
  void *context; /* passed to reference */
  double time;   /* of SIM_AT_TIME, s, >= 0 */
  double weight; /* of SIM_SHAPE_SQUARE: of its part of SimReading.matrix */
} SimQuantity;

/* What they are; arrays of the caller's. */
typedef struct SimReading {
  double *values; /* [m], m = sim_quantity_values: quantity by quantity */
  double *rows;   /* [m][columns of the sensitivity] derivatives of the values; NULL: not wanted */
  double *times;  /* [m] s: when each was read, of SIM_LARGEST where it is largest, of integrals T; NULL: not wanted */
  double *
      matrix; /* [columns][columns] the sum of weight times the integral of 2 (dy)'(dy), over all integrals of squares: the Gauss-Newton matrix;
                   * NULL: not wanted */
} SimReading;

/* How many values n quantities of a model have, m. 0: one of them is none of the enum's. */
int sim_quantity_values(const SimModel *model, int n, const SimQuantity *quantities);

/* Reports the quantities that cannot be read, with the way out: another scheme than `event`, a dash-pot, surfaces that move, a reference or a
 * control's factor that does not go with the rest. SIM_OK; SIM_BAD_PROBLEM: there are such; SIM_BAD_ARGUMENT. */
SimStatus sim_quantities_check(const SimModel *model, int n, const SimQuantity *quantities, const SimReport *report);

/* A rollout as sim_rollout, bit for bit, and n quantities of it, with derivatives by the columns of the sensitivity. Where a quantity has none
 * (SimDerivative.smooth; where the place of a largest value jumps) the rows are those of one side. A dof that has come to rest at T has velocity 0 there,
 * and a row of 0: SimDerivative.stop has how it would go on. Allocates. sensitivity: of the model; NULL: values alone, rows and matrix are not looked
 * at. derivative: as of sim_rollout_sensitivity; NULL: not wanted. Returns final->status, SIM_NO_MEMORY, or, of what sim_quantities_check
 * refuses, SIM_BAD_PROBLEM. If it is not SIM_OK, nothing is known of the quantities. */
SimStatus sim_rollout_quantities(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity,
                                 const double *control, int n, const SimQuantity *quantities, SimFinal *final,
                                 SimDerivative *derivative, SimReading *reading);

SIM_API_END

#endif
