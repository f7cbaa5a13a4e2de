#include "src/run/reread_problem.h"

#include "src/base/exit_code.h"

#include <string.h>

bool reread_by_event(const SimProblem *sim) {
  const SimScheme *scheme = sim_scheme_for(sim->kind, "event");
  return scheme && sim_scheme_serves(scheme, sim) &&
         sim->system.storage == SIM_DENSE; /* alike on any number of ranks */
}

/* The scheme as a section. NULL: no memory. */
static json_t *scheme_of(const json_t *echo, const SimProblem *sim, RereadScheme as) {
  static const char *const left_out[] = {"solver", "tolerance", "r", "epsilon", "eta"};
  enum { OF_SOLVER = 2, ALL = sizeof left_out / sizeof *left_out };
  const char *own = sim_scheme_name(sim->scheme);
  bool event = as == REREAD_BY_EVENT;
  json_t *scheme = json_copy(json_object_get(echo, "scheme"));
  if (as == REREAD_BY_ITS_OWN || (event && strcmp(own, "event") == 0)) return scheme;
  if (event) {
    json_decref(scheme);
    return json_pack("{s:s}", "name", "event");
  }
  for (int k = 0; k < (as == REREAD_BY_LAW ? ALL : OF_SOLVER); k++) json_object_del(scheme, left_out[k]);
  if (as == REREAD_BY_LAW && sim_scheme_takes(sim->scheme, "multiplier"))
    json_object_set_new(scheme, "multiplier", json_string("unregularized"));
  return scheme;
}

/* The echo with the control's signal in so many segments, for SQP: other methods may not take so many variables. Returns whether there
 * was memory. */
static bool set_segments(json_t *echo, int segments) {
  json_t *control = json_object_get(echo, "control"), *signal = json_object_get(control, "signal"),
         *search = json_object_get(echo, "search");
  json_object_del(control, "start");
  json_object_del(signal, "refine_to");
  json_object_del(search, "scheme_size");
  json_object_del(search, "simplex");
  return json_object_set_new(signal, "segments", json_integer(segments)) == 0 &&
         json_object_set_new(search, "method", json_string("sqp")) == 0;
}

/* Of a replay: not its control's. */
static int take_segments(SimProblem *sim, int segments) {
  sim->segments = segments;
  SimStatus status = sim_problem_finalize(sim, NULL);
  return status == SIM_OK ? 0 : status == SIM_NO_MEMORY ? EXIT_INTERNAL : EXIT_USAGE;
}

int reread_problem(const Problem *problem, Reread as, Diagnostics *found, Problem *own) {
  const SimProblem *sim = &problem->sim;
  const ModelRanks ranks = {.group = sim_problem_rows(sim).group, .copies = 1, .limits = problem->limits};
  json_t *echo = problem_echo(problem), *scheme = echo ? scheme_of(echo, sim, as.scheme) : NULL;
  json_t *time =
      json_pack("{s:f, s:I}", "end", as.end > 0 ? as.end : sim->end, "steps", (json_int_t)(sim->steps * as.finer));
  json_t *output = json_pack("{s:I}", "every", (json_int_t)(problem->output_every * as.finer));
  bool good = scheme && time && output && json_object_set_new(echo, "scheme", scheme) == 0 &&
              json_object_set_new(echo, "time", time) == 0 && json_object_set_new(echo, "output", output) == 0 &&
              (!as.segments || set_segments(echo, as.segments));
  int code = sim_group_agree(ranks.group, good ? 0 : EXIT_INTERNAL);
  if (!code) code = problem_echo_read(echo, &ranks, found, own);
  if (!code && !as.segments && own->sim.segments != sim->segments) code = take_segments(&own->sim, sim->segments);
  json_decref(echo);
  return code;
}
