/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/slips_file.h"

#include "src/base/formats.h"
#include "src/results/slip_clusters.h"
#include "src/results/table.h"

#include <string.h>

/* NUMBER: index of the column with the number of each slip, which is counted while slips are written. FIRST: index of
 * the first column with stored data. */
enum { NUMBER, FIRST };

const char *const slip_columns[SLIP_COLUMNS] = {"dof", "start", "end", "slip", "energy", "event"};

/* Reads all slips into a table, without the numbers of their events. Returns false if the file is too short or there is
 * no memory. */
static bool read_rows(const SlipsFile *slips, Table *table, const TableColumn *columns) {
  long n = fseek(slips->rows, 0, SEEK_END) ? -1 : ftell(slips->rows) / (long)sizeof(Slip);
  bool made = n >= 0 && table_make(table, FIRST + (slips->chain ? SLIP_COLUMNS : SLIP_EVENT), n, false);
  for (int c = 0; made && c < table->columns; c++) made = table_name(table, c, "%s", columns[c].name);
  if (!made) return false;
  rewind(slips->rows);
  for (long k = 0; k < n; k++) {
    double *row = table_add_row(table);
    if (!row || fread(row + FIRST, sizeof(Slip), 1, slips->rows) != 1) return false;
    row[NUMBER] = (double)(k + 1);
  }
  return true;
}

/* Sets the number of the event of each slip. Returns false if there is no memory. */
static bool find_events(const SlipsFile *slips, Table *table) {
  SlipClusters *clusters = slip_clusters_create(slips->d, table->rows);
  if (!clusters) return false;
  for (long k = 0; k < table->rows; k++)
    slip_clusters_add(clusters, (int)table_at(table, k, FIRST + SLIP_DOF), table_at(table, k, FIRST + SLIP_START),
                      table_at(table, k, FIRST + SLIP_END));
  const long *events = slip_clusters_events(clusters);
  for (long k = 0; k < table->rows; k++) table->values[k * table->columns + FIRST + SLIP_EVENT] = (double)events[k];
  slip_clusters_destroy(clusters);
  return true;
}

int slips_file_write(const Results *results, const SlipsFile *slips) {
  const TableColumn columns[] = {{"number", "1", COLUMN_LONG, WIDTH_ONE, NULL},
                                 {slip_columns[SLIP_DOF], "1", COLUMN_COUNT, WIDTH_ONE, NULL},
                                 {slip_columns[SLIP_START], "s", COLUMN_NUMBER, WIDTH_ONE, NULL},
                                 {slip_columns[SLIP_END], "s", COLUMN_NUMBER, WIDTH_ONE, NULL},
                                 {slip_columns[SLIP_WAY], slips->position, COLUMN_NUMBER, WIDTH_ONE, NULL},
                                 {slip_columns[SLIP_ENERGY], slips->energy, COLUMN_NUMBER, WIDTH_ONE, NULL},
                                 {slip_columns[SLIP_EVENT], "1", COLUMN_LONG, WIDTH_ONE, NULL}};
  Table table = {0};
  int failed = -1;
  if (read_rows(slips, &table, columns) && (!slips->chain || find_events(slips, &table)))
    failed = table_write(&table, results, "events.h5", columns, FORMAT_EVENTS, slips->title) ? -1 : 0;
  else
    results_refuse(results, "events.h5", "could not be written in full (no memory?)");
  table_clear(&table);
  return failed;
}
