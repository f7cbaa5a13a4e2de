/* The tables of the bench programs, and the arguments that say how to print them. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "src/base/text_table.h"

/* --csv and --markdown: sets *form and returns true. */
bool table_form_option(const char *argument, TextTableForm *form);

/* A program's arguments where they are these, --quick and --help alone. Returns whether it is to go on; otherwise *code is
 * what to exit with. */
bool table_arguments(int argc, char **argv, const char *program, const char *usage, TextTableForm *form, bool *quick,
                     int *code);

/* Prints a table, or ends the program, as it may a measurement. */
void table_print(const TextTable *table, TextTableForm form, FILE *out);

#endif
