/* The equations of a mechanism in a SimProblem: SimEquations of sim/kinds.h. */
#ifndef SIM_MECHANISM_EQUATIONS_H
#define SIM_MECHANISM_EQUATIONS_H

#include "sim/internal.h"
#include "sim/mechanism/mechanism.h"

/* Copies a mechanism's equations and parameters into a problem of SIM_MECHANISM and the same d, which then owns all that it
 * needs: the mechanism may be destroyed. Sets friction[i] to 1 where the threshold is not the number 0, else to 0: a factor of it, which
 * the caller may change; all other data of the problem (x0, v0, stops, B, times) are the caller's. A second call replaces the first. SIM_OK; SIM_NO_MEMORY or
 * SIM_BAD_ARGUMENT, with no change. */
SimStatus sim_problem_set_mechanism(SimProblem *problem, const SimMechanism *mechanism);

/* Nodes of SimEquations.outputs: of these d each, then two. */
enum { EQUATIONS_RESIDUAL, EQUATIONS_APPLIED, EQUATIONS_THRESHOLD, EQUATIONS_VECTORS };

/* Number of variables before the parameters: q, q', q'' and t. */
static inline int equations_states(const SimProblem *problem) { return 3 * problem->d + 1; }
static inline int equations_outputs(const SimProblem *problem) { return EQUATIONS_VECTORS * problem->d + 2; }

/* Reads them into a graph, which is initialised and to be cleared in any case. outputs: [equations_outputs] nodes. SIM_OK,
 * SIM_NO_MEMORY, or SIM_BAD_PROBLEM: there are none, or they are not those that sim_problem_set_mechanism writes. */
SimStatus equations_read(const SimProblem *problem, Graph *graph, int *outputs);

#endif
