/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers of the catalog, which fill panels with columns of one or two runs. Only the catalog uses them. */
#ifndef SRC_FIGURES_FIGURE_LIST_H
#define SRC_FIGURES_FIGURE_LIST_H

#include "src/figures/figure_catalog.h"

#include <string.h>

typedef struct List {
  const RunResults *runs;
  int n_runs;
  const DofChoice *chosen; /* degrees of freedom to draw; NULL: all */
  Figure *figures;
  int n;
  bool lacking; /* whether a column is missing, which was reported */
} List;

typedef enum Source { TRAJECTORY, BESIDE, ENERGY, EVENTS, SEARCH, SHAPES, SIZES, FIT, SCENARIOS } Source;

Figure *add_figure(List *list, const char *name, const char *heading, const char *caption);
Panel *add_panel(Figure *figure, const char *quantity, const char *unit);

/* table_of returns a table of a run. all_read returns whether all runs have this table, and all_have whether all runs
 * have this column. */
const Table *table_of(const List *list, int run, Source source);
bool all_read(const List *list, Source source);
bool all_have(const List *list, Source source, const char *column);
/* Returns the index of a column that must exist. If it is missing, this is reported, and no figure is drawn. */
int column_of(List *list, int run, Source source, const char *name);
void report_missing_column(List *list, int run, const Table *table, const char *name);

void add_curve(List *list, Panel *panel, int run, Source source, const char *x, const char *y, const char *label);
/* Returns the name of a run: the last part of its directory, or the whole directory if two runs would have the same
 * name. */
const char *run_name(const List *list, int run);
/* Adds the curve of a column for each run. */
void add_runs(List *list, Panel *panel, Source source, const char *x, const char *y);
/* have_intervals returns whether all runs have a table of intervals of states. If they have, add_bands shades the times
 * at which a degree of freedom (dof) is in this state. */
bool have_intervals(const List *list);
void add_bands(const List *list, Panel *panel, int dof, int state);

bool is_of_kind(const RunResults *run, const char *kind);
/* Returns a sentence, with a space before it, that explains the thin curves of BESIDE, by the name that they have in
 * the key: the motion of the search if a refined one is drawn, else the exact motion. "": there are none. */
const char *beside_sentence(const RunResults *run);
const char *beside_name(const RunResults *run);

/* Adds the figures of figure_motion.c: positions, velocities, multipliers, sticking, and shapes of a string. */
void add_motion(List *list);
void add_snapshots(List *list);
void add_states(List *list);
/* Functions of figure_plan.c for the solution of a motion plan. The first adds limits and via points to a panel of x or
 * v that has curves of these n degrees of freedom, in this order. The second adds to a panel the times at which u
 * changes. The third adds a figure of v over x to the list. */
void add_plan_limits(const List *list, Panel *panel, char symbol, int n, const int *dofs);
void add_plan_switches(const List *list, Panel *panel);
void add_plan_phase(List *list);
/* Adds a map of slips of many dofs over time, and the distribution of event sizes. */
void add_slips(List *list);

#endif
