/* SPDX-License-Identifier: BSD-2-Clause */
/* Data and functions for lanes that a single rollout does not need: access to one lane, and counts of all schemes. A
 * lane is one of the rollouts that SIMD vectors compute together. */
#ifndef SIM_LANES_H
#define SIM_LANES_H

#include "sim/core/model.h"
#include "sim/lanes/batch.h"
#include "sim/law/lane_vector.h"

#define LANE_APART __attribute__((noinline))

/* number of motions that are simulated side by side */
enum { LANES = LANE_WIDTH * LANE_VECTORS };

LANE_INLINE double *lane_entry(LaneVector *vector, int lane) { return (double *)vector + lane; }

/* returns the mask with one lane of a vector */
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

LANE_INLINE void lane_mask_clear(LaneMask *mask) { EACH(v) mask->v[v] = simd_none(); }

/* Largest size d for which loops are unrolled. Beyond it there is little gain (unrolled, d = 8 is slower, since
 * registers are insufficient), and compilation takes twice as long. */
enum { LANE_UNROLLED = 6 };

LANE_INLINE int lane_size(int d) { return d <= LANE_UNROLLED ? d : 0; }

/* Returns d of a model that is larger than LANE_UNROLLED. The compiler then knows that d is large, and omits code for
 * small sizes. */
LANE_INLINE int lane_large(int d) {
  if (d <= LANE_UNROLLED) __builtin_unreachable();
  return d;
}

/* Table of a kernel's inner function by the size d; lane_size(d) is the index. steps(d) is the code for a size; up to
 * LANE_UNROLLED d is a constant in it. Each size has its own function, since the compiler would not optimise a single
 * function for each size. */
#define LANE_TABLE(Type, name, parameters, size, steps)                                                                \
  static LANE_APART void name##_any parameters { steps(lane_large(size)); }                                            \
  static LANE_APART void name##_1 parameters { steps(1); }                                                             \
  static LANE_APART void name##_2 parameters { steps(2); }                                                             \
  static LANE_APART void name##_3 parameters { steps(3); }                                                             \
  static LANE_APART void name##_4 parameters { steps(4); }                                                             \
  static LANE_APART void name##_5 parameters { steps(5); }                                                             \
  static LANE_APART void name##_6 parameters { steps(6); }                                                             \
  static Type *const name[] = {name##_any, name##_1, name##_2, name##_3, name##_4, name##_5, name##_6};

/* Counts that every scheme keeps for its lanes. */
typedef struct LaneTally {
  LaneVector iterations; /* number of iterations; the first one of each solve is not counted */
  LaneVector residual;
  /* lanes that are still active; in the others a case has occurred that lanes do not support, and stiction_rollout
   * computes them again */
  LaneMask alive;
  long impacts[LANES], settled[LANES]; /* counts with the meanings of the members of SimFinal */
} LaneTally;

#endif
