/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/tools/table.h"

#include <stdlib.h>
#include <string.h>

bool table_form_option(const char *argument, TextTableForm *form) {
  bool csv = !strcmp(argument, "--csv"), markdown = !strcmp(argument, "--markdown");
  if (csv) *form = TABLE_CSV;
  if (markdown) *form = TABLE_MARKDOWN;
  return csv || markdown;
}

bool table_arguments(int argc, char **argv, const char *program, const char *usage, TextTableForm *form, bool *quick,
                     int *code) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help")) {
      fputs(usage, stdout);
      *code = EXIT_DONE;
      return false;
    }
    if (!strcmp(argv[i], "--quick")) {
      *quick = true;
    } else if (!table_form_option(argv[i], form)) {
      fprintf(stderr, "%s: unknown argument '%s'\n%s", program, argv[i], usage);
      *code = EXIT_USAGE;
      return false;
    }
  }
  return true;
}

void table_print(const TextTable *table, TextTableForm form, FILE *out) {
  if (text_table_print(table, form, out)) return;
  fputs("bench: the table could not be written\n", stderr);
  exit(EXIT_FAILURE);
}
