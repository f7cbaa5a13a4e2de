/* SPDX-License-Identifier: BSD-2-Clause */
/* Targets that read files written by users: problem files with settings, expressions, matrices. */
#include "tests/fuzz/fuzz.h"

#include "sim/graph/derivative.h"
#include "sim/graph/kernel.h"
#include "sim/graph/reader.h"
#include "src/file/sections/file.h"
#include "src/file/text/expression.h"
#include "src/file/values/matrix_market.h"
#include "src/study/axes.h"

#include <math.h>
#include <string.h>

enum { SETTINGS = 4 };

/* The limits are small, so that each input is read within milliseconds. */
static const WorkLimits limits = {.seconds = 0.02, .bytes = 64 << 20};

/* Returns a NUL-terminated copy of the bytes; the caller frees it. */
static char *copy_text(const uint8_t *bytes, size_t size) {
  char *text = malloc(size + 1);
  FUZZ_HOLDS(text);
  if (size) memcpy(text, bytes, size);
  text[size] = '\0';
  return text;
}

/* A problem that was read has an echo, which is read back as the same problem. */
static void echo_again(const Problem *problem) {
  const ModelRanks alone = {.copies = 1, .limits = limits};
  Diagnostics reported = {0};
  Problem again;
  json_t *echo = problem_echo(problem);
  char *text = json_dumps(echo, JSON_REAL_PRECISION(17));
  FUZZ_HOLDS(echo && text);
  int code = problem_text_read("the problem", text, strlen(text), NULL, 0, &alone, &reported, &again);
  /* reading the echo takes more work than reading the file */
  bool costs = reported.count == 1 && strstr(reported.list[0].text, "--max-");
  if (code && !costs) diagnostics_print(&reported, stderr);
  FUZZ_HOLDS(!code || costs);
  diagnostics_clear(&reported);
  if (!code) {
    json_t *twice = problem_echo(&again);
    FUZZ_HOLDS(json_equal(echo, twice));
    json_decref(twice);
    problem_clear(&again);
  }
  json_decref(echo);
  free(text);
}

/* Reads a problem as `stiction search` does. If it is accepted, its echo must be read back. No program is run. */
static void take_evaluator(const char *path, char *const *settings, int n) {
  Diagnostics reported = {0};
  Problem problem, again;
  if (!problem_file_has_evaluator(path, settings, n)) return;
  int code = problem_evaluator_read(path, settings, n, &(WorkLimits){0}, &reported, &problem);
  FUZZ_HOLDS(code == 0 || reported.errors > 0);
  if (!code) {
    json_t *echo = problem_echo(&problem);
    char *text = json_dumps(echo, JSON_REAL_PRECISION(17));
    FUZZ_HOLDS(text && !problem_evaluator_text_read("echo", text, strlen(text), &reported, &again));
    json_t *twice = problem_echo(&again);
    FUZZ_HOLDS(json_equal(echo, twice));
    json_decref(twice);
    free(text);
    json_decref(echo);
    problem_clear(&again);
    problem_clear(&problem);
  }
  diagnostics_clear(&reported);
}

/* Reads a problem file and, separated by NULs, settings. */
static void take_problem(const uint8_t *bytes, size_t size) {
  char path[FUZZ_PATH_SIZE], *settings[SETTINGS];
  const uint8_t *part;
  int n = 0;
  size_t length = fuzz_part(&bytes, &size, &part);
  fuzz_write("problem.yaml", part, length);
  while (size && n < SETTINGS) {
    length = fuzz_part(&bytes, &size, &part);
    settings[n++] = copy_text(part, length);
  }
  const ModelRanks alone = {.copies = 1, .limits = limits};
  Diagnostics reported = {0};
  Problem problem;
  fuzz_path("problem.yaml", path);
  problem_file_storage(path, settings, n, false);
  problem_file_wants_petsc(path, settings, n);
  int code = problem_file_read_shared(path, settings, n, false, &alone, &reported, &problem);
  FUZZ_HOLDS(code == 0 || reported.errors > 0);
  if (!code) {
    echo_again(&problem);
    problem_clear(&problem);
  }
  diagnostics_clear(&reported);
  take_evaluator(path, settings, n);
  for (int i = 0; i < n; i++) free(settings[i]);
}

/* Values of --vary must be read back as the same values. */
static void take_axes(char *text) {
  Diagnostics reported = {0};
  Axes axes, again;
  int code = axes_read(&axes, &text, 1, false, &reported);
  FUZZ_HOLDS(code == 0 || reported.errors);
  if (!code) {
    FUZZ_HOLDS(axes.runs >= 2 && axes.runs <= SWEEP_RUNS_MAX);
    const Axis *axis = &axes.axes[0];
    size_t size = strlen(axis->key) + 8, at;
    for (long i = 0; i < axis->count; i++) size += strlen(axes_value(axis, i)) + 2;
    char *list = malloc(size);
    FUZZ_HOLDS(list);
    at = (size_t)sprintf(list, "%s=[", axis->key);
    for (long i = 0; i < axis->count; i++) at += (size_t)sprintf(list + at, "%s%s", i ? ", " : "", axes_value(axis, i));
    strcpy(list + at, "]");
    code = axes_read(&again, &list, 1, false, &reported);
    FUZZ_HOLDS(code == 0 && again.runs == axes.runs);
    for (long i = 0; i < axis->count; i++) FUZZ_HOLDS(strcmp(axes_value(axis, i), axes_value(&again.axes[0], i)) == 0);
    axes_clear(&again);
    free(list);
  }
  axes_clear(&axes);
  diagnostics_clear(&reported);
}

/* The series of an expression, and of its derivative, must be the same with every instruction set. */
static void take_series(const char *text) {
  enum { ORDERS = 6 };
  static const char *const names[] = {"s", "t"};
  static const GraphRole roles[] = {GRAPH_CONSTANT, GRAPH_VARIES};
  char message[GRAPH_MESSAGE_SIZE];
  Graph graph;
  graph_init(&graph, GRAPH_TIDY);
  int variables[] = {graph_variable(&graph, 0), graph_variable(&graph, 1)}, outputs[2];
  outputs[0] = graph_read(&graph, text, &(GraphNames){2, names, variables}, message);
  FUZZ_HOLDS(outputs[0] >= 0 || *message);
  const char *why = NULL;
  GraphTape *tape = NULL;
  if (outputs[0] >= 0) {
    FUZZ_HOLDS(graph_gradient(&graph, outputs[0], 1, &variables[1], &outputs[1]));
    tape = graph_tape_create(&graph, 2, roles, 2, outputs, &why);
    FUZZ_HOLDS(tape || why);
  }
  double first[2 * (ORDERS + 1)];
  for (int kernel = 0; tape && graph_kernel_number(kernel); kernel++) {
    tape->kernel = graph_kernel_number(kernel);
    GraphSeries *series = graph_series_create(tape);
    FUZZ_HOLDS(series);
    for (int i = 0; i < 2; i++) graph_series_set(series, i, 0, 0.7 - 0.4 * i);
    graph_series_begin(series, true);
    graph_series_take(series, 0);
    for (int k = 1; k <= ORDERS; k++) {
      graph_series_set(series, 1, k, k == 1);
      graph_series_advance(series, k);
      graph_series_take(series, k);
    }
    for (int k = 0; k < 2 * (ORDERS + 1); k++) {
      double value = graph_series_get(series, k % 2, k / 2);
      if (kernel == 0) first[k] = value;
      FUZZ_HOLDS(value == first[k] || (isnan(value) && isnan(first[k])));
    }
    graph_series_signs(series, ORDERS);
    graph_series_destroy(series);
  }
  graph_tape_destroy(tape);
  graph_clear(&graph);
}

static void take_expression(const uint8_t *bytes, size_t size) {
  static const char *const names[] = {"s", "t"};
  static const double values[][2] = {{0, 0}, {1, -1}, {1e300, 1e-300}, {INFINITY, NAN}};
  char message[EXPRESSION_MESSAGE_SIZE], *text = copy_text(bytes, size);
  take_axes(text);
  double constant, seconds, kept;
  expression_cost(text, &seconds, &kept);
  FUZZ_HOLDS(seconds >= 0 && seconds < 1 && kept >= 0);
  Expression *expression = expression_create(text, 2, names, message);
  FUZZ_HOLDS(expression || *message);
  for (size_t i = 0; expression && i < sizeof values / sizeof *values; i++) {
    double value = expression_evaluate(expression, values[i]), twice = expression_evaluate(expression, values[i]);
    FUZZ_HOLDS(value == twice || (isnan(value) && isnan(twice)));
  }
  expression_destroy(expression);
  if (size <= EXPRESSION_LENGTH_MAX) take_series(text);
  if (expression_constant(text, &constant, message))
    FUZZ_HOLDS(isfinite(constant) && !(constant == 0 && signbit(constant)));
  free(text);
}

static void take_matrix(const uint8_t *bytes, size_t size) {
  char path[FUZZ_PATH_SIZE];
  const Place place = {.name = "file"};
  Diagnostics reported = {0};
  int rows, columns;
  fuzz_write("matrix.mtx", bytes, size);
  fuzz_path("matrix.mtx", path);
  double *dense = matrix_market_read(path, "key", &place, &rows, &columns, &reported);
  FUZZ_HOLDS(dense ? rows > 0 && columns > 0 && !reported.errors : reported.errors || reported.no_memory);
  for (long i = 0; dense && i < (long)rows * columns; i++) FUZZ_HOLDS(isfinite(dense[i]));
  free(dense);
  diagnostics_clear(&reported);
  long d = matrix_market_rows(path);
  FUZZ_HOLDS(d >= 0);
  if (d < 1 || d > MATRIX_SIZE_MAX) return;
  SimMatrix sparse = {0};
  bool good = matrix_market_read_rows(path, "key", &place, (int)d, 0, (int)d, &sparse, &reported);
  FUZZ_HOLDS(good || reported.errors || reported.no_memory);
  for (int k = 0; good && k < sparse.start[d]; k++) FUZZ_HOLDS(sparse.column[k] >= 0 && sparse.column[k] < d);
  sim_matrix_clear(&sparse);
  diagnostics_clear(&reported);
}

/* Reads measured data: a force, both interpolated and as samples; a friction table; and a motion to be fitted. */
static void take_load(const uint8_t *bytes, size_t size) {
  static const char *const texts[] = {
      "model: {kind: friction, mass: [1, 2], force: {file: load.csv, interpolation: linear}}\n"
      "time: {end: 1, steps: 20}\n",
      "model: {kind: friction, mass: [1, 2], force: {file: load.csv, interpolation: cubic}}\n"
      "time: {end: 1, steps: 20}\nscheme: {name: event}\n",
      "model: {kind: friction, mass: [1, 2], friction_table: {file: load.csv}}\n"
      "time: {end: 1, steps: 20}\nscheme: {name: event}\n",
      "model: {kind: friction, mass: [1, 2], friction: 2}\ntime: {end: 1, steps: 20}\n"
      "identify: {model.friction: {lower: 1, upper: 3}, model.mass: {lower: 1, upper: [2, 3]}}\n"
      "measured: {file: load.csv, stick: [[1, 0.1, 0.2]]}\n"};
  const ModelRanks alone = {.copies = 1, .limits = limits};
  fuzz_write("load.csv", bytes, size);
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    char path[FUZZ_PATH_SIZE];
    Diagnostics reported = {0};
    Problem problem;
    fuzz_write("problem.yaml", (const uint8_t *)texts[k], strlen(texts[k]));
    int code = problem_file_read_shared(fuzz_path("problem.yaml", path), NULL, 0, false, &alone, &reported, &problem);
    FUZZ_HOLDS(code == 0 || reported.errors > 0 || reported.no_memory);
    if (!code) echo_again(&problem);
    if (!code) problem_clear(&problem);
    diagnostics_clear(&reported);
  }
}

/* Reads a robot's file as a model. */
static void take_robot(const uint8_t *bytes, size_t size) {
  static const char text[] = "model: {kind: mechanism, urdf: robot.urdf, armature: 0.1, x0: 0.3, v0: -0.2}\n"
                             "time: {end: 1, steps: 20}\n";
  const ModelRanks alone = {.copies = 1, .limits = limits};
  char path[FUZZ_PATH_SIZE];
  Diagnostics reported = {0};
  Problem problem;
  fuzz_write("robot.urdf", bytes, size);
  fuzz_write("problem.yaml", (const uint8_t *)text, strlen(text));
  int code = problem_file_read_shared(fuzz_path("problem.yaml", path), NULL, 0, false, &alone, &reported, &problem);
  FUZZ_HOLDS(code == 0 || reported.errors > 0 || reported.no_memory);
  if (!code) echo_again(&problem);
  if (!code) problem_clear(&problem);
  diagnostics_clear(&reported);
}

const FuzzTarget fuzz_problem = {.name = "problem", .take = take_problem};
const FuzzTarget fuzz_expression = {.name = "expression", .take = take_expression};
const FuzzTarget fuzz_matrix = {.name = "matrix", .take = take_matrix};
const FuzzTarget fuzz_load = {.name = "load", .take = take_load};
const FuzzTarget fuzz_robot = {.name = "robot", .take = take_robot};
