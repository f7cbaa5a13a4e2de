/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/process/process.h"
#include "src/reference/reference.h"

#include <string.h>

/* Prints a manual page: --man PAGE. */
static int print_page(const char *page, Diagnostics *diagnostics) {
  if (strcmp(page, "stiction") == 0)
    manual_commands(stdout);
  else if (strcmp(page, "stiction-problem") == 0)
    reference_manual(stdout);
  else
    return diagnostics_error(diagnostics, EXIT_USAGE, "--man expects stiction or stiction-problem, not %s", page);
  return EXIT_DONE;
}

static int run(const Options *options, Diagnostics *diagnostics) {
  char text[REFERENCE_TEXT_SIZE];
  const char *key = options->argument;
  if (process_rank() != 0) return EXIT_DONE;
  if (options->schema)
    return reference_schema(stdout) ? EXIT_DONE : diagnostics_error(diagnostics, EXIT_INTERNAL, "out of memory");
  if (options->man) return print_page(options->man, diagnostics);
  if (options->markdown) {
    reference_markdown(stdout);
  } else if (options->words) {
    manual_words(stdout);
  } else if (!key) {
    printf("The sections of a problem file:\n\n");
    reference_sections(stdout);
    printf("\n`stiction help SECTION` lists its keys, `stiction help SECTION.KEY` describes one.\n"
           "`stiction --help` lists the commands.\n");
  } else if (!reference_key(key, stdout) && !reference_search(key, stdout)) {
    const char *nearest = reference_nearest(key, text);
    return diagnostics_error(diagnostics, EXIT_USAGE, "no key %s%s%s%s (see stiction help)", key,
                             nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
  }
  return EXIT_DONE;
}

const Command command_help = {
    .name = "help",
    .summary = "describe the keys of problem files",
    .argument = "[KEY]",
    .help = "usage: stiction help [KEY] [options]\n\n"
            "Describes a key of a problem file, given by its dotted path: its forms, range, unit, default, and\n"
            "the schemes or kinds that have it. For a section (model, model.chain, scheme, scheme.lie, ..) lists its\n"
            "keys, for any other word the keys that mention it, and without KEY the sections.\n",
    .run = run,
};
