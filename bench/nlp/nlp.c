/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-nlp compares this project's SQP with general nonlinear programming codes, on the same problems from the same
 * starts. */
#include "bench/nlp/child.h"
#include "bench/tools/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench-nlp [--quick] [--csv | --markdown]\n"
    "The least J that meets the targets, by the scheme event, from 20 random starts in -20..20 N each, found by\n"
    "this project's SQP, NLopt's SLSQP, TAO's augmented Lagrangian almm and, if built in, Ipopt, with a Hessian\n"
    "by limited memory or (-H) that of J. All codes use the same derivatives through stick and slip. For a joint\n"
    "that has stopped before T, the general codes use its velocity and derivative, which are 0; the codes named +\n"
    "and SQP use its extrapolated velocity.\n"
    "met          starts that meet the target, E1, E2 <= 1e-6\n"
    "evaluations  of these: motions with derivatives of a run, at most 2000; median\n"
    "near         of these: until the first point that meets the target with J within 0.1 % of the run's; median\n"
    "each         motions of all starts divided by the starts that meet the target: cost of an answer by\n"
    "             successive starts\n"
    "J, least J   of these: median and minimum\n"
    "ms           of all: median\n"
    "--quick      two problems, three starts\n";

enum { QUICK_STARTS = 3 };

static const NlpSolver solvers[] = {
    {.name = "sqp", .solve = nlp_solve_sqp},
    {.name = "slsqp", .solve = nlp_solve_slsqp},
    {.name = "slsqp+", NLP_STOPPED_SLIDES, .solve = nlp_solve_slsqp},
    {.name = "almm", .prepare = nlp_prepare_almm, .solve = nlp_solve_almm},
    {.name = "almm+", NLP_STOPPED_SLIDES, .prepare = nlp_prepare_almm, .solve = nlp_solve_almm},
    {.name = "ipopt", .variant = NLP_IPOPT_BFGS, .prepare = nlp_prepare_ipopt, .solve = nlp_solve_ipopt},
    {.name = "ipopt+", NLP_STOPPED_SLIDES, NLP_IPOPT_BFGS, nlp_prepare_ipopt, nlp_solve_ipopt},
    {.name = "ipopt-H", .variant = NLP_IPOPT_COST, .prepare = nlp_prepare_ipopt, .solve = nlp_solve_ipopt},
    {.name = "ipopt-H+", NLP_STOPPED_SLIDES, NLP_IPOPT_COST, nlp_prepare_ipopt, nlp_solve_ipopt},
};

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the median, and sorts the values; NAN if n = 0. */
static double median(int n, double *values) {
  if (!n) return NAN;
  qsort(values, (size_t)n, sizeof *values, compare);
  return values[n / 2];
}

static void add_row(TextTable *table, const char *name, const NlpProblem *p, const NlpSolver *solver, int starts,
                    const NlpResult *results) {
  double evaluations[NLP_STARTS] = {0}, near[NLP_STARTS] = {0}, J[NLP_STARTS] = {0}, ms[NLP_STARTS] = {0}, all = 0;
  int met = 0;
  for (int k = 0; k < starts; k++) {
    ms[k] = 1e3 * results[k].seconds;
    all += (double)results[k].evaluations;
    if (!isfinite(results[k].J)) continue;
    evaluations[met] = (double)results[k].evaluations;
    near[met] = (double)results[k].near;
    J[met++] = results[k].J;
  }
  text_table_word(table, "%s", name);
  text_table_number(table, "%.0f", p->problem.control.n);
  text_table_number(table, "%.0f", p->evaluator.m);
  text_table_word(table, "%s", solver->name);
  text_table_number(table, "%.0f", starts);
  text_table_number(table, "%.0f", met);
  text_table_number(table, "%.0f", median(met, evaluations));
  text_table_number(table, "%.0f", median(met, near));
  text_table_number(table, "%.0f", met ? all / met : NAN);
  text_table_number(table, "%.6g", median(met, J));
  text_table_number(table, "%.6g", met ? J[0] : NAN);
  text_table_number(table, "%.2f", median(starts, ms));
}

/* Runs all solvers on a problem and adds rows. Returns 0, or an exit code after reporting errors. */
static int solve_problem(TextTable *table, int number, int starts) {
  Diagnostics diagnostics = {.origin = "bench-nlp", .report = diagnostic_print, .to = stderr};
  NlpProblem problem;
  NlpResult results[NLP_STARTS];
  int code = nlp_problem_open(number, &diagnostics, &problem);
  for (size_t k = 0; k < sizeof solvers / sizeof *solvers && !code; k++) {
    NlpEnd end = nlp_child_solve(&solvers[k], &problem, starts, results);
    if (end == NLP_DONE) add_row(table, nlp_problem_name(number), &problem, &solvers[k], starts, results);
    if (end == NLP_FAILED) code = EXIT_INTERNAL;
  }
  nlp_problem_close(&problem);
  return code;
}

static void print_versions(void) {
  void (*const versions[])(char *text, size_t size) = {nlp_slsqp_version, nlp_almm_version, nlp_ipopt_version};
  char text[64];
  for (size_t k = 0; k < sizeof versions / sizeof *versions; k++) {
    versions[k](text, sizeof text);
    fprintf(stderr, "%s%s", k ? ", " : "bench-nlp: ", text);
  }
  fputc('\n', stderr);
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"problem",     "n",    "m",    "solver", "starts",  "met",
                                      "evaluations", "near", "each", "J",      "least J", "ms"};
  TextTableForm form = TABLE_TEXT;
  bool quick = false;
  int code = EXIT_DONE;
  if (!table_arguments(argc, argv, "bench-nlp", usage, &form, &quick, &code)) return code;
  print_versions();
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < NLP_PROBLEMS && !code; k++)
    if (!quick || k == 0 || k == NLP_JOINTS) code = solve_problem(table, k, quick ? QUICK_STARTS : NLP_STARTS);
  if (!code) table_print(table, form, stdout);
  text_table_destroy(table);
  return code;
}
