/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/identification.h"
#include "src/base/path.h"
#include "src/file/sections/keys.h"
#include "src/file/values/parameter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS_MAX = 1000 };

static const SimParameter bound_parameters[] = {
    {"lower", SIM_FORM_NUMBER | SIM_FORM_LIST, NULL, "the least that it may be; for a list one for all, or one each",
     .required = true},
    {"upper", SIM_FORM_NUMBER | SIM_FORM_LIST, NULL, "the largest, likewise", .required = true},
    {0}};

const SimParameter identify_parameters[] = {
    {"starts", SIM_FORM_INTEGER, NULL,
     "runs of least squares: from the file's values, from the best of a direct search, from points spread within the "
     "bounds",
     SIM_FROM_TO(1, STARTS_MAX), .preset = 4, SIM_MEMBER(Identification, starts)},
    {ANY_MODEL_KEY, SIM_FORM_SECTION, NULL,
     "a number of the file to be found, by its path as for --set; of a list each number is found", .required = true,
     .parts = bound_parameters},
    {0}};

/* Returns whether a parameter is not in the list yet; reports a duplicate. */
static bool is_new(Reader *reader, const Node *node, const Identification *id, const char *path) {
  for (int k = 0; k < id->n; k++)
    if (strcmp(id->parameters[k].path, path) == 0) return value_error(reader, node, "%s twice", path);
  return true;
}

/* Returns whether a number can vary on its own. If another number must vary with it, e.g. the mirrored entry of a
 * symmetric matrix, reports an error and returns false. */
static bool is_alone(Reader *reader, const Node *node, const char *path) {
  static const char *const symmetric[] = {"model.mass", "model.stiffness"}; /* damping need not be symmetric */
  PathStep row, column;
  for (size_t k = 0; k < sizeof symmetric / sizeof *symmetric; k++) {
    size_t n = strlen(symmetric[k]);
    if (strncmp(path, symmetric[k], n) != 0 || path[n] != '[' || path_steps(path) != 4) continue;
    path_step(path_step(path + n, &row), &column);
    if (row.entry == column.entry || !column.entry) continue;
    node_error(node, reader->diagnostics,
               "off the diagonal of a symmetric matrix: entry (%zu,%zu) would stay as it is (expected an entry "
               "of the diagonal, or of a stiffness by its springs or links)",
               column.entry, row.entry);
    return false;
  }
  return true;
}

/* Adds one number of the file, with its bounds, to the parameters. Returns false after reporting an error. */
static bool add_parameter(Reader *reader, const Node *node, Node *at, double lower, double upper, Identification *id) {
  char path[NODE_PATH_SIZE];
  double start;
  if (!is_new(reader, node, id, node_path(at, path)) || !is_alone(reader, node, path)) return false;
  if (!node_number(reader, at, &start)) return false;
  bool room = id->n < FIT_PARAMETERS_MAX, ordered = lower < upper, inside = start >= lower && start <= upper;
  if (!room)
    value_error(reader, node, "too many numbers (expected at most %d)", FIT_PARAMETERS_MAX);
  else if (!ordered)
    value_error(reader, node, "lower %g, upper %g (expected lower < upper)", lower, upper);
  else if (!inside)
    value_error(reader, node, "%s is %g in the file (expected within its bounds, %g to %g)", path, start, lower, upper);
  if (!(room && ordered && inside)) return false;
  FitParameter *parameter = &id->parameters[id->n++];
  *parameter = (FitParameter){.start = start, .lower = lower, .upper = upper};
  snprintf(parameter->path, sizeof parameter->path, "%s", path);
  return true;
}

/* Reads the bounds [n] of a key. Returns false after reporting an error. */
static bool read_bound(Reader *reader, Node *section, const SimParameter *row, int n, double *bounds) {
  size_t before = reader->diagnostics->count;
  if (!key_get(reader, section, row->key))
    return value_error(reader, section, "%s is missing (expected {lower: NUMBER, upper: NUMBER})", row->key);
  read_vector(reader, section, row, n, bounds);
  return reader->diagnostics->count == before;
}

/* Adds the parameters that a path denotes: one number, or all numbers of a list. */
static void read_path(Reader *reader, Node *node, Identification *id) {
  double bounds[2][FIT_PARAMETERS_MAX];
  Node *named;
  if (!path_read(reader, node, "{lower: NUMBER, upper: NUMBER}", &named)) return;
  bool list = named && named->kind == NODE_SEQUENCE;
  size_t n = list ? named->n : 1;
  if (!named || strncmp(node->key, "model.", 6) != 0 || n == 0 || n > FIT_PARAMETERS_MAX) {
    node->ignored = true;
    value_error(reader, node,
                named ? "not what can be fitted (expected a number of the section model, or a list of at most %d)"
                      : "not in the file (expected a key of the section model that is)",
                FIT_PARAMETERS_MAX);
    return;
  }
  bool good = read_bound(reader, node, &bound_parameters[0], (int)n, bounds[0]);
  good = read_bound(reader, node, &bound_parameters[1], (int)n, bounds[1]) && good;
  Node *at = list ? named->first : named;
  for (size_t k = 0; k < n && good; k++, at = at->next)
    good = add_parameter(reader, node, at, bounds[0][k], bounds[1][k], id);
}

/* Reports a section `model` inside of `identify`, as --set identify.model.mass=.. makes it: paths are keys as a whole. */
static void report_section(Reader *reader, Node *child) {
  value_error(reader, child,
              "a section (expected paths as keys: --set 'identify={model.mass: {lower: 0.5, upper: 4}}', "
              "which gives all of them)");
  child->known = child->ignored = true;
}

static void read_parameters(Reader *reader, Node *section, Identification *id) {
  sim_parameters_set_defaults(identify_parameters, id);
  parameters_read(reader, section, identify_parameters, id);
  size_t before = reader->diagnostics->count;
  for (Node *child = section->first; child; child = child->next)
    if (strchr(child->key, '.'))
      read_path(reader, child, id);
    else if (strcmp(child->key, "model") == 0)
      report_section(reader, child);
  if (id->n == 0 && reader->diagnostics->count == before)
    value_error(reader, section, "nothing to identify (expected paths like model.friction)");
}

void read_identification(Reader *reader, Node *root) {
  Problem *problem = reader->problem;
  Node *identify = read_section(reader, root, "identify"), *measured = read_section(reader, root, "measured");
  if (!identify && !measured) return;
  Identification *id = problem->identification = diagnostics_calloc(reader->diagnostics, 1, sizeof *id);
  if (!id) return;
  if (!identify && !is_wrong(reader, "identify"))
    key_error(reader, "identify",
              "missing beside measured (expected {PATH: {lower: NUMBER, upper: NUMBER}}; or --set measured=null)");
  if (!measured && !is_wrong(reader, "measured"))
    key_error(reader, "measured", "missing beside identify (expected {file: NAME}; or --set identify=null)");
  if (problem->storage && identify) {
    value_error(reader, identify, "of sparse matrices (expected a model with dense ones)");
    identify->ignored = true;
    identify = NULL;
  }
  if (measured && problem->sim.surface_pieces && key_get(reader, measured, "stick"))
    key_error(reader, "measured.stick",
              "on a surface that moves, where what sticks does not rest (expected columns of velocities)");
  if (identify) read_parameters(reader, identify, id);
  bool read = measured && read_measured(reader, measured, id);
  double d = problem->sim.d, columns = 6 * d + 4.0 * id->n;
  double numbers = (double)id->m * columns + 4.0 * (double)id->rows * id->columns;
  if (read && !work_allowed(reader, "measured", "derivatives at the times measured", 0, 8 * numbers)) return;
  if (read && !id->late.errors && id->data < id->n)
    value_error(reader, measured, "%ld numbers measured for %d to be identified (expected at least as many)", id->data,
                id->n);
  /* the errors kept in id->late are reported together with the other errors, so that the user sees all at once */
  if (reader->diagnostics->errors) diagnostics_pass(&id->late, reader->diagnostics);
}

void pass_identification(Reader *reader, Node *root) {
  Node *both[] = {key_get(reader, root, "identify"), key_get(reader, root, "measured")};
  for (int k = 0; k < 2; k++)
    if (both[k]) both[k]->ignored = true;
}

void identification_destroy(Identification *id) {
  if (!id) return;
  free(id->file);
  free(id->column);
  free(id->times);
  free(id->measured);
  diagnostics_clear(&id->late);
  free(id);
}

int identification_check(Identification *id, Diagnostics *diagnostics) {
  if (!id || (!id->late.errors && !id->late.no_memory)) return 0;
  int code = id->late.no_memory ? EXIT_INTERNAL : EXIT_USAGE;
  diagnostics_pass(&id->late, diagnostics);
  return code;
}

bool identification_echo(const Identification *id, json_t *object) {
  json_t *identify = json_pack("{s:I}", "starts", (json_int_t)id->starts);
  for (int k = 0; k < id->n && identify; k++) {
    const FitParameter *p = &id->parameters[k];
    json_object_set_new(identify, p->path, json_pack("{s:f, s:f}", "lower", p->lower, "upper", p->upper));
  }
  json_t *measured = json_pack("{s:s, s:{s:f, s:f}, s:I, s:I}", "file", id->file, "deviation", "position",
                               id->position_deviation, "velocity", id->velocity_deviation, "numbers",
                               (json_int_t)id->data, "stick_points", (json_int_t)(id->m - id->data));
  bool good = identify && measured;
  return json_object_set_new(object, "identify", identify) == 0 &&
         json_object_set_new(object, "measured", measured) == 0 && good;
}
