/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes lists of numbers into the text of a problem file. */
#ifndef BENCH_LIST_H
#define BENCH_LIST_H

#include <stdio.h>
#include <string.h>

/* Appends the values [n] as "[1, 2]", between two texts, to text [size]. */
static inline void bench_append(char *text, size_t size, const char *before, int n, const double *values,
                                const char *after) {
  size_t length = strlen(text);
  length += (size_t)snprintf(text + length, size - length, "%s[", before);
  for (int i = 0; i < n; i++)
    length += (size_t)snprintf(text + length, size - length, "%s%.17g", i ? ", " : "", values[i]);
  snprintf(text + length, size - length, "]%s", after);
}

#endif
