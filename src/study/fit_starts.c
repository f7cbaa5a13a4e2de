/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/evaluation.h"

#include "control/pool.h"
#include "sim/group.h"
#include "src/process/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SIMPLEXES: number of simplexes of the direct search, which only has to come near a minimum. It searches the unit
 * cube. FIRST_EDGE: edge of the first simplex. LAST_EDGE: edge at which it stops. */
enum { SIMPLEXES = 10 };
static const double FIRST_EDGE = 0.25, LAST_EDGE = 1e-3;

/* Evaluates points of the unit cube. The root mean square of the residuals is returned as x(T) of a motion that has the
 * target 0. */
static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  Evaluation *e = context;
  const CtlFit fit = evaluation_fit(e);
  double p[FIT_PARAMETERS_MAX], *r = calloc((size_t)fit.m, sizeof *r);
  (void)want, (void)rows;
  for (int i = 0; i < count; i++) {
    double sum = 0;
    long before = e->too_long;
    for (int k = 0; k < fit.n; k++) p[k] = fit.lower[k] + controls[i * fit.n + k] * (fit.upper[k] - fit.lower[k]);
    bool good = r && fit.evaluate(e, p, r, NULL);
    for (int k = 0; k < fit.m && good; k++) sum += r[k] * r[k];
    good = good && isfinite(sum);
    final[i] = (SimFinal){.x = final[i].x, .v = final[i].v};
    *final[i].x = good ? sqrt(sum / fit.m) : INFINITY;
    *final[i].v = 0;
    SimStatus failed = e->too_long > before ? SIM_TOO_LONG : SIM_NON_FINITE;
    final[i].status = !r || e->no_memory ? SIM_NO_MEMORY : good ? SIM_OK : failed;
  }
  free(r);
}

static int go_on(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

/* Makes the search problem of the direct search. Returns SIM_OK or SIM_NO_MEMORY. */
static SimStatus prepare(const Evaluation *e, CtlProblem *problem) {
  int n = e->id->n;
  SimStatus status = ctl_problem_init(problem, n, 1);
  if (status != SIM_OK) return status;
  memset(problem->weight, 0, (size_t)n * (size_t)n * sizeof *problem->weight);
  for (int k = 0; k < n; k++) {
    problem->start[k] = (e->id->parameters[k].start - e->lower[k]) / (e->upper[k] - e->lower[k]);
    problem->lower[k] = 0;
    problem->upper[k] = 1;
  }
  problem->end = 1;
  problem->position[0] = 0;
  problem->method = ctl_method_find("pds");
  problem->rho = 1;
  problem->step = FIRST_EDGE;
  problem->tolerance = LAST_EDGE;
  problem->max_simplexes = SIMPLEXES;
  problem->restarts = 0;
  problem->scheme_size = ctl_problem_scheme_size(problem);
  return SIM_OK;
}

/* Finds the best point of the direct search in the unit cube, on all ranks. If no point has a motion, the result is the
 * point with the values in the file. */
static int search_all(Evaluation *e, double *best, Diagnostics *diagnostics) {
  CtlProblem problem;
  CtlState state;
  CtlEvaluator evaluator = {.n = e->id->n, .d = 1, .block = 1, .context = e, .evaluate = evaluate};
  const CtlListener listener = {.simplex = go_on};
  CtlSearch *search = NULL;
  bool first = process_rank() == 0, alone = process_ranks() == 1, prepared = prepare(e, &problem) == SIM_OK;
  int stop = !prepared || (first && stiction_asktell_create(&problem, &search) != CTL_OK);
  stop = sim_group_agree(process_group(), stop);
  if (!stop)
    stop = alone ? ctl_drive_serial(search, &evaluator, &listener, NULL)
                 : ctl_pool_run(MPI_COMM_WORLD, search, &evaluator, &listener, NULL);
  if (stop && !alone) process_end_without_memory(diagnostics);
  if (!stop && first) {
    stiction_asktell_state(search, &state);
    memcpy(best, isfinite(state.best) ? state.control : problem.start, (size_t)problem.n * sizeof *best);
  }
  if (search) stiction_asktell_destroy(search);
  if (prepared) ctl_problem_clear(&problem);
  if (!stop) sim_group_share(process_group(), best, (size_t)e->id->n * sizeof *best);
  return stop ? diagnostics_no_memory(diagnostics) : 0;
}

/* Computes point k of a sequence that fills the unit cube evenly. Its coordinates are the fractional parts of k times
 * the powers of 1/g, where g^(n + 1) = g + 1. */
static void spread(int n, long k, double *point) {
  double g = 2, share = 1, whole;
  for (int i = 0; i < 100; i++) g = pow(1 + g, 1.0 / (n + 1));
  for (int i = 0; i < n; i++) point[i] = modf(0.5 + (double)k * (share /= g), &whole);
}

int fit_starts_find(Evaluation *e, double *points, Diagnostics *diagnostics) {
  int n = e->id->n, code = 0;
  for (long k = 0; k < e->id->starts && !code; k++) {
    double *point = points + k * n;
    if (k == 1) code = search_all(e, point, diagnostics);
    if (k > 1) spread(n, k - 1, point);
    for (int i = 0; i < n; i++)
      point[i] = k == 0 ? e->id->parameters[i].start : e->lower[i] + point[i] * (e->upper[i] - e->lower[i]);
  }
  return code;
}
