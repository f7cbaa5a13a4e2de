/* SPDX-License-Identifier: BSD-2-Clause */
/* The equations of a mechanism as arrays in a SimProblem (SimEquations of sim/kinds.h): written from a mechanism, and
 * read into a graph. */
#ifndef SIM_MECHANISM_EQUATIONS_H
#define SIM_MECHANISM_EQUATIONS_H

#include "sim/internal.h"
#include "sim/mechanism/mechanism.h"

/* Copies a mechanism's equations and parameters into a problem of kind SIM_MECHANISM with the same d. The problem then
 * owns the copies, so the mechanism may be destroyed. friction[i], a factor of the threshold of coordinate i which the
 * caller may change, becomes 0 if that threshold is the constant 0, else 1. The caller sets all other data of the
 * problem (x0, v0, stops, B, times). A second call replaces the first. Returns SIM_OK; or SIM_NO_MEMORY or
 * SIM_BAD_ARGUMENT, with the problem unchanged. */
SimStatus sim_problem_set_mechanism(SimProblem *problem, const SimMechanism *mechanism);

/* Groups of nodes in SimEquations.outputs: d residuals, d applied forces, d thresholds, then the nodes of the energy
 * and of the power. */
enum { EQUATIONS_RESIDUAL, EQUATIONS_APPLIED, EQUATIONS_THRESHOLD, EQUATIONS_VECTORS };

/* equations_states returns the number of variables before the parameters: q, q', q'' and t. equations_outputs returns
 * the number of outputs. */
static inline int equations_states(const SimProblem *problem) { return 3 * problem->d + 1; }
static inline int equations_outputs(const SimProblem *problem) { return EQUATIONS_VECTORS * problem->d + 2; }

/* Reads the equations of a problem into a graph. The function initialises the graph, and the caller clears it, also
 * after an error. vary: whether parameters become variables; otherwise they become constants with their present values,
 * which gives fewer nodes. A parameter that is an exponent and has a whole value becomes a variable that has derivatives
 * at this value alone. outputs: [equations_outputs] set to nodes. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if
 * there are no equations or they do not have the form that sim_problem_set_mechanism writes. */
SimStatus equations_read(const SimProblem *problem, bool vary, Graph *graph, int *outputs);

#endif
