/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/figures/figure_sweep.h"
#include "src/process/process.h"
#include "src/results/results.h"

#include <stdlib.h>
#include <string.h>

enum { FORMATS = 2 };

/* All figures of a call of `plot`. All are drawn before the first one is written, so that after a failure the old files
 * remain. */
typedef struct Pictures {
  Figure figures[FIGURES_MAX];
  int n;
  char *bytes[FIGURES_MAX][FORMATS];
  size_t size[FIGURES_MAX][FORMATS];
} Pictures;

static int draw(Pictures *pictures, const char *title, Diagnostics *diagnostics) {
  for (int k = 0; k < pictures->n; k++)
    for (int f = 0; f < FORMATS; f++) {
      int code = figure_draw(&pictures->figures[k], title, (FigureFormat)f, &pictures->bytes[k][f],
                             &pictures->size[k][f], diagnostics);
      if (code) return code;
    }
  return 0;
}

static int write(const Pictures *pictures, const Results *results) {
  for (int k = 0; k < pictures->n; k++)
    for (int f = 0; f < FORMATS; f++) {
      char name[64];
      snprintf(name, sizeof name, "%s%s", pictures->figures[k].name, figure_suffix((FigureFormat)f));
      if (results_write_bytes(results, name, pictures->bytes[k][f], pictures->size[k][f])) return EXIT_INTERNAL;
    }
  return 0;
}

static void print(const Pictures *pictures, const Results *results) {
  printf("%d figure%s, SVG and PNG, in %s:", pictures->n, pictures->n == 1 ? "" : "s", results->directory);
  for (int k = 0; k < pictures->n; k++) printf(" %s", pictures->figures[k].name);
  printf("\n");
}

static int comparable(const RunResults *runs, Diagnostics *diagnostics) {
  if (strcmp(runs[0].kind, runs[1].kind))
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s has model.kind %s and %s has %s: they cannot be compared",
                             runs[0].directory, runs[0].kind, runs[1].directory, runs[1].kind);
  if (strcmp(runs[0].labels.position, runs[1].labels.position) || strcmp(runs[0].labels.force, runs[1].labels.force))
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s and %s have other units: they cannot be compared",
                             runs[0].directory, runs[1].directory);
  if (runs[0].d == runs[1].d) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE,
                           "%s has %d degrees of freedom and %s has %d: they cannot be compared", runs[0].directory,
                           runs[0].d, runs[1].directory, runs[1].d);
}

static void warn_of_gaps(const RunResults *run, Diagnostics *diagnostics) {
  FigureGap gaps[FIGURE_GAPS_MAX];
  int n = figures_missing(run, gaps);
  for (int k = 0; k < n; k++)
    diagnostics_warn(diagnostics, "%s has no %s: not drawn: %s", run->directory, gaps[k].file, gaps[k].lost);
}

/* Reads a list of degrees of freedom, separated by commas, each given by name or number. Each must have a column in the
 * trajectory. most: the largest number of degrees of freedom that the list may have. */
static int choose(const RunResults *run, const char *list, int most, DofChoice *chosen) {
  for (const char *from = list;; from++) {
    char name[LABEL_SIZE];
    size_t length = strcspn(from, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, from);
    int dof = length < sizeof name ? labels_find(&run->labels, run->d, name) : 0;
    if (dof < 1 || (dof - 1) % run->stride != 0)
      return diagnostics_error(run->diagnostics, EXIT_USAGE, "--dof: %s shows no degree of freedom %.*s",
                               run->directory, (int)length, from);
    if (chosen->n == most)
      return diagnostics_error(run->diagnostics, EXIT_USAGE, "--dof: at most %d degrees of freedom", most);
    chosen->dofs[chosen->n++] = dof;
    from += length;
    if (!*from) return 0;
  }
}

static int draw_and_write(const Options *options, Pictures *pictures, const char *title, Diagnostics *diagnostics) {
  Results results = {.diagnostics = diagnostics};
  int code = draw(pictures, title, diagnostics);
  if (!code) code = results_take(&results, options->argument, "figures");
  if (!code) code = write(pictures, &results);
  if (!code && !options->quiet) print(pictures, &results);
  for (int k = 0; k < FIGURES_MAX * FORMATS; k++) free(pictures->bytes[k / FORMATS][k % FORMATS]);
  return code;
}

static int plot(const Options *options, const RunResults *runs, int n_runs, Diagnostics *diagnostics) {
  Pictures pictures = {0};
  DofChoice chosen = {.n = 0};
  if (options->dofs && choose(&runs[0], options->dofs, n_runs > 1 ? COMPARED_MAX : DOFS_CHOSEN_MAX, &chosen))
    return EXIT_USAGE;
  for (int r = 0; r < n_runs; r++) warn_of_gaps(&runs[r], diagnostics);
  pictures.n = figure_catalog(runs, n_runs, options->dofs ? &chosen : NULL, pictures.figures);
  if (pictures.n < 0) return EXIT_USAGE;
  if (pictures.n == 0)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s has nothing to plot%s", options->argument,
                             n_runs > 1 ? " that both runs have" : "");
  return draw_and_write(options, &pictures, runs[0].title ? runs[0].title : "", diagnostics);
}

/* Sets a title that lists the keys of a sweep that are fixed in the figure (--set), with their values. */
static void name_fixed(const Options *options, char *title, size_t size) {
  size_t length = 0;
  for (int k = 0; k < options->n_settings && length < size; k++)
    length += (size_t)snprintf(title + length, size - length, "%s%s", k ? ", " : "", options->settings[k]);
}

static int plot_sweep(const Options *options, Diagnostics *diagnostics) {
  Table sweep;
  SweepFigures made = {0};
  Pictures pictures = {0};
  char title[64] = "";
  if (options->compare || options->dofs)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s holds a sweep: --compare and --dof are for single runs",
                             options->argument);
  int code = sweep_results_read(&sweep, options->argument, diagnostics);
  for (int k = 0; k < options->n_settings && !code; k++)
    code = sweep_results_fix(&sweep, options->settings[k], diagnostics);
  name_fixed(options, title, sizeof title);
  if (!code) code = figure_sweep(&sweep, &made, diagnostics);
  if (!code && made.n == 0)
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s has nothing to plot: no column of numbers that varies",
                             options->argument);
  memcpy(pictures.figures, made.figures, sizeof made.figures);
  pictures.n = made.n;
  if (!code) code = draw_and_write(options, &pictures, title, diagnostics);
  figure_sweep_clear(&made);
  table_clear(&sweep);
  return code;
}

static int run(const Options *options, Diagnostics *diagnostics) {
  if (process_rank() != 0) return EXIT_DONE;
  if (sweep_results_there(options->argument)) return plot_sweep(options, diagnostics);
  if (options->n_settings)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s holds a single run: --set is for sweeps", options->argument);
  RunResults runs[2] = {{0}, {0}};
  int n_runs = options->compare ? 2 : 1;
  int code = run_results_read(&runs[0], options->argument, diagnostics);
  if (!code && options->compare) code = run_results_read(&runs[1], options->compare, diagnostics);
  if (!code && options->compare) code = comparable(runs, diagnostics);
  if (!code) code = plot(options, runs, n_runs, diagnostics);
  run_results_clear(&runs[0]);
  run_results_clear(&runs[1]);
  return code;
}

const Command command_plot = {
    .name = "plot",
    .summary = "draw the results of a run, or of two over one another, as SVG and PNG",
    .argument = "DIR",
    .help = "usage: stiction plot DIR [options]\n\n"
            "Draws the results in directory DIR into DIR/figures, with gnuplot: positions, velocities,\n"
            "multipliers, energy balance, search progress; a dash-pot's forces and law; a chain's reactions and\n"
            "hysteresis. More than 12 degrees of freedom are drawn as maps, except those of --dof. With --compare the\n"
            "figures are called compare_..., and show up to 6 degrees of freedom, in equal steps.\n"
            "For a sweep: curves over the varied key, points if its values are words, or maps for two keys. With more\n"
            "keys, --set KEY=VALUE selects the runs with this value, until two keys are left.\n",
    .run = run,
};
