/* Tables as the bench programs print them: aligned text, CSV, or Markdown. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "src/base/diagnostics.h" /* LIKE_PRINTF */

#include <stdbool.h>
#include <stdio.h>

typedef enum TableForm { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN } TableForm;
typedef struct Table Table;

/* --csv and --markdown: sets *form and returns true. */
bool table_form_option(const char *argument, TableForm *form);

/* A program's arguments where they are these, --quick and --help alone. Returns whether it is to go on; otherwise *code is
 * what to exit with. */
bool table_arguments(int argc, char **argv, const char *program, const char *usage, TableForm *form, bool *quick,
                     int *code);

/* A table with the given heads: [columns], copied. Out of memory ends the program, as it may a measurement. */
Table *table_create(int columns, const char *const *heads);
void table_destroy(Table *table);

/* The next cell, row by row. A text stands on the left of its column, a number on the right: in text and Markdown by
 * the format, which takes one double, in CSV with 9 digits; NaN is `-`, and nothing in CSV. */
void table_text(Table *table, const char *format, ...) LIKE_PRINTF(2, 3);
void table_number(Table *table, const char *format, double value);

/* Prints heads and rows; the last row must be whole. Ends the program when they could not be written. */
void table_print(const Table *table, TableForm form, FILE *out);

#endif
