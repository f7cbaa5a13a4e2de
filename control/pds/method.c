/* SPDX-License-Identifier: BSD-2-Clause */
/* Parallel direct search (pds) as a search method: the initial simplex, the later simplexes, and restarts. A template
 * (template.h) lists the points around a simplex that are evaluated in one round. */
#include "control/outcome/method.h"
#include "control/pds/pds.h"
#include "control/pds/template_store.h"

#include <math.h>

enum {
  WIDEN = 4, /* factor by which a restart enlarges the template */
  /* maximum number of template points per variable after restarts; more points would only belong to later steps of the
   * search */
  WIDEST_PER_CONTROL = 4096
};

typedef struct PdsRun {
  CtlRun run;
  const CtlTemplate *template; /* template of the present size, borrowed from ctl_template_take until the end of the
                                * run */
  CtlPds pds;
  bool initial; /* whether the points of the round are the vertices of an initial simplex */
} PdsRun;

static PdsRun *of(CtlRun *run) { return (PdsRun *)run; }

/* Replaces the template by one with `size` points, and resizes the arrays that depend on it. Returns false if memory is
 * lacking; the old template and arrays are then unchanged. */
static bool resize_template(PdsRun *pds, long size) {
  if (pds->template && pds->template->size == size) return true;
  const CtlTemplate *template = ctl_template_take(pds->run.problem->n, size);
  if (!template ||
      /* a template has at least 2n >= n + 1 points, so that the arrays are also large enough for the initial simplex */
      !ctl_objective_resize(pds->run.objective, size)) {
    ctl_template_give(template);
    return false;
  }
  ctl_template_give(pds->template);
  pds->template = template;
  return true;
}

static void begin_at(PdsRun *pds, const CtlSimplex *simplex) {
  ctl_pds_start(&pds->pds, simplex);
  pds->run.objective->state.edge = ctl_pds_edge(&pds->pds);
  pds->run.objective->cut = false;
  pds->initial = true;
}

static bool start(CtlRun *run, const double *control, double step) {
  PdsRun *pds = of(run);
  CtlSimplex simplex;
  if (!pds->template && !resize_template(pds, ctl_problem_scheme_size(run->problem))) return false;
  ctl_simplex_first(run->problem, &simplex);
  if (control) { /* the first simplex has the shape of the problem's simplex, and its vertex v_0 is `control` */
    double factor = step / ctl_simplex_longest_edge(&simplex);
    int n = simplex.n;
    memcpy(simplex.vertex, control, (size_t)n * sizeof *control);
    for (int i = 0; i < n * n; i++) simplex.edges[i] *= factor;
  }
  begin_at(pds, &simplex);
  return true;
}

static long next(CtlRun *run) {
  const PdsRun *pds = of(run);
  return pds->initial ? run->problem->n + 1 : pds->template->size;
}

static void points(CtlRun *run, long first, int count, double *controls) {
  const PdsRun *pds = of(run);
  if (!pds->initial) ctl_pds_points(&pds->pds, pds->template, first, count, controls);
  for (int i = 0; i < count && pds->initial; i++)
    ctl_pds_vertex(&pds->pds, (int)first + i, controls + i * run->problem->n);
}

/* Called after the vertices of an initial simplex have been evaluated; makes the best vertex v_0. */
static void tell_initial(PdsRun *pds) {
  CtlObjective *objective = pds->run.objective;
  int best = 0;
  for (int l = 1; l < objective->points; l++)
    if (objective->merits[l] < objective->merits[best]) best = l;
  ctl_pds_choose(&pds->pds, best);
  ctl_objective_set_incumbent(objective, objective->entries[best]);
  pds->initial = false;
}

/* Called after the points of a template have been evaluated; moves the simplex. */
static void tell_simplex(PdsRun *pds) {
  CtlObjective *objective = pds->run.objective;
  /* If no point of the round had to be simulated, the simplex contracts. Otherwise, with penalty parameters that change
   * with the best point, it could move through known points in an endless cycle. */
  long winner = -1;
  if (objective->fresh == 0)
    ctl_pds_contract(&pds->pds, pds->template);
  else
    winner = ctl_pds_move(&pds->pds, pds->template, objective->merit, objective->merits);
  if (winner >= 0) ctl_objective_set_incumbent(objective, objective->entries[winner]);
  objective->state.edge = ctl_pds_edge(&pds->pds);
  if (winner >= 0 || isfinite(objective->merit))
    ctl_penalty_update_rho(&objective->penalty, objective->problem, objective->best.x, objective->best.v);
}

static bool tell(CtlRun *run) {
  PdsRun *pds = of(run);
  bool initial = pds->initial;
  if (initial)
    tell_initial(pds);
  else
    tell_simplex(pds);
  ctl_objective_centre(run->objective);
  return !initial;
}

/* Returns the number of points of the largest template that a restart may use; the capacity of the cache limits it. */
static long most_points(CtlRun *run) {
  long most = (long)WIDEST_PER_CONTROL * run->problem->n, room = run->objective->cache.capacity - 1;
  if (most > CTL_SCHEME_MAX) most = CTL_SCHEME_MAX;
  return most < room ? most : room;
}

/* Returns the number of template points for a restart: four times the larger of the last number and the default. Most
 * searches stall because their template is smaller than the default. */
static long restart_size(CtlRun *run) {
  long size = of(run)->template->size, usual = ctl_scheme_auto(run->problem->n), most = most_points(run);
  long wider = WIDEN * (size > usual ? size : usual);
  if (wider > most) wider = most;
  return wider > size ? wider : size;
}

static long restart(CtlRun *run) {
  PdsRun *pds = of(run);
  CtlObjective *objective = run->objective;
  if (!resize_template(pds, restart_size(run))) {
    objective->state.no_memory = true;
    return 0;
  }
  objective->state.restarts++;
  CtlSimplex simplex = pds->pds.first;
  ctl_simplex_restart(&simplex, objective->best.control, (int)objective->state.restarts);
  begin_at(pds, &simplex);
  return next(run);
}

static long ahead(CtlRun *run, bool restarts) {
  long size = restarts ? restart_size(run) : of(run)->template->size;
  return size + (restarts || of(run)->initial ? run->problem->n + 1 : 0);
}

static double size_of(CtlRun *run) { return ctl_pds_relative_size(&of(run)->pds); }

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  PdsRun *own = of(run);
  CtlPds *pds = &own->pds;
  size_t n = (size_t)run->problem->n;
  bool seen[CTL_SIMPLEX_CONTROLS_MAX + 1] = {false};
  /* the saved size is at least the present one, as a restart may have enlarged the template */
  long least = own->template->size, most = most_points(run);
  long size = ctl_bytes_integer(bytes, least, least, most > least ? most : least);
  ctl_bytes_numbers(bytes, pds->first.vertex, n);
  ctl_bytes_numbers(bytes, pds->first.edges, n * n);
  ctl_bytes_numbers(bytes, pds->z, n);
  ctl_bytes_numbers(bytes, &pds->scale, 1);
  for (size_t k = 0; k <= n; k++) {
    pds->label[k] = (int)ctl_bytes_integer(bytes, pds->label[k], 0, (long)n);
    bytes->bad |= seen[pds->label[k]];
    seen[pds->label[k]] = true;
  }
  own->initial = ctl_bytes_integer(bytes, own->initial, 0, 1);
  return bytes->bad || resize_template(own, size);
}

static void end(CtlRun *run) { ctl_template_give(of(run)->template); }

static const CtlMethodOps ops = {CTL_METHOD_FUNCTIONS,   .tell = tell,
                                 .size_of = size_of,     .round = ctl_problem_scheme_size,
                                 .size = sizeof(PdsRun), .rounds = {"simplex", "simplexes"},
                                 .simplexes = true};

const CtlMethod ctl_pds_methods[] = {
    {"pds", "parallel direct search: a simplex of scheme_size points moves to the best of them", .ops = &ops,
     .statistics = true},
    {0}};
