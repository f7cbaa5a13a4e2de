/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the tables of the bench programs, and reads the options for this. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "src/base/text_table.h"

/* Sets *form if the argument is --csv or --markdown. Returns whether it is. */
bool table_form_option(const char *argument, TextTableForm *form);

/* Parses the arguments of a program that takes only these options, --quick and --help. Returns whether to continue;
 * otherwise *code is the exit code. */
bool table_arguments(int argc, char **argv, const char *program, const char *usage, TextTableForm *form, bool *quick,
                     int *code);

/* Prints a table. Ends the program if the output fails. */
void table_print(const TextTable *table, TextTableForm form, FILE *out);

#endif
