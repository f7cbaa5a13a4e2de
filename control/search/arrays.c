/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/search/arrays.h"

#include <math.h>

#define ARRAY(member, ...)                                                                                             \
  { .offset = offsetof(CtlProblem, member), __VA_ARGS__ }

/* The array of the first row comes first in the allocation that contains all arrays, so its address is that of the
 * allocation. */
const ProblemArray problem_arrays[PROBLEM_ARRAYS] = {
    ARRAY(weight, .extent = ARRAY_WEIGHT, .sent = true),
    ARRAY(rate, .extent = ARRAY_ENTRY, .initial = INFINITY, .sent = true),
    ARRAY(start, .extent = ARRAY_VARIABLE),
    ARRAY(lower, .extent = ARRAY_VARIABLE, .initial = -INFINITY, .sent = true),
    ARRAY(upper, .extent = ARRAY_VARIABLE, .initial = INFINITY, .sent = true),
    ARRAY(size, .extent = ARRAY_VARIABLE, .initial = 1),
    ARRAY(edges, .extent = ARRAY_EDGES),
    ARRAY(position, .extent = ARRAY_TARGET, .initial = NAN, .sent = true),
    ARRAY(velocity, .extent = ARRAY_TARGET, .initial = NAN, .sent = true),
    ARRAY(position_scale, .extent = ARRAY_TARGET, .initial = NAN),
    ARRAY(velocity_scale, .extent = ARRAY_TARGET, .initial = NAN)};

double **problem_array(CtlProblem *problem, const ProblemArray *array) {
  return (double **)(void *)((char *)problem + array->offset);
}

size_t problem_array_size(const CtlProblem *problem, const ProblemArray *array) {
  size_t n = (size_t)problem->n, p = (size_t)problem->p;
  switch (array->extent) {
  case ARRAY_WEIGHT: return problem->roles ? 0 : p * p;
  case ARRAY_ENTRY: return p;
  case ARRAY_VARIABLE: return n;
  case ARRAY_EDGES: return n <= CTL_SIMPLEX_CONTROLS_MAX ? n * n : 0;
  case ARRAY_TARGET: break;
  }
  return (size_t)problem->d;
}
