#include "src/figures/figure_catalog.h"

#include <string.h>

enum { COMPARED_MAX = 6 }; /* dofs of two runs */

static const char shade[] = "#E3E3E3", *const shades[] = {"#CFE2F1", "#F8DCC8"}; /* one run; two, as their curves */

typedef struct List {
  const RunResults *runs;
  int n_runs;
  Figure *figures;
  int n;
  bool lacking; /* a column is missing: told */
} List;

static Figure *add_figure(List *list, const char *name, const char *heading, const char *caption) {
  Figure *figure = &list->figures[list->n++];
  *figure = (Figure){.heading = heading, .caption = caption, .x_label = "t (s)", .compared = list->n_runs > 1};
  snprintf(figure->name, sizeof figure->name, "%s%s", list->n_runs > 1 ? "compare_" : "", name);
  return figure;
}

static Panel *add_panel(Figure *figure, const char *quantity, const char *unit) {
  Panel *panel = &figure->panels[figure->n_panels++];
  snprintf(panel->label, sizeof panel->label, *unit ? "%s (%s)" : "%s", quantity, unit);
  return panel;
}

/* The last part of a directory's name, or all of it where two runs would be called the same. */
static const char *run_name(const List *list, int run) {
  const char *names[2] = {"", ""};
  for (int r = 0; r < list->n_runs; r++) {
    const char *slash = strrchr(list->runs[r].directory, '/');
    names[r] = slash && slash[1] ? slash + 1 : list->runs[r].directory;
  }
  return strcmp(names[0], names[1]) ? names[run] : list->runs[run].directory;
}

typedef enum Source { TRAJECTORY, EXACT, ENERGY, EVENTS, SEARCH, SHAPES } Source;

static const Table *table_of(const List *list, int run, Source source) {
  const RunResults *results = &list->runs[run];
  const Table *const tables[] = {&results->trajectory, &results->exact,  &results->energy,
                                 &results->events,     &results->search, &results->snapshots};
  return tables[source];
}

static void tell_lack(List *list, int run, const Table *table, const char *name) {
  if (!list->lacking) run_results_lacks(&list->runs[run], table, name);
  list->lacking = true;
}

/* A column that must be there. One that is not is told, and nothing will be drawn. */
static int column_of(List *list, int run, Source source, const char *name) {
  const Table *table = table_of(list, run, source);
  int found = table_find(table, name);
  if (found >= 0) return found;
  tell_lack(list, run, table, name);
  return 0;
}

static void add_curve(List *list, Panel *panel, int run, Source source, const char *x, const char *y,
                      const char *label) {
  int k = panel->n_curves++;
  panel->curves[k] = (Curve){.table = table_of(list, run, source),
                             .x = column_of(list, run, source, x),
                             .y = column_of(list, run, source, y),
                             .factor = 1,
                             .label = label,
                             .colour = k};
}

/* A curve for each run. */
static void add_runs(List *list, Panel *panel, Source source, const char *x, const char *y) {
  for (int r = 0; r < list->n_runs; r++) add_curve(list, panel, r, source, x, y, run_name(list, r));
}

static bool all_read(const List *list, Source source) {
  for (int r = 0; r < list->n_runs; r++)
    if (table_of(list, r, source)->columns == 0) return false;
  return true;
}

static bool is(const RunResults *run, const char *kind) { return strcmp(run->kind, kind) == 0; }

static bool have_intervals(const List *list) {
  return list->runs[0].intervals && list->runs[list->n_runs - 1].intervals;
}

static void add_bands(const List *list, Panel *panel, int dof, int state) {
  for (int r = 0; r < list->n_runs; r++)
    panel->bands[panel->n_bands++] = (Band){&list->runs[r].events,
                                            dof,
                                            state,
                                            (double)(list->n_runs - 1 - r) / list->n_runs,
                                            (double)(list->n_runs - r) / list->n_runs,
                                            list->n_runs > 1 ? shades[r] : shade};
}

static bool all_have(const List *list, Source source, const char *column) {
  for (int r = 0; r < list->n_runs; r++)
    if (table_find(table_of(list, r, source), column) < 0) return false;
  return true;
}

/* x, v or lambda of the dofs. */
typedef struct Quantity {
  const char *symbol, *unit, *name, *heading, *caption;
} Quantity;

static Map map_of(const RunResults *run, const Table *table, int rows) {
  bool string = run->spacing > 0;
  return (Map){.table = table,
               .rows = rows,
               .first = string ? run->spacing : 1,
               .step = run->stride * (string ? run->spacing : 1),
               .axis = string ? "s (m)" : "degree of freedom",
               .end = json_number_value(run_results_member(run, "problem.time.end"))};
}

static void add_map(List *list, const Quantity *q) {
  const RunResults *run = list->runs;
  Figure *figure = add_figure(list, q->name, q->heading, q->caption);
  figure->map = map_of(run, &run->trajectory, run_results_shown(run));
  figure->map.time = column_of(list, 0, TRAJECTORY, "t");
  char missing[TABLE_NAME_SIZE];
  figure->map.column = table_find_dofs(&run->trajectory, q->symbol, figure->map.rows, run->stride, missing);
  if (figure->map.column < 0) tell_lack(list, 0, &run->trajectory, missing);
  figure->map.diverging = *q->symbol != 'x';
  snprintf(figure->map.label, sizeof figure->map.label, *q->unit ? "%s (%s)" : "%s", q->symbol, q->unit);
}

static void add_panels(List *list, const Quantity *q, bool multiplier) {
  bool shaded = multiplier && have_intervals(list);
  Figure *figure = add_figure(list, q->name, shaded ? "Multipliers, stick shaded" : q->heading, q->caption);
  int shown = run_results_shown(&list->runs[0]), most = list->n_runs > 1 ? COMPARED_MAX : FIGURE_CURVES_MAX;
  int n = shown < most ? shown : most;
  double spacing = list->runs[0].spacing;
  for (int k = 0; k < n; k++) {
    int dof = n == 1 ? 1 : 1 + (int)((long)k * (shown - 1) / (n - 1)) * list->runs[0].stride;
    char column[24];
    snprintf(column, sizeof column, "%s%d", q->symbol, dof);
    Panel *panel = add_panel(figure, spacing > 0 ? q->symbol : column, q->unit);
    if (spacing > 0) snprintf(panel->place, sizeof panel->place, "s = %.3g m", dof * spacing);
    add_runs(list, panel, TRAJECTORY, "t", column);
    if (!multiplier) continue;
    if (shaded) add_bands(list, panel, dof, STATE_STICK);
    panel->low = -1.12;
    panel->high = 1.12;
  }
}

/* A column's name as the trajectory has it, for as long as that is there. */
static const char *name_of(List *list, const char *column) {
  return list->runs[0].trajectory.names[column_of(list, 0, TRAJECTORY, column)];
}

/* The motion itself over the run's, thin: as many dofs as there are. */
static void add_exact(List *list, Panel *panel, const char *symbol) {
  for (int dof = 1; list->runs[0].exact.columns && dof <= list->runs[0].d; dof++) {
    char column[24];
    snprintf(column, sizeof column, "%s%d", symbol, dof);
    add_curve(list, panel, 0, EXACT, "t", column, dof == 1 ? "exact" : NULL);
    panel->curves[panel->n_curves - 1].thin = true;
  }
}

static void add_overlay(List *list, const Quantity *q) {
  Figure *figure = add_figure(list, q->name, q->heading, q->caption);
  Panel *panel = add_panel(figure, q->symbol, q->unit);
  for (int dof = 1; dof <= list->runs[0].d; dof++) {
    char column[24];
    snprintf(column, sizeof column, "%s%d", q->symbol, dof);
    add_curve(list, panel, 0, TRAJECTORY, "t", column, name_of(list, column));
  }
  add_exact(list, panel, q->symbol);
}

static void add_quantity(List *list, const Quantity *q) {
  bool multiplier = strcmp(q->symbol, "lambda") == 0;
  if (!all_read(list, TRAJECTORY) || (multiplier && is(list->runs, "dashpot"))) return;
  if (list->n_runs == 1 && list->runs[0].d > FIGURE_CURVES_MAX)
    add_map(list, q);
  else if (list->n_runs > 1 || multiplier)
    add_panels(list, q, multiplier);
  else
    add_overlay(list, q);
}

static void add_motion(List *list) {
  static const Quantity quantities[] = {
      {"x", "m", "positions", "Positions", "Where each degree of freedom is."},
      {"v", "m/s", "velocities", "Velocities", "How fast each degree of freedom moves."},
      {"lambda", "", "multipliers", "Multipliers",
       "The friction multiplier: 1 or -1 where a degree of freedom slips, between where it sticks."}};
  for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++) add_quantity(list, &quantities[k]);
}

/* How many dofs stick and slip, where it is not told which. */
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

static void add_states(List *list) {
  const RunResults *run = list->runs;
  if (all_have(list, EVENTS, "step")) add_counts(list);
  if (!run->intervals || list->n_runs > 1 || run->d <= FIGURE_CURVES_MAX || run->events.rows == 0) return;
  Figure *figure = add_figure(list, "states", "Stick and slip", "When each degree of freedom with friction sticks.");
  figure->map = map_of(run, &run->events, run->d);
  figure->map.states = true;
}

/* A string's shape at some instants: of two runs, where these are the same, a panel each. */
static void add_snapshots(List *list) {
  const Table *table = &list->runs[0].snapshots;
  for (int c = 0; c < table->columns; c++)
    if (!all_have(list, SHAPES, table->names[c])) return;
  if (table->columns == 0) return;
  Figure *figure = add_figure(list, "snapshots", "Shapes", "Positions along the string at some instants.");
  figure->x_label = "s (m)";
  Panel *panel = NULL;
  for (int c = 1; c < table->columns; c++) {
    if (list->n_runs == 1) {
      add_curve(list, panel = panel ? panel : add_panel(figure, "x", "m"), 0, SHAPES, "s", table->names[c],
                table->names[c]);
    } else {
      panel = add_panel(figure, "x", "m");
      snprintf(panel->place, sizeof panel->place, "t = %.16s", table->names[c]);
      add_runs(list, panel, SHAPES, "s", table->names[c]);
    }
  }
}

/* Whether a column of a trajectory does in any of the runs. */
static bool varies(List *list, const char *column) {
  bool any = false;
  for (int r = 0; r < list->n_runs; r++) {
    const Table *table = &list->runs[r].trajectory;
    int c = column_of(list, r, TRAJECTORY, column);
    for (long row = 1; row < table->rows; row++) any |= table_at(table, row, c) != table_at(table, 0, c);
  }
  return any;
}

static void add_dashpot(List *list) {
  if (!is(list->runs, "dashpot") || !all_read(list, TRAJECTORY)) return;
  bool shaded = have_intervals(list);
  Figure *figure = add_figure(list, "forces", shaded ? "Forces, stick and contact shaded" : "Forces",
                              shaded ? "The dash-pot's force (shaded: it holds the mass), the spring's, the support's "
                                       "(shaded: the mass touches it)."
                                     : "The dash-pot's force, the spring's, the support's.");
  Panel *panel = add_panel(figure, "f_d", "N");
  add_runs(list, panel, TRAJECTORY, "t", "f_d");
  if (shaded) add_bands(list, panel, 1, STATE_STICK);
  add_runs(list, add_panel(figure, "f_s", "N"), TRAJECTORY, "t", "f_s");
  bool contact = varies(list, "lambda_contact");
  if (contact) {
    panel = add_panel(figure, "lambda_contact", "N");
    add_runs(list, panel, TRAJECTORY, "t", "lambda_contact");
    if (shaded) add_bands(list, panel, 1, STATE_CONTACT);
  }
  figure = add_figure(list, "law", "The dash-pot's law", "The dash-pot's force against the velocity.");
  figure->path = figure->scatter = true;
  figure->x_label = "v (m/s)";
  add_runs(list, add_panel(figure, "f_d", "N"), TRAJECTORY, "v1", "f_d");
}

static void add_chain(List *list) {
  if (!is(list->runs, "chain") || !all_read(list, TRAJECTORY)) return;
  Figure *figure = add_figure(list, "reactions", "Reactions at the ends", "Compressions at the chain's ends.");
  if (list->n_runs == 1) {
    Panel *panel = add_panel(figure, "reaction", "N");
    add_curve(list, panel, 0, TRAJECTORY, "t", "reaction_left", "left");
    add_curve(list, panel, 0, TRAJECTORY, "t", "reaction_right", "right");
  } else {
    add_runs(list, add_panel(figure, "left", "N"), TRAJECTORY, "t", "reaction_left");
    add_runs(list, add_panel(figure, "right", "N"), TRAJECTORY, "t", "reaction_right");
  }
  if (!varies(list, "x_end")) return;
  figure = add_figure(list, "hysteresis", "Load against displacement of the end",
                      "The pull at the chain's end, -reaction_right, against how far the end has moved.");
  figure->path = true;
  figure->x_label = "x_end (m)";
  Panel *panel = add_panel(figure, "-reaction_right", "N");
  add_runs(list, panel, TRAJECTORY, "x_end", "reaction_right");
  for (int k = 0; k < panel->n_curves; k++) panel->curves[k].factor = -1;
}

/* u(t), where it varies: of as many controls as there are colours, or panels. */
static void add_control(List *list) {
  int n = list->n_runs > 1 ? COMPARED_MAX : FIGURE_CURVES_MAX;
  for (int r = 0; r < list->n_runs; r++) {
    int count = table_count(&list->runs[r].trajectory, "u");
    if (count < n) n = count;
  }
  if (n == 0) return;
  Figure *figure = add_figure(list, "control", "Control", "The control u(t).");
  Panel *panel = list->n_runs > 1 ? NULL : add_panel(figure, "u", "N");
  for (int k = 1; k <= n; k++) {
    char column[24];
    snprintf(column, sizeof column, "u%d", k);
    if (panel)
      add_curve(list, panel, 0, TRAJECTORY, "t", column, name_of(list, column));
    else
      add_runs(list, add_panel(figure, column, "N"), TRAJECTORY, "t", column);
  }
}

static void add_energy(List *list) {
  static const char *const terms[] = {"work", "stored", "dissipated", "numerical"};
  if (!all_read(list, ENERGY)) return;
  Figure *figure = add_figure(list, "energy", "Energy balance",
                              "Work = stored + dissipated + numerical + closing error, since t = 0.");
  Panel *panel = NULL;
  for (int k = 0; k < 4; k++) {
    if (list->n_runs > 1)
      add_runs(list, add_panel(figure, terms[k], "J"), ENERGY, "t", terms[k]);
    else
      add_curve(list, panel = panel ? panel : add_panel(figure, "energy", "J"), 0, ENERGY, "t", terms[k], terms[k]);
  }
  add_runs(list, add_panel(figure, list->n_runs > 1 ? "closing" : "closing error", "J"), ENERGY, "t", "closure");
}

static bool any_positive(List *list, const char *column) {
  for (int r = 0; r < list->n_runs; r++) {
    const Table *table = &list->runs[r].search;
    int c = column_of(list, r, SEARCH, column);
    for (long row = 0; row < table->rows; row++)
      if (table_at(table, row, c) > 0) return true;
  }
  return false;
}

static void add_search(List *list) {
  static const char *const columns[][2] = {{"best", ""}, {"E1", ""}, {"E2", ""}, {"edge", "N"}};
  if (!all_read(list, SEARCH) || !any_positive(list, "best")) return;
  Figure *figure = add_figure(list, "search", "Search",
                              "The best penalised cost, the misses in position (E1) and "
                              "velocity (E2), and the simplex's longest edge.");
  figure->x_label = "round";
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
    if (!any_positive(list, columns[k][0])) continue;
    Panel *panel = add_panel(figure, columns[k][0], columns[k][1]);
    panel->logarithmic = true;
    add_runs(list, panel, SEARCH, "round", columns[k][0]);
  }
}

int figure_catalog(const RunResults *runs, int n_runs, Figure *figures) {
  List list = {.runs = runs, .n_runs = n_runs, .figures = figures};
  add_motion(&list);
  add_snapshots(&list);
  add_states(&list);
  add_dashpot(&list);
  add_chain(&list);
  add_control(&list);
  add_energy(&list);
  add_search(&list);
  return list.lacking ? -1 : list.n;
}

int figures_missing(const RunResults *run, FigureGap *gaps) {
  int n = 0;
  const char *motion = is(run, "dashpot")  ? "positions, velocities, forces, law"
                       : is(run, "chain")  ? "positions, velocities, multipliers, reactions, hysteresis"
                       : is(run, "string") ? "positions, velocities, multipliers, snapshots"
                                           : "positions, velocities, multipliers";
  bool searched = run_results_member(run, "counts.rounds"), moved = !searched || !run_results_stopped(run);
  if (moved && run->trajectory.columns == 0) gaps[n++] = (FigureGap){"trajectory.csv (or .h5)", motion};
  if (moved && run->energy.columns == 0) gaps[n++] = (FigureGap){"energy.csv", "energy"};
  if (moved && run->events.columns == 0) gaps[n++] = (FigureGap){"events.csv", "stick and slip"};
  if (searched && run->search.columns == 0) gaps[n++] = (FigureGap){"search.csv", "search"};
  return n;
}
