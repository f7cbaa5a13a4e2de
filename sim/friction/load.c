/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/load.h"

#include "sim/core/scheme.h"
#include "sim/joint/rise.h"
#include "sim/law/friction_force.h"

#include <math.h>
#include <stdlib.h>

SimStatus load_init(Load *load, const SimProblem *p, double weight, double theta) {
  *load = (Load){.weight = weight, .theta = theta, .mean = !isnan(theta)};
  if (!p->force) return SIM_OK;
  long d = p->d, n = (p->steps + !load->mean) * d;
  load->table = malloc((size_t)n * sizeof *load->table);
  if (!load->table) return SIM_NO_MEMORY;
  for (long i = 0; i < n; i++)
    load->table[i] = weight * (load->mean ? theta * p->force[i + d] + (1 - theta) * p->force[i] : p->force[i]);
  return SIM_OK;
}

void load_clear(Load *load) { free(load->table); }

/* Whether f is constant in time and so is added to work->control_force once. This is possible only if B u is constant,
 * too. */
static bool joins_control(const SimProblem *p) { return p->load.constant && p->signal == SIM_CONSTANT; }

SimStatus load_equip(const SimProblem *p, SimWorkspace *work) {
  if (p->force || !p->load.at || joins_control(p)) return SIM_OK;
  for (int k = 0; k < 2; k++) work->force[k] = calloc((size_t)p->count + 1, sizeof(double));
  return work->force[0] && work->force[1] ? SIM_OK : SIM_NO_MEMORY;
}

static void ask(const SimProblem *p, long n, double *f) { p->load.at(p->load.context, sim_force_time(p, n), f); }

const double *load_start(const SimProblem *p, SimWorkspace *work) {
  if (p->force || !p->load.at) return p->force;
  double *f = work->force[1] ? work->force[1] : work->step.spare[0];
  ask(p, 0, f);
  for (int i = 0; !work->force[1] && i < p->count; i++) work->control_force[i] += f[i];
  return work->force[1];
}

void load_resume(const SimModel *model, SimWorkspace *work, long n) {
  friction_forget(&work->step);
  if (work->force[1]) ask(&model->problem, n, work->force[1]);
}

StepForce load_ask(const Load *load, const SimProblem *p, SimWorkspace *work, long n, double *b) {
  StepForce f = {.theta = load->theta};
  double *before = work->force[1], *after = work->force[load->mean ? 0 : 1];
  if (before) {
    ask(p, n, after);
    f.now = after;
    f.before = load->mean ? before : NULL;
    work->force[1] = after;
    work->force[0] = load->mean ? before : work->force[0];
  }
  f.load = (OperatorLoad){load->weight, work->control_force};
  /* without damping, springs and friction that depends on the velocity before the step, the right side needs no vector
   * b, which saves a pass over memory */
  if (!before && !friction_drops(p) && !rise_varies(p)) return f;
  for (int i = 0; i < p->count; i++) b[i] = load->weight * (work->control_force[i] + step_force(&f, i));
  f.load = (OperatorLoad){1, b};
  return f;
}
