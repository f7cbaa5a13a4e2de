/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/resolve.h"

#include "control/bound.h"
#include "control/certify.h"
#include "src/file/sections/motion_plan.h"

/* Checks control.signal.refine_to, the number of segments of a refined control. */
static void check_refined(Reader *reader) {
  static const char key[] = "control.signal.refine_to";
  const Problem *problem = reader->problem;
  if (problem->refine_to <= problem->sim.segments) return;
  if (problem->control.refine == CTL_REFINE_NONE)
    key_error(reader, key, "with search.refine: none (expected exact or grid)");
  else if (!is_wrong(reader, "model") && !is_wrong(reader, "scheme") && !derivatives_refine(problem))
    key_error(reader, key, "of a motion without derivatives (expected none)");
}

void check_objective(Reader *reader) {
  const Problem *problem = reader->problem;
  Node *root = document_root(reader->document), *scenarios = key_get(reader, root, "scenarios");
  if (motion_plan_statistic(problem) == CTL_NOMINAL) return;
  if (!scenarios || node_is_null(scenarios))
    key_error(reader, "control.objective", "without a section scenarios (expected nominal, or scenarios: {vary: ..})");
  if (problem->refine_to > problem->sim.segments)
    key_error(reader, "control.signal.refine_to",
              "with control.objective, where the answer is not refined (expected none)");
}

/* Checks search.certify, which requests a proof that the control found has the least effort. */
static void check_certify(Reader *reader, const SimReport *report) {
  const Problem *problem = reader->problem;
  if (!problem->has_control || !problem->control.certify || is_wrong(reader, "model") || is_wrong(reader, "control"))
    return;
  ctl_certify_check(&problem->control, &problem->sim, report);
  if (problem->control.statistic != CTL_NOMINAL)
    key_error(reader, "control.objective", "with search.certify (expected nominal: the proof is for one motion)");
  if (problem->control.refine != CTL_REFINE_EXACT && !sim_force_in_pieces(&problem->sim))
    key_error(reader, "search.refine",
              "not exact with search.certify (expected exact, or the scheme event: the proof is of the motion itself)");
  if (problem->refine_to > problem->sim.segments)
    key_error(reader, "control.signal.refine_to",
              "with search.certify (expected none: what is certified is the answer in these segments)");
}

/* Checks search.bound, which requests a lower bound of the effort. */
static void check_bound(Reader *reader, const SimReport *report) {
  const Problem *problem = reader->problem;
  const CtlProblem *control = &problem->control;
  bool asked = problem->has_control && (control->bound == CTL_BOUND_GIVEN || control->bound == CTL_BOUND_YES);
  if (!asked || is_wrong(reader, "model") || is_wrong(reader, "control")) return;
  ctl_lower_bound_check(control, &problem->sim, report);
  if (control->statistic != CTL_NOMINAL)
    key_error(reader, "control.objective", "with search.bound (expected nominal: the bound is of one motion)");
  if (control->refine != CTL_REFINE_EXACT && !sim_force_in_pieces(&problem->sim))
    key_error(reader, "search.refine",
              "not exact with search.bound (expected exact, or the scheme event: the bound is of the motion itself)");
}

void answer_checks(Reader *reader, const SimReport *report) {
  check_refined(reader);
  check_objective(reader);
  check_certify(reader, report);
  check_bound(reader, report);
}
