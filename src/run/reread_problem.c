#include "src/run/reread_problem.h"

#include "src/base/exit_code.h"

#include <string.h>

bool reread_by_event(const SimProblem *sim) {
  const SimScheme *scheme = sim_scheme_for(sim->kind, "event");
  return scheme && sim_scheme_serves(scheme, sim);
}

/* The scheme as a section: `event`, or the problem's own without what only regularizes or approximates a step's solution. NULL: no
 * memory. */
static json_t *scheme_of(const json_t *echo, const SimProblem *sim, RereadAs as) {
  static const char *const left_out[] = {"solver", "tolerance", "r", "epsilon", "eta"};
  enum { OF_SOLVER = 2, ALL = sizeof left_out / sizeof *left_out };
  const char *own = sim_scheme_name(sim->scheme);
  json_t *scheme = json_copy(json_object_get(echo, "scheme"));
  if (as == REREAD_EVENT && strcmp(own, "event") == 0) return scheme;
  if (as == REREAD_EVENT) {
    json_decref(scheme);
    return json_pack("{s:s}", "name", "event");
  }
  for (int k = 0; k < (as == REREAD_LAW ? ALL : OF_SOLVER); k++) json_object_del(scheme, left_out[k]);
  if (as == REREAD_LAW && sim_scheme_takes(sim->scheme, "multiplier"))
    json_object_set_new(scheme, "multiplier", json_string("unregularized"));
  return scheme;
}

int reread_problem(const Problem *problem, RereadAs as, long finer, Diagnostics *found, Problem *own) {
  const SimProblem *sim = &problem->sim;
  const ModelRanks ranks = {.group = sim_problem_rows(sim).group, .copies = 1};
  json_t *echo = problem_echo(problem), *scheme = echo ? scheme_of(echo, sim, as) : NULL;
  json_t *time = json_pack("{s:f, s:I}", "end", sim->end, "steps", (json_int_t)(sim->steps * finer));
  json_t *output = json_pack("{s:I}", "every", (json_int_t)(problem->output_every * finer));
  bool good = scheme && time && output && json_object_set_new(echo, "scheme", scheme) == 0 &&
              json_object_set_new(echo, "time", time) == 0 && json_object_set_new(echo, "output", output) == 0;
  int code = sim_group_agree(ranks.group, good ? 0 : EXIT_INTERNAL);
  if (!code) code = problem_echo_read(echo, &ranks, found, own);
  json_decref(echo);
  return code;
}
