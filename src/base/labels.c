/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", DIGITS[] = "0123456789";

void labels_set_unit(Labels *labels, bool force, const char *unit) {
  snprintf(force ? labels->force : labels->position, UNIT_SIZE, "%s", unit);
  bool both = strcmp(labels->position, "m or rad") == 0;
  if (!force) snprintf(labels->velocity, sizeof labels->velocity, both ? "m/s or rad/s" : "%s/s", labels->position);
  bool joule = (!strcmp(labels->position, "m") && !strcmp(labels->force, "N")) ||
               (!strcmp(labels->position, "rad") && !strcmp(labels->force, "N m")) ||
               (both && !strcmp(labels->force, "N or N m"));
  snprintf(labels->energy, sizeof labels->energy, joule ? "J" : "%s %s", labels->force, labels->position);
}

void labels_init(Labels *labels) {
  *labels = (Labels){.n = 0};
  labels_set_unit(labels, false, "m");
  labels_set_unit(labels, true, "N");
}

void labels_clear(Labels *labels) {
  free(labels->names);
  labels_init(labels);
}

bool labels_copy(const Labels *labels, Labels *copy) {
  size_t size = (size_t)labels->n * sizeof *labels->names;
  *copy = *labels;
  if (!labels->names) return true;
  copy->names = malloc(size);
  if (copy->names)
    memcpy(copy->names, labels->names, size);
  else
    labels_init(copy);
  return copy->names;
}

/* Returns whether a text has 1 to most - 1 characters, each of which is a letter, a digit or a character of
 * `others`. */
static bool is_made_of(const char *text, const char *others, size_t most) {
  size_t length = strlen(text);
  for (const char *c = text; *c; c++)
    if (!strchr(LETTERS, *c) && !strchr(DIGITS, *c) && !strchr(others, *c)) return false;
  return length > 0 && length < most;
}

bool label_is_name(const char *text) { return is_made_of(text, "_-.", LABEL_SIZE) && text[strspn(text, DIGITS)]; }

bool label_is_unit(const char *text) { return is_made_of(text, " */^-.", UNIT_SIZE); }

const char *labels_name(const Labels *labels, int dof, char name[LABEL_SIZE]) {
  if (labels->names)
    snprintf(name, LABEL_SIZE, "%s", labels->names[dof - 1]);
  else
    snprintf(name, LABEL_SIZE, "%d", dof);
  return name;
}

const char *labels_column(const Labels *labels, const char *symbol, int dof, char column[LABEL_COLUMN_SIZE]) {
  char name[LABEL_SIZE];
  snprintf(column, LABEL_COLUMN_SIZE, "%.20s%s%s", symbol, labels->names ? ":" : "", labels_name(labels, dof, name));
  return column;
}

const char *labels_control(const Labels *labels, const char *symbol, const double *matrix, int p, int control,
                           char column[LABEL_COLUMN_SIZE]) {
  int dof = 0, reached = 0, alike = 0;
  for (int i = 0; matrix && labels->names && i < labels->n; i++)
    if (matrix[i * p + control] != 0) {
      reached++;
      dof = i;
    }
  for (int k = 0; reached == 1 && k < p; k++) alike += matrix[dof * p + k] != 0;
  if (alike == 1) return labels_column(labels, symbol, dof + 1, column);
  snprintf(column, LABEL_COLUMN_SIZE, "%s%d", symbol, control + 1);
  return column;
}

int labels_find(const Labels *labels, int d, const char *name) {
  for (int i = 0; labels->names && i < labels->n; i++)
    if (strcmp(labels->names[i], name) == 0) return i + 1;
  if (!*name || name[strspn(name, DIGITS)] || strlen(name) > 9) return 0;
  int dof = atoi(name);
  return dof <= d ? dof : 0;
}

bool labels_take(Labels *labels, const json_t *model) {
  const json_t *names = json_object_get(model, "names"), *units = json_object_get(model, "units");
  const char *position = json_string_value(json_object_get(units, "position")),
             *force = json_string_value(json_object_get(units, "force"));
  labels_init(labels);
  if (position && label_is_unit(position)) labels_set_unit(labels, false, position);
  if (force && label_is_unit(force)) labels_set_unit(labels, true, force);
  size_t n = json_array_size(names);
  if (n == 0) return true;
  labels->names = calloc(n, sizeof *labels->names);
  if (!labels->names) return false;
  labels->n = (int)n;
  for (size_t i = 0; i < n; i++) {
    const char *name = json_string_value(json_array_get(names, i));
    if (name && label_is_name(name)) snprintf(labels->names[i], LABEL_SIZE, "%s", name);
  }
  return true;
}

bool labels_echo(const Labels *labels, json_t *model) {
  json_t *units = json_pack("{s:s, s:s}", "position", labels->position, "force", labels->force);
  bool good = json_object_set_new(model, "units", units) == 0;
  if (!labels->names || !good) return good;
  json_t *names = json_array();
  for (int i = 0; i < labels->n && good; i++) good = json_array_append_new(names, json_string(labels->names[i])) == 0;
  return json_object_set_new(model, "names", names) == 0 && good;
}
