/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/balance.h"

#include "sim/base/pieces.h"
#include "sim/core/scheme.h"
#include "sim/law/friction_force.h"

#include <float.h>
#include <math.h>

/* Number of rounding errors in a step, each at most eps s, where s is the size of the energies (balance.h): those of
 * the equation's terms, of x and v, and of sums of energies. */
static const double ROUND_OFF = 64;

/* Energy, in J, below which numbers are subnormal and have lost digits. */
static const double LOST = DBL_MIN / DBL_EPSILON;

/* Closing error that is accepted for the scheme `event`, in units of its tolerance. */
static const double TOLERANCES = 100;

/* A motion counts as moving if its energies exceed this fraction of w (balance.h), the energy of a motion with its
 * positions and velocities. Smaller energies are rounding error. */
static const double MOVES = 1e-6;

/* Returns the largest sum of the coefficients of the force f in a piece of time, in N (F of balance.h). */
static double load_of(const SimProblem *p) {
  double most = 0;
  for (long k = 0; k < p->piece_count; k++)
    for (int i = 0; i < p->d; i++) {
      double sum = 0;
      for (int q = 0; q <= piece_order(p, k); q++) sum += fabs(piece_coefficients(p, k)[q * p->d + i]);
      most = fmax(most, sum);
    }
  return most;
}

void balance_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  double tolerance = work->watched && p->scheme->force_in_pieces ? sim_problem_get(p, "tolerance") : 0;
  work->balance = (EnergyBalance){
      .inexact = TOLERANCES * tolerance, .load = work->watched ? load_of(p) : 0, .error = NAN, .time = NAN};
}

/* Returns the closing error, in J, and updates the maxima of the energies in balance->most. */
static double closing(const SimEnergy *e, EnergyBalance *balance) {
  const double terms[BALANCE_TERMS] = {e->work, e->surface, e->stored, e->numerical, e->dissipated, e->impacts};
  for (int k = 0; k < BALANCE_TERMS; k++) balance->most[k] = fmax(balance->most[k], fabs(terms[k]));
  return e->work + e->surface - e->stored - e->dissipated - e->impacts - e->numerical;
}

/* Updates the maxima over time, and over all ranks, of s, g and w of balance.h: the sizes of all energy terms, of those
 * of friction and loads, and of those of a motion. Returns s. */
static double measure(const SimModel *model, SimWorkspace *work, const double *x, const double *v) {
  const SimProblem *p = &model->problem;
  EnergyBalance *balance = &work->balance;
  double sums[4] = {model->problem.ops->energy_size(model, work, x, v), 0, 0, 0};
  if (p->kind == SIM_FRICTION) sums[3] = operator_size(p, OPERATOR_MASS, v) / 2;
  if (model->surface) sums[0] += model->problem.ops->energy_size(model, work, work->x, work->v);
  for (int i = 0; i < p->count; i++) {
    double pushed = balance->load * fabs(x[i]), c = friction_level(p, i);
    sums[1] += p->step * c * fabs(v[i]) + pushed;
    sums[2] += p->bounds.mass_max * v[i] * v[i] + c * fabs(x[i]) + pushed;
  }
  sim_group_sum(p->group, sums, 4);
  balance->size = fmax(balance->size, sums[0]);
  balance->forced = fmax(balance->forced, sums[1]);
  balance->moved = fmax(balance->moved, sums[2]);
  balance->kinetic = fmax(balance->kinetic, sums[3]);
  return sums[0];
}

/* Returns q of balance.h for friction models, over all ranks, in J: the size of the energy terms in which velocities
 * are differences of positions. */
static double differenced(const SimModel *model, double between, const double *x, const double *v) {
  const SimProblem *p = &model->problem;
  double sums[2] = {operator_size(p, OPERATOR_MASS, x), operator_size(p, OPERATOR_MASS, v)};
  sim_group_sum(p->group, sums, 2);
  return sqrt(sums[0]) * sqrt(fmax(sums[1], 2 * between)) / p->step;
}

bool balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v) {
  EnergyBalance *balance = &work->balance;
  if (!model->problem.scheme->energies) return true;
  double size = measure(model, work, x, v), error = fabs(closing(&work->energy, balance)), sum = 0;
  for (int k = 0; k < BALANCE_TERMS; k++) sum += balance->most[k];
  if (!isfinite(size) || isinf(sum)) return true;
  if (model->problem.scheme->differences)
    balance->differenced = fmax(balance->differenced, differenced(model, balance->between, x, v));
  double steps = (double)(work->n + 1), rounded = ROUND_OFF * DBL_EPSILON * steps;
  double apart = ROUND_OFF * DBL_EPSILON * sqrt(steps) * balance->differenced;
  double allowed = (rounded + balance->inexact) * (balance->size + balance->forced) + apart + steps * LOST;
  double beyond = fmax(error - allowed, 0);
  double part = isnan(error) ? INFINITY : beyond > 0 ? beyond / sum : 0;
  if (sum > MOVES * balance->moved) balance->rounded = fmax(balance->rounded, (error - beyond) / sum);
  if (!(part <= balance->error)) {
    balance->error = part;
    balance->time = t;
  }
  return part <= fmax(SIM_CLOSURE, balance->inexact);
}

SimClosure balance_closure(const SimWorkspace *work) {
  const EnergyBalance *balance = &work->balance;
  return (SimClosure){
      .error = balance->error, .time = balance->time, .rounded = balance->rounded, .kinetic = balance->kinetic};
}
