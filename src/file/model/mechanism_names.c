/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads names and expressions of a mechanism. Names stand for coordinates, their rates, t, parameters and
 * definitions. */
#include "src/file/model/mechanism_making.h"

#include "sim/graph/derivative.h"
#include "sim/graph/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_identifier(const char *text) {
  size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
  return length > 0 && length < LABEL_SIZE && !text[length] && !strchr("0123456789", *text);
}

static int find_name(const Making *making, const char *name) {
  for (int i = 0; i < making->n_names; i++)
    if (strcmp(making->names[i], name) == 0) return i;
  return -1;
}

bool making_name_is_good(Making *making, const Node *node) {
  static const char *const taken[] = {"t", "pi", "e", "file", "from", "urdf"};
  bool is_taken = find_name(making, node->key) >= 0;
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) is_taken = is_taken || strcmp(node->key, taken[i]) == 0;
  if (!is_identifier(node->key))
    return value_error(making->reader, node,
                       "not a name of expressions (expected at most %d letters, digits and _, a letter or _ first)",
                       LABEL_SIZE - 1);
  return !is_taken || value_error(making->reader, node, "the name %s is taken (expected another)", node->key);
}

void making_add_name(Making *making, const char *name, const char *end, int node) {
  if (making->n_names == making->room) {
    int room = 2 * making->room + 16;
    void *names = realloc(making->names, (size_t)room * sizeof *making->names);
    if (names) making->names = names;
    int *nodes = realloc(making->nodes, (size_t)room * sizeof *making->nodes);
    if (nodes) making->nodes = nodes;
    if (!names || !nodes) {
      making->reader->diagnostics->no_memory = true;
      return;
    }
    making->room = room;
  }
  snprintf(making->names[making->n_names], sizeof *making->names, "%s%s", name, end);
  making->nodes[making->n_names++] = node;
}

int making_coordinate(const Making *making, const char *name) {
  return labels_find(&making->reader->problem->labels, making->reader->d, name) - 1;
}

/* Writes the first n of the names that expressions may use into `list` for a message, as many as fit. Returns list. */
static const char *list_names(const Making *making, int n, char list[MAKING_LIST_SIZE]) {
  size_t length = 0;
  *list = 0;
  for (int i = 0; i < n && length < MAKING_LIST_SIZE; i++)
    length += (size_t)snprintf(list + length, MAKING_LIST_SIZE - length, "%s%s", i ? ", " : "", making->names[i]);
  if (length >= MAKING_LIST_SIZE) strcpy(list + MAKING_LIST_SIZE - 4, "...");
  return list;
}

const char *making_list_coordinates(const Making *making, char list[MAKING_LIST_SIZE]) {
  return list_names(making, making->sim->d, list);
}

/* Returns the position of an acceleration q'' in a text, in characters from 1; 0 if there is none. */
static int find_acceleration(const char *text) {
  int character = 1;
  for (const char *c = text; *c; character += ((unsigned char)*c & 0xC0) != 0x80, c++)
    if (c[0] == '\'' && c[1] == '\'') return character;
  return 0;
}

/* Returns the flags MAY_* of all variables on which a node depends. */
static unsigned dependence(Making *making, int node) {
  const Graph *graph = &making->sim->graph;
  int d = making->sim->d;
  unsigned on = 0;
  bool *marked = diagnostics_calloc(making->reader->diagnostics, (size_t)graph->n, sizeof *marked);
  if (marked) graph_mark(graph, 1, &node, marked);
  for (int i = 0; i < graph->n && marked; i++) {
    if (!marked[i] || graph->nodes[i].kind != GRAPH_VARIABLE) continue;
    int variable = graph->nodes[i].a;
    if (variable <= 3 * d) on |= variable < d ? MAY_MOVE : variable < 3 * d ? MAY_USE_RATES : MAY_TURN_WITH_TIME;
  }
  free(marked);
  return on;
}

/* Reads an expression that may use the names. Returns its node in the graph; -1 after reporting an error. */
static int read_text(Making *making, Node *node) {
  Reader *reader = making->reader;
  char message[GRAPH_MESSAGE_SIZE] = "", list[MAKING_LIST_SIZE];
  const char **names = diagnostics_calloc(reader->diagnostics, (size_t)making->n_names + 1, sizeof *names);
  int made = -1;
  for (int i = 0; i < making->n_names && names; i++) names[i] = making->names[i];
  const GraphNames all = {making->n_names, names, making->nodes};
  if (names) made = graph_read(&making->sim->graph, node->text, &all, message);
  if (made < 0 && !*message) reader->diagnostics->no_memory = true;
  if (made < 0 && *message && !unit_refused(reader, node, making->n_names, names))
    value_error(reader, node, "%s (expected an expression in %s)", message, list_names(making, making->n_names, list));
  free(names);
  return made;
}

int making_expression(Making *making, Node *node, unsigned may) {
  static const char *const excess[] = {[MAY_MOVE] = "depends on coordinates",
                                       [MAY_TURN_WITH_TIME] = "depends on t",
                                       [MAY_USE_RATES] = "depends on rates"};
  Reader *reader = making->reader;
  if (node->kind != NODE_SCALAR || node_is_null(node))
    return value_expected(reader, node, "a number or an expression") - 1;
  if (!making->sim || !work_allows_expression(reader, node, node->text)) return -1;
  if (strlen(node->text) > EXPRESSION_LENGTH_MAX)
    return value_error(reader, node, "longer than %d characters", EXPRESSION_LENGTH_MAX) - 1;
  int acceleration = find_acceleration(node->text);
  if (acceleration)
    return value_error(reader, node,
                       "an acceleration at character %d (expected coordinates, rates as in x', and t; what depends on "
                       "accelerations belongs into kinetic)",
                       acceleration) -
           1;
  int made = read_text(making, node);
  if (made < 0) return -1;
  if (making->sim->graph.n > MECHANISM_NODES_MAX)
    return value_error(reader, node, "more than %d operations in the expressions of the model", MECHANISM_NODES_MAX) -
           1;
  if (graph_is_number(&making->sim->graph, made) && !isfinite(making->sim->graph.nodes[made].offset))
    return value_error(reader, node, "not a finite number") - 1;
  unsigned more = dependence(making, made) & ~may;
  for (unsigned k = MAY_MOVE; k <= MAY_USE_RATES; k *= 2)
    if (more & k)
      return value_error(reader, node, "%s (expected %s)", excess[k],
                         may == 0              ? "a number or an expression in parameters"
                         : may & MAY_USE_RATES ? "an expression without it"
                                               : "an expression in coordinates, t and parameters") -
             1;
  return made;
}

/* Returns the index of the parameter that a graph node stands for; -1 if the node is not a parameter. */
static int parameter_at(const SimMechanism *sim, int node) {
  for (int k = 0; k < sim->n_parameters; k++)
    if (sim->parameters[k] == node) return k;
  return -1;
}

/* Returns the value of a node, computed from the values of the parameters. Returns NAN if the node depends on other
 * variables, or after recording that there is no memory. */
double making_value(Making *making, int node) {
  const SimMechanism *sim = making->sim;
  const Graph *graph = &sim->graph;
  bool *marked = diagnostics_calloc(making->reader->diagnostics, (size_t)graph->n, sizeof *marked);
  double *values = diagnostics_calloc(making->reader->diagnostics, (size_t)graph->n, sizeof *values), value = NAN;
  bool known = marked && values;
  if (known) graph_mark(graph, 1, &node, marked);
  for (int i = 0; i <= node && known; i++) {
    const GraphNode *at = &graph->nodes[i];
    if (!marked[i]) continue;
    int parameter = at->kind == GRAPH_VARIABLE ? parameter_at(sim, i) : -1;
    known = at->kind != GRAPH_VARIABLE || parameter >= 0;
    values[i] = parameter >= 0 ? sim->values[parameter]
                : known        ? graph_apply(at, values[at->a], values[at->b], values[at->c])
                               : 0;
  }
  if (known) value = values[node];
  free(values);
  free(marked);
  return value;
}

int making_not_negative(Making *making, const Node *node, int made) {
  char path[NODE_PATH_SIZE], user[NODE_PATH_SIZE];
  double value = made < 0 ? 0 : making_value(making, made);
  int parameter = made < 0 ? -1 : parameter_at(making->sim, made);
  if (!(value < 0)) return made;
  if (parameter < 0) return value_error(making->reader, node, "%g (expected >= 0)", value) - 1;
  snprintf(path, sizeof path, "model.parameters.%s", making->sim->parameter_names[parameter]);
  if (!is_wrong(making->reader, path))
    key_error(making->reader, path, "%g as %s (expected >= 0)", value, node_path(node, user));
  return -1;
}

int making_read_parameters(Making *making, char (**names)[LABEL_SIZE], double **values) {
  Reader *reader = making->reader;
  Node *section = read_section(reader, making->model, "parameters");
  size_t most = section ? section->n : 0;
  int n = 0;
  *names = diagnostics_calloc(reader->diagnostics, most + 1, sizeof **names);
  *values = diagnostics_calloc(reader->diagnostics, most + 1, sizeof **values);
  if (section) section->ignored = true; /* the keys are names, so they are not reported as unknown */
  if (!*names || !*values) return 0;
  for (Node *node = section ? section->first : NULL; node; node = node->next) {
    if (!making_name_is_good(making, node)) continue;
    node_number(reader, node, &(*values)[n]);
    strcpy((*names)[n++], node->key);
  }
  return n;
}

/* Adds the name of the rate of a definition. The definition itself must not depend on rates, since its rate would then
 * contain accelerations. */
static void add_rate(Making *making, const char *name, int node) {
  SimMechanism *sim = making->sim;
  int d = sim->d, rate;
  int *from = diagnostics_calloc(making->reader->diagnostics, 2 * ((size_t)d + 1), sizeof *from);
  if (!from) return;
  int *along = from + d + 1;
  for (int i = 0; i < d; i++) {
    from[i] = sim->variables.q[i];
    along[i] = sim->variables.v[i];
  }
  from[d] = sim->variables.t;
  along[d] = graph_number(&sim->graph, 1);
  if (graph_tangent(&sim->graph, 1, &node, d + 1, from, along, &rate))
    making_add_name(making, name, "'", rate);
  else
    making->reader->diagnostics->no_memory = true;
  free(from);
}

void making_read_definitions(Making *making) {
  Node *section = read_section(making->reader, making->model, "let");
  if (section) section->ignored = true;
  making->first_defined = making->n_names;
  for (Node *node = section ? section->first : NULL; node && making->sim; node = node->next) {
    bool good = making_name_is_good(making, node);
    int made = making_expression(making, node, MAY_ALL);
    if (!good) continue;
    /* after an error the name is also added, so that its use does not cause a second error */
    making_add_name(making, node->key, "", made < 0 ? graph_number(&making->sim->graph, 1) : made);
    if (made >= 0 && !(dependence(making, made) & MAY_USE_RATES)) {
      add_rate(making, node->key, made);
    }
  }
}
