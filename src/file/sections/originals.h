/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of time that a file gives as text. The problem approximates them by polynomials; the originals serve to
 * verify its motions. */
#ifndef SRC_PROBLEM_ORIGINALS_H
#define SRC_PROBLEM_ORIGINALS_H

#include "src/base/problem.h"

typedef struct Originals {
  const Problem *problem; /* the problem with its approximations; borrowed */
  SimOriginals functions; /* the original functions; their context is this struct, which must therefore not be moved */
} Originals;

/* Collects the original functions of a problem with dense storage. */
void problem_originals(const Problem *problem, Originals *originals);

#endif
