/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/convergence.h"

#include "src/figures/figure.h"

#include <stdlib.h>

enum { COLUMNS = 1 + CONVERGENCE_QUANTITIES };

/* Returns the results of one scheme as a table, with a row for each step that has the step and the errors. values:
 * [n_levels][COLUMNS] buffer of the caller, which the table borrows. */
static Table rows_of(const Convergence *c, int scheme, double *values) {
  for (int k = 0; k < c->n_levels; k++) {
    const ConvergenceLevel *level = &c->levels[scheme][k];
    values[k * COLUMNS] = level->step;
    for (int q = 0; q < CONVERGENCE_QUANTITIES; q++) values[k * COLUMNS + 1 + q] = level->error[q];
  }
  return (Table){.columns = COLUMNS, .rows = c->n_levels, .values = values};
}

/* Returns whether there is an error of this kind that can be drawn, i.e. is positive. */
static bool any_error(const Convergence *c, int quantity) {
  for (int s = 0; s < c->n_schemes; s++)
    for (int k = 0; k < c->n_levels; k++)
      if (c->levels[s][k].error[quantity] > 0) return true;
  return false;
}

static Figure figure_of(const Convergence *c, const Table *tables) {
  const ConvergenceQuantity *quantities = convergence_quantities(c->problem.sim.kind);
  Figure figure = {.name = "convergence",
                   .heading = "Errors against the event-exact motion",
                   .caption = "Errors against the event-exact motion, over the step.",
                   .x_label = "step (s)",
                   .logarithmic = true};
  for (int q = 0; q < CONVERGENCE_QUANTITIES; q++) {
    if (!any_error(c, q)) continue;
    Panel *panel = &figure.panels[figure.n_panels++];
    *panel = (Panel){.logarithmic = true, .n_curves = c->n_schemes};
    snprintf(panel->label, sizeof panel->label, "%s (%s)", quantities[q].name, quantities[q].unit);
    for (int s = 0; s < c->n_schemes; s++)
      panel->curves[s] = (Curve){.table = &tables[s], .y = 1 + q, .factor = 1, .label = c->schemes[s], .colour = s};
  }
  return figure;
}

static int draw(const Figure *figure, const Results *results, FigureFormat format) {
  Results figures = {.diagnostics = results->diagnostics};
  char name[64], *picture;
  size_t size;
  int code = figure_draw(figure, "", format, &picture, &size, results->diagnostics);
  if (code) return code;
  snprintf(name, sizeof name, "%s%s", figure->name, figure_suffix(format));
  code = results_take(&figures, results->directory, "figures");
  if (!code && results_write_bytes(&figures, name, picture, size)) code = EXIT_INTERNAL;
  free(picture);
  return code;
}

int convergence_draw(const Convergence *convergence, const Results *results) {
  size_t size = (size_t)convergence->n_levels * COLUMNS;
  Table tables[CONVERGENCE_SCHEMES_MAX];
  double *values = calloc((size_t)convergence->n_schemes * size, sizeof *values);
  if (!values) return diagnostics_no_memory(results->diagnostics);
  for (int s = 0; s < convergence->n_schemes; s++) tables[s] = rows_of(convergence, s, values + (size_t)s * size);
  Figure figure = figure_of(convergence, tables);
  int code = figure.n_panels ? draw(&figure, results, FIGURE_SVG) : 0;
  if (!code && figure.n_panels) code = draw(&figure, results, FIGURE_PNG);
  free(values);
  return code;
}
