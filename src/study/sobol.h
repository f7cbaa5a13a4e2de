/* SPDX-License-Identifier: BSD-2-Clause */
/* Points that fill the unit cube more evenly than random points. They are Sobol's sequence (1967) with the direction
 * numbers of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008). A
 * seed shifts the points, i.e. changes some of the binary digits of their coordinates. */
#ifndef SRC_STUDY_SOBOL_H
#define SRC_STUDY_SOBOL_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 40, SOBOL_BITS = 32 };

/* Data of one dimension: direction numbers v_k = m_k 2^(32 - k), and the digits of the shift, which is computed from
 * the seed and the number of the dimension. */
typedef struct SobolDimension {
  uint32_t directions[SOBOL_BITS], shift;
} SobolDimension;

/* Returns the data of dimension number `dimension`, from 0. */
SobolDimension sobol_dimension(int dimension, uint64_t seed);

/* Returns the coordinate of point k in this dimension, within (0, 1). Its digits are those of Sobol's sequence,
 * combined with those of the shift by exclusive or. For any seed, each of the intervals of length 2^-m contains exactly
 * one coordinate of the first 2^m points. */
double sobol_coordinate(const SobolDimension *dimension, uint32_t k);

#endif
