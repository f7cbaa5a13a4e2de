/* What patterns (control/pattern) know of a problem, as numbers for other ranks: sizes, end, weight, bounds, rates and targets. */
#ifndef CONTROL_SEARCH_NUMBERS_H
#define CONTROL_SEARCH_NUMBERS_H

#include "control/control.h"

size_t problem_numbers(const CtlProblem *problem);             /* how many; NULL: 0 */
void problem_to_bytes(const CtlProblem *problem, void *bytes); /* of so many doubles, aligned or not */
/* A problem of these, to be cleared, with defaults for the rest. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM: they are none. */
SimStatus problem_from_bytes(size_t count, const void *bytes, CtlProblem *problem);

#endif
