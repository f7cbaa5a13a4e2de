/* SPDX-License-Identifier: BSD-2-Clause */
/* The generator splitmix64. Its random numbers are the same on all machines. */
#ifndef CONTROL_BASE_MIX_H
#define CONTROL_BASE_MIX_H

#include <stdint.h>

static inline uint64_t ctl_mix(uint64_t z) {
  z += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

#endif
