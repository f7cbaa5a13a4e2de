/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/keys.h"
#include "src/file/model/model.h"
#include "src/file/sections/external.h"
#include "src/file/sections/identification.h"
#include "src/file/sections/scenarios.h"

#include <stdio.h>
#include <string.h>

const SimParameter problem_sections[] = {
    {"title", SIM_FORM_TEXT, NULL, "a line about the problem", .default_text = "none"},
    {"model", SIM_FORM_SECTION, NULL, "masses, springs, dampers and friction", .required = true},
    {"time", SIM_FORM_SECTION, NULL, "until when, in which steps", .required = true},
    {"scheme", SIM_FORM_SECTION, NULL, "how the motion is solved", .default_text = "the kind's first"},
    {"control", SIM_FORM_SECTION, NULL, "forces to be found, and the target that they are for", .default_text = "none"},
    {"search", SIM_FORM_SECTION, NULL, "how they are looked for", .default_text = "its defaults"},
    {"evaluator", SIM_FORM_SECTION, NULL, "a user's program, in place of model, time, scheme and control",
     .default_text = "none"},
    {"identify", SIM_FORM_SECTION, NULL, "numbers of the model that are to be found from a motion measured",
     .default_text = "none"},
    {"measured", SIM_FORM_SECTION, NULL, "that motion", .default_text = "none"},
    {"scenarios", SIM_FORM_SECTION, NULL, "numbers of the model that are not quite known, and by how much",
     .default_text = "none"},
    {"output", SIM_FORM_SECTION, NULL, "what is written of the motion", .default_text = "its defaults"},
    {"checkpoint", SIM_FORM_SECTION, NULL, "how often a run saves what it would go on from",
     .default_text = "its defaults"},
    {0}};

/* Returns the scheme with number k, from 0, in a list without repeated names; NULL after the last. Several kinds of
 * model have a scheme `event`, which is listed once. */
static const SimScheme *scheme_named(int k) {
  const SimScheme *scheme;
  for (int i = 0; (scheme = sim_scheme_at(i)) != NULL; i++) {
    int first = 0;
    while (strcmp(sim_scheme_name(sim_scheme_at(first)), sim_scheme_name(scheme)) != 0) first++;
    if (first == i && k-- == 0) break;
  }
  return scheme;
}

static const char *scheme_name(int k) { return scheme_named(k) ? sim_scheme_name(scheme_named(k)) : NULL; }
static const char *scheme_sentence(int k) { return scheme_named(k) ? sim_scheme_sentence(scheme_named(k)) : NULL; }

static const SimParameter name_row[] = {{"name", SIM_FORM_CHOICE, NULL,
                                         "the scheme, which says what its other keys are", .word = scheme_name,
                                         .about = scheme_sentence,
                                         .default_text = "moreau, or event where fewer forces act than joints rub; of "
                                                         "a mechanism event, of a dash-pot backward_euler, of a chain "
                                                         "implicit_euler"},
                                        {0}};

bool key_table(int k, KeyTable *table) {
  const KeyTable before = {"model", NULL, model_parameters};
  const KeyTable between[] = {{"time", NULL, time_parameters}, {"scheme", NULL, name_row}};
  const KeyTable after[] = {{"control", NULL, control_parameters},     {"search", NULL, ctl_search_parameters},
                            {"search", NULL, search_parameters},       {"search", NULL, ctl_values_search_parameters},
                            {"evaluator", NULL, evaluator_parameters}, {"identify", NULL, identify_parameters},
                            {"measured", NULL, measured_parameters},   {"scenarios", NULL, scenario_parameters},
                            {"output", NULL, output_parameters},       {"checkpoint", NULL, checkpoint_parameters}};
  enum { N_BETWEEN = sizeof between / sizeof *between, N_AFTER = sizeof after / sizeof *after };
  if (k-- == 0) return *table = (KeyTable){"", NULL, problem_sections}, true;
  if (k-- == 0) return *table = before, true;
  for (int i = 0; model_kind(i); i++)
    if (k-- == 0) return *table = (KeyTable){"model", model_kind(i)->name, model_keys(model_kind(i))}, true;
  if (k >= 0 && k < N_BETWEEN) return *table = between[k], true;
  k -= N_BETWEEN;
  for (int i = 0; scheme_named(i); i++)
    if (k-- == 0) return *table = (KeyTable){"scheme", scheme_name(i), sim_scheme_parameters(scheme_named(i))}, true;
  if (k >= 0 && k < N_AFTER) return *table = after[k], true;
  return false;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool same_words(const SimParameter *a, const SimParameter *b) {
  SimChoice one, other;
  for (int k = 0;; k++) {
    bool more = sim_parameter_choice(a, k, &one), others = sim_parameter_choice(b, k, &other);
    if (!more || !others) return more == others;
    if (strcmp(one.name, other.name) != 0) return false;
  }
}

/* Returns whether two rows of tables of keys have the same form, default, unit and description. */
static bool same_row(const SimParameter *a, const SimParameter *b) {
  return a->forms == b->forms && a->preset == b->preset && same_text(a->sentence, b->sentence) &&
         same_text(a->default_text, b->default_text) && same_text(a->unit, b->unit) &&
         same_text(a->variables, b->variables) && (!(a->forms & SIM_FORM_CHOICE) || same_words(a, b));
}

static void add(Key *keys, int *n, const char *section, const char *owner, const SimParameter *rows) {
  for (const SimParameter *row = rows; row && row->key; row++) {
    Key key = {.row = row};
    snprintf(key.path, sizeof key.path, "%s%s%s", section, *section ? "." : "", row->key);
    snprintf(key.owners, sizeof key.owners, "%s", owner ? owner : "");
    int i = 0;
    while (i < *n && (strcmp(keys[i].path, key.path) != 0 || !same_row(keys[i].row, row))) i++;
    if (i < *n) {
      size_t length = strlen(keys[i].owners);
      bool all = !length || !*key.owners; /* a key without owners is valid for all kinds of models or all schemes */
      if (all)
        *keys[i].owners = 0;
      else
        snprintf(keys[i].owners + length, KEY_OWNERS_SIZE - length, ", %s", key.owners);
    } else if (*n < KEYS_MAX) {
      keys[(*n)++] = key;
    }
    if (row->parts) add(keys, n, key.path, owner, row->parts);
  }
}

int keys_list(Key keys[KEYS_MAX]) {
  KeyTable table;
  int n = 0;
  for (int k = 0; key_table(k, &table); k++) add(keys, &n, table.section, table.owner, table.rows);
  return n;
}

const char *keys_unit(const char *path, const char *kind) {
  KeyTable table;
  Key keys[KEYS_MAX];
  const char *unit = NULL;
  int found = 0;
  for (int k = 0; key_table(k, &table); k++) {
    bool others = table.owner && strcmp(table.section, "model") == 0 && strcmp(table.owner, kind) != 0;
    int n = others ? 0 : keys_of_table(&table, keys);
    for (int i = 0; i < n; i++) {
      size_t length = strlen(keys[i].path);
      const char *own = keys[i].row->unit;
      bool of_it = strncmp(path, keys[i].path, length) == 0 && (!path[length] || path[length] == '[');
      if (!of_it || path[length + strspn(path + length, "[0123456789]")]) continue;
      /* if the unit of the key differs between schemes, no unit is returned */
      if (found++ && (!unit || !own || strcmp(unit, own) != 0)) return NULL;
      unit = own;
    }
  }
  return unit;
}

int keys_of_table(const KeyTable *table, Key keys[KEYS_MAX]) {
  int n = 0;
  add(keys, &n, table->section, table->owner, table->rows);
  return n;
}
