/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/sweep_rows.h"

#include "src/base/formats.h"
#include "src/file/sections/keys.h"
#include "src/results/table.h"
#include "src/study/sweep_run.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS_MAX = 1 + SWEEP_AXES_MAX + ROW_COLUMNS + SWEEP_COLUMNS_MAX, CELL_SIZE = 32 };

/* Returns the unit of a column. If the file sets model.units, only the units of times and of numbers without dimension
 * are known; for others returns NULL. */
static const char *unit_of(const SweepPlan *plan, const char *unit) {
  bool sure = !plan->own_units || (unit && (strcmp(unit, "s") == 0 || strcmp(unit, "1") == 0));
  return sure ? unit : NULL;
}

/* Lists the columns of the table. Returns their number. */
static int list_columns(const SweepPlan *plan, TableColumn *columns) {
  int n = 0;
  columns[n++] = (TableColumn){.name = "run", .unit = "1"};
  for (int k = 0; k < plan->axes.n; k++) {
    const char *key = plan->axes.axes[k].key;
    columns[n++] = (TableColumn){.name = key, .unit = unit_of(plan, keys_unit(key, plan->kind))};
  }
  for (int k = 0; k < ROW_COLUMNS; k++) columns[n++] = (TableColumn){.name = sweep_columns_fixed[k], .unit = "1"};
  for (int k = 0; k < plan->n_columns; k++)
    columns[n++] = (TableColumn){.name = plan->columns[k].name, .unit = unit_of(plan, plan->columns[k].unit)};
  return n;
}

/* Returns the text of a cell. It is valid until the next call. */
static const char *text_of(const json_t *cell, char buffer[CELL_SIZE]) {
  if (json_is_string(cell)) return json_string_value(cell);
  if (json_is_boolean(cell)) return json_is_true(cell) ? "true" : "false";
  *buffer = 0;
  if (json_is_integer(cell)) snprintf(buffer, CELL_SIZE, "%lld", (long long)json_integer_value(cell));
  if (json_is_real(cell)) snprintf(buffer, CELL_SIZE, "%.17g", json_real_value(cell));
  return buffer;
}

static bool add_row(Table *table, const SweepPlan *plan, long run, const json_t *row) {
  long index[SWEEP_AXES_MAX];
  char buffer[CELL_SIZE];
  int column = 0;
  const json_t *cell;
  size_t c;
  bool added = table_add_row(table) != NULL;
  snprintf(buffer, sizeof buffer, "%ld", run);
  axes_index(&plan->axes, run, index);
  added = added && table_set_text(table, column++, buffer, false);
  for (int k = 0; added && k < plan->axes.n; k++)
    added = table_set_text(table, column++, axes_value(&plan->axes.axes[k], index[k]), false);
  json_array_foreach(row, c, cell) {
    bool word = json_is_string(cell) || json_is_boolean(cell);
    added = added && column < table->columns && table_set_text(table, column++, text_of(cell, buffer), word);
  }
  return added;
}

static bool fill(Table *table, const SweepPlan *plan, const SweepRows *rows, const TableColumn *columns, int n) {
  bool filled = table_make(table, n, rows->n_done, true);
  for (int c = 0; filled && c < n; c++) filled = table_name(table, c, "%s", columns[c].name);
  for (long run = 0; filled && run < rows->count; run++) {
    if (!rows->done[run]) continue;
    json_t *row = json_loads(rows->rows[run], 0, NULL);
    filled = row && add_row(table, plan, run, row);
    json_decref(row);
  }
  return filled;
}

static int write_results(const SweepPlan *plan, const SweepRows *rows) {
  TableColumn columns[COLUMNS_MAX];
  Table table = {0};
  int n = list_columns(plan, columns), code;
  if (fill(&table, plan, rows, columns, n)) {
    code = table_write(&table, rows->results, "sweep.csv", columns, 0, NULL);
    if (!code) code = table_write(&table, rows->results, "sweep.h5", columns, FORMAT_SWEEP, NULL);
  } else {
    code = diagnostics_no_memory(rows->results->diagnostics);
  }
  table_clear(&table);
  return code;
}

static int write_times(const SweepRows *rows) {
  static const TableColumn columns[] = {{.name = "run", .kind = COLUMN_COUNT},
                                        {.name = "seconds", .kind = COLUMN_SECONDS},
                                        {.name = "simulating", .kind = COLUMN_SECONDS}};
  Table table = {0};
  bool filled = table_make(&table, 3, rows->n_done, false);
  for (int c = 0; filled && c < 3; c++) filled = table_name(&table, c, "%s", columns[c].name);
  for (long run = 0; filled && run < rows->count; run++) {
    double *row = rows->done[run] ? table_add_row(&table) : NULL;
    filled = row || !rows->done[run];
    if (row)
      memcpy(row, (double[]){(double)run, rows->seconds[run].all, rows->seconds[run].simulating}, 3 * sizeof *row);
  }
  int code = filled ? table_write(&table, rows->results, "times.csv", columns, 0, NULL)
                    : diagnostics_no_memory(rows->results->diagnostics);
  table_clear(&table);
  return code;
}

int sweep_table_write(const SweepPlan *plan, const SweepRows *rows) {
  int code = write_results(plan, rows);
  return code ? code : write_times(rows);
}
