/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads model.bodies and model.links: point masses, bodies in a plane, and chains of rigid bodies. */
#include "src/file/model/mechanism_making.h"

#include "sim/graph/derivative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const SimParameter mechanism_body_keys[] = {
    {"mass", SIM_FORM_FORMULA, "kg", "m", .variables = "parameters", .default_text = "0"},
    {"at", SIM_FORM_EXPRESSIONS, "m", "where its centre is: two or three expressions, the last upward",
     .default_text = "to be given with mass"},
    {"inertia", SIM_FORM_FORMULA, "kg m^2", "J about the centre, of a body that turns in a plane",
     .variables = "parameters", .default_text = "0"},
    {"angle", SIM_FORM_FORMULA, "rad", "by which it is turned", .variables = "coordinates and t",
     .default_text = "to be given with inertia"},
    {0}};

const SimParameter mechanism_link_keys[] = {
    {"length", SIM_FORM_FORMULA, "m", "from its joint to the next one, along x of the link", .variables = "parameters",
     .required = true},
    {"mass", SIM_FORM_FORMULA, "kg", "m", .variables = "parameters", .required = true},
    {"centre", SIM_FORM_FORMULA | SIM_FORM_EXPRESSIONS, "m",
     "of mass, from its joint: a distance along the link, or three", .variables = "parameters",
     .default_text = "length/2"},
    {"inertia", SIM_FORM_FORMULA | SIM_FORM_EXPRESSIONS, "kg m^2",
     "J about the centre: of a link that turns about z, or three, about x, y, z", .variables = "parameters",
     .default_text = "that of a rod, mass*length^2/12"},
    {"axis", SIM_FORM_LIST, NULL, "about which it turns, in the link's frame; with it z is upward, else y",
     .default_text = "[0, 0, 1]"},
    {0}};

/* Reads an expression that must be >= 0 and may contain no variables but parameters. Returns the graph node of the
 * expression, or `otherwise` if the key is absent. */
static int read_constant(Making *making, Node *section, const char *key, int otherwise) {
  Node *node = key_get(making->reader, section, key);
  return node ? making_not_negative(making, node, making_expression(making, node, 0)) : otherwise;
}

/* Reads a list of `least` to `most` expressions, and sets made[] to their nodes in the graph. may: see
 * making_expression. Returns the number of expressions; 0 after reporting an error. */
static int read_list(Making *making, Node *node, int least, int most, const char *expected, unsigned may, int *made) {
  int n = 0;
  bool good = node->kind == NODE_SEQUENCE && node->n >= (size_t)least && node->n <= (size_t)most;
  if (!good) {
    value_expected(making->reader, node, "%s", expected);
    return 0;
  }
  for (Node *item = node->first; item; item = item->next)
    good = (made[n++] = making_expression(making, item, may)) >= 0 && good;
  return good ? n : 0;
}

/* Adds the energies of a point mass m at the position `at`: T = m |at'|^2/2, and V = m g times the last entry of
 * `at`. */
static void add_point(Making *making, int mass, int n, const int *at) {
  SimMechanism *sim = making->sim;
  Graph *graph = &sim->graph;
  int weight = graph_affine(graph, making->gravity, mass, 0);
  making->kinetic = graph_add(graph, making->kinetic, mechanism_point_energy(graph, &sim->variables, mass, n, at));
  making->potential = graph_add(graph, making->potential, graph_multiply(graph, weight, at[n - 1]));
}

static void read_body(Making *making, Node *body) {
  Reader *reader = making->reader;
  Graph *graph = &making->sim->graph;
  int at[3], zero = graph_number(graph, 0), angle = -1;
  Node *place = key_get(reader, body, "at"), *turned = key_get(reader, body, "angle");
  bool has_mass = key_get(reader, body, "mass"), has_inertia = key_get(reader, body, "inertia");
  int mass = read_constant(making, body, "mass", zero), inertia = read_constant(making, body, "inertia", zero);
  int n = place ? read_list(making, place, 2, 3, "two or three expressions, the last upward",
                            MAY_MOVE | MAY_TURN_WITH_TIME, at)
                : 0;
  if (turned) angle = making_expression(making, turned, MAY_MOVE | MAY_TURN_WITH_TIME);
  if (has_mass != (place != NULL))
    value_error(reader, body, "%s", place ? "at without mass (expected both)" : "mass without at (expected both)");
  if (has_inertia != (turned != NULL))
    value_error(reader, body, "%s",
                turned ? "angle without inertia (expected both)" : "inertia without angle (expected both)");
  if (!has_mass && !place && !has_inertia && !turned)
    value_error(reader, body, "nothing that moves (expected mass and at, or inertia and angle, or all)");
  if (n) making_add_spot(making, body->key, n, at);
  if (mass >= 0 && n) add_point(making, mass, n, at);
  if (inertia >= 0 && angle >= 0)
    making->kinetic =
        graph_add(graph, making->kinetic, mechanism_point_energy(graph, &making->sim->variables, inertia, 1, &angle));
}

void making_read_bodies(Making *making) {
  Node *bodies = read_section(making->reader, making->model, "bodies");
  if (!bodies) return;
  bodies->known = true;
  for (Node *body = bodies->first; body && making->sim; body = body->next) {
    body->known = true; /* the key is the name of a body, so it must not be reported as unknown */
    if (body->kind == NODE_MAPPING)
      read_body(making, body);
    else
      value_expected(making->reader, body, "{mass: .., at: [..]}");
  }
}

/* Reading links ---------------------------------------------------------------------------------------------------- */

/* Reads the centre of mass of a link: one distance along the link, or a list of three coordinates. By default it is the
 * middle of the link. */
static void read_centre(Making *making, Node *link, int length, MechanismBody *body) {
  Graph *graph = &making->sim->graph;
  Node *node = key_get(making->reader, link, "centre");
  body->centre[0] = graph_affine(graph, 0.5, length, 0);
  body->centre[1] = body->centre[2] = graph_number(graph, 0);
  if (node && node->kind == NODE_SEQUENCE)
    read_list(making, node, 3, 3, "a distance, or a list of three", 0, body->centre);
  else if (node)
    body->centre[0] = making_expression(making, node, 0);
}

static void read_inertia(Making *making, Node *link, int length, MechanismBody *body) {
  Graph *graph = &making->sim->graph;
  Node *node = key_get(making->reader, link, "inertia");
  int zero = graph_number(graph, 0), list[3];
  int rod = graph_affine(graph, 1. / 12, graph_multiply(graph, body->mass, graph_multiply(graph, length, length)), 0);
  for (int i = 0; i < 9; i++) body->inertia[i / 3][i % 3] = zero;
  body->inertia[1][1] = body->inertia[2][2] = rod;
  if (node && node->kind == NODE_SEQUENCE) {
    int n = read_list(making, node, 3, 3, "an inertia, or a list of three", 0, list);
    for (int i = 0; i < n; i++) body->inertia[i][i] = list[i];
  } else if (node) {
    body->inertia[1][1] = body->inertia[2][2] = read_constant(making, link, "inertia", rod);
  }
}

/* Reads the axis of a link's joint. Returns whether the file gives one. */
static bool read_axis(Making *making, Node *link, MechanismBody *body) {
  Values values = values_read(making->reader, link, "axis", SIM_FORM_LIST);
  double length = 0;
  bool there = values.node;
  for (int i = 0; values.good && values.rows == 3 && i < 3; i++) length += values.data[i] * values.data[i];
  if (values.good && there && !(length > 0 && isfinite(length)))
    value_error(making->reader, values.node, "not a direction (expected three numbers, not all 0)");
  for (int i = 0; length > 0 && i < 3; i++) body->axis[i] = values.data[i] / sqrt(length);
  values_clear(&values);
  return there;
}

/* Reads a link. *length: on entry the length of the previous link, which ends at the joint of this link; on return the
 * length of this link. Returns whether the link has an axis. */
static bool read_link(Making *making, Node *link, int *length, MechanismBody *body) {
  static const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Reader *reader = making->reader;
  Graph *graph = &making->sim->graph;
  int zero = graph_number(graph, 0);
  *body = (MechanismBody){.axis = {0, 0, 1}, .origin = {*length, zero, zero}, .mass = zero, .armature = zero};
  memcpy(body->turn, one, sizeof one);
  static const char *const required[] = {"length", "mass"};
  for (int k = 0; k < 2; k++)
    if (!key_get(reader, link, required[k])) value_error(reader, link, "%s is missing", required[k]);
  *length = read_constant(making, link, "length", zero);
  body->mass = read_constant(making, link, "mass", zero);
  read_centre(making, link, *length, body);
  read_inertia(making, link, *length, body);
  return read_axis(making, link, body);
}

void making_read_links(Making *making, Node *links) {
  SimMechanism *sim = making->sim;
  MechanismBody *bodies = diagnostics_calloc(making->reader->diagnostics, links->n + 1, sizeof *bodies);
  int *lengths = diagnostics_calloc(making->reader->diagnostics, links->n + 1, sizeof *lengths);
  size_t mistakes = making->reader->diagnostics->count;
  int i = 0, length = sim ? graph_number(&sim->graph, 0) : -1;
  bool spatial = false;
  for (Node *link = links->first; link && bodies && lengths && sim && i < sim->d; link = link->next, i++) {
    if (link->kind != NODE_MAPPING)
      value_expected(making->reader, link, "{length: .., mass: ..}");
    else
      spatial = read_link(making, link, &length, &bodies[i]) || spatial;
    bodies[i].parent = i - 1;
    lengths[i] = length;
  }
  const double gravity[3] = {0, spatial ? 0 : -making->gravity, spatial ? -making->gravity : 0};
  bool good = bodies && lengths && sim && making->reader->diagnostics->count == mistakes;
  if (good && !mechanism_add_tree(sim, bodies, gravity)) making->reader->diagnostics->no_memory = true;
  if (good) making_draw_tree(making, bodies, lengths, !spatial);
  free(bodies);
  free(lengths);
}
