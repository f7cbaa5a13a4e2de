/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads matrices in NIST's Matrix Market exchange format: coordinate or array, real or integer, general or
 * symmetric. */
#ifndef SRC_MATRIX_MARKET_H
#define SRC_MATRIX_MARKET_H

#include "sim/internal.h"
#include "src/base/diagnostics.h"

enum { MATRIX_SIZE_MAX = 4096 }; /* maximum number of rows, and of columns, of a dense matrix */

/* Reads a file as a dense matrix [rows][columns], row-major, which the caller frees. On failure returns NULL. Each
 * error is reported for the key `key` at its line of the file. A missing file is reported at `place`, the place in the
 * problem file that names it. */
double *matrix_market_read(const char *path, const char *key, const Place *place, int *rows, int *columns,
                           Diagnostics *diagnostics);

/* Reads the rows first .. first + count - 1 of a d x d matrix in coordinate format, without allocating d x d numbers.
 * Returns false after reporting errors as matrix_market_read does. */
bool matrix_market_read_rows(const char *path, const char *key, const Place *place, int d, int first, int count,
                             SimMatrix *matrix, Diagnostics *diagnostics);

/* Returns the number of rows that a file in coordinate format announces. Returns 0, without a report, if the file
 * cannot be read or has another format. */
long matrix_market_rows(const char *path);

#endif
