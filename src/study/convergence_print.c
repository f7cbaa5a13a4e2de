/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/convergence.h"

#include <math.h>

enum { HEAD_SIZE = 32 };

/* Creates a table with this number of columns. The columns from number `first` on have the kinds of error as heads;
 * heads has the other ones. */
static TextTable *create(const Convergence *c, int columns, const char **heads, int first) {
  static char names[CONVERGENCE_QUANTITIES][HEAD_SIZE];
  const ConvergenceQuantity *quantities = convergence_quantities(c->problem.sim.kind);
  for (int q = 0; q < CONVERGENCE_QUANTITIES; q++) {
    snprintf(names[q], HEAD_SIZE, "%s (%s)", quantities[q].name, quantities[q].unit);
    heads[first + q] = names[q];
  }
  return text_table_create(columns, heads);
}

static TextTable *errors_table(const Convergence *c) {
  enum { FIRST = 3, COLUMNS = FIRST + CONVERGENCE_QUANTITIES + 2 };
  const char *heads[COLUMNS] = {"scheme", "steps", "step (s)", [COLUMNS - 2] = "events", "us"};
  TextTable *table = create(c, COLUMNS, heads, FIRST);
  for (int s = 0; s < c->n_schemes; s++)
    for (int k = 0; k < c->n_levels; k++) {
      const ConvergenceLevel *level = &c->levels[s][k];
      text_table_word(table, "%s", c->schemes[s]);
      text_table_number(table, "%.0f", (double)level->steps);
      text_table_number(table, "%.3g", level->step);
      for (int q = 0; q < CONVERGENCE_QUANTITIES; q++) text_table_number(table, "%.1e", level->error[q]);
      text_table_number(table, "%.0f", (double)level->n_events);
      text_table_number(table, "%.1f", level->microseconds);
    }
  text_table_word(table, "event");
  for (int q = 0; q < CONVERGENCE_QUANTITIES + 2; q++) text_table_number(table, "%g", NAN);
  text_table_number(table, "%.0f", (double)c->n_events);
  text_table_number(table, "%.1f", c->microseconds);
  return table;
}

static TextTable *orders_table(const Convergence *c) {
  enum { COLUMNS = 1 + CONVERGENCE_QUANTITIES };
  const char *heads[COLUMNS] = {"order"};
  TextTable *table = create(c, COLUMNS, heads, 1);
  for (int s = 0; s < c->n_schemes; s++) {
    text_table_word(table, "%s", c->schemes[s]);
    for (int q = 0; q < CONVERGENCE_QUANTITIES; q++) text_table_number(table, "%.2f", c->order[s][q]);
  }
  return table;
}

static bool print(TextTable *table, TextTableForm form, FILE *out) {
  bool whole = text_table_print(table, form, out);
  text_table_destroy(table);
  return whole;
}

int convergence_print(const Convergence *convergence, TextTableForm form, FILE *out, Diagnostics *diagnostics) {
  bool whole = print(errors_table(convergence), form, out);
  fputc('\n', out);
  whole = print(orders_table(convergence), form, out) && whole;
  return whole ? 0 : diagnostics_error(diagnostics, EXIT_INTERNAL, "the tables could not be written");
}

static int write(TextTable *table, const Results *results, const char *name) {
  FILE *file = results_open(results, name);
  bool whole = file && text_table_print(table, TABLE_CSV, file);
  text_table_destroy(table);
  return results_close(results, name, file) || !whole ? EXIT_INTERNAL : 0;
}

int convergence_write(const Convergence *convergence, const Results *results) {
  int code = write(errors_table(convergence), results, "convergence.csv");
  return code ? code : write(orders_table(convergence), results, "orders.csv");
}
