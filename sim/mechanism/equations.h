/* SPDX-License-Identifier: BSD-2-Clause */
/* The equations of a mechanism as arrays in a SimProblem (SimEquations of sim/kinds.h): written from a mechanism, and
 * read into a graph. */
#ifndef SIM_MECHANISM_EQUATIONS_H
#define SIM_MECHANISM_EQUATIONS_H

#include "sim/internal.h"
#include "sim/mechanism/mechanism.h"

/* Copies a mechanism's equations and parameters into a problem of kind SIM_MECHANISM with the same d. The problem
 * then owns them, so the mechanism may be destroyed. friction[i] becomes 0 if the threshold of coordinate i is the
 * number 0, else 1. It is a factor of the threshold, which the caller may change. All other data of the problem (x0,
 * v0, stops, B, times) are the caller's. A second call replaces the first. Returns SIM_OK; or SIM_NO_MEMORY or
 * SIM_BAD_ARGUMENT, which change nothing. */
SimStatus sim_problem_set_mechanism(SimProblem *problem, const SimMechanism *mechanism);

/* Positions of nodes in SimEquations.outputs. There are d nodes of each of the first three kinds, then two single
 * ones. */
enum { EQUATIONS_RESIDUAL, EQUATIONS_APPLIED, EQUATIONS_THRESHOLD, EQUATIONS_VECTORS };

/* Returns the number of variables before the parameters: q, q', q'' and t. */
static inline int equations_states(const SimProblem *problem) { return 3 * problem->d + 1; }
static inline int equations_outputs(const SimProblem *problem) { return EQUATIONS_VECTORS * problem->d + 2; }

/* Reads the equations of a problem into a graph, which is initialised here; the caller clears it in each case. vary:
 * whether parameters are variables; otherwise they are the numbers that they are now, which gives fewer nodes. A
 * parameter that is an exponent and has a whole value has derivatives at this value alone. outputs:
 * [equations_outputs] nodes. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if there are no equations or they do not
 * have the form that sim_problem_set_mechanism writes. */
SimStatus equations_read(const SimProblem *problem, bool vary, Graph *graph, int *outputs);

#endif
