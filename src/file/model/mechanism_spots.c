/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads what drawings of a mechanism show: spots, i.e. marked points of bodies, and lines between spots. */
#include "src/file/model/mechanism_making.h"

#include <stdlib.h>
#include <string.h>

/* Grows an array by one item. Returns the new item; NULL after recording that there is no memory. */
static void *grow(Making *making, void **array, int count, size_t size) {
  char *grown = realloc(*array, ((size_t)count + 1) * size);
  if (grown) *array = grown;
  making->reader->diagnostics->no_memory |= !grown;
  return grown ? grown + (size_t)count * size : NULL;
}

/* Returns whether some point of the key `points` refers to this link by its name. */
static bool is_named(const Making *making, const char *name) {
  const Node *points = key_get(making->reader, making->model, "points");
  for (const Node *node = points ? points->first : NULL; node; node = node->next)
    if (node->kind == NODE_SCALAR && strcmp(node->text, name) == 0) return true;
  return false;
}

void making_add_link(Making *making, const MechanismBody *bodies, int i, const int *point, bool planar,
                     const char *name) {
  SimMechanism *sim = making->sim;
  MechanismPoint *link =
      is_named(making, name) ? grow(making, (void **)&making->links, making->n_links, sizeof *link) : NULL;
  if (!link) return;
  *link = (MechanismPoint){.n = planar ? 2 : 3};
  snprintf(link->name, sizeof link->name, "%s", name);
  making->n_links++;
  making->reader->diagnostics->no_memory |=
      !mechanism_tree_place(&sim->graph, &sim->variables, bodies, i, point, link->at);
  making_bound_link(making, bodies, i, point, link);
}

bool making_place_of_link(Making *making, Node *node, MechanismPoint *point) {
  for (int k = 0; k < making->n_links; k++) {
    if (strncmp(making->links[k].name, node->text, LABEL_SIZE - 1) != 0) continue;
    *point = making->links[k];
    return true;
  }
  if (is_wrong(making->reader, "model.links") || is_wrong(making->reader, "model.urdf")) return false;
  return value_error(making->reader, node, "no link %.40s (expected a name of model.links, or of a link of model.urdf)",
                     node->text);
}

int making_add_spot(Making *making, const char *name, int n, const int *at) {
  Mechanism *made = making->made;
  MechanismPoint *spot = grow(making, (void **)&made->spots, made->n_spots, sizeof *spot);
  if (!spot) return -1;
  *spot = (MechanismPoint){.n = n};
  snprintf(spot->name, sizeof spot->name, "%s", name ? name : "");
  for (int i = 0; i < n; i++) spot->at[i] = at[i];
  return made->n_spots++;
}

/* Adds a line between two spots to drawings. from, to: indices of the spots. */
static void add_line(Making *making, int from, int to) {
  Mechanism *made = making->made;
  int(*line)[2] = from >= 0 && to >= 0 ? grow(making, (void **)&made->lines, made->n_lines, sizeof *line) : NULL;
  if (!line) return;
  (*line)[0] = from;
  (*line)[1] = to;
  made->n_lines++;
}

/* Adds a point, given in the frame of body i, to drawings as a spot. Returns the index of the spot, or -1. */
static int add_place(Making *making, const MechanismBody *bodies, int i, const int *point, bool planar,
                     const char *name) {
  SimMechanism *sim = making->sim;
  int place[3];
  if (mechanism_tree_place(&sim->graph, &sim->variables, bodies, i, point, place))
    return making_add_spot(making, name, planar ? 2 : 3, place);
  making->reader->diagnostics->no_memory = true;
  return -1;
}

static bool carries_another(const MechanismBody *bodies, int d, int i) {
  for (int k = i + 1; k < d; k++)
    if (bodies[k].parent == i) return true;
  return false;
}

void making_draw_tree(Making *making, const MechanismBody *bodies, const int *length, bool planar) {
  SimMechanism *sim = making->sim;
  int d = sim->d, zero = graph_number(&sim->graph, 0);
  const int zeros[3] = {zero, zero, zero};
  int *joint = diagnostics_calloc(making->reader->diagnostics, (size_t)d, sizeof *joint);
  int base = joint ? add_place(making, bodies, -1, zeros, planar, NULL) : -1;
  for (int i = 0; i < d && joint; i++) {
    const int end[3] = {length ? length[i] : zero, zero, zero};
    int from = bodies[i].parent < 0 ? base : joint[bodies[i].parent];
    joint[i] = add_place(making, bodies, i, end, planar, sim->names[i]);
    if (length) making_add_link(making, bodies, i, end, planar, sim->names[i]);
    add_line(making, from, joint[i]);
    if (length || carries_another(bodies, d, i)) continue;
    add_line(making, joint[i], add_place(making, bodies, i, bodies[i].centre, planar, NULL));
  }
  free(joint);
}

/* Returns the index of the spot that the file names, or of the origin; -1 after an error. The origin becomes a spot
 * when it is first used. */
static int find_spot(Making *making, const Node *node) {
  const Mechanism *made = making->made;
  const char *name = node->kind == NODE_SCALAR ? node->text : "";
  int zero = graph_number(&making->sim->graph, 0);
  for (int k = 0; k < made->n_spots && *name; k++)
    if (strcmp(made->spots[k].name, name) == 0) return k;
  if (strcmp(name, "origin") == 0) return making_add_spot(making, name, 3, (const int[]){zero, zero, zero});
  return value_error(making->reader, node,
                     "no spot %.40s (expected the name of a point, of a body with a place, of a link, or origin)",
                     name) -
         1;
}

void making_read_lines(Making *making) {
  Reader *reader = making->reader;
  Node *lines = key_get(reader, making->model, "lines");
  bool good = lines && lines->kind == NODE_SEQUENCE;
  if (lines && !good) value_expected(reader, lines, "[[NAME, NAME, ..], ..]");
  for (Node *line = good ? lines->first : NULL; line; line = line->next) {
    int last = -1;
    if (line->kind != NODE_SEQUENCE || line->n < 2) {
      value_expected(reader, line, "a list of two names or more");
      continue;
    }
    for (Node *item = line->first; item; item = item->next) {
      int at = find_spot(making, item);
      if (last >= 0 && at >= 0) add_line(making, last, at);
      last = at;
    }
  }
}
