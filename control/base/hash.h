/* SPDX-License-Identifier: BSD-2-Clause */
/* Hash of the bits of a point, for hash tables of points. */
#ifndef CONTROL_HASH_H
#define CONTROL_HASH_H

#include <stdint.h>
#include <string.h>

/* Returns the hash of y [n]. Points with equal bits have equal hashes; 0 and -0 have different bits. */
static inline uint64_t ctl_hash(int n, const double *y) {
  uint64_t h = 0;
  for (int i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &y[i], sizeof bits);
    /* the low bits of many doubles (dyadic fractions) are all 0, so the high bits are mixed into them */
    h = (h ^ bits ^ (bits >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
    h ^= h >> 29;
  }
  return h;
}

#endif
