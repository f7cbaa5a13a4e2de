/* A problem that has been read: its echo, its end. */
#include "src/problem/external.h"
#include "src/problem/file.h"
#include "src/problem/identification.h"
#include "src/problem/scenarios.h"
#include "src/problem/variant.h"
#include "src/values/force.h"

#include <math.h>
#include <stdlib.h>

void problem_clear(Problem *problem) {
  free(problem->title);
  labels_clear(&problem->labels);
  free(problem->start_from);
  force_destroy(problem->force);
  expression_destroy(problem->gear_k);
  json_decref(problem->as_written);
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) expression_destroy(problem->springs[place].law);
  expression_destroy(problem->rise.law);
  force_destroy(problem->force_rate);
  force_destroy(problem->end);
  force_destroy(problem->end_rate);
  force_destroy(problem->surface);
  for (int k = 0; k < 2; k++) force_destroy(problem->course[k]);
  expression_destroy(problem->line_force);
  json_decref(problem->written);
  identification_destroy(problem->identification);
  scenarios_destroy(problem->scenarios);
  external_destroy(problem->external);
  readings_destroy(problem->readings);
  sim_problem_clear(&problem->sim);
  ctl_problem_clear(&problem->control);
  *problem = (Problem){0};
}

static json_t *echo_external(const Problem *problem) {
  json_t *echo = json_object();
  bool good = echo && (!problem->title || json_object_set_new(echo, "title", json_string(problem->title)) == 0) &&
              json_object_set_new(echo, "evaluator", echo_evaluator(problem)) == 0 &&
              json_object_set_new(echo, "search", echo_search(problem)) == 0 &&
              json_object_set_new(echo, "checkpoint", echo_checkpoint(problem)) == 0;
  return json_if(good, echo);
}

json_t *problem_echo(const Problem *problem) {
  if (problem->external) return echo_external(problem);
  json_t *echo = json_object();
  bool good = echo && (!problem->title || json_object_set_new(echo, "title", json_string(problem->title)) == 0) &&
              json_object_set_new(echo, "model", echo_model(problem)) == 0 &&
              json_object_set_new(echo, "time", echo_time(problem)) == 0 &&
              json_object_set_new(echo, "scheme", echo_scheme(problem)) == 0 &&
              json_object_set_new(echo, "output", echo_output(problem)) == 0 &&
              json_object_set_new(echo, "checkpoint", echo_checkpoint(problem)) == 0;
  if (good && problem->has_control)
    good = json_object_set_new(echo, "control", echo_control(problem)) == 0 &&
           json_object_set_new(echo, "search", echo_search(problem)) == 0;
  if (good && problem->scenarios) good = scenarios_echo(problem->scenarios, echo);
  return json_if(good, echo);
}

double problem_position(const Problem *problem, int row) {
  return problem->spacing > 0 ? (row + 1.0) * problem->spacing : NAN;
}

void given_entries(const SimProblem *sim, const CtlProblem *control, bool *given) {
  size_t rows = (size_t)sim->count;
  for (size_t i = 0; i < rows; i++) {
    given[i] = !isnan(control->position[(size_t)sim->first + i]);
    given[rows + i] = !isnan(control->velocity[(size_t)sim->first + i]);
  }
}

bool given_rest(const CtlProblem *control) {
  bool rest = control->velocity_spacing > 0;
  for (int i = 0; i < control->d; i++) rest = rest && control->velocity[i] == 0;
  return rest;
}
