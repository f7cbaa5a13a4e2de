/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/setup/tables.h"

#include "sim/base/argument.h"
#include "sim/joint/laws.h"
#include "sim/operator/massless.h"
#include "sim/parameter.h"
#include "sim/setup/entries.h"

#include <float.h>
#include <math.h>

static void check_time(Check *check) {
  const SimProblem *p = check->problem;
  if (!(p->end > 0) || !isfinite(p->end)) check_complain(check, "time.end", "%g (expected > 0)", p->end);
  if (!(p->step > 0) || !isfinite(p->step))
    check_complain(check, "time.step", "%g (expected > 0)", p->step);
  else if (p->steps < 1)
    check_complain(check, "time.steps", "%ld (expected >= 1)", p->steps);
  else if (fabs(p->end / p->step - (double)p->steps) > 1e-9 + 4 * DBL_EPSILON * (double)p->steps)
    check_complain(check, "time.step", "T/step = %.12g is not the number of steps %ld", p->end / p->step, p->steps);
}

/* Checks the segments of the control. A scheme with steps allows at most as many segments as steps; `event` has no
 * limit. */
static void check_signal(Check *check) {
  const SimProblem *p = check->problem;
  if (p->start_count && !p->scheme->moves_end)
    check_complain(check, "control.signal.lengths", "the scheme %s takes no lengths of segments%s", p->scheme->name,
                   p->kind == SIM_DASHPOT ? ", nor does another one of dash-pots" : " (expected event)");
  else if (p->start_count && (p->start_count != p->segments + 1 || p->starts[p->segments] != p->end))
    check_complain(check, "control.signal.lengths", "%d segments until %g s (expected %d until T = %g s)",
                   p->start_count - 1, p->starts[p->start_count - 1], p->segments, p->end);
  if (p->signal == SIM_CONSTANT) return;
  if (p->segments < 1)
    check_complain(check, "control.signal.segments", "%d (expected >= 1)", p->segments);
  else if (p->segments > p->steps && !sim_force_in_pieces(p))
    check_complain(check, "control.signal.segments", "%d (expected 1..%ld, the steps)", p->segments, p->steps);
}

/* Checks the step limit of spring laws. For dofs without mass the condition does not depend on the step: the stiffness
 * of A, or the slopes of the laws, must determine the position of these dofs at every elongation. */
static SimStatus check_laws(Check *check, const SimProblem *joined, const Springs *springs, SimBounds *bounds) {
  const SimScheme *scheme = joined->scheme;
  const OperatorSum step = scheme->step_operator(joined);
  double rest = scheme->rest_weight(joined), limit = springs_limit(springs, step, rest, bounds->mass_min);
  bool massless = massless_present(joined), contracts = true;
  SimStatus status = massless ? springs_contract(springs, step, rest, &contracts) : SIM_OK;
  bounds->spring_limit = massless ? INFINITY : limit;
  if (!contracts)
    check_complain(check, "model.springs",
                   "a law with a slope that varies too much over its range for a step to be solved, with degrees of "
                   "freedom without mass (expected a narrower range, or more stiffness beside it)");
  else if (!(joined->step < bounds->spring_limit))
    check_complain(check, "time.step",
                   "%g is too large for the springs' laws: a step has one solution that is sure to be found below %.6g",
                   joined->step, bounds->spring_limit);
  return status == SIM_OK ? check_status(check) : status;
}

/* Calls the check of the kind (SimKindOps.check) for a problem with the springs' stiffness added to A, and computes the
 * step limit of spring laws. */
static SimStatus check_joined(Check *check, SimBounds *bounds) {
  SimProblem joined = *check->problem;
  Springs *springs = NULL;
  SimStatus status = springs_join(&joined, !sim_force_in_pieces(&joined), &springs);
  Check of_joined = {.problem = &joined, .report = check->report};
  if (status == SIM_OK) status = joined.ops->check(&of_joined, bounds);
  if (status == SIM_OK) status = check_laws(check, &joined, springs, bounds);
  springs_part(&joined, springs);
  return status;
}

/* Calls the check of the kind, also if errors have been found before. */
static SimStatus check_kind(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  joint_check(check);
  if (springs_present(p) && !check->mistakes) return check_joined(check, bounds);
  SimStatus status = p->ops->check(check, bounds);
  bounds->spring_limit = INFINITY;
  return status;
}

static SimStatus check_dense(const Check *check, SimBounds *bounds) {
  SimProblem dense;
  SimStatus status = problem_copy_dense(check->problem, &dense);
  Check own = *check;
  own.problem = &dense;
  own.like = NULL;
  if (status == SIM_OK) status = check_kind(&own, bounds);
  sim_problem_clear(&dense);
  return status;
}

static SimStatus check_all(const SimProblem *problem, const SimProblem *like, const SimReport *report,
                           SimBounds *bounds) {
  Check check = {.problem = problem, .like = like, .report = report};
  *bounds = (SimBounds){.step_limit = INFINITY, .friction_limit = INFINITY};
  check_values(&check, "control.matrix", NULL, 0, (long)problem->count * problem->n_control, problem->control_matrix);
  check_time(&check);
  check_signal(&check);
  check.mistakes += scheme_check(problem, report);
  features_check(&check, sim_scheme_of_kind);
  entries_check(&check);
  return entries_wanted(problem) && !check.mistakes ? check_dense(&check, bounds) : check_kind(&check, bounds);
}

SimStatus sim_problem_check(const SimProblem *problem, const SimReport *report, SimBounds *bounds) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT_THERE(bounds);
  return check_all(problem, NULL, report, bounds);
}

double sim_problem_check_seconds(const SimProblem *problem) {
  return problem->kind == SIM_FRICTION ? operator_check_seconds(problem) : 0;
}

static SimStatus check_constants(const SimProblem *p, const SimReport *report) {
  double delta = p->bounds.delta, r = sim_problem_get(p, "r");
  if (!isfinite(delta))
    return sim_complain(report, "model.friction",
                        "thresholds squared over masses overflow (expected smaller thresholds, or larger masses)"),
           SIM_BAD_PROBLEM;
  int mistakes = scheme_check(p, report);
  if (!mistakes && sim_problem_get(p, "solver") == SIM_FIXED_POINT && delta > 0 && !(r > 0 && r * delta * p->step < 4))
    mistakes += sim_complain(report, "scheme.r", "%g: the fixed point converges for 0 < r < 4/(delta step) = %g only",
                             r, 4 / (delta * p->step));
  return mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}

SimStatus problem_set_constants(SimProblem *p, const SimReport *report) {
  for (const SimParameter *row = p->scheme->parameters; row && row->key; row++)
    if (row->derive && sim_parameter_get(row, p->parameters) == 0)
      sim_parameter_set(row, p->parameters, row->derive(p, &p->bounds));
  return check_constants(p, report);
}

static SimStatus finalize(SimProblem *problem, const SimProblem *like, const SimReport *report) {
  problem->finalized = 0;
  SimStatus status = check_all(problem, like, report, &problem->bounds);
  if (status != SIM_OK) return status;
  status = problem_set_constants(problem, report);
  if (status == SIM_OK) problem->finalized = problem_fingerprint(problem);
  return status;
}

SimStatus stiction_problem_finalize(SimProblem *problem, const SimReport *report) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  FirstError first;
  const SimReport keeping = argument_keep_first(&first, report);
  return finalize(problem, NULL, &keeping);
}

SimStatus sim_problem_finalize_like(SimProblem *problem, const SimProblem *like, const SimReport *report) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT(like && like != problem && like->scheme, "like", "is NULL, not initialised, or the problem itself");
  bool holds = like->finalized && like->finalized == problem_fingerprint(like);
  return finalize(problem, holds ? like : NULL, report);
}
