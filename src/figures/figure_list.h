/* Figures under way: what all that fill panels from the columns of one run or two share. Private to the catalog. */
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
  bool lacking; /* a column is missing: reported */
} List;

typedef enum Source { TRAJECTORY, BESIDE, ENERGY, EVENTS, SEARCH, SHAPES, SIZES, FIT, SCENARIOS } Source;

Figure *add_figure(List *list, const char *name, const char *heading, const char *caption);
Panel *add_panel(Figure *figure, const char *quantity, const char *unit);

/* The table, and whether all runs have it, or a column of it. */
const Table *table_of(const List *list, int run, Source source);
bool all_read(const List *list, Source source);
bool all_have(const List *list, Source source, const char *column);
/* A column that must be there. One that is not is reported, and nothing will be drawn. */
int column_of(List *list, int run, Source source, const char *name);
void tell_lack(List *list, int run, const Table *table, const char *name);

void add_curve(List *list, Panel *panel, int run, Source source, const char *x, const char *y, const char *label);
/* What a run is called: the last part of its directory's name, or all of it where two would be called the same. */
const char *run_name(const List *list, int run);
/* A curve for each run. */
void add_runs(List *list, Panel *panel, Source source, const char *x, const char *y);
/* Shades when a dof is in a state, where that is known. */
bool have_intervals(const List *list);
void add_bands(const List *list, Panel *panel, int dof, int state);

bool is_of_kind(const RunResults *run, const char *kind);

/* Positions, velocities, multipliers, what sticks, a string's shapes: figure_motion.c. */
void add_motion(List *list);
void add_snapshots(List *list);
void add_states(List *list);
/* Of a motion plan's answer, figure_plan.c: limits of the n dofs of a panel, of x or v, in the order of its curves, and
 * points to pass; instants at which u changes; v over x. */
void add_plan_limits(const List *list, Panel *panel, char symbol, int n, const int *dofs);
void add_plan_switches(const List *list, Panel *panel);
void add_plan_phase(List *list);
/* Who slips when, of many dofs, and how large the events are. */
void add_slips(List *list);

#endif
