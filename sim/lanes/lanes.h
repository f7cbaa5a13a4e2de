/* Lanes: several rollouts side by side, one per element of the processor's vectors, LANE_VECTORS of them in turn so that
 * one works while another waits. The includer says how wide a vector is (LANE_WIDTH: 2, 4 or 8 doubles); min, max, square
 * root, comparison and choice are the processor's own, which C has no operator for. All do to each lane what the scalar code
 * does to a double, in its order: same bits. */
#ifndef SIM_LANES_H
#define SIM_LANES_H

#include "sim/core/model.h"
#include "sim/lanes/batch.h"

#include <math.h>

#define LANE_INLINE static inline __attribute__((always_inline))
#define LANE_APART  __attribute__((noinline))

typedef double Lanes __attribute__((vector_size(8 * LANE_WIDTH)));
typedef long long LaneIndex __attribute__((vector_size(8 * LANE_WIDTH)));

#if LANE_WIDTH == 8
#include <immintrin.h>
typedef __mmask8 LaneMask;
LANE_INLINE LaneMask lanes_at_most(Lanes a, Lanes b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
LANE_INLINE Lanes lanes_choose(LaneMask mask, Lanes a, Lanes b) { return _mm512_mask_blend_pd(mask, b, a); }
LANE_INLINE Lanes lanes_larger(Lanes a, Lanes b) { return _mm512_max_pd(a, b); }
LANE_INLINE Lanes lanes_smaller(Lanes a, Lanes b) { return _mm512_min_pd(a, b); }
LANE_INLINE Lanes lanes_root(Lanes a) { return _mm512_sqrt_pd(a); }
LANE_INLINE Lanes lanes_root_about(Lanes a) { return _mm512_cvtps_pd(_mm256_sqrt_ps(_mm512_cvtpd_ps(a))); }
LANE_INLINE unsigned lanes_bits(LaneMask mask) { return mask; }
LANE_INLINE LaneMask lanes_all(void) { return 0xff; }
LANE_INLINE LaneMask lanes_none(void) { return 0; }
LANE_INLINE LaneMask lanes_without(LaneMask a, LaneMask b) { return (LaneMask)(a & ~b); }
LANE_INLINE LaneMask lanes_either(LaneMask a, LaneMask b) { return (LaneMask)(a | b); }
LANE_INLINE LaneMask lanes_both(LaneMask a, LaneMask b) { return (LaneMask)(a & b); }
LANE_INLINE LaneIndex lanes_advance(LaneMask mask, LaneIndex index, long long by) {
  return (LaneIndex)_mm512_mask_add_epi64((__m512i)index, mask, (__m512i)index, _mm512_set1_epi64(by));
}
LANE_INLINE Lanes lanes_gather(const double *table, LaneIndex index) {
  return _mm512_i64gather_pd((__m512i)index, table, 8);
}
LANE_INLINE LaneMask lanes_above(LaneMask mask, Lanes a, Lanes b) {
  return _mm512_mask_cmp_pd_mask(mask, a, b, _CMP_NLE_UQ);
}
#else
typedef long long LaneMask __attribute__((vector_size(8 * LANE_WIDTH)));
LANE_INLINE LaneMask lanes_at_most(Lanes a, Lanes b) { return (LaneMask)(a <= b); }
LANE_INLINE LaneMask lanes_none(void) { return (LaneMask){0}; }
LANE_INLINE LaneMask lanes_all(void) { return ~lanes_none(); }
LANE_INLINE LaneMask lanes_without(LaneMask a, LaneMask b) { return a & ~b; }
LANE_INLINE LaneMask lanes_either(LaneMask a, LaneMask b) { return a | b; }
LANE_INLINE LaneMask lanes_both(LaneMask a, LaneMask b) { return a & b; }
LANE_INLINE LaneIndex lanes_advance(LaneMask mask, LaneIndex index, long long by) { return index + (mask & by); }
#if LANE_WIDTH == 4
#include <immintrin.h>
LANE_INLINE Lanes lanes_choose(LaneMask mask, Lanes a, Lanes b) { return _mm256_blendv_pd(b, a, (Lanes)mask); }
LANE_INLINE Lanes lanes_larger(Lanes a, Lanes b) { return _mm256_max_pd(a, b); }
LANE_INLINE Lanes lanes_smaller(Lanes a, Lanes b) { return _mm256_min_pd(a, b); }
LANE_INLINE Lanes lanes_root(Lanes a) { return _mm256_sqrt_pd(a); }
LANE_INLINE Lanes lanes_root_about(Lanes a) { return _mm256_cvtps_pd(_mm_sqrt_ps(_mm256_cvtpd_ps(a))); }
LANE_INLINE unsigned lanes_bits(LaneMask mask) { return (unsigned)_mm256_movemask_pd((Lanes)mask); }
LANE_INLINE Lanes lanes_gather(const double *table, LaneIndex index) {
  return (Lanes){table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
}
#else
LANE_INLINE Lanes lanes_gather(const double *table, LaneIndex index) {
  return (Lanes){table[index[0]], table[index[1]]};
}
LANE_INLINE Lanes lanes_choose(LaneMask mask, Lanes a, Lanes b) {
  return (Lanes)((mask & (LaneMask)a) | (~mask & (LaneMask)b));
}
#ifdef __SSE2__
#include <emmintrin.h>
LANE_INLINE Lanes lanes_larger(Lanes a, Lanes b) { return _mm_max_pd(a, b); }
LANE_INLINE Lanes lanes_smaller(Lanes a, Lanes b) { return _mm_min_pd(a, b); }
LANE_INLINE Lanes lanes_root(Lanes a) { return _mm_sqrt_pd(a); }
LANE_INLINE Lanes lanes_root_about(Lanes a) { return _mm_cvtps_pd(_mm_sqrt_ps(_mm_cvtpd_ps(a))); }
LANE_INLINE unsigned lanes_bits(LaneMask mask) { return (unsigned)_mm_movemask_pd((Lanes)mask); }
#else
LANE_INLINE Lanes lanes_larger(Lanes a, Lanes b) { return lanes_choose((LaneMask)(a > b), a, b); }
LANE_INLINE Lanes lanes_smaller(Lanes a, Lanes b) { return lanes_choose((LaneMask)(a < b), a, b); }
LANE_INLINE Lanes lanes_root(Lanes a) { return (Lanes){sqrt(a[0]), sqrt(a[1])}; }
LANE_INLINE Lanes lanes_root_about(Lanes a) { return lanes_root(a); }
LANE_INLINE unsigned lanes_bits(LaneMask mask) { return (mask[0] ? 1u : 0u) | (mask[1] ? 2u : 0u); }
#endif
#endif
LANE_INLINE LaneMask lanes_above(LaneMask mask, Lanes a, Lanes b) { return lanes_without(mask, lanes_at_most(a, b)); }
#endif

LANE_INLINE Lanes lanes_of(double a) { return (Lanes){0} + a; }
LANE_INLINE Lanes lanes_abs(Lanes a) { return (Lanes)((LaneIndex)a & 0x7fffffffffffffffLL); }

/* One number of every lane, and a mark. */
typedef struct Bundle {
  Lanes v[LANE_VECTORS];
} Bundle;
typedef struct Marks {
  LaneMask v[LANE_VECTORS];
} Marks;

#define LANE_UNROLL _Pragma("GCC unroll 8")
/* for each vector of a bundle */
#define EACH(v) LANE_UNROLL for (int v = 0; v < LANE_VECTORS; v++)

enum { LANES = LANE_WIDTH * LANE_VECTORS };

LANE_INLINE double *lanes_entry(Bundle *bundle, int lane) { return (double *)bundle + lane; }

LANE_INLINE bool marks_any(const Marks *marks) {
  unsigned bits = 0;
  EACH(v) bits |= lanes_bits(marks->v[v]);
  return bits != 0;
}

/* the mark of one lane of a vector */
LANE_INLINE LaneMask lanes_single(int lane) {
  Lanes elsewhere = lanes_of(1);
  elsewhere[lane] = 0;
  return lanes_at_most(elsewhere, lanes_of(0));
}

LANE_INLINE void marks_set(Marks *marks, int lane, bool on) {
  LaneMask *mask = &marks->v[lane / LANE_WIDTH], one = lanes_single(lane % LANE_WIDTH);
  *mask = on ? lanes_either(*mask, one) : lanes_without(*mask, one);
}

LANE_INLINE bool marks_has(const Marks *marks, int lane) {
  return lanes_bits(marks->v[lane / LANE_WIDTH]) >> lane % LANE_WIDTH & 1;
}

/* What every scheme keeps of its lanes. */
typedef struct LaneTally {
  Bundle iterations; /* beyond one a solve */
  Bundle residual;
  Marks alive; /* the others have met what lanes do not do; sim_rollout starts them anew */
} LaneTally;

#endif
