/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and writes tables (src/results/table.h) as CSV. Texts are quoted where CSV requires it. */
#ifndef SRC_RESULTS_CSV_FILE_H
#define SRC_RESULTS_CSV_FILE_H

#include "src/results/table.h"

/* csv_put_header writes the first line of a file that grows during a run; csv_put_row writes one row. */
void csv_put_header(FILE *file, const TableLayout *layout);
void csv_put_row(FILE *file, const TableLayout *layout, const double *const *data);

/* Writes a whole table. */
void csv_put_table(FILE *file, const Table *table, const TableColumn *columns);

/* Reads a CSV file as table_read does or, if `texts`, as table_read_texts does. */
int csv_read(Table *table, const char *directory, const char *name, bool texts, const char *const *words,
             Diagnostics *diagnostics);

#endif
