/* The force of a step: f^n, or its mean theta f^n + (1-theta) f^{n-1} over the step that ends there; from the problem's
 * table, or asked for as the steps need it. What is asked for and does not depend on time joins B u. */
#ifndef SIM_FRICTION_LOAD_H
#define SIM_FRICTION_LOAD_H

#include "sim/core/model.h"

typedef struct Load {
  double weight; /* of f in a step's right side */
  double theta;
  bool mean;
  double *table; /* [][d] weight f, of n = 0, 1, ..; the mean, of n = 1, 2, ..; NULL: asked for, or none. Owned */
} Load;

/* f of one step, N. */
typedef struct StepForce {
  const double *now, *before; /* [count] f is now, or theta now + (1-theta) before; NULL: none */
  double theta;
  OperatorLoad load; /* weight (f + B u), where it stands */
} StepForce;

static inline double step_force(const StepForce *f, int i) {
  if (!f->now) return 0;
  return f->before ? f->theta * f->now[i] + (1 - f->theta) * f->before[i] : f->now[i];
}

/* Tabulates; theta: of the mean, else NAN. SIM_OK, SIM_NO_MEMORY. */
SimStatus load_init(Load *load, const SimProblem *problem, double weight, double theta);
void load_clear(Load *load);

/* Room for what is asked for: work->force. SIM_OK, SIM_NO_MEMORY. */
SimStatus load_equip(const SimProblem *problem, SimWorkspace *work);
/* f at t = 0; NULL: none, or added to work->control_force for good. */
const double *load_start(const SimProblem *problem, SimWorkspace *work);
/* SimScheme.resume: what has been asked for up to t_n, in a workspace whose state of that time has been loaded. Drops the
 * solvers' branches, too. */
void load_resume(const SimModel *model, SimWorkspace *work, long n);
/* f of step n, each n in turn, with b as room for its load: where f is asked for, and in any case. */
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
