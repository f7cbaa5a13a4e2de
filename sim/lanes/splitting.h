/* SPDX-License-Identifier: BSD-2-Clause */
/* The splitting schemes for several rollouts together, one in each lane of SIMD vectors. The functions correspond to
 * those of splitting.c, friction_substep.c and elastic_step.c. */
#ifndef SIM_LANES_SPLITTING_H
#define SIM_LANES_SPLITTING_H

#include "sim/lanes/exact.h"
#include "sim/lanes/fixed_point.h"
#include "sim/lanes/queue.h"
#include "sim/splitting/splitting.h"

/* Vectors of a splitting scheme in lanes, [d] each. */
typedef struct LaneSplit {
  LaneVector *x, *v, *b, *control_force, *lambda, *a, *force;
  LaneVector *drop; /* force C gamma, the decrease of friction with speed, in N */
  LaneVector *room; /* workspace of a solve */
} LaneSplit;

LANE_INLINE LaneSplit lane_split(int d, LaneVector *r) {
  return (LaneSplit){r, r + d, r + 2 * d, r + 3 * d, r + 4 * d, r + 5 * d, r + 6 * d, r + 7 * d, r + 8 * d};
}

static void splitting_load(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  const SimProblem *p = &model->problem;
  LaneSplit to = lane_split(p->d, rows);
  for (int i = 0; i < p->d; i++) {
    *lane_entry(&to.x[i], lane) = work->x[i];
    *lane_entry(&to.v[i], lane) = work->v[i];
    *lane_entry(&to.lambda[i], lane) = work->lambda[i];
    *lane_entry(&to.control_force[i], lane) = work->control_force[i];
  }
}

static void splitting_final(const SimModel *model, LaneVector *rows, int lane, double *x, double *v) {
  LaneSplit at = lane_split(model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lane_entry(&at.x[i], lane);
    v[i] = *lane_entry(&at.v[i], lane);
  }
}

/* How a friction substep is solved. LANE_CLOSED: each dof separately, in closed form. */
typedef enum LaneFriction { LANE_CLOSED, LANE_EXACT, LANE_ITERATED } LaneFriction;

/* Advances v by the friction substeps from time t on. */
LANE_INLINE void lanes_friction(int d, LaneFriction way, bool varies, const LaneModel *model, double t, const double *f,
                                LaneSplit at, LaneTally *tally) {
  const SimProblem *p = &model->model->problem;
  const SplittingPlan *plan = model->model->plan;
  const FrictionSubstep *substep = &plan->friction;
  const bool drops = friction_drops(p);
  const DenseSolver *restrict s = &substep->solver;
  for (int k = 0; k < plan->substeps; k++, f += d) {
    const SimProblem *now = varies ? lane_thresholds(model, t + (k + 1) * substep->tau) : p;
    if (varies) s = lane_solver_now(model, 0, &substep->solver);
    if (way != LANE_CLOSED) lane_multiply(d, p->system.mass, at.v, at.b);
    if (drops) lane_drop(model, now, 1, at.v, 0, LANE_VECTORS - 1, at.drop);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) {
        Simd speed = at.v[i].v[v], load = f[i] + at.control_force[i].v[v];
        if (varies) load -= now->friction_bias[i];
        if (drops) load += at.drop[i].v[v];
        Simd momentum = way == LANE_CLOSED ? s->matrix[i * d + i] * speed : at.b[i].v[v];
        Simd b = momentum + substep->tau * load;
        if (way == LANE_CLOSED) {
          at.v[i].v[v] = friction_substep_closed(s, i, b);
        } else
          at.b[i].v[v] = b;
      }
    }
    if (way == LANE_EXACT) lanes_exact(d, false, model, s, at.room, at.b, at.v, at.lambda, tally);
    if (way == LANE_ITERATED)
      lanes_fixed_point(d, s, model->work, lane_iteration(d, at.b, at.v, at.lambda, at.room), tally);
  }
}

LANE_INLINE void lanes_elastic(int d, const ElasticStep *step, const SimProblem *p, ElasticRows rows) {
  if (!step->substeps) {
    elastic_exact(d, step, rows);
    return;
  }
  elastic_accelerate(d, step, p, step->first, rows);
  elastic_kick(d, step->tau / 2, rows);
  for (int q = 1; q <= step->substeps; q++) {
    elastic_drift(d, step, p, rows);
    elastic_kick(d, q == step->substeps ? step->tau / 2 : step->tau, rows);
  }
}

typedef void LaneElastic(const ElasticStep *step, const SimProblem *p, LaneVector *x, LaneVector *v, LaneVector *a,
                         LaneVector *force);
#define LANE_ELASTIC(d) lanes_elastic(d, step, p, (ElasticRows){x, v, a, force})
LANE_TABLE(LaneElastic, lane_elastic,
           (const ElasticStep *step, const SimProblem *p, LaneVector *x, LaneVector *v, LaneVector *a,
            LaneVector *force),
           p->d, LANE_ELASTIC)

/* Makes the parts of a step. lie: friction, elasticity. strang: friction, elasticity, friction. */
LANE_INLINE void splitting_steps(int d, LaneFriction way, bool varies, const LaneModel *model, LaneVector *rows,
                                 LaneTally *tally) {
  const SimProblem *p = &model->model->problem;
  const SplittingPlan *plan = model->model->plan;
  const double *f = p->force + d;
  LaneSplit at = lane_split(d, rows);
  const ElasticRows elastic = {at.x, at.v, at.a, at.force};
  for (long n = 1; n <= p->steps && !lane_ends(model, n, tally); n++) {
    lane_control_force(model->model, rows, 1, n, at.control_force);
    for (int run = 0; run < plan->runs; run++) {
      lanes_friction(d, way, varies, model, ((double)n - 1 + (double)run / plan->runs) * p->step, f, at, tally);
      f += (long)plan->substeps * d;
      if (run > 0) continue;
      if (way == LANE_CLOSED)
        lanes_elastic(d, &plan->elastic, p, elastic); /* inlined, because it takes a quarter of the step's time */
      else
        lane_elastic[lane_size(d)](&plan->elastic, p, elastic.x, elastic.v, elastic.a, elastic.force);
    }
  }
}

#define SPLIT_CLOSED(d)   splitting_steps(d, LANE_CLOSED, false, model, rows, tally)
#define SPLIT_EXACT(d)    splitting_steps(d, LANE_EXACT, false, model, rows, tally)
#define SPLIT_ITERATED(d) splitting_steps(d, LANE_ITERATED, false, model, rows, tally)
LANE_STEPS(splitting_closed, SPLIT_CLOSED)
LANE_STEPS(splitting_exact, SPLIT_EXACT)
LANE_STEPS(splitting_iterated, SPLIT_ITERATED)

/* Makes all steps with thresholds that vary in time. */
static LANE_APART void splitting_varying(LaneFriction way, const LaneModel *model, LaneVector *rows, LaneTally *tally) {
  splitting_steps(model->model->problem.d, way, true, model, rows, tally);
}

static void splitting_run_steps(const LaneModel *lanes, LaneVector *rows, LaneTally *tally) {
  const SimModel *model = lanes->model;
  const SplittingPlan *plan = model->plan;
  bool exact = friction_parameters(&model->problem)->solver == SIM_EXACT;
  LaneSteps *const *way = exact ? splitting_exact : splitting_iterated;
  LaneFriction varying = plan->friction.closed ? LANE_CLOSED : exact ? LANE_EXACT : LANE_ITERATED;
  if (model->problem.thresholds)
    splitting_varying(varying, lanes, rows, tally);
  else
    (plan->friction.closed ? splitting_closed : way)[lane_size(model->problem.d)](lanes, rows, tally);
}

static long splitting_solves(const SimModel *model) {
  const SplittingPlan *plan = model->plan;
  return plan->friction.closed ? 0 : model->problem.steps * plan->runs * plan->substeps;
}

static void splitting_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {splitting_load, NULL, splitting_run_steps, NULL, splitting_final, splitting_solves};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
