#include "src/document/document_part.h"

#include <stdlib.h>
#include <string.h>

Part *part_create(const char *name, const char *key, int rank, Diagnostics *diagnostics) {
  Part *part = diagnostics_calloc(diagnostics, 1, sizeof *part);
  if (!part) return NULL;
  part->name = strdup(name);
  part->key = strdup(key);
  part->rank = rank;
  part->located = rank == 0;
  if (part->name && part->key) return part;
  diagnostics->no_memory = true;
  part_destroy(part);
  return NULL;
}

void part_destroy(Part *part) {
  if (!part) return;
  for (size_t i = 0; i < part->n_used; i++) free(part->nodes[i].asked);
  free(part->nodes);
  if (part->has_yaml) yaml_document_delete(&part->yaml);
  free(part->name);
  free(part->key);
  free(part->words);
  free(part);
}

Place part_place(const Part *part, size_t line, size_t column) {
  Place place = {.name = part->name, .rank = part->rank};
  if (part->located) {
    place.line = (long)line + 1;
    place.column = (long)column + 1;
  }
  return place;
}

static Place mark_place(const Part *part, yaml_mark_t mark) { return part_place(part, mark.line, mark.column); }

Node *part_add_node(Part *part, NodeKind kind, Place place) {
  Node *node = &part->nodes[part->n_used++];
  *node = (Node){.kind = kind, .text = "", .place = place, .key_place = place};
  return node;
}

/* The walks over libyaml's nodes, aliases written out. */
typedef struct Walk {
  Part *part;
  Diagnostics *diagnostics;
  int trail[DOCUMENT_DEPTH_MAX]; /* the nodes from the root to here */
  size_t count;
} Walk;

static void walk_error(const Walk *walk, yaml_mark_t mark, const char *text) {
  Place place = mark_place(walk->part, mark);
  diagnostics_add(walk->diagnostics, &place, walk->part->key, "%s", text);
}

/* Counts the nodes under a node; false when they are too many, too deep or endless. Nothing is allocated
 * before this has passed: a few lines of aliases can stand for billions of nodes. */
static bool walk_count(Walk *walk, int index, int depth) {
  const yaml_node_t *node = yaml_document_get_node(&walk->part->yaml, index);
  const char *mistake = NULL;
  for (int i = 0; i < depth; i++)
    if (walk->trail[i] == index) mistake = "an alias stands inside what it stands for";
  if (!mistake && depth == DOCUMENT_DEPTH_MAX) mistake = "nested too deeply (expected at most 32 levels)";
  if (!mistake && ++walk->count > DOCUMENT_NODES_MAX)
    mistake = "too many values, those of aliases counted (expected at most 5000000)";
  if (mistake) {
    walk_error(walk, node->start_mark, mistake);
    return false;
  }
  walk->trail[depth] = index;
  if (node->type == YAML_SEQUENCE_NODE) {
    for (yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++)
      if (!walk_count(walk, *item, depth + 1)) return false;
  } else if (node->type == YAML_MAPPING_NODE) {
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++)
      if (!walk_count(walk, pair->value, depth + 1)) return false;
  }
  return true;
}

/* A scalar's text, which must not hold a NUL. */
static const char *walk_text(Walk *walk, const yaml_node_t *scalar) {
  const char *text = (const char *)scalar->data.scalar.value;
  if (strlen(text) != scalar->data.scalar.length) walk_error(walk, scalar->start_mark, "a NUL character");
  return text;
}

static int compare_keys(const void *left, const void *right) {
  const Node *a = *(Node *const *)left, *b = *(Node *const *)right;
  int order = strcmp(a->key, b->key);
  return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* Tells the keys given twice, and marks the later ones by known; the index is a key's number for now. */
static void find_duplicates(Walk *walk, Node **children, size_t n) {
  Node **sorted = diagnostics_calloc(walk->diagnostics, n, sizeof *sorted);
  if (!sorted) return;
  memcpy(sorted, children, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, compare_keys);
  for (size_t i = 1; i < n; i++) {
    if (strcmp(sorted[i]->key, sorted[i - 1]->key) != 0) continue;
    char path[NODE_PATH_SIZE];
    sorted[i]->known = true;
    diagnostics_add(walk->diagnostics, &sorted[i]->key_place, node_path(sorted[i], path),
                    "duplicate key (each may be given once)");
  }
  free(sorted);
}

/* Makes children the children of a node, but for duplicates. */
static void link_children(Node *parent, Node **children, size_t n) {
  Node **link = &parent->first;
  for (size_t i = 0; i < n; i++) {
    Node *child = children[i];
    if (child->known) continue;
    child->index = parent->n++;
    *link = child;
    link = &child->next;
  }
}

static Node *walk_build(Walk *walk, int index, Node *parent, const yaml_node_t *key);

static void build_sequence(Walk *walk, const yaml_node_t *from, Node *node) {
  Node **link = &node->first;
  for (yaml_node_item_t *item = from->data.sequence.items.start; item < from->data.sequence.items.top; item++) {
    *link = walk_build(walk, *item, node, NULL);
    link = &(*link)->next;
    node->n++;
  }
}

static void build_mapping(Walk *walk, const yaml_node_t *from, Node *node) {
  const yaml_node_pair_t *pairs = from->data.mapping.pairs.start;
  size_t n_pairs = (size_t)(from->data.mapping.pairs.top - pairs), n = 0;
  Node **children = diagnostics_calloc(walk->diagnostics, n_pairs, sizeof *children);
  if (!children) return;
  for (size_t i = 0; i < n_pairs; i++) {
    const yaml_node_t *key = yaml_document_get_node(&walk->part->yaml, pairs[i].key);
    if (key->type != YAML_SCALAR_NODE) {
      walk_error(walk, key->start_mark, "a list or a mapping as a key (expected a word)");
      continue;
    }
    children[n] = walk_build(walk, pairs[i].value, node, key);
    children[n]->index = n;
    n++;
  }
  find_duplicates(walk, children, n);
  link_children(node, children, n);
  free(children);
}

/* Builds the tree of a node; key: its key in a mapping, else NULL. */
static Node *walk_build(Walk *walk, int index, Node *parent, const yaml_node_t *key) {
  const yaml_node_t *from = yaml_document_get_node(&walk->part->yaml, index);
  Node *node = part_add_node(walk->part, NODE_SCALAR, mark_place(walk->part, from->start_mark));
  node->parent = parent;
  node->index = parent ? parent->n : 0;
  if (key) {
    node->key = walk_text(walk, key);
    node->key_place = mark_place(walk->part, key->start_mark);
  }
  if (from->type == YAML_SEQUENCE_NODE) {
    node->kind = NODE_SEQUENCE;
    build_sequence(walk, from, node);
  } else if (from->type == YAML_MAPPING_NODE) {
    node->kind = NODE_MAPPING;
    build_mapping(walk, from, node);
  } else {
    node->text = walk_text(walk, from);
    node->plain = from->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  }
  return node;
}

/* Errors of libyaml's reader come with a byte offset alone. */
static yaml_mark_t offset_mark(const char *text, size_t size, size_t offset) {
  yaml_mark_t mark = {0};
  for (size_t i = 0; i < offset && i < size; i++) {
    mark.column = text[i] == '\n' ? 0 : mark.column + 1;
    mark.line += text[i] == '\n';
  }
  return mark;
}

/* Whether a tab stands in a line before or at a column: the usual reason why "a character cannot start a
 * token". */
static bool has_tab(const char *text, size_t size, yaml_mark_t mark) {
  size_t i = 0;
  for (size_t line = 0; i < size && line < mark.line; i++) line += text[i] == '\n';
  for (size_t column = 0; i < size && column <= mark.column && text[i] != '\n'; i++, column++)
    if (text[i] == '\t') return true;
  return false;
}

/* What libyaml has against the text. */
static void syntax_error(const Part *part, const yaml_parser_t *parser, const char *text, size_t size,
                         Diagnostics *diagnostics) {
  const char *problem = parser->problem ? parser->problem : "not YAML", *context = parser->context;
  yaml_mark_t mark = parser->problem_mark, begin = parser->context_mark;
  if (parser->error == YAML_MEMORY_ERROR) {
    diagnostics->no_memory = true;
  } else if (parser->error == YAML_READER_ERROR) {
    Place place = mark_place(part, offset_mark(text, size, parser->problem_offset));
    diagnostics_add(diagnostics, &place, part->key, "not a text file: %s (expected YAML in UTF-8)", problem);
  } else {
    Place place = mark_place(part, mark);
    bool apart = context && part->located && (begin.line != mark.line || begin.column != mark.column);
    if (apart)
      diagnostics_add(diagnostics, &place, part->key, "%s, %s that starts at %zu:%zu", problem, context, begin.line + 1,
                      begin.column + 1);
    else
      diagnostics_add(diagnostics, &place, part->key, "%s%s", problem,
                      has_tab(text, size, mark) ? " (expected spaces: tabs do not indent in YAML)" : "");
  }
}

/* Whether the text goes on after its document, as it must not. */
static void check_end(const Part *part, yaml_parser_t *parser, const char *text, size_t size,
                      Diagnostics *diagnostics) {
  yaml_document_t second;
  if (!yaml_parser_load(parser, &second)) {
    syntax_error(part, parser, text, size, diagnostics);
    return;
  }
  if (yaml_document_get_root_node(&second)) {
    Place place = mark_place(part, second.start_mark);
    diagnostics_add(diagnostics, &place, part->key, "a second document starts here (expected one)");
  }
  yaml_document_delete(&second);
}

bool part_parse(Part *part, const char *text, size_t size, size_t spare, Diagnostics *diagnostics) {
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    diagnostics->no_memory = true;
    return false;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  part->has_yaml = yaml_parser_load(&parser, &part->yaml);
  if (!part->has_yaml)
    syntax_error(part, &parser, text, size, diagnostics);
  else if (yaml_document_get_root_node(&part->yaml))
    check_end(part, &parser, text, size, diagnostics);
  yaml_parser_delete(&parser);
  if (!part->has_yaml) return false;

  Walk walk = {.part = part, .diagnostics = diagnostics};
  if (!yaml_document_get_root_node(&part->yaml)) {
    walk_error(&walk, (yaml_mark_t){0}, "empty (expected a value)");
    return false;
  }
  if (!walk_count(&walk, 1, 0)) return false;
  part->n_nodes = walk.count + spare;
  part->nodes = diagnostics_calloc(diagnostics, part->n_nodes, sizeof *part->nodes);
  if (!part->nodes) return false;
  part->root = walk_build(&walk, 1, NULL, NULL);
  return true;
}
