/* The splitting schemes of splitting.c in lanes: friction_substep.c and elastic_step.c. */
#ifndef SIM_LANES_SPLITTING_H
#define SIM_LANES_SPLITTING_H

#include "sim/lanes/exact.h"
#include "sim/lanes/fixed_point.h"
#include "sim/lanes/queue.h"
#include "sim/splitting/splitting.h"

/* [d] each */
typedef struct LaneSplit {
  Bundle *x, *v, *b, *push, *lambda, *a, *force;
  Bundle *room; /* of a solve */
} LaneSplit;

LANE_INLINE LaneSplit lane_split(int d, Bundle *r) {
  return (LaneSplit){r, r + d, r + 2 * d, r + 3 * d, r + 4 * d, r + 5 * d, r + 6 * d, r + 7 * d};
}

static void splitting_load(const SimModel *model, const SimWorkspace *work, Bundle *rows, int lane) {
  const SimProblem *p = &model->problem;
  LaneSplit to = lane_split(p->d, rows);
  for (int i = 0; i < p->d; i++) {
    *lanes_entry(&to.x[i], lane) = work->x[i];
    *lanes_entry(&to.v[i], lane) = work->v[i];
    *lanes_entry(&to.lambda[i], lane) = work->lambda[i];
    *lanes_entry(&to.push[i], lane) = work->control_force[i];
  }
}

static void splitting_final(const SimModel *model, Bundle *rows, int lane, double *x, double *v) {
  LaneSplit at = lane_split(model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lanes_entry(&at.x[i], lane);
    v[i] = *lanes_entry(&at.v[i], lane);
  }
}

/* y = m x */
LANE_INLINE void lanes_multiply(int d, const double *restrict m, const Bundle *x, Bundle *y) {
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Bundle sum;
    EACH(v) sum.v[v] = lanes_of(0);
    LANE_UNROLL for (int j = 0; j < d; j++) EACH(v) sum.v[v] += m[i * d + j] * x[j].v[v];
    y[i] = sum;
  }
}

/* How a friction substep is solved; closed: each dof for itself. */
typedef enum LaneFriction { LANE_CLOSED, LANE_EXACT, LANE_ITERATED } LaneFriction;

LANE_INLINE void lanes_friction(int d, LaneFriction way, const SimModel *model, SimWorkspace *work, const double *f,
                                LaneSplit at, LaneTally *tally) {
  const SimProblem *p = &model->problem;
  const FrictionSubstep *substep = &((const SplittingPlan *)model->plan)->friction;
  const DenseSolver *restrict s = &substep->solver;
  for (int k = 0; k < p->friction_substeps; k++, f += d) {
    if (way != LANE_CLOSED) lanes_multiply(d, p->mass, at.v, at.b);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) {
        Lanes speed = at.v[i].v[v], load = f[i] + at.push[i].v[v];
        if (p->stribeck != SIM_STRIBECK_NONE)
          load += p->friction[i] * lanes_stribeck(p->stribeck, p->stribeck_beta[i], p->stribeck_epsilon[i], speed);
        Lanes momentum = way == LANE_CLOSED ? s->matrix[i * d + i] * speed : at.b[i].v[v];
        Lanes b = momentum + substep->tau * load;
        if (way == LANE_CLOSED) {
          Lanes held = lanes_smaller(lanes_larger(b, lanes_of(-s->threshold[i])), lanes_of(s->threshold[i]));
          at.v[i].v[v] = (b - held) * s->mobility[i];
        } else
          at.b[i].v[v] = b;
      }
    }
    if (way == LANE_EXACT) lanes_exact(d, false, s, work, lane_solve(d, at.room), at.b, at.v, at.lambda, tally);
    if (way == LANE_ITERATED) lanes_fixed_point(d, s, work, lane_iteration(d, at.b, at.v, at.lambda, at.room), tally);
  }
}

/* a = -inverse (A x + D v) */
LANE_INLINE void lanes_accelerate(int d, const ElasticStep *step, const SimProblem *p, const double *inverse,
                                  LaneSplit at) {
  lanes_multiply(d, p->stiffness, at.x, at.force);
  if (step->damped) {
    lanes_multiply(d, p->damping, at.v, at.a);
    for (int i = 0; i < d; i++) EACH(v) at.force[i].v[v] += at.a[i].v[v];
  }
  lanes_multiply(d, inverse, at.force, at.a);
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.a[i].v[v] = -at.a[i].v[v];
}

LANE_INLINE void lanes_elastic_difference(int d, const ElasticStep *step, const SimProblem *p, LaneSplit at) {
  double tau = step->tau;
  lanes_accelerate(d, step, p, step->first, at);
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.v[i].v[v] += tau / 2 * at.a[i].v[v];
  for (int q = 1; q <= step->substeps; q++) {
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.x[i].v[v] += tau * at.v[i].v[v];
    lanes_accelerate(d, step, p, step->inverse, at);
    double reach = q == step->substeps ? tau / 2 : tau;
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.v[i].v[v] += reach * at.a[i].v[v];
  }
}

LANE_INLINE void lanes_elastic_exact(int d, const ElasticStep *step, LaneSplit at) {
  lanes_multiply(d, step->project, at.x, at.a);
  lanes_multiply(d, step->project, at.v, at.force);
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.x[i].v[v] += step->tau * at.v[i].v[v];
  for (int k = 0; k < d; k++) {
    EACH(v) {
      Lanes moved = step->turn[k] * at.a[k].v[v] + step->lag[k] * at.force[k].v[v];
      Lanes kicked = step->kick[k] * at.a[k].v[v] + step->turn[k] * at.force[k].v[v];
      LANE_UNROLL for (int i = 0; i < d; i++) {
        at.x[i].v[v] += step->modes[k * d + i] * moved;
        at.v[i].v[v] += step->modes[k * d + i] * kicked;
      }
    }
  }
}

/* lie: friction, elasticity; strang: friction, elasticity, friction. */
LANE_INLINE void splitting_steps(int d, LaneFriction way, const SimModel *model, SimWorkspace *work, Bundle *rows,
                                 LaneTally *tally) {
  const SimProblem *p = &model->problem;
  const SplittingPlan *plan = model->plan;
  const double *f = p->force + d;
  LaneSplit at = lane_split(d, rows);
  for (long n = 1; n <= p->steps; n++) {
    lane_push(model, rows, 1, n, at.push);
    for (int run = 0; run < plan->runs; run++) {
      lanes_friction(d, way, model, work, f, at, tally);
      f += (long)p->friction_substeps * d;
      if (run > 0) continue;
      if (plan->elastic.substeps)
        lanes_elastic_difference(d, &plan->elastic, p, at);
      else
        lanes_elastic_exact(d, &plan->elastic, at);
    }
  }
}

#define SPLIT_CLOSED(d)   splitting_steps(d, LANE_CLOSED, model, work, rows, tally)
#define SPLIT_EXACT(d)    splitting_steps(d, LANE_EXACT, model, work, rows, tally)
#define SPLIT_ITERATED(d) splitting_steps(d, LANE_ITERATED, model, work, rows, tally)
LANE_STEPS(splitting_closed, SPLIT_CLOSED)
LANE_STEPS(splitting_exact, SPLIT_EXACT)
LANE_STEPS(splitting_iterated, SPLIT_ITERATED)

static void splitting_run_steps(const SimModel *model, SimWorkspace *work, Bundle *rows, LaneTally *tally) {
  const SplittingPlan *plan = model->plan;
  LaneSteps *const *way = model->problem.solver == SIM_EXACT ? splitting_exact : splitting_iterated;
  (plan->friction.closed ? splitting_closed : way)[lane_size(model->problem.d)](model, work, rows, tally);
}

static long splitting_solves(const SimModel *model) {
  const SplittingPlan *plan = model->plan;
  return plan->friction.closed ? 0 : model->problem.steps * plan->runs * model->problem.friction_substeps;
}

static void splitting_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {splitting_load, splitting_run_steps, NULL, splitting_final, splitting_solves};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
