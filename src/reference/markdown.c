#include "src/reference/reference.h"

#include <string.h>

/* A text in a cell of a table: "|" would end it. */
static void print_cell(const char *text, FILE *out) {
  for (; *text; text++) {
    if (*text == '|') fputc('\\', out);
    fputc(*text, out);
  }
}

static void print_words(const SimParameter *row, FILE *out) {
  SimChoice choice;
  if (!(row->forms & SIM_FORM_CHOICE)) return;
  for (int k = 0; sim_parameter_choice(row, k, &choice); k++) fprintf(out, "%s`%s`", k ? ", " : ": ", choice.name);
}

/* A key's line; its path without the section's. */
static void print_row(const Key *key, const char *section, bool owners, FILE *out) {
  char forms[REFERENCE_TEXT_SIZE], range[REFERENCE_TEXT_SIZE], preset[REFERENCE_TEXT_SIZE];
  const SimParameter *row = key->row;
  fprintf(out, "| `%s` | ", key->path + strlen(section) + 1);
  if (owners) fprintf(out, "%s | ", *key->owners ? key->owners : "all");
  print_cell(reference_forms(row, forms), out);
  fprintf(out, " | ");
  print_cell(row->required ? "" : reference_default(row, preset), out);
  fprintf(out, " | %s | ", row->unit ? row->unit : "");
  print_cell(row->sentence, out);
  print_words(row, out);
  if (*reference_range(row, range)) fprintf(out, " (%s)", range);
  fprintf(out, " |\n");
}

/* owner: NULL for all keys of the section. */
static void print_table(int n, const Key *keys, const char *section, const char *owner, FILE *out) {
  size_t length = strlen(section);
  bool owners = strcmp(section, "scheme") == 0;
  fprintf(out, "<!-- keys:%s%s%s -->\n", section, owner ? "." : "", owner ? owner : "");
  fprintf(out, "| key |%s form | default | unit | |\n| --- |%s --- | --- | --- | --- |\n", owners ? " schemes |" : "",
          owners ? " --- |" : "");
  for (int i = 0; i < n; i++) {
    bool inside = strncmp(keys[i].path, section, length) == 0 && keys[i].path[length] == '.';
    if (!inside || (owner && (!*keys[i].owners || !key_has_owner(&keys[i], owner)))) continue;
    print_row(&keys[i], section, owners, out);
  }
  fprintf(out, "<!-- /keys -->\n");
}

void reference_markdown(FILE *out) {
  static Key keys[KEYS_MAX];
  KeyTable table;
  int n = keys_list(keys);
  for (int k = 0; key_table(k, &table); k++)
    if (table.owner && strcmp(table.section, "model") == 0) print_table(n, keys, "model", table.owner, out);
  for (const SimParameter *row = problem_sections; row->key; row++)
    if ((row->forms & SIM_FORM_SECTION) && strcmp(row->key, "model") != 0) print_table(n, keys, row->key, NULL, out);
}
