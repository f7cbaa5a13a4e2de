/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/way_out.h"
#include "src/reference/reference.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Appends formatted text; a text that is too long is cut. */
__attribute__((format(printf, 2, 3))) static void append(char text[REFERENCE_TEXT_SIZE], const char *format, ...) {
  size_t length = strlen(text);
  va_list values;
  va_start(values, format);
  vsnprintf(text + length, REFERENCE_TEXT_SIZE - length, format, values);
  va_end(values);
}

static const char *between(const char *text) { return *text ? ", " : ""; }

const char *reference_forms(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]) {
  static const struct {
    unsigned form;
    const char *name;
  } names[] = {{SIM_FORM_CHOICE, "word"},
               {SIM_FORM_INTEGER, "integer"},
               {SIM_FORM_NUMBER, "number"},
               {SIM_FORM_LIST, "list"},
               {SIM_FORM_ROWS, "rows"},
               {SIM_FORM_SPRINGS, "{springs: [..]}"},
               {SIM_FORM_FILE, "{file: M.mtx}"},
               {SIM_FORM_TEXT, "text"},
               {SIM_FORM_FORCE, "expression in t, {file: LOAD.csv}, pieces of time, list of these"},
               {SIM_FORM_NAMES, "list of names"},
               {SIM_FORM_FROM, "{from: DIR}"},
               {SIM_FORM_NODES, "{nodes: [..], values: [..]}"},
               {SIM_FORM_SHAPES, "{shapes: [EXPRESSION, ..]}"},
               {SIM_FORM_INTERVALS, "entries {at_least: .., at_most: ..}"},
               {SIM_FORM_FREE, "entries free"},
               {SIM_FORM_WEIGHTED, "{NAME: NUMBER, ..}"},
               {SIM_FORM_EXPRESSIONS, "list of expressions"},
               {SIM_FORM_NAMED_LISTS, "{NAME: [EXPRESSION, ..], ..}"}};
  const unsigned lists = SIM_FORM_NAMED_LISTS | SIM_FORM_INTERVALS;
  bool entries = (row->forms & lists) == lists; /* whether the other forms are forms of the entries of the lists */
  *text = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !entries; i++)
    if (row->forms & names[i].form) append(text, "%s%s", between(text), names[i].name);
  if (entries)
    append(text, "{NAME: [%s{at_least: .., at_most: ..}, ..], ..}", row->forms & SIM_FORM_NUMBER ? "NUMBER or " : "");
  if (row->forms & SIM_FORM_FORMULA) append(text, "%sexpression in %s", between(text), row->variables);
  if ((row->forms & SIM_FORM_SECTION) && !row->parts) append(text, "%ssection", between(text));
  bool named = row->forms & SIM_FORM_NAMED;
  if (named && !row->parts) append(text, "%s{NAME: VALUE, ..}", between(text));
  if (!(row->forms & (SIM_FORM_SECTION | SIM_FORM_LISTED | SIM_FORM_NAMED)) || !row->parts) return text;
  append(text, "%s%s", between(text), named ? "{NAME: {" : row->forms & SIM_FORM_LISTED ? "list of {" : "{");
  for (const SimParameter *part = row->parts; part->key; part++)
    append(text, "%s%s: ", part == row->parts ? "" : ", ", part->key);
  append(text, named ? "}, ..}" : "}");
  return text;
}

const char *reference_range(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]) {
  *text = 0;
  if (row->least == 0 && row->most == 0) return text;
  if (row->forms & SIM_FORM_INTEGER)
    append(text, "%.10g to %.10g", row->least, row->most);
  else if (isinf(row->most))
    append(text, "%s %g", row->open ? ">" : ">=", row->least);
  else
    append(text, "%g %s %s %s %g", row->least, row->open ? "<" : "<=", row->key, row->open ? "<" : "<=", row->most);
  return text;
}

const char *reference_default(const SimParameter *row, char text[REFERENCE_TEXT_SIZE]) {
  const char *word = (row->forms & SIM_FORM_CHOICE) ? sim_parameter_word(row, (int)row->preset) : NULL;
  *text = 0;
  if (row->required)
    append(text, "to be given");
  else if (row->default_text)
    append(text, "%s", row->default_text);
  else if (word)
    append(text, "%s", word);
  else
    append(text, "%g", row->preset);
  return text;
}

static void print_words(const SimParameter *row, FILE *out) {
  SimChoice choice;
  if (!(row->forms & SIM_FORM_CHOICE)) return;
  for (int k = 0; sim_parameter_choice(row, k, &choice); k++)
    fprintf(out, "    %-20s %s\n", choice.name, choice.sentence ? choice.sentence : "");
}

static void print_key(const Key *key, FILE *out) {
  char text[REFERENCE_TEXT_SIZE];
  const SimParameter *row = key->row;
  fprintf(out, "%s: %s\n", key->path, row->sentence);
  if (*key->owners) fprintf(out, "  %-8s %s\n", strncmp(key->path, "model", 5) == 0 ? "kind" : "scheme", key->owners);
  bool section = (row->forms & SIM_FORM_SECTION) && !row->parts;
  if (!section) fprintf(out, "  %-8s %s\n", "form", reference_forms(row, text));
  if (*reference_range(row, text)) fprintf(out, "  %-8s %s\n", "range", text);
  if (row->unit) fprintf(out, "  %-8s %s\n", "unit", row->unit);
  fprintf(out, "  %-8s %s\n", "default", reference_default(row, text));
  print_words(row, out);
}

void reference_sections(FILE *out) {
  for (const SimParameter *row = problem_sections; row->key; row++)
    fprintf(out, "  %-12s %s\n", row->key, row->sentence);
}

/* Returns the part of a path after a prefix, e.g. "mass" for "model.mass" and "model". NULL if the path does not begin
 * with the prefix. */
static const char *below(const char *path, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(path, prefix, length) == 0 && path[length] == '.' ? path + length + 1 : NULL;
}

/* Prints the keys below a path. owner: only keys of this kind of model or scheme. NULL: all keys, together with their
 * owners if not all owners have them. */
static void print_below(int n, const Key *keys, const char *prefix, const char *owner, FILE *out) {
  for (int i = 0; i < n; i++) {
    const char *rest = below(keys[i].path, prefix);
    if (!rest) continue;
    bool shared = !owner && *keys[i].owners;
    fprintf(out, "  %-22s %s%s%s%s\n", rest, keys[i].row->sentence, shared ? " (" : "", shared ? keys[i].owners : "",
            shared ? ")" : "");
  }
}

/* Returns whether `rest`, which has no row of its own, is a key of a mapping in which a value may be written, e.g.
 * {file: NAME}. */
static bool is_form_key(const SimParameter *row, const char *rest) {
  static const struct {
    unsigned form;
    const char *key;
  } keys[] = {{SIM_FORM_SPRINGS, "springs"},     {SIM_FORM_FILE, "file"},      {SIM_FORM_FROM, "from"},
              {SIM_FORM_NODES, "nodes"},         {SIM_FORM_NODES, "values"},   {SIM_FORM_SHAPES, "shapes"},
              {SIM_FORM_FORCE, "until"},         {SIM_FORM_FORCE, "value"},    {SIM_FORM_FORCE, "file"},
              {SIM_FORM_FORCE, "interpolation"}, {SIM_FORM_FORCE, "checksum"}, {SIM_FORM_INTERVALS, "at_least"},
              {SIM_FORM_INTERVALS, "at_most"}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if ((row->forms & keys[i].form) && strcmp(rest, keys[i].key) == 0) return true;
  bool names = row->forms & (SIM_FORM_NAMED | SIM_FORM_NAMED_LISTS | SIM_FORM_WEIGHTED);
  return names && !strchr(rest, '.') && !sim_parameter_find(row->parts, rest);
}

/* Returns a path without the part that is a name chosen by the user, e.g. "model.bodies.mass" for
 * "model.bodies.cart.mass". NULL: the path has no such part. */
static const char *path_without_name(const char *path, int n, const Key *keys, char text[REFERENCE_TEXT_SIZE]) {
  *text = 0;
  for (int i = 0; i < n; i++) {
    const char *rest = below(path, keys[i].path), *dot = rest ? strchr(rest, '.') : NULL;
    bool named = dot && (keys[i].row->forms & SIM_FORM_NAMED) && sim_parameter_find(keys[i].row->parts, dot + 1);
    if (named) append(text, "%s%s", keys[i].path, dot);
    if (named) return text;
  }
  return NULL;
}

/* Returns whether a path is the path of a key. If the key contains ANY_MODEL_KEY, any path below the section model
 * matches this part. */
static bool is_of(const char *path, const char *key) {
  const char *any = strstr(key, ANY_MODEL_KEY);
  if (!any) return strcmp(path, key) == 0;
  const char *tail = any + sizeof ANY_MODEL_KEY - 1;
  size_t head = (size_t)(any - key) + sizeof "model." - 1, end = strlen(tail), length = strlen(path);
  return strncmp(path, key, head) == 0 && length > head + end && strcmp(path + length - end, tail) == 0;
}

bool reference_key(const char *path, FILE *out) {
  static Key keys[KEYS_MAX];
  char text[REFERENCE_TEXT_SIZE];
  int n = keys_list(keys), found = 0;
  const char *unnamed = path_without_name(path, n, keys, text);
  if (unnamed) path = unnamed;
  for (int i = 0; i < n; i++) {
    const char *rest = below(path, keys[i].path);
    if (!is_of(path, keys[i].path) && !(rest && is_form_key(keys[i].row, rest))) continue;
    if (found++) fprintf(out, "\n");
    print_key(&keys[i], out);
  }
  const char *owner = strchr(path, '.');
  if (found) print_below(n, keys, path, NULL, out);
  if (!owner) return found;
  KeyTable table;
  for (int k = 0; key_table(k, &table); k++) { /* a path may end with an owner, e.g. "model.chain" or "scheme.lie" */
    if (!table.owner || strcmp(owner + 1, table.owner) != 0 || below(path, table.section) != owner + 1) continue;
    fprintf(out, "%s%s: the keys of %s\n", found ? "\n" : "", path, table.owner);
    found = 1;
    n = keys_of_table(&table, keys);
    print_below(n, keys, table.section, table.owner, out);
  }
  return found;
}

/* Returns whether the path of a key, its sentence, or one of its words contains a text. */
static bool mentions(const Key *key, const char *text) {
  const SimParameter *row = key->row;
  SimChoice choice;
  bool found = text_has(key->path, text) || text_has(row->sentence, text);
  for (int k = 0; !found && row->forms & SIM_FORM_CHOICE && sim_parameter_choice(row, k, &choice); k++)
    found = text_has(choice.name, text) || (choice.sentence && text_has(choice.sentence, text));
  return found;
}

enum { LETTERS_LEAST = 3 };

bool reference_search(const char *text, FILE *out) {
  static Key keys[KEYS_MAX];
  const char *way = way_out(text);
  int n = strlen(text) < LETTERS_LEAST ? 0 : keys_list(keys), found = way != NULL;
  if (way) fprintf(out, "no key %s: %s\n", text, way);
  for (int i = 0; i < n; i++) {
    if (!mentions(&keys[i], text)) continue;
    if (found++ == (way != NULL)) fprintf(out, "keys with `%s` in their texts:\n", text);
    fprintf(out, "  %-28s %s\n", keys[i].path, keys[i].row->sentence);
  }
  return found;
}

const char *reference_nearest(const char *path, char text[REFERENCE_TEXT_SIZE]) {
  static Key keys[KEYS_MAX];
  /* maximum distance of similar paths: about one in three letters may differ */
  int n = keys_list(keys), least = ((int)strlen(path) + 2) / 3 + 1;
  if (strlen(path) > WORD_LENGTH_MAX) return NULL;
  *text = 0;
  for (int i = 0; i < n; i++) {
    const char *last = strrchr(keys[i].path, '.');
    int distance = edit_distance(path, keys[i].path), alone = last ? edit_distance(path, last + 1) : distance;
    if (!strchr(path, '.') && alone < distance) distance = alone;
    if (distance >= least) continue;
    least = distance;
    *text = 0;
    append(text, "%s", keys[i].path);
  }
  return *text ? text : NULL;
}
