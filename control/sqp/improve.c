/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/improve.h"

#include <math.h>

double ctl_sqp_error(const CtlProblem *problem, const double *x, const double *v) {
  double errors[2];
  ctl_errors(problem, x, v, errors);
  return fmax(errors[0], errors[1]);
}

/* Whether point k of the current round is better than the incumbent, the best point so far. */
static bool is_better(const CtlObjective *objective, long k) {
  const CtlProblem *p = objective->problem;
  const CtlCache *cache = &objective->cache;
  long entry = objective->entries[k];
  if (ctl_want_is_other(ctl_objective_want(objective, k)) || !isfinite(objective->merits[k])) return false;
  if (!isfinite(objective->merit)) return true;
  double error = ctl_sqp_error(p, ctl_cache_x(cache, entry), ctl_cache_v(cache, entry)),
         best = ctl_sqp_error(p, objective->best.x, objective->best.v);
  bool met = error <= p->accept;
  if (met && objective->has_bar && !(objective->merits[k] < objective->bar)) return false;
  if (met != (best <= p->accept)) return met;
  return met ? objective->merits[k] < objective->merit : error < best;
}

void ctl_sqp_improve(CtlObjective *objective) {
  for (long k = 0; k < objective->points; k++) {
    if (objective->entries[k] == CTL_OUTSIDE || !is_better(objective, k)) continue;
    ctl_objective_set_incumbent(objective, objective->entries[k]);
    ctl_objective_centre(objective);
  }
}
