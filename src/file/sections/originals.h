/* The functions that a file has in text, and of which a problem's polynomials were made: for a second opinion on its motions. */
#ifndef SRC_PROBLEM_ORIGINALS_H
#define SRC_PROBLEM_ORIGINALS_H

#include "src/base/problem.h"

typedef struct Originals {
  const Problem *problem; /* borrowed */
  SimOriginals functions; /* their context is this struct, which must stay where it is */
} Originals;

/* Of a problem of dense storage. */
void problem_originals(const Problem *problem, Originals *originals);

#endif
