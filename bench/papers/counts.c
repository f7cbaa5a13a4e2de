/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the number of points per simplex in the control paper's searches. It is 216 per processor by the paper's text
 * and 218 by its counts. */
#include "bench/papers/sweeps.h"

#include <math.h>
#include <string.h>

#define PAPER "glowinski-kearsley-1995"

enum { PROCESSORS = 8, SIZES = 2, PROBLEMS = 2 };
static const char *const problems[PROBLEMS] = {"tp1", "tp2"}, *const tables[PROBLEMS] = {"2", "4"},
                         *const row_name = "Pi constant regularized";

/* Points per simplex by the paper's text and by its counts. */
typedef struct Sizes {
  long points[SIZES];
} Sizes;

/* Returns the number of initial value problems per simplex, if it is equal in all rows of Tables 2 and 4; 0 if rows
 * differ. */
static long implied(const Numbers *printed) {
  long points = 0;
  for (size_t k = 0; k < printed->n; k++) {
    const Number *ivps = &printed->list[k];
    if (strcmp(ivps->paper, PAPER) || strcmp(ivps->column, "ivps")) continue;
    double each = ivps->value / numbers_find(printed, PAPER, ivps->table, ivps->row, "simplexes");
    if (each != floor(each) || (points && (double)points != each)) return 0;
    points = (long)each;
  }
  return points;
}

int papers_counts(Papers *p, const char *argument) {
  (void)argument;
  static const char *const heads[] = {"problem",          "points a processor", "a simplex",   "by",
                                      "simplexes, paper", "IVPs these make",    "IVPs, paper", "simplexes, ours",
                                      "IVPs, ours",       "simulated",          "E1, ours",    "J, ours"};
  double rows[PROBLEMS * SIZES][SEARCH_WIDTH];
  double text = numbers_find(&p->printed, PAPER, "section 4", "points a processor", "text");
  Sizes sizes = {{PROCESSORS * (long)text, implied(&p->printed)}};
  int n = p->quick ? SIZES : PROBLEMS * SIZES;
  for (int k = 0; k < n; k += SIZES) {
    char name[64], vary[64];
    snprintf(name, sizeof name, "counts-%s", problems[k / SIZES]);
    snprintf(vary, sizeof vary, "search.scheme_size=[%ld, %ld]", sizes.points[0], sizes.points[1]);
    papers_searches(p, &(PapersSweep){.name = name, .problem = problems[k / SIZES], .varies = {vary}}, SIZES, rows + k);
  }
  if (p->rank != 0) return 0;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < n; k++) {
    const char *number = tables[k / SIZES];
    double points = (double)sizes.points[k % SIZES],
           simplexes = numbers_find(&p->printed, PAPER, number, row_name, "simplexes");
    text_table_word(table, "%s", problems[k / SIZES]);
    text_table_number(table, "%.0f", points / PROCESSORS);
    text_table_number(table, "%.0f", points);
    text_table_word(table, "%s", k % SIZES ? "its counts" : "its text");
    text_table_number(table, "%.0f", simplexes);
    text_table_number(table, "%.0f", points * simplexes);
    text_table_number(table, "%.0f", numbers_find(&p->printed, PAPER, number, row_name, "ivps"));
    text_table_number(table, "%.0f", rows[k][SEARCH_SIMPLEXES]);
    text_table_number(table, "%.0f", rows[k][SEARCH_EVALUATIONS]);
    text_table_number(table, "%.0f", rows[k][SEARCH_IVPS]);
    text_table_number(table, "%.2e", rows[k][SEARCH_E1]);
    text_table_number(table, "%.6f", rows[k][SEARCH_J]);
  }
  papers_table(p, "counts", table, true);
  fprintf(p->text,
          "\nThe text: eight nodes, `%.0f function evaluations per processor for each simplex`. The counts: IVPs over "
          "simplexes is the same\nin all sixteen rows of Tables 2 and 4. %s, rho constant, regularized; first simplex "
          "of edge 1 at 0.\n",
          text, "Pi");
  papers_expect(p, sizes.points[1] == 1744, "the paper's counts are 1744 = 8 x 218 points a simplex in every row (%ld)",
                sizes.points[1]);
  papers_expect(p, rows[0][SEARCH_E1] <= 1e-6 && rows[1][SEARCH_E1] <= 1e-6,
                "the search meets its target with either number of points");
  return 0;
}
