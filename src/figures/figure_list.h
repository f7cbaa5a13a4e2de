/* Helpers of the catalog, which fill panels with columns of one or two runs. Private to the catalog. */
#ifndef SRC_FIGURES_FIGURE_LIST_H
#define SRC_FIGURES_FIGURE_LIST_H

#include "src/figures/figure_catalog.h"

#include <string.h>

typedef struct List {
  const RunResults *runs;
  int n_runs;
  const DofChoice *chosen; /* NULL: all */
  Figure *figures;
  int n;
  bool lacking; /* a column is missing; reported */
} List;

typedef enum Source { TRAJECTORY, BESIDE, ENERGY, EVENTS, SEARCH, SHAPES, SIZES, FIT, SCENARIOS } Source;

Figure *add_figure(List *list, const char *name, const char *heading, const char *caption);
Panel *add_panel(Figure *figure, const char *quantity, const char *unit);

/* table_of returns a table of a run. all_read and all_have return whether all runs have it, or a column of it. */
const Table *table_of(const List *list, int run, Source source);
bool all_read(const List *list, Source source);
bool all_have(const List *list, Source source, const char *column);
/* column_of returns a required column. A missing one is reported, and nothing is drawn. */
int column_of(List *list, int run, Source source, const char *name);
void report_missing_column(List *list, int run, const Table *table, const char *name);

void add_curve(List *list, Panel *panel, int run, Source source, const char *x, const char *y, const char *label);
/* Name of a run: the last part of its directory, or the whole directory if two runs would have the same name. */
const char *run_name(const List *list, int run);
/* Adds a curve for each run. */
void add_runs(List *list, Panel *panel, Source source, const char *x, const char *y);
/* Shades the times at which a dof is in a state, if all runs have intervals. */
bool have_intervals(const List *list);
void add_bands(const List *list, Panel *panel, int dof, int state);

bool is_of_kind(const RunResults *run, const char *kind);

/* Positions, velocities, multipliers, sticking, and shapes of a string: figure_motion.c. */
void add_motion(List *list);
void add_snapshots(List *list);
void add_states(List *list);
/* For the answer of a motion plan (figure_plan.c). Adds to a panel of x or v of n dofs, in the order of its curves, their
 * limits and via points; to a panel the instants at which u changes; to the list a figure of v over x. */
void add_plan_limits(const List *list, Panel *panel, char symbol, int n, const int *dofs);
void add_plan_switches(const List *list, Panel *panel);
void add_plan_phase(List *list);
/* Adds a map of slips of many dofs over time, and the distribution of event sizes. */
void add_slips(List *list);

#endif
