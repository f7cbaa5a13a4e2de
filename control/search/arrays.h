/* The arrays of a CtlProblem as a table: allocated, copied and sent by it. A new array is a member of the struct and a row
 * here. */
#ifndef CONTROL_ARRAYS_H
#define CONTROL_ARRAYS_H

#include "control/internal.h"

/* What an array has numbers for. */
typedef enum ArrayExtent {
  ARRAY_WEIGHT,   /* each pair of entries of u; none with roles */
  ARRAY_ENTRY,    /* each entry of u, [p] */
  ARRAY_VARIABLE, /* each search variable, [n] */
  ARRAY_EDGES,    /* each pair of search variables; none beyond CTL_SIMPLEX_CONTROLS_MAX */
  ARRAY_TARGET    /* each degree of freedom or value, [d] */
} ArrayExtent;

typedef struct ProblemArray {
  size_t offset; /* of its pointer in CtlProblem */
  ArrayExtent extent;
  double initial; /* its entries at first */
  bool sent;      /* other ranks need it for patterns: control/search/numbers.h */
} ProblemArray;

enum { PROBLEM_ARRAYS = 11 };
extern const ProblemArray problem_arrays[PROBLEM_ARRAYS];

/* The pointer of an array in a problem. */
double **problem_array(CtlProblem *problem, const ProblemArray *array);
/* Number of an array's entries. */
size_t problem_array_size(const CtlProblem *problem, const ProblemArray *array);

#endif
