/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables printed as text in columns, CSV or Markdown. */
#ifndef SRC_BASE_TEXT_TABLE_H
#define SRC_BASE_TEXT_TABLE_H

#include "src/base/diagnostics.h" /* for LIKE_PRINTF */

#include <stdbool.h>
#include <stdio.h>

typedef enum TextTableForm { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN } TextTableForm;
typedef struct TextTable TextTable;

/* Creates a table with the given heads [columns], which are copied. Returns NULL if there is no memory; if memory runs
 * out later, text_table_print returns false. */
TextTable *text_table_create(int columns, const char *const *heads);
void text_table_destroy(TextTable *table);

/* Add the next cell; each row is filled from left to right. text_table_word adds a text, which is aligned left.
 * text_table_number adds a number, which is aligned right. Text and Markdown print it with this format, which takes one
 * double; CSV prints 9 digits. NaN is printed as `-`, in CSV as an empty cell. */
void text_table_word(TextTable *table, const char *format, ...) LIKE_PRINTF(2, 3);
void text_table_number(TextTable *table, const char *format, double value);

/* Prints heads and rows; the last row must be complete. Returns false if memory ran out or the table could not be
 * written. */
bool text_table_print(const TextTable *table, TextTableForm form, FILE *out);

#endif
