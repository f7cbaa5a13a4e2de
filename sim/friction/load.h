/* SPDX-License-Identifier: BSD-2-Clause */
/* The force f of a step: f^n, or the mean theta f^n + (1-theta) f^{n-1} over the step that ends at t_n. This force is
 * read from the problem's table, or evaluated in each step. An evaluated force that is constant in time is added to B u
 * instead. */
#ifndef SIM_FRICTION_LOAD_H
#define SIM_FRICTION_LOAD_H

#include "sim/core/model.h"

typedef struct Load {
  double weight; /* factor of the external force f in the right side of a step */
  double theta;
  bool mean;
  /* [n][d] weight times f^n for n = 0, 1, ..; for schemes that use means, weight times the mean for n = 1, 2, ..; NULL:
   * f is evaluated in each step, or is 0. Owned. */
  double *table;
} Load;

/* The force f of one step, in N, in the form that the step's right side uses. */
typedef struct StepForce {
  /* [count] f is `now`; if `before` is not NULL, f is theta now + (1-theta) before. now NULL: f = 0. */
  const double *now, *before;
  double theta;
  OperatorLoad load; /* the sum weight (f + B u) for the solver, in a table or an array */
} StepForce;

static inline double step_force(const StepForce *f, int i) {
  if (!f->now) return 0;
  return f->before ? f->theta * f->now[i] + (1 - f->theta) * f->before[i] : f->now[i];
}

/* Creates the table of the external force at all steps. theta: weight of a step's end in the mean of the force over a
 * step; NAN: the force at the end only. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus load_init(Load *load, const SimProblem *problem, double weight, double theta);
void load_clear(Load *load);

/* Allocates work->force for evaluated forces. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus load_equip(const SimProblem *problem, SimWorkspace *work);
/* Returns f at t = 0, in N; NULL: f is 0, or has been added to work->control_force permanently. */
const double *load_start(const SimProblem *problem, SimWorkspace *work);
/* Implements SimScheme.resume: evaluates the force up to t_n again in a workspace after its state at t_n has been
 * loaded, and clears the solvers' branches. */
void load_resume(const SimModel *model, SimWorkspace *work, long n);
/* These functions return the external force f of step n. They must be called for successive n. b: scratch for the sum
 * weight (f + B u). load_step reads the table if there is one. load_ask evaluates the force function. */
StepForce load_ask(const Load *load, const SimProblem *problem, SimWorkspace *work, long n, double *b);
static inline StepForce load_step(const Load *load, const SimProblem *p, SimWorkspace *work, long n,
                                  double *restrict b) {
  if (!p->force) return load_ask(load, p, work, n, b);
  const double *restrict u = work->control_force, *restrict table = load->table + (n - load->mean) * p->d;
  const double *now = p->force + n * p->d;
  for (int i = 0; i < p->d; i++) b[i] = table[i] + load->weight * u[i];
  return (StepForce){.now = now, .before = load->mean ? now - p->d : NULL, .theta = load->theta, .load = {1, b}};
}

#endif
