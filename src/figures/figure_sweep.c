/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/figure_sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = FIGURE_PANELS_MAX, SIDE_MAX = 1000, TEXT_SIZE = 64, TEXTS = SHOWN_MAX + 3 };

/* If the ratio of the largest to the smallest value on an axis exceeds this number, the axis is logarithmic. */
static const double DECADES_X = 30, DECADES_Y = 1e3;

/* Copies a name from a file into `out`. Characters that are unsafe in a gnuplot script are replaced. */
static const char *clean(const char *text, char out[TEXT_SIZE]) {
  int k = 0;
  for (; k < TEXT_SIZE - 1 && text[k]; k++)
    out[k] = isalnum((unsigned char)text[k]) || strchr("._-:[]", text[k]) ? text[k] : '_';
  out[k] = '\0';
  return out;
}

/* Writes a column's name and, if it has numbers, its unit. */
static const char *name_column(const Table *sweep, int column, char out[TEXT_SIZE]) {
  size_t length = strlen(clean(sweep->names[column], out));
  const char *unit = sweep->words[column] ? "" : table_unit(sweep, column);
  if (*unit && strcmp(unit, "1") != 0 && length + strlen(unit) + 4 <= TEXT_SIZE)
    snprintf(out + length, TEXT_SIZE - length, " (%s)", unit);
  return out;
}

static bool range_of(const Table *sweep, int column, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (long row = 0; row < sweep->rows; row++) {
    double value = table_at(sweep, row, column);
    if (!isfinite(value)) continue;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
  }
  return *low < *high;
}

/* Returns whether the values of a column differ by more than round-off errors. */
static bool varies(const Table *sweep, int column) {
  static const double ROUNDED = 1e-12;
  double low, high;
  return range_of(sweep, column, &low, &high) && high - low > ROUNDED * fmax(fabs(low), fabs(high));
}

static bool spans(double low, double high, double factor) { return low > 0 && high > factor * low; }

/* Returns whether a column describes how a run was solved rather than its result. Columns that the user adds by
 * --column never do: their names are paths, which begin with a section of summary.json. */
static bool is_diagnostic(const char *name) {
  static const char *const names[] = {"E1",
                                      "E2",
                                      "exact.E1",
                                      "exact.E2",
                                      "refined.E1",
                                      "refined.E2",
                                      "refined.reduced_hessian_min",
                                      "reduced_hessian_min",
                                      "largest_miss",
                                      "rounds",
                                      "evaluations",
                                      "ivps",
                                      "steps",
                                      "numerical",
                                      "exact.events"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(name, names[k]) == 0) return true;
  return false;
}

/* Returns whether two columns have the same text in every row. */
static bool are_equal(const Table *sweep, int a, int b) {
  for (long row = 0; row < sweep->rows; row++)
    if (strcmp(table_text(sweep, row, a), table_text(sweep, row, b)) != 0) return false;
  return true;
}

/* Returns whether a column only repeats another one: it is the objective f of motion plans, and equals the time T or
 * the effort J, which are drawn in any case. */
static bool is_repeated(const Table *sweep, int column) {
  int T = table_find(sweep, "T"), J = table_find(sweep, "J");
  if (strcmp(sweep->names[column], "f") != 0) return false;
  return (T >= 0 && are_equal(sweep, column, T)) || (J >= 0 && are_equal(sweep, column, J));
}

/* Lists the numeric columns with varying values, either only those that describe how runs were solved (diagnostics) or
 * only the others. The columns outcome, reason and warnings and those before them are skipped. Returns their number. */
static int list_varying(const Table *sweep, bool diagnostics, int *shown) {
  /* number of skipped columns besides the axes, the varied keys: run, outcome, reason, warnings */
  enum { BEHIND = 4 };
  int n = 0;
  for (int c = sweep_results_axes(sweep) + BEHIND; c < sweep->columns && n < SHOWN_MAX; c++)
    if (is_diagnostic(sweep->names[c]) == diagnostics && !sweep->words[c] && varies(sweep, c) && !is_repeated(sweep, c))
      shown[n++] = c;
  return n;
}

/* Selects the columns to draw: the results, or, if no result varies, the columns that describe how the runs were
 * solved. */
static int choose(const Table *sweep, int *shown) {
  int n = list_varying(sweep, false, shown);
  return n ? n : list_varying(sweep, true, shown);
}

/* Writes the label of a panel from a column's name and unit. If the label is longer than `room`, first the leading
 * parts of its path are replaced by two dots, then the unit is dropped, and at last the end is cut. */
static void name_panel(const char *text, size_t room, char label[TEXT_SIZE]) {
  const char *part = text, *dot;
  size_t name = strcspn(text, " ");
  while (strlen(part) + (part > text ? 2 : 0) > room && (dot = memchr(part, '.', name - (size_t)(part - text))))
    part = dot + 1;
  const char *dots = part > text ? ".." : "";
  size_t length = strlen(part);
  if (strlen(dots) + length > room) length = strcspn(part, " ");
  if (strlen(dots) + length > room) length = room - strlen(dots);
  snprintf(label, TEXT_SIZE, "%s%.*s", dots, (int)length, part);
}

/* Figures with curves, for one varied key -------------------------------------------------------------------------- */

static int by_first(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns a sentence that explains a column with the effort or a lower bound of it, which are drawn in one panel.
 * Returns NULL for other columns. */
static const char *meaning_of_effort(const char *name) {
  static const char *const efforts[][2] = {
      {"J", " J: the effort of the search's own answer."},
      {"refined.J", " refined.J: of the answer refined on the motion itself."},
      {"certificate.lower_bound", " certificate.lower_bound: no such control has less."},
      {"bound.lower_bound", " bound.lower_bound: no control of any signal has less."}};
  for (size_t k = 0; k < sizeof efforts / sizeof *efforts; k++)
    if (strcmp(name, efforts[k][0]) == 0) return efforts[k][1];
  return NULL;
}

/* If the values of the varied key are words, sets them as labels along the x axis of a figure. If there are too many of
 * them, the axis keeps numbers. Returns 0, or EXIT_INTERNAL if there is no memory. */
static int take_words(const Table *sweep, Figure *figure, SweepFigures *made) {
  if (!sweep->words[1]) return 0;
  made->names = calloc(SIDE_MAX, sizeof *made->names);
  if (!made->names) return EXIT_INTERNAL;
  for (long row = 0; row < sweep->rows; row++) {
    double number = table_at(sweep, row, 1);
    if (number >= SIDE_MAX) return 0;
    made->names[(int)number] = table_text(sweep, row, 1);
    figure->n_words = (int)fmax(figure->n_words, 1 + number);
  }
  for (int k = 0; k < figure->n_words; k++)
    if (!made->names[k]) made->names[k] = ""; /* the word with this index does not occur in the runs that are drawn */
  figure->words = made->names;
  return 0;
}

/* Copies the x values and the columns to draw, sorted by x. */
static bool take_numbers(const Table *sweep, const int *shown, int n, SweepFigures *made) {
  size_t columns = (size_t)n + 1;
  made->numbers = malloc((size_t)sweep->rows * columns * sizeof(double) + 1);
  if (!made->numbers) return false;
  for (long row = 0; row < sweep->rows; row++) {
    double *to = made->numbers + (size_t)row * columns;
    *to = table_at(sweep, row, 1);
    for (int k = 0; k < n; k++) to[1 + k] = table_at(sweep, row, shown[k]);
  }
  qsort(made->numbers, (size_t)sweep->rows, columns * sizeof(double), by_first);
  made->table = (Table){.columns = n + 1, .rows = sweep->rows, .values = made->numbers};
  return true;
}

static int draw_curves(const Table *sweep, const int *shown, int n, SweepFigures *made) {
  if (!take_numbers(sweep, shown, n, made)) return EXIT_INTERNAL;
  double low, high;
  Figure *figure = &made->figures[made->n++];
  *figure = (Figure){.name = "sweep",
                     .heading = "Sweep",
                     .caption = "The results over the varied key.",
                     .x_label = name_column(sweep, 1, made->texts[TEXTS - 1])};
  if (take_words(sweep, figure, made)) return EXIT_INTERNAL;
  figure->logarithmic = !sweep->words[1] && range_of(sweep, 1, &low, &high) && spans(low, high, DECADES_X);
  int effort = -1; /* index of the panel of the effort; -1: there is none yet */
  for (int k = 0; k < n; k++) {
    bool of_effort = meaning_of_effort(sweep->names[shown[k]]), joins = of_effort && effort >= 0;
    if (of_effort && !joins) effort = figure->n_panels;
    Panel *panel = &figure->panels[joins ? effort : figure->n_panels++];
    panel->curves[panel->n_curves] = (Curve){.table = &made->table,
                                             .y = 1 + k,
                                             .factor = 1,
                                             .label = of_effort ? sweep->names[shown[k]] : NULL,
                                             .colour = panel->n_curves % FIGURE_CURVES_MAX,
                                             .points = figure->n_words > 0};
    panel->n_curves++;
    if (joins) continue;
    panel->logarithmic = range_of(sweep, shown[k], &low, &high) && spans(low, high, DECADES_Y);
    name_column(sweep, shown[k], made->texts[figure->n_panels - 1]);
  }
  figure->compared = effort >= 0 && figure->panels[effort].n_curves > 1;
  for (int k = 0; k < n; k++) {
    const char *text = meaning_of_effort(sweep->names[shown[k]]);
    if (figure->compared && text) figure_explain(figure, "%s", text);
  }
  /* the key above all panels would only explain the first panel, so each panel gets its own */
  figure->own_keys = effort > 0 && figure->panels[effort].n_curves > 1;
  for (int p = 0; p < figure->n_panels; p++)
    name_panel(made->texts[p], figure_label_room(figure), figure->panels[p].label);
  return 0;
}

/* Figures with maps, for two varied keys --------------------------------------------------------------------------- */

/* Finds the different values of a column in the order in which they appear. Sets place[row] to the index of the value
 * in each row, and `names` to the values as texts. Returns the number of values; -1 if there are too many. */
static int places_of(const Table *sweep, int column, const char **names, int *place) {
  int n = 0;
  for (long row = 0; row < sweep->rows; row++) {
    int k = 0;
    while (k < n && strcmp(names[k], table_text(sweep, row, column)) != 0) k++;
    if (k == SIDE_MAX) return -1;
    if (k == n) names[n++] = table_text(sweep, row, column);
    place[row] = k;
  }
  return n;
}

static int draw_maps(const Table *sweep, const int *shown, int n, SweepFigures *made, Diagnostics *diagnostics) {
  size_t rows = (size_t)sweep->rows;
  int *x = malloc((rows + 1) * sizeof *x), *y = malloc((rows + 1) * sizeof *y), code = EXIT_INTERNAL;
  made->names = malloc(2 * (size_t)SIDE_MAX * sizeof *made->names);
  if (x && y && made->names) {
    int wide = places_of(sweep, 1, made->names, x), tall = places_of(sweep, 2, made->names + SIDE_MAX, y);
    size_t cells = (size_t)(wide > 0 ? wide : 0) * (size_t)(tall > 0 ? tall : 0);
    code = wide < 0 || tall < 0 ? diagnostics_error(diagnostics, EXIT_USAGE,
                                                    "more than %d values of a key: too many for a map", SIDE_MAX)
                                : 0;
    if (!code && !(made->numbers = malloc((cells * (size_t)n + 1) * sizeof(double)))) code = EXIT_INTERNAL;
    for (size_t i = 0; !code && i < cells * (size_t)n; i++) made->numbers[i] = NAN;
    for (int k = 0; k < n && !code; k++) {
      double *to = made->numbers + (size_t)k * cells;
      for (long row = 0; row < sweep->rows; row++) to[y[row] * wide + x[row]] = table_at(sweep, row, shown[k]);
      Figure *figure = &made->figures[made->n++];
      name_column(sweep, shown[k], made->texts[k]);
      *figure = (Figure){.heading = made->texts[k],
                         .caption = "A result over the two varied keys; blank: the run failed or has no such result.",
                         .x_label = name_column(sweep, 1, made->texts[TEXTS - 1]),
                         .map = {.rows = tall, .cells = to, .columns = wide, .x_names = made->names}};
      snprintf(figure->name, sizeof figure->name, "sweep_%d", k + 1);
      figure->map.y_names = made->names + SIDE_MAX;
      figure->map.axis = name_column(sweep, 2, made->texts[TEXTS - 2]);
      snprintf(figure->map.label, sizeof figure->map.label, "%.60s", made->texts[k]);
    }
  }
  free(x);
  free(y);
  return code;
}

/* Returns whether two varied keys form a grid, i.e. the value of the first key in the first run occurs again with
 * another value of the second key. Keys that were zipped together do not form a grid. */
static bool is_grid(const Table *sweep) {
  for (long row = 1; row < sweep->rows; row++)
    if (strcmp(table_text(sweep, row, 1), table_text(sweep, 0, 1)) == 0) return true;
  return false;
}

/* Refuses a sweep over more than two keys, since a map has only two axes. The error message lists the keys. */
static int refuse(const Table *sweep, Diagnostics *diagnostics) {
  char keys[400] = "";
  int last = sweep_results_axes(sweep);
  for (int k = 1; k <= last; k++) {
    size_t length = strlen(keys);
    snprintf(keys + length, sizeof keys - length, "%s%s", k > 1 ? ", " : "", sweep->names[k]);
  }
  return diagnostics_error(
      diagnostics, EXIT_USAGE,
      "%d keys vary: %s (expected one, for curves, or two, for maps: --set %s=%.40s draws the runs "
      "with this value)",
      last, keys, sweep->names[last], table_text(sweep, 0, last));
}

bool figure_sweep_fits(const Table *sweep) { return sweep_results_axes(sweep) <= 2 || !is_grid(sweep); }

int figure_sweep(const Table *sweep, SweepFigures *made, Diagnostics *diagnostics) {
  int shown[SHOWN_MAX], n = choose(sweep, shown);
  *made = (SweepFigures){.texts = calloc(TEXTS, sizeof *made->texts)};
  if (!made->texts) return diagnostics_no_memory(diagnostics);
  if (!figure_sweep_fits(sweep)) return refuse(sweep, diagnostics);
  if (n == 0) return 0;
  int code = sweep_results_axes(sweep) == 2 && is_grid(sweep) ? draw_maps(sweep, shown, n, made, diagnostics)
                                                              : draw_curves(sweep, shown, n, made);
  return code == EXIT_INTERNAL ? diagnostics_no_memory(diagnostics) : code;
}

void figure_sweep_clear(SweepFigures *made) {
  free(made->numbers);
  free(made->names);
  free(made->texts);
  *made = (SweepFigures){0};
}
