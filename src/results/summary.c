#include "src/results/summary.h"

#include "src/readback/saved_control.h"

#include <jansson.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* JSON knows no infinity. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *numbers(int n, const double *values) {
  json_t *list = json_array();
  for (int i = 0; i < n; i++) json_array_append_new(list, number(values[i]));
  return list;
}

static void put(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

double summary_closure(const SimEnergy *energy) {
  return energy->work - energy->stored - energy->dissipated - energy->numerical;
}

static json_t *energy_json(const SimEnergy *energy) {
  json_t *object = json_object();
  put(object, "work", number(energy->work));
  put(object, "stored", number(energy->stored));
  put(object, "dissipated", number(energy->dissipated));
  put(object, "numerical", number(energy->numerical));
  put(object, "closure", number(summary_closure(energy)));
  return object;
}

static json_t *outcome_json(const Summary *s) {
  json_t *object = json_object();
  const CtlState *search = s->search;
  if (search) {
    put(object, "reason", json_string(ctl_reason_text(search->reason)));
    put(object, "J", number(search->J));
    put(object, "P", number(search->best));
    put(object, "E1", number(search->E1));
    put(object, "E2", number(search->E2));
  } else if (!s->final)
    put(object, "reason", json_string(ctl_reason_text(CTL_REASON_SIGNAL)));
  else if (s->final->status != SIM_OK)
    put(object, "reason", json_string("failed"));
  if (s->final && s->final->status != SIM_OK) put(object, "failure", json_string(sim_status_text(s->final->status)));
  if (s->control) put(object, "u", signal_values(&s->problem->sim, s->control));
  if (s->x) put(object, "x_T", numbers(s->problem->sim.d, s->x));
  if (s->v) put(object, "v_T", numbers(s->problem->sim.d, s->v));
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
    put(object, "non_finite", json_integer(search->non_finite));
    put(object, "restarts", json_integer(search->restarts));
    put(object, "timed_out", json_integer(search->timed_out));
  }
  if (search || s->final) put(object, iterations, json_integer(search ? search->iterations : s->final->iterations));
  if (s->final) put(object, "largest_residual", number(s->final->residual));
  return object;
}

static json_t *seconds_json(const Summary *s) {
  json_t *object = json_object();
  put(object, "wall", number(s->wall));
  if (s->times) {
    put(object, "ivps", number(s->times->ivps));
    put(object, "evaluating", number(s->times->evaluating));
    put(object, "waiting", number(s->times->waiting));
    put(object, "coordinating", number(s->times->coordinating));
  }
  return object;
}

static json_t *summary_json(const Summary *s) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  json_t *root = json_object();
  put(root, "problem", problem_echo(s->problem));
  put(root, "version", json_string(STICTION_VERSION));
  put(root, "host", json_string(host));
  put(root, "ranks", json_integer(s->ranks));
  put(root, "kernel", json_string(s->kernel));
  put(root, "outcome", outcome_json(s));
  put(root, "counts", counts_json(s));
  if (s->final) put(root, "energy", energy_json(&s->energy));
  put(root, "seconds", seconds_json(s));
  if (s->times && s->times->wall > 0)
    put(root, "utilisation", number(s->times->ivps / (s->times->evaluators * s->times->wall)));
  return root;
}

int summary_write(const Results *results, const Summary *summary) {
  json_t *root = summary_json(summary);
  int failed = results_write_json(results, "summary.json", root, 17);
  json_decref(root);
  return failed ? -1 : 0;
}
