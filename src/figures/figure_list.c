/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/figure_list.h"

/* Colour of the bands of a single run, and colours for two compared runs, which are pale forms of the colours of their
 * curves. */
static const char shade[] = "#E3E3E3", *const shades[] = {"#CFE2F1", "#F8DCC8"};

Figure *add_figure(List *list, const char *name, const char *heading, const char *caption) {
  Figure *figure = &list->figures[list->n++];
  *figure = (Figure){.heading = heading, .x_label = "t", .x_unit = "s", .compared = list->n_runs > 1};
  snprintf(figure->caption, sizeof figure->caption, "%s", caption);
  snprintf(figure->name, sizeof figure->name, "%s%s", list->n_runs > 1 ? "compare_" : "", name);
  return figure;
}

Panel *add_panel(Figure *figure, const char *quantity, const char *unit) {
  Panel *panel = &figure->panels[figure->n_panels++];
  snprintf(panel->label, sizeof panel->label, *unit ? "%s (%s)" : "%s", quantity, unit);
  return panel;
}

const char *run_name(const List *list, int run) {
  const char *names[2] = {"", ""};
  for (int r = 0; r < list->n_runs; r++) {
    const char *slash = strrchr(list->runs[r].directory, '/');
    names[r] = slash && slash[1] ? slash + 1 : list->runs[r].directory;
  }
  return strcmp(names[0], names[1]) ? names[run] : list->runs[run].directory;
}

const Table *table_of(const List *list, int run, Source source) {
  const RunResults *results = &list->runs[run];
  const Table *const tables[] = {&results->trajectory, &results->beside, &results->energy,
                                 &results->events,     &results->search, &results->snapshots,
                                 &results->sizes,      &results->fit,    &results->scenarios};
  return tables[source];
}

void report_missing_column(List *list, int run, const Table *table, const char *name) {
  if (!list->lacking) run_results_lacks(&list->runs[run], table, name);
  list->lacking = true;
}

int column_of(List *list, int run, Source source, const char *name) {
  const Table *table = table_of(list, run, source);
  int found = table_find(table, name);
  if (found >= 0) return found;
  report_missing_column(list, run, table, name);
  return 0;
}

void add_curve(List *list, Panel *panel, int run, Source source, const char *x, const char *y, const char *label) {
  int k = panel->n_curves++;
  panel->curves[k] = (Curve){.table = table_of(list, run, source),
                             .x = column_of(list, run, source, x),
                             .y = column_of(list, run, source, y),
                             .factor = 1,
                             .label = label,
                             .colour = k};
}

void add_runs(List *list, Panel *panel, Source source, const char *x, const char *y) {
  for (int r = 0; r < list->n_runs; r++) add_curve(list, panel, r, source, x, y, run_name(list, r));
}

bool all_read(const List *list, Source source) {
  for (int r = 0; r < list->n_runs; r++)
    if (table_of(list, r, source)->columns == 0) return false;
  return true;
}

bool is_of_kind(const RunResults *run, const char *kind) { return strcmp(run->kind, kind) == 0; }

const char *beside_name(const RunResults *run) { return run->refined ? "grid" : "exact"; }

const char *beside_sentence(const RunResults *run) {
  if (!run->beside.columns) return "";
  return run->refined ? " Dashed, grid: the search's own answer, on its grid of time steps."
                      : " Dashed, exact: the motion without the errors of time steps.";
}

bool have_intervals(const List *list) { return list->runs[0].intervals && list->runs[list->n_runs - 1].intervals; }

void add_bands(const List *list, Panel *panel, int dof, int state) {
  for (int r = 0; r < list->n_runs; r++)
    panel->bands[panel->n_bands++] = (Band){&list->runs[r].events,
                                            dof,
                                            state,
                                            (double)(list->n_runs - 1 - r) / list->n_runs,
                                            (double)(list->n_runs - r) / list->n_runs,
                                            list->n_runs > 1 ? shades[r] : shade};
}

bool all_have(const List *list, Source source, const char *column) {
  for (int r = 0; r < list->n_runs; r++)
    if (table_find(table_of(list, r, source), column) < 0) return false;
  return true;
}
