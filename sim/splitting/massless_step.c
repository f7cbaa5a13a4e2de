#include "sim/splitting/massless_step.h"

#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"
#include "sim/operator/massless.h"
#include "sim/splitting/parameters.h"
#include "sim/splitting/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus massless_step_init(MasslessStep *step, const SimProblem *p) {
  const SplittingParameters *own = splitting_parameters(p);
  double dt = p->step;
  *step = (MasslessStep){0};
  if (!massless_present(p)) return SIM_OK;
  SimStatus status = massless_flags(p, &step->light);
  if (status == SIM_OK) status = dense_solver_init(&step->solver.dense, p->d);
  if (status != SIM_OK) return status;
  DenseSolver *s = &step->solver.dense;
  for (int i = 0; i < p->d; i++) {
    for (int j = 0; j < p->d; j++) {
      long k = (long)i * p->d + j;
      bool both = step->light[i] > 0 && step->light[j] > 0;
      s->matrix[k] = both ? dt * dt * p->system.stiffness[k] + dt * p->system.damping[k] : i == j;
    }
    s->threshold[i] = step->light[i] > 0 ? dt * friction_level(p, i) : 0;
    s->projection_weight[i] = own->friction.r * s->threshold[i] / dt;
  }
  s->kind = own->friction.solver;
  s->tolerance = own->friction.tolerance;
  s->eta = own->friction.multiplier == SIM_SMOOTH ? own->eta : 0;
  step->solver.law = (StepLaw){.threshold = dt, .projection_weight = own->friction.r};
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

/* The surfaces' ways within the step: [d] mean speed, which makes x_P move by dt (w + mean), and the instant of its end. */
typedef struct Moves {
  const double *mean;
  SurfaceInstant end;
} Moves;

static Moves surfaces_of(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  Moves moves = {NULL, surface_instant(model, work, surface_time(p, n), 1)};
  if (!model->surface) return moves;
  double *mean = work->surface + SHOWN_X * p->d;
  surface_at(p, surface_time(p, n - 1), mean, NULL);
  for (int i = 0; i < p->d; i++) mean[i] = (moves.end.path[i] - mean[i]) / p->step;
  moves.mean = mean;
  return moves;
}

/* dt times the right side, 0 of the others. x: room [d]. */
static void load(const MasslessStep *step, const SimModel *model, const SimWorkspace *work, const double *f,
                 const double *speed, Moves moves, double *x, double *b) {
  const SimProblem *p = thresholds_now(model, work);
  for (int i = 0; i < p->d; i++) x[i] = work->x[i] + surface_entry(moves.end.path, i);
  dense_multiply(p->d, p->system.stiffness, x, b);
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
    b[i] = p->step * (push - pull);
  }
}

/* The part of the balance of energies that P's way has, x' = w + the surfaces' mean. Each row times dt x': the change of what A stores plus
 * |dt x'|^2_A / 2, what the scheme takes, plus dt x'.(D (w + surface) - b surface + C_e lambda - drop - f - B u). before: [d] v. */
static void watch(const MasslessStep *step, const SimModel *model, SimWorkspace *work, const double *f,
                  const double *before, Moves moves) {
  const SimProblem *p = &model->problem, *now = thresholds_now(model, work);
  double done = 0, dissipated = 0, negative = 0, driven = 0, lost = 0;
  for (int i = 0; i < p->d; i++) {
    if (!(step->light[i] > 0)) continue;
    double w = work->v[i], mean = surface_entry(moves.mean, i), stretch = 0;
    double damper = -surface_drag(p, moves.end.speed, i), drag = surface_drag(p, moves.mean, i) * w;
    for (int j = 0; j < p->d; j++) {
      if (!(step->light[j] > 0)) continue;
      damper += p->system.damping[(long)i * p->d + j] * (work->v[j] + surface_entry(moves.end.speed, j));
      stretch += p->system.stiffness[(long)i * p->d + j] * (work->v[j] + surface_entry(moves.mean, j));
    }
    double rub = friction_level(now, i) * work->lambda[i] + friction_bias(now, i) - friction_drop(now, i, before[i]);
    done += (w + mean) * (f[i] + work->control_force[i] + friction_bias(p, i) + surface_entry(moves.end.force, i));
    dissipated += w * rub + (w + mean) * damper - drag;
    negative += fmax(-w * rub, 0);
    driven -= mean * rub + drag;
    lost += (w + mean) * stretch;
  }
  work->energy.work += p->step * done;
  work->energy.dissipated += p->step * dissipated;
  work->energy.negative_dissipation += p->step * negative;
  work->energy.surface += p->step * driven;
  work->energy.numerical += p->step * p->step / 2 * lost;
}

SimStatus massless_step_run(const MasslessStep *step, const SimModel *model, SimWorkspace *work, long n,
                            const double *f, double *scratch) {
  const SimProblem *p = thresholds_move(model, work, (double)n * model->problem.step, work->x);
  size_t d = (size_t)p->d;
  double *b = scratch, *w = scratch + d, *lambda = scratch + 2 * d, *before = scratch + MASSLESS_SPEED * d;
  signed char *slip = (signed char *)(scratch + MASSLESS_PLACE * d);
  const Moves moves = surfaces_of(model, work, n);
  load(step, model, work, f, before, moves, w, b);
  memset(w, 0, 2 * d * sizeof *w);
  memset(slip, 0, d);
  SimStatus status = step_solve(&thresholds_solver(work, 1, &step->solver)->dense, &work->step.dense, b, NULL, w,
                                lambda, slip, &work->tally);
  for (size_t i = 0; i < d; i++) {
    if (!(step->light[i] > 0)) continue;
    work->v[i] = w[i];
    work->x[i] += p->step * w[i];
    work->lambda[i] = lambda[i];
    work->slip[i] = slip[i];
    w[i] += surface_entry(moves.end.speed, (int)i);
  }
  const StepTerms terms = {.force = p->step,
                           .speed = before,
                           .lambda = work->lambda,
                           .gain = {before, work->v},
                           .weight = {1, -1},
                           .damped = w,
                           .damping = -p->step};
  if (splitting_keeps(work)) splitting_keep_friction(model, work, &terms);
  if (work->watched) watch(step, model, work, f, before, moves);
  return status == SIM_OK ? thresholds_status(model, work) : status;
}
