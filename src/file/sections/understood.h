/* Results of `check` that follow from the keys before the first step. */
#ifndef SRC_PROBLEM_UNDERSTOOD_H
#define SRC_PROBLEM_UNDERSTOOD_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

/* Shortest period 2 pi/sqrt(nu), nu the largest eigenvalue of M^-1 A, s; infinite without springs. */
double understood_period(const Problem *problem);

/* For a chain with explicit springs: upper bound of the growth of an undamped motion until T, |1 + i h omega| to the
 * power of the number of steps; otherwise 1. */
double understood_growth(const Problem *problem);

/* Lists the schemes that support the whole model, "moreau, event". */
void understood_schemes(const Problem *problem, char *list, size_t size);

/* Estimated work of a motion by `event` due to stiff parts, without derivatives (sim_problem_work), and its time, s. 0:
 * unknown, or another scheme. */
double understood_work(const Problem *problem);
double understood_seconds(const Problem *problem);

/* Warns if a motion by `event` is estimated to take much work. */
void understood_warn_of_work(const Problem *problem, Diagnostics *diagnostics);

/* Warns about a target that can be reached only with the help of friction. */
void understood_warn_of_target(const Problem *problem, Diagnostics *diagnostics);

/* Gives both warnings, and warns about anything that could not be checked. */
void understood_warn(const Problem *problem, Diagnostics *diagnostics);

/* Adds sizes, eigenvalues, stability, schemes, friction, substeps, search, identify, measured and scenarios, if the
 * problem has them, and problem, its echo, to an object (src/README.md#a-check-as-json). Returns false if there is no
 * memory. */
bool understood_put(const Problem *problem, json_t *object);

/* Forces and joints without effect. */

/* Returns the first force, from 1, with a zero column of B, if this process has all rows; 0 if there is none. */
int reach_idle_force(const Problem *problem);

/* Returns the first joint, from 1, with a target different from its start that no force reaches, not even through the
 * mass, stiffness or damping of other joints; 0 if there is none. Only for small dense models. */
int reach_missing_joint(const Problem *problem);

#endif
