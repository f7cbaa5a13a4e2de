/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints all commands as a manual page, and all words of command lines for shell completion. */
#include "sim/version.h"
#include "src/commands.h"
#include "src/reference/reference.h"

static void print_option(const CommandOption *option, FILE *out) {
  fprintf(out, ".TP\n.B ");
  if (option->letter) fprintf(out, "\\-%c, ", option->letter);
  reference_roff(option->name, out);
  if (option->value) fprintf(out, "%s\\fI%s\\fP", option->between, option->value);
  fprintf(out, "\n");
  reference_roff(option->text, out);
  fprintf(out, "\n");
}

void manual_commands(FILE *out) {
  const Command *command;
  CommandOption option;
  fprintf(out, ".TH STICTION 1 \"\" \"stiction %s\"\n", STICTION_VERSION);
  fprintf(out, ".SH NAME\nstiction \\- simulation and optimal control of mechanical systems with dry friction\n"
               ".SH SYNOPSIS\n.B stiction\n.I COMMAND\n.RI [ FILE | DIR \"] [\" options ]\n.br\n"
               ".B mpirun \\-n\n.I P\n.B stiction\n.I COMMAND\n.RI [ FILE | DIR \"] [\" options ]\n.SH COMMANDS\n");
  for (int k = 0; (command = command_at(k)) != NULL; k++) {
    fprintf(out, ".SS %s\n", command->name);
    reference_roff(command->summary, out);
    fprintf(out, "\n.PP\n.nf\n");
    reference_roff(command->help, out);
    fprintf(out, ".fi\n");
    for (int i = 0; command_option(command, i, &option); i++) print_option(&option, out);
  }
  fprintf(
      out,
      ".SH EXIT STATUS\n.TP\n0\ndone; control: the target is met\n.TP\n2\nbad usage, problem file or directory\n"
      ".TP\n3\nthe target is not met\n.TP\n4\nan evaluation or a solver failed\n.TP\n70\ninternal error: no memory, "
      "a full disk\n.TP\n85\nstopped on a signal after a checkpoint\n"
      ".SH SEE ALSO\nstiction\\-problem(5), mpirun(1)\n");
}

void manual_words(FILE *out) {
  const Command *command;
  CommandOption option;
  for (int k = 0; (command = command_at(k)) != NULL; k++) {
    fprintf(out, "command\t%s\t%s\t%s\n", command->name, command->argument, command->summary);
    for (int i = 0; command_option(command, i, &option); i++)
      fprintf(out, "option\t%s\t%s\t%s\t%s\n", command->name, option.name, option.value ? option.value : "-",
              option.text);
  }
  reference_words(out);
}
