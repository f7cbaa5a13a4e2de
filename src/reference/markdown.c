/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/reference/reference.h"

#include <string.h>

/* Prints a text in a table cell. Escapes "|", which would end the cell. */
static void print_cell(const char *text, FILE *out) {
  for (; *text; text++) {
    if (*text == '|') fputc('\\', out);
    fputc(*text, out);
  }
}

static void print_words(const SimParameter *row, FILE *out) {
  SimChoice choice;
  if (!(row->forms & SIM_FORM_CHOICE)) return;
  for (int k = 0; sim_parameter_choice(row, k, &choice); k++) fprintf(out, "%s`%s`", k ? ", " : " (", choice.name);
  fprintf(out, ")");
}

/* Prints the table row of a key, without its section. */
static void print_row(const Key *key, const char *section, bool owners, FILE *out) {
  char text[REFERENCE_TEXT_SIZE];
  const SimParameter *row = key->row;
  fprintf(out, "| `%s` | ", key->path + strlen(section) + 1);
  if (owners) fprintf(out, "%s | ", *key->owners ? key->owners : "all");
  print_cell(reference_forms(row, text), out);
  fprintf(out, " | ");
  print_cell(row->required ? "" : reference_default(row, text), out);
  fprintf(out, " | %s | ", row->unit ? row->unit : "");
  print_cell(row->sentence, out);
  print_words(row, out);
  if (*reference_range(row, text)) fprintf(out, " (%s)", text);
  fprintf(out, " |\n");
}

/* Returns whether an earlier key of the list has the same path. */
static bool is_listed(const Key *keys, int i) {
  for (int k = 0; k < i; k++)
    if (strcmp(keys[k].path, keys[i].path) == 0) return true;
  return false;
}

/* Prints a table of the keys of a section. owner: only the keys of this kind of model or scheme; NULL: the keys of all
 * owners. Entries of the list with the same key are adjacent. */
static void print_table(int n, const Key *keys, const char *section, const char *owner, FILE *out) {
  size_t length = strlen(section);
  bool owners = strcmp(section, "scheme") == 0;
  fprintf(out, "<!-- keys:%s%s%s -->\n", section, owner ? "." : "", owner ? owner : "");
  fprintf(out, "| key |%s form | default | unit | |\n| --- |%s --- | --- | --- | --- |\n", owners ? " schemes |" : "",
          owners ? " --- |" : "");
  for (int i = 0; i < n; i++) {
    bool inside = strncmp(keys[i].path, section, length) == 0 && keys[i].path[length] == '.';
    if (!inside || is_listed(keys, i)) continue;
    for (int k = i; k < n; k++)
      if (strcmp(keys[k].path, keys[i].path) == 0) print_row(&keys[k], section, owners, out);
  }
  fprintf(out, "<!-- /keys -->\n");
}

void reference_markdown(FILE *out) {
  static Key keys[KEYS_MAX];
  KeyTable table;
  for (int k = 0; key_table(k, &table); k++)
    if (strcmp(table.section, "model") == 0) print_table(keys_of_table(&table, keys), keys, "model", table.owner, out);
  int n = keys_list(keys);
  for (const SimParameter *row = problem_sections; row->key; row++)
    if ((row->forms & SIM_FORM_SECTION) && strcmp(row->key, "model") != 0) print_table(n, keys, row->key, NULL, out);
}
