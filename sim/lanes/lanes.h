/* What lanes have that a single rollout does not: numbers and marks of one lane, and what all schemes keep of their
 * lanes. */
#ifndef SIM_LANES_H
#define SIM_LANES_H

#include "sim/core/model.h"
#include "sim/lanes/batch.h"
#include "sim/law/lane_vector.h"

#define LANE_APART __attribute__((noinline))

enum { LANES = LANE_WIDTH * LANE_VECTORS };

LANE_INLINE double *lane_entry(LaneVector *vector, int lane) { return (double *)vector + lane; }

/* the mark of one lane of a vector */
LANE_INLINE SimdMask simd_single(int lane) {
  Simd elsewhere = simd_of(1);
  elsewhere[lane] = 0;
  return simd_at_most(elsewhere, simd_of(0));
}

LANE_INLINE void lane_mask_set(LaneMask *mask, int lane, bool on) {
  SimdMask *of_vector = &mask->v[lane / LANE_WIDTH], one = simd_single(lane % LANE_WIDTH);
  *of_vector = on ? simd_either(*of_vector, one) : simd_without(*of_vector, one);
}

LANE_INLINE bool lane_mask_has(const LaneMask *mask, int lane) {
  return simd_bits(mask->v[lane / LANE_WIDTH]) >> lane % LANE_WIDTH & 1;
}

/* What every scheme keeps of its lanes. */
typedef struct LaneTally {
  LaneVector iterations; /* beyond one a solve */
  LaneVector residual;
  LaneMask alive; /* the others have met what lanes do not do; sim_rollout starts them anew */
} LaneTally;

#endif
