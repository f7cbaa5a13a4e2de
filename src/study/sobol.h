/* SPDX-License-Identifier: BSD-2-Clause */
/* Points that fill the unit cube more evenly than random ones: Sobol's sequence (1967) with the direction numbers of S.
 * Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008). A seed shifts them:
 * it changes some of their binary digits. */
#ifndef SRC_STUDY_SOBOL_H
#define SRC_STUDY_SOBOL_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 40, SOBOL_BITS = 32 };

/* One dimension: direction numbers v_k = m_k 2^(32 - k), and the digits of the shift, which follow from the seed and
 * the dimension. */
typedef struct SobolDimension {
  uint32_t directions[SOBOL_BITS], shift;
} SobolDimension;

/* Returns dimension number `dimension`, from 0. */
SobolDimension sobol_dimension(int dimension, uint64_t seed);

/* Returns the coordinate of point k, within (0, 1): the digits of Sobol's sequence, each combined with that of the
 * shift by exclusive or. For any seed, each interval of length 2^-m has one coordinate of the first 2^m points. */
double sobol_coordinate(const SobolDimension *dimension, uint32_t k);

#endif
