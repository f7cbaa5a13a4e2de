/* Tables of the bench programs, and their print options. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "src/base/text_table.h"

/* Parses --csv and --markdown: sets *form and returns true. */
bool table_form_option(const char *argument, TextTableForm *form);

/* Parses a program's arguments if only these, --quick and --help are allowed. Returns whether to continue; otherwise
 * *code is the exit code. */
bool table_arguments(int argc, char **argv, const char *program, const char *usage, TextTableForm *form, bool *quick,
                     int *code);

/* Prints a table; ends the program if the output fails. */
void table_print(const TextTable *table, TextTableForm form, FILE *out);

#endif
