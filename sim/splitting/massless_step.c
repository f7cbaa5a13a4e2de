/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/splitting/massless_step.h"

#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"
#include "sim/joint/viscous.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"
#include "sim/operator/massless.h"
#include "sim/splitting/splitting.h"
#include "sim/splitting/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus massless_step_init(MasslessStep *step, const SimProblem *p, double tau) {
  const SplittingParameters *own = splitting_parameters(p);
  *step = (MasslessStep){.tau = tau};
  if (!massless_present(p)) return SIM_OK;
  SimStatus status = massless_flags(p, &step->light);
  if (status == SIM_OK) status = dense_solver_init(&step->solver.dense, p->d);
  if (status != SIM_OK) return status;
  DenseSolver *s = &step->solver.dense;
  for (int i = 0; i < p->d; i++) {
    for (int j = 0; j < p->d; j++) {
      long k = (long)i * p->d + j;
      bool both = step->light[i] > 0 && step->light[j] > 0;
      s->matrix[k] = both ? tau * tau * p->system.stiffness[k] + tau * p->system.damping[k] : i == j;
    }
    s->threshold[i] = step->light[i] > 0 ? tau * friction_level(p, i) : 0;
    s->projection_weight[i] = own->friction.r * s->threshold[i] / tau;
  }
  s->kind = own->friction.solver;
  s->tolerance = own->friction.tolerance;
  s->eta = own->friction.multiplier == SIM_SMOOTH ? own->eta : 0;
  step->solver.law = (StepLaw){.threshold = tau, .projection_weight = own->friction.r};
  return dense_solver_factor(s);
}

void massless_step_clear(MasslessStep *step) {
  free(step->light);
  dense_solver_clear(&step->solver.dense);
}

static void clear(const MasslessStep *step, bool light, int d, int width, double *rows) {
  for (int i = 0; i < d; i++)
    if ((step->light[i] > 0) == light) memset(rows + (size_t)i * (size_t)width, 0, (size_t)width * sizeof *rows);
}

void massless_step_clear_light(const MasslessStep *step, int d, int width, double *rows) {
  if (step->light) clear(step, true, d, width, rows);
}

void massless_step_clear_heavy(const MasslessStep *step, int d, int width, double *rows) {
  clear(step, false, d, width, rows);
}

/* Motion of the surfaces in a substep. mean: [d] mean speed over the step; path: [d] displacement W at the end of the
 * substep; end: speed and force at the end of the step. mean and path are NULL if no surface moves. */
typedef struct Moves {
  const double *mean, *path;
  SurfaceInstant end;
} Moves;

/* Moves dofs without mass together with their surfaces to the end of substep q. room: [2][d]. */
static Moves take_along(const MasslessStep *step, const SimModel *model, SimWorkspace *work, long n, double part,
                        const double *place, double *room) {
  const SimProblem *p = &model->problem;
  Moves moves = {NULL, NULL, surface_instant(model, work, surface_time(p, n), 1)};
  if (!model->surface) return moves;
  const double *before = work->surface + SHOWN_X * p->d, *after = work->surface + SHOWN_V * p->d;
  for (int i = 0; i < p->d; i++) {
    room[i] = (after[i] - before[i]) / p->step;
    room[p->d + i] = before[i] + part * (after[i] - before[i]);
    if (step->light[i] > 0) work->x[i] = place[i] + room[p->d + i];
  }
  moves.mean = room;
  moves.path = room + p->d;
  return moves;
}

/* Computes b, tau times the right side of the balance of forces; 0 for dofs with mass. */
static void load(const MasslessStep *step, const SimModel *model, const SimWorkspace *work, const double *f,
                 const double *speed, Moves moves, double *b) {
  const SimProblem *p = thresholds_now(model, work);
  dense_multiply(p->d, p->system.stiffness, work->x, b);
  for (int i = 0; i < p->d; i++) {
    if (!(step->light[i] > 0)) {
      b[i] = 0;
      continue;
    }
    double pull = b[i];
    for (int j = 0; j < p->d && moves.end.speed; j++)
      if (step->light[j] > 0) pull += p->system.damping[(long)i * p->d + j] * moves.end.speed[j];
    double push = f[i] + work->control_force[i] - thresholds_bias(work, i);
    if (friction_drops(p)) push += friction_drop(p, i, speed[i]);
    b[i] = step->tau * (push - pull);
  }
}

/* Adds the energies of the motion of dofs without mass, x' = w + mean surface speed. The balance of each row is
 * multiplied by tau x'. This gives the change of the energy stored in A plus |tau x'|^2_A / 2, which is numerical, plus
 * tau x'.(D (w + surface) - b surface + C_e lambda - drop - f - B u). before: [d] v before the step. */
static void watch(const MasslessStep *step, const SimModel *model, SimWorkspace *work, const double *f,
                  const double *before, Moves moves) {
  const SimProblem *p = &model->problem, *now = thresholds_now(model, work);
  double done = 0, dissipated = 0, negative = 0, driven = 0, lost = 0;
  for (int i = 0; i < p->d; i++) {
    if (!(step->light[i] > 0)) continue;
    double w = work->v[i], mean = surface_entry(moves.mean, i), stretch = 0;
    double damper = -viscous_drag(p, moves.end.speed, i), drag = viscous_drag(p, moves.mean, i) * w;
    for (int j = 0; j < p->d; j++) {
      if (!(step->light[j] > 0)) continue;
      damper += p->system.damping[(long)i * p->d + j] * (work->v[j] + surface_entry(moves.end.speed, j));
      stretch += p->system.stiffness[(long)i * p->d + j] * (work->v[j] + surface_entry(moves.mean, j));
    }
    double rub = friction_resistance(now, i, before[i], work->lambda[i]);
    done += (w + mean) * (f[i] + work->control_force[i] + friction_bias(p, i) + surface_entry(moves.end.force, i));
    dissipated += w * rub + (w + mean) * damper - drag;
    negative += fmax(-w * rub, 0);
    driven -= mean * rub + drag;
    lost += (w + mean) * stretch;
  }
  work->energy.work += step->tau * done;
  work->energy.dissipated += step->tau * dissipated;
  work->energy.negative_dissipation += step->tau * negative;
  work->energy.surface += step->tau * driven;
  work->energy.numerical += step->tau * step->tau / 2 * lost;
}

void massless_step_begin(const MasslessStep *step, SimWorkspace *work, double *scratch) {
  size_t d = (size_t)work->model->problem.d;
  memcpy(scratch + MASSLESS_SPEED * d, work->v, d * sizeof *work->v);
  memcpy(scratch + MASSLESS_PLACE * d, work->x, d * sizeof *work->x);
  memset(scratch + MASSLESS_MEAN * d, 0, d * sizeof *scratch);
  massless_step_clear_light(step, (int)d, 1, work->v);
}

void massless_step_end(const MasslessStep *step, SimWorkspace *work, const double *scratch) {
  int d = work->model->problem.d;
  for (int i = 0; i < d; i++) {
    if (!(step->light[i] > 0)) continue;
    work->v[i] = scratch[MASSLESS_MEAN * d + i];
    work->lambda[i] = scratch[MASSLESS_LAMBDA * d + i];
    work->slip[i] = (signed char)friction_sign(work->v[i]);
  }
}

/* Stores the terms of a substep for derivatives, and adds its energies. The workspace must contain v, lambda and slip
 * of dofs without mass. speed: scratch [d]. */
static void account(const MasslessStep *step, const SimModel *model, SimWorkspace *work, const double *f,
                    const double *before, Moves moves, double *speed) {
  for (int i = 0; i < model->problem.d; i++) speed[i] = work->v[i] + surface_entry(moves.end.speed, i);
  const StepTerms terms = {.force = step->tau,
                           .speed = before,
                           .lambda = work->lambda,
                           .gain = {before, work->v},
                           .weight = {1, -1},
                           .damped = speed,
                           .damping = -step->tau};
  if (splitting_keeps(work)) splitting_keep_friction(model, work, &terms);
  if (work->watched) watch(step, model, work, f, before, moves);
}

/* Sets dof i to rest if its load equals its threshold up to rounding error. With the smooth multiplier no dof rests:
 * its velocity follows its load, however slowly. */
static void rest(const MasslessStep *step, const SimModel *model, const SimWorkspace *work, const double *f, int i,
                 signed char *slip, double *w) {
  const SimProblem *p = thresholds_now(model, work);
  double level = friction_level(p, i), forces = fabs(f[i]) + fabs(work->control_force[i]) + level;
  if (*slip == 0 || !(level > 0) || step->solver.dense.eta > 0) return;
  if (!massless_rests(step->tau * *w, work->x[i], p->system.stiffness[(long)i * (p->d + 1)], forces)) return;
  *w = 0;
  *slip = 0;
}

/* Solves E w + tau C_e lambda = b. Thresholds that depend on position are those at the end of the substep: solves
 * repeatedly until they no longer change. path: displacement W of surfaces at that end; NULL: 0. end: scratch [d]. */
static SimStatus solve(const MasslessStep *step, const SimModel *model, SimWorkspace *work, double t,
                       const double *path, const double *b, double *end, double *w, double *lambda, signed char *slip) {
  const int d = model->problem.d;
  bool still = !model->problem.rise.pieces;
  for (int round = 0; round <= THRESHOLD_ROUNDS; round++) {
    SimStatus status = step_solve(&thresholds_solver(work, 1, &step->solver)->dense, &work->step.dense, b, NULL, w,
                                  lambda, slip, &work->tally);
    if (status != SIM_OK || still) return status;
    for (int i = 0; i < d; i++) end[i] = work->x[i] + step->tau * w[i] - surface_entry(path, i);
    thresholds_follow(work->thresholds, step->light, t, end, round, &still);
    if (still) return SIM_OK;
  }
  return SIM_NOT_CONVERGED;
}

SimStatus massless_step_run(const MasslessStep *step, const SimModel *model, SimWorkspace *work, long n, int q,
                            double *scratch) {
  const SplittingPlan *plan = model->plan;
  const SimProblem *p = &model->problem;
  size_t d = (size_t)p->d;
  const int rows = plan->runs * plan->substeps;
  const double part = (double)q / plan->elastic.substeps, *from = p->force + (n - 1) * rows * p->d,
               *to = from + (long)rows * p->d;
  double *room = scratch + MASSLESS_SOLVE * d, *b = room, *w = room + d, *f = room + 5 * d,
         *before = scratch + MASSLESS_SPEED * d, *mean = scratch + MASSLESS_MEAN * d,
         *lambda = scratch + MASSLESS_LAMBDA * d, *place = scratch + MASSLESS_PLACE * d;
  signed char *slip = (signed char *)(room + 4 * d);
  const Moves moves = take_along(step, model, work, n, part, place, room + 2 * d);
  for (size_t i = 0; i < d; i++) f[i] = from[i] + part * (to[i] - from[i]);
  for (size_t i = 0; i < d && moves.path; i++) w[i] = work->x[i] - moves.path[i];
  const double t = (double)(n - 1) * p->step + q * step->tau;
  thresholds_move(model, work, t, moves.path ? w : work->x);
  load(step, model, work, f, before, moves, b);
  memset(w, 0, d * sizeof *w);
  memset(lambda, 0, d * sizeof *lambda);
  memset(slip, 0, d);
  SimStatus status = solve(step, model, work, t, moves.path, b, room + 6 * d, w, lambda, slip);
  for (size_t i = 0; i < d; i++) {
    if (!(step->light[i] > 0)) continue;
    rest(step, model, work, f, (int)i, &slip[i], &w[i]);
    work->v[i] = w[i];
    work->x[i] += step->tau * w[i];
    place[i] += step->tau * w[i];
    work->lambda[i] = lambda[i];
    work->slip[i] = slip[i];
  }
  account(step, model, work, f, before, moves, b);
  for (size_t i = 0; i < d; i++) mean[i] += w[i] / plan->elastic.substeps;
  massless_step_clear_light(step, p->d, 1, work->v);
  return status == SIM_OK ? thresholds_status(model, work) : status;
}
