/* CSV as src/results/table.h has it: what the lines of a file are. A text stands in quotes where it has to. */
#ifndef SRC_RESULTS_CSV_FILE_H
#define SRC_RESULTS_CSV_FILE_H

#include "src/results/table.h"

/* Of a file that grows: its first line, a row. */
void csv_put_header(FILE *file, const TableLayout *layout);
void csv_put_row(FILE *file, const TableLayout *layout, const double *const *data);

/* A whole table. */
void csv_put_table(FILE *file, const Table *table, const TableColumn *columns);

/* table_read and table_read_texts of CSV. */
int csv_read(Table *table, const char *directory, const char *name, bool texts, const char *const *words,
             Diagnostics *diagnostics);

#endif
