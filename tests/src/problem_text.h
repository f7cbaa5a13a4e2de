/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions for tests with problem files as texts: a directory for the files, reading them, and two valid texts. */
#ifndef TESTS_PROBLEM_TEXT_H
#define TESTS_PROBLEM_TEXT_H

#include "tests/fixture.h"

#include "src/file/sections/file.h"

#include <unistd.h>

static char directory[FIXTURE_DIRECTORY_SIZE];

static void write_file(const char *name, const char *text, size_t size, char path[FIXTURE_PATH_SIZE]) {
  fixture_path(directory, name, path);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, size, file), size);
  fclose(file);
}

/* Reads a text as a problem file, with up to four settings; errors receives the reported errors. */
static int read_bytes(const char *text, size_t size, char **settings, bool need_control, char errors[2000],
                      Problem *p) {
  char path[FIXTURE_PATH_SIZE];
  int n = 0;
  FILE *stream = fmemopen(errors, 2000, "w");
  assert_non_null(stream);
  memset(errors, 0, 2000);
  while (settings && settings[n]) n++;
  write_file("problem.yaml", text, size, path);
  int code =
      problem_file_read(path, settings, n, need_control, &(Diagnostics){.report = diagnostic_print, .to = stream}, p);
  fclose(stream);
  errors[1999] = '\0';
  return code;
}

static inline void read_good(const char *text, char **settings, Problem *p) {
  char errors[2000];
  int code = read_bytes(text, strlen(text), settings, false, errors, p);
  if (code) fail_msg("%s", errors);
}

/* Checks that a text is refused with exactly these words. */
static inline void read_bad(const char *text, char **settings, const char *words) {
  char errors[2000];
  Problem p;
  assert_int_equal(read_bytes(text, strlen(text), settings, true, errors, &p), EXIT_USAGE);
  if (!strstr(errors, words) || strchr(errors, '\n') != strrchr(errors, '\n')) fail_msg("%s", errors);
}

static inline void assert_vector(const double *vector, int n, const double *expected) {
  for (int i = 0; i < n; i++)
    if (!(vector[i] == expected[i] || (isnan(vector[i]) && isnan(expected[i]))))
      fail_msg("entry %d is %.17g (expected %.17g)", i, vector[i], expected[i]);
}
#define ASSERT_VECTOR(vector, ...)                                                                                     \
  assert_vector(vector, (int)(sizeof((double[])__VA_ARGS__) / sizeof(double)), (double[])__VA_ARGS__)

static const char smallest[] = "model: {kind: friction, mass: 2}\n"
                               "time: {end: 1, step: 1/4}\n";

static const char full[] = "title: All keys\n"
                           "model:\n"
                           "  kind: friction\n"
                           "  mass: [[4, 1], [1, 5]]\n"
                           "  stiffness: {springs: [1, 2, 0]}\n"
                           "  damping: [1/10, pi]\n"
                           "  friction: 10\n"
                           "  force: [\"-100*exp(-10*t)\", 7]\n"
                           "  x0: [1, 2]\n"
                           "  v0: -0.5\n"
                           "  stribeck: {law: ramp, beta: [1/3, 1/4], epsilon: 0.1}\n"
                           "time: {end: 2, steps: 8}\n"
                           "scheme:\n"
                           "  name: centered\n"
                           "  start: paper\n"
                           "  alpha: 1/3\n"
                           "  multiplier: regularized\n"
                           "  epsilon: step/2\n"
                           "  r: 1/(delta*step)\n"
                           "  solver: fixed_point\n"
                           "  tolerance: 1e-9\n"
                           "control:\n"
                           "  matrix: [[1, 2, 3], [4, 5, 6]]\n"
                           "  weight: [[2, 1, 0], [1, 2, 0], [0, 0, 1]]\n"
                           "  start: [1, 0, -1]\n"
                           "  bounds: {lower: -10, upper: [null, 5, 6]}\n"
                           "  signal: {kind: constant}\n"
                           "  target: {position: [null, 3], velocity: 0,\n"
                           "    scale: {position: [null, 1/2], velocity: 0.1}}\n"
                           "search:\n"
                           "  method: pds\n"
                           "  penalty: Pi\n"
                           "  norm: inf\n"
                           "  rho: 1000\n"
                           "  rho_update: dynamic\n"
                           "  scheme_size: paper\n"
                           "  simplex: [[1, 0, 0], [0, 2, 0], [0, 1, 3]]\n"
                           "  step: 0.5\n"
                           "  tolerance: 1e-8\n"
                           "  relative_tolerance: 1e-7\n"
                           "  accept: 1e-5\n"
                           "  stop_at: 1e-4\n"
                           "  max_evaluations: 1e5\n"
                           "  max_simplexes: 30\n"
                           "  max_seconds: 2*60\n"
                           "  restarts: 0\n"
                           "output: {every: 5}\n";

static int make_directory(void **state) {
  (void)state;
  return fixture_directory(directory);
}

static int remove_directory(void **state) {
  (void)state;
  char path[FIXTURE_PATH_SIZE];
  const char *const names[] = {"problem.yaml", "M.mtx"};
  for (int i = 0; i < 2; i++) {
    fixture_path(directory, names[i], path);
    unlink(path);
  }
  return rmdir(directory);
}

#endif
