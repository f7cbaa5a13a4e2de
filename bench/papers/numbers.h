/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads named numbers from a CSV file, one a line: paper,table,row,column,value,doubt. It has no quotes, and no commas
 * inside fields. */
#ifndef BENCH_PAPERS_NUMBERS_H
#define BENCH_PAPERS_NUMBERS_H

#include <stddef.h>

enum { NUMBER_NAME_SIZE = 64 };
typedef struct Number {
  char paper[NUMBER_NAME_SIZE], table[NUMBER_NAME_SIZE], row[NUMBER_NAME_SIZE], column[NUMBER_NAME_SIZE];
  double value;
} Number;
typedef struct Numbers {
  size_t n;
  Number *list;
} Numbers;

/* Returns 0, or -1 after reporting the error and its line on stderr. */
int numbers_read(const char *path, Numbers *numbers);
void numbers_clear(Numbers *numbers);

/* Returns the number with this name; NaN if there is none. */
double numbers_find(const Numbers *numbers, const char *paper, const char *table, const char *row, const char *column);

#endif
