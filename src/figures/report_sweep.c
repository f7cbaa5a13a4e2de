/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_sweep.h"

#include "src/figures/figure_sweep.h"
#include "src/figures/html.h"
#include "src/figures/report_page.h"
#include "src/figures/report_problem.h"

#include <ctype.h>
#include <string.h>

/* Limits of the table: maximum number of rows; length up to which a number is printed without rounding; length of a
 * text in one line. */
enum { ROWS_MAX = 200, CELL_MAX = 10, WORD_MAX = 24 };

/* Writes a word of a command line. It is put in single quotes if the shell would otherwise change it. */
static void write_word(FILE *page, const char *word) {
  bool plain = *word;
  for (const char *c = word; *c; c++) plain = plain && (isalnum((unsigned char)*c) || strchr("._-/:=,+@%", *c));
  if (!plain) fputs("&#39;", page);
  for (char letter[2] = ""; *word; word++) {
    *letter = *word;
    if (*word == '\'')
      fputs("&#39;\\&#39;&#39;", page);
    else
      html_text(page, letter);
  }
  if (!plain) fputs("&#39;", page);
}

/* Writes an option for each text of a list. */
static void write_options(FILE *page, const char *option, const json_t *list) {
  const json_t *value;
  size_t k;
  json_array_foreach(list, k, value) {
    const char *text = json_string_value(value);
    if (!text) continue;
    fprintf(page, " %s ", option);
    write_word(page, text);
  }
}

/* Writes the command that started the sweep. */
static void write_command(FILE *page, const json_t *plan) {
  const char *path = json_string_value(json_object_get(plan, "path")),
             *applied = json_string_value(json_object_get(plan, "applied"));
  if (!path) return;
  fputs("<h2>Command</h2>\n<p><code>stiction sweep ", page);
  write_word(page, path);
  write_options(page, "--set", json_object_get(plan, "settings"));
  write_options(page, "--vary", json_object_get(plan, "vary"));
  if (json_is_true(json_object_get(plan, "zip"))) fputs(" --zip", page);
  fputs(json_is_true(json_object_get(plan, "control")) ? " --control" : " --simulate", page);
  if (applied) {
    fputs(" --control=", page);
    write_word(page, applied);
  }
  if (json_is_true(json_object_get(plan, "verify"))) fputs(" --verify", page);
  write_options(page, "--column", json_object_get(plan, "columns"));
  if (json_is_true(json_object_get(plan, "keep"))) fputs(" --keep", page);
  fputs("</code></p>\n", page);
}

/* Writes a table of the varied keys. Their values are written as in the option --vary. */
static void write_keys(FILE *page, const Table *sweep, const json_t *plan) {
  fputs("<h2>Varied keys</h2>\n<div class=\"scroll\"><table><thead><tr><th>key</th><th>unit</th><th>values</th></tr>"
        "</thead>\n<tbody>\n",
        page);
  for (int axis = 1; axis <= sweep_results_axes(sweep); axis++) {
    const char *given = json_string_value(json_array_get(json_object_get(plan, "vary"), (size_t)axis - 1));
    fputs("<tr><th>", page);
    html_text(page, sweep->names[axis]);
    fputs("</th><td>", page);
    html_text(page, sweep->words[axis] ? "" : table_unit(sweep, axis));
    fputs("</td><td>", page);
    if (given && strchr(given, '=')) html_text(page, strchr(given, '=') + 1);
    fputs("</td></tr>\n", page);
  }
  fputs("</tbody></table></div>\n", page);
}

/* Writes how many runs had each outcome, and whether the sweep was stopped. */
static void write_outcome(FILE *page, const char *directory, const Table *sweep, const json_t *record) {
  static const char *const outcomes[] = {"done", "met", "converged", "not met", "not converged", "failed"};
  int column = table_find(sweep, "outcome");
  const char *comma = ": ";
  fprintf(page, "<h2>Outcome</h2>\n<p><strong>%ld run%s</strong>", sweep->rows, sweep->rows == 1 ? "" : "s");
  for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++) {
    long n = 0;
    for (long row = 0; row < sweep->rows; row++) n += strcmp(table_text(sweep, row, column), outcomes[k]) == 0;
    if (n == 0) continue;
    fprintf(page, "%s%ld %s", comma, n, outcomes[k]);
    comma = ", ";
  }
  fputs(".", page);
  if (record && !json_object_get(record, "exit")) {
    fputs(" The sweep was stopped before its last run; <code>stiction resume ", page);
    write_word(page, directory);
    fputs("</code> goes on.", page);
  }
  fputs("</p>\n", page);
}

static int write_figures(FILE *page, const char *directory, const Table *sweep, Diagnostics *diagnostics) {
  SweepFigures made = {0};
  fputs("<h2>Figures</h2>\n", page);
  if (!figure_sweep_fits(sweep)) {
    fputs("<p>More than two keys vary: <code>stiction plot ", page);
    write_word(page, directory);
    fputs(" --set KEY=VALUE</code> draws the runs with this value.</p>\n", page);
    return 0;
  }
  int code = figure_sweep(sweep, &made, diagnostics);
  if (!code && made.n == 0) fputs("<p>No column of numbers varies.</p>\n", page);
  fputs("<div class=\"figures\">\n", page);
  if (!code) code = report_page_figures(page, made.figures, made.n, diagnostics);
  fputs("</div>\n", page);
  figure_sweep_clear(&made);
  return code;
}

static void write_cell(FILE *page, const Table *sweep, long row, int column) {
  const char *text = table_text(sweep, row, column);
  bool rounds = !sweep->words[column] && strlen(text) > CELL_MAX;
  const char *class = !sweep->words[column] ? "n" : strlen(text) > WORD_MAX ? "long" : "w";
  fprintf(page, "<td class=\"%s\">", class);
  if (rounds)
    fprintf(page, "%.6g", table_at(sweep, row, column));
  else
    html_text(page, text);
  fputs("</td>", page);
}

static void write_table(FILE *page, const Table *sweep) {
  long rows = sweep->rows < ROWS_MAX ? sweep->rows : ROWS_MAX;
  fputs("<h2>Table</h2>\n", page);
  if (rows < sweep->rows)
    fprintf(page, "<p class=\"dim\">The first %ld of %ld rows; sweep.csv has all.</p>\n", rows, sweep->rows);
  fputs("<div class=\"scroll\"><table id=\"sweep-table\"><thead><tr>", page);
  for (int c = 0; c < sweep->columns; c++) {
    const char *unit = sweep->words[c] ? "" : table_unit(sweep, c);
    fputs(sweep->words[c] ? "<th>" : "<th class=\"n\">", page);
    html_text(page, sweep->names[c]);
    if (*unit && strcmp(unit, "1") != 0) fputs(", ", page), html_text(page, unit);
    fputs("</th>", page);
  }
  fputs("</tr></thead>\n<tbody>\n", page);
  for (long row = 0; row < rows; row++) {
    fputs("<tr>", page);
    for (int c = 0; c < sweep->columns; c++) write_cell(page, sweep, row, c);
    fputs("</tr>\n", page);
  }
  fputs("</tbody></table></div>\n", page);
}

int report_sweep_write(FILE *page, const char *directory, Diagnostics *diagnostics) {
  Table sweep;
  int code = sweep_results_read(&sweep, directory, diagnostics);
  if (!code) {
    json_t *record = sweep_results_record(directory), *problem = sweep_results_problem(directory);
    const json_t *plan = json_object_get(record, "sweep");
    const char *title = json_string_value(json_object_get(problem, "title"));
    report_page_begin(page, title && *title ? title : directory);
    write_outcome(page, directory, &sweep, record);
    code = write_figures(page, directory, &sweep, diagnostics);
    write_keys(page, &sweep, plan);
    write_table(page, &sweep);
    write_command(page, plan);
    if (problem) report_problem(page, "Problem, with the first values of the varied keys", problem);
    report_page_end(page);
    json_decref(record);
    json_decref(problem);
  }
  table_clear(&sweep);
  return code;
}
