/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/reference/reference.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *section_schema(const SimParameter *rows);

/* Returns the JSON Schema of a number, or of a text that evaluates to a number. */
static json_t *number(const SimParameter *row, const char *type) {
  json_t *schema = json_pack("{s:[s, s]}", "type", type, "string");
  if (row->least == 0 && row->most == 0) return schema;
  bool open = row->open && !row->zero_is_none;
  json_object_set_new(schema, open ? "exclusiveMinimum" : "minimum", json_real(row->least));
  if (isfinite(row->most))
    json_object_set_new(schema, row->open ? "exclusiveMaximum" : "maximum", json_real(row->most));
  return schema;
}

static json_t *list_of(json_t *items) { return json_pack("{s:s, s:o}", "type", "array", "items", items); }

/* Returns the schema of an interval {at_least, at_most, start}; each member is optional. */
static json_t *interval(bool starts) {
  json_t *keys = json_object();
  static const char *const names[] = {"at_least", "at_most", "start"};
  for (int k = 0; k < (starts ? 3 : 2); k++)
    json_object_set_new(keys, names[k], json_pack("{s:[s, s]}", "type", "number", "string"));
  return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", keys, "additionalProperties", 0);
}

/* Returns the schema of an entry of a list. null is allowed if the key allows it. */
static json_t *entry(const SimParameter *row) {
  json_t *items = number(row, "number");
  if (row->forms & SIM_FORM_NULLS) json_array_append_new(json_object_get(items, "type"), json_string("null"));
  if (!(row->forms & SIM_FORM_INTERVALS)) return items;
  return json_pack("{s:[o, o]}", "anyOf", items, interval(row->forms & SIM_FORM_FREE));
}

static json_t *words(const SimParameter *row) {
  SimChoice choice;
  json_t *list = json_array();
  for (int k = 0; sim_parameter_choice(row, k, &choice); k++) {
    char *end;
    long whole = strtol(choice.name, &end, 10);
    json_array_append_new(list, json_string(choice.name));
    /* if YAML would read this word as a number when it has no quotes, the number is allowed, too */
    if (*choice.name && !*end) json_array_append_new(list, json_integer(whole));
  }
  return json_pack("{s:o}", "enum", list);
}

/* Returns the schema of {key: value}. other: a second key that is optional, with the schema `second`; NULL: there is
 * none. */
static json_t *mapping(const char *key, json_t *value, const char *other, json_t *second) {
  json_t *schema = json_pack("{s:s, s:{s:o}, s:[s], s:b}", "type", "object", "properties", key, value, "required", key,
                             "additionalProperties", 0);
  if (other) json_object_set_new(json_object_get(schema, "properties"), other, second);
  return schema;
}

static json_t *text(void) { return json_pack("{s:s}", "type", "string"); }
static json_t *formula(void) { return json_pack("{s:[s, s]}", "type", "number", "string"); }

/* Returns the schema of a mapping {NAME: value, ..} with any names. */
static json_t *named(json_t *value) { return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", value); }

/* Returns the schema of a function of time: an expression in t, or measured samples. */
static json_t *course(void) {
  json_t *file =
      mapping("file", text(), "interpolation", json_pack("{s:[s, s, s]}", "enum", "linear", "cubic", "hold"));
  json_object_set_new(json_object_get(file, "properties"), "checksum", text());
  return json_pack("{s:[o, o]}", "anyOf", formula(), file);
}

/* Returns the schema of a function of time. It is one function, pieces of time, or a list of these with an entry for
 * each degree of freedom. */
static json_t *force(void) {
  json_t *piece = mapping("value", course(), "until", formula());
  json_t *pieces = json_pack("{s:[o, o, o]}", "anyOf", course(), json_deep_copy(piece), list_of(piece));
  return json_pack("{s:[o, o]}", "anyOf", course(), list_of(pieces));
}

/* Returns a list of the schemas of all forms in which a value may be written. */
static json_t *forms(const SimParameter *row) {
  unsigned f = row->forms;
  json_t *list = json_array();
  if (f & SIM_FORM_CHOICE) json_array_append_new(list, words(row));
  if (f & SIM_FORM_INTEGER) json_array_append_new(list, number(row, "integer"));
  bool lists = f & SIM_FORM_NAMED_LISTS; /* intervals and numbers are then only allowed as entries of lists */
  if ((f & (SIM_FORM_NUMBER | SIM_FORM_FORMULA)) && !lists) json_array_append_new(list, number(row, "number"));
  if (f & SIM_FORM_TEXT) json_array_append_new(list, formula());
  if (f & SIM_FORM_NAMES) json_array_append_new(list, list_of(text()));
  if (f & SIM_FORM_LIST) json_array_append_new(list, list_of(entry(row)));
  if (f & SIM_FORM_ROWS) json_array_append_new(list, list_of(list_of(entry(row))));
  if (f & SIM_FORM_FORCE) json_array_append_new(list, json_pack("{s:s}", "$ref", "#/definitions/force"));
  if (f & SIM_FORM_SPRINGS) json_array_append_new(list, mapping("springs", list_of(entry(row)), NULL, NULL));
  if (f & SIM_FORM_FILE) json_array_append_new(list, mapping("file", text(), NULL, NULL));
  if (f & SIM_FORM_FROM) json_array_append_new(list, mapping("from", text(), NULL, NULL));
  if (f & SIM_FORM_SHAPES) json_array_append_new(list, mapping("shapes", list_of(formula()), NULL, NULL));
  if (f & SIM_FORM_NODES) {
    json_t *values = json_pack("{s:[o, o]}", "anyOf", formula(), list_of(formula()));
    json_array_append_new(list, mapping("nodes", list_of(formula()), "values", values));
  }
  if ((f & SIM_FORM_INTERVALS) && !lists) json_array_append_new(list, interval(f & SIM_FORM_FREE));
  if (f & SIM_FORM_FREE) json_array_append_new(list, json_pack("{s:[s]}", "enum", "free"));
  if (f & SIM_FORM_WEIGHTED)
    json_array_append_new(
        list, named(f & SIM_FORM_NULLS ? json_pack("{s:[s, s, s]}", "type", "number", "string", "null") : formula()));
  if (f & SIM_FORM_EXPRESSIONS) json_array_append_new(list, list_of(formula()));
  if (f & SIM_FORM_NAMED) json_array_append_new(list, named(row->parts ? section_schema(row->parts) : formula()));
  if (lists && (f & SIM_FORM_INTERVALS)) json_array_append_new(list, named(list_of(entry(row))));
  if (lists && !(f & SIM_FORM_INTERVALS)) /* a word may take the place of a list */
    json_array_append_new(list, named(json_pack("{s:[o, o]}", "anyOf", list_of(formula()), text())));
  if (f & SIM_FORM_LISTED) json_array_append_new(list, list_of(section_schema(row->parts)));
  if ((f & SIM_FORM_SECTION) && row->parts) json_array_append_new(list, section_schema(row->parts));
  return list;
}

/* Returns the description of a key that an editor shows: its sentence, its unit, its default if that is not a number,
 * and the meanings of its words. */
static json_t *description(const SimParameter *row) {
  char *all = NULL;
  size_t size = 0;
  SimChoice choice;
  FILE *out = open_memstream(&all, &size);
  if (!out) return NULL;
  fprintf(out, "%s", row->sentence);
  if (row->unit) fprintf(out, "; %s", row->unit);
  if (row->default_text && !row->required) fprintf(out, "; default: %s", row->default_text);
  for (int k = 0; (row->forms & SIM_FORM_CHOICE) && sim_parameter_choice(row, k, &choice); k++)
    fprintf(out, "\n%s: %s", choice.name, choice.sentence ? choice.sentence : "");
  json_t *description = fclose(out) == 0 ? json_string(all) : NULL;
  free(all);
  return description;
}

static json_t *key_schema(const SimParameter *row) {
  json_t *list = forms(row);
  /* If there is only one form, the schema needs no list `anyOf`. The list is kept for a force, since its form is a
   * $ref, and a JSON Schema ignores other keywords beside a $ref. */
  bool one = json_array_size(list) == 1 && !(row->forms & SIM_FORM_FORCE);
  json_t *schema = one ? json_incref(json_array_get(list, 0)) : json_pack("{s:O}", "anyOf", list);
  const char *word = row->forms & SIM_FORM_CHOICE ? sim_parameter_word(row, (int)row->preset) : NULL;
  json_decref(list);
  json_object_set_new(schema, "title", json_string(row->key));
  json_object_set_new(schema, "description", description(row));
  if (row->required || row->default_text) return schema;
  json_object_set_new(schema, "default", word ? json_string(word) : json_real(row->preset));
  return schema;
}

/* Returns whether the key of a row stands for any path below the section model. */
static bool is_any_path(const SimParameter *row) { return strcmp(row->key, ANY_MODEL_KEY) == 0; }

/* Adds a key to properties. If another owner has the same key with another schema, values of either schema are
 * accepted. */
static void add_key(json_t *properties, const SimParameter *row) {
  json_t *before = json_object_get(properties, row->key), *schema = key_schema(row);
  if (!before)
    json_object_set_new(properties, row->key, schema);
  else if (json_equal(before, schema))
    json_decref(schema);
  else if (json_object_get(before, "title"))
    json_object_set_new(properties, row->key, json_pack("{s:[O, o]}", "anyOf", before, schema));
  else
    json_array_append_new(json_object_get(before, "anyOf"), schema);
}

static void add_keys(json_t *schema, const SimParameter *rows) {
  for (const SimParameter *row = rows; row && row->key; row++) {
    if (is_any_path(row)) {
      json_object_set_new(schema, "patternProperties", json_pack("{s:o}", "^model\\.", key_schema(row)));
      continue;
    }
    add_key(json_object_get(schema, "properties"), row);
    if (row->required) json_array_append_new(json_object_get(schema, "required"), json_string(row->key));
  }
}

static json_t *section_schema(const SimParameter *rows) {
  json_t *schema =
      json_pack("{s:s, s:{}, s:[], s:b}", "type", "object", "properties", "required", "additionalProperties", 0);
  add_keys(schema, rows);
  return schema;
}

/* Returns the schema of the section model, which has one alternative for each kind of model. */
static json_t *model_schema(void) {
  KeyTable table;
  json_t *kinds = json_array();
  const SimParameter *kind = NULL; /* NULL while the keys of all kinds are added */
  SimChoice choice;
  for (int k = 0, n = 0; key_table(k, &table); k++) {
    if (strcmp(table.section, "model") != 0) continue;
    if (!table.owner) {
      kind = table.rows;
      continue;
    }
    json_t *schema = section_schema(table.rows);
    sim_parameter_choice(kind, n++, &choice);
    json_object_set_new(schema, "title", json_string(table.owner));
    json_object_set_new(schema, "description", json_string(choice.sentence));
    json_object_set_new(json_object_get(schema, "properties"), kind->key,
                        json_pack("{s:s, s:s}", "const", table.owner, "description", kind->sentence));
    json_array_append_new(json_object_get(schema, "required"), json_string(kind->key));
    add_keys(schema, kind + 1);
    json_array_append_new(kinds, schema);
  }
  return json_pack("{s:o}", "oneOf", kinds);
}

/* Returns the schema of any section but model. It has the keys of all tables of the section. If one of its keys names
 * the owner of a table, only the keys of this table are accepted. */
static json_t *joined_schema(const char *section) {
  KeyTable table;
  const SimParameter *name = NULL;
  json_t *schema = section_schema(NULL), *owners = json_array();
  for (int k = 0; key_table(k, &table); k++) {
    if (strcmp(table.section, section) != 0) continue;
    add_keys(schema, table.rows);
    if (!table.owner) name = table.rows;
    if (!table.owner) continue;
    json_t *own = section_schema(name);
    add_keys(own, table.rows);
    json_array_append_new(owners, json_pack("{s:{s:{s:{s:s}}, s:[s]}, s:o}", "if", "properties", name->key, "const",
                                            table.owner, "required", name->key, "then", own));
  }
  if (json_array_size(owners)) json_object_set(schema, "allOf", owners);
  json_decref(owners);
  return schema;
}

bool reference_schema(FILE *out) {
  json_t *schema = section_schema(NULL), *properties = json_object_get(schema, "properties");
  json_object_set_new(schema, "$schema", json_string("http://json-schema.org/draft-07/schema#"));
  json_object_set_new(schema, "title", json_string("A problem file of stiction"));
  json_object_set_new(schema, "definitions", json_pack("{s:o}", "force", force()));
  for (const SimParameter *row = problem_sections; row->key; row++) {
    bool section = row->forms & SIM_FORM_SECTION;
    json_t *part = !section                         ? key_schema(row)
                   : strcmp(row->key, "model") == 0 ? model_schema()
                                                    : joined_schema(row->key);
    if (section) json_object_set_new(part, "description", json_string(row->sentence));
    json_object_set_new(properties, row->key, part);
    if (row->required) json_array_append_new(json_object_get(schema, "required"), json_string(row->key));
  }
  json_t *either =
      json_pack("[{s:O}, {s:[s]}]", "required", json_object_get(schema, "required"), "required", "evaluator");
  json_object_del(schema, "required");
  json_object_set_new(schema, "anyOf", either);
  bool good = json_dumpf(schema, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0;
  json_decref(schema);
  fputc('\n', out);
  return good;
}
