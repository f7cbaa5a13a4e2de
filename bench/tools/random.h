/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random numbers of the bench programs, which are the same on all machines. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

/* Returns a number uniform in (0, 1), by SplitMix64. Streams of neighbouring seeds are independent. */
static inline double random_uniform(uint64_t *seed) {
  uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return ((double)((z ^ z >> 31) >> 12) + 0.5) / 4503599627370496.0;
}

#endif
