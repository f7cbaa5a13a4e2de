/* SPDX-License-Identifier: BSD-2-Clause */
/* The method `hybrid` (control/search/README.md). It runs other methods, alternately or at the same time, through their
 * tables of functions. */
#include "control/search/hybrid.h"

#include "control/search/methods.h"

#include <math.h>
#include <stdio.h>

enum {
  HANDOVERS = 4,   /* number of times that local methods continue after the method PDS */
  PDS_ROUNDS = 4,  /* maximum number of simplexes of the method PDS before local methods continue */
  LOCAL_STARTS = 2 /* default number of local methods that run at the same time */
};
/* Names of local methods. by_derivatives: the method for problems with derivatives. turns: methods for problems with
 * constraints, which are used in turn: one for least squares, if the problem permits it, and one for any objective.
 * unconstrained: methods in turn for problems without constraints. */
static const char by_derivatives[] = "sqp", *const turns[] = {"tao:pounders", "nlopt:cobyla"},
                  *const unconstrained[] = {"tao:pounders", "nlopt:bobyqa"};

static CtlHybridRun *of(CtlRun *run) { return (CtlHybridRun *)run; }

static long simplex_points(const CtlProblem *problem) { return 3L * problem->n; }

static void stop_locals(CtlHybridRun *hybrid) {
  for (int i = 0; i < hybrid->n_locals; i++) ctl_run_destroy(hybrid->locals[i]);
  hybrid->n_locals = 0;
}

static bool start_pds(CtlHybridRun *hybrid, const double *control, double step) {
  hybrid->local = false;
  hybrid->patience = PDS_ROUNDS;
  return hybrid->pds->ops->start(hybrid->pds, control, step);
}

static void end(CtlRun *run) {
  stop_locals(of(run));
  ctl_run_destroy(of(run)->pds);
}

static bool start(CtlRun *run, const double *control, double step) {
  CtlHybridRun *hybrid = of(run);
  end(run);
  hybrid->part = *run->problem;
  hybrid->part.scheme_size = simplex_points(run->problem);
  hybrid->pds = ctl_run_create(ctl_method_named("pds"), &hybrid->part, run->objective);
  return hybrid->pds && start_pds(hybrid, control, step);
}

static double point_distance(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* Returns the best known point with a distance of at least `apart` from all starts so far; NULL if there is none. */
static const double *next_start(const CtlObjective *objective, int count, const double *const *starts, double apart) {
  const double *found = NULL;
  double least = INFINITY;
  for (long entry = 0; entry < objective->cache.count; entry++) {
    const double *control = ctl_cache_control(&objective->cache, entry);
    double merit = ctl_objective_merit(objective, entry);
    bool far = merit < least;
    for (int i = 0; i < count && far; i++) far = point_distance(objective->problem->n, control, starts[i]) >= apart;
    if (!far) continue;
    least = merit;
    found = control;
  }
  return found;
}

static const CtlMethod *method_of_turn(const CtlProblem *problem, int turn) {
  const char *const *by_turns = ctl_target_count(problem) ? turns : unconstrained;
  const CtlMethod *method = ctl_method_named(problem->derivatives ? by_derivatives : by_turns[turn % 2]);
  return ctl_method_takes(method, problem) ? method : ctl_method_named(by_turns[1]);
}

static bool add_local(CtlHybridRun *hybrid, const CtlMethod *method) {
  CtlRun *local = ctl_run_create(method, hybrid->run.problem, hybrid->run.objective);
  if (!local) return false;
  local->place = hybrid->n_locals;
  hybrid->locals[hybrid->n_locals++] = local;
  return true;
}

/* Returns the maximum number of local methods that run at the same time. The size of the array of runs limits it. */
static int most_locals(const CtlHybridRun *hybrid) {
  const CtlProblem *problem = hybrid->run.problem;
  int wanted = problem->local_starts ? problem->local_starts : LOCAL_STARTS, room = (int)simplex_points(problem);
  return wanted < room ? wanted : room;
}

static void start_side_by_side(CtlHybridRun *hybrid) {
  CtlObjective *objective = hybrid->run.objective;
  CtlState *state = &objective->state;
  double edge = state->edge;
  const double *starts[CTL_HYBRID_LOCALS], *control = objective->best.control;
  stop_locals(hybrid);
  for (int i = 0; i < most_locals(hybrid) && control && !state->no_memory; i++) {
    bool good = add_local(hybrid, method_of_turn(hybrid->run.problem, i));
    good = good && hybrid->locals[i]->ops->start(hybrid->locals[i], control, edge);
    state->no_memory |= !good;
    starts[i] = control;
    control = next_start(objective, i + 1, starts, edge);
  }
  hybrid->local = true;
  hybrid->handovers++;
}

/* Removes local methods that have ended, and returns the number of those that need a point. */
static long next_locals(CtlHybridRun *hybrid) {
  CtlObjective *objective = hybrid->run.objective;
  int left = 0;
  for (int i = 0; i < hybrid->n_locals; i++) {
    CtlRun *local = hybrid->locals[i];
    local->place = left;
    if (local->ops->next(local))
      hybrid->locals[left++] = local;
    else
      ctl_run_destroy(local);
  }
  hybrid->n_locals = left;
  bool full = left &&
              /* the cache is full; emptying it would discard the evaluations of the local methods */
              !hybrid->locals[0]->method->derivatives && objective->cache.capacity - objective->cache.count < left;
  objective->cut |= full;
  if (full) stop_locals(hybrid);
  return hybrid->n_locals;
}

static bool may_hand_over(const CtlHybridRun *hybrid) {
  const CtlObjective *objective = hybrid->run.objective;
  return !hybrid->verifying && hybrid->handovers < HANDOVERS && !objective->hung && isfinite(objective->merit);
}

/* Computes the next points to evaluate. When the local methods have ended, their result is final unless the method PDS
 * is to continue once more. */
static long next(CtlRun *run) {
  CtlHybridRun *hybrid = of(run);
  CtlObjective *objective = run->objective;
  bool loaded = hybrid->loaded;
  hybrid->loaded = false;
  if (loaded) return hybrid->local ? next_locals(hybrid) : hybrid->pds->ops->next(hybrid->pds);
  if (!hybrid->local && !hybrid->patience && may_hand_over(hybrid)) start_side_by_side(hybrid);
  if (!hybrid->local) return hybrid->pds->ops->next(hybrid->pds);
  long points = next_locals(hybrid);
  if (points) return points;
  bool met = ctl_objective_meets(objective, ctl_objective_wanted(run->problem));
  if (met || !may_hand_over(hybrid) || !start_pds(hybrid, objective->best.control, objective->state.edge)) return 0;
  return hybrid->pds->ops->next(hybrid->pds);
}

static void points(CtlRun *run, long first, int count, double *controls) {
  const CtlHybridRun *hybrid = of(run);
  if (!hybrid->local) hybrid->pds->ops->points(hybrid->pds, first, count, controls);
  for (int i = 0; i < count && hybrid->local; i++) {
    CtlRun *local = hybrid->locals[first + i];
    local->ops->points(local, 0, 1, controls + i * run->problem->n);
  }
}

static CtlWant want(const CtlRun *run, long k) {
  const CtlHybridRun *hybrid = (const CtlHybridRun *)run;
  return hybrid->local ? ctl_run_want(hybrid->locals[k], 0) : (CtlWant){0};
}

/* Passes the outcomes of a round to the local methods. The state keeps the edge length of the method PDS, since PDS may
 * continue later. */
static void tell_locals(CtlHybridRun *hybrid) {
  CtlObjective *objective = hybrid->run.objective;
  double edge = objective->state.edge;
  for (int i = 0; i < hybrid->n_locals; i++) {
    CtlRun *local = hybrid->locals[i];
    if (local->ops->tell)
      local->ops->tell(local);
    else
      ctl_objective_improve(objective);
  }
  objective->state.edge = edge;
}

static bool tell(CtlRun *run) {
  CtlHybridRun *hybrid = of(run);
  if (hybrid->local) {
    tell_locals(hybrid);
    return true;
  }
  bool round = hybrid->pds->ops->tell(hybrid->pds);
  if (round) hybrid->patience = run->objective->improved && hybrid->patience ? hybrid->patience - 1 : 0;
  return round;
}

/* Begins the second part of the search, the verification, which does exactly what the method PDS alone would do. The
 * cache is emptied, because PDS behaves differently if points of a simplex are already known. Returns false when out of
 * memory. */
static bool begin_verification(CtlHybridRun *hybrid) {
  CtlObjective *objective = hybrid->run.objective;
  const CtlMethod *method = hybrid->pds->method;
  if (!ctl_method_equip(method, hybrid->run.problem, objective)) return false;
  CtlRun *pds = ctl_run_create(method, hybrid->run.problem, objective);
  if (!pds || !pds->ops->start(pds, NULL, 0)) {
    ctl_run_destroy(pds);
    return false;
  }
  stop_locals(hybrid);
  ctl_run_destroy(hybrid->pds);
  hybrid->pds = pds;
  hybrid->local = false;
  hybrid->verifying = true;
  ctl_objective_keep(objective);
  ctl_objective_begin(objective, method->constrained);
  return true;
}

static long restart(CtlRun *run) {
  CtlHybridRun *hybrid = of(run);
  CtlRun *pds = hybrid->pds;
  if (hybrid->verifying) return pds->ops->restart(pds);
  bool good = begin_verification(hybrid);
  run->objective->state.no_memory |= !good;
  return good ? hybrid->pds->ops->next(hybrid->pds) : 0;
}

static bool unfinished(CtlRun *run) { return !of(run)->verifying; }

static long ahead(CtlRun *run, bool restarts) {
  const CtlHybridRun *hybrid = of(run);
  if (restarts && !hybrid->verifying) return ctl_problem_scheme_size(run->problem) + run->problem->n + 1;
  return hybrid->local ? hybrid->n_locals : hybrid->pds->ops->ahead(hybrid->pds, restarts);
}

static double size_of(CtlRun *run) { return of(run)->local ? INFINITY : of(run)->pds->ops->size_of(of(run)->pds); }

/* Returns the method with a name, among the methods that hybrid uses in turn. */
static const CtlMethod *method_in_turn(const char *name, const CtlProblem *problem) {
  for (int i = 0; i < 2; i++)
    if (strcmp(method_of_turn(problem, i)->name, name) == 0) return method_of_turn(problem, i);
  return NULL;
}

/* Writes or reads the state of local method i; reading creates the method. Returns false when out of memory. */
static bool serialize_local(CtlHybridRun *hybrid, int i, CtlBytes *bytes) {
  char name[CTL_WORD_SIZE] = "";
  if (!bytes->from) snprintf(name, sizeof name, "%s", hybrid->locals[i]->method->name);
  ctl_bytes_word(bytes, name);
  const CtlMethod *method = method_in_turn(name, hybrid->run.problem);
  bytes->bad |= !method;
  if (bytes->bad) return true;
  if (bytes->from && !(add_local(hybrid, method) && hybrid->locals[i]->ops->start(hybrid->locals[i], NULL, 0)))
    return false;
  return hybrid->locals[i]->ops->serialize(hybrid->locals[i], bytes);
}

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  CtlHybridRun *hybrid = of(run);
  bool verifying = ctl_bytes_integer(bytes, hybrid->verifying, 0, 1);
  if (verifying && !hybrid->verifying && !begin_verification(hybrid)) return false;
  if (!hybrid->pds->ops->serialize(hybrid->pds, bytes)) return false;
  hybrid->local = ctl_bytes_integer(bytes, hybrid->local, 0, !verifying);
  hybrid->handovers = (int)ctl_bytes_integer(bytes, hybrid->handovers, 0, INT32_MAX);
  hybrid->patience = (int)ctl_bytes_integer(bytes, hybrid->patience, 0, INT32_MAX);
  int n_locals = (int)ctl_bytes_integer(bytes, hybrid->n_locals, 0, verifying ? 0 : most_locals(hybrid));
  for (int i = 0; i < n_locals && !bytes->bad; i++)
    if (!serialize_local(hybrid, i, bytes)) return false;
  hybrid->loaded |= bytes->from != NULL;
  return true;
}

static const CtlMethodOps ops = {CTL_METHOD_FUNCTIONS,
                                 .want = want,
                                 .tell = tell,
                                 .size_of = size_of,
                                 .unfinished = unfinished,
                                 .round = simplex_points,
                                 .size = sizeof(CtlHybridRun),
                                 .room = 512, /* number of cached points for the local methods */
                                 .rounds = {"round", "rounds"},
                                 .simplexes = true};

const CtlMethod ctl_hybrid_methods[] = {{"hybrid",
                                         "PDS, then sqp or, without derivatives, local methods side by side, then PDS "
                                         "alone from the start: never worse than PDS alone",
                                         &ops, .petsc = true, .derivatives = CTL_DERIVATIVES_USED},
                                        {0}};
