/* The data of a problem that patterns (control/pattern) need, as numbers for other ranks: sizes, end, weight,
 * bounds, rates and targets. */
#ifndef CONTROL_SEARCH_NUMBERS_H
#define CONTROL_SEARCH_NUMBERS_H

#include "control/internal.h"

size_t problem_numbers(const CtlProblem *problem);             /* number of numbers; NULL: 0 */
void problem_to_bytes(const CtlProblem *problem, void *bytes); /* bytes: of that many doubles, of any alignment */
/* Creates a problem from these numbers, with defaults for the rest; the caller clears it. SIM_OK, SIM_NO_MEMORY,
 * SIM_BAD_PROBLEM: invalid numbers. */
SimStatus problem_from_bytes(size_t count, const void *bytes, CtlProblem *problem);

#endif
