/* CSV format of src/results/table.h. Texts are quoted if necessary. */
#ifndef SRC_RESULTS_CSV_FILE_H
#define SRC_RESULTS_CSV_FILE_H

#include "src/results/table.h"

/* Write the first line and one row of a file that grows with a run. */
void csv_put_header(FILE *file, const TableLayout *layout);
void csv_put_row(FILE *file, const TableLayout *layout, const double *const *data);

/* Writes a whole table. */
void csv_put_table(FILE *file, const Table *table, const TableColumn *columns);

/* table_read and table_read_texts for CSV. */
int csv_read(Table *table, const char *directory, const char *name, bool texts, const char *const *words,
             Diagnostics *diagnostics);

#endif
