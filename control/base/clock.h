/* SPDX-License-Identifier: BSD-2-Clause */
/* ctl_seconds returns the time of a monotonic clock, in s. */
#ifndef CONTROL_CLOCK_H
#define CONTROL_CLOCK_H

#include <time.h>

static inline double ctl_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
