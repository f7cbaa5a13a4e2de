#include "control/search/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PATIENCE = 4,             /* so many simplexes of hybrid's first part are the most before local methods' turn */
  WIDEN = 4,                /* a restart's scheme is so many times larger */
  WIDEST_PER_CONTROL = 4096 /* but has no more points than this per control: beyond, only the depth grows */
};

long ctl_search_size_max(const CtlSearch *search) {
  long most = (long)WIDEST_PER_CONTROL * search->problem->n;
  if (most > CTL_SCHEME_MAX) most = CTL_SCHEME_MAX;
  return most < search->cache.capacity - 1 ? most : search->cache.capacity - 1;
}

/* Four times the last or the default, whichever is larger (a scheme narrower than the default is why most searches
 * stall); no more than the cache has room for. */
long ctl_search_restart_size(const CtlSearch *search) {
  long size = search->scheme->size, usual = ctl_scheme_auto(search->problem->n), most = ctl_search_size_max(search);
  long wider = WIDEN * (size > usual ? size : usual);
  if (wider > most) wider = most;
  return wider > size ? wider : size;
}

/* The arrays that go with the scheme. Returns false when out of memory; what was there stays as it was. */
bool ctl_search_resize(CtlSearch *search, long size) {
  const CtlTemplate *scheme = ctl_template_take(search->problem->n, size);
  if (!scheme) return false;
  size_t points = (size_t)size; /* >= 2n >= n + 1: room for an opening, too */
  long *entries = malloc(points * sizeof *entries);
  double *merits = malloc(points * sizeof *merits);
  if (!entries || !merits) {
    free(entries);
    free(merits);
    ctl_template_give(scheme);
    return false;
  }
  ctl_template_give(search->scheme);
  free(search->entries);
  free(search->merits);
  search->scheme = scheme;
  search->entries = entries;
  search->merits = merits;
  return true;
}

static void begin_at(CtlSearch *search, const CtlSimplex *simplex) {
  ctl_pds_start(&search->pds, simplex);
  search->state.edge = ctl_pds_edge(&search->pds);
  search->stage = CTL_STAGE_OPENING;
  search->patience = PATIENCE;
}

void ctl_search_start_pds(CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  size_t n = (size_t)problem->n, d = (size_t)problem->d;
  CtlSimplex simplex;
  memcpy(search->best.u, problem->start, n * sizeof(double));
  for (size_t i = 0; i < 2 * d; i++) search->best.x[i] = NAN; /* v lies behind x */
  search->best.J = ctl_cost(problem, problem->start);
  search->begun = false;
  ctl_penalty_start(&search->penalty, problem);
  for (int i = 0; i < 3 && ctl_local_is_constrained(problem->method); i++) /* a slight penalty would prefer misses */
    search->penalty.rho[i] = fmax(search->penalty.rho[i], CTL_RHO_MAX);
  ctl_simplex_first(problem, &simplex);
  begin_at(search, &simplex);
  ctl_search_centre(search);
}

bool ctl_search_restart(CtlSearch *search, long size) {
  if (size != search->scheme->size && !ctl_search_resize(search, size)) return false;
  search->state.restarts++;
  CtlSimplex simplex = search->pds.first;
  ctl_simplex_restart(&simplex, search->best.u, (int)search->state.restarts);
  begin_at(search, &simplex);
  return true;
}

void ctl_search_reopen(CtlSearch *search, double edge) {
  CtlSimplex simplex;
  ctl_simplex_first(search->problem, &simplex);
  double factor = edge / ctl_simplex_longest_edge(&simplex);
  int n = simplex.n;
  memcpy(simplex.vertex, search->best.u, (size_t)n * sizeof *simplex.vertex);
  for (int i = 0; i < n * n; i++) simplex.edges[i] *= factor;
  begin_at(search, &simplex);
}

/* The vertices of a first simplex are known: the best of them becomes v_0. */
void ctl_search_finish_opening(CtlSearch *search) {
  ctl_search_begin(search);
  ctl_search_take_stock(search);
  int best = 0;
  for (int l = 1; l < search->points; l++)
    if (search->merits[l] < search->merits[best]) best = l;
  ctl_pds_choose(&search->pds, best);
  ctl_search_adopt(search, search->entries[best]);
  ctl_search_centre(search);
  search->stage = CTL_STAGE_SIMPLEX;
}

/* The points of a simplex are known: the move. */
void ctl_search_finish_simplex(CtlSearch *search) {
  CtlState *state = &search->state;
  state->simplexes++;
  ctl_search_take_stock(search);
  /* A simplex that has brought nothing new contracts: parameters that change with the best point could
   * otherwise lead the search in a circle through known points for ever. */
  long winner = -1;
  if (search->wanted == 0)
    ctl_pds_contract(&search->pds, search->scheme);
  else
    winner = ctl_pds_move(&search->pds, search->scheme, search->merit, search->merits);
  if (winner >= 0) ctl_search_adopt(search, search->entries[winner]);
  search->patience = winner < 0 || !search->patience ? 0 : search->patience - 1;
  state->edge = ctl_pds_edge(&search->pds);
  if (winner >= 0 || isfinite(search->merit))
    ctl_penalty_update_rho(&search->penalty, search->problem, search->best.x, search->best.v);
  ctl_search_centre(search);
}
