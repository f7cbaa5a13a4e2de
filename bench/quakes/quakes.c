/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-quakes finds the distribution of the sizes of events in a Burridge-Knopoff chain, and the power law of the
 * small ones. */
#include "bench/tools/table.h"
#include "src/results/hdf5_read.h"
#include "src/results/run_results.h"
#include "src/results/slips_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench-quakes [--csv | --markdown] AFTER LEAST MOST DIR..\n"
    "Reads the results of runs of jobs/problems/burridge-knopoff.yaml and counts the events that began after\n"
    "AFTER (s) by their size M, the sum of their slips (m). The table has a row for each third of a power of ten,\n"
    "with the rate of events per unit of ln(M), relative to all events. Standard error output: the\n"
    "maximum-likelihood exponent b of rate = exp(-b ln(M)) for LEAST <= M <= MOST with its standard error, over\n"
    "all runs and for each run.\n";

static const char *const heads[] = {"size", "events", "rate", "error"};

enum { PER_DECADE = 3, DECADE_FIRST = -8, DECADES = 14, BINS = PER_DECADE * DECADES };

static Diagnostics *report_sample(void) {
  static Diagnostics diagnostics = {.origin = "bench-quakes", .report = diagnostic_print, .to = NULL};
  diagnostics.to = stderr;
  return &diagnostics;
}

/* Sample of the events of a size M in LEAST..MOST: their number, and the sum of ln(M/LEAST). */
typedef struct Sample {
  double least, most, n, sum;
} Sample;

/* Computes mean and variance of y in 0..L with density exp(-b y). */
static void density_moments(double b, double length, double *mean, double *variance) {
  if (fabs(b * length) < 1e-4) {
    *mean = length / 2 - b * length * length / 12;
    *variance = length * length / 12;
    return;
  }
  double growth = expm1(b * length);
  *mean = 1 / b - length / growth;
  *variance = 1 / (b * b) - length * length * (1 + growth) / (growth * growth);
}

/* Computes the exponent b of maximum likelihood, for which the mean of the density equals that of the sample, by
 * bisection. Returns b. *error: its standard error. */
static double fit_exponent(const Sample *sample, double *error) {
  double length = log(sample->most / sample->least), low = -20, high = 20, mean, variance;
  if (sample->n < 2) return *error = NAN;
  for (int k = 0; k < 100; k++) {
    double middle = (low + high) / 2;
    density_moments(middle, length, &mean, &variance);
    *(mean > sample->sum / sample->n ? &low : &high) = middle;
  }
  density_moments(low, length, &mean, &variance);
  *error = 1 / sqrt(sample->n * variance);
  return low;
}

/* Drops slips that began before a time. */
static void drop_before(Table *slips, double after) {
  long kept = 0;
  for (long k = 0; k < slips->rows; k++) {
    if (table_at(slips, k, SLIP_START) < after) continue;
    memmove(slips->values + (size_t)(kept++ * slips->columns), slips->values + (size_t)(k * slips->columns),
            (size_t)slips->columns * sizeof(double));
  }
  slips->rows = kept;
}

static int count_run(const char *directory, double after, Sample *sample, double bins[BINS]) {
  RunResults run;
  Table sizes = {0};
  int code = run_results_read(&run, directory, report_sample());
  if (!code && (run.slips.columns <= SLIP_EVENT || run.slips.left_out))
    code = diagnostics_error(report_sample(), EXIT_USAGE, "%s: events.h5 has no events, or too many", directory);
  if (!code) {
    drop_before(&run.slips, after);
    if (!event_sizes(&run.slips, &sizes)) code = diagnostics_no_memory(report_sample());
  }
  for (long k = 0; k < sizes.rows; k++) {
    double size = table_at(&sizes, k, 0), next = k + 1 < sizes.rows ? table_at(&sizes, k + 1, 1) : 0;
    double n = table_at(&sizes, k, 1) - next, bin = floor(PER_DECADE * (log10(size) - DECADE_FIRST));
    if (bin >= 0 && bin < BINS) bins[(int)bin] += n;
    if (size < sample->least || size > sample->most) continue;
    sample->n += n;
    sample->sum += n * log(size / sample->least);
  }
  table_clear(&sizes);
  run_results_clear(&run);
  return code;
}

static void print_exponent(const char *what, const Sample *sample) {
  double error, b = fit_exponent(sample, &error);
  fprintf(stderr, "%s: %.0f events of %g to %g m, b = %.3f +- %.3f\n", what, sample->n, sample->least, sample->most, b,
          error);
}

static void add_bins(TextTable *table, const double bins[BINS]) {
  double all = 0, width = log(10) / PER_DECADE;
  for (int k = 0; k < BINS; k++) all += bins[k];
  for (int k = 0; k < BINS; k++) {
    if (bins[k] == 0) continue;
    text_table_number(table, "%.4g", pow(10, DECADE_FIRST + (k + 0.5) / PER_DECADE));
    text_table_number(table, "%g", bins[k]);
    text_table_number(table, "%.4g", bins[k] / (all * width));
    text_table_number(table, "%.2g", sqrt(bins[k]) / (all * width));
  }
}

int main(int argc, char **argv) {
  TextTableForm form = TABLE_TEXT;
  double limits[3], bins[BINS] = {0};
  int at = 1;
  while (at < argc && table_form_option(argv[at], &form)) at++;
  for (int k = 0; k < 3; k++) limits[k] = at + k < argc ? strtod(argv[at + k], NULL) : NAN;
  if (argc < at + 4 || !(limits[0] >= 0 && limits[1] > 0 && limits[1] < limits[2])) {
    fputs(usage, stderr);
    return EXIT_USAGE;
  }
  Sample all = {limits[1], limits[2], 0, 0};
  for (int k = at + 3; k < argc; k++) {
    Sample one = {limits[1], limits[2], 0, 0};
    int code = count_run(argv[k], limits[0], &one, bins);
    if (code) return code;
    if (argc > at + 4) print_exponent(argv[k], &one);
    all.n += one.n;
    all.sum += one.sum;
  }
  print_exponent("all", &all);
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  add_bins(table, bins);
  table_print(table, form, stdout);
  text_table_destroy(table);
  return EXIT_DONE;
}
