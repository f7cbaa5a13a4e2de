/* Numbers of a struct by their keys, for callers that do not know the struct. A function that returns false has stored
 * its reason for stiction_status_text(SIM_BAD_ARGUMENT) (sim/base/argument.h) and has changed nothing. */
#ifndef SIM_ROWS_H
#define SIM_ROWS_H

#include "sim/internal.h"

/* The row of a key, and the innermost section that has it and a value of its own; NULL: none. */
typedef struct RowFound {
  const SimParameter *row, *section;
} RowFound;

/* Finds the row of a dotted path, "stops.lower", in a table; row NULL: there is none. */
RowFound row_find(const SimParameter *rows, const char *path);

/* Refuses a key that is unknown. */
bool row_refuse_unknown(const char *function, const char *key);
/* Sets the only number of a row. */
bool row_set_number(const char *function, const char *key, const SimParameter *row, void *owner, double value);
/* Sets a vector [length] from n numbers: length, or one for all entries. */
bool row_set_vector(const char *function, const char *key, const SimParameter *row, double *vector, int length, int n,
                    const double *values);
/* Sets a matrix [size][size] from n numbers: size*size, its diagonal, or one, which stands for that times the
 * identity. */
bool row_set_square(const char *function, const char *key, const SimParameter *row, double *matrix, int size, int n,
                    const double *values);
/* Sets a choice by its word. */
bool row_set_word(const char *function, const char *key, const SimParameter *row, void *owner, const char *word);

#endif
