/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests `auto` with as many targets as variables. The target is the final state of a random ("planted") control, and
 * `auto` must not find a more expensive control. */
#include "control/certify.h"
#include "tests/control/sqp/case.h"

enum { JOINTS = 3, PROBLEMS = 100 };

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * (1 + fixture_random(seed)) / 2;
}

static int one_of(uint64_t *seed, int low, int high) {
  int k = (int)between(seed, low, high + 1);
  return k > high ? high : k;
}

static void write_vector(FILE *f, const char *before, int n, uint64_t *seed, double low, double high) {
  fprintf(f, "%s[", before);
  for (int i = 0; i < n; i++) fprintf(f, "%s%.17g", i ? ", " : "", between(seed, low, high));
  fprintf(f, "]");
}

/* Writes F F' with a random F, and adds `more` to the diagonal. */
static void write_definite(FILE *f, const char *before, int d, uint64_t *seed, double size, double more) {
  double F[JOINTS][JOINTS];
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) F[i][j] = between(seed, -size, size);
  fprintf(f, "%s[", before);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      double sum = i == j ? more : 0;
      for (int k = 0; k < d; k++) sum += F[i][k] * F[j][k];
      fprintf(f, "%s%s%.17g%s", i && !j ? ", " : "", j ? ", " : "[", sum, j == d - 1 ? "]" : "");
    }
  fprintf(f, "]");
}

/* Writes the entries of the target: n of all 2 d entries are 0, positions first, and the others are null (free). */
static void write_target(FILE *f, int d, int n) {
  static const char *const keys[] = {"position", "velocity"};
  fprintf(f, "target: {");
  for (int part = 0; part < 2 && part * d < n; part++) {
    fprintf(f, "%s%s: [", part ? ", " : "", keys[part]);
    for (int i = 0; i < d; i++) fprintf(f, "%s%s", i ? ", " : "", part * d + i < n ? "0" : "null");
    fprintf(f, "]");
  }
  fprintf(f, "}");
}

/* Writes a random problem of 1 to 3 joints with as many targets as variables, at most twice the number of joints. */
static void write_problem(const char *path, uint64_t *seed) {
  static const double ends[] = {1, 2, 3, 5};
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  int d = one_of(seed, 1, JOINTS), p = one_of(seed, 1, d), segments = one_of(seed, 1, 2 * d / p);
  double end = ends[one_of(seed, 0, 3)];
  bool stribeck = fixture_random(seed) < -0.5, springs = fixture_random(seed) < 0.4;
  write_definite(f, "model: {kind: friction, mass: ", d, seed, 0.7, between(seed, 1, 3));
  write_definite(f, ", stiffness: ", d, seed, springs ? 1.5 : 0, 0);
  write_vector(f, ", friction: ", d, seed, 0.3, 3.5);
  write_vector(f, ", viscous: ", d, seed, 0, 0.4);
  write_vector(f, ", x0: ", d, seed, -1, 1);
  write_vector(f, ", v0: ", d, seed, -0.5, 0.5);
  write_vector(f, ", force: ", d, seed, -2, 2);
  if (stribeck) fprintf(f, ", stribeck: {law: ramp, beta: 0.3, epsilon: 0.1}");
  fprintf(f, "}\ntime: {end: %g, steps: 200}\nscheme: {name: %s}\ncontrol: {matrix: [", end,
          fixture_random(seed) < 0.2 ? "event" : "moreau");
  for (int i = 0; i < d; i++) write_vector(f, i ? ", " : "", p, seed, -2, 2);
  fprintf(f, "], signal: {kind: piecewise_constant, segments: %d}, ", segments);
  write_target(f, d, p * segments);
  fprintf(f, "}\n");
  fclose(f);
}

/* Plants a random control: the final state of its motion becomes the target. Returns its J, or NAN if its motion
 * fails. */
static double plant(Case *c, uint64_t *seed) {
  static const double sizes[] = {0.7, 2, 4, 8};
  CtlProblem *p = &c->problem.control;
  double u[2 * JOINTS], x[JOINTS], v[JOINTS], size = sizes[one_of(seed, 0, 3)];
  SimFinal final = {.x = x, .v = v};
  assert_in_range(p->n, 1, 2 * JOINTS);
  assert_int_equal(p->n, c->evaluator.m);
  for (int i = 0; i < p->n; i++) u[i] = between(seed, -size, size);
  c->evaluator.evaluate(c->evaluator.context, (CtlWant){0}, 1, u, &final, NULL);
  if (final.status != SIM_OK) return NAN;
  for (int i = 0; i < p->d; i++) {
    if (!isnan(p->position[i])) p->position[i] = x[i];
    if (!isnan(p->velocity[i])) p->velocity[i] = v[i];
  }
  return ctl_cost(p, u);
}

/* Searches with `auto`. Returns J, or INFINITY if the target is not met. */
static double found_by_auto(const Case *c, long *simulations) {
  CtlSearch *search;
  CtlState state;
  assert_int_equal(stiction_asktell_create(&c->problem.control, &search), CTL_OK);
  assert_int_equal(ctl_drive_serial(search, &c->evaluator, NULL, NULL), 0);
  stiction_asktell_state(search, &state);
  double J = state.E1 <= 1e-6 && state.E2 <= 1e-6 ? state.J : INFINITY;
  *simulations = state.ivps;
  stiction_asktell_destroy(search);
  return J;
}

/* `auto` finds at most the planted J for all but a few of a hundred planted controls. */
static void planted_controls_are_not_beaten(void **state) {
  enum { DEARER_MOST = 1, SIMULATIONS_MOST = 300 };
  char directory[FIXTURE_DIRECTORY_SIZE], path[FIXTURE_PATH_SIZE];
  uint64_t seed = 1;
  int dearer = 0, unmet = 0, tried = 0;
  long all = 0;
  (void)state;
  assert_int_equal(fixture_directory(directory), 0);
  fixture_path(directory, "problem.yaml", path);
  for (int k = 0; k < PROBLEMS; k++) {
    long simulations;
    Case c;
    write_problem(path, &seed);
    open_case_at(&c, path, 0, NULL);
    double J = plant(&c, &seed);
    if (!isnan(J)) {
      double found = found_by_auto(&c, &simulations);
      tried++;
      dearer += found > 1.001 * J + 1e-12;
      unmet += isinf(found);
      all += simulations;
    }
    close_case(&c);
  }
  print_message("%d of %d dearer than planted, %d of them unmet; %.0f simulations each\n", dearer, tried, unmet,
                (double)all / tried);
  remove(path);
  remove(directory);
  assert_true(tried > PROBLEMS * 9 / 10);
  assert_true(dearer <= DEARER_MOST);
  assert_true(all <= (long)SIMULATIONS_MOST * tried);
}

/* If the map u -> B'x(T) is monotone, the first answer is the least, and no other start is tried. */
static void monotone_maps_take_one_start(void **state) {
  enum { SIMULATIONS_MOST = 40 };
  static const struct {
    const char *setting;
    bool convex;
  } cases[] = {{"control.target={position: [2, 0, -2]}", true},
               {"control.target={position: [2, null, -2]}", false},
               {"control.signal={kind: piecewise_constant, segments: 2}", false},
               {"control.signal={kind: piecewise_linear, segments: 1}", false},
               {"model.stribeck={law: ramp, beta: 0.3, epsilon: 0.1}", false},
               {"model.stops={lower: [-50, -50, -50], upper: [50, 50, 50]}", false},
               {"control.matrix=[[1], [0], [-1]]", true}};
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *settings[] = {"search={method: auto}", "scheme={name: event}", cases[k].setting};
    long simulations;
    Case c;
    open_case(&c, "tp1", 3, settings);
    assert_int_equal(c.problem.control.convex, cases[k].convex);
    if (k == 0) {
      assert_true(fabs(found_by_auto(&c, &simulations) - 474.0676684) < 1e-6);
      assert_true(simulations <= SIMULATIONS_MOST);
    }
    close_case(&c);
  }
}

/* Three masses are pushed at one place in two segments, and two positions have targets. The first answer is 2000 times
 * too expensive. */
static void dearer_answers_are_left(void **state) {
  static const char *const settings[] = {
      "model={kind: friction, mass: [[3.121, -0.942, 0.636], [-0.942, 3.471, 0.151], [0.636, 0.151, 2.497]], "
      "stiffness: [[1.444, 0.757, 1.058], [0.757, 2.947, 1.99], [1.058, 1.99, 2.853]], "
      "damping: [[0.29, 0, 0], [0, 0.33, 0], [0, 0, 0.25]], friction: [1.33, 2.25, 3.17], "
      "x0: [-0.38, 1.33, -0.97], v0: [0.1, 0.36, -0.34], force: [-0.5, 0.53, -1.75]}",
      "time={end: 2, steps: 200}",
      "control={matrix: [[-0.93], [-1.68], [0.34]], target: {position: [-0.372, 1.411, null]}, "
      "signal: {kind: piecewise_constant, segments: 2}}",
      "search={method: auto}"};
  long simulations;
  Case c;
  (void)state;
  open_case(&c, "tp1", 4, settings);
  assert_true(found_by_auto(&c, &simulations) < 0.95);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(planted_controls_are_not_beaten),
                                     cmocka_unit_test(monotone_maps_take_one_start),
                                     cmocka_unit_test(dearer_answers_are_left)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
