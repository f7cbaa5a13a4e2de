/* SPDX-License-Identifier: BSD-2-Clause */
/* The inequalities of README.md for one system, and the error bounds of its simulations. */
#ifndef CONTROL_CERTIFY_FORMS_H
#define CONTROL_CERTIFY_FORMS_H

#include "control/certify/bound.h"
#include "sim/operator/dense.h"

/* Computes bound->errors. Returns SIM_OK or SIM_NO_MEMORY, like the next function. */
SimStatus forms_errors(CtlBound *bound, const SimProblem *sim, double effort);

/* Computes bound->forms. positions: number of given entries that belong to x; these come first. */
SimStatus forms_create(CtlBound *bound, const CtlProblem *problem, const SimProblem *sim, int positions);

/* Replaces a row by L^-1 row, which converts a linear function of u to one of w. */
void forms_row(const CtlBound *bound, double row[BOUND_N]);

#endif
