/* Hybrid, as CtlMethod says: when PDS hands over to local methods and they to it, and whose the answer is. */
#include "control/search/internal.h"

#include <math.h>

/* How often PDS hands over. */
enum { HANDOVERS = 4 };

static double distance(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static bool is_apart(const CtlSearch *search, const double *u, double apart) {
  bool is = true;
  for (int i = 0; i < search->n_locals && is; i++)
    is = distance(search->problem->n, u, search->locals[i]->start) >= apart;
  return is;
}

/* The best known point at least `apart` from where local methods start already; NULL when there is none. */
static const double *next_start(const CtlSearch *search, double apart) {
  const double *found = NULL;
  double least = INFINITY;
  for (long entry = 0; entry < search->cache.count; entry++) {
    const double *u = ctl_cache_u(&search->cache, entry);
    double merit = ctl_search_merit(search, entry);
    if (merit >= least || !is_apart(search, u, apart)) continue;
    least = merit;
    found = u;
  }
  return found;
}

bool ctl_hybrid_takes(const CtlProblem *problem, CtlMethod method) {
  bool pounders = method == CTL_METHOD_POUNDERS && ctl_local_misses(problem) <= CTL_POUNDERS_TARGETS;
  return pounders || method == CTL_METHOD_COBYLA;
}

int ctl_hybrid_starts(const CtlSearch *search) {
  long room = search->scheme->size; /* of the arrays of points at work */
  return search->problem->local_starts < room ? search->problem->local_starts : (int)room;
}

/* Least squares and constrained minimisation by turns. */
static void start_side_by_side(CtlSearch *search) {
  static const CtlMethod turns[] = {CTL_METHOD_POUNDERS, CTL_METHOD_COBYLA};
  double edge = search->state.edge;
  const double *u = search->best.u;
  ctl_search_stop_local(search);
  for (int i = 0; i < ctl_hybrid_starts(search) && u && !search->state.no_memory; i++) {
    CtlMethod method = turns[i % 2];
    ctl_search_add_local(search, ctl_hybrid_takes(search->problem, method) ? method : CTL_METHOD_COBYLA, u, edge);
    u = next_start(search, edge);
  }
  search->stage = CTL_STAGE_LOCAL;
  search->cut = false;
  search->handovers++;
}

static bool may_hand_over(const CtlSearch *search) {
  return !search->proving && search->handovers < HANDOVERS && !search->lost && isfinite(search->merit);
}

/* Local methods that have nothing more to ask: the result is theirs, unless PDS tries again for them. */
static void end_local(CtlSearch *search) {
  if (may_hand_over(search) && !ctl_search_best_meets(search, ctl_search_wanted_error(search->problem)))
    ctl_search_reopen(search, search->state.edge);
  else
    search->state.edge = 0;
}

void ctl_hybrid_change_stage(CtlSearch *search) {
  if (search->stage == CTL_STAGE_LOCAL) {
    end_local(search);
  } else if (!search->patience && may_hand_over(search)) {
    start_side_by_side(search);
    if (!ctl_search_next_local(search)) end_local(search);
  }
}

/* All that PDS alone would do, with a cache of its own, for a simplex that brings nothing new moves otherwise. */
bool ctl_hybrid_prove(CtlSearch *search, long size) {
  CtlFound best = search->best;
  if (!ctl_search_equip(search, size, false)) return false;
  search->best = search->answer;
  search->answer = best;
  search->proving = true;
  ctl_search_start_pds(search);
  return true;
}

/* The answer of the first part, while it is better than what PDS alone has found. It may not cost the target: an
 * inexact penalty may prefer a point that misses it. */
bool ctl_hybrid_answer_is_better(const CtlSearch *search) {
  const CtlProblem *p = search->problem;
  if (!search->proving || ctl_search_found_merit(search, &search->answer) >= search->merit) return false;
  const double errors[] = {p->accept, ctl_search_wanted_error(p)};
  for (int i = 0; i < 2; i++)
    if (ctl_search_meets(p, &search->best, errors[i]) && !ctl_search_meets(p, &search->answer, errors[i])) return false;
  return true;
}
