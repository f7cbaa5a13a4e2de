/* SPDX-License-Identifier: BSD-2-Clause */
/* Study of the regularization: what the controls that its searches find do to the unregularized system. */
#include "bench/papers/study.h"

#include "bench/papers/sweeps.h"

#include <string.h>

static const char *const problems[] = {"tp1", "tp2"};
enum { LEVELS = 2 };
static const long level_finer[LEVELS] = {1, 4};

static const char *file_of(int k) { return problems[k / (LEVELS * VARIANTS)]; }
/* returns the step of the problem's file, s */
static double step_of(const char *problem) { return strcmp(problem, "tp1") ? 0.01 : 0.0125; }
static long finer_of(int k) { return level_finer[k / VARIANTS % LEVELS]; }

/* Runs one sweep of a problem: all variants with each step. */
static void search_variants(const Papers *p, const char *problem, double (*rows)[SEARCH_WIDTH]) {
  char name[64], steps[64], schemes[2048];
  size_t at = 0;
  snprintf(name, sizeof name, "study-%s", problem);
  snprintf(steps, sizeof steps, "time.step=[%g, %g/%ld]", step_of(problem), step_of(problem), level_finer[1]);
  for (int v = 0; v < VARIANTS; v++)
    at += (size_t)snprintf(schemes + at, sizeof schemes - at, "%s%s", v ? ", " : "scheme=[",
                           strchr(variants[v].exact, '=') + 1);
  snprintf(schemes + at, sizeof schemes - at, "]");
  const PapersSweep sweep = {
      .name = name, .problem = problem, .settings = {"search.scheme_size=256"}, .varies = {steps, schemes}};
  papers_searches(p, &sweep, LEVELS * VARIANTS, rows);
}

static bool meets_target(const double *row) { return row[SEARCH_E1] <= 1e-6 && row[SEARCH_E2] <= 1e-6; }

/* Checks the numbers of a problem at one step. rows: one for each variant. */
static void judge_controls(const Papers *p, const char *problem, long finer, double (*rows)[SEARCH_WIDTH]) {
  int met = 0;
  for (int v = 0; v < VARIANTS; v++) met += meets_target(rows[v]);
  fprintf(p->text,
          "\n%s, dt/%ld: %d of %d searches meet their own target to 1e-6. True E1: %.1e unregularized, %.2f times that "
          "with "
          "dt^(6/5), %.2f\nwith dt/8, %.2f with dt^3; %.2f with Moreau-Jean.\n",
          problem, finer, met, VARIANTS, rows[UNREGULARIZED][SEARCH_TRUE_E1],
          rows[PAPERS_OWN][SEARCH_TRUE_E1] / rows[UNREGULARIZED][SEARCH_TRUE_E1],
          rows[EIGHTH][SEARCH_TRUE_E1] / rows[UNREGULARIZED][SEARCH_TRUE_E1],
          rows[MOREAU - 1][SEARCH_TRUE_E1] / rows[UNREGULARIZED][SEARCH_TRUE_E1],
          rows[MOREAU][SEARCH_TRUE_E1] / rows[UNREGULARIZED][SEARCH_TRUE_E1]);
}

int papers_study_controls(Papers *p, const char *argument) {
  (void)argument;
  static const char *const heads[] = {"problem", "dt (s)",  "epsilon", "epsilon/dt", "simplexes",
                                      "IVPs",    "E1, own", "E2, own", "true E1",    "true E2",
                                      "J",       "u1",      "u2",      "u3",         "remark"};
  static double rows[2 * LEVELS * VARIANTS][SEARCH_WIDTH];
  int n = 2 * LEVELS * VARIANTS;
  for (int k = 0; k < n; k += LEVELS * VARIANTS) search_variants(p, file_of(k), rows + k);
  if (p->rank != 0) return 0;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < n; k++) {
    const Variant *v = &variants[k % VARIANTS];
    const double *r = rows[k];
    text_table_word(table, "%s", file_of(k));
    double dt = step_of(file_of(k)) / (double)finer_of(k);
    text_table_number(table, "%g", dt);
    text_table_word(table, "%s", v->name);
    text_table_number(table, "%.3g", variant_epsilon(v, dt) / dt);
    text_table_number(table, "%.0f", r[SEARCH_SIMPLEXES]);
    text_table_number(table, "%.0f", r[SEARCH_IVPS]);
    text_table_number(table, "%.1e", r[SEARCH_E1]);
    text_table_number(table, "%.1e", r[SEARCH_E2]);
    text_table_number(table, "%.2e", r[SEARCH_TRUE_E1]);
    text_table_number(table, "%.1e", r[SEARCH_TRUE_E2]);
    text_table_number(table, "%.5g", r[SEARCH_J]);
    for (int i = 0; i < 3; i++) text_table_number(table, "%.5g", r[SEARCH_U + i]);
    text_table_word(table, "%s", meets_target(r) ? "" : "misses its own target: unexplained");
  }
  fputs("Each search (exact solver, Pi, 256 points a simplex) finds the control that brings its own discrete system to "
        "the "
        "target;\nthe true E1, E2 are those of the motion itself, event-exact, under that control.\n\n",
        p->text);
  papers_table(p, "study-controls", table, true);
  for (int k = 0; k < n; k += VARIANTS) judge_controls(p, file_of(k), finer_of(k), rows + k);
  return 0;
}
