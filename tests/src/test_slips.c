/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests how slips are grouped into events, by comparison with testing all pairs; and the columns of events.h5. */
#include "tests/fixture.h"

#include "src/process/hdf5_library.h"
#include "src/results/slip_clusters.h"
#include "src/results/slips_file.h"

#include <unistd.h>

enum { D = 30, N = 400 };

static int compare_ends(const void *a, const void *b) {
  const Slip *one = a, *two = b;
  if (one->end != two->end) return one->end < two->end ? -1 : 1;
  return (one->dof > two->dof) - (one->dof < two->dof);
}

/* Makes N slips of random lengths, in multiples of 1. Those of each dof are consecutive, some without a pause. */
static void make_slips(Slip slips[N], uint64_t *seed) {
  double until[D] = {0};
  for (int k = 0; k < N; k++) {
    int i = k % D;
    double start = until[i] + floor(6 * fabs(fixture_random(seed))) * 4, way = fixture_random(seed);
    until[i] = start + 1 + floor(5 * fabs(fixture_random(seed)));
    slips[k] = (Slip){i + 1, start, until[i], way, fabs(way)};
  }
  qsort(slips, N, sizeof *slips, compare_ends);
}

/* Groups slips into events by comparing all pairs. Each slip first has its own number, and the smallest one spreads to
 * overlapping slips until nothing changes. */
static void spread(const Slip slips[N], int event[N]) {
  for (int k = 0; k < N; k++) event[k] = k;
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < N; a++)
      for (int b = 0; b < N; b++) {
        bool meet = slips[a].start <= slips[b].end && slips[b].start <= slips[a].end;
        if (!meet || fabs(slips[a].dof - slips[b].dof) > 1 || event[b] <= event[a]) continue;
        event[b] = event[a];
        changed = true;
      }
  }
}

static void events_are_what_hangs_together(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int round = 0; round < 5; round++) {
    Slip slips[N];
    int first[N], seen = 0;
    make_slips(slips, &seed);
    spread(slips, first);
    SlipClusters *clusters = slip_clusters_create(D, N);
    assert_non_null(clusters);
    for (int k = 0; k < N; k++) slip_clusters_add(clusters, (int)slips[k].dof, slips[k].start, slips[k].end);
    const long *event = slip_clusters_events(clusters);
    for (int k = 0; k < N; k++) {
      if (first[k] == k) seen++;
      assert_int_equal(event[k], first[k] == k ? seen : event[first[k]]);
    }
    assert_in_range(seen, 10, N / 2);
    slip_clusters_destroy(clusters);
  }
}

static void read_column(hid_t file, const char *name, hsize_t n, double *values) {
  hsize_t size = 0;
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
  assert_int_equal(H5Sget_simple_extent_ndims(space), 1);
  H5Sget_simple_extent_dims(space, &size, NULL);
  assert_int_equal(size, n);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(set);
}

static void columns_are_the_rows(void **state) {
  (void)state;
  enum { ROWS = 20000 };
  char directory[FIXTURE_DIRECTORY_SIZE], path[FIXTURE_PATH_SIZE];
  Results results = {.directory = ""}, nowhere = {.directory = "/proc/nowhere"};
  assert_int_equal(fixture_directory(directory), 0);
  snprintf(results.directory, sizeof results.directory, "%s", directory);
  fixture_path(directory, "events.h5", path);
  FILE *rows = tmpfile();
  assert_non_null(rows);
  for (int k = 0; k < ROWS; k++) fwrite(&(Slip){1 + k % D, k, k + 0.5, -k, 2.0 * k}, sizeof(Slip), 1, rows);
  double *values = calloc(ROWS, sizeof *values);
  for (int chain = 0; chain < 2; chain++) {
    const SlipsFile slips = {.rows = rows, .d = D, .chain = chain, .position = "m", .energy = "J"};
    assert_int_equal(slips_file_write(&results, &slips), 0);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const char *const names[] = {"dof", "start", "end", "slip", "energy"};
    for (int c = 0; c < 5; c++) {
      read_column(file, names[c], ROWS, values);
      for (int k = 0; k < ROWS; k++) {
        const double expected[] = {1 + k % D, k, k + 0.5, -k, 2.0 * k};
        assert_true(values[k] == expected[c]);
      }
    }
    assert_int_equal(H5Lexists(file, "event", H5P_DEFAULT), chain);
    if (chain) read_column(file, "event", ROWS, values);
    for (int k = 0; chain && k < ROWS; k++) assert_true(values[k] == k + 1); /* none overlap */
    H5Fclose(file);
  }
  assert_int_equal(slips_file_write(&nowhere, &(SlipsFile){.rows = rows, .d = D}), -1);
  free(values);
  fclose(rows);
  unlink(path);
  rmdir(directory);
}

int main(void) {
  if (!hdf5_begin(NULL)) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(events_are_what_hangs_together),
                                     cmocka_unit_test(columns_are_the_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
