/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets values of a struct by their keys in problem files, for callers that do not know the struct. A function that
 * returns false has stored its reason for stiction_status_text(SIM_BAD_ARGUMENT) (sim/base/argument.h) and has changed
 * nothing. */
#ifndef SIM_ROWS_H
#define SIM_ROWS_H

#include "sim/internal.h"

/* The row of a key in a table of parameters. section: the row of the innermost section that contains the key, if a
 * member of the struct records whether that section is present; otherwise NULL. */
typedef struct RowFound {
  const SimParameter *row, *section;
} RowFound;

/* Finds the row of a dotted path, for example "stops.lower", in a table. The result's row is NULL if there is none. */
RowFound row_find(const SimParameter *rows, const char *path);

/* Reports an unknown key. Returns false. */
bool row_refuse_unknown(const char *function, const char *key);
/* Sets the value of a key that has a single number. Returns false, after reporting the error, if the number is invalid;
 * so do the functions below for their values. */
bool row_set_number(const char *function, const char *key, const SimParameter *row, void *owner, double value);
/* Sets a vector [length] from n numbers. n is length, or 1 for all entries. */
bool row_set_vector(const char *function, const char *key, const SimParameter *row, double *vector, int length, int n,
                    const double *values);
/* Sets a matrix [size][size] from n numbers: all size*size entries, its diagonal, or one number times the identity. */
bool row_set_square(const char *function, const char *key, const SimParameter *row, double *matrix, int size, int n,
                    const double *values);
/* Sets a key that has one of several words as its value. */
bool row_set_word(const char *function, const char *key, const SimParameter *row, void *owner, const char *word);

#endif
