/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/summary.h"

#include "sim/features.h"
#include "sim/version.h"
#include "src/base/formats.h"
#include "src/base/json_values.h"
#include "src/file/sections/saved_control.h"
#include "src/results/motion_failure.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static void put(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

double summary_closure(const SimEnergy *energy) {
  return energy->work + energy->surface - energy->stored - energy->dissipated - energy->impacts - energy->numerical;
}

/* Returns the energy balance as JSON. Terms that the scheme does not compute, or that overflow, are null; the member
 * `closes` is then null, too. */
static json_t *energy_json(const SimEnergy *energy, const SimClosure *closure, bool closes) {
  json_t *object = json_object();
  put(object, "work", json_finite(energy->work));
  put(object, "surface", json_finite(energy->surface));
  put(object, "stored", json_finite(energy->stored));
  put(object, "dissipated", json_finite(energy->dissipated));
  put(object, "negative_dissipation", json_finite(energy->negative_dissipation));
  put(object, "impacts", json_finite(energy->impacts));
  put(object, "numerical", json_finite(energy->numerical));
  put(object, "closure", json_finite(summary_closure(energy)));
  put(object, "closing_error", json_finite(closure->error));
  put(object, "closing_time", json_finite(closure->time));
  put(object, "rounded", json_finite(closure->rounded));
  put(object, "closes", isnan(closure->error) ? json_null() : json_boolean(closes));
  return object;
}

/* If the search minimised a statistic of the scenarios, writes its name. The reported misses (distances from the
 * target) are then those of this statistic. */
static void put_objective(json_t *object, const CtlProblem *control) {
  if (control->statistic == CTL_MEAN) put(object, "objective", json_string("mean"));
  if (control->statistic == CTL_WORST) put(object, "objective", json_string("worst_case"));
  if (control->statistic == CTL_QUANTILE) put(object, "objective", json_pack("{s:f}", "quantile", control->quantile));
}

static json_t *failure_json(const Summary *s) {
  char text[MOTION_FAILURE_SIZE];
  motion_failure_text(&s->problem->labels, s->final, text);
  return json_string(text);
}

static json_t *outcome_json(const Summary *s) {
  json_t *object = json_object();
  const CtlState *search = s->search;
  if (search) {
    put(object, "method", json_string(stiction_method_name(ctl_problem_method(&s->problem->control))));
    put(object, "reason", json_string(stiction_reason_text(search->reason)));
    put_objective(object, &s->problem->control);
    put(object, "J", json_finite(search->J));
    put(object, "P", json_finite(search->best));
    put(object, "E1", json_finite(search->E1));
    put(object, "E2", json_finite(search->E2));
    if (search->starts)
      put(object, "starts",
          json_pack("{s:I, s:I}", "runs", (json_int_t)search->starts, "reached", (json_int_t)search->reached));
  } else if (!s->final)
    put(object, "reason", json_string(stiction_reason_text(CTL_REASON_SIGNAL)));
  else if (s->final->status != SIM_OK)
    put(object, "reason", json_string("failed"));
  if (!search && s->control && s->final && s->problem->has_control) {
    put(object, "J", json_finite(s->J));
    put(object, "E1", json_finite(s->misses[0]));
    put(object, "E2", json_finite(s->misses[1]));
  }
  if (s->final && s->final->status != SIM_OK) put(object, "failure", failure_json(s));
  if (s->final && isfinite(sim_residual_most(&s->problem->sim))) {
    put(object, "residual", json_finite(s->final->examined.largest));
    put(object, "residual_time", json_finite(s->final->examined.time));
  }
  if (s->control) put(object, "u", signal_values(&s->problem->sim, s->problem->sim.segments, s->control));
  if (s->x) put(object, "x_T", echo_vector(s->problem->sim.d, s->x));
  if (s->v) put(object, "v_T", echo_vector(s->problem->sim.d, s->v));
  if (s->solver_error.known)
    put(object, "solver_error",
        json_pack("{s:o, s:o}", "x_T", json_finite(s->solver_error.x_T), "v_T", json_finite(s->solver_error.v_T)));
  if (s->exact) put(object, "exact", json_incref(s->exact));
  if (s->optimality) put(object, "optimality", json_incref(s->optimality));
  if (s->refined) put(object, "refined", json_incref(s->refined));
  if (s->further) put(object, "further", json_incref(s->further));
  if (s->scenarios) put(object, "scenarios", json_incref(s->scenarios));
  if (s->bound) put(object, "bound", json_incref(s->bound));
  if (s->certificate) put(object, "certificate", json_incref(s->certificate));
  if (s->advice) put(object, "advice", json_string(s->advice));
  if (s->plan) {
    json_object_del(object, "E2"); /* E2 is not used, as E1 is the largest violation of a constraint in all scenarios */
    json_object_update(object, s->plan);
  }
  return object;
}

static json_t *counts_json(const Summary *s) {
  json_t *object = json_object();
  const CtlState *search = s->search;
  const char *iterations =
      sim_problem_get(&s->problem->sim, "solver") == SIM_FIXED_POINT ? "fixed_point_iterations" : "solver_sweeps";
  put(object, "steps", json_integer(s->problem->sim.steps));
  if (search) {
    put(object, "rounds", json_integer(search->rounds));
    put(object, "evaluations", json_integer(search->evaluations));
    put(object, "ivps", json_integer(search->ivps));
    put(object, "cache_hits", json_integer(search->cache_hits));
    if (search->questions) put(object, "patterns", json_integer(search->patterns));
    put(object, "non_finite", json_integer(search->non_finite));
    put(object, "restarts", json_integer(search->restarts));
    put(object, "timed_out", json_integer(search->timed_out));
    put(object, "too_long", json_integer(search->too_long));
    put(object, "out_of_range", json_integer(search->out_of_range));
  }
  if (search || s->final) put(object, iterations, json_integer(search ? search->iterations : s->final->iterations));
  if (s->final) put(object, "largest_residual", json_finite(s->final->residual));
  if (s->final && s->problem->sim.stops.present) {
    put(object, "impacts", json_integer(s->final->impacts));
    put(object, "settled", json_integer(s->final->settled));
  }
  return object;
}

static json_t *seconds_json(const Summary *s) {
  json_t *object = json_object();
  put(object, "wall", json_finite(s->wall));
  if (s->bound) put(object, "bounding", json_finite(s->bounding));
  if (s->certificate) put(object, "certifying", json_finite(s->certifying));
  if (s->search) {
    put(object, "ivps", json_finite(s->times.ivps));
    put(object, "evaluating", json_finite(s->times.evaluating));
    put(object, "waiting", json_finite(s->times.waiting));
    put(object, "coordinating", json_finite(s->times.coordinating));
  }
  return object;
}

json_t *summary_json(const Summary *s) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  json_t *root = json_object();
  put(root, "format", json_integer(FORMAT_SUMMARY));
  put(root, "problem", problem_echo(s->problem));
  put(root, "version", json_string(STICTION_VERSION));
  put(root, "host", json_string(host));
  put(root, "ranks", json_integer(s->ranks));
  put(root, "kernel", json_string(s->kernel));
  put(root, "outcome", outcome_json(s));
  put(root, "counts", counts_json(s));
  if (s->final) put(root, "energy", energy_json(&s->energy, &s->final->closure, s->final->status != SIM_ENERGY_OPEN));
  if (s->final && s->peaks) put(root, "motion", peaks_json(s->peaks));
  if (s->verify) put(root, "verify", json_incref(s->verify));
  if (s->identification) put(root, "identification", json_incref(s->identification));
  put(root, "seconds", seconds_json(s));
  if (s->search && !isnan(s->utilisation)) put(root, "utilisation", json_finite(s->utilisation));
  return root;
}

/* Returns advice on schemes with less numerical dissipation, as the end of a sentence. Among the schemes with time
 * steps, moreau has the least. */
static const char *better_schemes(const SimProblem *p) {
  if (p->kind != SIM_FRICTION) return "";
  return strcmp(sim_scheme_name(p->scheme), "moreau") == 0 ? ", and so may the scheme event"
                                                           : ", and so may the scheme moreau or event";
}

/* Warns if errors of the scheme add or remove much energy. numerical: energy removed by them in J; negative: added. */
static void warn_of_steps(const Results *results, const SimProblem *sim, double numerical) {
  static const SimFeatures without_mass = SIM_HAS(MASSLESS) | SIM_HAS(SEMI_DYNAMICAL) | SIM_HAS(QUASISTATIC);
  const char *did = numerical < 0 ? "brought in" : "took away", *sign = numerical < 0 ? "-" : "",
             *all = numerical < 0 ? "bring in" : "take";
  if (sim_force_in_pieces(sim))
    diagnostics_warn(results->diagnostics,
                     "jumps of what has no mass %s %.3g J (%senergy.numerical): its x0 or its load is no rest", did,
                     fabs(numerical), sign);
  else if (sim_problem_features(sim) & without_mass)
    diagnostics_warn(results->diagnostics,
                     "the steps themselves, or jumps of what has no mass (its x0 or its load is no rest), %s %.3g J "
                     "(%senergy.numerical): far shorter steps %s less, jumps do not%s",
                     did, fabs(numerical), sign, all, better_schemes(sim));
  else
    diagnostics_warn(results->diagnostics,
                     "the steps themselves %s %.3g J (%senergy.numerical): far shorter ones %s less%s", did,
                     fabs(numerical), sign, all, better_schemes(sim));
}

static void warn_of_numerical(const Results *results, const Summary *s, double least) {
  /* energy lost by the scheme's errors ("numerical") that causes a warning, as a fraction of the sum of all energies,
   * which includes the initial kinetic energy */
  static const double SWALLOWED = 0.02;
  const SimEnergy *e = &s->energy;
  double sum = fabs(e->work) + fabs(e->surface) + fabs(e->stored) + fabs(e->dissipated) + e->negative_dissipation +
               e->impacts + fabs(e->numerical) + s->final->closure.kinetic;
  if (!isfinite(sum) && s->final->status == SIM_OK)
    diagnostics_warn(
        results->diagnostics,
        "the energies of the motion overflow, so that they do not show whether it is right (expected smaller "
        "numbers, as in other units, or far shorter steps)");
  else if (-e->numerical > least || e->numerical > SWALLOWED * sum)
    warn_of_steps(results, &s->problem->sim, e->numerical);
}

static void warn(const Results *results, const Summary *s) {
  /* REPORTED_LEAST: energy that causes a warning if the scheme's errors added it (-numerical) or friction returned it
   * (negative_dissipation), as a fraction of the work, or of the energy dissipated by friction and damping. ROUNDED:
   * relative round-off of the energies. */
  static const double REPORTED_LEAST = 0.01, ROUNDED = 1e-5;
  const SimEnergy *energy = &s->energy;
  double least = REPORTED_LEAST *
                 fmax(fabs(energy->work) + fabs(energy->surface), energy->dissipated + energy->negative_dissipation);
  if (!s->final) return;
  warn_of_numerical(results, s, least);
  if (energy->negative_dissipation > least)
    diagnostics_warn(results->diagnostics,
                     "friction drove as well: it gave back %.3g J (energy.negative_dissipation), which the multiplier "
                     "unregularized does not",
                     energy->negative_dissipation);
  if (s->final->closure.rounded > ROUNDED)
    diagnostics_warn(results->diagnostics,
                     "round-off leaves the energies %.0e of their sum apart: stiffness this large beside a motion this "
                     "far leaves too few digits (a softer spring, or none: one mass in place of two)",
                     s->final->closure.rounded);
  if (s->solver_error.known && s->solver_error.x_T > s->solver_error.expected)
    diagnostics_warn(
        results->diagnostics,
        "fixed_point has stopped too early: with its steps solved exactly x(T) is %.1e m off, v(T) %.1e m/s "
        "(scheme.solver: exact, or a smaller scheme.tolerance)",
        s->solver_error.x_T, s->solver_error.v_T);
}

int summary_draft(const Results *results, const Summary *summary) {
  if (results_nowhere(results)) return 0;
  json_t *root = summary_json(summary);
  int failed = results_write_json(results, "summary.json", root, 17);
  json_decref(root);
  return failed ? -1 : 0;
}

int summary_write(const Results *results, const Summary *summary) {
  if (summary_draft(results, summary)) return -1;
  warn(results, summary);
  return 0;
}
