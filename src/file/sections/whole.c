/* SPDX-License-Identifier: BSD-2-Clause */
/* Returns the resolved problem as JSON, from which the same problem can be read; frees problems. */
#include "src/file/model/model.h"
#include "src/file/sections/external.h"
#include "src/file/sections/file.h"
#include "src/file/sections/identification.h"
#include "src/file/sections/motion_plan.h"
#include "src/file/sections/scenarios.h"
#include "src/file/sections/variant.h"
#include "src/file/values/force.h"
#include "src/file/values/parameter.h"

#include <math.h>
#include <stdlib.h>

void problem_clear(Problem *problem) {
  free(problem->title);
  labels_clear(&problem->labels);
  free(problem->start_from);
  force_destroy(problem->force);
  expression_destroy(problem->gear_k);
  json_decref(problem->as_written);
  mechanism_release(problem->mechanism);
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
  motion_plan_destroy(problem->plan);
  readings_destroy(problem->readings);
  constants_destroy(problem->given);
  document_destroy(problem->document);
  sim_problem_clear(&problem->sim);
  ctl_problem_clear(&problem->control);
  *problem = (Problem){0};
}

/* Moves the keys of `part` into `echo`. Returns false if either is NULL, which means that there was no memory. */
static bool join(json_t *echo, json_t *part) { return json_object_update_new(echo, part) == 0; }

json_t *problem_echo(const Problem *problem) {
  json_t *echo = json_pack("{s:s*}", "title", problem->title);
  if (problem->external) {
    json_t *all = json_pack("{s:o, s:o, s:o}", "evaluator", echo_evaluator(problem), "search", echo_search(problem),
                            "checkpoint", echo_checkpoint(problem));
    return json_if(join(echo, all), echo);
  }
  bool good = join(echo, json_pack("{s:o, s:o, s:o, s:o, s:o}", "model", echo_model(problem), "time",
                                   echo_time(problem), "scheme", echo_scheme(problem), "output", echo_output(problem),
                                   "checkpoint", echo_checkpoint(problem)));
  if (good && problem->has_control)
    good = join(echo, json_pack("{s:o, s:o}", "control", echo_control(problem), "search", echo_search(problem)));
  return json_if(good && (!problem->scenarios || scenarios_echo(problem->scenarios, echo)), echo);
}

double problem_position(const Problem *problem, int row) {
  return problem->spacing > 0 ? (row + 1.0) * problem->spacing : NAN;
}
