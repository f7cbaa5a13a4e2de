/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-plans searches motion plans from 20 random starts each: problems with closed forms, and random problems of all
 * kinds. It checks the answers. */
#include "bench/plans/draw.h"
#include "bench/plans/forms.h"
#include "bench/tools/table.h"
#include "src/file/sections/file.h"
#include "src/process/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench-plans [--quick] [--csv | --markdown] [--show NUMBER]\n"
    "Solves motion problems with other costs, free times, limits and further conditions, from each of 20 random "
    "starts\n"
    "alone. The first table has problems with closed forms, the second random problems that some motion meets.\n"
    "met: starts that end with all conditions met; near: of these, f at most 1 % above the least; evaluations: of all\n"
    "starts, and the median of one; excess: median f above the least of those met; steps: largest difference of any\n"
    "quantity of the best answer from a motion in 20000 steps, over 1 + its size.\n"
    "Exit code 1: an answer is farther from the closed form than expected, from fewer starts, or differs from its "
    "motion\n"
    "in steps.\n"
    "--quick        a few of both\n"
    "--show NUMBER  prints the file of random problem NUMBER\n";

enum { RANDOM = 30, QUICK_RANDOM = 4 };
static const double SAME = 1e-3; /* largest accepted difference between the values of an answer by `event` and by
                                  * small time steps */

typedef struct Bench {
  TextTableForm form;
  bool quick, good;
  int show; /* -1: none */
  Diagnostics diagnostics;
} Bench;

static void no_memory(Bench *bench) { exit(diagnostics_no_memory(&bench->diagnostics)); }

/* Compares the motion of an answer with the same motion in small time steps (retrace.h). */
static Verdict judge(Bench *bench, const Trial *trial, const Found *found) {
  Verdict verdict = {.difference = NAN, .name = "", .miss = NAN};
  if (found->met && trial_judge(trial, found->point, &verdict) != SIM_OK) verdict.difference = INFINITY;
  if (found->met && !(verdict.difference <= SAME && verdict.miss <= 1)) bench->good = false;
  return verdict;
}

static Found search(Bench *bench, const Trial *trial) {
  Found found;
  if (!trial_search(trial, PLAN_STARTS, &found)) no_memory(bench);
  return found;
}

static void add_verdict(TextTable *table, const Verdict *verdict) {
  static const char *const words[] = {
      [CTL_MINIMUM_UNKNOWN] = "unknown", [CTL_MINIMUM_YES] = "yes", [CTL_MINIMUM_NO] = "no"};
  text_table_number(table, "%.1e", verdict->difference);
  text_table_word(table, "%s%s", words[verdict->local_minimum], verdict->vertex ? ", vertex" : "");
}

static void run_form(Bench *bench, const Form *form, TextTable *table) {
  char path[4096], segments[64], *settings[4];
  int n = 0;
  for (int k = 0; k < 3 && form->settings[k]; k++) settings[n++] = (char *)form->settings[k]; /* not changed */
  snprintf(path, sizeof path, "%s/jobs/problems/%s.yaml", STICTION_ROOT, form->file);
  snprintf(segments, sizeof segments, "control.signal.segments=%d", form->segments);
  settings[n++] = segments;
  Trial trial;
  int code = trial_open_file(path, settings, n, &bench->diagnostics, &trial);
  if (code) exit(code);
  Found found = search(bench, &trial);
  Verdict verdict = judge(bench, &trial, &found);
  double exact = form->exact(), above = found.f / exact - 1;
  if (!(above <= form->above && above >= -1e-8 && found.met >= form->met)) bench->good = false;
  text_table_word(table, "%s", form->name);
  text_table_number(table, "%.0f", form->segments);
  text_table_number(table, "%.9g", exact);
  text_table_number(table, "%.9g", found.f);
  text_table_number(table, "%.1e", above);
  text_table_number(table, "%.0f", found.met);
  text_table_number(table, "%.0f", found.near);
  text_table_number(table, "%.0f", (double)found.evaluations);
  text_table_number(table, "%.1f", found.median);
  add_verdict(table, &verdict);
  found_clear(&found);
  trial_close(&trial);
}

/* Adds a cell with a text to the table. A bar in the text would end the cell in Markdown, so it is escaped. */
static void add_sentence(const Bench *bench, TextTable *table, const char *sentence) {
  char text[2 * PLAN_SENTENCE_SIZE];
  size_t n = 0;
  for (; *sentence && n + 2 < sizeof text; sentence++) {
    if (*sentence == '|' && bench->form == TABLE_MARKDOWN) text[n++] = '\\';
    text[n++] = *sentence;
  }
  text[n] = 0;
  text_table_word(table, "%s", text);
}

static void run_random(Bench *bench, int number, TextTable *table) {
  char text[PLAN_TEXT_SIZE], name[32];
  Trial trial;
  draw_problem(number, text);
  snprintf(name, sizeof name, "random-%d", number);
  int code = trial_open(name, text, NULL, 0, &bench->diagnostics, &trial);
  if (code) exit(code);
  Found found = search(bench, &trial);
  Verdict verdict = judge(bench, &trial, &found);
  text_table_number(table, "%.0f", number);
  add_sentence(bench, table, trial.problem.plan->sentence);
  text_table_number(table, "%.0f", trial.search.n);
  text_table_number(table, "%.0f", found.met);
  text_table_number(table, "%.0f", found.near);
  text_table_number(table, "%.0f", (double)found.evaluations);
  text_table_number(table, "%.1f", found.median);
  text_table_number(table, "%.6g", found.f);
  text_table_number(table, "%.1e", found.excess);
  add_verdict(table, &verdict);
  found_clear(&found);
  trial_close(&trial);
}

static void run_tables(Bench *bench) {
  static const char *const form_heads[] = {"problem", "S",           "closed form", "found", "above",        "met",
                                           "near",    "evaluations", "of one",      "steps", "local minimum"},
                           *const random_heads[] = {"number",       "problem", "n", "met",    "near",
                                                    "evaluations",  "of one",  "f", "excess", "steps",
                                                    "local minimum"};
  TextTable *table = text_table_create(sizeof form_heads / sizeof *form_heads, form_heads);
  for (int k = 0; k < (bench->quick ? QUICK_FORMS : FORMS); k++) run_form(bench, &forms[k], table);
  table_print(table, bench->form, stdout);
  text_table_destroy(table);
  printf("\n");
  fflush(stdout);
  table = text_table_create(sizeof random_heads / sizeof *random_heads, random_heads);
  for (int k = 0; k < (bench->quick ? QUICK_RANDOM : RANDOM); k++) run_random(bench, k, table);
  table_print(table, bench->form, stdout);
  text_table_destroy(table);
}

/* Parses the arguments. Returns whether to continue; otherwise *code is the exit code. */
static bool parse_arguments(int argc, char **argv, Bench *bench, int *code) {
  const char *wrong = NULL;
  bool help = false;
  for (int i = 1; i < argc && !wrong; i++) {
    char *end = "";
    if (!strcmp(argv[i], "--help"))
      help = true;
    else if (!strcmp(argv[i], "--quick"))
      bench->quick = true;
    else if (!strcmp(argv[i], "--show") && i + 1 < argc)
      bench->show = (int)strtol(argv[++i], &end, 10);
    else if (!table_form_option(argv[i], &bench->form))
      wrong = argv[i];
    if (*end || bench->show < -1) wrong = argv[i];
  }
  *code = wrong ? EXIT_USAGE : EXIT_DONE;
  if (wrong) fprintf(stderr, "bench-plans: unknown argument '%s'\n%s", wrong, usage);
  if (help && !wrong) fputs(usage, stdout);
  return !wrong && !help;
}

int main(int argc, char **argv) {
  static Bench bench = {.good = true, .show = -1, .diagnostics = {.origin = "bench-plans", .report = diagnostic_print}};
  int code;
  bench.diagnostics.to = stderr;
  if (!parse_arguments(argc, argv, &bench, &code)) return code;
  if (bench.show >= 0) {
    char text[PLAN_TEXT_SIZE];
    draw_problem(bench.show, text);
    fputs(text, stdout);
    return 0;
  }
  process_prepare();
  run_tables(&bench);
  return process_end(bench.good ? 0 : 1);
}
