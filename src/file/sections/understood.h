/* What `check` tells of a problem besides its echo: what follows from the keys before the first step. */
#ifndef SRC_PROBLEM_UNDERSTOOD_H
#define SRC_PROBLEM_UNDERSTOOD_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

/* 2 pi/sqrt(nu) of the largest eigenvalue nu of M^-1 A, s; infinite where there are no springs. */
double understood_period(const Problem *problem);

/* Of a chain's explicit springs: by what a motion that no friction damps grows until T at most, |1 + i h omega| a step; else 1. */
double understood_growth(const Problem *problem);

/* The schemes that take all of the model, "moreau, event". */
void understood_schemes(const Problem *problem, char *list, size_t size);

/* The work of a motion by `event` for what is stiff in it, about, without derivatives (sim_problem_work), and s for that; 0: nobody knows, or another
 * scheme. */
double understood_work(const Problem *problem);
double understood_seconds(const Problem *problem);

/* Warns of much work by `event`. */
void understood_warn_of_work(const Problem *problem, Diagnostics *diagnostics);

/* Warns of a target that friction alone can bring within reach. */
void understood_warn_of_target(const Problem *problem, Diagnostics *diagnostics);

/* Warns of that, of what could not be checked, and of a target that friction alone can bring within reach. */
void understood_warn(const Problem *problem, Diagnostics *diagnostics);

/* Puts sizes, eigenvalues, stability, schemes, friction, substeps, search, identify, measured, scenarios, as far as the problem has them, and
 * problem, its echo, into an object (src/README.md#a-check-as-json). False: no memory. */
bool understood_put(const Problem *problem, json_t *object);

/* What no force can move. */

/* The first force, from 1, without an entry in B, where this process has all of its rows; 0: there is none. */
int reach_idle_force(const Problem *problem);

/* The first joint, from 1, whose target is not where it begins, and that no force reaches, not through masses, springs
 * or damping of other joints either; of small dense models. 0: there is none. */
int reach_missing_joint(const Problem *problem);

#endif
