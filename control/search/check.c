#include "control/pds/check.h"
#include "control/local/local.h"
#include "control/search/methods.h"

static void check_method(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  const CtlMethod *method = ctl_method(p->method);
  int given = ctl_target_count(p);
  if (!given) ctl_check_complain(check, "control.target", "gives no position and no velocity");
  if (!method)
    ctl_check_complain(check, "search.method", "number %d: there is no such method", p->method);
  else if (!ctl_method_takes(method, p))
    ctl_check_complain(check, "search.method", "%s with %d targets (expected at most %d; hybrid takes any number)",
                       method->name, given, method->targets);
  else if (ctl_local_is_left(method))
    ctl_check_complain(check, "search.method",
                       "%s has not come back from its library, and is not used again in this process", method->name);
}

static void check_penalty(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  ctl_check_positive(check, "search.rho", ctl_problem_rho(p));
  if (p->rho_update == CTL_RHO_DYNAMIC && p->rho > CTL_RHO_MAX)
    ctl_check_complain(check, "search.rho", "%g (expected <= %g, the cap of the dynamic update)", p->rho, CTL_RHO_MAX);
}

static void check_termination(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  ctl_check_positive(check, "search.tolerance", p->tolerance);
  ctl_check_optional(check, "search.relative_tolerance", p->relative_tolerance);
  ctl_check_positive(check, "search.accept", p->accept);
  ctl_check_optional(check, "search.stop_at", p->stop_at);
  ctl_check_optional(check, "search.max_seconds", p->max_seconds);
  ctl_check_optional(check, "search.evaluation_timeout", p->evaluation_timeout);
  if (p->max_simplexes < 0) ctl_check_complain(check, "search.max_simplexes", "%ld (expected >= 0)", p->max_simplexes);
  if (p->local_starts < 1 || p->local_starts > CTL_LOCALS_MAX)
    ctl_check_complain(check, "search.local_starts", "%d (expected 1..%d)", p->local_starts, CTL_LOCALS_MAX);
  if (p->restarts < 0) ctl_check_complain(check, "search.restarts", "%d (expected >= 0)", p->restarts);
  const CtlMethod *method = ctl_method(p->method);
  if (!method || !method->simplexes) return;
  long first = p->n + 1 + method->round(p); /* its vertices, and its template */
  if (p->max_evaluations && p->max_evaluations < first)
    ctl_check_complain(check, "search.max_evaluations", "%ld (expected >= %ld, the first simplex)", p->max_evaluations,
                       first);
}

SimStatus ctl_problem_check(const CtlProblem *problem, const SimReport *report) {
  CtlCheck check = {.problem = problem, .report = report};
  if (problem->n < 1 || problem->n > CTL_CONTROLS_MAX) {
    ctl_check_complain(&check, "control.matrix", "%d controls (expected 1..%d)", problem->n, CTL_CONTROLS_MAX);
    return SIM_BAD_PROBLEM;
  }
  ctl_check_control(&check);
  check_method(&check);
  check_penalty(&check);
  ctl_check_simplex(&check);
  check_termination(&check);
  return check.mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}
