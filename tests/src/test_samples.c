/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests forces from files of measured samples. */
#include "tests/sim/event/event.h"
#include "tests/src/problem_text.h"

#include "src/file/values/samples.h"

static const char text[] = "model: {kind: friction, mass: [1, 2], friction: 1, force: {file: load.csv}}\n"
                           "time: {end: 2, steps: 40}\n";

static void write_load(const char *csv) {
  char path[FIXTURE_PATH_SIZE];
  write_file("load.csv", csv, strlen(csv), path);
}

/* Reads the force f of a dof at the times of the grid, from a file with one column, by the section force. */
static void read_course(const char *force, double f[41]) {
  char setting[200], *settings[] = {setting, NULL};
  Problem p;
  snprintf(setting, sizeof setting, "model.force=%s", force);
  read_good(text, settings, &p);
  for (int k = 0; k <= 40; k++) f[k] = p.sim.force[2 * k + 1];
  problem_clear(&p);
}

static void columns(void **state) {
  Problem p;
  (void)state;
  write_load("# measured on a Monday\n\nt, motor 1, motor 2\n0, 1, -2\n0.5,2,4\n\n 2 , -1 , 1e1\n");
  read_good(text, NULL, &p);
  for (int k = 0; k <= 40; k++) {
    double t = 0.05 * k;
    assert_near(p.sim.force[2 * k], t < 0.5 ? 1 + 2 * t : 2 - 2 * (t - 0.5), 1e-15);
    assert_near(p.sim.force[2 * k + 1], t < 0.5 ? -2 + 12 * t : 4 + 4 * (t - 0.5), 4e-15);
  }
  problem_clear(&p);
  write_load("0,3\n2,5\n"); /* one for all */
  read_good(text, NULL, &p);
  assert_near(p.sim.force[40], 4, 1e-15);
  assert_true(p.sim.force[41] == p.sim.force[40]);
  problem_clear(&p);
}

/* The cubic interpolation is nearer to a smooth function than linear interpolation is. No value is outside the range of
 * its two samples. */
static void cubic(void **state) {
  double coarse[41], f[41];
  char csv[2000] = "";
  (void)state;
  for (int k = 0; k <= 10; k++) sprintf(csv + strlen(csv), "%.17g, %.17g\n", 0.2 * k, exp(0.2 * k));
  write_load(csv);
  read_course("[0, {file: load.csv}]", coarse);
  read_course("[0, {file: load.csv, interpolation: cubic}]", f);
  double off = 0, off_line = 0;
  for (int k = 0; k <= 40; k++) {
    off = fmax(off, fabs(f[k] - exp(0.05 * k)));
    off_line = fmax(off_line, fabs(coarse[k] - exp(0.05 * k)));
  }
  assert_in_range(1000 * off_line, 20, 40); /* h^2/8 f'' */
  assert_true(off < off_line / 8);
  write_load("0,0\n0.5,0\n1,1\n1.5,1\n2,-3\n");
  read_course("[0, {file: load.csv, interpolation: cubic}]", f);
  for (int k = 0; k < 40; k++) {
    assert_true(k > 10 || f[k] == 0);
    assert_true(k < 20 || k > 30 || f[k] == 1);
    assert_true(k < 10 || k >= 20 || f[k] <= f[k + 1]);
    assert_true(k < 30 || f[k] >= f[k + 1]);
  }
}

/* Returns in x [2] the positions at the end of the exact motion under a force. */
static void move_by(const char *force, double x[2]) {
  char setting[200], event[] = "scheme={name: event}", *settings[] = {event, setting, NULL};
  double v[2];
  Problem p;
  snprintf(setting, sizeof setting, "model.force=%s", force);
  read_good(text, settings, &p);
  SimProblem sim = p.sim;
  SimModel *model;
  SimWorkspace *work;
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_problem_finalize(&sim, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&sim, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  problem_clear(&p);
}

/* A held sample counts until the next one, by the steps and by the exact motion. */
static void hold(void **state) {
  double f[41], x[2][2];
  (void)state;
  write_load("0,3\n0.5,-2\n1.25,7\n2,100\n");
  read_course("[0, {file: load.csv, interpolation: hold}]", f);
  for (int k = 0; k < 40; k++) assert_true(f[k] == (k < 10 ? 3 : k < 25 ? -2 : 7));
  assert_true(f[40] == 100);
  move_by("[0, {file: load.csv, interpolation: hold}]", x[0]);
  move_by("[0, [{until: 0.5, value: 3}, {until: 1.25, value: -2}, {value: 7}]]", x[1]);
  assert_true(fabs(x[0][1]) > 0.1);
  assert_near(x[0][1], x[1][1], 1e-14);
}

/* A table of samples may be one piece of a force. The exact motion uses the lines between samples without error. */
static void pieces(void **state) {
  double x[2][2];
  (void)state;
  write_load("0,0\n0.25,2\n2,-5\n");
  move_by("[0, [{until: 0.5, value: {file: load.csv}}, {value: \"-t\"}]]", x[0]);
  move_by("[0, [{until: 0.25, value: \"8*t\"}, {until: 0.5, value: \"2-4*(t-0.25)\"}, {value: \"-t\"}]]", x[1]);
  assert_true(fabs(x[0][1]) > 1e-3);
  assert_near(x[0][1], x[1][1], 1e-14);
}

/* An impact of half a millisecond begins to move the mass 25 ns after its start: round-off of that time is relatively
 * large. */
static void knock(void **state) {
  char event[] = "scheme={name: event}", mass[] = "model.mass=[1, 1]", spring[] = "model.stiffness=1",
       c[] = "model.friction=0.1", *settings[] = {event, mass, spring, c, NULL};
  double x[2], v[2];
  Problem p;
  (void)state;
  write_load("0,0\n0.503,0\n0.5035,2000\n0.504,0\n2,0\n");
  read_good(text, settings, &p);
  SimModel *model;
  SimWorkspace *work;
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_problem_finalize(&p.sim, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&p.sim, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
  assert_near(x[0], 0.904678611, 1e-8); /* expected motion, computed with this force in four pieces */
  assert_true(x[0] == x[1]);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  problem_clear(&p);
}

/* The echo reads back as the same problem, unless the file has changed. */
static void echo(void **state) {
  Problem p;
  char errors[2000];
  (void)state;
  write_load("0,1,2\n2,3,4\n");
  read_good(text, NULL, &p);
  json_t *all = problem_echo(&p);
  char *again = json_dumps(all, 0);
  json_decref(all);
  double last = p.sim.force[81];
  problem_clear(&p);
  read_good(again, NULL, &p);
  assert_true(p.sim.force[81] == last);
  problem_clear(&p);
  write_load("0,1,2\n2,3,4.5\n");
  assert_int_equal(read_bytes(again, strlen(again), NULL, false, errors, &p), EXIT_USAGE);
  assert_non_null(strstr(errors, "model.force.checksum: "));
  assert_non_null(strstr(errors, "load.csv has changed"));
  free(again);
}

/* Sparse matrices are echoed as written. */
static void echo_of_sparse(void **state) {
  char sparse[] = "model.matrices=sparse", inputs[] = "control={matrix: [[1], [0]], target: {velocity: 0}}",
       *settings[] = {sparse, inputs, NULL};
  Problem p;
  (void)state;
  write_load("0,1,2\n2,3,4\n");
  read_good(text, settings, &p);
  json_t *all = problem_echo(&p), *force = json_object_get(json_object_get(all, "model"), "force");
  assert_non_null(json_string_value(json_object_get(force, "checksum")));
  json_decref(all);
  problem_clear(&p);
}

static void mistakes(void **state) {
  static const char *const bad[][2] = {
      {"", "load.csv: model.force.file: the file is empty"},
      {"t,x\n", "load.csv:1:"},
      {"0,1\n2,3\n1,4\n",
       "load.csv:3:1: model.force.file: not above the one before (expected a first column that ascends)"},
      {"0,1\n2,3,4\n", "load.csv:2:5: model.force.file: more numbers than columns"},
      {"0,1,2\n2,3\n", "load.csv:2:4: model.force.file: the row ends too early"},
      {"0,1\n2,nan\n", "load.csv:2:3: model.force.file: not a number"},
      {"0,1\n2,0x1\n", "load.csv:2:3: model.force.file: not a number"},
      {"0 1\n2 3\n", "load.csv:1:1: model.force.file: not one time and 1 to 4096 numbers"},
      {"\xef\xbb\xbf"
       "0,1\n1.9,3\n",
       "model.force: the file's times are 0 to 1.9"},
      {"0,1\n1e-320,5\n2,3\n", "load.csv:2:8: model.force.file: a rise that is not finite"},
      {"-1..,7\n0,1\n2,3\n", "load.csv:1:1: model.force.file: not a number"},
      {"0,1\n1.9,3\n", "model.force: the file's times are 0 to 1.9 (expected 0 to 2)"},
      {"0,1,2,3\n2,3,4,5\n", "model.force: 3 entries (expected 2)"},
  };
  (void)state;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char errors[2000];
    Problem p;
    write_load(bad[k][0]);
    assert_int_equal(read_bytes(text, strlen(text), NULL, false, errors, &p), EXIT_USAGE);
    if (!strstr(errors, bad[k][1]) || strchr(errors, '\n') != strrchr(errors, '\n'))
      fail_msg("%s where %s was expected", errors, bad[k][1]);
  }
}

static int remove_all(void **state) {
  char path[FIXTURE_PATH_SIZE];
  fixture_path(directory, "load.csv", path);
  unlink(path);
  return remove_directory(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns), cmocka_unit_test(cubic), cmocka_unit_test(hold),           cmocka_unit_test(pieces),
      cmocka_unit_test(knock),   cmocka_unit_test(echo),  cmocka_unit_test(echo_of_sparse), cmocka_unit_test(mistakes),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_all);
}
