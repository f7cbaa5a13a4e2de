#define _GNU_SOURCE /* getopt_long */
#include "src/options.h"

#include "src/exit_code.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

typedef struct Describe {
  char letter;
  const char *name, *value, *text;
} Describe;

static const Describe known[] = {
    {'o', "output", "DIR", "write the results into DIR (default: results/NAME of the problem file)"},
    {'f', "force", NULL, "replace the results that DIR already holds"},
    {'s', "set", "KEY=VALUE", "override a key of the file, by its dotted path; may be repeated"},
    {'c', "control", "U", "simulate with the control U = u1,u2,... or, if U is a directory, the optimum found there"},
    {'b', "batch", "K", "points per message to a worker (default: chosen; the results do not depend on it)"},
    {'e', "coordinator-evaluates", "WHEN", "yes, no or auto: rank 0 evaluates, too (auto: if each rank has a core)"},
    {'p', "progress", NULL, "show a progress line even when the output is not a terminal"},
    {'q', "quiet", NULL, "print errors and warnings only"},
    {'h', "help", NULL, "show this help"},
};
enum { N_KNOWN = sizeof known / sizeof *known };

static bool takes(const Command *command, char letter) { return letter == 'h' || strchr(command->letters, letter); }

static bool has_short_form(char letter) { return strchr("oqh", letter); }

static int misused(FILE *errors, const char *command, const char *what, const char *which) {
  if (errors) fprintf(errors, "stiction %s: %s%s (see stiction %s --help)\n", command, what, which, command);
  return EXIT_USAGE;
}

static int batch_value(const Command *command, const char *text, FILE *errors, Options *options) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*text == 0 || *end || value < 1 || value > 1024)
    return misused(errors, command->name, "--batch expects a whole number from 1 to 1024, not ", text);
  options->batch = (int)value;
  return 0;
}

static int evaluates_value(const Command *command, const char *text, FILE *errors, Options *options) {
  static const char *const names[] = {[CHOICE_AUTO] = "auto", [CHOICE_YES] = "yes", [CHOICE_NO] = "no"};
  for (int k = 0; k < (int)(sizeof names / sizeof *names); k++) {
    if (strcmp(text, names[k])) continue;
    options->coordinator_evaluates = (Choice)k;
    return 0;
  }
  return misused(errors, command->name, "--coordinator-evaluates expects yes, no or auto, not ", text);
}

static int take(const Command *command, int letter, FILE *errors, Options *options) {
  switch (letter) {
  case 'o':
    options->output = optarg;
    return *optarg ? 0 : misused(errors, command->name, "empty name for ", "--output");
  case 'c': options->control = optarg; return 0;
  case 'b': return batch_value(command, optarg, errors, options);
  case 'e': return evaluates_value(command, optarg, errors, options);
  case 'f': options->force = true; return 0;
  case 'p': options->progress = true; return 0;
  case 'q': options->quiet = true; return 0;
  case 'h': options->help = true; return 0;
  case 's':
    if (options->n_settings == SETTINGS_MAX) return misused(errors, command->name, "too many ", "--set");
    options->settings[options->n_settings++] = optarg;
    return 0;
  default: return EXIT_USAGE;
  }
}

int options_read(const Command *command, int argc, char **argv, FILE *errors, Options *options) {
  char letters[3 * N_KNOWN + 2] = ":"; /* a leading colon: getopt tells a missing value apart */
  struct option longs[N_KNOWN + 1] = {{0}};
  int n = 0, n_letters = 1, code = 0, letter;
  for (int i = 0; i < N_KNOWN; i++) {
    const Describe *d = &known[i];
    if (!takes(command, d->letter)) continue;
    longs[n++] = (struct option){d->name, d->value ? required_argument : no_argument, NULL, d->letter};
    if (has_short_form(d->letter)) letters[n_letters++] = d->letter;
    if (has_short_form(d->letter) && d->value) letters[n_letters++] = ':';
  }
  *options = (Options){0};
  opterr = 0;
  optind = 2;
  while ((letter = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
    const char *given = argv[optind - 1];
    if (letter == '?')
      code = misused(errors, command->name, "unknown option ", given);
    else if (letter == ':')
      code = misused(errors, command->name, "a value is missing after ", given);
    else if (take(command, letter, errors, options))
      code = EXIT_USAGE;
  }
  if (options->help || code) return code;
  if (optind >= argc)
    return misused(errors, command->name, command->argument ? command->argument : "a problem file", " is missing");
  if (optind + 1 < argc) return misused(errors, command->name, "one argument too many: ", argv[optind + 1]);
  options->argument = argv[optind];
  return 0;
}

void options_help(const Command *command, FILE *out) {
  fprintf(out, "%s\nOptions:\n", command->help);
  for (int i = 0; i < N_KNOWN; i++) {
    const Describe *d = &known[i];
    if (!takes(command, d->letter)) continue;
    char form[64];
    bool brief = has_short_form(d->letter);
    snprintf(form, sizeof form, "%c%c%s--%s%s%s", brief ? '-' : ' ', brief ? d->letter : ' ', brief ? ", " : "  ",
             d->name, d->value ? " " : "", d->value ? d->value : "");
    fprintf(out, "  %-22s %s\n", form, d->text);
  }
}
