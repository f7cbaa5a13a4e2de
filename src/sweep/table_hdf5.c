#include "src/sweep/table_hdf5.h"

#include "src/base/formats.h"
#include "src/file/sections/keys.h"
#include "src/process/hdf5_library.h"
#include "src/results/hdf5_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One column: numbers, or texts of one size. */
typedef struct Column {
  const char *name;
  const char *unit; /* NULL: none is told */
  bool texts;
  size_t size;     /* bytes of the longest text */
  double *numbers; /* [n]; owned, as the next */
  char *bytes;     /* [n][size] */
} Column;

typedef struct Columns {
  long n; /* rows */
  int count;
  Column list[1 + SWEEP_AXES_MAX + SWEEP_HDF5_COLUMNS];
} Columns;

static void clear(Columns *columns) {
  for (int c = 0; c < columns->count; c++) {
    free(columns->list[c].numbers);
    free(columns->list[c].bytes);
  }
}

static bool reserve(Columns *columns) {
  for (int c = 0; c < columns->count; c++)
    if (!(columns->list[c].numbers = malloc(((size_t)columns->n + 1) * sizeof(double)))) return false;
  return true;
}

/* Where positions or forces have other units than SI's, those of seconds and of numbers alone are sure. */
static const char *unit_of(const SweepPlan *plan, const char *unit) {
  bool sure = !plan->own_units || (unit && (strcmp(unit, "s") == 0 || strcmp(unit, "1") == 0));
  return sure ? unit : NULL;
}

static void name_columns(Columns *columns, const SweepPlan *plan, const char *const *names) {
  columns->list[columns->count++] = (Column){.name = "run", .unit = "1"};
  for (int k = 0; k < plan->axes.n; k++) {
    const char *key = plan->axes.axes[k].key;
    columns->list[columns->count++] = (Column){.name = key, .unit = unit_of(plan, keys_unit(key, plan->kind))};
  }
  for (int k = 0; k < ROW_COLUMNS; k++) columns->list[columns->count++] = (Column){.name = names[k], .unit = "1"};
  for (int k = 0; k < plan->n_columns; k++)
    columns->list[columns->count++] =
        (Column){.name = names[ROW_COLUMNS + k], .unit = unit_of(plan, plan->columns[k].unit)};
}

/* A cell that is no number makes its column one of texts. */
static void take_number(Column *column, long i, double number) { column->numbers[i] = number; }

static void take_text(Column *column, const char *text) {
  size_t length = strlen(text);
  column->texts = true;
  if (length > column->size) column->size = length;
}

static void put_text(const Column *column, long i, const char *text) {
  if (column->bytes) memcpy(column->bytes + (size_t)i * column->size, text, strlen(text));
}

/* A value of an axis, as it was written. */
static void take_value(Column *column, long i, const char *text) {
  char *end;
  double number = strtod(text, &end);
  size_t length = strlen(text);
  if (length > column->size) column->size = length;
  if (*end || !isfinite(number)) column->texts = true;
  take_number(column, i, number);
}

/* The text of a cell of a column of texts, which outlives the next call by none. */
static const char *text_of(const json_t *cell, char buffer[32]) {
  if (json_is_string(cell)) return json_string_value(cell);
  if (json_is_boolean(cell)) return json_is_true(cell) ? "true" : "false";
  *buffer = '\0';
  if (json_is_number(cell)) snprintf(buffer, 32, "%.17g", json_number_value(cell));
  return buffer;
}

static void take_cell(Column *column, long i, const json_t *cell) {
  char buffer[32];
  bool number = json_is_number(cell) || json_is_null(cell);
  take_number(column, i, json_is_number(cell) ? json_number_value(cell) : NAN);
  size_t length = strlen(text_of(cell, buffer));
  if (length > column->size) column->size = length;
  if (!number) take_text(column, text_of(cell, buffer));
}

/* Goes through all rows: for their numbers, and how long texts are; again, for texts. */
static bool go_through(Columns *columns, const SweepPlan *plan, const SweepRows *rows, bool again) {
  long i = 0, index[SWEEP_AXES_MAX];
  char buffer[32];
  for (long run = 0; run < rows->count; run++) {
    if (!rows->done[run]) continue;
    json_t *row = json_loads(rows->rows[run], 0, NULL), *cell;
    Column *column = columns->list;
    size_t c;
    if (!row) return false;
    axes_index(&plan->axes, run, index);
    take_number(column++, i, (double)run);
    for (int k = 0; k < plan->axes.n; k++, column++) {
      const char *value = axes_value(&plan->axes.axes[k], index[k]);
      if (again)
        put_text(column, i, value);
      else
        take_value(column, i, value);
    }
    json_array_foreach(row, c, cell) {
      if (again)
        put_text(column++, i, text_of(cell, buffer));
      else
        take_cell(column++, i, cell);
    }
    json_decref(row);
    i++;
  }
  return true;
}

static bool any_texts(Columns *columns) {
  bool any = false;
  for (int c = 0; c < columns->count; c++) any = any || columns->list[c].texts;
  return any;
}

static bool reserve_texts(Columns *columns) {
  for (int c = 0; c < columns->count; c++) {
    Column *column = &columns->list[c];
    if (column->texts && !(column->bytes = calloc((size_t)columns->n + 1, column->size + 1))) return false;
  }
  return true;
}

/* The column's dataset; < 0: it could not be written. */
static hid_t write_column(hid_t file, const Column *column, long n) {
  hsize_t size = (hsize_t)n;
  hid_t space = H5Screate_simple(1, &size, NULL), how = H5Pcreate(H5P_DATASET_CREATE), type = H5Tcopy(H5T_IEEE_F64LE);
  H5Pset_obj_track_times(how, false); /* the same bytes at any time */
  if (column->texts) {
    H5Tclose(type);
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, column->size ? column->size : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
  }
  hid_t set = H5Dcreate2(file, column->name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  bool done = set >= 0 && H5Dwrite(set, column->texts ? type : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                   column->texts ? (const void *)column->bytes : column->numbers) >= 0;
  if (done && column->unit && !column->texts) done = hdf5_put_text(set, "units", column->unit);
  if (set >= 0 && !done) H5Dclose(set);
  H5Tclose(type);
  H5Pclose(how);
  H5Sclose(space);
  return done ? set : -1;
}

/* All columns; the first, run, is the scale of the others. */
static bool write_columns(hid_t file, const Columns *columns) {
  hid_t run = write_column(file, &columns->list[0], columns->n);
  bool done = run >= 0 && hdf5_make_scale(run, columns->list[0].name);
  for (int c = 1; c < columns->count && done; c++) {
    hid_t set = write_column(file, &columns->list[c], columns->n);
    done = set >= 0 && hdf5_put_over(set, 0, run);
    if (set >= 0) done = H5Dclose(set) >= 0 && done;
  }
  if (run >= 0) done = H5Dclose(run) >= 0 && done;
  return done;
}

static bool write_file(const char *path, const Columns *columns) {
  void *handle = NULL;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* the caller tells */
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  bool done = file >= 0 && hdf5_put_format(file, FORMAT_SWEEP) && write_columns(file, columns);
  done = done && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 &&
         fsync(*(int *)handle) == 0;
  return file >= 0 && H5Fclose(file) >= 0 && done;
}

bool sweep_table_hdf5(const char *path, const SweepPlan *plan, const SweepRows *rows, const char *const *names) {
  Columns columns = {.n = rows->n_done};
  name_columns(&columns, plan, names);
  bool done = reserve(&columns) && go_through(&columns, plan, rows, false);
  if (done && any_texts(&columns)) done = reserve_texts(&columns) && go_through(&columns, plan, rows, true);
  done = done && write_file(path, &columns);
  clear(&columns);
  return done;
}
