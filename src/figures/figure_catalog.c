/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/figure_list.h"

#include <ctype.h>
#include <math.h>

/* Returns whether the values in a column are not constant in at least one of the runs. */
static bool varies(List *list, const char *column) {
  bool any = false;
  for (int r = 0; r < list->n_runs; r++) {
    const Table *table = &list->runs[r].trajectory;
    int c = column_of(list, r, TRAJECTORY, column);
    for (long row = 1; row < table->rows; row++) any |= table_at(table, row, c) != table_at(table, 0, c);
  }
  return any;
}

/* Returns the largest absolute value of a column in all runs. */
static double largest_of(List *list, Source source, const char *column) {
  double most = 0;
  for (int r = 0; r < list->n_runs; r++) {
    const Table *table = table_of(list, r, source);
    int c = column_of(list, r, source, column);
    for (long row = 0; row < table->rows; row++) most = fmax(most, fabs(table_at(table, row, c)));
  }
  return most;
}

static void add_dashpot(List *list) {
  if (!is_of_kind(list->runs, "dashpot") || !all_read(list, TRAJECTORY)) return;
  bool shaded = have_intervals(list);
  const char *force = list->runs[0].labels.force;
  Figure *figure = add_figure(list, "forces", shaded ? "Forces, stick and contact shaded" : "Forces",
                              shaded ? "The dash-pot's force (shaded: it holds the mass), the spring's, the support's "
                                       "(shaded: the mass touches it)."
                                     : "The dash-pot's force, the spring's, the support's.");
  Panel *panel = add_panel(figure, "f_d", force);
  add_runs(list, panel, TRAJECTORY, "t", "f_d");
  if (shaded) add_bands(list, panel, 1, STATE_STICK);
  add_runs(list, add_panel(figure, "f_s", force), TRAJECTORY, "t", "f_s");
  bool contact = varies(list, "lambda_contact");
  if (contact) {
    panel = add_panel(figure, "lambda_contact", force);
    add_runs(list, panel, TRAJECTORY, "t", "lambda_contact");
    if (shaded) add_bands(list, panel, 1, STATE_CONTACT);
  }
  figure = add_figure(list, "law", "The dash-pot's law", "The dash-pot's force against the velocity.");
  figure->path = figure->scatter = true;
  figure->x_label = "v";
  figure->x_unit = list->runs[0].labels.velocity;
  add_runs(list, add_panel(figure, "f_d", force), TRAJECTORY, "v1", "f_d");
}

static void add_chain(List *list) {
  if (!is_of_kind(list->runs, "chain") || !all_read(list, TRAJECTORY)) return;
  const char *force = list->runs[0].labels.force;
  Figure *figure = add_figure(list, "reactions", "Reactions at the ends", "Compressions at the chain's ends.");
  if (list->n_runs == 1) {
    Panel *panel = add_panel(figure, "reaction", force);
    add_curve(list, panel, 0, TRAJECTORY, "t", "reaction_left", "left");
    add_curve(list, panel, 0, TRAJECTORY, "t", "reaction_right", "right");
  } else {
    add_runs(list, add_panel(figure, "left", force), TRAJECTORY, "t", "reaction_left");
    add_runs(list, add_panel(figure, "right", force), TRAJECTORY, "t", "reaction_right");
  }
  if (!varies(list, "x_end")) return;
  figure = add_figure(list, "hysteresis", "Load against displacement of the end",
                      "The pull at the chain's end, -reaction_right, against how far the end has moved.");
  figure->path = true;
  figure->x_label = "x_end";
  figure->x_unit = list->runs[0].labels.position;
  Panel *panel = add_panel(figure, "-reaction_right", force);
  add_runs(list, panel, TRAJECTORY, "x_end", "reaction_right");
  for (int k = 0; k < panel->n_curves; k++) panel->curves[k].factor = -1;
}

/* Adds the bounds of the first n entries of u as dashed lines, if the problem has them. If all entries have the same
 * bound, there is one line; otherwise each entry has one in the colour of its curve. */
static void add_limits(const List *list, Panel *panel, int n) {
  static const char *const sides[] = {"problem.control.bounds.lower", "problem.control.bounds.upper"};
  for (int side = 0; side < 2; side++) {
    const json_t *limits = run_results_member(list->runs, sides[side]);
    bool same = true;
    for (size_t k = 1; k < json_array_size(limits); k++)
      same = same && json_equal(json_array_get(limits, k), json_array_get(limits, 0));
    for (int k = 0; k < (same ? 1 : n); k++) {
      const json_t *limit = json_array_get(limits, (size_t)k);
      if (json_is_number(limit)) panel->limits[panel->n_limits++] = (Limit){json_number_value(limit), same ? -1 : k};
    }
  }
}

const char *figure_control_column(const Table *table, int k) {
  for (int c = 0; c < table->columns; c++) {
    const char *name = table->names[c];
    if (*name == 'u' && (name[1] == ':' || isdigit((unsigned char)name[1])) && k-- == 0) return name;
  }
  return NULL;
}

const char *figure_control_name(const char *column) { return column[1] == ':' ? column + 2 : column; }

/* Returns the column of entry k of u in a table of a run. */
static const char *find_control(List *list, int run, Source source, int k) {
  const Table *table = table_of(list, run, source);
  const char *column = figure_control_column(table, k);
  char expected[TABLE_NAME_SIZE];
  snprintf(expected, sizeof expected, "u%d", k + 1);
  if (column && column[1] != ':' && strcmp(column, expected) != 0) report_missing_column(list, run, table, expected);
  return column;
}

/* Returns whether u of a run jumps from one constant value to the next. */
static bool is_constant_in_pieces(const RunResults *run) {
  const char *kind = json_string_value(run_results_member(run, "problem.control.signal.kind"));
  return kind && strcmp(kind, "piecewise_constant") == 0;
}

static void add_controls(List *list, Panel *panel, int run, Source source, int n) {
  for (int k = 0; k < n; k++) {
    const char *column = find_control(list, run, source, k);
    if (!column) return;
    const char *name = figure_control_name(column);
    add_curve(list, panel, run, source, "t", column, source == TRAJECTORY ? name : k ? NULL : beside_name(list->runs));
    panel->curves[panel->n_curves - 1].thin = source == BESIDE;
    panel->curves[panel->n_curves - 1].steps = is_constant_in_pieces(&list->runs[run]);
  }
}

/* Adds the curves of u(t) if u varies, for as many controls as there are colours or panels. */
static void add_control(List *list) {
  int n = 0, most = list->n_runs > 1 ? COMPARED_MAX : FIGURE_CURVES_MAX;
  const Table *first = &list->runs[0].trajectory, *last = &list->runs[list->n_runs - 1].trajectory;
  const char *force = list->runs[0].labels.force;
  while (n < most && figure_control_column(first, n) && figure_control_column(last, n)) n++;
  if (n == 0) return;
  Figure *figure = add_figure(list, "control", "Control", "The control u(t).");
  if (list->n_runs == 1) {
    Panel *panel = add_panel(figure, "u", force);
    add_controls(list, panel, 0, TRAJECTORY, n);
    if (list->runs[0].refined) add_controls(list, panel, 0, BESIDE, n);
    add_limits(list, panel, n);
    snprintf(figure->caption, sizeof figure->caption, "The control u(t)%s.%s",
             panel->n_limits > 0 ? "; dashed: its bounds, if they are near" : "",
             list->runs[0].refined ? beside_sentence(list->runs) : "");
    add_plan_switches(list, panel);
  }
  for (int k = 0; list->n_runs > 1 && k < n; k++) {
    Panel *panel = add_panel(figure, figure_control_column(first, k), force);
    for (int r = 0; r < list->n_runs; r++) {
      add_curve(list, panel, r, TRAJECTORY, "t", find_control(list, r, TRAJECTORY, k), run_name(list, r));
      panel->curves[r].steps = is_constant_in_pieces(&list->runs[r]);
    }
  }
}

static void add_energy(List *list) {
  /* TERMS: number of terms of the energy balance. SURFACE, IMPACTS: indices of two that only some runs have. */
  enum { SURFACE = 1, IMPACTS = 4, TERMS = 6 };
  static const char *const terms[TERMS] = {"work", "surface", "stored", "dissipated", "impacts", "numerical"};
  double rounded = 1e-12; /* a closing error of at most this part of the sum of the energies is round-off */
  static const char *const balances[2][2] = {
      {"Work = stored + dissipated + numerical + closing error, since t = 0.",
       "Work = stored + dissipated + impacts + numerical + closing error, since t = 0."},
      {"Work + surface = stored + dissipated + numerical + closing error, since t = 0.",
       "Work + surface = stored + dissipated + impacts + numerical + closing error, since t = 0."}};
  const char *unit = list->runs[0].labels.energy;
  if (!all_read(list, ENERGY)) return;
  bool surface = all_have(list, ENERGY, terms[SURFACE]), impacts = all_have(list, ENERGY, terms[IMPACTS]);
  Figure *figure = add_figure(list, "energy", "Energy balance", balances[surface][impacts]);
  Panel *panel = NULL;
  for (int k = 0; k < TERMS; k++) {
    if ((k == SURFACE && !surface) || (k == IMPACTS && !impacts)) continue;
    if (list->n_runs > 1)
      add_runs(list, add_panel(figure, terms[k], unit), ENERGY, "t", terms[k]);
    else
      add_curve(list, panel = panel ? panel : add_panel(figure, "energy", unit), 0, ENERGY, "t", terms[k], terms[k]);
  }
  double error = largest_of(list, ENERGY, "closure"), size = 0;
  for (int k = 0; k < TERMS; k++)
    if ((k != SURFACE || surface) && (k != IMPACTS || impacts)) size += largest_of(list, ENERGY, terms[k]);
  for (int r = 0; r < list->n_runs; r++)
    rounded = fmax(rounded, json_number_value(run_results_member(&list->runs[r], "energy.rounded")));
  if (error > rounded * size) {
    add_runs(list, add_panel(figure, list->n_runs > 1 ? "closing" : "closing error", unit), ENERGY, "t", "closure");
    return;
  }
  figure_explain(figure, " The closing error is round-off, at most %.2g %s, and not drawn.", error, unit);
}

/* Adds two panels for each of the first measured columns: the measured and simulated values, and below them the
 * residuals. */
static void add_fit(List *list) {
  const Table *fit = &list->runs[0].fit;
  const Labels *labels = &list->runs[0].labels;
  if (list->n_runs > 1 || fit->columns < 4 || !all_read(list, TRAJECTORY)) return;
  Figure *figure =
      add_figure(list, "fit", "Measured and simulated",
                 "The motion measured, and with the numbers found; below it the residuals, simulated less measured: "
                 "of a model that fits they are noise about 0.");
  for (int c = 1; c + 2 < fit->columns && figure->n_panels + 2 <= FIGURE_PANELS_MAX; c += 3) {
    const char *name = fit->names[c];
    char column[24];
    int dof = labels_find(labels, list->runs[0].d, name + (name[1] == ':' ? 2 : 1));
    snprintf(column, sizeof column, "%c%d", *name, dof);
    Panel *panel = add_panel(figure, name, *name == 'x' ? labels->position : labels->velocity);
    add_curve(list, panel, 0, TRAJECTORY, "t", column, "simulated");
    add_curve(list, panel, 0, FIT, "t", name, "measured");
    panel->curves[1].points = true;
    panel = add_panel(figure, "residual", *name == 'x' ? labels->position : labels->velocity);
    add_curve(list, panel, 0, FIT, "t", fit->names[c + 2], NULL);
    panel->curves[0].points = true;
    panel->curves[0].colour = 1;
    panel->limits[panel->n_limits++] = (Limit){0, -1};
  }
}

/* Adds the distribution of the misses in the scenarios, i.e. of the distances of final states from the target: for each
 * miss, the fraction of scenarios with at most this miss. */
static void add_scenarios(List *list) {
  if (!all_read(list, SCENARIOS) || !all_have(list, SCENARIOS, "miss")) return;
  Figure *figure =
      add_figure(list, "scenarios", "Misses of the scenarios",
                 "The part of all scenarios that miss by no more (E1 + E2; with limits and the like the largest "
                 "miss of a condition): the farther left the better.");
  figure->path = true;
  figure->x_label = "miss";
  figure->x_unit = NULL;
  Panel *panel = add_panel(figure, "part of the scenarios", "");
  add_runs(list, panel, SCENARIOS, "miss", "share");
  for (int k = 0; k < panel->n_curves; k++) panel->curves[k].points = true;
}

static bool any_negative(List *list, const char *column) {
  for (int r = 0; r < list->n_runs; r++) {
    const Table *table = table_of(list, r, SEARCH);
    int c = column_of(list, r, SEARCH, column);
    for (long row = 0; row < table->rows; row++)
      if (table_at(table, row, c) < 0) return true;
  }
  return false;
}

/* Returns whether a column of search.csv has positive values that vary from round to round. A size of 0, as after the
 * end of a search, is not counted. */
static bool search_varies(List *list, const char *column) {
  for (int r = 0; r < list->n_runs; r++) {
    const Table *table = &list->runs[r].search;
    int c = column_of(list, r, SEARCH, column);
    double first = table->rows > 0 ? table_at(table, 0, c) : 0;
    for (long row = 0; row < table->rows; row++)
      if (table_at(table, row, c) > 0 && table_at(table, row, c) != first) return true;
  }
  return false;
}

/* Returns whether the search method of all runs moves a single simplex. */
static bool all_by_simplex(const List *list) {
  for (int r = 0; r < list->n_runs; r++) {
    const char *method = json_string_value(run_results_member(&list->runs[r], "outcome.method"));
    if (!method || strcmp(method, "pds") != 0) return false;
  }
  return true;
}

typedef struct SearchPanel {
  const char *column, *label, *unit, *caption;
  bool drawn;
  double accept; /* for E1 and E2, the distances from the target: the value that is accepted, drawn as a dashed line; 0:
                  * none */
} SearchPanel;

/* Adds text to the caption of a figure, after "; " if it is not empty. */
static void caption_add(Figure *figure, const char *text, const char *more) {
  figure_explain(figure, "%s%s%s", *figure->caption ? "; " : "", text, more);
}

/* Adds a panel of a search. If a distance from the target is accepted in all rounds, no panel is drawn, and the caption
 * says so. */
static void add_search_panel(List *list, Figure *figure, const SearchPanel *of, bool logarithmic) {
  if (!of->drawn) return;
  bool miss = of->accept > 0, accepted = miss && largest_of(list, SEARCH, of->column) <= of->accept;
  caption_add(figure, of->caption, accepted ? ", accepted in all rounds, not drawn" : "");
  if (accepted) return;
  Panel *panel = add_panel(figure, of->label, of->unit);
  panel->logarithmic = logarithmic;
  add_runs(list, panel, SEARCH, "round", of->column);
  if (miss) panel->limits[panel->n_limits++] = (Limit){of->accept, -1};
}

/* Adds the progress of a search. The caption explains the panels that are drawn. For an external program or a plan
 * there is a single miss E1, a measure of how far the constraints are violated, and the variables may have several
 * units. */
static void add_search(List *list) {
  /* whether an external program evaluates the points; the objective f may then have any sign */
  bool program = is_of_kind(list->runs, RUN_OF_PROGRAM);
  bool plan = run_results_member(list->runs, "outcome.quantities"), simplex = all_by_simplex(list);
  if (!all_read(list, SEARCH) || !(program || largest_of(list, SEARCH, "best") > 0)) return;
  double accept = program || plan ? 1 : json_number_value(run_results_member(list->runs, "problem.search.accept"));
  const SearchPanel panels[] = {
      {"best", "best", "",
       program || plan ? "best: f, with a penalty for conditions that are missed" : "best: the least penalised cost",
       true, 0},
      {"E1", "E1", "",
       program || plan ? "E1: the largest miss of a condition, in units of its tolerance"
                       : "E1: the error of the position",
       largest_of(list, SEARCH, "E1") > 0, accept},
      {"E2", "E2", "", "E2: the error of the velocity", largest_of(list, SEARCH, "E2") > 0, accept},
      {"edge", simplex ? "edge" : "step", program || plan ? "" : list->runs[0].labels.force,
       simplex ? "edge: the simplex's longest edge" : "step: the step length that the method allows",
       search_varies(list, "edge"), 0}};
  Figure *figure = add_figure(list, "search", "Search", "");
  figure->x_label = "round";
  figure->x_unit = NULL;
  for (size_t k = 0; k < sizeof panels / sizeof *panels; k++)
    add_search_panel(list, figure, &panels[k], !(program && k == 0 && any_negative(list, panels[k].column)));
  for (int k = 0; k < figure->n_panels; k++)
    if (figure->panels[k].n_limits) {
      caption_add(figure, "dashed: up to where E is accepted", "");
      break;
    }
}

int figure_catalog(const RunResults *runs, int n_runs, const DofChoice *chosen, Figure *figures) {
  List list = {.runs = runs, .n_runs = n_runs, .chosen = chosen, .figures = figures};
  add_motion(&list);
  add_plan_phase(&list);
  add_snapshots(&list);
  add_states(&list);
  add_slips(&list);
  add_dashpot(&list);
  add_chain(&list);
  add_control(&list);
  add_energy(&list);
  add_search(&list);
  add_fit(&list);
  add_scenarios(&list);
  return list.lacking ? -1 : list.n;
}

int figures_missing(const RunResults *run, FigureGap *gaps) {
  int n = 0;
  const char *motion = is_of_kind(run, "dashpot")  ? "positions, velocities, forces, law"
                       : is_of_kind(run, "chain")  ? "positions, velocities, multipliers, reactions, hysteresis"
                       : is_of_kind(run, "string") ? "positions, velocities, multipliers, snapshots"
                                                   : "positions, velocities, multipliers";
  bool searched = run_results_member(run, "counts.rounds"),
       moved = !is_of_kind(run, RUN_OF_PROGRAM) && (!searched || !run_results_stopped(run));
  if (moved && run->trajectory.columns == 0) gaps[n++] = (FigureGap){"trajectory.csv (or .h5)", motion};
  if (moved && run->energy.columns == 0) gaps[n++] = (FigureGap){"energy.csv", "energy"};
  if (moved && run->events.columns == 0) gaps[n++] = (FigureGap){"events.csv", "stick and slip"};
  if (searched && run->search.columns == 0) gaps[n++] = (FigureGap){"search.csv", "search"};
  return n;
}
