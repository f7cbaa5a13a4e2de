/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads models with model.kind: mechanism. The user gives the equations of motion; dry friction acts on their
 * coordinates. */
#include "src/file/model/mechanism_making.h"

#include "src/file/values/urdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EACH_COORDINATE = SIM_FORM_FORMULA | SIM_FORM_EXPRESSIONS | SIM_FORM_NAMED };

static const SimParameter keys[] = {
    {"coordinates", SIM_FORM_NAMED, NULL, "names of the coordinates, and the unit of each, m or rad",
     .default_text = "to be given, or links, or urdf"},
    {"links", SIM_FORM_NAMED, NULL,
     "a chain of rigid bodies from the origin, each turned against the one before by the angle of its name",
     .parts = mechanism_link_keys, .default_text = "none"},
    {"urdf", SIM_FORM_TEXT, NULL,
     "a robot's file: joints are the coordinates; damping, friction and limits are its own where no key here gives "
     "them",
     .default_text = "none"},
    {"parameters", SIM_FORM_NAMED, NULL, "numbers by names, for expressions", .default_text = "none"},
    {"let", SIM_FORM_NAMED, NULL, "expressions by names, for expressions that follow; NAME' is the rate",
     .default_text = "none"},
    {"bodies", SIM_FORM_NAMED, NULL, "masses at places, and plane bodies; their weight acts against the last place",
     .parts = mechanism_body_keys, .default_text = "none"},
    {"kinetic", SIM_FORM_FORMULA, "J", "T, in addition to that of bodies and links",
     .variables = "coordinates, rates, t", .default_text = "0"},
    {"potential", SIM_FORM_FORMULA, "J", "V, likewise", .variables = "coordinates, t", .default_text = "0"},
    {"force", EACH_COORDINATE, "N or N m", "what acts on each coordinate", .variables = "coordinates, rates, t",
     .default_text = "0"},
    {"friction", EACH_COORDINATE, "N or N m", "c: the force up to which a coordinate sticks",
     .variables = "coordinates, rates, t", .default_text = "0"},
    {"viscous", EACH_COORDINATE, "N s/m or N m s", "b: friction b q' that grows with the rate",
     .variables = "coordinates, rates, t", .default_text = "0"},
    {"armature", EACH_COORDINATE, "kg or kg m^2",
     "inertia of a motor's rotor at the joint, times its gear ratio squared", .variables = "parameters",
     .default_text = "0"},
    {"gravity", SIM_FORM_NUMBER, "m/s^2", "g, against the last entry of places", .preset = 9.81},
    {"x0", SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_WEIGHTED, "m or rad", "coordinates at t = 0",
     .default_text = "0"},
    {"v0", SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_WEIGHTED, "m/s or rad/s", "rates at t = 0", .default_text = "0"},
    {"stops", SIM_FORM_SECTION, NULL, "ends that coordinates do not pass", .parts = sim_stops_parameters,
     .default_text = "none", SIM_MEMBER(SimProblem, stops.present)},
    {"points", SIM_FORM_NAMED_LISTS, "m",
     "places by names: of one to three expressions, or the name of a link, which has its end there, of a robot's file "
     "its "
     "origin",
     .default_text = "none"},
    {"lines", SIM_FORM_ROWS, NULL,
     "of a drawing: lists of names of points, bodies, links, and origin, each joined to the next",
     .default_text = "along links and joints"},
    {0}};

/* Sharing a mechanism between problems ----------------------------------------------------------------------------- */

Mechanism *mechanism_share(Mechanism *mechanism) {
  if (mechanism) mechanism->shares++;
  return mechanism;
}

void mechanism_release(Mechanism *mechanism) {
  if (!mechanism || mechanism->shares-- > 0) return;
  mechanism_destroy(mechanism->sim);
  mechanism_local_clear(&mechanism->start);
  free(mechanism->turns);
  free(mechanism->points);
  free(mechanism->spots);
  free(mechanism->lines);
  free(mechanism->joints);
  free(mechanism);
}

/* Reading coordinates ---------------------------------------------------------------------------------------------- */

/* Coordinates found in the file. turns [n]: true if the unit of the coordinate is rad, false if it is m. */
typedef struct Found {
  char (*names)[LABEL_SIZE]; /* [MECHANISM_MOST] names of the coordinates */
  int n;
  bool turns[MECHANISM_MOST + 1];
} Found;

/* Adds a coordinate for each key of a mapping. The unit of the coordinate is m if the value of the key is the word m;
 * otherwise rad. */
static void find_keys(Making *making, Node *section, Found *found) {
  for (Node *node = section->first; node; node = node->next) {
    if (!making_name_is_good(making, node)) continue;
    if (found->n == MECHANISM_MOST) {
      value_error(making->reader, node, "more than %d coordinates", MECHANISM_MOST);
      return;
    }
    found->turns[found->n] = node->kind != NODE_SCALAR || strcmp(node->text, "m") != 0;
    strcpy(found->names[found->n++], node->key);
  }
}

static void find_coordinates(Making *making, Node *section, Found *found) {
  section->ignored = true; /* the keys are names, so they are not reported as unknown */
  find_keys(making, section, found);
  for (Node *node = section->first; node; node = node->next) {
    bool length = node->kind == NODE_SCALAR && strcmp(node->text, "m") == 0;
    bool angle = node->kind == NODE_SCALAR && strcmp(node->text, "rad") == 0;
    if (!length && !angle) value_expected(making->reader, node, "the unit m or rad");
  }
}

static void find_links(Making *making, Node *section, Found *found) {
  section->known = true;
  for (Node *node = section->first; node; node = node->next) node->known = true;
  find_keys(making, section, found); /* links do not give units, so all coordinates are angles */
}

/* Reads a robot's file (URDF) and adds a coordinate for each movable joint. Sets `path` to the path of the file. The
 * caller clears *urdf. */
static void find_joints(Making *making, Node *node, Urdf *urdf, Found *found, char path[FILE_PATH_SIZE]) {
  Reader *reader = making->reader;
  if (!node_file(reader, node, path) || !urdf_read(path, "model.urdf", &node->place, reader->diagnostics, urdf)) return;
  found->n = making_urdf_names(urdf, found->names);
  for (int k = 0, i = 0; k < urdf->n_joints && i <= MECHANISM_MOST; k++)
    if (urdf->joints[k].motion != URDF_FIXED) found->turns[i++] = urdf->joints[k].motion == URDF_TURNS;
  if (found->n > MECHANISM_MOST) value_error(reader, node, "more than %d joints that move", MECHANISM_MOST);
  if (found->n == 0) value_error(reader, node, "no joint that moves");
  for (int i = 0; i < found->n && found->n <= MECHANISM_MOST; i++)
    for (int j = 0; j < i; j++)
      if (strcmp(found->names[i], found->names[j]) == 0)
        value_error(reader, node, "two joints of the name %s, as expressions have it", found->names[i]);
  if (is_wrong(reader, "model.urdf")) found->n = 0;
}

/* Sets the names and units of the coordinates, as used in columns, pictures and messages. */
static void set_labels(Making *making, const Found *found) {
  Labels *labels = &making->reader->problem->labels;
  size_t n = (size_t)found->n;
  int angles = 0;
  labels->names = diagnostics_calloc(making->reader->diagnostics, n, sizeof *labels->names);
  making->made->turns = diagnostics_calloc(making->reader->diagnostics, n, sizeof *making->made->turns);
  if (!labels->names || !making->made->turns) return;
  memcpy(making->made->turns, found->turns, n * sizeof *found->turns);
  for (int i = 0; i < found->n; i++) angles += found->turns[i];
  labels->n = found->n;
  memcpy(labels->names, found->names, n * sizeof *labels->names);
  labels_set_unit(labels, false, !angles ? "m" : angles < found->n ? "m or rad" : "rad");
  labels_set_unit(labels, true, !angles ? "N" : angles < found->n ? "N or N m" : "N m");
}

/* Creates the mechanism with its coordinates and parameters, and the names that expressions may use. The equations are
 * read later. */
static void begin(Making *making, const Found *found) {
  char(*parameters)[LABEL_SIZE];
  double *values;
  const char *names[MECHANISM_MOST];
  int n = making_read_parameters(making, &parameters, &values);
  const char **texts = diagnostics_calloc(making->reader->diagnostics, (size_t)n + 1, sizeof *texts);
  for (int i = 0; i < found->n; i++) names[i] = found->names[i];
  for (int k = 0; k < n && texts; k++) texts[k] = parameters[k];
  SimMechanism *sim = texts && values ? mechanism_create(found->n, names, n, texts, values) : NULL;
  making->sim = making->made->sim = sim;
  if (!sim) making->reader->diagnostics->no_memory = true;
  for (int i = 0; i < found->n && sim; i++) making->nodes[i] = sim->variables.q[i];
  for (int i = 0; i < found->n && sim; i++) making_add_name(making, names[i], "'", sim->variables.v[i]);
  if (sim) making_add_name(making, "t", "", sim->variables.t);
  for (int k = 0; k < n && sim; k++) making_add_name(making, texts[k], "", sim->parameters[k]);
  free(texts);
  free(parameters);
  free(values);
}

/* Reading equations and building their graph ----------------------------------------------------------------------- */

static void read_energy(Making *making, const char *key, unsigned may, int *sum) {
  Node *node = key_get(making->reader, making->model, key);
  int made = node ? making_expression(making, node, may) : -1;
  if (made >= 0) *sum = graph_add(&making->sim->graph, *sum, made);
}

/* Reads the coordinates of a point: a list of expressions, or the name of a link. */
static bool read_point(Making *making, Node *node, MechanismPoint *point) {
  bool good = true;
  if (node->kind == NODE_SCALAR && *node->text) return making_place_of_link(making, node, point);
  if (node->kind != NODE_SEQUENCE || node->n < 1 || node->n > 3)
    return value_expected(making->reader, node, "a list of one to three expressions, or the name of a link");
  for (Node *item = node->first; item; item = item->next)
    good = (point->at[point->n++] = making_expression(making, item, MAY_MOVE | MAY_TURN_WITH_TIME)) >= 0 && good;
  return good;
}

static void read_points(Making *making) {
  Reader *reader = making->reader;
  Node *section = read_section(reader, making->model, "points");
  if (!section) return;
  section->ignored = true; /* the keys are names, so they are not reported as unknown */
  Mechanism *made = making->made;
  made->points = diagnostics_calloc(reader->diagnostics, section->n + 1, sizeof *made->points);
  if (section->n > MECHANISM_POINTS_MOST) value_error(reader, section, "more than %d points", MECHANISM_POINTS_MOST);
  for (Node *node = section->first; node && made->points; node = node->next) {
    MechanismPoint *point = &made->points[made->n_points];
    bool good = making_name_is_good(making, node);
    *point = (MechanismPoint){.n = 0};
    if (!read_point(making, node, point) || !good) continue;
    strcpy(point->name, node->key);
    for (int i = 0; i < point->n; i++)
      snprintf(point->columns[i], sizeof point->columns[i], "%s.%c", point->name, "xyz"[i]);
    made->n_points++;
    making_add_spot(making, point->name, point->n, point->at);
  }
}

static void read_equations(Making *making, Node *links, Urdf *urdf) {
  SimMechanism *sim = making->sim;
  making->kinetic = making->potential = graph_number(&sim->graph, 0);
  making_read_definitions(making);
  if (links) making_read_links(making, links);
  if (urdf->n_joints) making_add_urdf(making, urdf);
  making_read_bodies(making);
  read_energy(making, "kinetic", MAY_ALL, &making->kinetic);
  read_energy(making, "potential", MAY_MOVE | MAY_TURN_WITH_TIME, &making->potential);
  if (!mechanism_add_energies(sim, making->kinetic, making->potential)) making->reader->diagnostics->no_memory = true;
  making_read_forces(making);
  read_points(making);
  making_read_lines(making);
}

/* Returns the node of the key coordinates, links or urdf. Reports an error if the file gives none or several of them;
 * of several, returns the first. Returns NULL if the file gives none, or after reporting that coordinates or links is
 * not a mapping. */
static Node *find_source(Making *making) {
  Reader *reader = making->reader;
  Node *all[] = {key_get(reader, making->model, "coordinates"), key_get(reader, making->model, "links"),
                 key_get(reader, making->model, "urdf")},
       *source = NULL;
  for (int k = 0; k < 3; k++) {
    if (all[k] && source) {
      value_error(reader, all[k], "with %s (expected one of coordinates, links and urdf)", source->key);
      all[k]->ignored = true;
    } else if (all[k]) {
      source = all[k];
    }
  }
  if (!source) require(reader, making->model, "model.coordinates", "{NAME: m, NAME: rad, ..}, or links, or urdf");
  bool mapping = source && strcmp(source->key, "urdf") != 0;
  if (mapping && (source->kind != NODE_MAPPING || !source->first)) {
    value_expected(reader, source, "{NAME: .., ..}");
    return NULL;
  }
  return source;
}

/* Reports model.names and model.units unless they equal the names and units of the coordinates. Both keys are allowed
 * because the resolved problem, which can be read as a problem file, contains them. */
static void check_labels(Making *making) {
  Reader *reader = making->reader;
  const Labels *labels = &reader->problem->labels;
  Node *names = key_get(reader, making->model, "names"), *units = key_get(reader, making->model, "units");
  bool same = names && names->kind == NODE_SEQUENCE && names->n == (size_t)labels->n;
  int i = 0;
  for (Node *item = same ? names->first : NULL; item; item = item->next)
    same = item->kind == NODE_SCALAR && strcmp(item->text, labels->names[i++]) == 0 && same;
  if (names && !same) value_error(reader, names, "names are those of the coordinates (expected no such key)");
  const char *const own[] = {labels->position, labels->force};
  for (int k = 0; units && units->kind == NODE_MAPPING && k < 2; k++) {
    const Node *unit = key_get(reader, units, model_units[k].key);
    if (unit && (unit->kind != NODE_SCALAR || strcmp(unit->text, own[k]) != 0))
      value_error(reader, unit, "units are those of the coordinates (expected no such key)");
  }
}

/* Reading and filling a mechanism, and adding it to the resolved problem ------------------------------------------- */

/* Stores the section model as written, with the value of gravity, for the resolved problem. Keys that are added to it
 * by other functions are left out. */
static void keep_written(Making *making) {
  json_t *echo = node_echo(making->reader, making->model);
  static const char *const others[] = {"kind", "names", "units", "stops"};
  for (int k = 0; k < 4; k++) json_object_del(echo, others[k]);
  json_object_set_new(echo, "gravity", json_real(making->gravity));
  if (!echo) making->reader->diagnostics->no_memory = true;
  making->reader->problem->as_written = echo;
}

static void read_mechanism(Reader *reader, Node *model, WrittenKeys *written) {
  char names[MECHANISM_MOST + 1][LABEL_SIZE], path[FILE_PATH_SIZE];
  Making making = {.reader = reader, .model = model};
  Found found = {.names = names};
  Urdf urdf = {0};
  const WrittenKey *gravity = keys_find(written, "gravity");
  reader->problem->mechanism = making.made = diagnostics_calloc(reader->diagnostics, 1, sizeof *making.made);
  reader->problem->force = force_read(reader, NULL);
  Node *source = making.made ? find_source(&making) : NULL;
  if (!source) return;
  making.gravity = gravity->row->preset;
  if (gravity->node) parameter_value(reader, gravity->node, gravity->row, &making.gravity);
  bool links = strcmp(source->key, "links") == 0;
  if (strcmp(source->key, "urdf") == 0)
    find_joints(&making, source, &urdf, &found, path);
  else if (links)
    find_links(&making, source, &found);
  else
    find_coordinates(&making, source, &found);
  if (found.n > 0) {
    set_labels(&making, &found);
    for (int i = 0; i < found.n; i++) making_add_name(&making, names[i], "", -1);
    reader->d = found.n;
    check_labels(&making);
    if (making.n_names == found.n) begin(&making, &found);
  }
  if (making.sim) read_equations(&making, links ? source : NULL, &urdf);
  keep_written(&making);
  urdf_clear(&urdf);
  free(making.names);
  free(making.nodes);
  free(making.links);
}

static void fill_mechanism(Reader *reader, Node *model, WrittenKeys *written) {
  Mechanism *made = reader->problem->mechanism;
  Making making = {.reader = reader, .model = model, .made = made, .sim = made ? made->sim : NULL};
  (void)written;
  if (making.sim && reader->d) making_start(&making);
}

static bool echo_mechanism(const Problem *problem, json_t *model) {
  return json_object_update(model, problem->as_written) == 0;
}

const ModelKind model_mechanism = {.name = "mechanism",
                                   .sentence =
                                       "coordinates of any equations of motion: bodies, energies, links, robots",
                                   .keys = keys,
                                   .sim = SIM_MECHANISM,
                                   .most = MECHANISM_MOST,
                                   .variable = "i",
                                   .read = read_mechanism,
                                   .fill = fill_mechanism,
                                   .echo = echo_mechanism};
