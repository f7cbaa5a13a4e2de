/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/rest.h"

#include "sim/features.h"
#include "src/file/sections/motion_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A force counts as below a threshold if it is smaller by more than this fraction of the threshold, which is far above
 * round-off. */
static const double MARGIN = 1e-9;

/* Features of models that rest_is_certain examines. In them, a joint stays at rest exactly while the force on it is
 * below a constant threshold. */
#define REST_TAKES                                                                                                     \
  (SIM_HAS(DENSE) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(SKEW) | SIM_HAS(VISCOUS) | SIM_HAS(DROP) |            \
   SIM_HAS(EXPONENT))

/* Least and greatest of all values that a number may have. */
typedef struct Range {
  double low, high;
} Range;

static bool is_examined(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  if (!problem->has_control || problem->external || problem->scenarios || problem->control.scenarios) return false;
  if (problem->plan && (motion_plan_first(problem->plan, CTL_VARY_POSITION) >= 0 ||
                        motion_plan_first(problem->plan, CTL_VARY_VELOCITY) >= 0))
    return false;
  if (sim->kind != SIM_FRICTION || sim_problem_features(sim) & ~REST_TAKES) return false;
  for (int i = 0; i < sim->d; i++)
    if (sim->v0[i] != 0) return false;
  return sim_scheme_by_events(sim->scheme) || strcmp(sim_scheme_name(sim->scheme), "moreau") == 0;
}

/* Returns the range of entry j of u over all segments. It includes 0, since a piecewise linear u starts at 0. */
static Range control_range(const CtlProblem *control, int j) {
  Range range = {0, 0};
  for (int k = j; k < control->n; k += control->p) {
    range.low = fmin(range.low, control->lower[k]);
    range.high = fmax(range.high, control->upper[k]);
  }
  return range;
}

static Range add(Range range, double factor, Range other) {
  if (factor == 0) return range;
  double a = factor * other.low, b = factor * other.high;
  return (Range){range.low + fmin(a, b), range.high + fmax(a, b)};
}

/* Returns a range that contains the force on joint i during a piece of time. On a piece, the force is a polynomial of
 * degree n, with coefficients c_k, in the elapsed fraction 0 to 1. Its values lie between the least and the greatest of
 * its Bernstein coefficients b_m = sum over k <= m of C(m,k)/C(n,k) c_k, where C is the binomial coefficient. */
static Range piece_range(const SimProblem *sim, long piece, int i) {
  const double *c = sim->pieces + (size_t)piece * sim_piece_size(sim->d) + SIM_PIECE_HEAD + i;
  Range range = {c[0], c[0]};
  for (int m = 1; m <= SIM_PIECE_ORDER; m++) {
    double sum = 0, ratio = 1;
    for (int k = 0; k <= m; k++) {
      sum += ratio * c[(ptrdiff_t)k * sim->d];
      if (k < m) ratio *= (double)(m - k) / (SIM_PIECE_ORDER - k);
    }
    range = (Range){fmin(range.low, sum), fmax(range.high, sum)};
  }
  return range;
}

/* Returns a range that contains the force f(t) on joint i at all times. The range is infinite if f is not known. */
static Range force_range(const SimProblem *sim, int i) {
  bool pieces = sim_force_in_pieces(sim);
  Range range = {INFINITY, -INFINITY};
  if (sim->load.at || (!pieces && !sim->force)) return (Range){-INFINITY, INFINITY};
  if (pieces && !sim->pieces) return (Range){0, 0};
  long n = pieces ? sim->piece_count : sim_force_count(sim);
  for (long k = 0; k < n; k++) {
    double sample = pieces ? 0 : sim->force[k * sim->d + i];
    Range one = pieces ? piece_range(sim, k, i) : (Range){sample, sample};
    range = (Range){fmin(range.low, one.low), fmax(range.high, one.high)};
  }
  return range;
}

/* Returns the largest possible force on joint i at x0 without friction, |f + B u - A x0|. */
static double largest_force(const Problem *problem, int i) {
  const SimProblem *sim = &problem->sim;
  Range range = force_range(sim, i);
  for (int j = 0; j < sim->n_control; j++)
    range = add(range, sim->control_matrix[(ptrdiff_t)i * sim->n_control + j], control_range(&problem->control, j));
  for (int k = 0; k < sim->d; k++)
    range = add(range, -sim->system.stiffness[(ptrdiff_t)i * sim->d + k], (Range){sim->x0[k], sim->x0[k]});
  return fmax(fabs(range.low), fabs(range.high));
}

/* Returns a joint, from 0, that friction holds, for use in a message. It is the first joint on which a force acts and
 * which should reach a target other than its start. Without such a joint, it is the one with the largest force relative
 * to its threshold. Returns -1 if no force acts on any joint. */
static int held_joint(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  const CtlProblem *c = &problem->control;
  int found = -1;
  double most = 0;
  for (int i = 0; i < sim->d; i++) {
    bool position = isfinite(c->position[i]) && c->position[i] != sim->x0[i];
    double force = largest_force(problem, i);
    if (force > 0 && (position || (isfinite(c->velocity[i]) && c->velocity[i] != 0))) return i;
    if (!(force > most * sim->friction[i])) continue;
    most = force / sim->friction[i];
    found = i;
  }
  return found;
}

/* Returns whether the state of rest at x0 violates a condition of a plan. */
static bool misses_condition(const CtlQuantity *q, const double *x0, int d) {
  double value = 0, tolerance = ctl_quantity_tolerance(q);
  bool state = q->read == CTL_READ_MOTION && q->of.way != SIM_END_TIME && q->of.way != SIM_INTEGRAL;
  if (q->role < CTL_ROLE_EQUAL || !state || q->of.control || q->of.place || q->of.reference) return false;
  for (int i = 0; i < d; i++) {
    if (q->of.x) value += q->of.x[i] * x0[i];
    if (q->of.from_x) value -= q->of.from_x[i] * x0[i];
  }
  return (q->role != CTL_ROLE_AT_LEAST && value > q->target + tolerance) ||
         (q->role != CTL_ROLE_AT_MOST && value < q->target - tolerance);
}

/* Returns whether a motion that stays at x0 misses the target, or a condition of the plan. */
static bool rest_misses(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  double errors[2];
  for (int k = 0; problem->plan && k < problem->plan->quantities; k++)
    if (misses_condition(&problem->plan->quantity[k], sim->x0, sim->d)) return true;
  if (problem->plan) return false;
  ctl_errors(&problem->control, sim->x0, sim->v0, errors);
  return errors[0] > problem->control.accept || errors[1] > problem->control.accept;
}

bool rest_is_certain(const Problem *problem, char why[REST_TEXT_SIZE]) {
  const SimProblem *sim = &problem->sim;
  char name[LABEL_SIZE];
  if (!is_examined(problem)) return false;
  for (int i = 0; i < sim->d; i++) {
    double force = largest_force(problem, i);
    if (!(force == 0 || force < (1 - MARGIN) * sim->friction[i])) return false;
  }
  if (!rest_misses(problem)) return false;
  int joint = held_joint(problem);
  int length = snprintf(why, REST_TEXT_SIZE, "the target is out of reach: nothing ever moves from rest (proven). ");
  if (joint < 0)
    snprintf(why + length, REST_TEXT_SIZE - (size_t)length,
             "No force acts on any joint within control.bounds. What may help: wider control.bounds");
  else
    snprintf(why + length, REST_TEXT_SIZE - (size_t)length,
             "The forces on joint %s are at most %.6g %s within control.bounds, and its friction is %.6g %s. What may "
             "help: wider control.bounds, less friction",
             labels_name(&problem->labels, joint + 1, name), largest_force(problem, joint), problem->labels.force,
             sim->friction[joint], problem->labels.force);
  return true;
}
