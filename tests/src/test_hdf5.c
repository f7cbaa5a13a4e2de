/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests trajectory.h5: it is read with HDF5, with PETSc's viewer, and after the process that wrote it was killed. */
#include "tests/fixture.h"

#include "src/process/hdf5_library.h"
#include "src/results/table.h"

#include <petscvec.h>
#include <petscviewerhdf5.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char directory[FIXTURE_DIRECTORY_SIZE], path[FIXTURE_PATH_SIZE];
static Results results;
static int ready = -1; /* pipe to report that a file is allocated; -1: none */

static double entry(long row, int i) { return (double)row + i / 1024.0; }

enum { P = 3 }; /* controls */

/* Opens a file of n rows of d numbers and appends `rows` of them. */
static TableFile *write_rows(int d, long n, long rows) {
  static const TableColumn columns[] = {{.name = "t", .unit = "s"},
                                        {.name = "x", .unit = "m", .width = WIDTH_DOFS},
                                        {.name = "end", .unit = "N"},
                                        {.name = "u", .unit = "N", .width = WIDTH_CONTROLS}};
  double *x = calloc((size_t)d, sizeof *x), *s = calloc((size_t)d, sizeof *s), end, t, u[P];
  const double *const data[] = {&t, x, &end, u};
  for (int i = 0; i < d; i++) s[i] = i;
  const TableLayout layout = {.n = n,
                              .d = d,
                              .count = d,
                              .controls = P,
                              .n_columns = 4,
                              .columns = columns,
                              .positions = d == 3 ? NULL : s,
                              .title = "a title",
                              .problem = "{}"};
  TableFile *file = table_open(&results, "x.h5", &layout, NULL);
  assert_non_null(file);
  if (ready >= 0) assert_int_equal(write(ready, "!", 1), 1);
  for (long row = 0; row < rows; row++) {
    for (int i = 0; i < d; i++) x[i] = entry(row, i);
    end = -(double)row;
    for (int k = 0; k < P; k++) u[k] = -entry(row, k);
    t = (double)row / 8;
    table_append(file, data);
    if (ready >= 0) nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
  }
  free(x);
  free(s);
  return file;
}

/* Reads a whole dataset, which the caller frees; its size goes to size [rank]. */
static double *read_dataset(hid_t file, const char *name, int rank, hsize_t *size) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
  assert_int_equal(H5Sget_simple_extent_ndims(space), rank);
  H5Sget_simple_extent_dims(space, size, NULL);
  double *data = calloc((size_t)(size[0] * (rank == 2 ? size[1] : 1)) + 1, sizeof *data);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return data;
}

static void assert_text(hid_t object, const char *name, const char *expected) {
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  char *text = NULL;
  assert_true(H5Aread(attribute, type, &text) >= 0);
  assert_string_equal(text, expected);
  free(text);
  H5Tclose(type);
  H5Aclose(attribute);
}

/* Checks that a dimension of a dataset has a scale with this name and unit, and is labelled by it. */
static void assert_over(hid_t file, const char *name, unsigned dimension, const char *scale, const char *unit) {
  char label[32];
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), over = H5Dopen2(file, scale, H5P_DEFAULT);
  assert_int_equal(H5DSis_scale(over), 1);
  assert_int_equal(H5DSget_num_scales(set, dimension), 1);
  assert_int_equal(H5DSis_attached(set, over, dimension), 1);
  assert_true(H5DSget_scale_name(over, label, sizeof label) > 0);
  assert_string_equal(label, scale);
  assert_true(H5DSget_label(set, dimension, label, sizeof label) > 0);
  assert_string_equal(label, scale);
  assert_text(over, "units", unit);
  H5Dclose(over);
  H5Dclose(set);
}

static void every_dimension_has_its_scale(void **state) {
  (void)state;
  for (int d = 3; d <= 4; d++) { /* d = 3: a file without positions */
    const char *along = d == 3 ? "dof" : "s";
    hsize_t size[2];
    assert_int_equal(table_close(write_rows(d, 9, 5), true), 0);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_over(file, "x", 0, "t", "s");
    assert_over(file, "x", 1, along, d == 3 ? "1" : "m");
    assert_over(file, "end", 0, "t", "s");
    assert_over(file, "u", 0, "t", "s");
    assert_over(file, "u", 1, "control", "1");
    assert_true(H5Lexists(file, d == 3 ? "s" : "dof", H5P_DEFAULT) == 0);
    double *numbers = read_dataset(file, along, 1, size), *control = read_dataset(file, "control", 1, size + 1);
    assert_true(size[0] == (hsize_t)d && size[1] == P);
    for (int i = 0; i < d; i++) assert_true(numbers[i] == i + (d == 3));
    for (int k = 0; k < P; k++) assert_true(control[k] == k + 1);
    free(numbers);
    free(control);
    H5Fclose(file);
  }
}

static void assert_rows(const double *x, hsize_t d, hsize_t rows) {
  for (hsize_t row = 0; row < rows; row++)
    for (hsize_t i = 0; i < d; i++) assert_true(x[row * d + i] == entry((long)row, (int)i));
}

static void reads_back(void **state) {
  (void)state;
  static const int sizes[] = {1, 3, 1000, 300001}; /* numbers per row; a row of the last size is stored in several
                                                    * chunks */
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    hsize_t size[2];
    assert_int_equal(table_close(write_rows(sizes[k], 7, 7), true), 0);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "x", H5P_DEFAULT);
    assert_text(file, "title", "a title");
    assert_text(file, "problem", "{}");
    assert_text(set, "units", "m");
    double *x = read_dataset(file, "x", 2, size);
    assert_true(size[0] == 7 && size[1] == (hsize_t)sizes[k]);
    assert_rows(x, size[1], 7);
    double *t = read_dataset(file, "t", 1, size), *end = read_dataset(file, "end", 1, size + 1);
    for (int row = 0; row < 7; row++) assert_true(t[row] == row / 8.0 && end[row] == -row);
    double *u = read_dataset(file, "u", 2, size);
    assert_true(size[0] == 7 && size[1] == P);
    for (int row = 0; row < 7; row++)
      for (int i = 0; i < P; i++) assert_true(u[row * P + i] == -entry(row, i));
    free(x);
    free(t);
    free(end);
    free(u);
    H5Dclose(set);
    H5Fclose(file);
  }
}

static void a_short_rollout_is_cut(void **state) {
  (void)state;
  hsize_t size[2];
  assert_int_equal(table_close(write_rows(5, 1000, 3), true), 0);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  double *x = read_dataset(file, "x", 2, size), *t = read_dataset(file, "t", 1, size);
  assert_true(size[0] == 3 && t[2] == 0.25);
  assert_rows(x, 5, 3);
  free(x);
  free(t);
  H5Fclose(file);
}

/* The writer is killed at any time after it has allocated the file. The file can be opened, and all rows with a time
 * are complete. */
static void a_killed_writer(void **state) {
  (void)state;
  enum { D = 200, N = 4000, KILLS = 5 };
  hsize_t most = 0;
  for (int kill_at = 0; kill_at < KILLS; kill_at++) {
    int ends[2];
    char heard;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
      ready = ends[1];
      write_rows(D, N, N);
      for (;;) pause(); /* never closed */
    }
    assert_int_equal(read(ends[0], &heard, 1), 1);
    close(ends[0]);
    close(ends[1]);
    nanosleep(&(struct timespec){.tv_nsec = 200000000L * kill_at}, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    hsize_t size[2], rows = 0;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    double *t = read_dataset(file, "t", 1, size), *x = read_dataset(file, "x", 2, size);
    while (rows < size[0] && isfinite(t[rows])) rows++;
    for (hsize_t row = rows; row < size[0]; row++) assert_true(isnan(t[row]));
    assert_true(size[0] == N);
    assert_rows(x, D, rows);
    if (rows > most) most = rows;
    free(t);
    free(x);
    H5Fclose(file);
  }
  assert_true(most > 0);
}

/* PETSc can read row k of x as a Vec. */
static void petsc_reads_a_row(void **state) {
  (void)state;
  enum { D = 1000 };
  assert_int_equal(table_close(write_rows(D, 9, 9), true), 0);
  PetscViewer viewer;
  Vec x;
  const PetscScalar *values;
  assert_int_equal(PetscViewerHDF5Open(PETSC_COMM_SELF, path, FILE_MODE_READ, &viewer), 0);
  VecCreateSeq(PETSC_COMM_SELF, D, &x);
  PetscObjectSetName((PetscObject)x, "x");
  PetscViewerHDF5PushTimestepping(viewer);
  PetscViewerHDF5SetTimestep(viewer, 6);
  assert_int_equal(VecLoad(x, viewer), 0);
  VecGetArrayRead(x, &values);
  for (int i = 0; i < D; i++) assert_true(values[i] == entry(6, i));
  VecRestoreArrayRead(x, &values);
  VecDestroy(&x);
  PetscViewerHDF5PopTimestepping(viewer);
  PetscViewerDestroy(&viewer);
}

static void an_impossible_path(void **state) {
  (void)state;
  static const TableColumn column = {.name = "t", .unit = "s"};
  const Results nowhere = {.directory = "/proc/nowhere"};
  const TableLayout layout = {.n = 1, .d = 1, .count = 1, .n_columns = 1, .columns = &column, .problem = ""};
  assert_null(table_open(&nowhere, "x.h5", &layout, NULL));
}

int main(void) {
  if (fixture_directory(directory) || !hdf5_begin(NULL)) return 1;
  fixture_path(directory, "x.h5", path);
  snprintf(results.directory, sizeof results.directory, "%s", directory);
  const struct CMUnitTest before[] = {/* these tests run before PETSc and MPI are started */
                                      cmocka_unit_test(reads_back), cmocka_unit_test(every_dimension_has_its_scale),
                                      cmocka_unit_test(a_short_rollout_is_cut), cmocka_unit_test(a_killed_writer),
                                      cmocka_unit_test(an_impossible_path)};
  const struct CMUnitTest with[] = {cmocka_unit_test(petsc_reads_a_row)};
  int failed = cmocka_run_group_tests(before, NULL, NULL);
  if (PetscInitializeNoArguments()) return 1;
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  failed += cmocka_run_group_tests(with, NULL, NULL);
  PetscFinalize();
  unlink(path);
  rmdir(directory);
  return failed;
}
