/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a problem that pattern queries (control/pattern) need, as an array of doubles that is sent to other
 * ranks: sizes, end time, weight, bounds, rates and targets. */
#ifndef CONTROL_SEARCH_NUMBERS_H
#define CONTROL_SEARCH_NUMBERS_H

#include "control/internal.h"

size_t problem_numbers(const CtlProblem *problem); /* returns the number of doubles; 0 if problem is NULL */
/* writes the doubles to `bytes`, storage of any alignment */
void problem_to_bytes(const CtlProblem *problem, void *bytes);
/* Creates a problem from doubles that problem_to_bytes has written. All other fields of the problem have their
 * defaults. The caller must clear the problem. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the doubles are
 * invalid. */
SimStatus problem_from_bytes(size_t count, const void *bytes, CtlProblem *problem);

#endif
