/* Matrices in NIST's Matrix Market exchange format: coordinate or array, real or integer, general or
 * symmetric. */
#ifndef SRC_MATRIX_MARKET_H
#define SRC_MATRIX_MARKET_H

#include "sim/internal.h"
#include "src/base/diagnostics.h"

enum { MATRIX_SIZE_MAX = 4096 }; /* rows, and columns: matrices are dense here */

/* Reads a file as a dense matrix, [rows][columns] row-major; the caller frees it. Returns NULL after errors: each is
 * reported for `key` at its line of the file, and a missing file at `place`, which refers to it. */
double *matrix_market_read(const char *path, const char *key, const Place *place, int *rows, int *columns,
                           Diagnostics *diagnostics);

/* Reads rows first .. first + count - 1 of a d x d matrix in coordinate format without allocating d x d numbers. Errors
 * are reported in the same way; then it returns false. */
bool matrix_market_read_rows(const char *path, const char *key, const Place *place, int d, int first, int count,
                             SimMatrix *matrix, Diagnostics *diagnostics);

/* Returns the number of rows that a file in coordinate format announces; 0 if it cannot be read or has another format.
 * Reports nothing. */
long matrix_market_rows(const char *path);

#endif
