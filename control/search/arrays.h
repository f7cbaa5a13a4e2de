/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of the arrays of a CtlProblem, by which they are allocated, copied and sent. A new array needs a member of
 * CtlProblem and a row in this table. */
#ifndef CONTROL_ARRAYS_H
#define CONTROL_ARRAYS_H

#include "control/internal.h"

/* Length of an array of a CtlProblem: the array has one entry for each of the objects below. */
typedef enum ArrayExtent {
  ARRAY_WEIGHT,   /* pairs of entries of u, [p][p]; no entries with roles */
  ARRAY_ENTRY,    /* entries of u, [p] */
  ARRAY_VARIABLE, /* search variables, [n] */
  ARRAY_EDGES,    /* pairs of search variables, [n][n]; no entries beyond CTL_SIMPLEX_CONTROLS_MAX */
  ARRAY_TARGET    /* degrees of freedom or, with roles, values, [d] */
} ArrayExtent;

typedef struct ProblemArray {
  size_t offset; /* offset of the array's pointer in CtlProblem */
  ArrayExtent extent;
  double initial; /* initial value of the array's entries */
  bool sent;      /* whether other ranks need the array for pattern queries (control/search/numbers.h) */
} ProblemArray;

enum { PROBLEM_ARRAYS = 11 };
extern const ProblemArray problem_arrays[PROBLEM_ARRAYS];

/* Returns the address of an array's pointer in a problem. */
double **problem_array(CtlProblem *problem, const ProblemArray *array);
/* Returns the number of entries of an array. */
size_t problem_array_size(const CtlProblem *problem, const ProblemArray *array);

#endif
