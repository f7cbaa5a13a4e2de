/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds a tree from the events that libyaml reports. Limits are checked while events arrive, since a few lines of YAML
 * can contain thousands of levels or expand to billions of values. */
#include "src/base/decimal.h"
#include "src/file/text/document_part.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* An anchor of YAML, which gives a value a name. Aliases refer to the name. */
typedef struct Anchor {
  const char *name; /* name of the anchor; borrowed from the part */
  bool complete;    /* whether the whole value has been read */
  Node node;        /* the value, once it is complete */
} Anchor;

typedef struct Reading {
  Part *part;
  Diagnostics *diagnostics;
  yaml_parser_t *parser;
  const char *text; /* [size] the text that is parsed */
  size_t size;
  size_t count; /* number of values read so far */
  Anchor anchors[DOCUMENT_ANCHORS_MAX];
  int n_anchors;
} Reading;

static Place mark_place(const Part *part, yaml_mark_t mark) { return part_place(part, mark.line, mark.column); }

/* Reports an error at a position in the text. Returns false. */
static bool refuse(const Reading *reading, yaml_mark_t mark, const char *text) {
  Place place = mark_place(reading->part, mark);
  diagnostics_add(reading->diagnostics, &place, reading->part->key, "%s", text);
  return false;
}

/* Finds line and column of a byte offset. Errors of libyaml's reader have only the offset. */
static yaml_mark_t offset_mark(const char *text, size_t size, size_t offset) {
  yaml_mark_t mark = {0};
  for (size_t i = 0; i < offset && i < size; i++) {
    mark.column = text[i] == '\n' ? 0 : mark.column + 1;
    mark.line += text[i] == '\n';
  }
  return mark;
}

/* Returns whether a line has a tab at or before a column. A tab is the usual reason for libyaml's error "a character
 * cannot start a token". */
static bool has_tab(const char *text, size_t size, yaml_mark_t mark) {
  size_t i = 0;
  for (size_t line = 0; i < size && line < mark.line; i++) line += text[i] == '\n';
  for (size_t column = 0; i < size && column <= mark.column && text[i] != '\n'; i++, column++)
    if (text[i] == '\t') return true;
  return false;
}

/* Reports the syntax error that libyaml has found, in plainer words if the cause is known. */
static void syntax_error(const Reading *reading) {
  const Part *part = reading->part;
  const yaml_parser_t *parser = reading->parser;
  Diagnostics *diagnostics = reading->diagnostics;
  const char *problem = parser->problem ? parser->problem : "not YAML", *context = parser->context;
  yaml_mark_t mark = parser->problem_mark, begin = parser->context_mark;
  if (parser->error == YAML_MEMORY_ERROR) {
    diagnostics->no_memory = true;
  } else if (parser->error == YAML_READER_ERROR) {
    Place place = mark_place(part, offset_mark(reading->text, reading->size, parser->problem_offset));
    diagnostics_add(diagnostics, &place, part->key, "not a text file: %s (expected YAML in UTF-8)", problem);
  } else {
    Place place = mark_place(part, mark);
    bool apart = context && part->located && (begin.line != mark.line || begin.column != mark.column);
    if (apart)
      diagnostics_add(diagnostics, &place, part->key, "%s, %s that starts at %zu:%zu", problem, context, begin.line + 1,
                      begin.column + 1);
    else
      diagnostics_add(diagnostics, &place, part->key, "%s%s", problem,
                      has_tab(reading->text, reading->size, mark) ? " (expected spaces: tabs do not indent in YAML)"
                                                                  : "");
  }
}

/* Reads the next event, which the caller deletes. Returns false after reporting an error. */
static bool next_event(const Reading *reading, yaml_event_t *event) {
  if (yaml_parser_parse(reading->parser, event)) return true;
  syntax_error(reading);
  return false;
}

/* Returns whether one more value is allowed at this depth (root: 0); reports an error if not. Also returns false as
 * soon as diagnostics are full. */
static bool admit(Reading *reading, yaml_mark_t mark, int depth) {
  if (diagnostics_full(reading->diagnostics)) return false;
  if (depth == DOCUMENT_DEPTH_MAX) return refuse(reading, mark, "nested too deeply (expected at most 32 levels)");
  if (++reading->count <= DOCUMENT_NODES_MAX) return true;
  return refuse(reading, mark, "too many values, those of aliases counted (expected at most 2000000)");
}

/* Returns the anchor with this name; NULL if there is none. */
static Anchor *find_anchor(Reading *reading, const yaml_char_t *name) {
  for (int i = 0; i < reading->n_anchors; i++)
    if (strcmp(reading->anchors[i].name, (const char *)name) == 0) return &reading->anchors[i];
  return NULL;
}

static const yaml_char_t *anchor_name(const yaml_event_t *event) {
  return event->type == YAML_SCALAR_EVENT           ? event->data.scalar.anchor
         : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
                                                    : event->data.mapping_start.anchor;
}

/* Adds an anchor. Returns NULL after reporting that its name is already in use, or that there are too many anchors. */
static Anchor *add_anchor(Reading *reading, const yaml_char_t *name, yaml_mark_t mark) {
  if (find_anchor(reading, name)) {
    refuse(reading, mark, "a second anchor of this name (expected each once)");
    return NULL;
  }
  if (reading->n_anchors == DOCUMENT_ANCHORS_MAX) {
    refuse(reading, mark, "too many anchors (expected at most 100)");
    return NULL;
  }
  const char *text = (const char *)name, *copy = part_add_text(reading->part, text, strlen(text), reading->diagnostics);
  if (!copy) return NULL;
  Anchor *anchor = &reading->anchors[reading->n_anchors++];
  *anchor = (Anchor){.name = copy};
  return anchor;
}

/* Adds a node to the children of `parent`. *link: the last link in the list of children, which is advanced. Returns
 * NULL if there is no memory. */
static Node *add_child(Reading *reading, Node *parent, Node ***link, yaml_mark_t mark) {
  Node *child = part_add_node(reading->part, NODE_SCALAR, mark_place(reading->part, mark), reading->diagnostics);
  if (!child) return NULL;
  child->parent = parent;
  child->index = parent->n++;
  **link = child;
  *link = &child->next;
  return child;
}

/* Copies the value `from` to the node `to`, for an alias at `mark` that refers to the value. Returns false after an
 * error. */
static bool copy_node(Reading *reading, const Node *from, Node *to, yaml_mark_t mark, int depth) {
  if (!admit(reading, mark, depth)) return false;
  to->kind = from->kind;
  to->text = from->text;
  to->plain = from->plain;
  Node **link = &to->first;
  for (const Node *each = from->first; each; each = each->next) {
    Node *child = add_child(reading, to, &link, mark);
    if (!child) return false;
    child->key = each->key;
    child->place = each->place;
    child->key_place = each->key_place;
    if (!copy_node(reading, each, child, mark, depth + 1)) return false;
  }
  return true;
}

static bool build_alias(Reading *reading, const yaml_event_t *event, Node *node, int depth) {
  const Anchor *anchor = find_anchor(reading, event->data.alias.anchor);
  if (!anchor) return refuse(reading, event->start_mark, "an alias of nothing (expected *NAME after &NAME)");
  if (!anchor->complete) return refuse(reading, event->start_mark, "an alias stands inside what it stands for");
  return copy_node(reading, &anchor->node, node, event->start_mark, depth);
}

static bool build_scalar(const Reading *reading, const yaml_event_t *event, Node *node) {
  const char *text = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  if (strlen(text) != length) refuse(reading, event->start_mark, "a NUL character");
  node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  node->text = part_add_text(reading->part, text, length, reading->diagnostics);
  return node->text != NULL;
}

static bool build_node(Reading *reading, const yaml_event_t *event, Node *node, int depth);

static bool build_sequence(Reading *reading, Node *node, int depth) {
  yaml_event_t event;
  node->kind = NODE_SEQUENCE;
  for (Node **link = &node->first;;) {
    if (!next_event(reading, &event)) return false;
    bool end = event.type == YAML_SEQUENCE_END_EVENT;
    Node *child = end ? NULL : add_child(reading, node, &link, event.start_mark);
    bool good = child && build_node(reading, &event, child, depth + 1);
    yaml_event_delete(&event);
    if (end || !good) return end;
  }
}

static int compare_keys(const void *left, const void *right) {
  const Node *a = *(Node *const *)left, *b = *(Node *const *)right;
  int order = strcmp(a->key, b->key);
  return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* Reports a list without brackets, such as {x0: 0, 0}. After the first value, its numbers are parsed as keys without
 * values; they are marked as known, so that they are not reported a second time. Returns whether there is such a
 * list. */
static bool join_list(const Reading *reading, const Node *first) {
  char list[EXCERPT_SIZE], path[NODE_PATH_SIZE];
  const Node *last = first;
  int length = snprintf(list, sizeof list, "%s", first->text);
  for (Node *next = first->next; next && next->key && node_is_null(next); next = next->next) {
    char *end;
    strtod(next->key, &end);
    bool apart = next->key_place.line != first->place.line ||
                 next->key_place.column > last->place.column + (int)strlen(last == first ? first->text : last->key) + 1;
    if (end == next->key || *end || (last == first && !apart)) break;
    if (length < (int)sizeof list) length += snprintf(list + length, sizeof list - (size_t)length, ", %s", next->key);
    next->known = true;
    last = next;
  }
  if (last != first)
    diagnostics_add(reading->diagnostics, &first->place, node_path(first, path),
                    "%s: a list without brackets (expected [%s])", list, list);
  return last != first;
}

/* Reports decimal commas, and reads them as points so that checking can continue. In {mass: 1,5} the digits after the
 * comma are parsed as a key without a value; it is marked as known, so that it is not reported a second time. Also
 * reports lists without brackets. */
static void join_commas(const Reading *reading, Node *mapping) {
  for (Node *child = mapping->first; child && child->next; child = child->next) {
    Node *digits = child->next;
    char text[2 * DECIMAL_SIZE], pointed[2 * DECIMAL_SIZE], path[NODE_PATH_SIZE];
    bool may = child->key && digits->key && child->kind == NODE_SCALAR && child->plain && node_is_null(digits) &&
               digits->key[strspn(digits->key, "0123456789")] == '\0';
    if (child->key && child->kind == NODE_SCALAR && child->plain && !node_is_null(child) && join_list(reading, child))
      continue;
    if (!may || snprintf(text, sizeof text, "%s,%s", child->text, digits->key) >= (int)sizeof text ||
        !decimal_with_comma(text, pointed, sizeof pointed))
      continue;
    digits->known = true;
    diagnostics_add(reading->diagnostics, &child->place, node_path(child, path),
                    "%s (expected a decimal point, not a comma: %s)", text, pointed);
    const char *read = part_add_text(reading->part, pointed, strlen(pointed), reading->diagnostics);
    if (read) child->text = read;
  }
}

/* Reports and removes children without a key, and those with a repeated key. */
static void drop_wrong_keys(const Reading *reading, Node *mapping) {
  Node *sorted[DOCUMENT_KEYS_MAX];
  size_t n = 0;
  for (Node *child = mapping->first; child; child = child->next)
    if (child->key && !child->known) sorted[n++] = child;
  if (n > 1) qsort(sorted, n, sizeof *sorted, compare_keys);
  for (size_t i = 1; i < n; i++) {
    char path[NODE_PATH_SIZE];
    if (strcmp(sorted[i]->key, sorted[i - 1]->key) != 0) continue;
    sorted[i]->known = true;
    diagnostics_add(reading->diagnostics, &sorted[i]->key_place, node_path(sorted[i], path),
                    "duplicate key (each may be given once)");
  }
  Node *child = mapping->first, **link = &mapping->first;
  for (mapping->n = 0; child; child = child->next) {
    if (!child->key || child->known) continue;
    child->index = mapping->n++;
    *link = child;
    link = &child->next;
  }
  *link = NULL;
}

/* Reads a key and its value; the next event is that of the value. If the key is not a scalar, it is reported, and the
 * child's key is NULL. */
static bool build_entry(Reading *reading, const yaml_event_t *event, Node *mapping, Node ***link, int depth) {
  if (mapping->n == DOCUMENT_KEYS_MAX)
    return refuse(reading, event->start_mark, "too many keys (expected at most 1000 in one mapping)");
  Node key = {.parent = mapping, .place = mark_place(reading->part, event->start_mark)};
  if (!build_node(reading, event, &key, depth)) return false;
  if (key.kind != NODE_SCALAR) refuse(reading, event->start_mark, "a list or a mapping as a key (expected a word)");
  yaml_event_t value;
  if (!next_event(reading, &value)) return false;
  Node *child = add_child(reading, mapping, link, value.start_mark);
  if (child) {
    child->key = key.kind == NODE_SCALAR ? key.text : NULL;
    child->key_place = key.place;
  }
  bool good = child && build_node(reading, &value, child, depth);
  yaml_event_delete(&value);
  return good;
}

static bool build_mapping(Reading *reading, Node *node, int depth) {
  yaml_event_t event;
  node->kind = NODE_MAPPING;
  for (Node **link = &node->first;;) {
    if (!next_event(reading, &event)) return false;
    bool end = event.type == YAML_MAPPING_END_EVENT;
    bool good = !end && build_entry(reading, &event, node, &link, depth + 1);
    yaml_event_delete(&event);
    if (end) join_commas(reading, node);
    if (end) drop_wrong_keys(reading, node);
    if (end || !good) return end;
  }
}

/* Reads the value that begins with this event into a node, which already has its parent, key and position. */
static bool build_node(Reading *reading, const yaml_event_t *event, Node *node, int depth) {
  if (event->type == YAML_ALIAS_EVENT) return build_alias(reading, event, node, depth);
  if (!admit(reading, event->start_mark, depth)) return false;
  const yaml_char_t *name = anchor_name(event);
  Anchor *anchor = name ? add_anchor(reading, name, event->start_mark) : NULL;
  if (name && !anchor) return false;
  bool good = event->type == YAML_SCALAR_EVENT           ? build_scalar(reading, event, node)
              : event->type == YAML_SEQUENCE_START_EVENT ? build_sequence(reading, node, depth)
                                                         : build_mapping(reading, node, depth);
  if (anchor) *anchor = (Anchor){.name = anchor->name, .complete = true, .node = *node};
  return good;
}

/* Returns false after reporting a tag directive (%TAG) at the start of the text. The program does not use tags, and
 * libyaml is slow with many directives, as it compares each with all previous ones. */
static bool check_directives(Reading *reading) {
  yaml_parser_t scanner;
  yaml_token_type_t type;
  bool good = true;
  if (!yaml_parser_initialize(&scanner)) {
    reading->diagnostics->no_memory = true;
    return false;
  }
  yaml_parser_set_input_string(&scanner, (const unsigned char *)reading->text, reading->size);
  do {
    yaml_token_t token;
    if (!yaml_parser_scan(&scanner, &token)) break; /* the error is reported later, when the text is parsed */
    type = token.type;
    if (type == YAML_TAG_DIRECTIVE_TOKEN) good = refuse(reading, token.start_mark, "%TAG (expected a problem without)");
    yaml_token_delete(&token);
  } while (good && (type == YAML_STREAM_START_TOKEN || type == YAML_VERSION_DIRECTIVE_TOKEN));
  yaml_parser_delete(&scanner);
  return good;
}

/* Reports any content after the document. Reads tokens instead of events, since libyaml would read all directives
 * before it reports an event. The parser cannot be used afterwards. */
static void check_end(Reading *reading) {
  yaml_token_type_t type;
  do {
    yaml_token_t token;
    if (!yaml_parser_scan(reading->parser, &token)) {
      syntax_error(reading);
      return;
    }
    type = token.type;
    bool begins =
        type == YAML_DOCUMENT_START_TOKEN || type == YAML_VERSION_DIRECTIVE_TOKEN || type == YAML_TAG_DIRECTIVE_TOKEN;
    if (type != YAML_DOCUMENT_END_TOKEN && type != YAML_STREAM_END_TOKEN)
      refuse(reading, token.start_mark,
             begins ? "a second document starts here (expected one)" : "text after the end of the document");
    yaml_token_delete(&token);
  } while (type == YAML_DOCUMENT_END_TOKEN);
}

/* Reads the document: its start, one value, and its end. Returns whether it has a value. */
static bool read_document(Reading *reading) {
  Part *part = reading->part;
  yaml_event_t event;
  do { /* skips the events for the start of the stream and of the document */
    if (!next_event(reading, &event)) return false;
    if (event.type == YAML_STREAM_END_EVENT) refuse(reading, (yaml_mark_t){0}, "empty (expected a value)");
    bool over = event.type == YAML_STREAM_END_EVENT, begun = event.type == YAML_DOCUMENT_START_EVENT;
    yaml_event_delete(&event);
    if (over) return false;
    if (begun) break;
  } while (true);
  if (!next_event(reading, &event)) return false;
  Node *root = part_add_node(part, NODE_SCALAR, mark_place(part, event.start_mark), reading->diagnostics);
  bool good = root && build_node(reading, &event, root, 0);
  yaml_event_delete(&event);
  if (!good || !next_event(reading, &event)) return false;
  yaml_event_delete(&event); /* the event for the end of the document */
  part->root = root;
  check_end(reading);
  return true;
}

bool part_parse(Part *part, const char *text, size_t size, Diagnostics *diagnostics) {
  yaml_parser_t parser;
  Reading reading = {.part = part, .diagnostics = diagnostics, .parser = &parser, .text = text, .size = size};
  if (!check_directives(&reading)) return false;
  if (!yaml_parser_initialize(&parser)) {
    diagnostics->no_memory = true;
    return false;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  bool good = read_document(&reading);
  yaml_parser_delete(&parser);
  return good;
}
