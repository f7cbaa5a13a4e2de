/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the keys of problem files as a manual page, and as words for shell completion. */
#include "src/reference/reference.h"

#include "sim/version.h"

#include <string.h>

void reference_roff(const char *text, FILE *out) {
  for (bool begins = true; *text; begins = *text++ == '\n') {
    if (begins && (*text == '.' || *text == '\'')) fputs("\\&", out);
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      fputc(*text, out);
  }
}

/* Prints a key without the name of its section, and its possible values and its description. */
static void print_key(const Key *key, const char *section, FILE *out) {
  char text[REFERENCE_TEXT_SIZE];
  const SimParameter *row = key->row;
  SimChoice choice;
  fprintf(out, ".TP\n.B ");
  reference_roff(key->path + strlen(section) + 1, out);
  fprintf(out, "\n");
  reference_roff(row->sentence, out);
  if (row->unit) fprintf(out, " (%s)", row->unit);
  fprintf(out, ".\nForm: ");
  reference_roff(reference_forms(row, text), out);
  if (*reference_range(row, text)) fprintf(out, ", "), reference_roff(text, out);
  fprintf(out, ". Default: ");
  reference_roff(reference_default(row, text), out);
  fprintf(out, ".\n");
  if (*key->owners) fprintf(out, "Taken by %s.\n", key->owners);
  for (int k = 0; (row->forms & SIM_FORM_CHOICE) && sim_parameter_choice(row, k, &choice); k++) {
    fprintf(out, ".br\n.I %s\n", choice.name);
    if (choice.sentence) reference_roff(choice.sentence, out), fprintf(out, "\n");
  }
}

static void print_section(int n, const Key *keys, const char *section, const char *owner, FILE *out) {
  size_t length = strlen(section);
  fprintf(out, ".SS %s%s%s\n", section, owner ? ", " : "", owner ? owner : "");
  for (int i = 0; i < n; i++)
    if (strncmp(keys[i].path, section, length) == 0 && keys[i].path[length] == '.') print_key(&keys[i], section, out);
}

void reference_manual(FILE *out) {
  static Key keys[KEYS_MAX];
  KeyTable table;
  fprintf(out, ".TH STICTION\\-PROBLEM 5 \"\" \"stiction %s\"\n", STICTION_VERSION);
  fprintf(out, ".SH NAME\nstiction\\-problem \\- problem files of stiction(1)\n"
               ".SH DESCRIPTION\nA problem file is YAML: a mapping of the sections below, each a mapping of keys. "
               "SI units throughout.\n.PP\n.nf\n"
               "model: {kind: friction, mass: 1, stiffness: 0, friction: 1, x0: [0]}\n"
               "time: {end: 2, step: 0.005}\n"
               "control:\n  target: {position: [1], velocity: [0]}\n"
               "  signal: {kind: piecewise_constant, segments: 10}\n.fi\n.SH SECTIONS\n");
  for (const SimParameter *row = problem_sections; row->key; row++) {
    fprintf(out, ".TP\n.B %s\n", row->key);
    reference_roff(row->sentence, out);
    fprintf(out, "\n");
  }
  fprintf(out, ".SH KEYS\n");
  for (int k = 0; key_table(k, &table); k++)
    if (strcmp(table.section, "model") == 0)
      print_section(keys_of_table(&table, keys), keys, "model", table.owner, out);
  int n = keys_list(keys);
  for (const SimParameter *row = problem_sections; row->key; row++)
    if ((row->forms & SIM_FORM_SECTION) && strcmp(row->key, "model") != 0) print_section(n, keys, row->key, NULL, out);
  fprintf(out,
          ".SH SEE ALSO\nstiction(1); `stiction help KEY` describes a key; the examples in share/stiction/problems\n");
}

void reference_words(FILE *out) {
  static Key keys[KEYS_MAX];
  SimChoice choice;
  int n = keys_list(keys);
  for (int i = 0; i < n; i++) {
    const SimParameter *row = keys[i].row;
    bool section = row->forms == SIM_FORM_SECTION;
    if (!section) fprintf(out, "key\t%s\t%s\n", keys[i].path, row->sentence);
    for (int k = 0; (row->forms & SIM_FORM_CHOICE) && sim_parameter_choice(row, k, &choice); k++)
      fprintf(out, "word\t%s\t%s\n", keys[i].path, choice.name);
  }
}
