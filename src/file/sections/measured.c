/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the section measured: a file of positions and velocities, and the intervals in which a degree of freedom (dof)
 * was observed to stick. */
#include "src/file/sections/identification.h"
#include "src/file/values/csv.h"
#include "src/file/values/parameter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const SimParameter deviation_parameters[] = {
    {"position", SIM_FORM_NUMBER, "m", "of positions", SIM_ABOVE(0), .preset = 1,
     SIM_MEMBER(Identification, position_deviation)},
    {"velocity", SIM_FORM_NUMBER, "m/s", "of velocities, and of the 0 of what was seen to stick", SIM_ABOVE(0),
     .preset = 1, SIM_MEMBER(Identification, velocity_deviation)},
    {0}};

enum { FILE_ROW, DEVIATION_ROW, STICK_ROW };
const SimParameter measured_parameters[] = {
    {"file", SIM_FORM_TEXT, NULL, "a CSV file with a line of names: t, x1, v2, x:NAME, .., weight; cells may be empty",
     .required = true},
    {"deviation", SIM_FORM_SECTION, NULL, "standard deviations of what was measured", .default_text = "1 and 1",
     .parts = deviation_parameters},
    {"stick", SIM_FORM_ROWS, NULL,
     "intervals of observed sticking: [DOF, FROM, TO], ..; each counts as v = 0 at 8 times between",
     .default_text = "none"},
    {0}};

/* T_COLUMN .. IGNORED_COLUMN stand for columns of the measured file that are no quantities: times, weights of rows, and
 * columns that are not used. COLUMNS_MAX: maximum number of columns. */
enum { T_COLUMN = -1, WEIGHT_COLUMN = -2, IGNORED_COLUMN = -3, COLUMNS_MAX = 4096 };

typedef struct Reading {
  Reader *reader;
  Identification *id;
  Csv csv;
  int *what; /* [fields] meaning of each field of a row: the index of a column of `id`, or one of the constants above;
              * owned */
  int fields;
  bool late; /* whether a row with a time after time.end was found; these rows are ignored */
  long capacity, rows_capacity;
} Reading;

static double deviation_of(const Identification *id, bool velocity) {
  return velocity ? id->velocity_deviation : id->position_deviation;
}

/* Grows an array of items of `size` bytes, of which the first `used` are filled, so that one more fits. Returns the new
 * address of the array; NULL after recording that there is no memory. */
static void *grow(Reading *reading, void *items, long used, long *capacity, size_t size) {
  if (used < *capacity) return items;
  *capacity = *capacity ? 2 * *capacity : 256;
  void *more = realloc(items, (size_t)*capacity * size);
  if (!more) reading->reader->diagnostics->no_memory = true;
  return more;
}

static bool add(Reading *reading, Measured measured) {
  Identification *id = reading->id;
  Measured *all = grow(reading, id->measured, id->m, &reading->capacity, sizeof *all);
  if (!all) return false;
  id->measured = all;
  id->measured[id->m++] = measured;
  return true;
}

static bool add_time(Reading *reading, double t) {
  Identification *id = reading->id;
  double *all = grow(reading, id->times, id->rows, &reading->rows_capacity, sizeof *all);
  if (!all) return false;
  id->times = all;
  id->times[id->rows++] = t;
  return true;
}

/* Returns whether a column of trajectory.csv with this name is skipped, because it is not compared with a motion. Thus
 * a trajectory.csv of this program can serve as measured motion. */
static bool is_ignored(const char *name) {
  static const char *const others[] = {"lambda", "reaction", "u"};
  bool any = false;
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    size_t n = strlen(others[k]);
    any = any || (strncmp(name, others[k], n) == 0 && (name[n] == ':' || (name[n] >= '1' && name[n] <= '9')));
  }
  return any;
}

/* Reads the name of column k, such as "t", "weight", "x2" or "v:link1". */
static bool take_name(Reading *reading, char *name, int k) {
  Identification *id = reading->id;
  const Problem *problem = reading->reader->problem;
  char *end = name + strcspn(name, ",\r\n");
  while (end > name && strchr(" \t", end[-1])) end--;
  char kept = *end;
  *end = '\0';
  const char *of = *name ? name + 1 : "";
  bool symbol = (*name == 'x' || *name == 'v') && *of;
  int dof = symbol ? labels_find(&problem->labels, problem->sim.d, *of == ':' ? of + 1 : of) : 0;
  reading->what[k] = strcmp(name, "t") == 0        ? T_COLUMN
                     : strcmp(name, "weight") == 0 ? WEIGHT_COLUMN
                     : is_ignored(name)            ? IGNORED_COLUMN
                                                   : id->columns;
  *end = kept;
  bool good = (reading->what[k] == T_COLUMN) == (k == 0);
  for (int j = 0; j < k && good; j++) good = reading->what[j] != WEIGHT_COLUMN || reading->what[k] != WEIGHT_COLUMN;
  if (good && reading->what[k] < 0) return true;
  for (int j = 0; j < id->columns && good; j++)
    good = id->column[j].dof != dof - 1 || id->column[j].velocity != (*name == 'v');
  if (!good || dof == 0)
    return csv_refuse(&reading->csv, name,
                      "not the name of a column (expected t, then x or v of a degree of freedom each once, as x1 or "
                      "v:NAME, or weight; u, lambda and reaction are ignored)");
  id->column[id->columns++] = (MeasuredColumn){dof - 1, *name == 'v'};
  return true;
}

static bool read_names(Reading *reading, char *line) {
  reading->fields = csv_fields(line);
  if (reading->fields < 2 || reading->fields > COLUMNS_MAX)
    return csv_refuse(&reading->csv, line, "not a time and what was measured (expected names: t, x1, ..)");
  reading->what = diagnostics_calloc(reading->reader->diagnostics, (size_t)reading->fields, sizeof *reading->what);
  reading->id->column =
      diagnostics_calloc(reading->reader->diagnostics, (size_t)reading->fields, sizeof *reading->id->column);
  if (!reading->what || !reading->id->column) return false;
  char *name = line;
  for (int k = 0; k < reading->fields; k++) {
    name += strspn(name, " \t");
    if (!take_name(reading, name, k)) return false;
    name += strcspn(name, ",");
    name += *name == ',';
  }
  return reading->id->columns > 0 || csv_refuse(&reading->csv, line, "no column of a position or a velocity");
}

/* Reads a number, or an empty field, from a row. Sets *empty, and *more if another field follows. Returns false after
 * reporting an error. */
static bool take_field(Reading *reading, char **from, double *value, bool *empty, bool *more) {
  char *start = *from + strspn(*from, " \t");
  *empty = *start == ',' || strchr("\r\n", *start);
  if (!*empty)
    return csv_number(from, value, more) ||
           csv_refuse(&reading->csv, start, "not a number (expected NUMBER, or nothing)");
  *more = *start == ',';
  *from = start + *more;
  return true;
}

/* Returns whether the time of a row is larger than that of the previous row and a time of the simulation; reports an
 * error if not. An error about a time after time.end is kept for identification_check. */
static bool check_time(Reading *reading, const char *at, double t) {
  const Identification *id = reading->id;
  if (id->rows > 0 && !(t > id->times[id->rows - 1]))
    return csv_refuse(&reading->csv, at, "a time that is not after the one before");
  if (is_wrong(reading->reader, "time") || (t >= 0 && t <= reading->reader->problem->sim.end)) return true;
  reading->late = t > 0;
  if (reading->late) reading->csv.diagnostics = &reading->id->late;
  return csv_refuse(&reading->csv, at, "a time that is not simulated (expected 0 to time.end)");
}

static bool read_row(Reading *reading, char *from) {
  Identification *id = reading->id;
  double t = 0, value = 0, weight = 1;
  long first = id->m, row = id->rows;
  bool empty, more = true;
  for (int k = 0; k < reading->fields; k++) {
    char *field = from;
    int what = reading->what[k];
    if (!more) return csv_refuse(&reading->csv, field, "the row ends too early (expected a field in each column)");
    if (!take_field(reading, &from, &value, &empty, &more)) return false;
    if (what == IGNORED_COLUMN) continue;
    if (empty && what < 0) return csv_refuse(&reading->csv, field, "nothing (expected a number)");
    if (what == T_COLUMN && !(check_time(reading, field, value) && add_time(reading, t = value))) return false;
    if (what == WEIGHT_COLUMN && !((weight = value) >= 0))
      return csv_refuse(&reading->csv, field, "a negative weight (expected 0 or more)");
    if (empty || what < 0) continue;
    bool velocity = id->column[what].velocity;
    if (!add(reading, (Measured){t, id->column[what].dof, velocity, value, deviation_of(id, velocity),
                                 row * id->columns + what}))
      return false;
  }
  if (more) return csv_refuse(&reading->csv, from, "more fields than columns");
  if (weight == 0) id->m = first;
  for (long k = first; k < id->m; k++) id->measured[k].deviation /= sqrt(weight);
  return id->m <= FIT_CELLS_MAX || csv_refuse(&reading->csv, from, "too many numbers (expected at most 1000000)");
}

static bool read_rows(Reading *reading) {
  char *from = csv_next(&reading->csv);
  if (reading->csv.broken) return false;
  if (!from) return csv_refuse(&reading->csv, reading->csv.line ? reading->csv.line : "", "the file is empty");
  if (!read_names(reading, from)) return false;
  while ((from = csv_next(&reading->csv)) != NULL)
    if (!read_row(reading, from)) return reading->late;
  return !reading->csv.broken;
}

static bool read_file(Reading *reading, Node *file) {
  char path[FILE_PATH_SIZE], key[NODE_PATH_SIZE];
  if (!node_file(reading->reader, file, path) || !csv_open(&reading->csv, reading->reader, file, path, key))
    return false;
  bool good = read_rows(reading);
  csv_close(&reading->csv);
  reading->id->data = reading->id->m;
  reading->id->file = realpath(path, NULL);
  if (!reading->id->file) reading->id->file = strdup(path);
  if (!reading->id->file) reading->reader->diagnostics->no_memory = true;
  return good && reading->id->file;
}

/* Reads an interval [DOF, FROM, TO] of sticking. It is divided into FIT_STICK_POINTS equal parts, and a residual for v
 * = 0 is added at the midpoint of each part. */
static bool read_interval(Reading *reading, Node *node) {
  Reader *reader = reading->reader;
  const Problem *problem = reader->problem;
  Node *dof = node->first, *from = dof ? dof->next : NULL, *to = from ? from->next : NULL;
  double begin, end;
  if (node->kind != NODE_SEQUENCE || node->n != 3 || dof->kind != NODE_SCALAR)
    return value_error(reader, node, "not an interval (expected [DOF, FROM, TO])");
  int which = labels_find(&problem->labels, problem->sim.d, dof->text);
  if (which == 0) value_error(reader, dof, "no degree of freedom (expected a number or a name)");
  bool good = node_number(reader, from, &begin);
  good = node_number(reader, to, &end) && good && which > 0;
  if (!good) return false;
  bool ordered = begin >= 0 && begin < end, late = !is_wrong(reader, "time") && end > problem->sim.end;
  if (!ordered || late) {
    node_error(node, ordered ? &reading->id->late : reader->diagnostics,
               "from %g to %g s (expected 0 <= FROM < TO <= time.end)", begin, end);
    return ordered;
  }
  for (int k = 0; k < FIT_STICK_POINTS && good; k++)
    good = add(reading, (Measured){begin + (k + 0.5) / FIT_STICK_POINTS * (end - begin), which - 1, true, 0,
                                   reading->id->velocity_deviation, -1});
  return good;
}

static int compare(const void *left, const void *right) {
  const Measured *a = left, *b = right;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
  return a->dof - b->dof;
}

bool read_measured(Reader *reader, Node *section, Identification *id) {
  Reading reading = {.reader = reader, .id = id};
  Node *file = key_get(reader, section, measured_parameters[FILE_ROW].key),
       *stick = key_get(reader, section, measured_parameters[STICK_ROW].key);
  Node *deviation = read_section(reader, section, measured_parameters[DEVIATION_ROW].key);
  sim_parameters_set_defaults(deviation_parameters, id);
  parameters_read(reader, deviation, deviation_parameters, id);
  if (!file) require(reader, section, "measured.file", "the name of a CSV file");
  if (is_wrong(reader, "model")) return false; /* after errors in the model, the names of its dofs are not known */
  bool good = file && read_file(&reading, file);
  free(reading.what);
  if (stick && stick->kind != NODE_SEQUENCE) return value_expected(reader, stick, "[[DOF, FROM, TO], ..]");
  for (Node *item = stick ? stick->first : NULL; item; item = item->next) good = read_interval(&reading, item) && good;
  if (good) qsort(id->measured, (size_t)id->m, sizeof *id->measured, compare);
  return good;
}
