/* Matrices in NIST's Matrix Market exchange format: coordinate or array, real or integer, general or
 * symmetric. */
#ifndef SRC_MATRIX_MARKET_H
#define SRC_MATRIX_MARKET_H

#include "sim/internal.h"
#include "src/base/diagnostics.h"

enum { MATRIX_SIZE_MAX = 4096 }; /* rows, and columns: matrices are dense here */

/* Reads a file as a dense matrix, [rows][columns] row-major, to be freed. NULL when it is not one: each
 * mistake is told at its line of that file, as of `key`; what the file itself lacks is told at `place`, where
 * it was asked for. */
double *matrix_market_read(const char *path, const char *key, const Place *place, int *rows, int *columns,
                           Diagnostics *diagnostics);

/* Reads rows first .. first + count - 1 of a d x d matrix in coordinate form; nothing of size d x d is ever held. Mistakes
 * are told likewise; false then. */
bool matrix_market_read_rows(const char *path, const char *key, const Place *place, int d, int first, int count,
                             SimMatrix *matrix, Diagnostics *diagnostics);

/* The rows that a file in coordinate form announces; 0 when it cannot be read, or has another form. Tells nothing. */
long matrix_market_rows(const char *path);

#endif
