/* What `check` tells of a problem besides its echo: what follows from the keys before the first step. */
#ifndef SRC_PROBLEM_UNDERSTOOD_H
#define SRC_PROBLEM_UNDERSTOOD_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

/* 2 pi/sqrt(nu) of the largest eigenvalue nu of M^-1 A, s; infinite where there are no springs. */
double understood_period(const Problem *problem);

/* Of a chain's explicit springs: by what a motion that no friction damps grows until T at most, |1 + i h omega| a step; else 1. */
double understood_growth(const Problem *problem);

/* Warns of what could not be checked, and of a target that friction alone can bring within reach. */
void understood_warn(const Problem *problem, Diagnostics *diagnostics);

/* Puts sizes, eigenvalues, stability, friction, substeps, search, identify, measured, scenarios, as far as the problem has them, and
 * problem, its echo, into an object (src/README.md#a-check-as-json). False: no memory. */
bool understood_put(const Problem *problem, json_t *object);

#endif
