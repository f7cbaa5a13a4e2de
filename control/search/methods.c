/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/search/methods.h"

#include <strings.h>

/* The list of search methods. To add a method, add a line here; to add a method of a library that is in the list, add a
 * row in the file for this library. */
#define LISTS(LIST)                                                                                                    \
  LIST(ctl_auto_methods)                                                                                               \
  LIST(ctl_sqp_methods)                                                                                                \
  LIST(ctl_bundle_methods)                                                                                             \
  LIST(ctl_pds_methods)                                                                                                \
  LIST(ctl_nlopt_methods)                                                                                              \
  LIST(ctl_tao_methods)                                                                                                \
  LIST(ctl_hybrid_methods)

#define DECLARE(name) extern const CtlMethod name[];
#define ENTER(name)   name,
LISTS(DECLARE)
static const CtlMethod *const lists[] = {LISTS(ENTER)};

const CtlMethod *ctl_method(int method) {
  for (size_t i = 0; i < sizeof lists / sizeof *lists && method >= 0; i++)
    for (const CtlMethod *m = lists[i]; m->name; m++)
      if (method-- == 0) return m;
  return NULL;
}

int ctl_method_find(const char *name) {
  for (int method = 0; name && ctl_method(method); method++)
    if (strcasecmp(ctl_method(method)->name, name) == 0) return method;
  return -1;
}

const CtlMethod *ctl_method_named(const char *name) { return ctl_method(ctl_method_find(name)); }

const char *stiction_method_name(int method) { return ctl_method(method) ? ctl_method(method)->name : NULL; }
const char *stiction_method_about(int method) { return ctl_method(method) ? ctl_method(method)->about : NULL; }
bool ctl_method_wants_petsc(int method) { return ctl_method(method) && ctl_method(method)->petsc; }

bool ctl_method_of_scenarios(int method) { return ctl_method(method) && ctl_method(method)->scenarios; }

bool ctl_method_fixes_penalty(int method) { return ctl_method(method) && ctl_method(method)->fixed_penalty; }

int ctl_problem_method(const CtlProblem *problem) {
  if (!problem) return -1;
  if (problem->statistic != CTL_NOMINAL && ctl_method(problem->method) == ctl_auto_methods)
    return ctl_method_find(problem->derivatives ? ctl_bundle_methods->name : ctl_pds_methods->name);
  if (problem->roles && problem->derivatives && ctl_method(problem->method) == ctl_auto_methods)
    return ctl_method_find(ctl_sqp_methods->name);
  bool serves = problem->derivatives || ctl_method(problem->method) != ctl_auto_methods;
  return serves ? problem->method : ctl_method_find(ctl_hybrid_methods->name);
}

bool ctl_problem_wants_derivatives(const CtlProblem *problem) {
  if (!problem) return false;
  const CtlMethod *method = ctl_method(ctl_problem_method(problem));
  CtlDerivatives least = problem->derivatives ? CTL_DERIVATIVES_USED : CTL_DERIVATIVES_NEEDED;
  return method && method->derivatives >= least;
}

bool ctl_problem_needs_derivatives(const CtlProblem *problem) {
  const CtlMethod *method = ctl_method(ctl_problem_method(problem));
  return method && method->derivatives == CTL_DERIVATIVES_NEEDED;
}

bool ctl_problem_calls_library(const CtlProblem *problem) {
  const CtlMethod *method = ctl_method(ctl_problem_method(problem));
  return method && (method->library || (method == ctl_hybrid_methods && !problem->derivatives));
}

bool ctl_method_has_simplexes(int method) { return ctl_method(method) && ctl_method(method)->ops->simplexes; }
const char *ctl_method_round(int method, bool several) {
  return ctl_method(method) ? ctl_method(method)->ops->rounds[several] : NULL;
}
