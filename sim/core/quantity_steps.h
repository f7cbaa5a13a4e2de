/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes quantities of a motion (sim/quantity.h) by any scheme with steps: values at the end, and integrals by the
 * trapezoidal rule on the steps. Each step n is cut where a segment k of the control ends, into parts of length h_nk:
 *
 *   integral of F(y) = sum over n, k of h_nk/2 (F(y_k(t_{n-1})) + F(y_k(t_n))), y_k = u_jk (a.X - begin) - r
 *
 * X is the state (x, v), a its weights, begin the weighted sum of the initial state, u_jk the factor u in segment k,
 * and r the reference. The error of the rule is of second order also where F or y has kinks, and no scheme with steps
 * has a higher order. So an integral has the order of its scheme. Its derivatives are those of this sum, exact for the
 * discrete motion. */
#ifndef SIM_QUANTITY_STEPS_H
#define SIM_QUANTITY_STEPS_H

#include "sim/quantity.h"

/* Implements SimScheme.read for schemes with steps. */
SimStatus quantity_steps_read(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity,
                              const double *control, int n, const SimQuantity *quantities, SimFinal *final,
                              const SimReading *reading);

#endif
