#define _GNU_SOURCE /* getopt_long */
#include "src/commands.h"

#include "sim/sim.h"
#include "src/base/exit_code.h"
#include "src/spool/job_file.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Describe {
  char letter;
  const char *name, *value, *text; /* value: NULL: it takes none; [=U]: it may follow behind = */
} Describe;

#define MAX_SECONDS "refuse a problem that takes more than about S seconds before its first step"
#define MAX_MEMORY  "refuse a problem that takes more memory than SIZE: bytes, or with K, M, G or T behind"
#define MAX_SEGMENTS                                                                                                   \
  "each motion of a search may take as much work as N segments by event of one degree of freedom, a step being a "     \
  "hundredth; a segment of d of them counts 1 + 0.028 d^2, more with derivatives; else it counts as failed"

static const Describe known[] = {
    {'o', "output", "DIR", "write the results into DIR (default: results/NAME of the problem file)"},
    {'f', "force", NULL, "replace the results that DIR already holds"},
    {'s', "set", "KEY=VALUE",
     "override a key of the file, by its dotted path (KEY=null takes it out); may be repeated"},
    {'V', "vary", "KEY=..", "vary a key: KEY=[a, b, c] or KEY=from:to:count[:log]; repeated: every combination"},
    {'Z', "zip", NULL, "the first values of all keys, then the second, .., in place of every combination"},
    {'C', "control", "[=U]", "each run is a search (default: where FILE has a control); with --simulate: its control"},
    {'I', "simulate", NULL, "each run is a simulation, without control unless there is --control=U"},
    {'K', "keep", NULL, "keep the results of each run, in DIR/runs/NUMBER"},
    {'U', "column", "PATH", "a member of each run's summary.json as a column, like outcome.x_T[1]; may be repeated"},
    {'c', "control", "U", "the control: u1,u2,.., a directory whose optimum it is, or start: the file's control.start"},
    {'v', "verify", NULL, "run the motion itself, too, and tell how far from it this run is"},
    {'N', "scenarios", NULL, "simulate all scenarios of the file, too, on all ranks"},
    {'b', "batch", "K", "points per message to a worker (default: chosen; the results do not depend on it)"},
    {'k', "batch-kernel", "NAME",
     "what evaluates batches: ref, sse2 or neon, avx2, avx512 (default: the widest; all give the same)"},
    {'e', "coordinator-evaluates", "WHEN", "yes, no or auto: rank 0 evaluates, too (auto: if each rank has a core)"},
    {'w', "compare", "DIR2", "draw another run, whose results DIR2 holds, in the same panels"},
    {'d', "dof", "A,B,..", "draw these degrees of freedom alone, by names or numbers"},
    {'E', "elastic", "W", "rank 0 starts W workers and replaces those that die (mpirun -n 1 --enable-recovery)"},
    {'A', "at-once", "K", "search K problems at a time (default: twice as many as workers, 16 to 128)"},
    {'i', "listen", "ADDRESS:PORT", "where the page is (default: 127.0.0.1:8080); port 0: a free one"},
    {'Q', "host", "NAME", "another name by which the page is reached, like jobs.example.org"},
    {'t', "token-file", "FILE", "a file of yours alone (0600): the one line that others must know to see anything"},
    {'u', "read-only", NULL, "only show: nothing is submitted, nothing cancelled"},
    {'D', "drain", NULL, "end when no problem is left"},
    {'L', "steps", "N", "the file's step and N - 1 halvings of it (default: 5)"},
    {'S', "schemes", "A,B,..", "the schemes to compare (default: all that serve the model)"},
    {'T', "format", "FORM", "text, csv or markdown"},
    {'x', "max-seconds", "S", MAX_SECONDS " (default: any)"},
    {'m', "max-memory", "SIZE", MAX_MEMORY " (default: what there is)"},
    {'X', "max-variables", "N", "refuse a control of more than N variables"},
    {'G', "max-segments", "N", MAX_SEGMENTS " (default: any)"},
    {'B', "confined", NULL, "read no file but FILE and those in its folder, by their bare names"},
    {'Y', "job-seconds", "S", "end a job that has run for S seconds, as failed, with its results so far"},
    {'F', "turn", "S", "a job that has had a place for S seconds makes room for others that wait (default: 20)"},
    {'g', "init", NULL, "make the folders of SPOOL, and end"},
    {'R', "processes", "K", "at most K jobs in processes of their own at a time (default: as many as workers)"},
    {'p', "progress", NULL, "show a progress line even when the output is not a terminal"},
    {'q', "quiet", NULL, "print diagnostics and warnings only"},
    {'M', "markdown", NULL, "all keys, as the tables of jobs/problems/*.md"},
    {'J', "schema", NULL, "all keys, as a JSON Schema for editors: jobs/problems/schema.json"},
    {'H', "man", "PAGE", "a page of the manual: stiction, or stiction-problem"},
    {'W', "words", NULL, "commands, their options, and all keys, a line each: for the completion of shells"},
    {'j', "json", NULL, "what is told, mistakes too, as JSON on standard output"},
    {'n', "name", "NAME", "what the job is called (default: as FILE, less .yaml)"},
    {'r', "priority", "N", "-100 to 100: of your jobs those with larger ones go first (default: 0)"},
    {'a', "command", "COMMAND",
     "control, simulate, sweep or identify (default: FILE's first line, # stiction: COMMAND; else control)"},
    {'z', "wait", NULL, "until the jobs have ended; the exit code is theirs"},
    {'y', "watch", NULL,
     "again each second, or, where the output is no terminal, a line for each change; until Ctrl-C"},
    {'l', "all", NULL, "all jobs, not the newest 20 of those that have ended"},
    {'h', "help", NULL, "show this help"},
};
/* Those that have another default of `serve`: others submit its files. */
static const struct {
  char letter;
  const char *text;
} of_serve[] = {{'x', MAX_SECONDS " (default: 10)"},
                {'m', MAX_MEMORY " (default: a quarter of what there is)"},
                {'G', MAX_SEGMENTS " (default: 1e6)"}};

enum { N_KNOWN = sizeof known / sizeof *known, WHOLE_MAX = 1024, VARIABLES_MAX = 1 << 20 };

static bool takes(const Command *command, char letter) { return letter == 'h' || strchr(command->letters, letter); }

static const char *text_of(const Command *command, const Describe *option) {
  for (size_t k = 0; command == &command_serve && k < sizeof of_serve / sizeof *of_serve; k++)
    if (of_serve[k].letter == option->letter) return of_serve[k].text;
  return option->text;
}

static bool is_optional(const Describe *d) { return d->value && d->value[0] == '['; }

static bool has_short_form(char letter) { return strchr("oqh", letter); }

/* Whether an argument is of the form -letters, with this among them. */
static bool has_letter(const char *argument, int letter) {
  return argument[0] == '-' && argument[1] != '-' && strchr(argument, letter);
}

static int misused(Diagnostics *diagnostics, const char *command, const char *what, const char *which) {
  return diagnostics_error(diagnostics, EXIT_USAGE, "%s%s (see stiction %s --help)", what, which, command);
}

static int whole_between(const Command *command, const char *name, int least, int most, const char *text,
                         Diagnostics *diagnostics, int *value) {
  char *end, what[128];
  long number = strtol(text, &end, 10);
  if (*text && !*end && number >= least && number <= most) {
    *value = (int)number;
    return 0;
  }
  snprintf(what, sizeof what, "%s expects a whole number from %d to %d, not ", name, least, most);
  return misused(diagnostics, command->name, what, text);
}

static int whole_value(const Command *command, const char *name, const char *text, Diagnostics *diagnostics,
                       int *value) {
  return whole_between(command, name, 1, WHOLE_MAX, text, diagnostics, value);
}

/* A positive number, with one of the suffixes behind it, if any, which stand for 1024, 1024^2, .. */
static int limit_value(const Command *command, const char *expected, const char *suffixes, const char *text,
                       Diagnostics *diagnostics, double *value) {
  char *end, what[128];
  double number = strtod(text, &end);
  const char *suffix = *end ? strchr(suffixes, *end) : NULL;
  if (suffix) number = ldexp(number, 10 * (int)(suffix - suffixes + 1));
  if (number > 0 && isfinite(number) && text + strspn(text, "0123456789.eE+-") == end && !end[suffix != NULL]) {
    *value = number;
    return 0;
  }
  snprintf(what, sizeof what, "%s, not ", expected);
  return misused(diagnostics, command->name, what, text);
}

static int kernel_value(const char *text, Diagnostics *diagnostics, Options *options) {
  char names[64] = "";
  for (int k = 0; sim_kernel_name(k); k++) {
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? ", " : "", sim_kernel_name(k));
    if (strcmp(text, sim_kernel_name(k)) == 0) options->kernel = k;
  }
  if (options->kernel >= 0 && (!diagnostics || sim_kernel_runs(options->kernel)))
    return 0; /* a worker's: rollout_context_set_kernel */
  if (options->kernel >= 0)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--batch-kernel: this processor has no %s (the kernels: %s)",
                             text, names);
  return diagnostics_error(diagnostics, EXIT_USAGE, "--batch-kernel expects one of %s, not %s", names, text);
}

static int evaluates_value(const Command *command, const char *text, Diagnostics *diagnostics, Options *options) {
  static const char *const names[] = {[WHEN_AUTO] = "auto", [WHEN_YES] = "yes", [WHEN_NO] = "no"};
  for (int k = 0; k < (int)(sizeof names / sizeof *names); k++) {
    if (strcmp(text, names[k])) continue;
    options->coordinator_evaluates = (When)k;
    return 0;
  }
  return misused(diagnostics, command->name, "--coordinator-evaluates expects yes, no or auto, not ", text);
}

/* What a word of a command's usage stands for, where it is not given. */
static const char *missing(const char *word) {
  if (strcmp(word, "DIR") == 0) return "a results directory is missing";
  if (strncmp(word, "NAME", strlen("NAME")) == 0) return "the name of a job is missing";
  return strncmp(word, "FILE", strlen("FILE")) == 0 ? "a problem file is missing" : "a folder is missing";
}

/* The arguments that are no options. */
static int take_arguments(const Command *command, int n, char **words, Diagnostics *diagnostics, Options *options) {
  const char *others = command->others ? command->others : "[]";
  size_t length = strlen(others);
  bool many = length > 2 && strcmp(others + length - 2, "..") == 0;
  int most = many ? n : command->others ? 2 : 1;
  if (n == 0 && command->argument[0] == '[') return 0;
  if (n == 0) return misused(diagnostics, command->name, missing(command->argument), "");
  if (n == 1 && others[0] != '[') return misused(diagnostics, command->name, missing(others), "");
  if (n > most) return misused(diagnostics, command->name, "one argument too many: ", words[most]);
  options->argument = words[0];
  options->others = words + 1;
  options->n_others = n - 1;
  return 0;
}

/* One more of an option that may be repeated. */
static int keep_text(const Command *command, const char *name, char **list, int *n, Diagnostics *diagnostics) {
  if (*n == SETTINGS_MAX) return misused(diagnostics, command->name, "too many ", name);
  list[(*n)++] = optarg;
  return 0;
}

static int take(const Command *command, int letter, Diagnostics *diagnostics, Options *options) {
  switch (letter) {
  case 'o':
    options->output = optarg;
    return *optarg ? 0 : misused(diagnostics, command->name, "empty name for ", "--output");
  case 'c': options->control = optarg; return 0;
  case 'w': options->compare = optarg; return 0;
  case 'd': options->dofs = optarg; return 0;
  case 'b': return whole_value(command, "--batch", optarg, diagnostics, &options->batch);
  case 'E': return whole_value(command, "--elastic", optarg, diagnostics, &options->elastic);
  case 'A': return whole_value(command, "--at-once", optarg, diagnostics, &options->at_once);
  case 'x':
    return limit_value(command, "--max-seconds expects a positive number", "", optarg, diagnostics,
                       &options->limits.seconds);
  case 'm':
    return limit_value(command, "--max-memory expects a size like 500M or 4G", "KMGT", optarg, diagnostics,
                       &options->limits.bytes);
  case 'X':
    return whole_between(command, "--max-variables", 1, VARIABLES_MAX, optarg, diagnostics, &options->limits.variables);
  case 'G':
    return limit_value(command, "--max-segments expects a positive number", "", optarg, diagnostics,
                       &options->limits.segments);
  case 'B': options->confined = options->only_asked = true; return 0;
  case 'Y':
    return limit_value(command, "--job-seconds expects a positive number", "", optarg, diagnostics,
                       &options->job_seconds);
  case 'F': return limit_value(command, "--turn expects a positive number", "", optarg, diagnostics, &options->turn);
  case 'g': options->init = true; return 0;
  case 'R': return whole_value(command, "--processes", optarg, diagnostics, &options->processes);
  case 'i': options->listen = optarg; return 0;
  case 'Q': options->host = optarg; return 0;
  case 't': options->token_file = optarg; return 0;
  case 'u': options->read_only = true; return 0;
  case 'D': options->drain = true; return 0;
  case 'L': return whole_value(command, "--steps", optarg, diagnostics, &options->levels);
  case 'S': options->schemes = optarg; return 0;
  case 'T': options->format = optarg; return 0;
  case 'k': return kernel_value(optarg, diagnostics, options);
  case 'e': return evaluates_value(command, optarg, diagnostics, options);
  case 'M': options->markdown = true; return 0;
  case 'J': options->schema = true; return 0;
  case 'H': options->man = optarg; return 0;
  case 'W': options->words = true; return 0;
  case 'j': options->json = true; return 0;
  case 'v': options->verify = true; return 0;
  case 'N': options->scenarios = true; return 0;
  case 'f': options->force = true; return 0;
  case 'p': options->progress = true; return 0;
  case 'q': options->quiet = true; return 0;
  case 'h': options->help = true; return 0;
  case 'V': return keep_text(command, "--vary", options->varies, &options->n_varies, diagnostics);
  case 'U': return keep_text(command, "--column", options->columns, &options->n_columns, diagnostics);
  case 'Z': options->zip = true; return 0;
  case 'K': options->keep = true; return 0;
  case 'C':
    if (optarg)
      options->control = optarg;
    else
      options->sweep = options->sweep == SWEEP_SIMULATE ? SWEEP_BOTH : SWEEP_CONTROL;
    return 0;
  case 'I': options->sweep = options->sweep == SWEEP_CONTROL ? SWEEP_BOTH : SWEEP_SIMULATE; return 0;
  case 'n': options->name = optarg; return 0;
  case 'r':
    return whole_between(command, "--priority", -JOB_PRIORITY_MAX, JOB_PRIORITY_MAX, optarg, diagnostics,
                         &options->priority);
  case 'a': options->command = optarg; return 0;
  case 'z': options->wait = true; return 0;
  case 'y': options->watch = true; return 0;
  case 'l': options->all = true; return 0;
  case 's': return keep_text(command, "--set", options->settings, &options->n_settings, diagnostics);
  default: return EXIT_USAGE;
  }
}

/* Whether an argument can be the value of the -step_ option before it: as PETSc has it, all but options. */
static bool is_value(const char *argument) {
  return argument[0] != '-' || strchr("0123456789.", argument[1] ? argument[1] : '-');
}

/* Moves each -step_NAME [VALUE] from argv to options->petsc. */
static int take_petsc(const Command *command, int *argc, char **argv, Diagnostics *diagnostics, Options *options) {
  static const char prefix[] = "-step_";
  int kept = 2;
  size_t length = 0;
  for (int i = 2; i < *argc; i++) {
    bool ours = takes(command, 'P') && strncmp(argv[i], prefix, strlen(prefix)) == 0;
    if (!ours) {
      argv[kept++] = argv[i];
      continue;
    }
    const char *value = i + 1 < *argc && is_value(argv[i + 1]) ? argv[++i] : "";
    const char *name = *value ? argv[i - 1] : argv[i];
    length += (size_t)snprintf(options->petsc + length, sizeof options->petsc - length, "%s%s%s%s", length ? " " : "",
                               name, *value ? " " : "", value);
    if (length >= sizeof options->petsc) return misused(diagnostics, command->name, "too many options ", name);
  }
  *argc = kept;
  return 0;
}

int options_read(const Command *command, int argc, char **argv, Diagnostics *diagnostics, Options *options) {
  char letters[3 * N_KNOWN + 2] = ":"; /* a leading colon: getopt tells a missing value apart */
  struct option longs[N_KNOWN + 1] = {{0}};
  int n = 0, n_letters = 1, code = 0, letter;
  for (int i = 0; i < N_KNOWN; i++) {
    const Describe *d = &known[i];
    if (!takes(command, d->letter)) continue;
    int takes_value = is_optional(d) ? optional_argument : d->value ? required_argument : no_argument;
    longs[n++] = (struct option){d->name, takes_value, NULL, d->letter};
    if (has_short_form(d->letter)) letters[n_letters++] = d->letter;
    if (has_short_form(d->letter) && d->value) letters[n_letters++] = ':';
  }
  *options = (Options){.kernel = -1, .arguments = argv + 1};
  if (take_petsc(command, &argc, argv, diagnostics, options)) return EXIT_USAGE;
  const char *unknown = NULL;
  opterr = 0;
  optind = 2;
  while ((letter = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
    const char *given = argv[optind - 1];
    if (letter == '?' && optopt && !has_letter(given, optopt)) given = argv[optind]; /* which has more letters */
    if (letter == '?' && given != unknown)
      code = misused(diagnostics, command->name, "unknown option ", unknown = given);
    else if (letter == ':')
      code = misused(diagnostics, command->name, "a value is missing after ", given);
    else if (letter != '?' && take(command, letter, diagnostics, options))
      code = EXIT_USAGE;
  }
  if (options->help || code) return code;
  return take_arguments(command, argc - optind, argv + optind, diagnostics, options);
}

bool command_option(const Command *command, int k, CommandOption *option) {
  for (int i = 0; i < N_KNOWN; i++) {
    const Describe *d = &known[i];
    if (!takes(command, d->letter) || k-- > 0) continue;
    *option = (CommandOption){.letter = has_short_form(d->letter) ? d->letter : 0,
                              .between = d->value && !is_optional(d) ? " " : "",
                              .value = d->value,
                              .text = text_of(command, d)};
    snprintf(option->name, sizeof option->name, "--%s", d->name);
    return true;
  }
  if (!takes(command, 'P') || k > 0) return false;
  *option = (CommandOption){.name = "-step_NAME",
                            .between = " ",
                            .value = "[VALUE]",
                            .text = "for PETSc's solvers of the steps of sparse models; after FILE"};
  return true;
}

void options_help(const Command *command, FILE *out) {
  CommandOption option;
  fprintf(out, "%s\nOptions:\n", command->help);
  for (int k = 0; command_option(command, k, &option); k++) {
    char form[64];
    bool brief = option.letter;
    snprintf(form, sizeof form, "%c%c%s%s%s%s", brief ? '-' : ' ', brief ? option.letter : ' ', brief ? ", " : "  ",
             option.name, option.between, option.value ? option.value : "");
    fprintf(out, "  %-22s %s\n", form, option.text);
  }
}
