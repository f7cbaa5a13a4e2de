/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of one rollout, or of several rollouts in lanes of SIMD vectors, for code that is written once for both. A
 * Simd is a vector register of LANE_WIDTH doubles, one for each lane. A LaneVector has LANE_VECTORS such registers, so
 * that one can compute while another waits for a result. The including file defines both numbers. By default they are
 * 1: then a Simd is a double and its mask a bool. Minimum, maximum, square root, comparison and selection are
 * functions, since C has no vector operators for them. Each performs on every lane the operation that it performs on a
 * double, in the same order, with the same bits. */
#ifndef SIM_LANE_VECTOR_H
#define SIM_LANE_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef LANE_WIDTH
#define LANE_WIDTH 1
#endif
#ifndef LANE_VECTORS
#define LANE_VECTORS 1
#endif

#define LANE_INLINE static inline __attribute__((always_inline))
#define LANE_UNROLL _Pragma("GCC unroll 8")
/* loops over the vectors v of a LaneVector, unrolled */
#define EACH(v) LANE_UNROLL for (int v = 0; v < LANE_VECTORS; v++)
/* loops over the vectors v of a LaneVector, not unrolled: for code that is long or has branches */
#define EACH_IN_TURN(v) _Pragma("GCC unroll 1") for (int v = 0; v < LANE_VECTORS; v++)

#if LANE_WIDTH > 1
typedef double Simd __attribute__((vector_size(8 * LANE_WIDTH)));
typedef long long SimdIndex __attribute__((vector_size(8 * LANE_WIDTH)));
#endif

/* simd_at_most: a <= b, false for a NaN. simd_larger, simd_smaller: maximum and minimum; b if either is a NaN.
 * simd_root_about: square root in single precision. simd_above: a > b or one is a NaN, in the lanes of a mask.
 * simd_gather: table[index], lane by lane. */
#if LANE_WIDTH == 1
typedef double Simd;
typedef long long SimdIndex;
typedef bool SimdMask;
LANE_INLINE SimdMask simd_at_most(Simd a, Simd b) { return a <= b; }
LANE_INLINE Simd simd_choose(SimdMask mask, Simd a, Simd b) { return mask ? a : b; }
LANE_INLINE Simd simd_larger(Simd a, Simd b) { return a > b ? a : b; }
LANE_INLINE Simd simd_smaller(Simd a, Simd b) { return a < b ? a : b; }
LANE_INLINE Simd simd_root(Simd a) { return sqrt(a); }
LANE_INLINE unsigned simd_bits(SimdMask mask) { return mask; }
LANE_INLINE SimdMask simd_all(void) { return true; }
LANE_INLINE SimdMask simd_none(void) { return false; }
LANE_INLINE SimdMask simd_without(SimdMask a, SimdMask b) { return a && !b; }
LANE_INLINE SimdMask simd_either(SimdMask a, SimdMask b) { return a || b; }
LANE_INLINE SimdMask simd_both(SimdMask a, SimdMask b) { return a && b; }
LANE_INLINE Simd simd_gather(const double *table, SimdIndex index) { return table[index]; }
#elif LANE_WIDTH == 8
#include <immintrin.h>
typedef __mmask8 SimdMask;
LANE_INLINE SimdMask simd_at_most(Simd a, Simd b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
LANE_INLINE Simd simd_choose(SimdMask mask, Simd a, Simd b) { return _mm512_mask_blend_pd(mask, b, a); }
LANE_INLINE Simd simd_larger(Simd a, Simd b) { return _mm512_max_pd(a, b); }
LANE_INLINE Simd simd_smaller(Simd a, Simd b) { return _mm512_min_pd(a, b); }
LANE_INLINE Simd simd_root(Simd a) { return _mm512_sqrt_pd(a); }
LANE_INLINE Simd simd_root_about(Simd a) { return _mm512_cvtps_pd(_mm256_sqrt_ps(_mm512_cvtpd_ps(a))); }
LANE_INLINE unsigned simd_bits(SimdMask mask) { return mask; }
LANE_INLINE SimdMask simd_all(void) { return 0xff; }
LANE_INLINE SimdMask simd_none(void) { return 0; }
LANE_INLINE SimdMask simd_without(SimdMask a, SimdMask b) { return (SimdMask)(a & ~b); }
LANE_INLINE SimdMask simd_either(SimdMask a, SimdMask b) { return (SimdMask)(a | b); }
LANE_INLINE SimdMask simd_both(SimdMask a, SimdMask b) { return (SimdMask)(a & b); }
LANE_INLINE SimdIndex simd_advance(SimdMask mask, SimdIndex index, long long by) {
  return (SimdIndex)_mm512_mask_add_epi64((__m512i)index, mask, (__m512i)index, _mm512_set1_epi64(by));
}
LANE_INLINE Simd simd_gather(const double *table, SimdIndex index) {
  return _mm512_i64gather_pd((__m512i)index, table, 8);
}
LANE_INLINE SimdMask simd_above(SimdMask mask, Simd a, Simd b) {
  return _mm512_mask_cmp_pd_mask(mask, a, b, _CMP_NLE_UQ);
}
#else
typedef long long SimdMask __attribute__((vector_size(8 * LANE_WIDTH)));
LANE_INLINE SimdMask simd_at_most(Simd a, Simd b) { return (SimdMask)(a <= b); }
LANE_INLINE SimdMask simd_none(void) { return (SimdMask){0}; }
LANE_INLINE SimdMask simd_all(void) { return ~simd_none(); }
LANE_INLINE SimdMask simd_without(SimdMask a, SimdMask b) { return a & ~b; }
LANE_INLINE SimdMask simd_either(SimdMask a, SimdMask b) { return a | b; }
LANE_INLINE SimdMask simd_both(SimdMask a, SimdMask b) { return a & b; }
LANE_INLINE SimdIndex simd_advance(SimdMask mask, SimdIndex index, long long by) { return index + (mask & by); }
#if LANE_WIDTH == 4
#include <immintrin.h>
LANE_INLINE Simd simd_choose(SimdMask mask, Simd a, Simd b) { return _mm256_blendv_pd(b, a, (Simd)mask); }
LANE_INLINE Simd simd_larger(Simd a, Simd b) { return _mm256_max_pd(a, b); }
LANE_INLINE Simd simd_smaller(Simd a, Simd b) { return _mm256_min_pd(a, b); }
LANE_INLINE Simd simd_root(Simd a) { return _mm256_sqrt_pd(a); }
LANE_INLINE Simd simd_root_about(Simd a) { return _mm256_cvtps_pd(_mm_sqrt_ps(_mm256_cvtpd_ps(a))); }
LANE_INLINE unsigned simd_bits(SimdMask mask) { return (unsigned)_mm256_movemask_pd((Simd)mask); }
LANE_INLINE Simd simd_gather(const double *table, SimdIndex index) {
  return (Simd){table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
}
#else
LANE_INLINE Simd simd_gather(const double *table, SimdIndex index) { return (Simd){table[index[0]], table[index[1]]}; }
LANE_INLINE Simd simd_choose(SimdMask mask, Simd a, Simd b) {
  return (Simd)((mask & (SimdMask)a) | (~mask & (SimdMask)b));
}
#ifdef __SSE2__
#include <emmintrin.h>
LANE_INLINE Simd simd_larger(Simd a, Simd b) { return _mm_max_pd(a, b); }
LANE_INLINE Simd simd_smaller(Simd a, Simd b) { return _mm_min_pd(a, b); }
LANE_INLINE Simd simd_root(Simd a) { return _mm_sqrt_pd(a); }
LANE_INLINE Simd simd_root_about(Simd a) { return _mm_cvtps_pd(_mm_sqrt_ps(_mm_cvtpd_ps(a))); }
LANE_INLINE unsigned simd_bits(SimdMask mask) { return (unsigned)_mm_movemask_pd((Simd)mask); }
#else
LANE_INLINE Simd simd_larger(Simd a, Simd b) { return simd_choose((SimdMask)(a > b), a, b); }
LANE_INLINE Simd simd_smaller(Simd a, Simd b) { return simd_choose((SimdMask)(a < b), a, b); }
LANE_INLINE Simd simd_root(Simd a) { return (Simd){sqrt(a[0]), sqrt(a[1])}; }
LANE_INLINE Simd simd_root_about(Simd a) { return simd_root(a); }
LANE_INLINE unsigned simd_bits(SimdMask mask) { return (mask[0] ? 1u : 0u) | (mask[1] ? 2u : 0u); }
#endif
#endif
LANE_INLINE SimdMask simd_above(SimdMask mask, Simd a, Simd b) { return simd_without(mask, simd_at_most(a, b)); }
#endif

#if LANE_WIDTH == 1
LANE_INLINE Simd simd_of(double a) { return a; }
LANE_INLINE Simd simd_abs(Simd a) { return fabs(a); }
#else
LANE_INLINE Simd simd_of(double a) { return (Simd){0} + a; }
LANE_INLINE Simd simd_abs(Simd a) { return (Simd)((SimdIndex)a & 0x7fffffffffffffffLL); }
#endif

/* Returns z limited to low..high; low for a NaN. This order of the two operations is the fastest if an instruction
 * overwrites its first operand. */
LANE_INLINE Simd simd_between(Simd z, Simd low, Simd high) { return simd_smaller(simd_larger(z, low), high); }

/* Returns `next` in the lanes of the mask and `old` in all others; mask NULL: `next` in all lanes. */
LANE_INLINE Simd simd_moved(const SimdMask *mask, Simd next, Simd old) {
  return mask ? simd_choose(*mask, next, old) : next;
}

/* Applies f to each lane, for functions without a vector instruction, like exp. */
LANE_INLINE Simd simd_each(double (*f)(double), Simd a) {
#if LANE_WIDTH == 1
  return f(a);
#else
  for (int lane = 0; lane < LANE_WIDTH; lane++) a[lane] = f(a[lane]);
  return a;
#endif
}

/* applies a function f with a context to each lane */
LANE_INLINE Simd simd_each_of(double (*f)(const void *, double), const void *context, Simd a) {
#if LANE_WIDTH == 1
  return f(context, a);
#else
  for (int lane = 0; lane < LANE_WIDTH; lane++) a[lane] = f(context, a[lane]);
  return a;
#endif
}

/* returns a^exponent for each lane */
LANE_INLINE Simd simd_power(Simd a, double exponent) {
#if LANE_WIDTH == 1
  return pow(a, exponent);
#else
  for (int lane = 0; lane < LANE_WIDTH; lane++) a[lane] = pow(a[lane], exponent);
  return a;
#endif
}

/* LaneVector has a number for every lane, and LaneMask a truth value for every lane. */
typedef struct LaneVector {
  Simd v[LANE_VECTORS];
} LaneVector;
typedef struct LaneMask {
  SimdMask v[LANE_VECTORS];
} LaneMask;

/* A number of the model: one for all lanes, or with LANE_OWN one for each lane. LANE_OF converts it to a factor of a
 * Simd, LANE_SIMD to a Simd. */
#ifdef LANE_OWN
typedef LaneVector LaneNumber;
#define LANE_OF(number, vector)   ((number).v[vector])
#define LANE_SIMD(number, vector) ((number).v[vector])
#else
typedef double LaneNumber;
#define LANE_OF(number, vector)   (number)
#define LANE_SIMD(number, vector) simd_of(number)
#endif

#if LANE_WIDTH == 1 && LANE_VECTORS == 1
/* Converts doubles [d] to LaneVectors [d] of a single rollout, without a copy. */
LANE_INLINE LaneVector *lane_rows(const double *rows) { return (LaneVector *)(uintptr_t)rows; }
#endif

LANE_INLINE bool lane_mask_any(const LaneMask *mask) {
  unsigned bits = 0;
  EACH(v) bits |= simd_bits(mask->v[v]);
  return bits != 0;
}

/* Returns a < b for each lane, false for a NaN. */
LANE_INLINE SimdMask simd_below(Simd a, Simd b) { return simd_without(simd_at_most(a, b), simd_at_most(b, a)); }

#endif
