/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CONTROL_PATTERN_EXPONENTIAL_H
#define CONTROL_PATTERN_EXPONENTIAL_H

#include <stdbool.h>

/* Computes the matrix exponential out = exp(time a), [n][n]. Returns false when out of memory. */
bool exponential(int n, double time, const double *a, double *out);

#endif
