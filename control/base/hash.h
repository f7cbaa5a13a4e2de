/* Hash of a point's bits, for tables of points. */
#ifndef CONTROL_HASH_H
#define CONTROL_HASH_H

#include <stdint.h>
#include <string.h>

/* y: [n]. Equal bits, equal hash; 0 and -0 differ. */
static inline uint64_t ctl_hash(int n, const double *y) {
  uint64_t h = 0;
  for (int i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &y[i], sizeof bits);
    h = (h ^ bits ^ (bits >> 32)) * UINT64_C(0x9E3779B97F4A7C15); /* the low bits of dyadic numbers are 0 */
    h ^= h >> 29;
  }
  return h;
}

#endif
