#include "sim/splitting/elastic_step.h"

#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

static SimStatus init_difference(ElasticStep *step, const SimProblem *p) {
  long square = (long)p->d * p->d;
  double *damped = step->room, reach = p->alpha * step->tau * step->tau;
  step->inertia = step->room + square;
  step->first = step->inertia + square;
  step->inverse = step->first + square;
  for (long i = 0; i < square; i++) {
    step->inertia[i] = p->mass[i] + reach * p->stiffness[i];
    damped[i] = step->inertia[i] + step->tau / 2 * p->damping[i];
    step->damped = step->damped || p->damping[i] != 0;
  }
  if (dense_invert(p->d, step->inertia, step->first)) return SIM_BAD_PROBLEM;
  return dense_invert(p->d, damped, step->inverse) ? SIM_BAD_PROBLEM : SIM_OK;
}

static SimStatus init_exact(ElasticStep *step, const SimProblem *p) {
  int d = p->d;
  double *squares = step->room + 2 * (long)d * d;
  step->modes = step->room;
  step->project = step->modes + (long)d * d;
  step->turn = squares + d;
  step->lag = step->turn + d;
  step->kick = step->lag + d;
  if (dense_generalised_modes(d, p->stiffness, p->mass, squares, step->modes)) return SIM_BAD_PROBLEM;
  for (int k = 0; k < d; k++) {
    double omega = sqrt(fmax(squares[k], 0)), angle = omega * step->tau, half = sin(angle / 2);
    dense_multiply(d, p->mass, step->modes + k * d, step->project + k * d);
    step->turn[k] = -2 * half * half;
    step->lag[k] = omega > 0 ? sin(angle) / omega - step->tau : 0;
    step->kick[k] = -omega * sin(angle);
  }
  return SIM_OK;
}

SimStatus elastic_step_init(ElasticStep *step, const SimProblem *p) {
  size_t d = (size_t)p->d;
  int substeps = p->elastic_exact ? 0 : p->elastic_substeps;
  *step = (ElasticStep){.d = p->d, .substeps = substeps, .tau = substeps ? p->step / substeps : p->step};
  step->room = calloc(4 * d * d + 4 * d, sizeof(double));
  if (!step->room) return SIM_NO_MEMORY;
  return substeps ? init_difference(step, p) : init_exact(step, p);
}

void elastic_step_clear(ElasticStep *step) { free(step->room); }

/* a = -inverse (A x + D v) */
static void accelerate(const ElasticStep *step, const SimProblem *p, const double *inverse, const double *x,
                       const double *v, double *a, double *force, double *product) {
  int d = step->d;
  dense_multiply(d, p->stiffness, x, force);
  if (step->damped) {
    dense_multiply(d, p->damping, v, product);
    for (int i = 0; i < d; i++) force[i] += product[i];
  }
  dense_multiply(d, inverse, force, a);
  for (int i = 0; i < d; i++) a[i] = -a[i];
}

/* The scheme's own energy, less the true one: see run_difference. */
static double excess(const ElasticStep *step, const SimProblem *p, const double *v, const double *a) {
  int d = step->d;
  double sum = p->alpha / 2 * dense_form(d, v, p->stiffness, v) - dense_form(d, a, step->inertia, a) / 8;
  if (step->damped) sum -= dense_form(d, a, p->damping, v) / 4;
  return step->tau * step->tau * sum;
}

/* The three-level scheme keeps E^{q+1/2} - E^{q-1/2} = -tau v'D v, with v^q = (X^{q+1} - X^{q-1})/(2 tau) and E^{q+1/2} as
 * in the centred scheme; and the mean of E^{q-1/2} and E^{q+1/2} is, exactly,
 *     (|v|^2_M + |X|^2_A)/2 + excess,   excess = tau^2 (alpha/2 |v|^2_A - |a|^2_K / 8 - a'D v / 4).
 * So over the step: true energy gained = -(loss by D, trapezoidal) - (excess at the end - excess at the start). */
static void run_difference(const ElasticStep *step, const SimProblem *p, SimWorkspace *work, double *scratch) {
  int d = step->d;
  double tau = step->tau, lost = 0, *x = work->x, *h = work->v;
  double *a = scratch, *force = scratch + d, *product = scratch + 2 * d, *v = scratch + 3 * d;
  accelerate(step, p, step->first, x, h, a, force, product);
  if (work->watched) {
    work->energy.numerical -= excess(step, p, h, a);
    if (step->damped) lost = dense_form(d, h, p->damping, h) / 2;
  }
  for (int i = 0; i < d; i++) h[i] += tau / 2 * a[i];
  for (int q = 1; q <= step->substeps; q++) {
    for (int i = 0; i < d; i++) x[i] += tau * h[i];
    accelerate(step, p, step->inverse, x, h, a, force, product);
    if (work->watched && step->damped) {
      for (int i = 0; i < d; i++) v[i] = h[i] + tau / 2 * a[i];
      lost += dense_form(d, v, p->damping, v) / (q == step->substeps ? 2 : 1);
    }
    for (int i = 0; i < d; i++) h[i] += (q == step->substeps ? tau / 2 : tau) * a[i];
  }
  if (!work->watched) return;
  work->energy.dissipated += tau * lost;
  work->energy.numerical += excess(step, p, work->v, a);
}

static void run_exact(const ElasticStep *step, SimWorkspace *work, double *scratch) {
  int d = step->d;
  double *p = scratch, *r = scratch + d;
  dense_multiply(d, step->project, work->x, p);
  dense_multiply(d, step->project, work->v, r);
  for (int i = 0; i < d; i++) work->x[i] += step->tau * work->v[i];
  for (int k = 0; k < d; k++) {
    double moved = step->turn[k] * p[k] + step->lag[k] * r[k], kicked = step->kick[k] * p[k] + step->turn[k] * r[k];
    for (int i = 0; i < d; i++) {
      work->x[i] += step->modes[k * d + i] * moved;
      work->v[i] += step->modes[k * d + i] * kicked;
    }
  }
}

void elastic_step_run(const ElasticStep *step, const SimProblem *problem, SimWorkspace *work, double *scratch) {
  if (step->substeps)
    run_difference(step, problem, work, scratch);
  else
    run_exact(step, work, scratch);
}
