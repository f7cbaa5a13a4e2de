/* SPDX-License-Identifier: BSD-2-Clause */
/* The inequalities of README.md for one system, and the error bounds of its simulations. */
#ifndef CONTROL_CERTIFY_FORMS_H
#define CONTROL_CERTIFY_FORMS_H

#include "control/certify/bound.h"
#include "sim/operator/dense.h"

/* Computes the field `errors` of the bound. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus forms_errors(CtlBound *bound, const SimProblem *sim, double effort);

/* Computes the field `forms` of the bound. positions: number of entries with a target that belong to x; these come
 * first. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus forms_create(CtlBound *bound, const CtlProblem *problem, const SimProblem *sim, int positions);

/* Replaces a row by L^-1 row, which converts a linear function of u to one of w. */
void forms_row(const CtlBound *bound, double row[BOUND_N]);

#endif
