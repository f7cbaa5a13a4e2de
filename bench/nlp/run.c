/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/nlp/run.h"

#include "control/sqp/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TARGET_TOLERANCE: E1 and E2 at which the target is met. COST_RATIO_MAX: largest accepted ratio of J to the least J */
static const double TARGET_TOLERANCE = 1e-6, COST_RATIO_MAX = 1.001;

static void note_point(NlpRun *run, const double *u, const SimFinal *final) {
  double errors[2];
  run->result.evaluations++;
  if (final->status != SIM_OK) return;
  double J = ctl_cost(run->problem, u);
  ctl_errors(run->problem, final->x, final->v, errors);
  if (!(errors[0] <= TARGET_TOLERANCE && errors[1] <= TARGET_TOLERANCE && J < run->result.J)) return;
  run->result.J = J;
  run->history[run->improved].J = J;
  run->history[run->improved++].evaluations = run->result.evaluations;
}

static void evaluate_counted(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                             double *rows) {
  NlpRun *run = context;
  const CtlEvaluator *evaluator = &run->from->evaluator;
  evaluator->evaluate(evaluator->context, want, count, controls, final, rows);
  for (int i = 0; i < count; i++) note_point(run, controls + (size_t)i * (size_t)run->n, &final[i]);
}

bool nlp_run_init(NlpRun *run, const NlpProblem *problem, NlpStopped stopped) {
  const CtlProblem *control = &problem->problem.control;
  size_t n = (size_t)control->n, m = (size_t)problem->evaluator.m;
  *run = (NlpRun){.from = problem, .problem = control, .n = control->n, .m = problem->evaluator.m, .stopped = stopped};
  run->counted = problem->evaluator;
  run->counted.context = run;
  run->counted.evaluate = evaluate_counted;
  run->u = calloc(5 * n + m + m * n, sizeof *run->u);
  if (!ctl_sqp_shared_init(&run->shared, control) || !ctl_point_init(&run->point, &run->counted) || !run->u)
    return false;
  run->start = run->u + n;
  run->scale = run->start + n;
  run->lower = run->scale + n;
  run->upper = run->lower + n;
  run->c = run->upper + n;
  run->jacobian = run->c + m;
  const CtlQp *qp = &run->shared.qp;
  double mean = 0; /* expected J of a random start: the sum of H_ii/2 times the mean square of u_i */
  for (int i = 0; i < run->n; i++) mean += qp->H[i * (qp->band + 1) + qp->band] / 2 * NLP_SPREAD * NLP_SPREAD / 3;
  for (int i = 0; i < run->n; i++) {
    run->scale[i] = sqrt(qp->H[i * (qp->band + 1) + qp->band] / mean);
    run->lower[i] = run->scale[i] * control->lower[i];
    run->upper[i] = run->scale[i] * control->upper[i];
  }
  return true;
}

void nlp_run_clear(NlpRun *run) {
  free(run->u);
  ctl_point_clear(&run->point);
  ctl_sqp_shared_clear(&run->shared);
}

void nlp_run_begin(NlpRun *run, int k) {
  nlp_problem_start(run->from, k, run->start);
  run->known = false;
  run->improved = 0;
  run->result = (NlpResult){.J = INFINITY};
}

void nlp_run_end(NlpRun *run) {
  long k = 0;
  while (k < run->improved && run->history[k].J > COST_RATIO_MAX * run->result.J) k++;
  run->result.near = k < run->improved ? run->history[k].evaluations : 0;
}

bool nlp_run_is_over(const NlpRun *run) { return run->result.evaluations >= NLP_BUDGET; }

void nlp_run_first(const NlpRun *run, double *y) {
  for (int i = 0; i < run->n; i++) y[i] = run->scale[i] * run->start[i];
}

double nlp_run_cost(const NlpRun *run, const double *y, double *gradient) {
  double sum = 0;
  for (int i = 0; i < run->n; i++) sum += y[i] * y[i] / 2;
  if (gradient) memcpy(gradient, y, (size_t)run->n * sizeof *y);
  return sum;
}

/* Computes c and its Jacobian at the last point. */
static void set_constraints(NlpRun *run) {
  ctl_linear_miss(&run->shared, run->point.final.x, run->point.final.v, run->c);
  for (int j = 0; j < run->m; j++) {
    const double *row = run->point.rows + (size_t)j * ctl_row_size(run->n);
    double *to = run->jacobian + (size_t)j * (size_t)run->n, unit = run->shared.unit[j], ahead = row[run->n];
    bool rests = ahead != 0 && run->stopped == NLP_STOPPED_RESTS;
    run->c[j] = (run->c[j] + (rests ? 0 : ahead)) / unit;
    for (int i = 0; i < run->n; i++) to[i] = rests ? 0 : row[i] / (unit * run->scale[i]);
  }
}

bool nlp_run_evaluate(NlpRun *run, const double *y) {
  bool same = run->known;
  for (int i = 0; i < run->n; i++) {
    double u = y[i] / run->scale[i];
    same = same && u == run->u[i];
    run->u[i] = u;
  }
  if (same) return true;
  run->known = !nlp_run_is_over(run) && ctl_point_evaluate(&run->point, run->u) == SIM_OK;
  if (run->known) set_constraints(run);
  return run->known;
}
