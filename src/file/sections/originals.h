/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of time that a file gives as text. The problem has polynomials that approximate them. Its motions are
 * verified with the original functions. */
#ifndef SRC_PROBLEM_ORIGINALS_H
#define SRC_PROBLEM_ORIGINALS_H

#include "src/base/problem.h"

typedef struct Originals {
  const Problem *problem; /* the problem with its approximations; borrowed */
  SimOriginals functions; /* the original functions; their context points to this struct, which must therefore not be
                           * moved */
} Originals;

/* Collects the original functions of a problem with dense storage. */
void problem_originals(const Problem *problem, Originals *originals);

#endif
