/* The inequalities of README.md for one system, and how far its simulations may be off. */
#ifndef CONTROL_CERTIFY_FORMS_H
#define CONTROL_CERTIFY_FORMS_H

#include "control/certify/bound.h"
#include "sim/operator/dense.h"

/* Fills bound->errors. SIM_OK or SIM_NO_MEMORY, as the next. */
SimStatus forms_errors(CtlBound *bound, const SimProblem *sim, double effort);

/* Fills bound->forms; the first `positions` of the entries given are of x. */
SimStatus forms_create(CtlBound *bound, const CtlProblem *problem, const SimProblem *sim, int positions);

/* row <- L^-1 row: the same linear function of w that it is of u. */
void forms_row(const CtlBound *bound, double row[BOUND_N]);

#endif
