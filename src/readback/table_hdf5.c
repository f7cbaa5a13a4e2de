#include "src/readback/table_hdf5.h"

#include "src/base/exit_code.h"
#include "src/base/file_open.h"
#include "src/base/formats.h"
#include "src/base/labels.h"
#include "src/process/child.h"
#include "src/process/hdf5_library.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  SETS_MAX = 96,
  UNITS_MAX = 1024,
  NAME_SIZE = 64,
  COLUMN_SIZE = NAME_SIZE + 24
}; /* a column's name has a number, too */
static const hsize_t ROWS_MAX = (hsize_t)1 << 40;

typedef struct Set {
  char name[NAME_SIZE];
  int rank;              /* 1: [n], 2: [n][..] */
  hsize_t shown, stride; /* of a row: how many are read, one in so many */
} Set;

typedef struct Layout {
  Set sets[SETS_MAX]; /* t first */
  int n_sets;
  hsize_t n, d, p; /* rows, degrees of freedom, controls */
  hsize_t row_stride, rows;
} Layout;

static const char *const no_picture[] = {"control", "dof", "force", "s", "t"};

static bool is_wanted(const char *name) {
  for (size_t k = 0; k < sizeof no_picture / sizeof *no_picture; k++)
    if (strcmp(name, no_picture[k]) == 0) return false;
  return true;
}

/* The sizes of a dataset; returns how many, or -1. */
static int sizes_of(hid_t file, const char *name, hsize_t size[2]) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  if (rank != 1 && rank != 2)
    rank = -1;
  else
    H5Sget_simple_extent_dims(space, size, NULL);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return rank;
}

static bool is_control(const Set *set) { return strcmp(set->name, "u") == 0; }

static bool find_sets(hid_t file, Layout *layout) {
  hsize_t size[2];
  H5G_info_t info;
  if (sizes_of(file, "t", size) != 1 || H5Gget_info(file, &info) < 0) return false;
  layout->sets[layout->n_sets++] = (Set){"t", 1, 1, 1};
  layout->n = size[0];
  for (hsize_t k = 0; k < info.nlinks && layout->n_sets < SETS_MAX; k++) {
    Set *set = &layout->sets[layout->n_sets];
    if (H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, k, set->name, NAME_SIZE, H5P_DEFAULT) < 0)
      return false;
    if (!is_wanted(set->name)) continue;
    set->rank = sizes_of(file, set->name, size);
    hsize_t *width = is_control(set) ? &layout->p : &layout->d;
    if (set->rank < 0 || size[0] != layout->n || (set->rank == 2 && *width && size[1] != *width)) return false;
    if (set->rank == 2) *width = size[1];
    layout->n_sets++;
  }
  return layout->n > 0 && layout->n <= ROWS_MAX && layout->d > 0 && layout->d <= INT_MAX;
}

/* Every row_stride-th row of a dataset, and what is shown of it, into columns from `column` of the table. */
static bool read_set(hid_t file, const Layout *layout, const Set *set, Table *table, int column) {
  hsize_t first[2] = {0, 0}, stride[2] = {layout->row_stride, set->stride};
  hsize_t count[2] = {layout->rows, set->shown};
  hsize_t all[2] = {layout->rows, (hsize_t)table->columns}, to[2] = {0, (hsize_t)column};
  hid_t id = H5Dopen2(file, set->name, H5P_DEFAULT), from = id < 0 ? -1 : H5Dget_space(id);
  hid_t memory = H5Screate_simple(2, all, NULL);
  bool done = from >= 0 && memory >= 0 && H5Sselect_hyperslab(from, H5S_SELECT_SET, first, stride, count, NULL) >= 0 &&
              H5Sselect_hyperslab(memory, H5S_SELECT_SET, to, NULL, count, NULL) >= 0 &&
              H5Dread(id, H5T_NATIVE_DOUBLE, memory, from, H5P_DEFAULT, table->values) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (from >= 0) H5Sclose(from);
  if (id >= 0) H5Dclose(id);
  return done;
}

static bool make_table(const Layout *layout, Table *table) {
  for (int k = 0; k < layout->n_sets; k++) table->columns += (int)layout->sets[k].shown;
  size_t columns = (size_t)table->columns;
  table->header = calloc(columns, COLUMN_SIZE);
  table->names = calloc(columns, sizeof *table->names);
  table->values = calloc(columns * layout->rows, sizeof *table->values);
  if (!table->header || !table->names || !table->values) return false;
  char *name = table->header;
  for (int k = 0, column = 0; k < layout->n_sets; k++)
    for (hsize_t i = 0; i < layout->sets[k].shown; i++, name += COLUMN_SIZE) {
      const Set *set = &layout->sets[k];
      if (set->rank == 2)
        snprintf(name, COLUMN_SIZE, "%s%ld", set->name, 1 + (long)(i * set->stride));
      else
        snprintf(name, COLUMN_SIZE, "%s", set->name);
      table->names[column++] = name;
    }
  return true;
}

static hsize_t dof_stride(const Layout *layout) { return (layout->d + READ_DOFS_MAX - 1) / READ_DOFS_MAX; }

static void thin(Layout *layout) {
  hsize_t stride = dof_stride(layout), columns = 0;
  for (int k = 0; k < layout->n_sets; k++) {
    Set *set = &layout->sets[k];
    set->stride = set->rank == 2 && !is_control(set) ? stride : 1;
    set->shown = set->rank == 1 ? 1 : is_control(set) ? layout->p : (layout->d + stride - 1) / stride;
    if (set->shown > READ_DOFS_MAX) set->shown = READ_DOFS_MAX; /* controls: the first */
    columns += set->shown;
  }
  layout->row_stride = (layout->n * columns + READ_VALUES_MAX - 1) / READ_VALUES_MAX;
  layout->rows = (layout->n + layout->row_stride - 1) / layout->row_stride; /* NOLINT(*DivideZero): find_sets, n > 0 */
}

/* Rows whose time is unknown were not reached. */
static void cut(Table *table, long rows) {
  while (table->rows < rows && !isnan(table_at(table, table->rows, 0))) table->rows++;
}

/* What the child tells first; the names of the columns, COLUMN_SIZE each, and the values follow if its code is 0. */
typedef struct Head {
  int code, columns, d, stride;
  long rows, left_out;
  char fault[80];
} Head;

static void fail(Head *head, int code, const char *fault) {
  head->code = code;
  snprintf(head->fault, sizeof head->fault, "%s", fault);
}

static void read_trajectory(hid_t file, Table *table, Head *head) {
  Layout layout = {.n_sets = 0};
  bool read = find_sets(file, &layout);
  if (read) {
    thin(&layout);
    if (!make_table(&layout, table)) {
      fail(head, EXIT_INTERNAL, "out of memory");
      return;
    }
  }
  for (int k = 0, column = 0; read && k < layout.n_sets; k++) {
    read = read_set(file, &layout, &layout.sets[k], table, column);
    column += (int)layout.sets[k].shown;
  }
  if (read) cut(table, (long)layout.rows);
  if (!read || table->rows == 0) {
    fail(head, EXIT_USAGE, "has not the datasets of a trajectory");
    return;
  }
  *head =
      (Head){.columns = table->columns, .d = (int)layout.d, .stride = (int)dof_stride(&layout), .rows = table->rows};
}

/* Scalars of equal lengths; the last may be missing. */
static bool find_slips(hid_t file, Layout *layout) {
  static const char *const names[] = {"dof", "start", "end", "slip", "energy", "event"};
  enum { N = sizeof names / sizeof *names };
  hsize_t size[2];
  for (int k = 0; k < N; k++) {
    int rank = sizes_of(file, names[k], size);
    if (k == N - 1 && rank < 0) return true;
    if (rank != 1 || size[0] > ROWS_MAX || (k > 0 && size[0] != layout->n)) return false;
    layout->n = size[0];
    Set *set = &layout->sets[layout->n_sets++];
    *set = (Set){.rank = 1, .shown = 1, .stride = 1};
    snprintf(set->name, NAME_SIZE, "%s", names[k]);
  }
  return true;
}

static void read_slips(hid_t file, Table *table, Head *head) {
  Layout layout = {.d = 1, .row_stride = 1};
  bool read = find_slips(file, &layout);
  layout.rows = layout.n < READ_SLIPS_MAX ? layout.n : READ_SLIPS_MAX;
  if (read && !make_table(&layout, table)) {
    fail(head, EXIT_INTERNAL, "out of memory");
    return;
  }
  for (int k = 0; read && layout.n > 0 && k < layout.n_sets; k++)
    read = read_set(file, &layout, &layout.sets[k], table, k);
  if (read)
    *head = (Head){.columns = table->columns,
                   .d = 1,
                   .stride = 1,
                   .rows = (long)layout.rows,
                   .left_out = (long)(layout.n - layout.rows)};
  else
    fail(head, EXIT_USAGE, "has not the datasets of slips");
}

/* The attribute `units` of a dataset; "": it has none, or no text that can be a unit. */
static void read_unit(hid_t file, const char *name, char unit[UNIT_SIZE]) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t attribute = set < 0 || H5Aexists(set, "units") <= 0 ? -1 : H5Aopen(set, "units", H5P_DEFAULT);
  hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute), space = attribute < 0 ? -1 : H5Aget_space(attribute);
  char *text = NULL;
  bool whole = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0 &&
               H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, &text) >= 0;
  snprintf(unit, UNIT_SIZE, "%s",
           whole && text && label_is_unit(text) ? text : ""); /* the process ends soon: text is not freed */
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  if (set >= 0) H5Dclose(set);
}

/* No rows: for each dataset two columns, called by its name and by its unit. */
static void read_units(hid_t file, Table *table, Head *head) {
  H5G_info_t info;
  if (H5Gget_info(file, &info) < 0 || info.nlinks == 0 || info.nlinks > UNITS_MAX) {
    fail(head, EXIT_USAGE, "has not the datasets of a sweep");
    return;
  }
  table->header = calloc((size_t)info.nlinks, (size_t)2 * COLUMN_SIZE);
  if (!table->header) {
    fail(head, EXIT_INTERNAL, "out of memory");
    return;
  }
  for (hsize_t k = 0; k < info.nlinks; k++) {
    char *name = table->header + 2 * k * COLUMN_SIZE;
    if (H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, COLUMN_SIZE, H5P_DEFAULT) >= 0)
      read_unit(file, name, name + COLUMN_SIZE);
  }
  *head = (Head){.columns = 2 * (int)info.nlinks, .d = 1, .stride = 1};
}

/* The attribute `format` of a file; 0: it has none; -1: it is no number. */
static int format_of(hid_t file) {
  int format = -1;
  if (H5Aexists(file, "format") <= 0) return 0;
  hid_t attribute = H5Aopen(file, "format", H5P_DEFAULT);
  hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute), space = attribute < 0 ? -1 : H5Aget_space(attribute);
  bool whole = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1;
  if (whole && H5Aread(attribute, H5T_NATIVE_INT, &format) < 0) format = -1;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  return format;
}

/* A kind of file: its name, the format up to which it is read, and who reads it into a table and tells in head how that went. */
typedef struct Kind {
  const char *name;
  int format;
  void (*read)(hid_t file, Table *table, Head *head);
} Kind;

/* The child: reads the file, sends the table, and ends. */
static _Noreturn void send_table(const char *path, const Kind *kind, int to) {
  Table table = {.columns = 0};
  Head head = {.code = EXIT_USAGE};
  char fault[FORMAT_FAULT_SIZE];
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* told by the parent */
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    fail(&head, EXIT_USAGE, "cannot be read as HDF5 (is it whole?)");
  else if (format_fault(format_of(file), kind->format, fault))
    fail(&head, EXIT_USAGE, fault);
  else
    kind->read(file, &table, &head);
  FILE *stream = fdopen(to, "w");
  size_t columns = (size_t)head.columns;
  bool sent = stream && fwrite(&head, sizeof head, 1, stream) == 1;
  if (sent && !head.code)
    sent = fwrite(table.header, COLUMN_SIZE, columns, stream) == columns &&
           fwrite(table.values, sizeof(double), columns * (size_t)head.rows, stream) == columns * (size_t)head.rows;
  _exit(sent && fflush(stream) == 0 ? EXIT_DONE : EXIT_INTERNAL);
}

/* Everything may come from a child that has lost its way. */
static bool is_sound(const Head *head) {
  return head->columns > 0 && head->columns <= SETS_MAX * READ_DOFS_MAX && head->rows >= 0 &&
         head->rows <= READ_VALUES_MAX / head->columns + 1 && head->left_out >= 0 && head->d > 0 && head->stride > 0;
}

/* What has not come is told in head. */
static void receive_table(FILE *from, Table *table, Head *head) {
  static const char damaged[] = "is damaged: HDF5 does not come to the end of it";
  if (!from || fread(head, sizeof *head, 1, from) != 1 || (!head->code && !is_sound(head))) {
    fail(head, EXIT_USAGE, damaged);
    return;
  }
  head->fault[sizeof head->fault - 1] = 0;
  if (head->code) return;
  size_t columns = (size_t)head->columns, values = columns * (size_t)head->rows;
  *table = (Table){.columns = head->columns,
                   .rows = head->rows,
                   .header = malloc(columns * COLUMN_SIZE),
                   .names = malloc(columns * sizeof *table->names),
                   .values = malloc((values + 1) * sizeof *table->values)};
  if (!table->header || !table->names || !table->values)
    fail(head, EXIT_INTERNAL, "out of memory");
  else if (fread(table->header, COLUMN_SIZE, columns, from) != columns ||
           fread(table->values, sizeof *table->values, values, from) != values)
    fail(head, EXIT_USAGE, damaged);
  for (size_t c = 0; !head->code && c < columns; c++) {
    table->names[c] = table->header + c * COLUMN_SIZE;
    table->names[c][COLUMN_SIZE - 1] = 0;
  }
}

static int read_in_child(const char *path, const Kind *kind, Table *table, Head *head) {
  int ends[2];
  if (pipe(ends)) return -1;
  pid_t child = process_child();
  if (child == 0) send_table(path, kind, ends[1]);
  close(ends[1]);
  FILE *from = child > 0 ? fdopen(ends[0], "r") : NULL;
  if (child > 0) receive_table(from, table, head);
  if (from)
    fclose(from);
  else
    close(ends[0]);
  if (child > 0) process_child_ended(child); /* what has come tells how */
  return child > 0 ? 0 : -1;
}

/* The file of that kind in a directory. */
static int read_any(Table *table, const char *directory, const Kind *kind, Head *head, Diagnostics *diagnostics) {
  char path[FILE_PATH_SIZE], fault[FILE_FAULT_SIZE];
  *table = (Table){.columns = 0};
  if (snprintf(path, sizeof path, "%s/%s", directory, kind->name) >= (int)sizeof path || access(path, F_OK)) return 0;
  FILE *there = file_open(path, fault);
  if (!there) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", path, fault);
  fclose(there);
  if (!hdf5_load(diagnostics)) return EXIT_INTERNAL;
  if (read_in_child(path, kind, table, head)) fail(head, EXIT_INTERNAL, strerror(errno));
  if (head->code) {
    table_clear(table);
    return diagnostics_error(diagnostics, head->code, "%s: %s", path, head->fault);
  }
  snprintf(table->place, sizeof table->place, "%s", kind->name);
  return 0;
}

int table_read_hdf5(Table *table, const char *directory, int *d, int *stride, Diagnostics *diagnostics) {
  static const Kind trajectory = {"trajectory.h5", FORMAT_TRAJECTORY, read_trajectory};
  Head head = {.code = 0};
  int code = read_any(table, directory, &trajectory, &head, diagnostics);
  if (code || table->columns == 0) return code;
  *d = head.d;
  *stride = head.stride;
  return 0;
}

int table_read_slips(Table *table, const char *directory, long *left_out, Diagnostics *diagnostics) {
  static const Kind events = {"events.h5", FORMAT_EVENTS, read_slips};
  Head head = {.code = 0};
  int code = read_any(table, directory, &events, &head, diagnostics);
  *left_out = head.left_out;
  return code;
}

int table_read_units(Table *table, const char *directory, Diagnostics *diagnostics) {
  static const Kind sweep = {"sweep.h5", FORMAT_SWEEP, read_units};
  Head head = {.code = 0};
  return read_any(table, directory, &sweep, &head, diagnostics);
}

const char *table_unit(const Table *table, const char *name) {
  for (int c = 0; c + 1 < table->columns; c += 2)
    if (strcmp(table->names[c], name) == 0) return table->names[c + 1];
  return "";
}
