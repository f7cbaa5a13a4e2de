/* Tables as text in columns, CSV or Markdown. */
#ifndef SRC_BASE_TEXT_TABLE_H
#define SRC_BASE_TEXT_TABLE_H

#include "src/base/diagnostics.h" /* LIKE_PRINTF */

#include <stdbool.h>
#include <stdio.h>

typedef enum TextTableForm { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN } TextTableForm;
typedef struct TextTable TextTable;

/* A table with the given heads: [columns], copied. Out of memory, here (NULL) or later, is what text_table_print tells. */
TextTable *text_table_create(int columns, const char *const *heads);
void text_table_destroy(TextTable *table);

/* The next cell, row by row. A word stands on the left of its column, a number on the right: in text and Markdown by
 * the format, which takes one double, in CSV with 9 digits; NaN is `-`, and nothing in CSV. */
void text_table_word(TextTable *table, const char *format, ...) LIKE_PRINTF(2, 3);
void text_table_number(TextTable *table, const char *format, double value);

/* Prints heads and rows; the last row must be whole. False: not all of it is there, or could be written. */
bool text_table_print(const TextTable *table, TextTableForm form, FILE *out);

#endif
