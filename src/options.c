/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* declares getopt_long */
#include "src/commands.h"

#include "sim/internal.h"
#include "src/spool/job_file.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parses command lines. One table defines all options, for the parser, the help, the manual and shell completion. */

enum { WHOLE_MAX = 1024, VARIABLES_MAX = 1 << 20 };

/* Destination of a parsed command line: options and diagnostics. */
typedef struct Taking {
  const Command *command;
  Diagnostics *diagnostics;
  Options *options;
} Taking;

/* Definition of an option. */
typedef struct Row Row;
struct Row {
  const char *name, *value, *text; /* name, value and description of the option. value NULL: the option has none; a
                                    * value in brackets, e.g. [=U], is optional and follows = */
  const char *commands;            /* commands that accept the option, separated by blanks; NULL: all commands */
  /* Stores the option in Options. value: text of its value; NULL if there is none. Returns 0, or EXIT_USAGE after
   * reporting an error. */
  int (*take)(const Taking *to, const Row *row, const char *value);
  size_t member;         /* offset of the value in Options, for functions such as take_flag */
  int least, most;       /* for an integer: smallest and largest allowed value */
  size_t count;          /* for a list: offset in Options of the number of its entries */
  const char *unit_size; /* for a positive number: letters that may follow it; the k-th letter means 1024^k */
  char letter;           /* letter of the short form, e.g. 'o' for "-o" of --output; 0: none */
};

static int misused(const Taking *to, const char *what, const char *which) {
  return diagnostics_error(to->diagnostics, EXIT_USAGE, "%s%s (see stiction %s --help)", what, which,
                           to->command->name);
}

static int expects(const Taking *to, const Row *row, const char *expected, const char *value) {
  return diagnostics_error(to->diagnostics, EXIT_USAGE, "--%s expects %s, not %s (see stiction %s --help)", row->name,
                           expected, value, to->command->name);
}

static void *member_of(const Taking *to, size_t member) { return (char *)to->options + member; }

static int take_flag(const Taking *to, const Row *row, const char *value) {
  (void)value;
  *(bool *)member_of(to, row->member) = true;
  return 0;
}

static int take_text(const Taking *to, const Row *row, const char *value) {
  *(const char **)member_of(to, row->member) = value;
  return 0;
}

static int take_name(const Taking *to, const Row *row, const char *value) {
  return *value ? take_text(to, row, value) : misused(to, "empty name for --", row->name);
}

/* Adds the value of an option that may be repeated to its list. */
static int take_more(const Taking *to, const Row *row, const char *value) {
  int *n = member_of(to, row->count);
  if (*n == SETTINGS_MAX) return misused(to, "too many --", row->name);
  ((const char **)member_of(to, row->member))[(*n)++] = value;
  return 0;
}

static int take_whole(const Taking *to, const Row *row, const char *value) {
  char *end, expected[64];
  long number = strtol(value, &end, 10);
  snprintf(expected, sizeof expected, "a whole number from %d to %d", row->least, row->most);
  if (!*value || *end || number < row->least || number > row->most) return expects(to, row, expected, value);
  *(int *)member_of(to, row->member) = (int)number;
  return 0;
}

static int take_positive(const Taking *to, const Row *row, const char *value) {
  char *end;
  double number = strtod(value, &end);
  const char *suffix = *end && row->unit_size ? strchr(row->unit_size, *end) : NULL;
  if (suffix) number = ldexp(number, 10 * (int)(suffix - row->unit_size + 1));
  if (!(number > 0 && isfinite(number)) || value + strspn(value, "0123456789.eE+-") != end || end[suffix != NULL])
    return expects(to, row, row->unit_size ? "a size like 500M or 4G" : "a positive number", value);
  *(double *)member_of(to, row->member) = number;
  return 0;
}

static int take_kernel(const Taking *to, const Row *row, const char *value) {
  char names[64] = "", one_of[80];
  int *kernel = member_of(to, row->member);
  for (int k = 0; sim_kernel_name(k); k++) {
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? ", " : "", sim_kernel_name(k));
    if (strcmp(value, sim_kernel_name(k)) == 0) *kernel = k;
  }
  snprintf(one_of, sizeof one_of, "one of %s", names);
  if (*kernel < 0) return expects(to, row, one_of, value);
  /* in a worker process diagnostics is NULL, and rollout_context_set_kernel makes this check */
  if (!to->diagnostics || sim_kernel_runs(*kernel)) return 0;
  return diagnostics_error(to->diagnostics, EXIT_USAGE, "--%s: this processor has no %s (the kernels: %s)", row->name,
                           value, names);
}

static int take_when(const Taking *to, const Row *row, const char *value) {
  static const char *const names[] = {[WHEN_AUTO] = "auto", [WHEN_YES] = "yes", [WHEN_NO] = "no"};
  for (int k = 0; k < (int)(sizeof names / sizeof *names); k++)
    if (strcmp(value, names[k]) == 0) return *(When *)member_of(to, row->member) = (When)k, 0;
  return expects(to, row, "yes, no or auto", value);
}

/* Stores the option --control. In a sweep its value U may be missing; each run is then a search. */
static int take_control(const Taking *to, const Row *row, const char *value) {
  SweepOf *sweep = &to->options->sweep;
  if (value) return take_text(to, row, value);
  *sweep = *sweep == SWEEP_SIMULATE ? SWEEP_BOTH : SWEEP_CONTROL;
  return 0;
}

static int take_simulate(const Taking *to, const Row *row, const char *value) {
  (void)row, (void)value;
  SweepOf *sweep = &to->options->sweep;
  *sweep = *sweep == SWEEP_CONTROL ? SWEEP_BOTH : SWEEP_SIMULATE;
  return 0;
}

static int take_confined(const Taking *to, const Row *row, const char *value) {
  to->options->only_asked = true;
  return take_flag(to, row, value);
}

#define TAKEN_BY(how, option)    .take = take_##how, .member = offsetof(Options, option)
#define FLAG(option)             TAKEN_BY(flag, option)
#define TEXT(option)             TAKEN_BY(text, option)
#define WHOLE(option, low, high) TAKEN_BY(whole, option), .least = (low), .most = (high)
#define POSITIVE(option)         TAKEN_BY(positive, option)
#define MORE(option)             TAKEN_BY(more, option), .count = offsetof(Options, n_##option)

#define MAX_SECONDS "refuse a problem that takes more than about S seconds before its first step"
#define MAX_MEMORY  "refuse a problem that takes more memory than SIZE: bytes, or with K, M, G or T behind"
#define MAX_SEGMENTS                                                                                                   \
  "each motion of a search may take as much work as N segments by event of one degree of freedom, a step being a "     \
  "hundredth; a segment of d of them counts 1 + 0.028 d^2, more with derivatives; else it counts as failed"

static const Row rows[] = {
    {"output", "DIR", "write the results into DIR (default: results/NAME of the problem file)",
     "control converge fetch identify search simulate sweep", TAKEN_BY(name, output), .letter = 'o'},
    {"force", NULL, "replace the results that DIR already holds",
     "control converge fetch identify search simulate sweep", FLAG(force)},
    {"set", "KEY=VALUE", "override a key of the file, by its dotted path (KEY=null takes it out); may be repeated",
     "check control converge identify search simulate submit sweep", MORE(settings)},
    {"vary", "KEY=..",
     "vary a key: KEY=[a, b, c] or KEY=from:to:count[:log]; repeated: every combination; not with --set of the "
     "same key",
     "submit sweep", MORE(varies)},
    {"zip", NULL, "the first values of all keys, then the second, .., in place of every combination", "submit sweep",
     FLAG(zip)},
    {"control", "[=U]", "each run is a search (default: where FILE has a control); with --simulate: its control",
     "submit sweep", TAKEN_BY(control, control)},
    {"simulate", NULL, "each run is a simulation, without control unless there is --control=U", "submit sweep",
     .take = take_simulate},
    {"keep", NULL, "keep the results of each run, in DIR/runs/NUMBER", "submit sweep", FLAG(keep)},
    {"column", "PATH", "a member of each run's summary.json as a column, like outcome.x_T[1]; may be repeated",
     "submit sweep", MORE(columns)},
    {"control", "U", "the control: u1,u2,.., a directory with a search's results, or start: the file's control.start",
     "converge simulate", TEXT(control)},
    {"verify", NULL, "run the motion itself, too, and report how far this run is from it", "simulate submit sweep",
     FLAG(verify)},
    {"scenarios", NULL, "simulate all scenarios of the file, too, on all ranks", "simulate submit", FLAG(scenarios)},
    {"batch", "K", "points per message to a worker (default: chosen; the results do not depend on it)",
     "control resume search", WHOLE(batch, 1, WHOLE_MAX)},
    {"batch-kernel", "NAME",
     "what evaluates batches: ref, sse2 or neon, avx2, avx512 (default: the widest; all give the same)",
     "control resume serve sweep", TAKEN_BY(kernel, kernel)},
    {"coordinator-evaluates", "WHEN", "yes, no or auto: rank 0 evaluates, too (auto: if each rank has a core)",
     "control resume search", TAKEN_BY(when, coordinator_evaluates)},
    {"compare", "DIR2", "draw another run, with results in DIR2, in the same panels", "plot", TEXT(compare)},
    {"dof", "A,B,..", "draw these degrees of freedom alone, by names or numbers", "plot", TEXT(dofs)},
    {"set", "KEY=VALUE", "draw the runs of a sweep in which a key that varies has this value; may be repeated", "plot",
     MORE(settings)},
    {"elastic", "W", "rank 0 starts W workers and replaces those that die (mpirun -n 1 --enable-recovery)",
     "control resume search serve sweep", WHOLE(elastic, 1, WHOLE_MAX)},
    {"at-once", "K", "search K problems at a time (default: twice as many as workers, 16 to 128)", "serve",
     WHOLE(at_once, 1, WHOLE_MAX)},
    {"listen", "ADDRESS:PORT", "where the page is (default: 127.0.0.1:8080); port 0: a free one", "web", TEXT(listen)},
    {"host", "NAME", "another name by which the page is reached, like jobs.example.org", "web", TEXT(host)},
    {"token-file", "FILE", "a file of yours alone (0600): the one line that others must know to see anything", "web",
     TEXT(token_file)},
    {"read-only", NULL, "only show: nothing is submitted, nothing cancelled", "web", FLAG(read_only)},
    {"drain", NULL, "end when no problem is left", "serve", FLAG(drain)},
    {"steps", "N", "the file's step and N - 1 halvings of it (default: 5)", "converge", WHOLE(levels, 1, WHOLE_MAX)},
    {"schemes", "A,B,..", "the schemes to compare (default: all that serve the model)", "converge", TEXT(schemes)},
    {"format", "FORM", "text, csv or markdown", "converge", TEXT(format)},
    {"max-seconds", "S", MAX_SECONDS " (default: any)",
     "check control converge identify resume search simulate submit sweep", POSITIVE(limits.seconds)},
    {"max-seconds", "S", MAX_SECONDS " (default: 10)", "serve", POSITIVE(limits.seconds)},
    {"max-memory", "SIZE", MAX_MEMORY " (default: what there is)",
     "check control converge identify resume search simulate submit sweep", POSITIVE(limits.bytes),
     .unit_size = "KMGT"},
    {"max-memory", "SIZE", MAX_MEMORY " (default: a quarter of what there is)", "serve", POSITIVE(limits.bytes),
     .unit_size = "KMGT"},
    {"max-variables", "N", "refuse a control of more than N variables",
     "check control converge identify resume serve simulate sweep", WHOLE(limits.variables, 1, VARIABLES_MAX)},
    {"max-segments", "N", MAX_SEGMENTS " (default: any)", "control identify resume sweep", POSITIVE(limits.segments)},
    {"max-segments", "N", MAX_SEGMENTS " (default: 1e6)", "serve", POSITIVE(limits.segments)},
    {"confined", NULL, "read no file but FILE and those in its folder, by their bare names",
     "check control identify simulate submit sweep", TAKEN_BY(confined, confined)},
    {"job-seconds", "S", "end a job that has run for S seconds, as failed, with its results so far", "serve",
     POSITIVE(job_seconds)},
    {"turn", "S", "a job that has had a place for S seconds makes room for others that wait (default: 20)", "serve",
     POSITIVE(turn)},
    {"init", NULL, "make the folders of SPOOL, and end", "serve", FLAG(init)},
    {"processes", "K", "at most K jobs in processes of their own at a time (default: as many as workers)", "serve",
     WHOLE(processes, 1, WHOLE_MAX)},
    {"progress", NULL, "show a progress line even when the output is not a terminal",
     "check control identify resume search simulate submit sweep", FLAG(progress)},
    {"quiet", NULL, "print diagnostics and warnings only",
     "cancel check control converge fetch identify plot report resume search serve simulate submit sweep web",
     FLAG(quiet), .letter = 'q'},
    {"markdown", NULL, "all keys, as the tables of jobs/problems/*.md", "help", FLAG(markdown)},
    {"schema", NULL, "all keys, as a JSON Schema for editors: jobs/problems/schema.json", "help", FLAG(schema)},
    {"man", "PAGE", "a page of the manual: stiction, or stiction-problem", "help", TEXT(man)},
    {"words", NULL, "commands, their options, and all keys, a line each: for the completion of shells", "help",
     FLAG(words)},
    {"json", NULL, "print the output, including errors, as JSON on standard output", "check status submit", FLAG(json)},
    {"name", "NAME", "what the job is called (default: as FILE, less .yaml)", "submit", TEXT(name)},
    {"priority", "N", "-100 to 100: of your jobs those with larger ones go first (default: 0)", "submit",
     WHOLE(priority, -JOB_PRIORITY_MAX, JOB_PRIORITY_MAX)},
    {"command", "COMMAND",
     "control, simulate, sweep or identify (default: FILE's first line, # stiction: COMMAND; else control)", "submit",
     TEXT(command)},
    {"wait", NULL, "until the jobs have ended; the exit code is theirs", "submit", FLAG(wait)},
    {"watch", NULL, "again each second, or, where the output is no terminal, a line for each change; until Ctrl-C",
     "status", FLAG(watch)},
    {"all", NULL, "all jobs, not the newest 20 of those that have ended", "status", FLAG(all)},
    {"help", NULL, "show this help", NULL, FLAG(help), .letter = 'h'},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static const char petsc_commands[] = "control simulate";

/* Returns whether the list `commands`, separated by blanks, contains this command. NULL stands for all commands. */
static bool takes(const Command *command, const char *commands) {
  size_t length = strlen(command->name);
  for (const char *word = commands; word && *word; word += strspn(word, " ")) {
    size_t size = strcspn(word, " ");
    if (size == length && strncmp(word, command->name, length) == 0) return true;
    word += size;
  }
  return !commands;
}

static bool is_optional(const Row *row) { return row->value && row->value[0] == '['; }

/* Returns the message about a missing argument. word: the word for the argument in the usage line. */
static const char *missing(const char *word) {
  if (strcmp(word, "DIR") == 0) return "a results directory is missing";
  if (strncmp(word, "NAME", strlen("NAME")) == 0) return "the name of a job is missing";
  return strncmp(word, "FILE", strlen("FILE")) == 0 ? "a problem file is missing" : "a folder is missing";
}

/* Stores the arguments that are not options. */
static int take_arguments(const Taking *to, int n, char **words) {
  const Command *command = to->command;
  const char *others = command->others ? command->others : "[]";
  size_t length = strlen(others);
  bool many = length > 2 && strcmp(others + length - 2, "..") == 0;
  int most = many ? n : command->others ? 2 : 1;
  if (n == 0 && command->argument[0] == '[') return 0;
  if (n == 0) return misused(to, missing(command->argument), "");
  if (n == 1 && others[0] != '[') return misused(to, missing(others), "");
  if (n > most) return misused(to, "one argument too many: ", words[most]);
  to->options->argument = words[0];
  to->options->others = words + 1;
  to->options->n_others = n - 1;
  return 0;
}

/* Returns whether an argument is the value of the option -step_NAME that precedes it. The rule is that of PETSc: every
 * argument is a value unless it looks like an option. */
static bool is_value(const char *argument) {
  return argument[0] != '-' || strchr("0123456789.", argument[1] ? argument[1] : '-');
}

/* Moves each option -step_NAME [VALUE] from argv to options->petsc. */
static int take_petsc(const Taking *to, int *argc, char **argv) {
  static const char prefix[] = "-step_";
  Options *options = to->options;
  int kept = 2;
  size_t length = 0;
  for (int i = 2; i < *argc; i++) {
    bool ours = takes(to->command, petsc_commands) && strncmp(argv[i], prefix, strlen(prefix)) == 0;
    if (!ours) {
      argv[kept++] = argv[i];
      continue;
    }
    const char *value = i + 1 < *argc && is_value(argv[i + 1]) ? argv[++i] : "";
    const char *name = *value ? argv[i - 1] : argv[i];
    length += (size_t)snprintf(options->petsc + length, sizeof options->petsc - length, "%s%s%s%s", length ? " " : "",
                               name, *value ? " " : "", value);
    if (length >= sizeof options->petsc) return misused(to, "too many options ", name);
  }
  *argc = kept;
  return 0;
}

/* Table of the options of a command, in the form that getopt_long needs. For row number r getopt_long returns LONG + r,
 * which is larger than the code of any letter. */
enum { LONG = 256 };
typedef struct Table {
  struct option longs[N_ROWS + 1];
  char letters[2 * N_ROWS + 2];
} Table;

static void make_table(const Command *command, Table *table) {
  int n = 0, n_letters = 1;
  *table = (Table){.letters = ":"}; /* the leading colon makes getopt report a missing value separately */
  for (int i = 0; i < N_ROWS; i++) {
    const Row *row = &rows[i];
    if (!takes(command, row->commands)) continue;
    int takes_value = is_optional(row) ? optional_argument : row->value ? required_argument : no_argument;
    table->longs[n++] = (struct option){row->name, takes_value, NULL, LONG + i};
    if (row->letter) table->letters[n_letters++] = row->letter;
    if (row->letter && row->value) table->letters[n_letters++] = ':';
  }
}

/* Returns the row of the table that belongs to a valid result of getopt_long. */
static const Row *row_of(int option) {
  const Row *row = option < LONG ? rows : &rows[option - LONG];
  while (option < LONG && row->letter != option) row++;
  return row;
}

/* Returns the argument in which getopt_long found an unknown option. This is argv[optind - 1]; but if optopt is a
 * letter that this argument does not contain, it is argv[optind], which has more letters to come. */
static const char *unknown_in(char **argv) {
  const char *before = argv[optind - 1];
  bool of_letters = before[0] == '-' && before[1] != '-' && strchr(before, optopt);
  return optopt == 0 || optopt >= LONG || of_letters ? before : argv[optind];
}

int options_read(const Command *command, int argc, char **argv, Diagnostics *diagnostics, Options *options) {
  *options = (Options){.kernel = -1, .arguments = argv + 1};
  const Taking to = {command, diagnostics, options};
  const char *unknown = NULL;
  int code = 0, option;
  Table table;
  make_table(command, &table);
  if (take_petsc(&to, &argc, argv)) return EXIT_USAGE;
  opterr = 0;
  optind = 2;
  while ((option = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
    const char *given = option == '?' ? unknown_in(argv) : argv[optind - 1];
    if (option == ':')
      code = misused(&to, "a value is missing after ", given);
    else if (option != '?' && row_of(option)->take(&to, row_of(option), optarg))
      code = EXIT_USAGE;
    else if (option == '?' && given != unknown)
      code = misused(&to, optopt < LONG ? "unknown option " : "no value is expected in ", unknown = given);
  }
  if (options->help || code) return code;
  return take_arguments(&to, argc - optind, argv + optind);
}

bool command_option(const Command *command, int k, CommandOption *option) {
  for (int i = 0; i < N_ROWS; i++) {
    const Row *row = &rows[i];
    if (!takes(command, row->commands) || k-- > 0) continue;
    *option = (CommandOption){.letter = row->letter,
                              .between = row->value && !is_optional(row) ? " " : "",
                              .value = row->value,
                              .text = row->text};
    snprintf(option->name, sizeof option->name, "--%s", row->name);
    return true;
  }
  if (!takes(command, petsc_commands) || k > 0) return false;
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
