/* SPDX-License-Identifier: BSD-2-Clause */
/* Springs with a law and stops, in the lanes of a StepForm. Like form_springs_solve, lanes repeat the solve of a step
 * until w converges, each lane as often as it needs; converged lanes keep their w while others continue. The forces of
 * elastic stops are averaged over a step like those of springs. If a dof of a lane meets a rigid stop (moreau_stops.h),
 * the scalar function form_solve computes this step of the lane. */
#ifndef SIM_LANES_JOINTS_H
#define SIM_LANES_JOINTS_H

#include "sim/friction/form_rows.h"
#include "sim/friction/moreau_stops.h"
#include "sim/joint/spring_rows.h"
#include "sim/joint/stops.h"
#include "sim/lanes/model.h"

/* Vectors for springs and stops in lanes, [d] each. A step is solved in rounds: a round is one solution of the friction
 * problem with fixed spring forces and states of stops. */
typedef struct LaneJointRows {
  FormWay way, ends;            /* way: path of positions in the step for w = 0, where w is the unknown of the step;
                                 * ends: ends of the path in a round */
  LaneVector *load;             /* right side b without the forces of spring laws */
  LaneVector *was, *was_lambda; /* solution w and lambda before a round of iterations */
  LaneVector *kept;             /* lambda before the step; for the regularized law only, like was_lambda */
  LaneVector *landed;           /* x+ of lanes in which a dof has met a stop */
} LaneJointRows;
enum { LANE_JOINT_ROWS = 10 };

/* A step in lanes. Each lane solves for rows.w with its right side b, from the initial multiplier lambda. */
typedef struct LaneJoints {
  const LaneModel *model;
  bool differences, regularized;
  FormRows rows;
  LaneVector *b, *lambda;
  LaneJointRows own;
  const Springs *springs; /* springs with a law; NULL: the model has none */
  const SimStops *pushes; /* stops with elastic ends, which have forces that are averaged over a step; NULL: none */
  const SimStops *meets;  /* stops with rigid ends, which dofs can meet; NULL: none */
  long n;
  int round;
  LaneMask alive;                  /* lanes that have not failed in this round */
  LaneMask open, met;              /* lanes that take part in the round; lanes in which a dof has met a stop */
  LaneVector last;                 /* change of the solution w in the previous round, for each lane */
  LaneVector iterations, residual; /* values of the tally: number of iterations before the step; residual before the
                                    * round */
} LaneJoints;

/* Whether the model has spring laws or stops. Batches of models have none. */
LANE_INLINE bool lane_has_joints(const LaneModel *model) {
#ifdef LANE_OWN
  (void)model;
  return false;
#else
  return model->model->springs || model->work->reaction;
#endif
}

/* Implements curve_row for lanes: the piece of each lane at the elongation e; at the boundary of two pieces the next
 * one if way > 0. */
LANE_INLINE LawPiece lane_law_piece(Curve law, Simd e, Simd way) {
  const long long size = (long long)sim_curve_size(law.columns);
  const SimdMask at_it = simd_below(simd_of(0), way);
  LawPiece piece = {law.rows, {0}};
  long long half;
  for (long long n = law.pieces; n > 1; n -= half) {
    half = n / 2;
    const Simd start = simd_gather(law.rows + half * size, piece.at);
    const SimdMask equal = simd_both(simd_at_most(start, e), at_it);
    piece.at = simd_advance(simd_either(simd_below(start, e), equal), piece.at, half * size);
  }
  return piece;
}

/* Implements springs_law_mean for lanes, piece by piece, with each lane in a piece of its own, as long as several lanes
 * remain. The last lane, and lanes beyond the law's range, call springs_law_mean. Near zeros of a law a path may pass
 * many short pieces. */
static LANE_APART Simd lane_law_mean(Curve law, int column, Simd e, Simd next, SimdMask mask) {
  const long long size = (long long)sim_curve_size(law.columns);
  const Simd way = next - e, first = simd_of(law.rows[0]), last = simd_of(law.rows[(law.pieces - 1) * size]);
  const SimdMask up = simd_below(simd_of(0), way), still = simd_at_most(simd_abs(way), simd_of(0));
  LawPiece piece = lane_law_piece(law, e, way);
  Simd at[LAW_NODES], value[LAW_NODES], mean = simd_of(0), from = simd_of(0);
  SimdMask open = mask, beyond = simd_none();
  for (unsigned bits = simd_bits(open); bits & (bits - 1); bits = simd_bits(open)) {
    const Simd begins = law_entry(&piece, 0), orders = law_entry(&piece, 2);
    const SimdMask at_last = simd_both(up, simd_at_most(last, begins));
    const SimdMask at_first = simd_without(simd_at_most(begins, first), up);
    const Simd to = law_part_end(&piece, e, way, simd_either(still, simd_either(at_last, at_first)));
    Simd sum = mean;
    int order = 0;
    for (; bits; bits &= bits - 1)
      order = orders[__builtin_ctz(bits)] > order ? (int)orders[__builtin_ctz(bits)] : order;
    SimdMask inside = law_values(&piece, order, law.columns, column, e, way, from, to, at, value);
    for (int j = 0; j < LAW_NODES; j++) sum += (to - from) * law_weights[j] * value[j];
    mean = simd_choose(open, sum, mean);
    beyond = simd_either(beyond, simd_without(open, inside));
    open = simd_without(simd_both(open, inside), simd_at_most(simd_of(1), to));
    from = simd_larger(to, simd_of(0));
    piece.at = simd_advance(simd_both(open, up), piece.at, size);
    piece.at = simd_advance(simd_without(open, up), piece.at, -size);
  }
  for (unsigned bits = simd_bits(simd_either(beyond, open)); bits; bits &= bits - 1) {
    int lane = __builtin_ctz(bits);
    mean[lane] = springs_law_mean(law, column, e[lane], next[lane]);
  }
  return mean;
}

static LANE_APART Simd lane_law_rise(Curve law, int column, Simd e, Simd next) {
  for (int lane = 0; lane < LANE_WIDTH; lane++) e[lane] = springs_law_rise(law, column, e[lane], next[lane]);
  return e;
}

/* Adds the force of dof i's elastic stops to the right side b, for the lanes of vector v. The force is the mean over
 * the path of positions from the start to the end of the step (own.ends), times `weight`. */
LANE_INLINE void lane_push(const LaneJoints *joints, double weight, int v, int i) {
  const Simd from = joints->own.ends.from[i].v[v], to = joints->own.ends.to[i].v[v];
  Simd push = simd_of(0);
  SimdMask near = simd_either(stops_passed_in(joints->pushes, i, from), stops_passed_in(joints->pushes, i, to));
  for (unsigned bits = simd_bits(near); bits; bits &= bits - 1) {
    int lane = __builtin_ctz(bits);
    push[lane] = stops_mean_push(joints->pushes, i, from[lane], to[lane]);
  }
  joints->b[i].v[v] += weight * push;
}

/* Sets the right side b and lambda of the lanes that have not converged, for a round of iterations. */
static void lane_joints_load(LaneJoints *joints, LaneTally *tally) {
  const StepForm *form = form_of(joints->model->model);
  const LaneJointRows own = joints->own;
  const int d = joints->model->model->problem.d;
  tally->alive = joints->open;
  joints->residual = tally->residual;
  for (int i = 0; i < d; i++) {
    own.was[i] = joints->rows.w[i];
    joints->b[i] = own.load[i];
    if (joints->regularized) own.was_lambda[i] = joints->lambda[i];
    if (joints->regularized) joints->lambda[i] = own.kept[i];
    EACH(v) {
      own.ends.from[i].v[v] = spring_end(own.way.from[i].v[v], 0, own.was[i].v[v]);
      own.ends.to[i].v[v] = spring_end(own.way.to[i].v[v], form->ahead, own.was[i].v[v]);
    }
  }
  EACH_IN_TURN(v) {
    if (simd_bits(joints->open.v[v]) == 0) continue;
    if (joints->springs)
      spring_rows_add(joints->springs, form->theta, -form->force, own.ends.from, own.ends.to, own.way.about, v,
                      joints->open.v[v], lane_law_mean, lane_law_rise, joints->b);
    for (int i = 0; i < d && joints->pushes; i++) lane_push(joints, form->force, v, i);
  }
}

/* Finds the open lanes in which a dof meets a stop with its w. */
static void lane_joints_meet(LaneJoints *joints) {
  const StepForm *form = form_of(joints->model->model);
  for (int i = 0; i < joints->model->model->problem.d; i++) EACH(v) {
      const Simd x = joints->rows.x[i].v[v], next = form_place(form, joints->rows, v, i);
      const Simd at = stops_rigid(joints->meets, i) ? next : moreau_stops_middle(form->theta, x, next);
      const SimdMask meets = simd_both(joints->open.v[v], stops_passed_in(joints->meets, i, at));
      joints->met.v[v] = simd_either(joints->met.v[v], meets);
    }
}

/* Computes the step of a lane in which a dof has met a stop, by form_solve. Returns whether it was solved. */
static bool lane_joints_alone(LaneJoints *joints, LaneTally *tally, int lane) {
  const SimModel *model = joints->model->model;
  SimWorkspace *work = joints->model->work;
  const FormLevels to = form_levels(model, work);
  const LaneVector *b = joints->springs ? joints->own.load : joints->b;
  for (int i = 0; i < model->problem.d; i++) {
    to.b[i] = *lane_entry((LaneVector *)&b[i], lane);
    to.x_before[i] = *lane_entry(&joints->rows.x[i], lane);
    to.y[i] = to.w[i] = *lane_entry(&joints->rows.y[i], lane);
    work->lambda[i] = 0;
  }
  work->tally = (StepTally){.residual = *lane_entry(&tally->residual, lane)};
  if (form_solve(model, work, joints->n) != SIM_OK) return false;
  moreau_stops_count(work->own, model, work);
  for (int i = 0; i < model->problem.d; i++) {
    *lane_entry(&joints->own.landed[i], lane) = to.x[i];
    *lane_entry(&joints->rows.w[i], lane) = to.w[i];
  }
  *lane_entry(&tally->iterations, lane) = *lane_entry(&joints->iterations, lane) + (double)(work->tally.iterations - 1);
  *lane_entry(&tally->residual, lane) = work->tally.residual;
  tally->impacts[lane] += work->tally.impacts;
  tally->settled[lane] += work->tally.settled;
  return true;
}

/* Closes the lanes with a solution w that has converged in this round. */
static void lane_joints_settle(LaneJoints *joints) {
  const double rate = form_of(joints->model->model)->ahead;
  const LaneJointRows own = joints->own;
  const int d = joints->model->model->problem.d;
  EACH(v) {
    Simd change = simd_of(0), size = simd_of(0);
    for (int i = 0; i < d; i++)
      spring_measure(own.way.to[i].v[v], rate, joints->rows.w[i].v[v], own.ends.to[i].v[v], &change, &size);
    SimdMask stays = simd_both(joints->open.v[v], spring_stays(change, joints->last.v[v], size));
    joints->open.v[v] = simd_without(joints->open.v[v], stays);
    joints->last.v[v] = change;
    if (!joints->springs || simd_bits(stays) == 0) continue;
    for (int i = 0; i < d; i++) own.ends.to[i].v[v] = spring_end(own.way.to[i].v[v], rate, joints->rows.w[i].v[v]);
    SimdMask outside = simd_without(stays, spring_rows_inside(joints->springs, own.ends.to, v));
    joints->alive.v[v] = simd_without(joints->alive.v[v], outside);
  }
}

/* Adds the round's results to the tally. */
static void lane_joints_take(LaneJoints *joints, LaneTally *tally) {
  const LaneJointRows own = joints->own;
  const LaneMask open = joints->open;
  EACH(v) {
    SimdMask failed = simd_without(open.v[v], tally->alive.v[v]);
    joints->alive.v[v] = simd_without(joints->alive.v[v], failed);
    joints->open.v[v] = simd_without(open.v[v], failed);
    tally->residual.v[v] = simd_choose(open.v[v], tally->residual.v[v], joints->residual.v[v]);
  }
  for (int i = 0; i < joints->model->model->problem.d; i++) EACH(v) {
      joints->rows.w[i].v[v] = simd_choose(open.v[v], joints->rows.w[i].v[v], own.was[i].v[v]);
      if (!joints->regularized) continue;
      joints->lambda[i].v[v] = simd_choose(open.v[v], joints->lambda[i].v[v], own.was_lambda[i].v[v]);
    }
}

/* Prepares the first solve of a step. */
static LANE_APART void lane_joints_begin(LaneJoints *joints, const LaneModel *model, long n, LaneTally *tally) {
  const SimProblem *p = &model->model->problem;
  const StepForm *form = form_of(model->model);
  SpringPath moved;
  joints->model = model;
  joints->n = n;
  joints->round = 0;
  joints->springs = model->model->springs;
  joints->meets = model->work->own ? &p->stops : NULL;
  joints->pushes = model->work->reaction && !joints->meets ? &p->stops : NULL;
  joints->alive = joints->open = tally->alive;
  joints->iterations = tally->iterations;
  lane_mask_clear(&joints->met);
  if (!joints->springs && !joints->pushes) return;
  const SpringPath *path = form_springs_path(model->model, model->work, n, &moved);
  EACH(v) joints->last.v[v] = simd_of(INFINITY);
  for (int i = 0; i < p->d; i++) {
    joints->own.load[i] = joints->b[i];
    if (joints->regularized) joints->own.kept[i] = joints->lambda[i];
    EACH(v) form_way(joints->differences, form, path, joints->rows, joints->own.way, v, i);
  }
  lane_joints_load(joints, tally);
}

/* Ends one solve (round) of a step. Returns whether another solve is needed. */
static LANE_APART bool lane_joints_again(LaneJoints *joints, LaneTally *tally) {
  if (joints->springs || joints->pushes) {
    lane_joints_take(joints, tally);
    if (joints->meets) lane_joints_meet(joints);
    EACH(v) joints->open.v[v] = simd_without(joints->open.v[v], joints->met.v[v]);
    lane_joints_settle(joints);
    if (lane_mask_any(&joints->open) && ++joints->round < SPRING_ROUNDS) {
      EACH(v) tally->iterations.v[v] += simd_choose(joints->open.v[v], simd_of(1), simd_of(0));
      lane_joints_load(joints, tally);
      return true;
    }
    EACH(v) tally->alive.v[v] = simd_without(joints->alive.v[v], joints->open.v[v]);
  } else {
    lane_joints_meet(joints);
  }
  if (!lane_mask_any(&joints->met)) return false;
  for (int lane = 0; lane < LANES; lane++)
    if (lane_mask_has(&joints->met, lane) && lane_mask_has(&tally->alive, lane) &&
        !lane_joints_alone(joints, tally, lane))
      lane_mask_set(&tally->alive, lane, false);
  return false;
}

/* Ends the step: stores x+ of lanes in which a dof has met a stop. */
LANE_INLINE void lane_joints_end(const LaneJoints *joints) {
  if (!joints->meets || !lane_mask_any(&joints->met)) return;
  for (int i = 0; i < joints->model->model->problem.d; i++)
    EACH(v) joints->rows.x[i].v[v] = simd_choose(joints->met.v[v], joints->own.landed[i].v[v], joints->rows.x[i].v[v]);
}

#endif
