/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of quantities of a motion (sim/quantity.h) and of their derivatives that do not depend on how a scheme computes
 * the motion. */
#ifndef SIM_QUANTITY_PARTS_H
#define SIM_QUANTITY_PARTS_H

#include "sim/core/sensitivity.h"
#include "sim/quantity.h"

/* quantity_factor returns the factor u_j of a quantity in a segment of the control; 1 if the quantity has no such
 * factor. quantity_factor_change returns its derivative by the quantity of a column. */
double quantity_factor(const SimWorkspace *work, const SimQuantity *of, long segment);
double quantity_factor_change(const SimProblem *problem, const SimQuantity *of, const SimColumn *column, long segment);

/* Returns x . x + v . v, the weighted sum of a state [d] without the initial state. */
double quantity_sum(const SimQuantity *of, int d, const double *x, const double *v);
/* quantity_begin returns from_x . x + from_v . v of the initial state [d], which is subtracted from the sum.
 * quantity_begin_change returns its derivative by the quantity of a column. */
double quantity_begin(const SimQuantity *of, int d, const double *x, const double *v);
double quantity_begin_change(const SimQuantity *of, const SimColumn *column);

/* Returns the function `place` of a quantity at t, in s, times -1 if the quantity is negative. slopes: [d + 1] set to
 * its derivatives. */
double quantity_place(const SimQuantity *of, int d, double t, const double *x, double *slopes);
/* Returns F(y) for the shape F of a quantity (for example y^2), and F'(y) in *slope. */
double quantity_shape(SimShape shape, double y, double *slope);
/* Adds factor dy'dy to the Gauss-Newton matrix [n][n]. change: [n] the derivatives dy of y. */
void quantity_add_square(int n, const double *change, double factor, double *matrix);

/* Returns y(T) for the final state. begin: result of quantity_begin. slopes: [d + 1] scratch. drift: set to the rate of
 * the reference at T, or to minus the explicit time derivative of `place`. row: [columns] set to the derivatives of
 * y(T) at fixed T; may be NULL. */
double quantity_at_end(const SimWorkspace *work, const SimSensitivity *sensitivity, const SimQuantity *of, double begin,
                       const SimFinal *final, double *slopes, double *drift, double *row);

#endif
