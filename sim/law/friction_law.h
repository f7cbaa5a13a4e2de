/* SPDX-License-Identifier: BSD-2-Clause */
/* The scalar friction laws of Glowinski-Kearsley and Shiau-Glowinski, for all schemes, for one double or for lanes
 * (lane_vector.h). */
#ifndef SIM_FRICTION_LAW_H
#define SIM_FRICTION_LAW_H

#include "sim/internal.h"
#include "sim/law/lane_vector.h"

/* Returns sign(z); 0 for 0 and NaN. */
LANE_INLINE Simd friction_sign(Simd z) {
  SimdMask not_below = simd_at_most(simd_of(0), z), not_above = simd_at_most(z, simd_of(0));
  Simd below = simd_choose(not_above, simd_of(-1), simd_of(0)),
       at_least = simd_choose(not_above, simd_of(0), simd_of(1));
  return simd_choose(not_below, at_least, below);
}

/* Returns the projection P(z) = min(1, max(-1, z)) onto [-1, 1], (1.11) of Glowinski-Kearsley; a NaN stays a NaN. */
LANE_INLINE Simd friction_project(Simd z) { return simd_smaller(simd_of(1), simd_larger(simd_of(-1), z)); }

/* These functions return 1 - exp(-r) and 1 - exp(-r^2), r >= 0. */
static inline double friction_approach(double r) { return -expm1(-r); }
static inline double friction_approach_square(double r) { return -expm1(-r * r); }

/* Returns 1 - exp(-r^exponent), r >= 0; exponent 0 means 1. exp and pow are called lane by lane, so all kernels give
 * the same bits. */
LANE_INLINE Simd friction_saturation(double exponent, Simd r) {
  if (exponent <= 1) return simd_each(friction_approach, r);
  if (exponent == 2) return simd_each(friction_approach_square, r);
  return simd_each(friction_approach, simd_power(r, exponent));
}

/* Returns the derivative of friction_saturation by r. */
static inline double friction_saturation_slope(double exponent, double r) {
  if (exponent <= 1) return exp(-r);
  return exponent * pow(r, exponent - 1) * exp(-pow(r, exponent));
}

/* Returns gamma(s), the relative decrease of friction at the velocity s, in m/s, for a law with a formula. exponent:
 * for a law that has one. */
LANE_INLINE Simd friction_gamma(SimStribeck law, double beta, double epsilon, double exponent, Simd s) {
#define FRICTION_GAMMA(law, name, sentence, gamma, slope)                                                              \
  case law: return gamma;
  switch (law) {
    SIM_STRIBECK_LAWS(FRICTION_GAMMA)
  case SIM_STRIBECK_NONE:
  case SIM_STRIBECK_TABLE: break; /* a table is evaluated by the functions of friction_table.h */
  }
#undef FRICTION_GAMMA
  return simd_of(0);
}

/* Returns the derivative gamma'(s) for a law with a formula, s/m; 0 for others. */
static inline double friction_gamma_slope(SimStribeck law, double beta, double epsilon, double exponent, double s) {
#define FRICTION_SLOPE(law, name, sentence, gamma, slope)                                                              \
  case law: return slope;
  switch (law) {
    SIM_STRIBECK_LAWS(FRICTION_SLOPE)
  case SIM_STRIBECK_TABLE:
  case SIM_STRIBECK_NONE: break;
  }
#undef FRICTION_SLOPE
  return 0;
}

#endif
