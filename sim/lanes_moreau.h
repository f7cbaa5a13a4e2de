/* The Moreau-Jean scheme of scheme_moreau.c in lanes. */
#ifndef SIM_LANES_MOREAU_H
#define SIM_LANES_MOREAU_H

#include "sim/lanes_exact.h"
#include "sim/lanes_fixed_point.h"
#include "sim/lanes_run.h"
#include "sim/scheme_moreau.h"

/* [d] each */
typedef struct LaneState {
  Bundle *x, *v, *before, *b, *push, *lambda;
  Bundle *room; /* of a solve */
} LaneState;

LANE_INLINE LaneState lane_state(int d, Bundle *r) {
  return (LaneState){r, r + d, r + 2 * d, r + 3 * d, r + 4 * d, r + 5 * d, r + 6 * d};
}

static void moreau_load(const SimModel *model, const SimWorkspace *work, Bundle *rows, int lane) {
  const SimProblem *p = &model->problem;
  LaneState to = lane_state(p->d, rows);
  for (int i = 0; i < p->d; i++) {
    *lanes_entry(&to.x[i], lane) = work->x[i];
    *lanes_entry(&to.v[i], lane) = work->v[i];
    *lanes_entry(&to.lambda[i], lane) = work->lambda[i];
    *lanes_entry(&to.push[i], lane) = p->step * work->push[i];
  }
}

static void moreau_final(const SimModel *model, Bundle *rows, int lane, double *x, double *v) {
  LaneState at = lane_state(model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lanes_entry(&at.x[i], lane);
    v[i] = *lanes_entry(&at.v[i], lane);
  }
}

LANE_INLINE void moreau_steps(int d, SimSolver solver, const SimModel *model, SimWorkspace *work, Bundle *rows,
                              LaneTally *tally) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  const double *restrict carry = plan->carry, *restrict a = plan->pull_back;
  LaneState at = lane_state(d, rows);
  for (long n = 0; n < p->steps; n++) {
    const double *load = plan->load + n * d;
    LANE_UNROLL for (int i = 0; i < d; i++) {
      Bundle sum;
      EACH(v) sum.v[v] = load[i] + at.push[i].v[v];
      if (p->stribeck != SIM_STRIBECK_NONE) EACH(v)
      sum.v[v] += p->step * p->friction[i] *
                  lanes_stribeck(p->stribeck, p->stribeck_beta[i], p->stribeck_epsilon[i], at.v[i].v[v]);
      LANE_UNROLL for (int j = 0; j < d; j++) {
        EACH(v) sum.v[v] += carry[i * d + j] * at.v[j].v[v] - a[i * d + j] * at.x[j].v[v];
      }
      at.b[i] = sum;
      at.before[i] = at.v[i];
    }
    if (solver == SIM_EXACT)
      lanes_exact(d, false, &plan->solver, work, lane_solve(d, at.room), at.b, at.v, at.lambda, tally);
    else
      lanes_fixed_point(d, false, false, &plan->solver, work, at.room, at.b, NULL, at.v, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) at.x[i].v[v] += plan->ahead * at.v[i].v[v] + plan->behind * at.before[i].v[v];
    }
  }
}

static void moreau_run_steps(const SimModel *model, SimWorkspace *work, Bundle *rows, LaneTally *tally) {
  const SimProblem *p = &model->problem;
#define MOREAU_EXACT(d)    moreau_steps(d, SIM_EXACT, model, work, rows, tally)
#define MOREAU_ITERATED(d) moreau_steps(d, SIM_FIXED_POINT, model, work, rows, tally)
  if (p->solver == SIM_EXACT)
    LANE_SIZES(p->d, MOREAU_EXACT)
  else
    LANE_SIZES(p->d, MOREAU_ITERATED)
}

static long moreau_solves(const SimModel *model) { return model->problem.steps; }

static void moreau_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {moreau_load, moreau_run_steps, moreau_final, moreau_solves};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
