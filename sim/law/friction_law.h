/* The scalar friction laws of Glowinski-Kearsley and Shiau-Glowinski, as every scheme uses them, for a double or lanes. */
#ifndef SIM_FRICTION_LAW_H
#define SIM_FRICTION_LAW_H

#include "sim/law/lane_vector.h"
#include "sim/sim.h"

/* sign(z); 0 of 0 and of a NaN */
LANE_INLINE Simd friction_sign(Simd z) {
  SimdMask not_below = simd_at_most(simd_of(0), z), not_above = simd_at_most(z, simd_of(0));
  Simd below = simd_choose(not_above, simd_of(-1), simd_of(0)),
       at_least = simd_choose(not_above, simd_of(0), simd_of(1));
  return simd_choose(not_below, at_least, below);
}

/* P(z) = min(1, max(-1, z)), the projection (1.11); a NaN stays one. */
LANE_INLINE Simd friction_project(Simd z) { return simd_smaller(simd_of(1), simd_larger(simd_of(-1), z)); }

/* gamma(s), s in m/s: the drop of friction with speed. */
LANE_INLINE Simd friction_gamma(SimStribeck law, double beta, double epsilon, Simd s) {
#define FRICTION_GAMMA(law, name, sentence, gamma, slope)                                                              \
  case law: return gamma;
  switch (law) {
    SIM_STRIBECK_LAWS(FRICTION_GAMMA)
  case SIM_STRIBECK_NONE: break;
  }
#undef FRICTION_GAMMA
  return simd_of(0);
}

#endif
