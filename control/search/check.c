/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pds/check.h"
#include "control/base/argument.h"
#include "control/outcome/values.h"
#include "control/search/methods.h"

#include <stdio.h>

/* Checks numbers and words against the ranges in the rows of a table. A default is always allowed. */
static void check_ranges(CtlCheck *check, const char *section, const SimParameter *rows) {
  for (const SimParameter *row = rows; row->key; row++) {
    double value = sim_parameter_get(row, check->problem);
    bool words = (row->forms | SIM_FORM_SECTION) == (SIM_FORM_CHOICE | SIM_FORM_SECTION),
         part = (row->forms & SIM_FORM_SECTION) && value == 1; /* a value of 1 means that the section is present in the
                                                                * problem file */
    bool known = words ? part || sim_parameter_word(row, (int)value) != NULL : sim_parameter_allows(row, value);
    char key[64], expected[SIM_EXPECTED_SIZE];
    snprintf(key, sizeof key, "%s.%s", section, row->key);
    if (part) check_ranges(check, key, row->parts);
    if (known || value == row->preset) continue;
    ctl_check_complain(check, key, "%g (expected %s)", value, sim_parameter_expected(row, expected));
  }
}

/* Checks that a method supports the problem's targets, values and derivatives. given: number of entries with a
 * target. */
static void check_taken(CtlCheck *check, const CtlMethod *method, int given) {
  const CtlProblem *p = check->problem;
  bool needs = method->derivatives == CTL_DERIVATIVES_NEEDED && !p->derivatives;
  if (needs && p->roles)
    ctl_check_complain(check, "search.method", "%s needs derivatives, but there are none (expected auto)",
                       method->name);
  else if (needs)
    ctl_check_complain(
        check, "search.method",
        "%s needs derivatives, but this scheme has none (expected auto, which does not need them; the model's "
        "schemes with derivatives: %s)",
        method->name, *p->derivative_schemes ? p->derivative_schemes : "none");
  else if (p->plan && method->scenarios)
    ctl_check_complain(check, "search.method",
                       "%s with limits and the like (expected auto: the section scenarios simulates its answer with "
                       "other numbers)",
                       method->name);
  else if (p->roles && method->scenarios)
    ctl_check_complain(check, "search.method", "%s with user-defined values (expected auto)", method->name);
  else if (p->roles && method->derivatives == CTL_DERIVATIVES_NEEDED && p->n > CTL_SMOOTH_CONTROLS_MAX)
    ctl_check_complain(check, "search.method", "%s with derivatives and %d variables (expected at most %d)",
                       method->name, p->n, CTL_SMOOTH_CONTROLS_MAX);
  else if (method->residuals && ctl_values_count(p, CTL_ROLE_OBJECTIVE) + ctl_values_count(p, CTL_ROLE_MAGNITUDE) > 0)
    ctl_check_complain(check, "search.method", "%s with an objective (expected residuals in its place; or auto)",
                       method->name);
  else if (!ctl_method_takes(method, p))
    ctl_check_complain(check, "search.method", "%s with %d targets (expected at most %d; hybrid takes any number)",
                       method->name, given, method->targets);
}

static void check_method(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  const CtlMethod *method = ctl_method(ctl_problem_method(p));
  int given = ctl_target_count(p);
  if (!given && !p->roles)
    ctl_check_complain(check, "control.target",
                       "gives no position and no velocity (expected a number in position or velocity)");
  if (!method) return;
  if (p->statistic != CTL_NOMINAL && !method->statistics)
    ctl_check_complain(check, "search.method", "%s does not support control.objective (expected auto, bundle or pds)",
                       method->name);
  if (p->statistic == CTL_NOMINAL && method->scenarios && !p->roles)
    ctl_check_complain(check, "search.method",
                       "%s without control.objective (expected mean, worst_case or a quantile there)", method->name);
  check_taken(check, method, given);
  if (method->ops->simplexes && p->n > CTL_SIMPLEX_CONTROLS_MAX) {
    bool chosen = method == ctl_method(p->method); /* if the methods differ, auto stands for this method */
    ctl_check_complain(
        check, "search.method", "%s%s%s with %d variables (expected at most %d; %s %d, and so do the local methods)",
        chosen ? "" : "auto, which is ", method->name, chosen ? "" : " without derivatives,", p->n,
        CTL_SIMPLEX_CONTROLS_MAX, p->derivatives && !p->roles ? "sqp takes" : "nlopt:cobyla takes", CTL_CONTROLS_MAX);
    return;
  }
  /* number of points of the first round: the vertices of a simplex, and those that the method adds in a round */
  long first = p->n + 1 + method->ops->round(p);
  if (method->ops->simplexes && p->max_evaluations && p->max_evaluations < first)
    ctl_check_complain(check, "search.max_evaluations", "%ld (expected >= %ld, the first simplex)", p->max_evaluations,
                       first);
}

CtlStatus stiction_control_check(const CtlProblem *problem, const SimReport *report) {
  CONTROL_ARGUMENT_PROBLEM(problem);
  FirstError first;
  const SimReport keeping = argument_keep_first(&first, report);
  CtlCheck check = {.problem = problem, .report = &keeping};
  if (problem->n < 1 || problem->n > CTL_CONTROLS_MAX) {
    ctl_check_complain(&check, "control.matrix", "%d controls (expected 1..%d)", problem->n, CTL_CONTROLS_MAX);
    return CTL_BAD_PROBLEM;
  }
  ctl_check_control(&check);
  check_ranges(&check, "search", problem->roles ? ctl_values_search_parameters : ctl_search_parameters);
  check_method(&check);
  if (problem->rho_update == CTL_RHO_DYNAMIC && problem->rho > CTL_RHO_MAX)
    ctl_check_complain(&check, "search.rho", "%g (expected <= %g, the cap of the dynamic update)", problem->rho,
                       CTL_RHO_MAX);
  ctl_check_simplex(&check);
  if (check.no_memory) return CTL_NO_MEMORY;
  return check.mistakes ? CTL_BAD_PROBLEM : CTL_OK;
}
