/* SPDX-License-Identifier: BSD-2-Clause */
/* Convergence rate of the iteration (4.19)-(4.21) of the splitting paper for several rho, which the paper does not
 * estimate.
 *
 * Put (4.20) into (4.21). Since P is a contraction and S = C M^-1 C is symmetric, l^k = lambda^k - lambda satisfies
 *
 *     |l^{k+1}| <= |(I - rho tau S) l^k| <= q |l^k|,    q = max_i |1 - rho tau beta_i|,    beta_i the eigenvalues of S
 *
 * They are also the eigenvalues of M^-1 C^2. q < 1 is (4.23). The smallest q, (beta_d - beta_1)/(beta_d + beta_1),
 * is at rho = 2/(tau (beta_1 + beta_d)). If all masses slide, P ends the iteration sooner. If all stick, P has no
 * effect, and the rate is q. */
#include "bench/papers/papers.h"

#include "src/run/rollout_context.h"

#include <math.h>
#include <string.h>

/* A problem, with the ratio beta_1/beta_d computed from M and C of its file. The eigenvalues of M^-1 C^2 of the
 * problems are 1/3, 1; 100/3, 50, 100; 100/6, 20, 25; 16/3, 25/2, 36. */
typedef struct UzawaCase {
  const char *file;
  double beta_least;
} UzawaCase;
static const UzawaCase cases[] = {{"shiau-6.2", 1. / 3}, {"shiau-6.3", 1. / 3}, {"tp1", 2. / 3}, {"tp2", 16. / 108}};
enum { CASES = sizeof cases / sizeof *cases };

/* Values of rho relative to the bound of (4.23). */
static const double fractions[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98};
enum { FRACTIONS = sizeof fractions / sizeof *fractions, TOLERANCES = 2 };
static const double tolerances[TOLERANCES] = {1e-4, 1e-10};

/* Quantities of a friction problem: MEAN and MOST, the mean and largest number of linear solves over all steps. SEEN:
 * how many quantities there are for each tolerance. */
enum { MEAN, MOST, SEEN = 2 };

static double best_fraction(const UzawaCase *c) { return 1 / (1 + c->beta_least); }

/* Returns q for rho at a fraction of the bound 2/(tau beta_d). */
static double contraction_rate(const UzawaCase *c, double fraction) {
  return fmax(fabs(1 - 2 * fraction * c->beta_least), fabs(1 - 2 * fraction));
}

static int count_solves(const Case *c, double *seen) {
  Problem problem;
  RolloutContext run;
  long most = 0, before = 0;
  int code = case_read_finer(c, 1, &problem);
  if (code) return code;
  code = rollout_context_prepare(&run, &problem.sim,
                                 &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr});
  SimStatus status = code ? SIM_OK : sim_rollout_begin(run.model, run.work, NULL, NULL);
  for (long n = 1; n <= problem.sim.steps && !code && status == SIM_OK; n++) {
    status = sim_rollout_run_to(run.model, run.work, NULL, n);
    sim_rollout_end(run.model, run.work, &run.final);
    if (run.final.iterations - before > most) most = run.final.iterations - before;
    before = run.final.iterations;
  }
  if (!code && status != SIM_OK) {
    fprintf(stderr, "%s, %s: %s\n", c->file, c->variant, stiction_status_text(status));
    code = EXIT_UNSOLVED;
  }
  seen[MEAN] = (double)before / (double)problem.sim.steps;
  seen[MOST] = (double)most;
  rollout_context_release(&run);
  problem_clear(&problem);
  return code;
}

/* Carries out task k: case k/FRACTIONS, rho number k%FRACTIONS. */
static int uzawa_task(void *context, int k, double *row) {
  (void)context;
  int code = 0;
  for (int i = 0; i < TOLERANCES && !code; i++) {
    char scheme[160];
    snprintf(scheme, sizeof scheme,
             "scheme={name: lie, friction_substeps: 1, solver: fixed_point, tolerance: %g, r: %.17g*4/(delta*step)}",
             tolerances[i], fractions[k % FRACTIONS]);
    code = count_solves(&(Case){.file = cases[k / FRACTIONS].file, .variant = "lie", .settings = {scheme}},
                        row + i * SEEN);
  }
  return code;
}

typedef double Row[TOLERANCES][SEEN];

/* Returns the factor by which an iteration reduces the error of the slowest friction problem, between the two
 * tolerances. */
static double measured_rate(Row row) { return pow(tolerances[1] / tolerances[0], 1 / (row[1][MOST] - row[0][MOST])); }

static TextTable *rates_table(Row *rows, int n) {
  static const char *const heads[] = {
      "problem",           "rho tau beta_d / 2", "q, theory", "ln(1e-10)/ln(q)", "decay, slowest step",
      "iterations, 1e-10", "the most",           "at 1e-4",   "the most"};
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < n; k++) {
    text_table_word(table, "%s", cases[k / FRACTIONS].file);
    text_table_number(table, "%.2f", fractions[k % FRACTIONS]);
    double q = contraction_rate(&cases[k / FRACTIONS], fractions[k % FRACTIONS]);
    text_table_number(table, "%.3f", q);
    text_table_number(table, "%.0f", log(tolerances[1]) / log(q));
    text_table_number(table, "%.3f", measured_rate(rows[k]));
    for (int i = TOLERANCES - 1; i >= 0; i--) {
      text_table_number(table, "%.1f", rows[k][i][MEAN]);
      text_table_number(table, "%.0f", rows[k][i][MOST]);
    }
  }
  return table;
}

/* Makes a table with a row for each problem: the rho with the lowest count. */
static TextTable *best_table(Row *rows, int n) {
  static const char *const heads[] = {"problem",
                                      "best rho tau beta_d / 2, theory",
                                      "q there",
                                      "ln(1e-10)/ln(q)",
                                      "best of those tried, the most iterations",
                                      "these",
                                      "best of those tried, mean iterations",
                                      "these"};
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int c = 0; c * FRACTIONS < n; c++) {
    text_table_word(table, "%s", cases[c].file);
    text_table_number(table, "%.3f", best_fraction(&cases[c]));
    double q = contraction_rate(&cases[c], best_fraction(&cases[c]));
    text_table_number(table, "%.3f", q);
    text_table_number(table, "%.0f", log(tolerances[1]) / log(q));
    for (int value = MOST; value >= MEAN; value--) {
      int best = 0;
      for (int k = 1; k < FRACTIONS; k++)
        if (rows[c * FRACTIONS + k][1][value] < rows[c * FRACTIONS + best][1][value]) best = k;
      text_table_number(table, "%.2f", fractions[best]);
      text_table_number(table, "%.1f", rows[c * FRACTIONS + best][1][value]);
    }
  }
  return table;
}

int papers_uzawa(Papers *p, const char *argument) {
  (void)argument;
  Row rows[CASES * FRACTIONS];
  int n = (p->quick ? 1 : CASES) * FRACTIONS, held = 0;
  papers_tasks(n, TOLERANCES * SEEN, uzawa_task, NULL, &rows[0][0][0]);
  if (p->rank != 0) return 0;
  papers_table(p, "uzawa", rates_table(rows, n), false);
  papers_table(p, "uzawa-best", best_table(rows, n), true);
  for (int k = 0; k < n; k++)
    held += measured_rate(rows[k]) <= contraction_rate(&cases[k / FRACTIONS], fractions[k % FRACTIONS]) + 0.02;
  fputs(
      "\nThe paper's estimate, which it leaves to another: P is a contraction and C M^-1 C symmetric, so an iteration "
      "brings lambda\nnearer by q = max_i |1 - rho tau beta_i|, and the best rho is 2/(tau (beta_1 + beta_d)), with "
      "q = (beta_d - beta_1)/(beta_d +\nbeta_1). Measured: linear solves of `lie`'s friction problems, one a step, by "
      "`fixed_point`, until lambda changes by 1e-10 (1e-4).\nAll rho: `uzawa.csv`, picture `uzawa`.\n",
      p->text);
  papers_expect(p, held == n, "no friction problem's iteration decays more slowly than q (%d of %d rho)", held, n);
  return 0;
}
