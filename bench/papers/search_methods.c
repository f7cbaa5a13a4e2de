/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares methods with derivatives with direct search on the control paper's problems, with and without
 * regularization. */
#include "bench/papers/sweeps.h"

static const char *const problems[] = {"tp1", "tp2"}, *const multipliers[] = {"unregularized", "regularized"},
                         *const methods[] = {"pds", "sqp", "auto"};
enum { PROBLEMS = 2, MULTIPLIERS = 2, METHODS = 3, ROWS = PROBLEMS * MULTIPLIERS * METHODS };

static const char *problem_of(int k) { return problems[k / (MULTIPLIERS * METHODS)]; }
static const char *multiplier_of(int k) { return multipliers[k / METHODS % MULTIPLIERS]; }
static const char *method_of(int k) { return methods[k % METHODS]; }

static void add_row(TextTable *table, int k, const double *row) {
  text_table_word(table, "%s", problem_of(k));
  text_table_word(table, "%s", multiplier_of(k));
  text_table_word(table, "%s", method_of(k));
  text_table_number(table, "%.0f", row[SEARCH_EVALUATIONS]);
  text_table_number(table, "%.0f", row[SEARCH_ITERATIONS]);
  text_table_number(table, "%.1e", row[SEARCH_E1]);
  text_table_number(table, "%.2e", row[SEARCH_TRUE_E1]);
  text_table_number(table, "%.1e", row[SEARCH_E2]);
  text_table_number(table, "%.2e", row[SEARCH_TRUE_E2]);
  text_table_number(table, "%.6f", row[SEARCH_J]);
}

int papers_search_methods(Papers *p, const char *argument) {
  static const char *const heads[] = {"problem", "multiplier", "method", "evaluations", "iterations",
                                      "E1",      "true E1",    "E2",     "true E2",     "J"};
  double rows[ROWS][SEARCH_WIDTH];
  int n = p->quick ? MULTIPLIERS * METHODS : ROWS, met = 0, fewer = 0;
  (void)argument;
  for (int k = 0; k < n; k += MULTIPLIERS * METHODS) {
    char name[64];
    snprintf(name, sizeof name, "methods-%s", problem_of(k));
    const PapersSweep sweep = {
        .name = name,
        .problem = problem_of(k),
        .settings = {p->quick ? "search.scheme_size=16" : NULL},
        .varies = {"scheme.multiplier=[unregularized, regularized]", "search.method=[pds, sqp, auto]"}};
    papers_searches(p, &sweep, MULTIPLIERS * METHODS, rows + k);
  }
  if (p->rank != 0) return 0;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < n; k++) {
    add_row(table, k, rows[k]);
    met += rows[k][SEARCH_E1] <= 1e-6 && rows[k][SEARCH_E2] <= 1e-6;
    fewer += k % METHODS && rows[k][SEARCH_EVALUATIONS] < rows[k - k % METHODS][SEARCH_EVALUATIONS];
  }
  papers_table(p, "search-methods", table, true);
  fputs("\nAll from u = 0, to their own end. Evaluations of `sqp` and `auto` are motions with derivatives; iterations "
        "are those "
        "of the\nper-step solver, over all motions. `true`: of the motion itself under the control that was found.\n",
        p->text);
  papers_expect(p, met == n, "the searches meet their targets to 1e-6 (%d of %d do)", met, n);
  papers_expect(p, fewer == n - n / METHODS, "derivatives save evaluations (in %d of %d searches)", fewer,
                n - n / METHODS);
  return 0;
}
