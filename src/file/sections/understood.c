/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/understood.h"

#include "src/base/json_values.h"
#include "src/file/model/mechanism.h"
#include "src/file/sections/file.h"
#include "src/file/sections/identification.h"
#include "src/file/sections/motion_plan.h"
#include "src/file/sections/rest.h"
#include "src/file/sections/scenarios.h"

#include <math.h>
#include <stdio.h>

int reach_idle_force(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  if (!problem->has_control || problem->external) return 0;
  size_t p = (size_t)sim->n_control;
  for (size_t k = 0; k < p && !sim->group; k++) {
    bool acts = false;
    for (size_t i = 0; i < (size_t)sim->d && !acts; i++) acts = sim->control_matrix[i * p + k] != 0;
    if (!acts) return (int)k + 1;
  }
  return 0;
}

/* Returns whether an entry of the mass, stiffness or damping matrix couples two joints directly. */
static bool is_coupled(const SimSystem *s, size_t entry) {
  return s->mass[entry] != 0 || s->stiffness[entry] != 0 || s->damping[entry] != 0;
}

/* Returns whether the force f(t) is nonzero at some step, or not known. */
static bool has_force(const SimProblem *sim) {
  size_t count = (size_t)sim_force_count(sim) * (size_t)sim->d, row = sim_piece_size(sim->d);
  if (sim_force_in_pieces(sim)) {
    for (size_t i = 0; i < (size_t)sim->piece_count * row; i++)
      if (i % row >= SIM_PIECE_HEAD && sim->pieces[i] != 0) return true;
    return false;
  }
  if (!sim->force) return true;
  for (size_t i = 0; i < count; i++)
    if (sim->force[i] != 0) return true;
  return false;
}

int reach_missing_joint(const Problem *problem) {
  /* maximum number of degrees of freedom that are examined */
  enum { MOST = 64 };
  const SimProblem *sim = &problem->sim;
  bool reached[MOST] = {false}, more = true;
  int d = sim->d, p = sim->n_control;
  if (!problem->has_control || problem->external || sim->kind != SIM_FRICTION || sim->system.storage != SIM_DENSE ||
      d > MOST || sim->springs[SIM_LINKS].rows)
    return 0;
  for (int i = 0; i < d * p; i++) reached[i / p] |= sim->control_matrix[i] != 0;
  while (more) {
    more = false;
    for (int i = 0; i < d * d; i++)
      if (reached[i % d] && !reached[i / d] && is_coupled(&sim->system, (size_t)i)) reached[i / d] = more = true;
  }
  if (has_force(sim)) return 0;
  for (int i = 0; i < d; i++) {
    double to = problem->control.position[i];
    /* whether the joint is at rest and no spring moves it */
    bool rests = sim->v0[i] == 0 && sim->system.stiffness[i * d + i] == 0;
    if (!reached[i] && rests && !isnan(to) && to != sim->x0[i]) return i + 1;
  }
  return 0;
}

double understood_period(const Problem *problem) {
  return 6.283185307179586 / sqrt(problem->sim.bounds.frequency_squared);
}

double understood_growth(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  return p->kind == SIM_CHAIN
             ? exp((double)p->steps / 2 * log1p(problem->sim.bounds.frequency_squared * p->step * p->step))
             : 1;
}

/* Returns whether a scheme supports all features of a problem. For a motion plan this is true only for the scheme of
 * the file. */
static bool takes(const Problem *problem, const SimScheme *scheme) {
  return problem->plan ? scheme == problem->sim.scheme : sim_scheme_takes_all(scheme, &problem->sim);
}

void understood_schemes(const Problem *problem, char *list, size_t size) {
  const SimScheme *scheme;
  size_t length = 0;
  *list = 0;
  for (int k = 0; length < size && (scheme = sim_scheme_of_kind(problem->sim.kind, k)) != NULL; k++)
    if (takes(problem, scheme))
      length += (size_t)snprintf(list + length, size - length, "%s%s", length ? ", " : "", sim_scheme_name(scheme));
}

/* Returns the list of the names of the schemes that support the problem. */
static json_t *schemes_of(const Problem *problem) {
  const SimScheme *scheme;
  json_t *list = json_array();
  for (int k = 0; (scheme = sim_scheme_of_kind(problem->sim.kind, k)) != NULL; k++)
    if (takes(problem, scheme)) json_array_append_new(list, json_string(sim_scheme_name(scheme)));
  return list;
}

double understood_work(const Problem *problem) {
  return problem->external ? 0 : sim_problem_segments(&problem->sim) * sim_problem_work(&problem->sim, 0);
}

double understood_seconds(const Problem *problem) { return understood_work(problem) * SIM_WORK_SECONDS; }

void understood_warn_of_work(const Problem *problem, Diagnostics *diagnostics) {
  /* work of a motion above which there is a warning */
  static const double MANY = 1e5;
  double segments = problem->external ? 0 : sim_problem_segments(&problem->sim);
  if (understood_work(problem) >= MANY)
    diagnostics_warn(diagnostics,
                     "by `event` about %.2g segments and %.2g s a motion, for its fastest decay or oscillation "
                     "(scheme.name: moreau takes %ld steps)",
                     segments, understood_seconds(problem), problem->sim.steps);
}

void understood_warn_of_target(const Problem *problem, Diagnostics *diagnostics) {
  if (problem->plan) planned_warn(problem, diagnostics);
  const CtlProblem *c = &problem->control;
  int entries = problem->has_control && !problem->external && !problem->plan ? ctl_targets_alone(c) : 0;
  /* if there are more target entries than control variables, the target can be met only with the help of friction, for
   * example if joints come to rest */
  if (entries > c->n)
    diagnostics_warn(diagnostics,
                     "%d variable%s for %d target entries: in reach only if friction brings the rest about "
                     "(control.signal has more)",
                     c->n, c->n == 1 ? "" : "s", entries);
  char why[REST_TEXT_SIZE];
  if (rest_is_certain(problem, why)) diagnostics_warn(diagnostics, "%s", why);
  int force = reach_idle_force(problem), joint = reach_missing_joint(problem);
  if (force) diagnostics_warn(diagnostics, "control.matrix: force %d acts on nothing", force);
  if (joint)
    diagnostics_warn(diagnostics, "control.target: no force reaches joint %d, which is to be elsewhere", joint);
}

void understood_warn(const Problem *problem, Diagnostics *diagnostics) {
  if (problem->mechanism) mechanism_warn(problem, diagnostics);
  understood_warn_of_work(problem, diagnostics);
  if (problem->sim.bounds.estimated && !problem->sim.bounds.semidefinite)
    diagnostics_warn(diagnostics, "positive semi-definiteness of stiffness and damping not checked");
  if (!problem->has_control) return;
  const CtlProblem *c = &problem->control;
  int entries = ctl_targets_alone(c);
  if (problem->external) {
    int method = ctl_problem_method(c);
    if (entries && ctl_method_fixes_penalty(method))
      diagnostics_warn(diagnostics,
                       "%s: constraints have the penalty that they have at the start; f may stay above the least "
                       "(nlopt:cobyla, nlopt:auglag, auto and pds mind constraints)",
                       stiction_method_name(method));
  }
  understood_warn_of_target(problem, diagnostics);
}

void understood_reason(const Problem *problem, char *text, size_t size) {
  char part[128];
  if (sim_problem_undifferentiated(&problem->sim, part, sizeof part))
    snprintf(text, size, "for %s has no derivatives of %s", sim_scheme_name(problem->sim.scheme), part);
  else
    snprintf(text, size, "for there are no derivatives for %s", stiction_method_name(problem->control.method));
}

static json_t *sizes_of(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  json_t *sizes = json_pack("{s:s, s:b, s:i, s:i, s:I}", "kind", problem_kind_name(problem), "sparse",
                            problem->sim.bounds.estimated, "degrees_of_freedom", p->d, "controls", p->n_control,
                            "steps", (json_int_t)p->steps);
  if (!problem->has_control) return sizes;
  json_object_set_new(sizes, "segments", json_integer(problem->control.segments));
  json_object_set_new(sizes, "variables",
                      json_integer(problem->control.n + (problem->plan ? problem->plan->variables : 0)));
  return sizes;
}

static json_t *eigenvalues_of(const Problem *problem) {
  const SimBounds *b = &problem->sim.bounds;
  return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o}", "bounds", b->estimated, "mass_min", json_finite(b->mass_min),
                   "mass_max", json_finite(b->mass_max), "stiffness_max", json_finite(b->stiffness_max), "nu",
                   json_finite(b->frequency_squared), "shortest_period", json_finite(understood_period(problem)));
}

/* Returns {step_limit, margin} as JSON. step_limit is the largest stable step, in s, and margin is its ratio to the
 * problem's step; null for an infinite number. */
static json_t *limit_of(const Problem *problem, double limit) {
  return json_pack("{s:o, s:o}", "step_limit", json_finite(limit), "margin", json_finite(limit / problem->sim.step));
}

static json_t *stability_of(const Problem *problem) {
  const SimBounds *b = &problem->sim.bounds;
  json_t *stability = limit_of(problem, b->step_limit);
  if (problem->sim.kind == SIM_CHAIN) json_object_set_new(stability, "growth", json_finite(understood_growth(problem)));
  if (isfinite(b->friction_limit)) json_object_set_new(stability, "table", limit_of(problem, b->friction_limit));
  if (isfinite(b->spring_limit)) json_object_set_new(stability, "springs", limit_of(problem, b->spring_limit));
  return stability;
}

/* Returns data, for the command check, of the friction problem that a scheme solves in each step. Returns NULL if the
 * scheme has no fixed-point parameter r that is the same in all steps. */
static json_t *friction_of(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  double delta = problem->sim.bounds.delta;
  if (!sim_scheme_takes(p->scheme, "r")) return NULL;
  json_t *friction = json_pack("{s:o}", "delta", json_finite(delta));
  if (delta > 0) {
    json_object_set_new(friction, "r", json_finite(sim_problem_get(p, "r")));
    json_object_set_new(friction, "r_limit", json_finite(4 / (delta * p->step)));
  }
  if (sim_problem_get(p, "multiplier") == SIM_REGULARIZED)
    json_object_set_new(friction, "epsilon", json_finite(sim_problem_get(p, "epsilon")));
  return friction;
}

/* Returns the data of substeps, for the command check; NULL if the scheme has no substeps. */
static json_t *substeps_of(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  if (!sim_scheme_takes(p->scheme, "friction_substeps")) return NULL;
  bool exact = sim_problem_get(p, "elastic") != 0;
  return json_pack("{s:o, s:o}", "friction", json_finite(sim_force_time(p, 1)), "elastic",
                   exact ? json_null() : json_finite(p->step / sim_problem_get(p, "elastic_substeps")));
}

static json_t *search_of(const Problem *problem) {
  if (!problem->has_control) return NULL;
  const CtlProblem *c = &problem->control;
  int method = ctl_problem_method(c);
  json_t *search =
      json_pack("{s:s, s:b}", "method", stiction_method_name(method), "without_derivatives", method != c->method);
  if (ctl_method_has_simplexes(method))
    json_object_set_new(search, "scheme_size", json_integer(ctl_problem_scheme_size(c)));
  return search;
}

static json_t *scenarios_of(const Scenarios *s) {
  return json_pack("{s:I, s:i}", "count", (json_int_t)s->count, "numbers", s->n);
}

bool understood_put(const Problem *problem, json_t *object) {
  if (problem->external) return json_object_set_new(object, "problem", problem_echo(problem)) == 0;
  json_t *numbers =
      json_pack("{s:o, s:o, s:o, s:o, s:o*, s:o*, s:o*}", "sizes", sizes_of(problem), "eigenvalues",
                eigenvalues_of(problem), "stability", stability_of(problem), "schemes", schemes_of(problem), "friction",
                friction_of(problem), "substeps", substeps_of(problem), "search", search_of(problem));
  bool good = json_object_update_new(object, numbers) == 0;
  if (problem->mechanism) good = mechanism_put(problem, object) && good;
  if (problem->identification) good = identification_echo(problem->identification, object) && good;
  if (problem->plan) good = json_object_set_new(object, "plan", json_string(problem->plan->sentence)) == 0 && good;
  json_t *rest = json_pack("{s:o*, s:o}", "scenarios", problem->scenarios ? scenarios_of(problem->scenarios) : NULL,
                           "problem", problem_echo(problem));
  return json_object_update_new(object, rest) == 0 && good;
}
