/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the figures of a motion: positions, velocities, multipliers, sticking, and shapes of a string. */
#include "src/figures/figure_list.h"
#include "src/results/hdf5_read.h"

#include <math.h>

/* A quantity of the degrees of freedom (dofs): x, v or lambda. */
typedef struct Quantity {
  const char *symbol, *name, *heading, *caption;
} Quantity;

enum { COLUMN_SIZE = 24 };

static const char *unit_of(const List *list, const Quantity *q) {
  const Labels *labels = &list->runs[0].labels;
  return *q->symbol == 'x' ? labels->position : *q->symbol == 'v' ? labels->velocity : "";
}

/* Returns the end time T of a run's motion. If T was a variable of the search, this is the T that the search has
 * found. */
static double end_of(const RunResults *run) {
  const json_t *found = run_results_member(run, "outcome.end");
  return json_number_value(found ? found : run_results_member(run, "problem.time.end"));
}

static Map map_of(const RunResults *run, const Table *table, int rows) {
  bool string = run->spacing > 0;
  return (Map){.table = table,
               .rows = rows,
               .first = string ? run->spacing : 1,
               .step = run->stride * (string ? run->spacing : 1),
               .axis = string ? "s (m)" : "degree of freedom",
               .labels = run->labels.names && rows == run->d ? &run->labels : NULL,
               .end = end_of(run)};
}

static void add_map(List *list, const Quantity *q) {
  const RunResults *run = list->runs;
  Figure *figure = add_figure(list, q->name, q->heading, q->caption);
  figure->map = map_of(run, &run->trajectory, run_results_shown(run));
  figure->map.time = column_of(list, 0, TRAJECTORY, "t");
  char missing[TABLE_NAME_SIZE];
  figure->map.column = table_find_dofs(&run->trajectory, q->symbol, figure->map.rows, run->stride, missing);
  if (figure->map.column < 0) report_missing_column(list, 0, &run->trajectory, missing);
  figure->map.diverging = *q->symbol != 'x';
  snprintf(figure->map.label, sizeof figure->map.label, *unit_of(list, q) ? "%s (%s)" : "%s", q->symbol,
           unit_of(list, q));
}

/* Returns the dof that is drawn in panel k of n panels. It is a dof that the user has chosen; without a choice the
 * panels show equally spaced dofs, from the first to the last. */
static int dof_of_panel(const List *list, int k, int n) {
  int shown = run_results_shown(&list->runs[0]);
  if (list->chosen) return list->chosen->dofs[k];
  return n == 1 ? 1 : 1 + (int)((long)k * (shown - 1) / (n - 1)) * list->runs[0].stride;
}

/* Writes the name of a column in the trajectory, such as "x2" for the symbol "x" and dof 2. */
static void name_column(char column[COLUMN_SIZE], const char *symbol, int dof) {
  snprintf(column, COLUMN_SIZE, "%s%d", symbol, dof);
}

/* Adds a panel for each dof. If intervals of stick and slip are known, panels of multipliers leave out dofs without
 * friction, unless runs are compared or the dofs are chosen on the command line. */
static void add_panels(List *list, const Quantity *q, bool multiplier) {
  const RunResults *run = &list->runs[0];
  bool shaded = multiplier && have_intervals(list);
  Figure *figure = add_figure(list, q->name, shaded ? "Multipliers, stick shaded" : q->heading, q->caption);
  if (multiplier && run_results_member(run, "outcome.method"))
    figure_explain(figure, " Where a control stops it at T, the last value is of either side of the stop.");
  int shown = run_results_shown(run), most = list->n_runs > 1 ? COMPARED_MAX : FIGURE_CURVES_MAX;
  int n = list->chosen ? list->chosen->n : shown < most ? shown : most;
  for (int k = 0; k < n; k++) {
    int dof = dof_of_panel(list, k, n);
    char column[COLUMN_SIZE], label[LABEL_COLUMN_SIZE];
    bool all = list->n_runs > 1 || list->chosen;
    if (shaded && !all && run_results_friction_intervals(run, dof) == 0) continue;
    name_column(column, q->symbol, dof);
    labels_column(&run->labels, q->symbol, dof, label);
    Panel *panel = add_panel(figure, run->spacing > 0 ? q->symbol : label, unit_of(list, q));
    if (run->spacing > 0) snprintf(panel->place, sizeof panel->place, "s = %.3g m", dof * run->spacing);
    add_runs(list, panel, TRAJECTORY, "t", column);
    if (!multiplier) continue;
    if (shaded) add_bands(list, panel, dof, STATE_STICK);
    panel->low = -1.12;
    panel->high = 1.12;
  }
  if (figure->n_panels == 0) list->n--;
}

/* Returns the largest absolute value of a column. */
static double size_of(const Table *table, int column) {
  double most = 0;
  for (long row = 0; row < table->rows; row++) most = fmax(most, fabs(table_at(table, row, column)));
  return most;
}

/* The dofs drawn in one panel, in increasing order. */
typedef struct Group {
  int n, dofs[FIGURE_CURVES_MAX];
} Group;

/* Divides dofs into groups, one for each panel. If they do not fit in one panel, there are two groups, dofs with small
 * and with large values. The boundary is at the largest ratio of consecutive sizes. Returns the number of groups. */
static int group_by_size(List *list, const Quantity *q, int n, const int *dofs, Group groups[2]) {
  double sizes[DOFS_CHOSEN_MAX], largest = 0;
  int order[DOFS_CHOSEN_MAX] = {0}, cut = n; /* dofs in ascending order of size; the first `cut` of them have small
                                              * values */
  for (int k = 0; k < n; k++) {
    char column[COLUMN_SIZE];
    name_column(column, q->symbol, dofs[k]);
    sizes[k] = size_of(&list->runs[0].trajectory, column_of(list, 0, TRAJECTORY, column));
    int at = k;
    for (; at > 0 && sizes[order[at - 1]] > sizes[k]; at--) order[at] = order[at - 1];
    order[at] = k;
  }
  for (int k = 1; k < n; k++) {
    bool both_fit = n > FIGURE_CURVES_MAX && k <= FIGURE_CURVES_MAX && n - k <= FIGURE_CURVES_MAX;
    if (!both_fit) continue;
    double below = sizes[order[k - 1]], above = sizes[order[k]];
    double ratio = below > 0 ? above / below : above > 0 ? INFINITY : 1;
    if (!(ratio > largest)) continue;
    largest = ratio;
    cut = k;
  }
  bool large[DOFS_CHOSEN_MAX] = {false};
  for (int k = cut; k < n; k++) large[order[k]] = true;
  groups[0].n = groups[1].n = 0;
  for (int k = 0; k < n; k++) {
    Group *group = &groups[large[k]];
    group->dofs[group->n++] = dofs[k];
  }
  return groups[1].n > 0 ? 2 : 1;
}

/* Returns the name by which the key (legend) calls a dof. The text is valid as long as the results are. */
static const char *name_of(List *list, int dof, const char *column) {
  const RunResults *run = &list->runs[0];
  return run->labels.names ? run->labels.names[dof - 1] : run->trajectory.names[column_of(list, 0, TRAJECTORY, column)];
}

/* Adds thin curves of a second motion for comparison. If the figure shows the motion of the refined control, the second
 * one is the motion of the search's control, with time steps; otherwise it is the exact motion. */
static void add_beside(List *list, Panel *panel, const char *symbol, const Group *group) {
  for (int k = 0; list->runs[0].beside.columns && k < group->n; k++) {
    char column[COLUMN_SIZE];
    name_column(column, symbol, group->dofs[k]);
    add_curve(list, panel, 0, BESIDE, "t", column, k ? NULL : beside_name(list->runs));
    panel->curves[panel->n_curves - 1].thin = true;
  }
}

/* Adds the positions of stops as dashed lines in the colours of the curves that they limit. */
static void add_stops(const List *list, Panel *panel, const Group *group) {
  static const char *const sides[] = {"problem.model.stops.lower", "problem.model.stops.upper"};
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < group->n; k++) {
      const json_t *ends = run_results_member(list->runs, sides[side]);
      const json_t *end = json_array_get(ends, (size_t)group->dofs[k] - 1);
      if (json_is_number(end))
        panel->limits[panel->n_limits++] = (Limit){json_number_value(end), panel->curves[k].colour};
    }
}

/* Flags of elements that a figure has besides its curves. The caption explains those that are set. */
typedef struct Besides {
  bool stops, limits, marks[MARK_BAR + 1];
} Besides;

static void explain(Figure *figure, const RunResults *run, Besides has) {
  figure_explain(figure, "%s%s%s%s%s%s", has.stops ? " Dashed in its colour: its stops." : "",
                 has.limits ? " Dashed: limits; shaded: beyond the limits." : "",
                 has.marks[MARK_RING] ? " Rings: instants at which a limit holds with equality." : "",
                 has.marks[MARK_DISC] ? " Dots: points to pass." : "",
                 has.marks[MARK_BAR] ? " Bars: intervals to pass." : "", beside_sentence(run));
}

/* Adds the limits of a motion plan, and the points that the motion must pass, to a panel. */
static void add_plan(const List *list, Panel *panel, const Quantity *q, const Group *group, Besides *has) {
  int before = panel->n_limits;
  add_plan_limits(list, panel, *q->symbol, group->n, group->dofs);
  has->limits |= panel->n_limits > before;
  for (int k = 0; k < panel->n_marks; k++) has->marks[panel->marks[k].kind] = true;
}

static void add_overlay(List *list, const Quantity *q) {
  Besides has = {.stops = *q->symbol == 'x' && run_results_member(list->runs, "problem.model.stops")};
  Figure *figure = add_figure(list, q->name, q->heading, q->caption);
  Group groups[2];
  int all[DOFS_CHOSEN_MAX], n = list->chosen ? list->chosen->n : list->runs[0].d;
  for (int k = 0; k < n; k++) all[k] = list->chosen ? list->chosen->dofs[k] : k + 1;
  int panels = group_by_size(list, q, n, all, groups);
  figure->own_keys = panels > 1;
  for (int p = 0; p < panels; p++) {
    char label[LABEL_COLUMN_SIZE];
    bool one = list->chosen && n == 1;
    Panel *panel = add_panel(figure, one ? labels_column(&list->runs[0].labels, q->symbol, all[0], label) : q->symbol,
                             unit_of(list, q));
    for (int k = 0; k < groups[p].n; k++) {
      char column[COLUMN_SIZE];
      name_column(column, q->symbol, groups[p].dofs[k]);
      add_curve(list, panel, 0, TRAJECTORY, "t", column, name_of(list, groups[p].dofs[k], column));
    }
    if (*q->symbol == 'x') add_stops(list, panel, &groups[p]);
    if (list->n_runs == 1) add_plan(list, panel, q, &groups[p], &has);
    add_beside(list, panel, q->symbol, &groups[p]);
  }
  explain(figure, list->runs, has);
}

static void add_quantity(List *list, const Quantity *q) {
  bool multiplier = strcmp(q->symbol, "lambda") == 0;
  if (!all_read(list, TRAJECTORY) || (multiplier && is_of_kind(list->runs, "dashpot"))) return;
  bool many = list->runs[0].d > (multiplier ? FIGURE_CURVES_MAX : DOFS_CHOSEN_MAX);
  if (list->n_runs == 1 && many && !list->chosen)
    add_map(list, q);
  else if (list->n_runs > 1 || multiplier)
    add_panels(list, q, multiplier);
  else
    add_overlay(list, q);
}

void add_motion(List *list) {
  static const Quantity quantities[] = {
      {"x", "positions", "Positions", "The position of each degree of freedom."},
      {"v", "velocities", "Velocities", "The velocity of each degree of freedom."},
      {"lambda", "multipliers", "Multipliers",
       "The friction multiplier: 1 or -1 where a degree of freedom slips, between where it sticks."}};
  for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++) add_quantity(list, &quantities[k]);
}

/* Adds curves of the numbers of sticking and of slipping dofs. They are drawn if the results have no intervals of
 * single dofs. */
static void add_counts(List *list) {
  static const char *const states[] = {"stick", "slip+", "slip-"};
  Figure *figure = add_figure(list, "states", "Stick and slip", "How many of those with friction stick and slip.");
  Panel *panel = NULL;
  for (int k = 0; k < 3; k++) {
    if (list->n_runs > 1)
      add_runs(list, add_panel(figure, states[k], ""), EVENTS, "t", states[k]);
    else
      add_curve(list, panel = panel ? panel : add_panel(figure, "degrees of freedom", ""), 0, EVENTS, "t", states[k],
                states[k]);
  }
}

void add_states(List *list) {
  const RunResults *run = list->runs;
  if (all_have(list, EVENTS, "step")) add_counts(list);
  if (!run->intervals || list->n_runs > 1 || run->d <= FIGURE_CURVES_MAX || run->events.rows == 0) return;
  Figure *figure = add_figure(list, "states", "Stick and slip", "When each degree of freedom with friction sticks.");
  figure->map = map_of(run, &run->events, run->d);
  figure->map.states = true;
}

void add_slips(List *list) {
  const RunResults *run = list->runs;
  const Labels *labels = &run->labels;
  if (list->n_runs == 1 && run->slips.rows > 0 && run->events.rows > 0) {
    Figure *figure = add_figure(list, "slips", "Slips over time", "When each degree of freedom slips, however short.");
    int stride = (run->d + READ_DOFS_MAX - 1) / READ_DOFS_MAX;
    figure->map = map_of(run, &run->slips, (run->d + stride - 1) / stride);
    figure->map.step *= (double)stride / run->stride;
    figure->map.states = true;
    figure->map.stride = stride;
    figure->map.until = table_at(&run->events, run->events.rows - 1, column_of(list, 0, EVENTS, "t"));
  }
  for (int r = 0; r < list->n_runs; r++)
    if (list->runs[r].sizes.rows < 2) return;
  bool events = run->slips.columns > SLIP_EVENT;
  Figure *figure = add_figure(list, "sizes", events ? "Sizes of events" : "Sizes of slips",
                              events ? "How many events are at least so large: slips of neighbours at the same time "
                                       "are one event, its size their sum."
                                     : "How many slips are at least so large.");
  figure->path = figure->scatter = figure->logarithmic = true;
  figure->x_label = "size";
  figure->x_unit = labels->position;
  Panel *panel = add_panel(figure, events ? "events of at least this size" : "slips of at least this size", "");
  panel->logarithmic = true;
  add_runs(list, panel, SIZES, "size", "count");
}

/* Adds the shapes of a string at several times. Two runs are compared in one panel per time if their times are
 * equal. */
void add_snapshots(List *list) {
  const Table *table = &list->runs[0].snapshots;
  for (int c = 0; c < table->columns; c++)
    if (!all_have(list, SHAPES, table->names[c])) return;
  if (table->columns == 0) return;
  Figure *figure = add_figure(list, "snapshots", "Shapes", "Positions along the string at some instants.");
  figure->x_label = "s";
  figure->x_unit = "m";
  Panel *panel = NULL;
  for (int c = 1; c < table->columns; c++) {
    if (list->n_runs == 1) {
      add_curve(list, panel = panel ? panel : add_panel(figure, "x", list->runs[0].labels.position), 0, SHAPES, "s",
                table->names[c], table->names[c]);
    } else {
      panel = add_panel(figure, "x", list->runs[0].labels.position);
      snprintf(panel->place, sizeof panel->place, "t = %.16s", table->names[c]);
      add_runs(list, panel, SHAPES, "s", table->names[c]);
    }
  }
}
