/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/methods/methods_profile.h"

#include "bench/tools/measure.h"
#include "src/figures/gnuplot.h"

#include <math.h>
#include <stdlib.h>

static const char *const cost_names[PROFILE_COSTS] = {"evaluations", "seconds"};
static const char picture_name[] = "profile.svg";

/* Computes the sorted ratios t_rm / min_k t_rk of all runs: [n_runs]. */
static void find_ratios(const Profile *profile, int cost, int method, double *ratio) {
  for (int run = 0; run < profile->n_runs; run++) {
    double best = INFINITY;
    for (int k = 0; k < profile->n_methods; k++) best = fmin(best, profile->cost[cost][k][run]);
    ratio[run] = isinf(best) ? INFINITY : profile->cost[cost][method][run] / best;
  }
  sort_values(profile->n_runs, ratio);
}

/* Returns tau of the last step of any method. */
static double last_step(const Profile *profile, int cost) {
  double ratio[PROFILE_RUNS_MAX], last = 1;
  for (int method = 0; method < profile->n_methods; method++) {
    find_ratios(profile, cost, method, ratio);
    for (int run = 0; run < profile->n_runs && isfinite(ratio[run]); run++) last = fmax(last, ratio[run]);
  }
  return last;
}

static void write_curve(const Profile *profile, int cost, int method, double last, FILE *out) {
  double ratio[PROFILE_RUNS_MAX], tau = 1;
  int n = profile->n_runs;
  find_ratios(profile, cost, method, ratio);
  for (int solved = 0;; tau = solved < n && isfinite(ratio[solved]) ? ratio[solved] : last) {
    while (solved < n && ratio[solved] <= tau) solved++;
    fprintf(out, "%s,%s,%.9g,%.9g\n", cost_names[cost], profile->methods[method], tau, (double)solved / n);
    if (tau >= last) return;
  }
}

/* Writes the curves. separator: text between two curves, "" or gnuplot's separator of blocks. */
static void write_curves(const Profile *profile, int cost, const char *separator, FILE *out) {
  double last = last_step(profile, cost);
  for (int method = 0; method < profile->n_methods; method++) {
    write_curve(profile, cost, method, last, out);
    fputs(separator, out);
  }
}

static int write_data(const Profile *profile, const Results *results) {
  static const char name[] = "profile.csv";
  FILE *file = results_open(results, name);
  if (!file) return EXIT_INTERNAL;
  fputs("cost,method,ratio,fraction\n", file);
  for (int cost = 0; cost < PROFILE_COSTS; cost++) write_curves(profile, cost, "", file);
  return results_close(results, name, file) ? EXIT_INTERNAL : 0;
}

static int append_text(FILE *script, const char *path) {
  char buffer[4096];
  size_t size;
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    return EXIT_INTERNAL;
  }
  while ((size = fread(buffer, 1, sizeof buffer, file)) > 0) fwrite(buffer, 1, size, script);
  fclose(file);
  return 0;
}

/* Writes data and names of methods, then the commands that draw them. */
static int write_script(const Profile *profile, FILE *script) {
  for (int cost = 0; cost < PROFILE_COSTS; cost++) {
    fprintf(script, "$%s << EOD\n", cost_names[cost]);
    write_curves(profile, cost, "\n\n", script);
    fputs("EOD\n", script);
  }
  fputs("methods = '", script);
  for (int method = 0; method < profile->n_methods; method++) fprintf(script, "%s ", profile->methods[method]);
  fputs("'\nwidth = 900; height = 460; kind = 'svg'\n", script);
  int code = append_text(script, STICTION_ROOT "/bench/tools/style.gp");
  return code ? code : append_text(script, STICTION_ROOT "/bench/methods/methods.gp");
}

static int draw_picture(const Profile *profile, const Results *results) {
  char *picture = NULL;
  size_t size = 0;
  FILE *script = tmpfile();
  if (!script) {
    perror("bench-methods: no temporary file for gnuplot");
    return EXIT_INTERNAL;
  }
  int code = write_script(profile, script);
  if (!code) code = gnuplot_run(script, "</svg>\n\n", &picture, &size, results->diagnostics);
  if (!code && results_write_bytes(results, picture_name, picture, size)) code = EXIT_INTERNAL;
  free(picture);
  fclose(script);
  return code;
}

int profile_write(const Profile *profile, const Results *results) {
  char old[FILE_PATH_SIZE];
  int code = results_path(results, picture_name, old);
  if (code) return code;
  remove(old); /* the picture belongs to older data */
  code = write_data(profile, results);
  if (code) return code;
  code = draw_picture(profile, results);
  if (code)
    fprintf(stderr, "bench-methods: no picture; the data are in %s: methods.csv, profile.csv\n", results->directory);
  return code;
}
