/* The centred scheme of scheme_centered.c in lanes. */
#ifndef SIM_LANES_CENTERED_H
#define SIM_LANES_CENTERED_H

#include "sim/lanes_exact.h"
#include "sim/lanes_fixed_point.h"
#include "sim/lanes_run.h"
#include "sim/scheme_centered.h"

/* [d] each */
typedef struct LaneLevels {
  Bundle *now, *after, *w, *b, *difference, *push, *lambda;
  Bundle *room; /* of a solve */
} LaneLevels;

enum { LANE_LEVELS = 7 };

LANE_INLINE LaneLevels lane_levels(int d, Bundle *r) {
  return (LaneLevels){r, r + d, r + 2 * d, r + 3 * d, r + 4 * d, r + 5 * d, r + 6 * d, r + 7 * d};
}

static void centered_load(const SimModel *model, const SimWorkspace *work, Bundle *rows, int lane) {
  CenteredLevels from = centered_levels(model, work);
  int d = model->problem.d;
  LaneLevels to = lane_levels(d, rows);
  for (int i = 0; i < d; i++) {
    *lanes_entry(&to.now[i], lane) = from.now[i];
    *lanes_entry(&to.after[i], lane) = from.after[i];
    *lanes_entry(&to.w[i], lane) = from.w[i];
    *lanes_entry(&to.push[i], lane) = from.push[i];
    *lanes_entry(&to.lambda[i], lane) = work->lambda[i];
    *lanes_entry(&to.difference[i], lane) = work->v[i];
  }
}

static void centered_final(const SimModel *model, Bundle *rows, int lane, double *x, double *v) {
  const CenteredPlan *plan = model->plan;
  LaneLevels at = lane_levels(model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lanes_entry(&at.now[i], lane);
    v[i] = plan->rate * *lanes_entry(&at.w[i], lane);
  }
}

LANE_INLINE void centered_steps(int d, bool regularised, SimSolver solver, const SimModel *model, SimWorkspace *work,
                                Bundle *rows, LaneTally *tally) {
  const SimProblem *p = &model->problem;
  const CenteredPlan *plan = model->plan;
  const double *restrict k = plan->twice_inertia, *restrict a = plan->pull_back;
  LaneLevels at = lane_levels(d, rows);
  for (long n = 1; n <= p->steps; n++) {
    const double *load = plan->load + n * d;
    LANE_UNROLL for (int i = 0; i < d; i++) { EACH(v) at.b[i].v[v] = load[i] + at.push[i].v[v]; }
    if (p->stribeck != SIM_STRIBECK_NONE) {
      for (int i = 0; i < d; i++) EACH(v) {
          Lanes speed = n == 1 ? at.difference[i].v[v] : plan->rate * at.w[i].v[v];
          at.b[i].v[v] += plan->square * p->friction[i] *
                          lanes_stribeck(p->stribeck, p->stribeck_beta[i], p->stribeck_epsilon[i], speed);
        }
    }
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.difference[i].v[v] = at.after[i].v[v] - at.now[i].v[v];
    LANE_UNROLL for (int i = 0; i < d; i++) {
      Bundle sum = at.b[i];
      LANE_UNROLL for (int j = 0; j < d; j++) {
        EACH(v) sum.v[v] += k[i * d + j] * at.difference[j].v[v] - a[i * d + j] * at.after[j].v[v];
      }
      at.b[i] = sum;
    }
    if (solver == SIM_EXACT)
      lanes_exact(d, regularised, &plan->moving, work, lane_solve(d, at.room), at.b, at.w, at.lambda, tally);
    else
      lanes_fixed_point(d, regularised, false, &plan->moving, work, at.room, at.b, at.now, at.w, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) {
        Lanes next = at.now[i].v[v] + at.w[i].v[v];
        at.now[i].v[v] = at.after[i].v[v];
        at.after[i].v[v] = next;
      }
    }
  }
}

static void centered_run_steps(const SimModel *model, SimWorkspace *work, Bundle *rows, LaneTally *tally) {
  const SimProblem *p = &model->problem;
#define EXACT_FIRM(d)        centered_steps(d, false, SIM_EXACT, model, work, rows, tally)
#define EXACT_CREEPING(d)    centered_steps(d, true, SIM_EXACT, model, work, rows, tally)
#define ITERATED_FIRM(d)     centered_steps(d, false, SIM_FIXED_POINT, model, work, rows, tally)
#define ITERATED_CREEPING(d) centered_steps(d, true, SIM_FIXED_POINT, model, work, rows, tally)
  if (p->solver == SIM_EXACT && p->multiplier == SIM_UNREGULARIZED)
    LANE_SIZES(p->d, EXACT_FIRM)
  else if (p->solver == SIM_EXACT)
    LANE_SIZES(p->d, EXACT_CREEPING)
  else if (p->multiplier == SIM_UNREGULARIZED)
    LANE_SIZES(p->d, ITERATED_FIRM)
  else
    LANE_SIZES(p->d, ITERATED_CREEPING)
}

static long centered_solves(const SimModel *model) { return model->problem.steps; }

static void centered_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {centered_load, centered_run_steps, centered_final, centered_solves};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
