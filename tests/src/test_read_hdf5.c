/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests reading trajectory.h5 as a table. Every number is in its place, and rows and columns are left out as
 * documented, up to the last row that was written. */
#include "tests/fixture.h"

#include "src/base/formats.h"
#include "src/process/hdf5_library.h"
#include "src/results/hdf5_read.h"

#include <unistd.h>

static char directory[FIXTURE_DIRECTORY_SIZE], path[FIXTURE_PATH_SIZE];

static Results results;

static int make_directory(void **state) {
  (void)state;
  if (fixture_directory(directory)) return -1;
  fixture_path(directory, "trajectory.h5", path);
  snprintf(results.directory, sizeof results.directory, "%s", directory);
  return 0;
}

static int remove_directory(void **state) {
  (void)state;
  unlink(path);
  return rmdir(directory);
}

static double value(int vector, long row, int dof) { return 1e7 * vector + 1e4 * (double)row + dof; }

/* Writes x and v of d dofs and a scalar: `rows` of the n rows of the file. */
static void write_file(long n, long rows, int d) {
  const TableColumn columns[] = {{.name = "t", .unit = "s"},
                                 {.name = "x", .unit = "m", .width = WIDTH_DOFS},
                                 {.name = "v", .unit = "m/s", .width = WIDTH_DOFS},
                                 {.name = "force", .unit = "N", .width = WIDTH_DOFS},
                                 {.name = "x_end", .unit = "m"},
                                 {.name = "u", .unit = "N", .width = WIDTH_CONTROLS}};
  const TableLayout layout = {.n = n,
                              .d = d,
                              .count = d,
                              .controls = 2,
                              .n_columns = 6,
                              .format = FORMAT_TRAJECTORY,
                              .columns = columns,
                              .problem = ""};
  double *x = calloc(3 * (size_t)d, sizeof *x), end, t, u[2];
  TableFile *file = table_open(&results, "trajectory.h5", &layout, NULL);
  assert_non_null(file);
  for (long row = 0; row < rows; row++) {
    for (int k = 0; k < 3 * d; k++) x[k] = value(k / d, row, k % d + 1);
    end = -(double)row;
    u[0] = value(5, row, 1), u[1] = value(5, row, 2);
    t = 0.5 * (double)row;
    table_append(file, (const double *[]){&t, x, x + d, x + 2 * d, &end, u});
  }
  assert_int_equal(table_close(file, true), 0);
  free(x);
}

static void check_values(const Table *table, int stride, int shown, long row_stride) {
  int x = table_find(table, "x1"), v = table_find(table, "v1"), end = table_find(table, "x_end");
  char last[32];
  snprintf(last, sizeof last, "v%d", 1 + (shown - 1) * stride);
  assert_int_equal(table_find(table, "t"), 0);
  assert_int_equal(table_find(table, last), v + shown - 1);
  assert_int_equal(table_find(table, "force1"), -1);
  assert_int_equal(table_find(table, "u2"), table_find(table, "u1") + 1);
  assert_int_equal(table->columns, 4 + 2 * shown);
  for (long row = 0; row < table->rows; row++) {
    assert_true(table_at(table, row, 0) == 0.5 * (double)(row * row_stride));
    assert_true(table_at(table, row, end) == -(double)(row * row_stride));
    assert_true(table_at(table, row, table_find(table, "u2")) == value(5, row * row_stride, 2));
    for (int k = 0; k < shown; k++) {
      assert_true(table_at(table, row, x + k) == value(0, row * row_stride, 1 + k * stride));
      assert_true(table_at(table, row, v + k) == value(1, row * row_stride, 1 + k * stride));
    }
  }
}

static void whole(void **state) {
  (void)state;
  Table table;
  write_file(7, 7, 5);
  assert_int_equal(table_read(&table, directory, "trajectory.h5", NULL, NULL), 0);
  assert_int_equal(table.d, 5);
  assert_int_equal(table.stride, 1);
  assert_int_equal(table.rows, 7);
  check_values(&table, 1, 5, 1);
  table_clear(&table);
}

static void broken_off(void **state) {
  (void)state;
  Table table;
  write_file(9, 4, 3);
  assert_int_equal(table_read(&table, directory, "trajectory.h5", NULL, NULL), 0);
  assert_int_equal(table.rows, 4);
  check_values(&table, 1, 3, 1);
  table_clear(&table);
}

static void thinned(void **state) {
  (void)state;
  Table table;
  int wide = 2 * READ_DOFS_MAX + 1, shown = READ_DOFS_MAX / 3 * 2 + 1;
  long rows = 2 * READ_VALUES_MAX / (2 * shown + 4) - 100;
  write_file(rows, rows, wide);
  assert_int_equal(table_read(&table, directory, "trajectory.h5", NULL, NULL), 0);
  assert_int_equal(table.d, wide);
  assert_int_equal(table.stride, 3);
  assert_int_equal(table.rows, (rows + 1) / 2);
  check_values(&table, 3, (wide + 2) / 3, 2);
  table_clear(&table);
}

static void put_format(hid_t type, const void *value) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
  H5Adelete(file, "format");
  if (value) {
    hid_t attribute = H5Acreate2(file, "format", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, value) >= 0);
    H5Aclose(attribute);
  }
  H5Sclose(space);
  H5Fclose(file);
}

static void another_format(void **state) {
  (void)state;
  const int newer = FORMAT_TRAJECTORY + 1;
  const double number = 1.5;
  Diagnostics reported = {0};
  Table table;
  write_file(7, 7, 5);
  put_format(H5T_NATIVE_INT, &newer);
  assert_int_equal(table_read(&table, directory, "trajectory.h5", NULL, &reported), EXIT_USAGE);
  assert_non_null(strstr(reported.list[0].text, "is of format 2: this version reads up to format 1"));
  put_format(H5T_NATIVE_DOUBLE, &number);
  assert_int_equal(table_read(&table, directory, "trajectory.h5", NULL, &reported), EXIT_USAGE);
  assert_non_null(strstr(reported.list[1].text, "format is not a whole number"));
  diagnostics_clear(&reported);
  put_format(H5T_NATIVE_INT, NULL); /* older files have no format number */
  assert_int_equal(table_read(&table, directory, "trajectory.h5", NULL, NULL), 0);
  check_values(&table, 1, 5, 1);
  table_clear(&table);
}

static void no_trajectory(void **state) {
  (void)state;
  Table table;
  unlink(path);
  assert_int_equal(table_read(&table, directory, "trajectory.h5", NULL, NULL), 0);
  assert_int_equal(table.columns, 0);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("not HDF5\n", file);
  fclose(file);
  assert_int_equal(table_read(&table, directory, "trajectory.h5", NULL, NULL), EXIT_USAGE);
  assert_int_equal(table.columns, 0);
}

static unsigned char *read_bytes(FILE *file, long *size) {
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = ftell(file);
  unsigned char *bytes = malloc((size_t)*size);
  assert_non_null(bytes);
  rewind(file);
  assert_int_equal(fread(bytes, 1, (size_t)*size, file), *size);
  return bytes;
}

static void put_bytes(FILE *file, long at, const unsigned char *bytes, size_t count) {
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  assert_int_equal(fwrite(bytes, 1, count, file), count);
  assert_int_equal(fflush(file), 0);
}

/* Reads a damaged file. Returns 0 or EXIT_USAGE, however HDF5 fails. */
static int read_damaged(void) {
  Table table;
  int code = table_read(&table, directory, "trajectory.h5", NULL, NULL);
  assert_true(code == 0 || (code == EXIT_USAGE && table.columns == 0));
  table_clear(&table);
  return code;
}

static void damaged(void **state) {
  (void)state;
  enum { FLIPS = 50 };
  /* HDF5 1.10.8 crashes on these bytes at position 979 */
  static const unsigned char deadly[] = {0x00, 0xb2, 0x00, 0xd9};
  int refused = 0;
  long size;
  write_file(7, 7, 3);
  FILE *file = fopen(path, "r+");
  assert_non_null(file);
  unsigned char *bytes = read_bytes(file, &size);
  for (int k = 0; k < FLIPS; k++) {
    long at = size * k / FLIPS;
    put_bytes(file, at, (const unsigned char[]){bytes[at] ^ 0xff}, 1);
    refused += read_damaged() != 0;
    put_bytes(file, at, bytes + at, 1);
  }
  assert_true(refused > 0);
  put_bytes(file, 979, deadly, sizeof deadly);
  read_damaged();
  fclose(file);
  free(bytes);
}

int main(void) {
  if (!hdf5_begin(NULL)) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole),         cmocka_unit_test(broken_off),
                                     cmocka_unit_test(thinned),       cmocka_unit_test(another_format),
                                     cmocka_unit_test(no_trajectory), cmocka_unit_test(damaged)};
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
