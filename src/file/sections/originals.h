/* The original functions of a file, as text, which the problem approximates by polynomials; used to verify its
 * motions. */
#ifndef SRC_PROBLEM_ORIGINALS_H
#define SRC_PROBLEM_ORIGINALS_H

#include "src/base/problem.h"

typedef struct Originals {
  const Problem *problem; /* borrowed */
  SimOriginals functions; /* their context is this struct, which must not be moved */
} Originals;

/* Collects the original functions of a problem with dense storage. */
void problem_originals(const Problem *problem, Originals *originals);

#endif
