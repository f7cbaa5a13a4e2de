/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-models prints, for each numerical experiment of the papers, the error at the paper's step, its order, and the
 * time of a step. */
#include "bench/accuracy/models.h"

#include "bench/tools/measure.h"
#include "bench/tools/table.h"
#include "src/run/rollout_context.h"

#include <string.h>

static const char usage[] =
    "usage: bench-models [--quick] [--csv | --markdown]\n"
    "For each experiment of the papers (jobs/problems/), at its step: errors of x and v in L2 over (0, T] and of\n"
    "lambda (for a dash-pot: f_d, N) in L1; their orders, by least squares over the step and four halvings, each\n"
    "error being the mean over `grids` neighbouring grids; microseconds per step, the best of at least 20 runs.\n"
    "Errors are against the `solution`: `exact`, in closed form; `other`, Runge-Kutta from event to event;\n"
    "`event`, the scheme of that name. The last column names the quantities x, v, lambda (L) with an order\n"
    "outside 0.9..1.1 (1.8..2.2 for second order).\n"
    "--quick  only a few of them; exit code 1 if an order is outside\n";

static const char *const heads[] = {"problem",  "variant",          "scheme",  "step (s)",         "T (s)",
                                    "solution", "error x",          "error v", "error lambda/f_d", "order x",
                                    "order v",  "order lambda/f_d", "grids",   "us/step",          "outside"};
enum { COLUMNS = sizeof heads / sizeof *heads };

static void run_once(void *context) {
  RolloutContext *run = context;
  stiction_rollout(run->model, run->work, NULL, NULL, &run->final);
}

/* Measures the microseconds per step: the best of some runs without output. */
static int step_cost(const SimProblem *problem, double *cost) {
  RolloutContext run;
  int code = rollout_context_prepare(&run, problem,
                                     &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr});
  if (code) return code;
  *cost = 1e6 * measure((MeasureTask){run_once, &run}, 20, 0.02).best / (double)problem->steps;
  rollout_context_release(&run);
  return 0;
}

enum { QUANTITIES = ERROR_LAMBDA + 1 }; /* number of quantities in the table */

/* Returns whether an order is outside [0.9, 1.1] times the expected one. An undefined order is not. */
static bool is_outside(double order, double expected) { return order < 0.9 * expected || order > 1.1 * expected; }

/* Adds the row of a case. *n_outside counts the orders that are not as expected. */
static int add_row(const Case *c, TextTable *table, int *n_outside) {
  Problem problem;
  OrderResult result;
  double cost = 0, expected = c->order > 0 ? c->order : 1;
  bool out[QUANTITIES];
  int code = case_orders(c, &result);
  if (!code) code = case_read(c, 0, &problem);
  if (code) return code;
  code = step_cost(&problem.sim, &cost);
  for (int q = 0; q < QUANTITIES; q++) {
    out[q] = is_outside(result.order[q], expected);
    *n_outside += out[q];
  }
  text_table_word(table, "%s", c->file);
  text_table_word(table, "%s", c->variant);
  text_table_word(table, "%s", sim_scheme_name(problem.sim.scheme));
  text_table_number(table, "%.4g", problem.sim.step);
  text_table_number(table, "%g", problem.sim.end);
  text_table_word(table, "%s", case_solution(c));
  for (int q = 0; q < QUANTITIES; q++) text_table_number(table, "%.2e", result.coarsest[q]);
  for (int q = 0; q < QUANTITIES; q++) text_table_number(table, "%.2f", result.order[q]);
  text_table_number(table, "%g", c->grids > 0 ? c->grids : 1);
  text_table_number(table, "%.3f", cost);
  bool any = out[ERROR_X] || out[ERROR_V] || out[ERROR_LAMBDA];
  text_table_word(table, "%s%s%s%s", out[ERROR_X] ? "x" : "", out[ERROR_V] ? "v" : "", out[ERROR_LAMBDA] ? "L" : "",
                  any ? "" : "-");
  problem_clear(&problem);
  return code;
}

int main(int argc, char **argv) {
  TextTableForm form = TABLE_TEXT;
  bool quick = false;
  int code = 0, n_outside = 0;
  if (!table_arguments(argc, argv, "bench-models", usage, &form, &quick, &code)) return code;
  TextTable *table = text_table_create(COLUMNS, heads);
  for (int k = 0; k < bench_case_count && !code; k++)
    if (bench_cases[k].quick || !quick) code = add_row(&bench_cases[k], table, &n_outside);
  if (!code) table_print(table, form, stdout);
  text_table_destroy(table);
  return code ? code : quick && n_outside ? 1 : EXIT_DONE;
}
