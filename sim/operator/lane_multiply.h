/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of small dense matrices, stored by rows, with vectors of one rollout or of several lanes. Sums run over
 * ascending columns, with the same bits on every processor. */
#ifndef SIM_LANE_MULTIPLY_H
#define SIM_LANE_MULTIPLY_H

#include "sim/law/lane_vector.h"

/* computes the product y = m x; m [d][d], x, y [d] */
LANE_INLINE void lane_multiply(int d, const double *restrict m, const LaneVector *x, LaneVector *y) {
  LANE_UNROLL for (int i = 0; i < d; i++) {
    LaneVector sum;
    EACH(v) sum.v[v] = simd_of(0);
    LANE_UNROLL for (int j = 0; j < d; j++) EACH(v) sum.v[v] += m[i * d + j] * x[j].v[v];
    y[i] = sum;
  }
}

/* returns sum + (a x)_i - (b z)_i for vector v, added term by term; a, b [d][d] */
LANE_INLINE Simd lane_difference(int d, const LaneNumber *restrict a, const LaneVector *x, const LaneNumber *restrict b,
                                 const LaneVector *z, int v, int i, Simd sum) {
  LANE_UNROLL for (int j = 0; j < d; j++) sum +=
      LANE_OF(a[i * d + j], v) * x[j].v[v] - LANE_OF(b[i * d + j], v) * z[j].v[v];
  return sum;
}

#endif
