/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/model/model.h"

#include "src/file/values/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_SIZE = 64 };

/* A friction table as written in the file: values friction [columns][n] at the speeds speed [n]; both arrays are
 * owned. */
typedef struct Curve {
  int n, columns;
  double *speed, *friction;
} Curve;

static bool make_room(Reader *reader, Curve *curve) {
  size_t n = (size_t)curve->n, all = n * ((size_t)curve->columns + 1);
  curve->speed = diagnostics_calloc(reader->diagnostics, all, sizeof *curve->speed);
  curve->friction = curve->speed ? curve->speed + n : NULL;
  return curve->speed;
}

/* Reads a CSV file. Its first column has speeds; then follows one column of friction for all joints, or one column for
 * each joint. */
static bool take_file(Reader *reader, Node *section, Curve *curve) {
  Samples *samples = samples_read_numbers(reader, section);
  if (!samples) return false;
  curve->n = (int)samples_count(samples);
  curve->columns = samples_columns(samples);
  bool good = make_room(reader, curve);
  for (int k = 0; good && k < curve->n; k++) {
    curve->speed[k] = samples_time(samples, k);
    for (int j = 0; j < curve->columns; j++)
      curve->friction[j * curve->n + k] = samples_at(samples, j, curve->speed[k]);
  }
  samples_destroy(samples);
  return good;
}

/* Reads the lists `velocity` and `friction`. If each joint has its own friction, `friction` is a list of rows. */
static bool take_lists(Reader *reader, Node *section, Curve *curve) {
  Values speed = values_read(reader, section, "velocity", SIM_FORM_LIST),
         friction = values_read(reader, section, "friction", SIM_FORM_LIST | SIM_FORM_ROWS);
  if (!speed.node || !friction.node)
    value_error(reader, section, "%s is missing (expected {velocity: LIST, friction: LIST} or {file: NAME})",
                speed.node ? "friction" : "velocity");
  bool good = speed.node && speed.good && friction.node && friction.good;
  bool each = good && friction.form == SIM_FORM_ROWS;
  if (good) {
    *curve = (Curve){.n = speed.rows, .columns = each ? friction.rows : 1};
    int n = each ? friction.columns : friction.rows;
    if (n != curve->n) value_error(reader, friction.node, "%d entries (expected %d, as velocity has)", n, curve->n);
    good = n == curve->n && make_room(reader, curve);
  }
  if (good) {
    memcpy(curve->speed, speed.data, (size_t)curve->n * sizeof *curve->speed);
    memcpy(curve->friction, friction.data, (size_t)curve->n * (size_t)curve->columns * sizeof *curve->friction);
  }
  values_clear(&speed);
  values_clear(&friction);
  return good;
}

/* Returns, for an error message, the requirement that entry k of a friction table violates. The function is called only
 * for entries that stiction_problem_set_friction_table refuses. */
static const char *expected_of(bool of_speed, long k, double value) {
  if (of_speed) return k ? "a speed above the one before" : "a speed >= 0: friction is the same both ways";
  if (k == 0) return "friction > 0, where it begins to slip";
  return value < 0 ? "friction >= 0" : "a rise that is finite";
}

static void report_entry(Reader *reader, Node *section, const Curve *curve, long where) {
  bool of_speed = where < curve->n;
  Node *list = key_get(reader, section, of_speed ? "velocity" : "friction");
  long k = where % curve->n;
  double value = of_speed ? curve->speed[where] : curve->friction[where - curve->n];
  char row[ROW_SIZE] = "";
  if (!of_speed && curve->columns > 1)
    snprintf(row, sizeof row, " of %s %ld", list ? "row" : "degree of freedom", where / curve->n);
  const char *expected = expected_of(of_speed, k, value);
  if (list)
    value_error(reader, list, "entry %ld%s is %g (expected %s)", k + 1, row, value, expected);
  else
    value_error(reader, section, "%s %ld%s of the file is %g (expected %s)", of_speed ? "speed" : "friction", k + 1,
                row, value, expected);
}

/* Returns the numbers of the table as JSON for the resolved problem, which thus does not need the file of the table. */
static json_t *echo(const SimFrictionTable *table) {
  json_t *speeds = json_array(), *rows = json_array();
  for (int j = 0; j < table->columns; j++) {
    json_t *row = json_array();
    for (int k = 0; k < table->points; k++) {
      const double *at = table->rows + ((long)j * table->points + k) * SIM_TABLE_ROW;
      if (j == 0) json_array_append_new(speeds, json_real(at[SIM_TABLE_SPEED]));
      json_array_append_new(row, json_real(at[SIM_TABLE_FRICTION]));
    }
    json_array_append_new(rows, row);
  }
  json_t *friction = table->columns == 1 ? json_incref(json_array_get(rows, 0)) : json_incref(rows);
  json_decref(rows);
  return json_pack("{s:o, s:o}", "velocity", speeds, "friction", friction);
}

static void take(Reader *reader, Node *section, const Curve *curve, WrittenKeys *keys, double scale) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  long where;
  SimStatus status =
      stiction_problem_set_friction_table(sim, curve->n, curve->columns, curve->speed, curve->friction, &where);
  note_memory(reader, status);
  if (status == SIM_BAD_PROBLEM) report_entry(reader, section, curve, where);
  if (status != SIM_OK) return;
  for (int i = 0; i < sim->count && !keys_find(keys, "friction")->node; i++)
    sim->friction[i] = scale * curve->friction[curve->columns == 1 ? 0 : (long)i * curve->n];
  keep_json(reader, as_written(problem), "friction_table", echo(&sim->system.table));
}

void fill_friction_table(Reader *reader, Node *model, WrittenKeys *keys, double scale) {
  Node *section = read_section(reader, model, "friction_table");
  if (!section) return;
  Node *file = key_get(reader, section, "file");
  Curve curve = {.n = 0};
  bool lists = key_get(reader, section, "velocity") || key_get(reader, section, "friction");
  bool good = false;
  if (file && lists)
    value_error(reader, file, "beside numbers (expected a file, or velocity and friction)");
  else
    good = file ? take_file(reader, section, &curve) : take_lists(reader, section, &curve);
  if (good && keys_find(keys, "stribeck")->node)
    value_error(reader, section, "beside stribeck, which is another law (expected one of the two)");
  else if (good && reader->d && curve.columns != 1 && (curve.columns != reader->d || reader->problem->storage))
    value_error(reader, file ? file : key_get(reader, section, "friction"),
                "of %d degrees of freedom (expected one for all%s)", curve.columns,
                reader->problem->storage ? "" : ", or one each");
  else if (good && reader->d)
    take(reader, section, &curve, keys, scale);
  free(curve.speed);
}
