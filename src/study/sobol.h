/* Points that fill the unit cube more evenly than random ones: Sobol's sequence (1967) with the direction numbers of S. Joe and F. Y. Kuo,
 * "Constructing Sobol sequences with better two-dimensional projections" (2008), shifted digit by digit. */
#ifndef SRC_STUDY_SOBOL_H
#define SRC_STUDY_SOBOL_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 40, SOBOL_BITS = 32 };

/* One dimension: direction numbers v_k = m_k 2^(32 - k), and the digits that the seed and the dimension make. */
typedef struct SobolDimension {
  uint32_t directions[SOBOL_BITS], shift;
} SobolDimension;

/* dimension: from 0. */
SobolDimension sobol_dimension(int dimension, uint64_t seed);

/* The coordinate of point k, within (0, 1): digits of Sobol's, each exclusive-or that of the shift. The first 2^m points have one
 * coordinate each in every interval of length 2^-m, whatever the seed. */
double sobol_coordinate(const SobolDimension *dimension, uint32_t k);

#endif
