/* Matrices in NIST's Matrix Market exchange format: coordinate or array, real or integer, general or
 * symmetric. */
#ifndef SRC_MATRIX_MARKET_H
#define SRC_MATRIX_MARKET_H

#include "src/complaints.h"

enum { MATRIX_SIZE_MAX = 4096 }; /* rows, and columns: matrices are dense here */

/* Reads a file as a dense matrix, [rows][columns] row-major, to be freed. NULL when it is not one: each
 * mistake is told at its line of that file, as of `key`; what the file itself lacks is told at `place`, where
 * it was asked for. */
double *matrix_market_read(const char *path, const char *key, const Place *place, int *rows, int *columns,
                           Complaints *complaints);

#endif
