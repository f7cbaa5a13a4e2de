/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of the command check that can be computed from the problem before the first step. */
#ifndef SRC_PROBLEM_UNDERSTOOD_H
#define SRC_PROBLEM_UNDERSTOOD_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

/* Returns the shortest period of the model, 2 pi/sqrt(nu), in s, where nu is the largest eigenvalue of M^-1 A with mass
 * M and stiffness A. The result is infinite if the model has no springs. */
double understood_period(const Problem *problem);

/* Returns an upper bound of the factor by which an undamped motion of a chain with explicit springs grows until T. With
 * the step h and the frequency omega, each step multiplies the motion by |1 + i h omega|, where i is the imaginary
 * unit. Other models: 1. */
double understood_growth(const Problem *problem);

/* Writes the names of the schemes that support the whole model into list, e.g. "moreau, event". */
void understood_schemes(const Problem *problem, char *list, size_t size);

/* If derivatives are not available, a search uses another method than the default. Writes the reason, e.g. "for moreau
 * has no derivatives of model.friction_rise with stops". */
void understood_reason(const Problem *problem, char *text, size_t size);

/* understood_work returns the estimated work of a motion by the scheme `event` without derivatives (sim_problem_work).
 * understood_seconds returns the estimated time for this, in s. Both return 0 for other schemes, or if no estimate is
 * known. */
double understood_work(const Problem *problem);
double understood_seconds(const Problem *problem);

/* Warns if a motion by `event` is estimated to take much work. */
void understood_warn_of_work(const Problem *problem, Diagnostics *diagnostics);

/* Warns about a target that can be reached only with the help of friction. */
void understood_warn_of_target(const Problem *problem, Diagnostics *diagnostics);

/* Gives the warnings of understood_warn_of_work and understood_warn_of_target, and warns about everything that could
 * not be checked. */
void understood_warn(const Problem *problem, Diagnostics *diagnostics);

/* Adds the results to a JSON object (src/README.md#a-check-as-json): sizes, eigenvalues, stability, schemes, friction,
 * substeps, search, identify, measured and scenarios, as far as the problem has them. Also adds `problem`, the resolved
 * problem. Returns false if there is no memory. */
bool understood_put(const Problem *problem, json_t *object);

/* Returns the first entry of u, counted from 1, that acts on no joint because its column of the control matrix B is
 * zero. Returns 0 if all entries act on some joint, or if this process has only a part of B. */
int reach_idle_force(const Problem *problem);

/* Returns the first joint, from 1, that certainly cannot reach its target; 0 if there is none. Such a joint has a
 * target that differs from its start, and no force acts on it, not even through the mass, stiffness or damping of other
 * joints. Only small dense models are examined. */
int reach_missing_joint(const Problem *problem);

#endif
